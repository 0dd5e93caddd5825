//! Plans, executes, records and triages campaigns and sweeps. Merges shards into one result.

pub mod baseline;
pub mod functions;
pub mod fuzz;
pub mod merge;
pub mod sweep;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use assay_engine::run::{CampaignError, RunHooks, RunOutcome, RunProgress};
use assay_engine::stats::baseline::{Baseline, Comparison};
use assay_engine::stats::tally::Tally;
use assay_engine::triage::batches::RedrawnBatches;
use assay_records::checkpoint::{CheckpointError, Checkpoints, Keeper};
use assay_records::progress::{RecordedRun, Share};
use assay_records::{Plan, RunDemands, RunResult, Shard};

use crate::build;
use crate::context::{Context, RunSetup};
use crate::error::RunError;
use crate::findings::{self, RunFindings};
use crate::folder::{self, CHECKPOINT, Folder, KeepOptions};
use crate::shares;
use crate::subjects::SubjectName;

/// The options that campaigns and sweeps share.
#[derive(Clone, Debug)]
pub struct CommonRequest {
    /// The subject under test.
    pub subject: SubjectName,
    /// The subject in the oracle's place, if any.
    pub against: Option<SubjectName>,
    /// The share of the cases that this run executes.
    pub shard: Shard,
    /// An earlier result whose errors must not be exceeded.
    pub baseline: Option<PathBuf>,
    /// The demands on the run besides those of its profile. The errors in the file `baseline`
    /// replace the baseline in this field.
    pub demands: RunDemands,
    /// Number of divergences after which the run ends early. It ends with the epoch in which this
    /// number is reached.
    pub stop_after: Option<u64>,
    /// How the run keeps its progress.
    pub keeping: KeepOptions,
}

/// A run that ended.
pub struct FinishedRun {
    /// The result with its verdict. A result of an interrupted run if the run ended early.
    pub outcome: RunResult,
    /// The comparison of the errors with those of the baseline, if there is a baseline.
    pub compared: Option<Comparison>,
    /// The bugs that the run found.
    pub found: RunFindings,
    /// The files of the bugs.
    pub paths: Vec<PathBuf>,
    /// Why some files of the run could not be written, such as a full disk. The other fields are
    /// complete nevertheless.
    pub unwritten: Option<RunError>,
    /// Number of cases executed in `seconds`. Cases from before a resumption are not included.
    pub executed: u64,
    /// Duration of this session in seconds.
    pub seconds: f64,
    /// The folder of the run.
    pub folder: Folder,
    /// Number of failures of the subject, if the subject is a device.
    pub failures: Option<u32>,
    /// Why the subject was declared dead. `None` if it was not.
    pub gone: Option<String>,
    /// Whether the user or `--stop-after` ended the run.
    pub interrupted: bool,
    /// Whether the run ended early because of the number of divergences.
    pub stopped_early: bool,
}

impl CommonRequest {
    /// Reads the baseline and checks the demands. Returns the demands with the baseline.
    fn demands(&self, context: &Context, plan: &Plan) -> Result<RunDemands, RunError> {
        shares::check(&self.demands, plan.setting())?;
        let earlier = baseline::read(self.baseline.as_deref(), context)?;
        let baseline = earlier.map(|earlier| Baseline::of(&earlier.tally));
        Ok(RunDemands { baseline, ..self.demands.clone() })
    }

    fn setup<'a>(&'a self, context: &'a Context) -> RunSetup<'a> {
        context.setup(&self.subject, self.against.as_ref())
    }

    /// Returns the subject, and the reference if there is one.
    fn subjects(&self) -> impl Iterator<Item = &SubjectName> {
        [Some(&self.subject), self.against.as_ref()].into_iter().flatten()
    }

    /// Executes a run. Shows its progress and saves it in checkpoints. Returns the run and its
    /// duration in seconds.
    fn execute(
        &self,
        context: &Context,
        folder: &Folder,
        (what, total): (&str, Option<u64>),
        open: impl FnOnce(Option<Checkpoints<'_>>) -> Result<(Keeper<'_, Share>, RunProgress), CheckpointError>,
        run: impl FnOnce(RunProgress, RunHooks<'_>) -> Result<RunOutcome, CampaignError>,
    ) -> Result<(RecordedRun, f64), RunError> {
        let started = Instant::now();
        let mut progress = context.reporter.begin(what, total);
        let mut show = |tally: &Tally| progress.at(tally.cases, tally.verdicts.diverged);
        let is_enough = |tally: &Tally| self.is_enough(tally);
        let (checkpoint, build) = (folder.join(CHECKPOINT), build::identity()?);
        let say = |text: &str| context.reporter.say(text);
        let checkpoints = Some(self.keeping.checkpoints(&checkpoint, &build, &say));
        let (mut keeper, mut from) = open(checkpoints)?;
        let failures: u64 = self.subjects().filter_map(SubjectName::failures).map(u64::from).sum();
        if failures > 0 {
            let known = &mut from.tally.failures;
            *known.entry("device failed before the first case".to_owned()).or_default() += failures;
        }
        let stop = context.reporter.stop_flag();
        let hooks = RunHooks { stop, is_enough: &is_enough, progress: &mut show, keeper: Some(&mut keeper) };
        let done = run(from, hooks);
        drop(progress);
        Ok((keeper.end(done?), started.elapsed().as_secs_f64()))
    }

    /// Whether a run has enough divergences to end early.
    fn is_enough(&self, tally: &Tally) -> bool {
        self.stop_after.is_some_and(|most| tally.verdicts.diverged >= most)
    }

    /// Computes the verdict of a run. Writes the counts, then the bugs, and then calls `besides`,
    /// which writes further files.
    fn finish(
        &self,
        context: &Context,
        setup: &RunSetup<'_>,
        StartedRun { folder, demands, impossible }: StartedRun,
        (done, seconds): (RecordedRun, f64),
        batches: RedrawnBatches<'_>,
        besides: impl FnOnce(&Path, &RunResult) -> Result<(), RunError>,
    ) -> Result<FinishedRun, RunError> {
        let RecordedRun { mut outcome, builds, resumed, interrupted, gone } = done;
        outcome.tally.keep_unseen_failures();
        let stopped_early = interrupted && self.is_enough(&outcome.tally);
        let stopped = stopped_early.then_some("the run was stopped early by --stop-after");
        let baseline = demands.baseline.clone();
        let outcome = outcome.judge(demands, impossible, gone.as_deref().or(stopped))?;
        let mut unwritten = folder::record(&folder, &outcome, seconds, &builds, context.reporter).err();
        // From now on findings are shrunk.
        self.subjects().for_each(SubjectName::begin_triage);
        let found = findings::triage(&outcome, &setup.compared(), setup.oracles(), batches)
            .map_err(|error| folder::kept(&folder, error))?;
        let write = || -> Result<(), RunError> {
            findings::write(&folder, &found.bugs, context)?;
            found.otherwise.iter().try_for_each(|settings| folder::record_otherwise(&folder, settings))?;
            besides(&folder, &outcome)
        };
        // The findings are written even if the result was not: they are small and may still fit on
        // the disk.
        let written = write();
        unwritten = unwritten.or(written.err());
        if unwritten.is_none() {
            unwritten = folder::close(&folder, &outcome).err();
        }
        let unwritten = unwritten.map(|error| folder::kept(&folder, error));
        let paths = findings::paths(&folder, &found.bugs);
        Ok(FinishedRun {
            compared: baseline.map(|baseline| baseline.compare(&outcome.tally)),
            found,
            paths,
            unwritten,
            executed: outcome.tally.cases - resumed,
            seconds,
            failures: self.subject.failures(),
            gone,
            stopped_early,
            interrupted,
            outcome,
            folder,
        })
    }
}

/// A run whose folder is prepared.
struct StartedRun {
    folder: Folder,
    demands: RunDemands,
    /// Coverage bins that were hit although they are listed as unreachable.
    impossible: BTreeSet<String>,
}
