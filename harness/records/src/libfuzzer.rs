//! The JSON of the commands of `assay libfuzzer`: `libfuzzer.json`, the record of an input, and the
//! output of `replay`, `minimise` and `list`. A target is given by its name.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

use assay_isa::shown;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::rounded;

/// Version of `libfuzzer.json`.
pub const VERSION: u32 = 1;

/// `libfuzzer.json`: the results of a libFuzzer campaign.
// `T` is the name of a target, and orders the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LibfuzzerRecord<T: Ord> {
    /// Version of the format.
    pub version: u32,
    /// Version of assay.
    pub assay: String,
    /// The sanitizer of the targets.
    pub sanitizer: Sanitizer,
    /// The subject of the target `differential`.
    pub subject: String,
    /// Time for each target in seconds.
    pub time: u64,
    /// Number of processes that run a target at the same time.
    pub jobs: usize,
    /// Whether the user interrupted the campaign.
    pub interrupted: bool,
    /// The selected targets.
    pub planned: Vec<T>,
    /// The results of each target that ran.
    pub targets: BTreeMap<T, TargetRecord>,
}

/// The results of a target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetRecord {
    /// Whether the target used all of its time and finished its work.
    pub finished: bool,
    /// Why the target did not finish. For a finished target, why it fails apart from its crashes.
    #[serde(default)]
    pub problem: Option<String>,
    /// Seconds that were not used because too many inputs crashed the target.
    #[serde(default)]
    pub unused: f64,
    /// SHA-256 of the target's program. Empty in older records.
    #[serde(default)]
    pub build: String,
    /// Number of executed inputs of all processes.
    pub executions: u64,
    /// Inputs per second of one process.
    pub executions_per_second: f64,
    /// Number of inputs that reached the judge.
    pub judged: u64,
    /// Share of the inputs that did not reach the judge, 0 to 1.
    #[serde(default)]
    pub wasted: f64,
    /// Run time in seconds, summed over all processes.
    #[serde(default)]
    pub seconds: f64,
    /// Peak memory of the largest process in MB.
    #[serde(default)]
    pub peak_rss_mb: u64,
    /// Coverage of the corpus.
    pub coverage: CorpusCoverage,
    /// Number of inputs that reached new coverage and were added to the corpus.
    pub new_units: u64,
    /// Whether no input reached new coverage or crashed a process.
    #[serde(default)]
    pub nothing_new: bool,
    /// Size of the corpus after it was minimised.
    pub corpus: CorpusSize,
    /// Number of inputs that crashed a process.
    pub crashes: usize,
    /// The findings from these inputs.
    pub findings: Vec<FoundInput>,
}

/// The sanitizer of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sanitizer {
    /// AddressSanitizer.
    Address,
    /// No sanitizer.
    None,
}

/// Coverage of a corpus. Null if an input of the corpus crashes the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusCoverage {
    /// Coverage at the beginning.
    pub before: Option<Coverage>,
    /// Coverage at the end.
    pub after: Option<Coverage>,
}

/// Coverage of a program as libFuzzer reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Number of edges of the control flow.
    pub edges: u64,
    /// Number of libFuzzer features: edges distinguished by how often they were taken, and a few
    /// others.
    pub features: u64,
}

/// Size of a corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusSize {
    /// Number of inputs.
    pub inputs: usize,
    /// Size of all inputs in bytes.
    pub bytes: u64,
    /// Number of inputs that add coverage and that the limits of the corpus excluded.
    pub left_out: usize,
}

/// A finding, and the command that replays it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundInput {
    /// Path of the finding: a case, or the record of an input.
    pub file: PathBuf,
    /// Signature of the finding.
    pub signature: String,
    /// The command that replays the finding.
    pub replay: String,
}

/// `findings/TARGET-N.json`: an input that violates a property of its target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputRecord<T> {
    /// Version of the format.
    pub version: u32,
    /// Name of the target.
    pub target: T,
    /// The subject of the target `differential`.
    pub subject: String,
    /// The violated property.
    pub property: String,
    /// The violation in words.
    pub message: String,
    /// The build and limits of the target's program, if only that program shows the violation. Null
    /// in older records.
    #[serde(default)]
    pub program: Option<ProgramSetting>,
    /// The input, two hexadecimal digits for each byte.
    pub input: String,
    /// Path of the file that libFuzzer wrote.
    pub artifact: PathBuf,
    /// The command that replays the input.
    pub replay: String,
    /// Path at which a test checks the input once the defect is fixed.
    pub keep: PathBuf,
}

/// The sanitizer of a target's program, and its limits on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramSetting {
    /// The sanitizer.
    pub sanitizer: Sanitizer,
    /// Memory limit in MB.
    pub rss_limit: u64,
    /// Time limit in seconds.
    pub timeout: u64,
}

/// The output of `libfuzzer replay`. Exit status 1 if the input violates the property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReplayReport {
    /// Name of the target.
    pub target: String,
    /// Whether the input reached the judge. Null if it violates the property.
    pub judged: Option<bool>,
    /// The violated property. Null if there is no violation.
    pub property: Option<String>,
    /// The violation in words. Null if there is no violation.
    pub message: Option<String>,
    /// The findings that were written.
    pub findings: Vec<FoundInput>,
}

/// The output of `libfuzzer minimise` for a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MinimiseReport {
    /// Size of the corpus before.
    pub before: CorpusSize,
    /// Size of the corpus after.
    pub after: CorpusSize,
    /// Number of inputs that crashed the program and were removed from the corpus.
    pub crashes: usize,
    /// Paths of these inputs.
    pub artifacts: Vec<PathBuf>,
}

/// The output of `libfuzzer list` for a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TargetListing {
    /// Name of the target.
    pub name: &'static str,
    /// The property that the target checks.
    pub about: &'static str,
    /// Size of the longest input in bytes.
    pub longest: usize,
    /// Whether the target has a dictionary.
    pub dictionary: bool,
}

impl<T: Ord> LibfuzzerRecord<T> {
    /// Returns whether a target did not finish its work. Findings do not make up for that.
    pub fn is_broken(&self) -> bool {
        self.targets.values().any(|row| !row.finished && row.problem.is_some())
    }

    /// Returns whether no input crashed a target and some inputs of each target reached the judge.
    pub fn holds(&self) -> bool {
        self.targets.values().all(|row| row.crashes == 0 && row.judged > 0)
    }
}

impl TargetRecord {
    /// Adds the error of a part of the work to `problem`.
    pub fn note<T, E: Display>(&mut self, outcome: Result<T, E>) -> Option<T> {
        let Err(error) = &outcome else { return outcome.ok() };
        let earlier = self.problem.take().map_or(String::new(), |earlier| earlier + "; ");
        self.problem = Some(earlier + &shown::page(&error.to_string()));
        None
    }

    /// Computes the fields that follow from the counts.
    pub fn count(&mut self) {
        let share = self.judged as f64 / self.executions.max(1) as f64;
        self.executions_per_second = (self.executions as f64 / self.seconds.max(f64::MIN_POSITIVE)).round();
        self.wasted = rounded(1.0 - share, 6);
        self.nothing_new = self.crashes == 0 && self.new_units == 0;
    }

    /// Marks the target as finished unless it has a problem. A finished target can still have
    /// failed.
    pub fn finish(&mut self) {
        self.finished = self.problem.is_none();
        if self.finished && self.judged == 0 {
            self.problem = Some("no input reached the judge".into());
        } else if self.finished && self.unused > 0.0 {
            let cut = "so many inputs ended it that most of its time was not used; fix their errors";
            self.problem = Some(cut.into());
        }
    }

    /// Returns whether this build of the target has finished its work.
    pub fn is_over(&self, build: &str) -> bool {
        self.finished && self.build == build
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A record of one target that ran, as it is read back, with one change.
    fn record(change: fn(&mut TargetRecord)) -> LibfuzzerRecord<String> {
        let coverage = |edges| Some(Coverage { edges, features: 3 * edges });
        let mut row = TargetRecord {
            build: "abc".into(),
            executions: 1000,
            judged: 990,
            seconds: 0.5,
            coverage: CorpusCoverage { before: coverage(100), after: coverage(120) },
            new_units: 7,
            ..TargetRecord::default()
        };
        change(&mut row);
        row.count();
        row.finish();
        let record = json!({
            "version": VERSION, "assay": "0", "sanitizer": "none", "subject": "model", "time": 1, "jobs": 2,
            "interrupted": false, "planned": ["document"], "targets": {"document": row}
        });
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn a_campaign_holds_if_every_target_reached_its_judge_and_none_crashed() {
        let ends = |record: &LibfuzzerRecord<String>| (record.is_broken(), record.holds());
        let sound = record(|_| {});
        let row = &sound.targets["document"];
        assert_eq!((ends(&sound), &row.problem), ((false, true), &None));
        assert_eq!((row.wasted, row.executions_per_second, row.nothing_new), (0.01, 2000.0, false));
        assert!(row.is_over("abc") && !row.is_over("abd"));
        let idle = record(|row| row.new_units = 0);
        assert!(ends(&idle) == (false, true) && idle.targets["document"].nothing_new);
        let crashed = record(|row| (row.new_units, row.crashes) = (0, 1));
        assert!(ends(&crashed) == (false, false) && !crashed.targets["document"].nothing_new);
        let blind = record(|row| row.judged = 0);
        let row = &blind.targets["document"];
        assert_eq!(
            (ends(&blind), row.problem.as_deref()),
            ((false, false), Some("no input reached the judge"))
        );
        assert!(row.finished, "to run it again would not help");
        let cut = record(|row| row.unused = 1.0);
        assert!(
            cut.targets["document"].problem.as_ref().is_some_and(|why| why.starts_with("so many inputs"))
        );
        let broken = record(|row| {
            row.crashes = 1;
            row.note::<(), _>(Err("no room"));
            assert_eq!(row.note::<_, &str>(Ok(0)), Some(0));
            row.note::<(), _>(Err("no memory"));
        });
        let row = &broken.targets["document"];
        assert_eq!((ends(&broken), row.problem.as_deref()), ((true, false), Some("no room; no memory")));
        assert!(!row.finished && !row.is_over("abc"));
        let mut interrupted = record(|_| {});
        interrupted.targets.values_mut().for_each(|row| row.finished = false);
        assert_eq!(ends(&interrupted), (false, true));
    }
}
