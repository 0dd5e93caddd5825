//! Campaigns and sweeps: planned, executed, written to a folder, triaged; and shards merged to one result.

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

/// What campaigns and sweeps have in common.
#[derive(Clone, Debug)]
pub struct CommonRequest {
    /// The subject under test.
    pub subject: SubjectName,
    /// The subject in the oracle's place, if any.
    pub against: Option<SubjectName>,
    /// The share of the cases.
    pub shard: Shard,
    /// An earlier result whose errors must not be exceeded.
    pub baseline: Option<PathBuf>,
    /// What the run must satisfy beside its profile. Its baseline is read from the file.
    pub demands: RunDemands,
    /// Number of divergences after which the run ends early, with the epoch in which it is reached.
    pub stop_after: Option<u64>,
    /// How its progress is kept.
    pub keeping: KeepOptions,
}

/// A run that ended.
pub struct FinishedRun {
    /// Its result with its verdict, or what there is of it.
    pub outcome: RunResult,
    /// The comparison of its errors with those of the baseline, if there is one.
    pub compared: Option<Comparison>,
    /// Its bugs.
    pub found: RunFindings,
    /// The files of the bugs.
    pub paths: Vec<PathBuf>,
    /// Why not all files of the run are written, such as a full disk. The other fields are whole all the same.
    pub unwritten: Option<RunError>,
    /// Cases of this session, which its time is about: a run may have been resumed.
    pub executed: u64,
    /// How long it took.
    pub seconds: f64,
    /// The folder.
    pub folder: Folder,
    /// How often the subject failed, if it is a device.
    pub failures: Option<u32>,
    /// Why the subject was declared dead, if it was.
    pub gone: Option<String>,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// Whether it ended early because of the number of divergences.
    pub stopped_early: bool,
}

impl CommonRequest {
    /// Reads the baseline, and checks the demands on a run of a plan.
    fn demands(&self, context: &Context, plan: &Plan) -> Result<RunDemands, RunError> {
        shares::check(&self.demands, plan.setting())?;
        let earlier = baseline::read(self.baseline.as_deref(), context)?;
        let baseline = earlier.map(|earlier| Baseline::of(&earlier.tally));
        Ok(RunDemands { baseline, ..self.demands.clone() })
    }

    fn setup<'a>(&'a self, context: &'a Context) -> RunSetup<'a> {
        context.setup(&self.subject, self.against.as_ref())
    }

    /// Executes with progress shown and kept.
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
        let (mut keeper, from) = open(checkpoints)?;
        let stop = context.reporter.stop_flag();
        let hooks = RunHooks { stop, is_enough: &is_enough, progress: &mut show, keeper: Some(&mut keeper) };
        let done = run(from, hooks);
        drop(progress);
        Ok((keeper.end(done?), started.elapsed().as_secs_f64()))
    }

    /// Whether a run has found as many divergences as it looks for.
    fn is_enough(&self, tally: &Tally) -> bool {
        self.stop_after.is_some_and(|most| tally.verdicts.diverged >= most)
    }

    /// Computes the verdict of a run. Writes its counts, then its bugs, then the files of `besides`.
    fn finish(
        &self,
        context: &Context,
        setup: &RunSetup<'_>,
        StartedRun { folder, demands, impossible }: StartedRun,
        (done, seconds): (RecordedRun, f64),
        batches: RedrawnBatches<'_>,
        besides: impl FnOnce(&Path, &RunResult) -> Result<(), RunError>,
    ) -> Result<FinishedRun, RunError> {
        let RecordedRun { outcome, builds, resumed, interrupted, gone } = done;
        let stopped_early = interrupted && self.is_enough(&outcome.tally);
        let stopped = stopped_early.then_some("the run was stopped early by --stop-after");
        let baseline = demands.baseline.clone();
        let outcome = outcome.judge(demands, impossible, gone.as_deref().or(stopped))?;
        let mut unwritten = folder::record(&folder, &outcome, seconds, &builds, context.reporter).err();
        // From now on findings are shrunk.
        [Some(&self.subject), self.against.as_ref()]
            .into_iter()
            .flatten()
            .for_each(SubjectName::begin_triage);
        let found = findings::triage(&outcome, &setup.compared(), setup.oracles(), batches)
            .map_err(|error| folder::kept(&folder, error))?;
        let write = || -> Result<(), RunError> {
            findings::write(&folder, &found.bugs, context)?;
            found.otherwise.iter().try_for_each(|settings| folder::record_otherwise(&folder, settings))?;
            besides(&folder, &outcome)
        };
        // Findings are small: they can have room where the result had none.
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

/// A run that has its folder.
struct StartedRun {
    folder: Folder,
    demands: RunDemands,
    /// Unreachable coverage bins that were hit.
    impossible: BTreeSet<String>,
}
