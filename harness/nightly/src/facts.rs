//! The facts about a stage, read from its files: cases, coverage, accuracy, and the signatures of its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use assay_engine::stats::accuracy::Accuracy;
use assay_isa::shown::{plural, quoted};
use assay_records::commands::campaign::{FuzzOutput, SweepOutput};
use assay_records::commands::mutants::{FamilyScore, MutationReport};
use assay_records::commands::vectors::CheckOutput;
use assay_records::devices::Devices;
use assay_records::run_info::{RESULT, RunInfo};
use assay_records::verdict::{ReasonKind, VerdictWord};
use assay_records::{Plan, RunResult};
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::NightlyError;
use crate::command;
use crate::executed::StageModes;
use crate::folder::StageFolder;
use crate::known_issues::ways;
use crate::modes::{ModesByForm, lacking_text};
use crate::plan::{CommandKind, StagePlan};
use crate::printed;
pub(crate) use device_checks::wrong_results;

use crate::seen_signature::drawn;
pub use crate::seen_signature::{CasesByHash, SeenSignature};
use crate::setting::StageSetting;
use crate::state::{Stage, StageState};
use crate::words;

/// File name of the result of a campaign or a sweep that did not finish.
const INTERRUPTED: &str = "interrupted.json";

/// Prefix of the signature of a failing vector. A signature without a case, without this prefix and
/// without the prefix [`CHECK`] names a surviving fault.
pub(crate) const VECTOR: &str = "vector ";

/// Prefix of the signature of a failing check of a device.
pub(crate) const CHECK: &str = "dut check: ";

/// The facts about a stage of a nightly run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageFacts {
    /// Name of the stage.
    pub name: String,
    /// Command of the stage in the plan.
    pub command: String,
    /// The command with the options that the run added, except for those of its files. Empty if an
    /// older version wrote the report.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub started: String,
    /// The final state of the stage.
    pub at: Stage,
    /// Time used in seconds.
    pub seconds: f64,
    /// Number of cases.
    pub cases: Option<u64>,
    /// Number of cases that were not judged. Their result is undefined, no bound covers it, or the
    /// subject or the oracle does not support the instruction. For vectors, also skipped cases and
    /// cases without an applicable expectation.
    pub wasted: Option<u64>,
    /// Coverage of a campaign.
    pub coverage: Option<Covered>,
    /// The errors of each swept function.
    pub functions: BTreeMap<String, FunctionErrors>,
    /// Data about libFuzzer targets from earlier versions. This field is read but not used.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub targets: IgnoredAny,
    /// The scores of planted faults, by family.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Score>,
    /// The signatures that the stage found.
    pub seen: Vec<SeenSignature>,
    /// Number of divergences that no finding covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unexamined: Option<u64>,
    /// The subject and profile of the stage, and its allowances. Absent if the stage tested the
    /// subject of the plan against the oracle, under profile `intended` and with nothing allowed.
    #[serde(default, skip_serializing_if = "StageSetting::is_default")]
    pub setting: StageSetting,
    /// Further problems, one sentence each. They fail the stage even if it has no findings.
    pub problems: Vec<String>,
    /// The signatures of the vectors, device checks and planted faults that passed. They are not
    /// part of the report.
    #[serde(skip)]
    pub passed: BTreeSet<String>,
    /// The modes that a campaign or a sweep executed, if they are known. They are not part of the report.
    #[serde(skip)]
    pub executed: Option<ModesByForm>,
    /// The numbers of executed cases of a campaign by optype. They are not part of the report.
    #[serde(skip)]
    pub drawn: BTreeMap<String, u64>,
    /// The optypes of the functions that a sweep began. They are not part of the report.
    #[serde(skip)]
    pub swept: BTreeSet<String>,
    /// The devices of a campaign or a sweep. They are not part of the report.
    #[serde(skip)]
    pub devices: Option<Devices>,
}

/// The facts about a stage that are known before its files are read.
#[derive(Clone, Copy)]
pub(crate) struct StageRequest<'a> {
    /// The stage in the plan.
    pub plan: &'a StagePlan,
    /// The subject of the plan.
    pub subject: &'a str,
    /// The profile of the plan.
    pub profile: &'a str,
    /// The command that the nightly run started.
    pub words: &'a [String],
    /// The modes that the stage can draw from, if they were listed.
    pub listed: Option<&'a ModesByForm>,
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
    /// Number of faults that only the bit-by-bit comparison with the sound model caught.
    pub within_contract: u64,
    /// Number of faults that were not caught and have a proof that they are equivalent to the sound
    /// model.
    pub equivalent: u64,
    /// Number of the other faults: not caught, or caught although they have a proof that they are
    /// equivalent.
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

impl StageFacts {
    /// Returns the subject of the stage: its own, or else `of_plan`, the subject of the plan.
    pub fn subject<'a>(&'a self, of_plan: &'a str) -> &'a str {
        self.setting.subject.as_deref().unwrap_or(of_plan)
    }

    /// Returns the seed in the command of the stage.
    pub fn own_seed(&self) -> Option<String> {
        let command = shell_words::split(&self.command).unwrap_or_default();
        words::values(&command, "--seed").pop()
    }

    /// Whether the stage is a sweep, whose inputs do not depend on the seed of the run.
    pub fn is_sweep(&self) -> bool {
        self.command.split_whitespace().next() == Some("sweep")
    }

    /// Returns the number of cases per second. `None` if the stage counts no cases or took no time.
    pub fn rate(&self) -> Option<f64> {
        self.cases.filter(|_| self.seconds > 0.0).map(|cases| cases as f64 / self.seconds)
    }

    /// Returns the facts about a stage without files.
    pub(crate) fn empty(request: StageRequest<'_>, state: &StageState) -> StageFacts {
        let plan = request.plan;
        StageFacts {
            name: plan.name.clone(),
            command: plan.run.clone(),
            started: command::shown(request.words),
            at: state.at.clone(),
            seconds: state.seconds,
            cases: None,
            wasted: None,
            coverage: None,
            functions: BTreeMap::new(),
            targets: IgnoredAny,
            scores: Vec::new(),
            seen: Vec::new(),
            unexamined: None,
            setting: StageSetting::of_options(plan, request.subject, request.profile),
            problems: Vec::new(),
            passed: BTreeSet::new(),
            executed: None,
            drawn: BTreeMap::new(),
            swept: BTreeSet::new(),
            devices: None,
        }
    }

    /// Reads the facts about a stage from its files.
    ///
    /// A stage that ended by itself must have a finished result of its own command, and readable
    /// output. Otherwise the stage has a problem, whatever its exit status.
    pub(crate) fn read(
        request: StageRequest<'_>,
        state: &StageState,
        folder: &StageFolder,
    ) -> Result<StageFacts, NightlyError> {
        let mut facts = StageFacts::empty(request, state);
        match request.plan.kind() {
            CommandKind::Fuzz => {
                // The verdict is in the result. Unreadable output is a problem nevertheless.
                facts.take_run(&folder.run(), request)?;
                facts.printed(state, printed::read::<FuzzOutput>(&folder.said()));
            }
            CommandKind::Sweep => {
                facts.take_run(&folder.run(), request)?;
                facts.printed(state, printed::read::<SweepOutput>(&folder.said()));
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
                facts.take_checks(printed::device_checks(&folder.said()), request.subject);
            }
        }
        if facts.at == Stage::Failed
            && facts.seen.is_empty()
            && facts.problems.is_empty()
            && !state.last.is_empty()
        {
            facts.problems.push(format!("it failed; its last message is `{}`", quoted(&state.last)));
        }
        if facts.at == Stage::Held && !facts.problems.is_empty() {
            facts.at = Stage::Failed;
        }
        Ok(facts)
    }

    /// Returns whether the stage ended by itself, with exit status 0 or 1: its checks passed or
    /// failed.
    fn is_ended(&self) -> bool {
        matches!(self.at, Stage::Held | Stage::Failed)
    }

    /// Returns the output of the command. Without readable output, a stage that ended by itself has
    /// a problem, which quotes the last message of the stage.
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

    /// Reads the folder of a campaign or a sweep, complete or interrupted. The errors of functions
    /// are taken from sweeps only, because the errors of a campaign depend on its seed.
    fn take_run(&mut self, run: &Path, request: StageRequest<'_>) -> Result<(), NightlyError> {
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
        if file.ends_with(RESULT) && !is_of_command(&file, request.words)? {
            self.problems.push("its result is that of another command".into());
        }
        let is_sweep = matches!(outcome.plan, Plan::Sweep { .. });
        let tally = &outcome.tally;
        let verdicts = tally.verdicts;
        self.cases = Some(tally.cases);
        self.wasted = Some(verdicts.undefined + verdicts.unjudged + verdicts.not_executed());
        self.coverage = outcome.bins.as_ref().map(|layout| {
            let (hit, bins) = (layout.hit(&tally.coverage), layout.reachable());
            Covered { hit: hit as u64, bins: bins as u64 }
        });
        let measured = tally.accuracy.iter().filter(|(_, accuracy)| is_sweep && accuracy.measured > 0);
        self.functions =
            measured.map(|(name, accuracy)| (name.clone(), FunctionErrors::of(accuracy))).collect();
        self.seen = findings(&run.join("findings"))?;
        self.seen.iter_mut().for_each(|seen| seen.take_hashes(&outcome));
        if is_sweep {
            let optypes = tally.functions.keys().filter_map(|name| name.split('.').next());
            self.swept = optypes.map(str::to_owned).collect();
        } else {
            self.seen.iter_mut().for_each(|seen| seen.take_rate(&outcome));
            self.drawn = drawn(tally);
        }
        if file.ends_with(INTERRUPTED) && self.at == Stage::Failed {
            let cases = plural(tally.cases, "case", "cases");
            self.problems.push(format!("it ended after {cases}, before its end"));
        }
        let diverged = verdicts.diverged;
        let counted = self.seen.iter().map(|seen| seen.cases).sum::<Option<u64>>();
        self.unexamined = counted.map(|counted| diverged.saturating_sub(counted)).filter(|open| *open > 0);
        if diverged > 0 && self.seen.is_empty() {
            let cases = plural(diverged, "case", "cases");
            self.problems.push(format!("{cases} diverged, and no finding covers the divergence"));
        }
        self.take_verdict(&outcome);
        self.devices = Some(outcome.plan.setting().devices.clone());
        self.setting.take(outcome.plan.setting(), outcome.verdict.as_ref().map(|verdict| &verdict.demands));
        request.listed.into_iter().for_each(|listed| self.take_modes(&outcome, listed));
        Ok(())
    }

    /// Takes the modes that the stage executed. The stage has a problem if its device had declared
    /// more modes when the run listed them.
    fn take_modes(&mut self, outcome: &RunResult, listed: &ModesByForm) {
        match StageModes::of(outcome, listed) {
            Err(problem) => self.problems.push(problem),
            Ok(modes) => {
                if !modes.lacking.is_empty() {
                    let lacking = lacking_text(&modes.lacking);
                    self.problems.push(format!(
                        "the subject supported fewer modes than when this run listed them: {lacking} is missing"
                    ));
                }
                self.executed = Some(modes.executed);
            }
        }
    }

    /// Takes the reasons of the stored verdict as problems. Leaves out divergences, which are
    /// findings, and an early end, which the policy judges.
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

    /// Takes the output of `vectors check`. Each failed case becomes a signature with the name of
    /// the case.
    fn take_vectors(&mut self, printed: CheckOutput) {
        let CheckOutput { cases, unsupported, missing, skipped, without_expectation, other_readings, .. } =
            printed;
        self.cases = Some(cases);
        self.wasted = Some(unsupported + missing + skipped + without_expectation + other_readings);
        if self.judged() == Some(0) {
            self.problems.push("no case was checked".into());
        }
        self.problems.extend(printed.problems);
        let seen = printed.failures.iter().map(|failure| {
            let (name, detail) = failure.split_once(": ").unwrap_or((failure, ""));
            let signature = format!("{VECTOR}{name}");
            let ways = one_way(&signature, detail);
            let detail = Some(quoted(detail)).filter(|detail| !detail.is_empty());
            SeenSignature { detail, ways, ..SeenSignature::named(signature) }
        });
        self.seen = seen.collect();
        self.passed = printed.passed.into_iter().map(|name| format!("{VECTOR}{name}")).collect();
    }

    /// Takes the scores by family from the output of `mutants run`. Each surviving mutant becomes a
    /// signature, and each other mutant counts as passed.
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

    /// Returns the number of judged cases. `None` if the stage counts no cases.
    pub fn judged(&self) -> Option<u64> {
        Some(self.cases?.saturating_sub(self.wasted.unwrap_or(0)))
    }
}

/// Returns the single way of a failure that does not depend on chance.
fn one_way(signature: &str, detail: &str) -> BTreeMap<String, Option<u64>> {
    let detail = detail.replace(" | ", ", ").replace("; ", ", ");
    BTreeMap::from([(format!("{signature}: {detail}"), None)])
}

/// Returns the signature of a surviving planted fault.
fn survivor(name: &str) -> String {
    format!("survivor {name}")
}

/// Returns whether a command produced a result, according to the `run.json` beside the result.
/// `--out`, `--resume` and `--overwrite` may differ.
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

/// Returns the findings in a folder, ordered by file name.
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
            conditions: finding.conditions.clone(),
            found: finding.found.clone(),
            ways: finding.keys.iter().flat_map(|key| ways(key)).map(|way| (way, None)).collect(),
            ..SeenSignature::named(String::new())
        }));
    }
    Ok(seen)
}

mod device_checks;
#[cfg(test)]
mod tests;
