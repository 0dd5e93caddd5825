//! The progress of campaigns and sweeps in checkpoints.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::checkpoint::{CheckpointError, Checkpoints, Identity, Keeper};
use crate::devices::Devices;
use crate::verdict::RunDemands;
use crate::{Plan, RunResult, Shard, consistency, difference};
use assay_engine::coverage::Bins;
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::sweep::{Function, Sweep};
use assay_engine::run::{ProgressKeeper, RunOutcome, RunProgress};
use assay_engine::stats::tally::Tally;

/// Identifies the campaign or the sweep of a checkpoint.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The plan.
    pub plan: Plan,
    /// The shard.
    pub shard: Shard,
    /// Digest of the list of coverage bins. `None` if the run counts none.
    pub bins: Option<String>,
    /// Digest of the ordered list of functions of a sweep. `None` in a campaign. The progress of a
    /// sweep is a position in this list.
    pub order: Option<String>,
    /// The demands of the command line. A run can be resumed only with the demands with which it
    /// began.
    #[serde(default, skip_serializing_if = "RunDemands::is_empty")]
    pub demands: RunDemands,
}

impl Identity for Share {
    fn difference(&self, other: &Share) -> Option<String> {
        match () {
            () if self.plan != other.plan => Some(difference(&self.plan, &other.plan)),
            () if self.shard != other.shard => Some("the shard".to_owned()),
            () if self.bins != other.bins => Some("the list of coverage bins".to_owned()),
            () if self.order != other.order => Some("the order of the functions".to_owned()),
            () if self.demands != other.demands => Some(
                "what --allow-unjudged, --allow-undeclared, --require-judged or --baseline demands"
                    .to_owned(),
            ),
            () => None,
        }
    }

    fn devices_mut(&mut self) -> Option<&mut Devices> {
        Some(self.plan.devices_mut())
    }
}

/// The progress of a campaign in its checkpoint.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignProgress<'a> {
    /// Number of finished batches of the shard.
    pub done: u64,
    /// The counts of these batches.
    pub tally: Cow<'a, Tally>,
}

/// The progress of a sweep in its checkpoint.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepProgress<'a> {
    /// Number of finished functions.
    pub functions: usize,
    /// The counts of these functions.
    pub finished: Cow<'a, Tally>,
    /// Number of finished pieces of the next function.
    pub pieces: u64,
    /// The counts of these pieces.
    pub part: Cow<'a, Tally>,
}

impl<'a> From<&'a RunProgress> for CampaignProgress<'a> {
    fn from(progress: &'a RunProgress) -> CampaignProgress<'a> {
        CampaignProgress { done: progress.units, tally: Cow::Borrowed(&progress.tally) }
    }
}

impl From<CampaignProgress<'_>> for RunProgress {
    fn from(saved: CampaignProgress<'_>) -> RunProgress {
        RunProgress { units: saved.done, tally: saved.tally.into_owned(), ..RunProgress::default() }
    }
}

impl<'a> From<&'a RunProgress> for SweepProgress<'a> {
    fn from(progress: &'a RunProgress) -> SweepProgress<'a> {
        let RunProgress { parts, finished, units, tally } = progress;
        let (finished, part) = (Cow::Borrowed(finished), Cow::Borrowed(tally));
        SweepProgress { functions: *parts, finished, pieces: *units, part }
    }
}

impl From<SweepProgress<'_>> for RunProgress {
    fn from(saved: SweepProgress<'_>) -> RunProgress {
        let SweepProgress { functions, finished, pieces, part } = saved;
        let (finished, tally) = (finished.into_owned(), part.into_owned());
        RunProgress { parts: functions, finished, units: pieces, tally }
    }
}

impl ProgressKeeper for Keeper<'_, Share> {
    fn keep(&mut self, progress: &RunProgress) {
        if self.is_due() {
            ProgressKeeper::save(self, progress);
        }
    }

    fn save(&mut self, progress: &RunProgress) {
        match self.run().plan {
            Plan::Sweep { .. } => Keeper::save(self, &SweepProgress::from(progress)),
            Plan::Fuzz { .. } | Plan::Trace { .. } => {
                Keeper::save(self, &CampaignProgress::from(progress));
            }
        }
    }

    fn is_of_one_build(&self) -> bool {
        Keeper::is_of_one_build(self)
    }
}

/// A finished or interrupted run, with the data for its files.
pub struct RecordedRun {
    /// The result, with the devices of all sessions.
    pub outcome: RunResult,
    /// The builds of assay that executed the run. Empty without checkpoints. Several builds only
    /// after `--other-build`.
    pub builds: Vec<String>,
    /// Number of cases that earlier sessions of the run executed.
    pub resumed: u64,
    /// Whether the run was interrupted before its limit.
    pub interrupted: bool,
    /// The device failure that ended the run before its limit, if there was one.
    pub gone: Option<String>,
}

impl Keeper<'_, Share> {
    /// Returns the run with the data for its files.
    pub fn end(self, run: RunOutcome) -> RecordedRun {
        let (Share { plan, shard, .. }, builds) = self.into_parts();
        let RunOutcome { tally, resumed, interrupted, gone } = run;
        let outcome = if interrupted || gone.is_some() {
            RunResult::partial(plan, tally)
        } else {
            RunResult::new(plan, shard, tally)
        };
        RecordedRun { outcome, builds, resumed, interrupted, gone }
    }
}

/// Opens the checkpoint of a campaign, if it has one, and returns the progress to continue from.
///
/// # Errors
///
/// The checkpoint belongs to another run, is damaged, or contradicts itself.
pub fn open_campaign<'a>(
    place: Option<Checkpoints<'a>>,
    plan: &Plan,
    demands: &RunDemands,
    campaign: &Campaign<'_>,
    bins: &Bins,
) -> Result<(Keeper<'a, Share>, RunProgress), CheckpointError> {
    let Campaign { shard, limit, .. } = *campaign;
    let bins = Some(bins.digest().to_owned());
    let share = Share { plan: plan.clone(), shard, bins, order: None, demands: demands.clone() };
    let (keeper, saved): (_, CampaignProgress<'static>) = Keeper::open(place, share)?;
    let mut progress = RunProgress::from(saved);
    let checked = check_campaign(&mut progress, plan, limit, shard);
    checked.map_err(|what| keeper.contradicts(what))?;
    Ok((keeper, progress))
}

/// Opens the checkpoint of a sweep, as [`open_campaign`] does.
///
/// # Errors
///
/// As [`open_campaign`].
pub fn open_sweep<'a>(
    place: Option<Checkpoints<'a>>,
    plan: &Plan,
    demands: &RunDemands,
    sweep: &Sweep<'_>,
) -> Result<(Keeper<'a, Share>, RunProgress), CheckpointError> {
    let (shard, order) = (sweep.shard, Some(sweep.order()));
    let share = Share { plan: plan.clone(), shard, bins: None, order, demands: demands.clone() };
    let (keeper, saved): (_, SweepProgress<'static>) = Keeper::open(place, share)?;
    let mut progress = RunProgress::from(saved);
    let checked = check_sweep(&mut progress, plan, sweep.functions);
    checked.map_err(|what| keeper.contradicts(what))?;
    Ok((keeper, progress))
}

/// Checks the progress of a campaign from a checkpoint. The counts must agree with the plan, with
/// each other and with the finished batches. There must be no more finished batches than the shard
/// has. If later epochs depend on earlier ones, the last begun epoch must be finished.
///
/// # Errors
///
/// The first contradiction.
pub fn check_campaign(
    progress: &mut RunProgress,
    plan: &Plan,
    limit: Limit<'_>,
    shard: Shard,
) -> Result<(), String> {
    let so_far = RunResult::partial(plan.clone(), std::mem::take(&mut progress.tally));
    consistency::check(&so_far)?;
    progress.tally = so_far.tally;
    let RunProgress { units, tally, .. } = progress;
    if !limit.is_end_of_epoch(shard, *units) {
        return Err(format!("{units} batches are done, which no epoch of this run ends with"));
    }
    if tally.cases == limit.cases_in(shard, *units) {
        Ok(())
    } else {
        Err(format!("{units} batches are not {} cases", tally.cases))
    }
}

/// Checks the progress of a sweep from a checkpoint. The counts must agree with the plan, with each
/// other and with the finished functions.
///
/// # Errors
///
/// The first contradiction.
pub fn check_sweep(progress: &mut RunProgress, plan: &Plan, given: &[Function]) -> Result<(), String> {
    let so_far = RunResult::partial(plan.clone(), std::mem::take(&mut progress.finished));
    consistency::check(&so_far)?;
    progress.finished = so_far.tally;
    let RunProgress { parts, finished, units, tally } = &*progress;
    let done = finished.functions.len();
    // The two halves of an operand are two parts of one function.
    if *parts > given.len() || done > *parts || (*parts > 0) != (done > 0) {
        return Err(format!("{parts} of {} functions are done, and it counted {done}", given.len()));
    }
    if (*units == 0) != (tally.cases == 0) {
        return Err(format!("{units} pieces of a function are not {} inputs", tally.cases));
    }
    consistency::check_counts(tally)?;
    if !tally.functions.is_empty() {
        return Err("`functions` of a part is filed before the part is done".into());
    }
    match given.get(*parts) {
        Some(function) => {
            consistency::check(&RunResult::partial(plan.clone(), function.named(tally.clone())))
        }
        None if *units == 0 => Ok(()),
        None => Err(format!("every function is done, and so are {units} pieces of another")),
    }
}
