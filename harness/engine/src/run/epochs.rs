//! The run loop. Threads run units of work in epochs. A checkpoint can be written after each epoch.
//!
//! A run executes its parts in order. A part has units. The cases of a unit depend only on the
//! unit's number. An epoch is a range of the units of a part. Checkpoints are written between
//! epochs, so a checkpoint always holds whole epochs. An epoch ends early, after whole units, when
//! the run must stop or [`Pace::longest`] has passed. So a run on a slow device has checkpoints,
//! too. A limit or an interruption takes effect after the units that each thread has taken.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use assay_isa::BackendError;
use rayon::prelude::*;

use crate::compare::canary::{self, Pieces};
use crate::run::progress::{CampaignError, RunHooks, RunOutcome, RunProgress, StopReason};
use crate::stats::tally::Tally;

/// The times that decide when an epoch ends and how many units a thread takes.
#[derive(Clone, Copy)]
struct Pace {
    /// Maximum time of an epoch. After that, the epoch ends with the units in progress.
    longest: Duration,
    /// Target time for the units that a thread takes at once. It is short, because threads wait for
    /// each other at the end of an epoch. The time of a unit is estimated from the thread's last
    /// units.
    share: Duration,
}

impl Pace {
    const USUAL: Pace = Pace { longest: Duration::from_secs(5), share: Duration::from_millis(250) };
}

/// The work of a run: parts, in order.
pub(super) trait RunWork {
    /// One of the parts.
    type Part<'a>: RunPart
    where
        Self: 'a;

    /// Returns how many parts there are.
    fn parts(&self) -> usize;

    /// Starts or continues part `number`, which is below [`RunWork::parts`].
    fn part(&self, number: usize) -> Result<Self::Part<'_>, CampaignError>;

    /// Prepares the tally of a part for merging into the tally of the run.
    fn file(&self, number: usize, tally: Tally) -> Tally;
}

/// A part of a run.
pub(super) trait RunPart: Sync {
    /// One of its epochs.
    type Epoch<'a>: Epoch
    where
        Self: 'a;

    /// Returns the epoch that follows the first `units` units, given their counts. `None` if the
    /// part ends there.
    fn epoch<'a>(&'a self, units: u64, before: &'a Tally) -> Option<Self::Epoch<'a>>;

    /// Returns the number of cases in the first `units` units.
    fn cases(&self, units: u64) -> u64;

    /// Returns the kind of the part's units.
    fn pieces(&self) -> Pieces;

    /// Returns whether the check of a unit is planned and counted.
    fn is_checked(&self, unit: u64) -> bool;

    /// Returns whether the limit of the part is reached.
    fn is_over(&self) -> bool {
        false
    }

    /// Returns whether an epoch may end after any of its units. If not, the counts of an
    /// interrupted epoch are dropped.
    fn is_divisible(&self) -> bool {
        true
    }
}

/// A range of units that threads divide among themselves.
pub(super) trait Epoch: Sync {
    /// State that a thread keeps from unit to unit.
    type Worker;

    /// Returns the units.
    fn units(&self) -> Range<u64>;

    /// Makes a worker.
    fn worker(&self) -> Self::Worker;

    /// Returns the number of units that a worker runs together. A thread may take this number even
    /// if it exceeds its target time.
    fn together(&self, _worker: &Self::Worker) -> u64 {
        1
    }

    /// Runs a unit and counts it. `unit` is the number of the unit, and the range of the units that
    /// the worker runs after it, as far as known.
    ///
    /// # Errors
    ///
    /// `BackendError::Gone` if a device was declared dead. The cases that the device had executed
    /// before are counted.
    fn run(
        &self,
        worker: &mut Self::Worker,
        unit: (u64, Range<u64>),
        tally: &mut Tally,
    ) -> Result<(), BackendError>;
}

/// Continues from progress until all is done, the time is up, the run is interrupted or a device is
/// declared dead.
///
/// # Errors
///
/// An implementation fails, or the run did not execute or check its whole plan.
pub(super) fn run<W: RunWork>(
    work: &W,
    progress: RunProgress,
    hooks: RunHooks<'_>,
) -> Result<RunOutcome, CampaignError> {
    run_at(Pace::USUAL, work, progress, hooks)
}

/// Does what `run` does, at the given pace.
fn run_at<W: RunWork>(
    pace: Pace,
    work: &W,
    mut progress: RunProgress,
    hooks: RunHooks<'_>,
) -> Result<RunOutcome, CampaignError> {
    let resumed = progress.cases();
    let mut session = Session { hooks, pace, has_enough: false };
    let stopped = do_parts(work, &mut progress, &mut session);
    let before = progress.tally.failures.clone();
    if let Ok(StopReason::DeviceGone(counted, _) | StopReason::Interrupted(Some(counted))) = &stopped {
        progress.tally.lose(counted);
    }
    if (progress.cases() > 0 || !progress.tally.failures.is_empty())
        && let Some(keeper) = &mut session.hooks.keeper
    {
        // The checkpoint contains only whole epochs, whatever ended the run.
        keeper.save(&progress);
    }
    let (interrupted, gone) = match stopped? {
        StopReason::Whole => (false, None),
        StopReason::Interrupted(_) => (true, None),
        StopReason::DeviceGone(counted, reason) => {
            progress.tally.failures = before;
            progress.tally.merge(*counted);
            (false, Some(reason))
        }
    };
    let RunProgress { parts, finished: mut tally, tally: part, .. } = progress;
    if parts < work.parts() {
        tally.merge(work.file(parts, part));
    }
    Ok(RunOutcome { tally, resumed, interrupted, gone })
}

/// The hooks and times of a run, and whether the caller has enough counts.
struct Session<'a> {
    hooks: RunHooks<'a>,
    pace: Pace,
    /// What [`RunHooks::is_enough`] returned after the last epoch.
    has_enough: bool,
}

/// Runs the parts in order. The counts of the last part stay in `progress.tally`.
fn do_parts<W: RunWork>(
    work: &W,
    progress: &mut RunProgress,
    session: &mut Session<'_>,
) -> Result<StopReason, CampaignError> {
    while progress.parts < work.parts() {
        let part = work.part(progress.parts)?;
        let stopped = do_epochs(&part, progress, session)?;
        let RunProgress { units, tally, .. } = &*progress;
        let planned = part.cases(*units);
        if tally.cases != planned || tally.verdicts.total() != planned {
            return Err(CampaignError::Short { executed: tally.cases, planned });
        }
        if session.hooks.keeper.as_ref().is_none_or(|keeper| keeper.is_of_one_build()) {
            canary::missing(&tally.canaries, &tally.verdicts, part.pieces())
                .map_err(CampaignError::Unchecked)?;
        }
        if !matches!(stopped, StopReason::Whole) || progress.parts + 1 == work.parts() {
            return Ok(stopped);
        }
        let tally = std::mem::take(&mut progress.tally);
        progress.finished.merge(work.file(progress.parts, tally));
        (progress.parts, progress.units) = (progress.parts + 1, 0);
    }
    Ok(StopReason::Whole)
}

/// Runs the epochs of a part.
fn do_epochs<P: RunPart>(
    part: &P,
    progress: &mut RunProgress,
    session: &mut Session<'_>,
) -> Result<StopReason, CampaignError> {
    loop {
        let (units, counted) = match do_epoch(part, progress, session)? {
            ControlFlow::Continue(done) => done,
            ControlFlow::Break(reason) => return Ok(reason),
        };
        progress.tally.merge(counted);
        progress.units = units;
        let Session { hooks, has_enough, .. } = &mut *session;
        let shown = progress.shown();
        (hooks.progress)(&shown);
        *has_enough = (hooks.is_enough)(&shown);
        if let Some(keeper) = &mut hooks.keeper {
            keeper.keep(progress);
        }
    }
}

/// Runs the next epoch of a part. Returns the number of finished units of the part, and the counts
/// of the epoch.
fn do_epoch<P: RunPart>(
    part: &P,
    progress: &RunProgress,
    Session { hooks, pace, has_enough }: &Session<'_>,
) -> Result<ControlFlow<StopReason, (u64, Tally)>, CampaignError> {
    let Some(epoch) = part.epoch(progress.units, &progress.tally) else {
        return Ok(ControlFlow::Break(StopReason::Whole));
    };
    let is_stopped = || hooks.stop.load(Ordering::Relaxed);
    if is_stopped() || *has_enough {
        return Ok(ControlFlow::Break(StopReason::Interrupted(None)));
    }
    let began = Instant::now();
    let is_over = || {
        let is_late = || part.is_divisible() && began.elapsed() >= pace.longest;
        is_stopped() || part.is_over() || is_late()
    };
    let (counted, end, gone) = do_units(&epoch, pace.share, &is_over)?;
    if let Some(reason) = gone {
        return Ok(ControlFlow::Break(StopReason::DeviceGone(Box::new(counted), reason)));
    }
    let Range { start, end: last } = epoch.units();
    if end < last && !part.is_divisible() {
        return Ok(ControlFlow::Break(StopReason::Interrupted(Some(Box::new(counted)))));
    }
    let planned = (start..end).filter(|unit| part.is_checked(*unit)).count() as u64;
    canary::unmade(counted.canaries.batches, planned).map_err(CampaignError::Unchecked)?;
    Ok(ControlFlow::Continue((end, counted)))
}

/// Runs the units of an epoch on all threads, and adds up their counts. Stops early if `is_over`
/// returns true. Returns the counts, the end of the range of finished units, and the reason if a
/// device was declared dead.
///
/// A thread first takes one unit. Then it takes half of its share of the remaining units, but at
/// most as many as fit in the target time. A thread's share is the number of these units divided by
/// the number of threads. The first shares are large, because a thread that runs neighbouring units
/// finds fewer records again. Later shares become smaller, so that all threads end at about the
/// same time.
fn do_units<E: Epoch>(
    epoch: &E,
    share_time: Duration,
    is_over: &(impl Fn() -> bool + Sync),
) -> Result<(Tally, u64, Option<String>), BackendError> {
    let Range { start, end } = epoch.units();
    let threads = rayon::current_num_threads() as u64;
    let (next, failed) = (AtomicU64::new(start), AtomicBool::new(false));
    let take = |most: u64| {
        let behind = |first: u64| first + ((end - first) / (2 * threads)).min(most).max(1);
        let past = |first| (first < end && !is_over()).then(|| behind(first));
        let first = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, past).ok()?;
        Some(first..behind(first))
    };
    let share = |_thread| {
        let (mut worker, mut tally, mut gone) = (None, Tally::default(), None);
        let mut most = 1;
        while let Some(taken) = take(most.max(worker.as_ref().map_or(1, |worker| epoch.together(worker)))) {
            let began = Instant::now();
            for unit in taken.clone() {
                if failed.load(Ordering::Relaxed) {
                    break;
                }
                match epoch.run(
                    worker.get_or_insert_with(|| epoch.worker()),
                    (unit, unit + 1..taken.end),
                    &mut tally,
                ) {
                    Ok(()) => {}
                    Err(error @ BackendError::Gone { .. }) => gone = Some(error.to_string()),
                    Err(error) => {
                        failed.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            let each = began.elapsed().as_nanos() / u128::from(taken.end - taken.start);
            most = u64::try_from(share_time.as_nanos() / each.max(1)).unwrap_or(u64::MAX);
        }
        Ok((tally, gone))
    };
    let shares = (0..threads as usize).into_par_iter().with_max_len(1).map(share);
    let (tally, gone) = shares.try_reduce(Default::default, |mut a: (Tally, Option<String>), b| {
        a.0.merge(b.0);
        Ok((a.0, a.1.or(b.1)))
    })?;
    Ok((tally, next.into_inner(), gone))
}

#[cfg(test)]
mod tests;
