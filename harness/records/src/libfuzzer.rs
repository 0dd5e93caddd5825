//! What the commands of `assay libfuzzer` write and print: `libfuzzer.json`, the record of an input, and results of
//! `replay`, `minimise` and `list`. A target is its name.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

use assay_isa::shown;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::rounded;

/// Version of `libfuzzer.json`.
pub const VERSION: u32 = 1;

/// `libfuzzer.json`: what came of a campaign. `T` names a target and gives the order of the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LibfuzzerRecord<T: Ord> {
    /// Version of this format.
    pub version: u32,
    /// Version of `assay`.
    pub assay: String,
    /// What watches the memory of the targets.
    pub sanitizer: Sanitizer,
    /// The subject of the target `differential`.
    pub subject: String,
    /// Seconds for each target.
    pub time: u64,
    /// Processes of a target at a time.
    pub jobs: usize,
    /// Whether the user ended the campaign.
    pub interrupted: bool,
    /// The targets that are to run.
    pub planned: Vec<T>,
    /// What came of each target that ran.
    pub targets: BTreeMap<T, TargetRecord>,
}

/// What came of a target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetRecord {
    /// Whether the target had all of its time, and all of its work could be done.
    pub finished: bool,
    /// Why it could not; of a finished target, why it fails apart from its crashes.
    #[serde(default)]
    pub problem: Option<String>,
    /// Seconds that were left when too many inputs had ended the target.
    #[serde(default)]
    pub unused: f64,
    /// SHA-256 of the target's program; records of earlier builds have none.
    #[serde(default)]
    pub build: String,
    /// Inputs that were executed.
    pub executions: u64,
    /// Inputs a second of one process.
    pub executions_per_second: f64,
    /// Inputs that reached the judge.
    pub judged: u64,
    /// The share of the inputs that did not.
    #[serde(default)]
    pub wasted: f64,
    /// Seconds of all processes together.
    #[serde(default)]
    pub seconds: f64,
    /// Megabytes of memory of the largest process.
    #[serde(default)]
    pub peak_rss_mb: u64,
    /// Coverage of the corpus.
    pub coverage: CorpusCoverage,
    /// Inputs that reached something new, and were added to the corpus.
    pub new_units: u64,
    /// Whether no input reached something new or ended a process.
    #[serde(default)]
    pub nothing_new: bool,
    /// The corpus after minimising.
    pub corpus: CorpusSize,
    /// Inputs that ended a process.
    pub crashes: usize,
    /// What these inputs show.
    pub findings: Vec<FoundInput>,
}

/// What watches the memory of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sanitizer {
    /// AddressSanitizer.
    Address,
    /// Nothing.
    None,
}

/// Coverage of a corpus. It is unknown where an input ends the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusCoverage {
    /// At the beginning.
    pub before: Option<Coverage>,
    /// At the end.
    pub after: Option<Coverage>,
}

/// What libFuzzer saw of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Edges of the control flow.
    pub edges: u64,
    /// Features: edges told apart by how often they were taken, and a few others.
    pub features: u64,
}

/// How much is in a corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusSize {
    /// Inputs.
    pub inputs: usize,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Inputs that would add to the coverage and that the bounds left out.
    pub left_out: usize,
}

/// A finding, and how to show it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundInput {
    /// Its file: a case, or the record of an input.
    pub file: PathBuf,
    /// Its signature.
    pub signature: String,
    /// The command that shows it again.
    pub replay: String,
}

/// `findings/TARGET-N.json`: an input that violates a property of its target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputRecord<T> {
    /// Version of this format.
    pub version: u32,
    /// The target.
    pub target: T,
    /// The subject of the target `differential`.
    pub subject: String,
    /// The property.
    pub property: String,
    /// How it is violated.
    pub message: String,
    /// What the program of the target needs where it alone shows the violation; records of earlier builds have none.
    #[serde(default)]
    pub program: Option<ProgramSetting>,
    /// The bytes, two hexadecimal digits each.
    pub input: String,
    /// The file that libFuzzer wrote.
    pub artifact: PathBuf,
    /// The command that shows it again.
    pub replay: String,
    /// Where the input belongs once the defect is repaired: there a test checks it.
    pub keep: PathBuf,
}

/// What the program of a target is built with, and its limits on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramSetting {
    /// What watches its memory.
    pub sanitizer: Sanitizer,
    /// Megabytes of memory at most.
    pub rss_limit: u64,
    /// Seconds at most.
    pub timeout: u64,
}

/// What `libfuzzer replay` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReplayReport {
    /// The target.
    pub target: String,
    /// Whether the input reached the judge; null where it violates the property.
    pub judged: Option<bool>,
    /// The property that is violated.
    pub property: Option<String>,
    /// How it is violated.
    pub message: Option<String>,
    /// The findings that were written.
    pub findings: Vec<FoundInput>,
}

/// What `libfuzzer minimise` prints of each target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MinimiseReport {
    /// The corpus before.
    pub before: CorpusSize,
    /// What is left of it.
    pub after: CorpusSize,
    /// Inputs that ended the program and left the corpus.
    pub crashes: usize,
    /// Their files.
    pub artifacts: Vec<PathBuf>,
}

/// What `libfuzzer list` prints of each target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TargetListing {
    /// Its name.
    pub name: &'static str,
    /// What it checks.
    pub about: &'static str,
    /// Bytes of its longest input.
    pub longest: usize,
    /// Whether it has a dictionary.
    pub dictionary: bool,
}

impl<T: Ord> LibfuzzerRecord<T> {
    /// Returns whether a part of the work could not be done. What was found does not outweigh that, for there could be more.
    pub fn is_broken(&self) -> bool {
        self.targets.values().any(|row| !row.finished && row.problem.is_some())
    }

    /// Returns whether no input ended a target, and some inputs of each target reached the judge.
    pub fn holds(&self) -> bool {
        self.targets.values().all(|row| row.crashes == 0 && row.judged > 0)
    }
}

impl TargetRecord {
    /// Notes that a part of the work could not be done. The rest is done all the same.
    pub fn note<T, E: Display>(&mut self, outcome: Result<T, E>) -> Option<T> {
        let Err(error) = &outcome else { return outcome.ok() };
        let earlier = self.problem.take().map_or(String::new(), |earlier| earlier + "; ");
        self.problem = Some(earlier + &shown::page(&error.to_string()));
        None
    }

    /// Computes what follows from the counts.
    pub fn count(&mut self) {
        let share = self.judged as f64 / self.executions.max(1) as f64;
        self.executions_per_second = (self.executions as f64 / self.seconds.max(f64::MIN_POSITIVE)).round();
        self.wasted = rounded(1.0 - share, 6);
        self.nothing_new = self.crashes == 0 && self.new_units == 0;
    }

    /// Notes that all of the work was done, unless there was a problem. It can have been in vain all the same.
    pub fn finish(&mut self) {
        self.finished = self.problem.is_none();
        if self.finished && self.judged == 0 {
            self.problem = Some("none of its inputs reached the judge".into());
        } else if self.finished && self.unused > 0.0 {
            let cut = "so many inputs ended it that most of its time was not used; mend what they show";
            self.problem = Some(cut.into());
        }
    }

    /// Returns whether this build of the target has nothing left to do.
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
            ((false, false), Some("none of its inputs reached the judge"))
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
