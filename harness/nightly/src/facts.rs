//! The facts about a stage, read from its files: cases, coverage, accuracy, and the signatures of its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use assay_engine::stats::accuracy::Accuracy;
use assay_isa::shown::{plural, quoted};
use assay_records::commands::campaign::{FuzzOutput, SweepOutput};
use assay_records::commands::mutants::{FamilyScore, MutationReport};
use assay_records::commands::vectors::CheckOutput;
use assay_records::libfuzzer::{FoundInput, LibfuzzerRecord};
use assay_records::run_info::{RESULT, RunInfo};
use assay_records::verdict::{ReasonKind, VerdictWord};
use assay_records::{Plan, RunResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NightlyError;
use crate::command;
use crate::folder::StageFolder;
use crate::plan::{CommandKind, StagePlan};
use crate::printed;
use crate::state::{Stage, StageState};

/// The counts of a campaign or a sweep that did not finish.
const INTERRUPTED: &str = "interrupted.json";

/// Start of the signature of a failing vector. A signature without a case and without this prefix is that of a
/// surviving fault.
pub(crate) const VECTOR: &str = "vector ";

/// The facts about a stage of a nightly run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageFacts {
    /// Name of the stage.
    pub name: String,
    /// Command of the stage.
    pub command: String,
    /// The final state of the stage.
    pub at: Stage,
    /// Time used in seconds.
    pub seconds: f64,
    /// Number of cases.
    pub cases: Option<u64>,
    /// Number of cases that could not be judged: undefined, without a bound, or unsupported.
    pub wasted: Option<u64>,
    /// Coverage of a campaign.
    pub coverage: Option<Covered>,
    /// The errors of each swept function.
    pub functions: BTreeMap<String, FunctionErrors>,
    /// The results of each libFuzzer target.
    #[serde(default)]
    pub targets: BTreeMap<String, LibfuzzerFacts>,
    /// The scores of planted faults, by family.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Score>,
    /// The signatures that the stage found.
    pub seen: Vec<SeenSignature>,
    /// Number of divergences that no finding covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unexamined: Option<u64>,
    /// Further problems, one sentence each. They fail the stage whatever it found.
    pub problems: Vec<String>,
    /// The vectors and the planted faults whose check passed, by their signatures. They are not part of the report.
    #[serde(skip)]
    pub passed: BTreeSet<String>,
}

/// The results of a libFuzzer target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibfuzzerFacts {
    /// Number of executed inputs.
    pub executions: u64,
    /// Number of inputs that reached the judge.
    pub judged: u64,
    /// Inputs per second of one process.
    pub rate: f64,
    /// Numbers of edges and of libFuzzer features that the corpus covers.
    pub coverage: Option<[u64; 2]>,
    /// Number of inputs that reached new coverage.
    pub new_units: u64,
    /// Number of inputs in the corpus.
    pub corpus: u64,
}

/// The score of a family of planted faults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// The faulty layer, such as `semantics`. Reports separate the layers.
    pub layer: String,
    /// Name of the family.
    pub family: String,
    /// Number of faults.
    pub faults: u64,
    /// Number of faults that a contract caught.
    pub killed: u64,
    /// Number of faults that only the comparison with the sound model caught.
    pub within_contract: u64,
    /// Number of faults with a proof that they are equivalent.
    pub equivalent: u64,
    /// Number of other faults.
    pub survivors: u64,
}

/// Coverage in numbers of bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    /// Number of bins that were hit.
    pub hit: u64,
    /// Number of reachable bins.
    pub bins: u64,
}

/// The errors of a function.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionErrors {
    /// Number of executed inputs. Errors over different numbers of inputs are not compared.
    pub inputs: u64,
    /// The largest error in ulp.
    pub max_ulp: f64,
    /// Mean of the error magnitudes in ulp.
    pub mean_ulp: f64,
    /// Number of correctly rounded results.
    pub correctly_rounded: u64,
}

/// A signature that a stage found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenSignature {
    /// The signature, which identifies a bug.
    pub signature: String,
    /// Path of the case. Null for a vector, which is itself a case.
    pub case: Option<PathBuf>,
    /// Number of divergences with the signature, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// The value keys of these divergences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

impl SeenSignature {
    /// A signature without further facts.
    pub fn named(signature: String) -> SeenSignature {
        SeenSignature { signature, case: None, cases: None, keys: Vec::new() }
    }
}

impl StageFacts {
    /// Divergences that count as a signature.
    pub fn divergences(&self, signature: &str) -> u64 {
        self.seen.iter().filter(|seen| seen.signature == signature).filter_map(|seen| seen.cases).sum()
    }

    /// Cases a second.
    pub fn rate(&self) -> Option<f64> {
        self.cases.filter(|_| self.seconds > 0.0).map(|cases| cases as f64 / self.seconds)
    }

    /// The facts of a stage without files.
    pub(crate) fn empty(plan: &StagePlan, state: &StageState) -> StageFacts {
        StageFacts {
            name: plan.name.clone(),
            command: plan.run.clone(),
            at: state.at.clone(),
            seconds: state.seconds,
            cases: None,
            wasted: None,
            coverage: None,
            functions: BTreeMap::new(),
            targets: BTreeMap::new(),
            scores: Vec::new(),
            seen: Vec::new(),
            unexamined: None,
            problems: Vec::new(),
            passed: BTreeSet::new(),
        }
    }

    /// Reads the facts about a stage from its files. `words` is the command that the nightly run started.
    ///
    /// A stage that ended by itself has a finished result of that command, and an output that can be read. Otherwise it
    /// has a problem, whatever its exit status is.
    pub fn read(
        plan: &StagePlan,
        state: &StageState,
        folder: &StageFolder,
        words: &[String],
    ) -> Result<StageFacts, NightlyError> {
        let mut facts = StageFacts::empty(plan, state);
        match plan.kind() {
            CommandKind::Fuzz => {
                // The verdict is in the result. An output that cannot be read is a problem all the same.
                facts.take_run(&folder.run(), words)?;
                facts.printed(state, printed::read::<FuzzOutput>(&folder.said()));
            }
            CommandKind::Sweep => {
                facts.take_run(&folder.run(), words)?;
                facts.printed(state, printed::read::<SweepOutput>(&folder.said()));
            }
            CommandKind::LibFuzzer => {
                facts.take_targets(&folder.run())?;
                facts.printed(state, printed::check(&folder.said()));
            }
            CommandKind::Vectors => {
                let printed = facts.printed(state, printed::read(&folder.said()));
                printed.into_iter().for_each(|printed| facts.take_vectors(printed));
            }
            CommandKind::Mutants => {
                let printed = facts.printed(state, printed::read(&folder.said()));
                printed.into_iter().for_each(|printed| facts.take_mutants(printed));
            }
            CommandKind::Check => {
                facts.printed(state, printed::check(&folder.said()));
            }
        }
        if facts.at == Stage::Held && !facts.problems.is_empty() {
            facts.at = Stage::Failed;
        }
        Ok(facts)
    }

    /// Whether the stage came to its end by itself, and says that its checks passed or failed.
    fn is_ended(&self) -> bool {
        matches!(self.at, Stage::Held | Stage::Failed)
    }

    /// What a command printed. A stage that ended by itself must have printed it, with its last message as a hint if it
    /// did not.
    fn printed<T>(&mut self, state: &StageState, printed: Result<T, String>) -> Option<T> {
        let problem = match printed {
            Ok(printed) => return Some(printed),
            Err(problem) => problem,
        };
        if self.is_ended() {
            let last = Some(quoted(&state.last)).filter(|last| !last.is_empty());
            let last = last.map_or(String::new(), |last| format!("; its last message is `{last}`"));
            self.problems.push(problem + &last);
        }
        None
    }

    /// Reads the folder of a campaign or a sweep, complete or interrupted. Errors of a sweep belong to a function,
    /// those of a campaign to its seed.
    fn take_run(&mut self, run: &Path, words: &[String]) -> Result<(), NightlyError> {
        let file = [RESULT, INTERRUPTED].map(|name| run.join(name)).into_iter();
        let Some(file) = file.into_iter().find(|file| file.exists()) else {
            if self.is_ended() {
                self.problems.push("it left no result".into());
            }
            return Ok(());
        };
        let outcome = RunResult::read(&file)?;
        if self.at == Stage::Held && file.ends_with(INTERRUPTED) {
            self.problems.push("its result is not finished".into());
        }
        if file.ends_with(RESULT) && !is_of_command(&file, words)? {
            self.problems.push("its result is that of another command".into());
        }
        let is_sweep = matches!(outcome.plan, Plan::Sweep { .. });
        let tally = &outcome.tally;
        let verdicts = tally.verdicts;
        self.cases = Some(tally.cases);
        self.wasted =
            Some(verdicts.undefined + verdicts.unjudged + verdicts.unsupported + verdicts.undeclared);
        self.coverage = outcome.bins.as_ref().map(|layout| {
            let extents = layout.forms.values().flat_map(BTreeMap::values);
            let hit = extents.map(|extent| extent.hit(&tally.coverage) as u64).sum();
            Covered { hit, bins: layout.reachable() as u64 }
        });
        let measured = tally.accuracy.iter().filter(|(_, accuracy)| is_sweep && accuracy.measured > 0);
        self.functions =
            measured.map(|(name, accuracy)| (name.clone(), FunctionErrors::of(accuracy))).collect();
        self.seen = findings(&run.join("findings"))?;
        if file.ends_with(INTERRUPTED) && self.at == Stage::Failed {
            let cases = plural(tally.cases, "case", "cases");
            self.problems.push(format!("it ended after {cases}, for its device was declared dead"));
        }
        let diverged = verdicts.diverged;
        let counted = self.seen.iter().map(|seen| seen.cases).sum::<Option<u64>>();
        self.unexamined = counted.map(|counted| diverged.saturating_sub(counted)).filter(|open| *open > 0);
        if diverged > 0 && self.seen.is_empty() {
            let cases = plural(diverged, "case", "cases");
            self.problems.push(format!("{cases} diverged, and no finding covers the divergence"));
        }
        self.take_verdict(&outcome);
        Ok(())
    }

    /// Takes the reasons of the stored verdict. Divergences are findings, and an early end is judged by the policy.
    fn take_verdict(&mut self, outcome: &RunResult) {
        let is_over = matches!(self.at, Stage::Failed | Stage::Held);
        let is_problem = |kind| match kind {
            ReasonKind::Divergence | ReasonKind::Unfinished => false,
            ReasonKind::Coverage => is_over,
            _ => true,
        };
        if outcome.verdict_word() == VerdictWord::Unverified {
            self.problems
                .push("its result has no verdict, because an older version of assay wrote it".into());
        }
        let reasons = outcome.reasons().iter().filter(|reason| is_problem(reason.kind));
        self.problems.extend(reasons.map(|reason| reason.message.clone()));
    }

    /// From the record of `libfuzzer run`, which is written after each target.
    fn take_targets(&mut self, run: &Path) -> Result<(), NightlyError> {
        let path = run.join("libfuzzer.json");
        if !path.exists() {
            if self.is_ended() {
                self.problems.push("it left no result".into());
            }
            return Ok(());
        }
        let record: LibfuzzerRecord<String> = assay_records::read_json(&path)?;
        for name in &record.planned {
            if record.targets.get(name).is_none_or(|row| row.judged == 0 && row.problem.is_none()) {
                self.problems.push(format!("target {name}: no input reached its judge"));
            }
        }
        for (name, row) in record.targets {
            if row.crashes > 0 && row.findings.is_empty() {
                let inputs = plural(row.crashes, "input", "inputs");
                self.problems
                    .push(format!("target {name}: {inputs} ended it, and no finding covers the end"));
            }
            self.problems.extend(row.problem.map(|problem| format!("target {name}: {problem}")));
            // The path in the record is from where that session was started.
            let case = |file: PathBuf| Some(run.join("findings").join(file.file_name()?));
            let seen = |found: FoundInput| SeenSignature {
                case: case(found.file),
                ..SeenSignature::named(found.signature)
            };
            self.seen.extend(row.findings.into_iter().map(seen));
            let fuzzed = LibfuzzerFacts {
                executions: row.executions,
                judged: row.judged,
                rate: row.executions_per_second,
                coverage: row.coverage.after.map(|after| [after.edges, after.features]),
                new_units: row.new_units,
                corpus: row.corpus.inputs as u64,
            };
            self.targets.insert(name, fuzzed);
        }
        let sum = |of: fn(&LibfuzzerFacts) -> u64| self.targets.values().map(of).sum::<u64>();
        let (cases, judged) = (sum(|target| target.executions), sum(|target| target.judged));
        (self.cases, self.wasted) = (Some(cases), Some(cases.saturating_sub(judged)));
        if self.targets.is_empty() {
            self.cases = None;
        }
        let stopped = artifacts(&run.join("artifacts"));
        if stopped > 0 && self.seen.is_empty() {
            let inputs = plural(stopped, "input", "inputs");
            self.problems.push(format!("{inputs} ended a target, and no finding covers the end"));
        }
        Ok(())
    }

    /// From what `vectors check` printed: a case that does not hold is a signature by its name.
    fn take_vectors(&mut self, printed: CheckOutput) {
        let CheckOutput { cases, unsupported, skipped, without_expectation, other_readings, .. } = printed;
        self.cases = Some(cases);
        self.wasted = Some(unsupported + skipped + without_expectation + other_readings);
        if self.judged() == Some(0) {
            self.problems.push("no case was checked".into());
        }
        self.problems.extend(printed.problems);
        let seen = printed.failures.iter().map(|failure| {
            let name = failure.split_once(": ").map_or(failure.as_str(), |(name, _)| name);
            SeenSignature::named(format!("{VECTOR}{name}"))
        });
        self.seen = seen.collect();
        self.passed = printed.passed.into_iter().map(|name| format!("{VECTOR}{name}")).collect();
    }

    /// From what `mutants run` printed: the score by family, and each fault that nothing noticed as a signature.
    fn take_mutants(&mut self, printed: MutationReport) {
        if printed.mutants.is_empty() {
            self.problems.push("no fault was planted".into());
        }
        self.scores = printed.families.into_iter().map(Score::from).collect();
        let survivors: BTreeSet<String> = printed.survivors.into_iter().collect();
        let names = printed.mutants.into_iter().map(|mutant| mutant.name);
        self.passed = names.filter(|name| !survivors.contains(name)).map(|name| survivor(&name)).collect();
        self.seen = survivors.iter().map(|name| SeenSignature::named(survivor(name))).collect();
    }

    /// Number of cases that were judged, if the stage counts cases.
    pub fn judged(&self) -> Option<u64> {
        Some(self.cases?.saturating_sub(self.wasted.unwrap_or(0)))
    }
}

/// The signature of a planted fault that nothing noticed.
fn survivor(name: &str) -> String {
    format!("survivor {name}")
}

/// Whether a result is of a command that a nightly run started, by the record beside it. Where the folder lies does not
/// count, and neither does how it was used before.
fn is_of_command(result: &Path, words: &[String]) -> Result<bool, NightlyError> {
    let record = RunInfo::beside(result)?;
    let recorded = record.command.get(1..).unwrap_or_default();
    Ok(command::without_paths(recorded) == command::without_paths(words))
}

impl From<FamilyScore> for Score {
    fn from(family: FamilyScore) -> Score {
        let FamilyScore { layer, family, faults, killed, within_contract, equivalent, survivors, .. } =
            family;
        Score { layer, family, faults, killed, within_contract, equivalent, survivors }
    }
}

impl FunctionErrors {
    fn of(accuracy: &Accuracy) -> FunctionErrors {
        FunctionErrors {
            inputs: accuracy.inputs,
            max_ulp: accuracy.max_ulp(),
            mean_ulp: accuracy.mean_ulp(),
            correctly_rounded: accuracy.correctly_rounded,
        }
    }
}

/// How many inputs ended a process of a target; those that were slow and no more do not count.
fn artifacts(folder: &Path) -> usize {
    let entries = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_slow = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("slow-unit-"))
    };
    entries(folder).map(|target| entries(&target).filter(|path| !is_slow(path)).count()).sum()
}

/// The findings in a folder, in the order of their files' names.
fn findings(folder: &Path) -> Result<Vec<SeenSignature>, NightlyError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut seen = Vec::new();
    for (path, suite) in assay_vectors::discover(folder)? {
        let findings = suite.cases.iter().filter_map(|case| case.finding.as_ref());
        seen.extend(findings.map(|finding| SeenSignature {
            signature: finding.signature.clone(),
            case: Some(path.clone()),
            cases: finding.cases,
            keys: finding.keys.clone(),
        }));
    }
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;
    use crate::plan::NightPlan;
    use crate::state::NightState;

    #[test]
    fn the_record_of_the_fuzz_targets_is_read_and_its_absence_is_no_error() {
        let root = tempfile::tempdir().expect("a folder");
        let night = Folder::create(root.path()).and_then(|folder| folder.begin()).expect("a night");
        let plan = NightPlan::load(None).expect("a plan");
        let state = NightState::new(&plan, 1, "build".into());
        let pairs = plan.stages.iter().zip(&state.stages);
        let mut targets = pairs.filter(|(plan, _)| plan.kind() == CommandKind::LibFuzzer);
        let (plan, state) = targets.next().expect("the default plan has such a stage");
        let folder = night.stage(&plan.name);
        let read = || StageFacts::read(plan, state, &folder, &[]);
        let empty = read().expect("facts");
        assert_eq!((empty.cases, empty.wasted, empty.targets.len()), (None, None, 0));
        fs::create_dir_all(folder.run()).expect("a folder");
        let row = |executions: u64, findings: &str| {
            format!(
                r#"{{"finished": true, "executions": {executions}, "executions_per_second": 20000.5, "judged": 90,
                "coverage": {{"before": null, "after": {{"edges": 7, "features": 9}}}}, "new_units": 2,
                "corpus": {{"inputs": 5, "bytes": 50, "left_out": 0}}, "crashes": 0, "findings": [{findings}]}}"#
            )
        };
        let finding = r#"{"file": "x/decode-1.json", "signature": "decode | no panic", "replay": "assay"}"#;
        let text = format!(
            r#"{{"version": 1, "assay": "0.1.0", "sanitizer": "none", "subject": "model", "time": 60, "jobs": 2,
                "interrupted": false, "planned": ["decode", "document", "assembler"], "targets": {{"decode": {}, "document": {}}}}}"#,
            row(100, finding),
            row(120, "")
        );
        fs::write(folder.run().join("libfuzzer.json"), text).expect("a record");
        let facts = read().expect("facts");
        assert_eq!((facts.cases, facts.wasted), (Some(220), Some(40)));
        let case = Some(folder.run().join("findings/decode-1.json"));
        assert_eq!(facts.problems, ["target assembler: no input reached its judge"]);
        assert_eq!(facts.seen, [SeenSignature { case, ..SeenSignature::named("decode | no panic".into()) }]);
        assert_eq!(facts.targets["document"].coverage, Some([7, 9]));
        fs::write(folder.run().join("libfuzzer.json"), "{").expect("a record");
        assert!(read().is_err(), "half a record is not nothing");
    }

    /// Facts about a stage that says that it held, with a result of an earlier version if that is wanted.
    fn facts_of(run: &str, printed: &str, words: &str, has_result: bool) -> StageFacts {
        let root = tempfile::tempdir().expect("a folder");
        let night = Folder::create(root.path()).and_then(|folder| folder.begin()).expect("a night");
        let plan = format!(
            "{{version: 1, name: n, subject: model, stages: [{{name: a, run: {run:?}, time: 90s}}]}}"
        );
        let plan = NightPlan::parse(&plan, Path::new("plan.yaml")).expect("a plan");
        let mut state = NightState::new(&plan, 1, "build".into());
        (state.stages[0].at, state.stages[0].last) = (Stage::Held, "the end".into());
        let folder = night.stage("a");
        fs::create_dir_all(folder.run()).expect("a folder");
        fs::write(folder.said(), printed).expect("an output");
        let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/data/old/results/version-2");
        for file in ["result.json", "run.json"].iter().filter(|_| has_result) {
            fs::copy(old.join(file), folder.run().join(file)).expect("a copy");
        }
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        StageFacts::read(&plan.stages[0], &state.stages[0], &folder, &words).expect("facts")
    }

    #[test]
    fn a_stage_has_held_only_with_a_finished_result_of_its_command_and_a_readable_output() {
        const WORDS: &str = "fuzz --subject exec:./device.py --only POPC --cases 4096";
        let printed = |text: &str| {
            format!(
                "its output cannot be read: expected value at line 1 column 1; its first line is `{text}`; its last message is `the end`"
            )
        };
        let empty = "it printed no result; its last message is `the end`";
        let check = r#"{"cases": 0, "held": 0, "unjudged": 0, "failed": 0, "unsupported": 0, "skipped": 0,
            "without_expectation": 0, "other_readings": 0, "failures": [], "skips": [], "left_out": []}"#;
        let undeclared = r#"{"cases": 2, "held": 1, "unjudged": 0, "failed": 0, "unsupported": 1, "undeclared": 1,
            "skipped": 0, "without_expectation": 0, "other_readings": 0, "failures": [], "skips": [], "left_out": [],
            "problems": ["FADD: the device lists it"]}"#;
        for (run, text, words, has_result, problems) in [
            ("isa lint", "{}\n", "", false, &[][..]),
            ("isa lint", "{}\n{}\n", "", false, &[]),
            ("isa lint", "", "", false, &[empty]),
            ("isa lint", "VCS 1.2\n{}\n", "", false, &[printed("VCS 1.2").as_str()]),
            ("dut check exec:x", " \n", "", false, &[empty]),
            ("vectors check", "", "", false, &[empty]),
            ("vectors check", check, "", false, &["no case was checked"]),
            ("vectors check", undeclared, "", false, &["FADD: the device lists it"]),
            ("mutants run", "", "", false, &[empty]),
            ("sweep popc", "", "", false, &["it left no result", empty]),
            ("libfuzzer run", "{}", "", false, &["it left no result"]),
            ("fuzz", "", "", false, &["it left no result", empty]),
            ("fuzz", "", WORDS, true, &[empty]),
            ("fuzz", "banner\n{}", WORDS, true, &[printed("banner").as_str()]),
            ("fuzz", "", &format!("{WORDS} --out elsewhere --resume"), true, &[empty]),
            (
                "fuzz",
                "",
                &format!("{WORDS} --seed 2"),
                true,
                &["its result is that of another command", empty],
            ),
            (
                "fuzz",
                "",
                &WORDS.replace("POPC", "FADD"),
                true,
                &["its result is that of another command", empty],
            ),
        ] {
            let mut facts = facts_of(run, text, words, has_result);
            // The result is of a device that diverged, and its finding is not in the folder. It is older than verdicts.
            let is_of_sample =
                |problem: &str| problem.contains("diverged") || problem.contains("has no verdict");
            facts.problems.retain(|problem| !is_of_sample(problem));
            assert_eq!(facts.problems, problems, "{run} {text:?} {words}");
            let at = if problems.is_empty() { Stage::Held } else { Stage::Failed };
            assert_eq!(facts.at, at, "{run} {text:?}");
        }
    }
}
