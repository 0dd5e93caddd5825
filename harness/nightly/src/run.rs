//! Runs the stages of a plan, each as a process, and replays cases of the known-issues list.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_isa::shown::quoted;
use assay_records::RunResult;
use assay_records::run_info::{RECORD, RESULT};
use serde::Deserialize;

use crate::NightlyError;
use crate::child::{self, GRACE, StageExit, Watch};
use crate::command::{command, is_unfinished};
use crate::folder::{Folder, NightFolder};
use crate::known_issues::{Replayed, is_no_wrong_value};
use crate::plan::{CommandKind, NightPlan, StagePlan};
use crate::printed;
use crate::state::{NightState, Stage};

/// Time between two saves of the state while a stage runs.
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// Minimum time of a resumed stage: enough to shut down cleanly when its budget is used up.
const LEAST: Duration = Duration::from_secs(5);
/// Time for shrinking findings after the budget of a stage is used up.
const TRIAGE: Duration = Duration::from_secs(600);
/// Time for replaying a case once.
pub(crate) const REPLAY_TIME: Duration = Duration::from_secs(120);
/// Number of replays of a case, to detect cases that diverge only sometimes.
const REPLAYS: usize = 3;

/// A nightly run in execution.
pub struct Night<'a> {
    /// The folder of all nightly runs.
    pub folder: &'a Folder,
    /// The folder of this run.
    pub night: &'a NightFolder,
    /// The plan.
    pub plan: &'a NightPlan,
    /// Returns the path of the program with the given command: `assay` or `assay-lab`.
    pub program: &'a dyn Fn(&[String]) -> PathBuf,
    /// Set by another thread to end the run and keep its results.
    pub stop: &'a AtomicBool,
    /// Called periodically with the state of the run and the index of the running stage.
    pub look: &'a mut dyn FnMut(&NightState, usize),
}

impl Night<'_> {
    /// Runs the stages that have not ended. Returns `false` if the run was asked to stop.
    pub fn stages(&mut self, state: &mut NightState) -> Result<bool, NightlyError> {
        for (place, stage) in self.plan.stages.iter().enumerate() {
            if state.stages[place].at.is_over() {
                continue;
            }
            state.note_changed_files(self.plan);
            if self.stop.load(Ordering::Relaxed) || !self.stage(place, stage, state)? {
                return Ok(false);
            }
        }
        state.note_changed_files(self.plan);
        Ok(true)
    }

    /// Returns the process for a command, not yet started. The plan sets its number of threads.
    pub(crate) fn start(&self, words: &[String]) -> Command {
        let mut command = Command::new((self.program)(words));
        command.args(words).envs(self.plan.jobs.map(|jobs| ("RAYON_NUM_THREADS", jobs.to_string())));
        command
    }

    /// Returns the words of the command of a stage, with the options that the run adds.
    pub(crate) fn words(&self, stage: &StagePlan, seed: u64) -> Vec<String> {
        command(self.plan, stage, &self.night.stage(&stage.name).run(), seed)
    }

    /// Runs or continues a stage. Returns `false` if the run was asked to stop.
    fn stage(
        &mut self,
        place: usize,
        stage: &StagePlan,
        state: &mut NightState,
    ) -> Result<bool, NightlyError> {
        let folder = self.night.stage(&stage.name);
        folder.create()?;
        state.stages[place].at = Stage::Running;
        state.write(self.night)?;
        if let Some(at) = whole(stage.kind(), &folder.run())? {
            state.stages[place].at = at;
            state.write(self.night)?;
            return Ok(true);
        }
        let words = self.words(stage, state.seed);
        let spent = Duration::from_secs_f64(state.stages[place].seconds);
        let (began, mut saved) = (Instant::now(), Instant::now());
        let mut command = self.start(&words);
        let (night, look) = (self.night, &mut *self.look);
        let mut watch = |last: &str| {
            let now = &mut state.stages[place];
            now.seconds = (spent + began.elapsed()).as_secs_f64();
            last.clone_into(&mut now.last);
            look(state, place);
            if saved.elapsed() >= SAVE_EVERY {
                // An error here is ignored, because a later save can succeed. An error at the end
                // of the stage is reported.
                let _ = state.write(night);
                saved = Instant::now();
            }
        };
        let least = if spent.is_zero() { Duration::ZERO } else { LEAST };
        let time = stage.time.0.saturating_sub(spent).max(least);
        let grace = match stage.kind() {
            CommandKind::Fuzz | CommandKind::Sweep => TRIAGE,
            CommandKind::Vectors | CommandKind::Mutants | CommandKind::Check => GRACE,
        };
        let watch = Watch { stop: self.stop, time, grace, look: &mut watch };
        let end = child::run(&mut command, &folder.said(), &folder.log(), watch)?;
        let now = &mut state.stages[place];
        now.seconds = (spent + began.elapsed()).as_secs_f64();
        now.at = match end {
            StageExit::Stopped => Stage::Running,
            StageExit::Status(0) => Stage::Held,
            StageExit::Status(1) => Stage::Failed,
            StageExit::OutOfTime => Stage::OutOfTime,
            StageExit::Status(status) => Stage::Broke(format!("it ended with status {status}: {}", now.last)),
            StageExit::Signal(signal) => Stage::Broke(format!("signal {signal} ended it: {}", now.last)),
        };
        state.write(self.night)?;
        Ok(end != StageExit::Stopped)
    }

    /// Replays a case several times on the subject of the plan. `None` if the run was asked to
    /// stop.
    pub fn replay(&self, case: &Path) -> Result<Option<Replayed>, NightlyError> {
        let folder = self.night.stage("replays");
        folder.create()?;
        let unknown = |why: String| Ok(Some(Replayed::Unknown(why)));
        let root = self.folder.path();
        let case = match assay_vectors::within(root, case.strip_prefix(root).unwrap_or(case), root) {
            Ok(case) => case,
            Err(error) => return unknown(format!("its case is not replayed: {error}")),
        };
        let path = case.display().to_string();
        // Earlier versions kept inputs of libFuzzer targets as cases.
        if case.extension().is_some_and(|extension| extension == "json") {
            return unknown(
                "its case is an input of a libFuzzer target; forget it with `known-issues forget`".into(),
            );
        }
        let command = self.replay_command(&case, path);
        let (mut diverged, mut other_kind) = (0, None);
        for _ in 0..REPLAYS {
            let mut last = String::new();
            let mut look = |line: &str| line.clone_into(&mut last);
            let watch = Watch { stop: self.stop, time: REPLAY_TIME, grace: GRACE, look: &mut look };
            let end = child::run(&mut self.start(&command), &folder.said(), &folder.log(), watch)?;
            if let StageExit::Status(0 | 1) = end {
                match executed(&folder.said()) {
                    Ok(kind) => other_kind = kind.or(other_kind),
                    Err(why) => return unknown(why),
                }
            }
            match end {
                StageExit::Status(0) => {}
                StageExit::Status(1) => diverged += 1,
                StageExit::Status(status) => {
                    return unknown(format!("its replay ended with status {status}: {last}"));
                }
                StageExit::Signal(signal) => return unknown(format!("signal {signal} ended its replay")),
                StageExit::OutOfTime => return unknown("its replay took too long".into()),
                StageExit::Stopped => return Ok(None),
            }
        }
        Ok(Some(match (diverged, other_kind) {
            (0, _) => Replayed::Held,
            (_, Some(kind)) => Replayed::DivergedElse(kind),
            (REPLAYS, None) => Replayed::Diverged,
            (_, None) => Replayed::Mixed,
        }))
    }

    /// Returns the command that replays a case on the subject of the plan. A subject, reference or
    /// profile that the case names is used only if the plan names it too. So a case alone cannot
    /// start a program.
    fn replay_command(&self, case: &Path, path: String) -> Vec<String> {
        // If the case cannot be read, the replay command reports that.
        let suite = assay_vectors::read_suite(case).ok();
        let mut of_case =
            suite.iter().flat_map(|suite| &suite.cases).filter_map(|case| case.finding.as_ref());
        let own = of_case.next().and_then(|finding| self.plan.own_subject(&finding.subject));
        let subject = own.as_ref().unwrap_or(&self.plan.subject);
        let mut words = ["replay", "--format", "json", "--subject", subject].map(str::to_owned).to_vec();
        if let Some(suite) = &suite {
            let findings = suite.cases.iter().filter_map(|case| case.finding.as_ref());
            let mut opponents = findings.map(|finding| finding.oracle.as_str());
            let named = [("--against", opponents.next()), ("--profile", suite.profile.as_deref())];
            for (option, name) in named {
                if let Some(value) = name.and_then(|name| self.plan.named(option, name)) {
                    words.extend([option.to_owned(), value]);
                }
            }
        }
        words.push(path);
        words
    }
}

/// The part of the output of `replay` that a nightly run needs.
#[derive(Deserialize)]
struct PrintedReplay {
    cases: Vec<PrintedCase>,
}

/// A case in the output of `replay`.
#[derive(Deserialize)]
struct PrintedCase {
    #[serde(default)]
    declined_by: Option<String>,
    #[serde(default)]
    verdict: Option<String>,
    #[serde(default)]
    found: Option<PrintedFinding>,
}

/// The finding of a case in the output of `replay`.
#[derive(Deserialize)]
struct PrintedFinding {
    verdict: String,
}

impl PrintedCase {
    /// Returns how the case failed, if it is another kind of failure than when it was found.
    fn other_kind(&self) -> Option<String> {
        let [now, found] = [self.verdict.as_deref(), self.found.as_ref().map(|found| found.verdict.as_str())];
        let [now, found] = [now, found].map(|verdict| verdict?.strip_prefix("diverged: "));
        let now = now?;
        (kind_of_failure(now) != kind_of_failure(found?)).then(|| now.to_owned())
    }
}

/// Maps a kind of error to a kind of failure. All kinds of wrong values map to one kind, because a
/// shrunk case and its neighbours can have different wrong values.
fn kind_of_failure(error: &str) -> &str {
    if is_no_wrong_value(error) { error } else { "wrong value" }
}

/// Checks that a replay executed its case. A replay that executed nothing does not show that a bug
/// is fixed. Returns how the case failed, if it is another kind of failure than when it was found.
fn executed(said: &Path) -> Result<Option<String>, String> {
    let failed = |problem: String| format!("its replay failed: {problem}");
    let PrintedReplay { cases } = printed::read(said).map_err(failed)?;
    if cases.is_empty() {
        return Err("its file has no case".into());
    }
    match cases.iter().find_map(|case| case.declined_by.as_ref()) {
        Some(implementation) => Err(format!("{} does not support its case", quoted(implementation))),
        None => Ok(cases.iter().find_map(PrintedCase::other_kind)),
    }
}

/// Returns the state of a campaign or a sweep whose end the nightly run could not store, for
/// example because the disk was full. A finished run has all its files and no checkpoint. Starting
/// it anew would lose its findings.
fn whole(kind: CommandKind, run: &Path) -> Result<Option<Stage>, NightlyError> {
    let path = run.join(RESULT);
    let is_run = matches!(kind, CommandKind::Fuzz | CommandKind::Sweep);
    if !is_run || is_unfinished(run) || !path.exists() || !run.join(RECORD).exists() {
        return Ok(None);
    }
    let is_held = RunResult::read(&path)?.verdict_word().is_held();
    Ok(Some(if is_held { Stage::Held } else { Stage::Failed }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_another_failure_than_a_wrong_value() {
        for (found, now, other) in [
            ("diverged: value", "diverged: value", None),
            ("diverged: value", "diverged: one unit off", None),
            ("diverged: value", "diverged: device crashed", Some("device crashed")),
            ("diverged: device hung", "diverged: device crashed", Some("device crashed")),
            ("diverged: device hung", "diverged: nan", Some("nan")),
            ("diverged: value", "diverged: not written", Some("not written")),
            ("diverged: value", "diverged: declined", Some("declined")),
            ("diverged: value", "exact", None),
            ("diverged; no condition holds", "diverged: device hung", None),
        ] {
            let found = Some(PrintedFinding { verdict: found.to_owned() });
            let case = PrintedCase { declined_by: None, verdict: Some(now.to_owned()), found };
            assert_eq!(case.other_kind().as_deref(), other, "{now}");
        }
    }
}
