//! The run loop: units of work over threads, in epochs, with a safe point after each.
//!
//! A run has parts, which it runs in order. A part has units, and a unit is a function of its number alone. An epoch is
//! a range of the units of a part. Limits, interruption and checkpoints act between epochs, so a checkpoint always
//! holds whole epochs.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use assay_isa::BackendError;
use rayon::prelude::*;

use crate::compare::canary::{self, Pieces};
use crate::run::progress::{CampaignError, RunHooks, RunOutcome, RunProgress, StopReason};
use crate::stats::tally::Tally;

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

    /// Adds the counts of a whole part to the tally.
    fn file(&self, number: usize, tally: Tally) -> Tally;
}

/// A part of a run.
pub(super) trait RunPart {
    /// One of its epochs.
    type Epoch<'a>: Epoch
    where
        Self: 'a;

    /// Returns the epoch that follows so many units, given what these counted; none if the part ends there.
    fn epoch<'a>(&'a self, units: u64, before: &'a Tally) -> Option<Self::Epoch<'a>>;

    /// Returns how many cases its first units hold.
    fn cases(&self, units: u64) -> u64;

    /// Returns what its units are.
    fn pieces(&self) -> Pieces;

    /// Returns whether a unit is checked, and counts as such.
    fn is_checked(&self, unit: u64) -> bool;
}

/// Units that threads share among them.
pub(super) trait Epoch: Sync {
    /// State that a thread keeps from unit to unit.
    type Worker;

    /// Returns the units.
    fn units(&self) -> Range<u64>;

    /// Makes a worker.
    fn worker(&self) -> Self::Worker;

    /// Does a unit and counts it, given the next ones that the worker does, as far as they are known.
    ///
    /// # Errors
    ///
    /// `BackendError::Gone` if a device was declared dead: then what the device had done before is counted.
    fn run(
        &self,
        worker: &mut Self::Worker,
        unit: (u64, Range<u64>),
        tally: &mut Tally,
    ) -> Result<(), BackendError>;
}

/// Goes on from progress until all is done, the time is up, the run is interrupted or a device is declared dead.
///
/// # Errors
///
/// An implementation fails, or the run did not execute or check its whole plan.
pub(super) fn run<W: RunWork>(
    work: &W,
    mut progress: RunProgress,
    mut hooks: RunHooks<'_>,
) -> Result<RunOutcome, CampaignError> {
    let resumed = progress.cases();
    let stopped = do_parts(work, &mut progress, &mut hooks);
    if progress.cases() > 0
        && let Some(keeper) = &mut hooks.keeper
    {
        // The checkpoint holds whole epochs, whatever ended the run.
        keeper.save(&progress);
    }
    let (interrupted, gone) = match stopped? {
        StopReason::Whole => (false, None),
        StopReason::Interrupted => (true, None),
        StopReason::DeviceGone(counted, reason) => {
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

/// Runs the parts in order. The counts of the last one stay those of the current part.
fn do_parts<W: RunWork>(
    work: &W,
    progress: &mut RunProgress,
    hooks: &mut RunHooks<'_>,
) -> Result<StopReason, CampaignError> {
    while progress.parts < work.parts() {
        let part = work.part(progress.parts)?;
        let stopped = do_epochs(&part, progress, hooks)?;
        let RunProgress { units, tally, .. } = &*progress;
        let planned = part.cases(*units);
        if tally.cases != planned || tally.verdicts.total() != planned {
            return Err(CampaignError::Short { executed: tally.cases, planned });
        }
        if hooks.keeper.as_ref().is_none_or(|keeper| keeper.is_of_one_build()) {
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

/// Does the epochs of a part.
fn do_epochs<P: RunPart>(
    part: &P,
    progress: &mut RunProgress,
    hooks: &mut RunHooks<'_>,
) -> Result<StopReason, CampaignError> {
    loop {
        let (units, counted) = match do_epoch(part, progress, hooks.stop)? {
            ControlFlow::Continue(done) => done,
            ControlFlow::Break(reason) => return Ok(reason),
        };
        progress.tally.merge(counted);
        progress.units = units;
        (hooks.progress)(&progress.shown());
        if let Some(keeper) = &mut hooks.keeper {
            keeper.keep(progress);
        }
    }
}

/// Runs the next epoch of a part. Returns the number of units done after it, and the counts of the epoch.
fn do_epoch<P: RunPart>(
    part: &P,
    progress: &RunProgress,
    stop: &AtomicBool,
) -> Result<ControlFlow<StopReason, (u64, Tally)>, CampaignError> {
    let Some(epoch) = part.epoch(progress.units, &progress.tally) else {
        return Ok(ControlFlow::Break(StopReason::Whole));
    };
    if stop.load(Ordering::Relaxed) {
        return Ok(ControlFlow::Break(StopReason::Interrupted));
    }
    let (counted, gone) = do_units(&epoch)?;
    if let Some(reason) = gone {
        return Ok(ControlFlow::Break(StopReason::DeviceGone(Box::new(counted), reason)));
    }
    let units = epoch.units();
    let planned = units.clone().filter(|unit| part.is_checked(*unit)).count() as u64;
    canary::unmade(counted.canaries.batches, planned).map_err(CampaignError::Unchecked)?;
    Ok(ControlFlow::Continue((units.end, counted)))
}

/// Runs the units of an epoch on all threads and adds up their counts. If a device is declared dead, stops and also
/// returns the reason.
///
/// Each thread takes some of the units that are left when it has done its own: many at first, for neighbours have records in
/// common, then fewer and fewer, so that all threads end at about the same time.
fn do_units<E: Epoch>(epoch: &E) -> Result<(Tally, Option<String>), BackendError> {
    let Range { start, end } = epoch.units();
    let threads = rayon::current_num_threads() as u64;
    let (next, failed) = (AtomicU64::new(start), AtomicBool::new(false));
    let behind = |first: u64| first + ((end - first) / (2 * threads)).max(1);
    let take = || {
        let past = |first| (first < end).then(|| behind(first));
        let first = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, past).ok()?;
        Some(first..behind(first))
    };
    let share = |_thread| {
        let (mut worker, mut tally, mut gone) = (None, Tally::default(), None);
        while let Some(taken) = take() {
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
        }
        Ok((tally, gone))
    };
    let shares = (0..threads as usize).into_par_iter().with_max_len(1).map(share);
    shares.try_reduce(Default::default, |mut a: (Tally, Option<String>), b| {
        a.0.merge(b.0);
        Ok((a.0, a.1.or(b.1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::progress::ProgressKeeper;

    /// Units in an epoch of these tests.
    const AT_ONCE: u64 = 8;

    /// A run of parts with so many units each. A unit is one case, and every fourth is checked.
    #[derive(Clone, Copy, Default)]
    struct Ones {
        parts: usize,
        units: u64,
        /// The unit at which a device is declared dead.
        gone_at: Option<u64>,
        /// A unit that was not checked although its check is required.
        unchecked: Option<u64>,
        /// The unit at which an implementation fails.
        fails_at: Option<u64>,
    }

    impl RunWork for Ones {
        type Part<'a> = Ones;

        fn parts(&self) -> usize {
            self.parts
        }

        fn part(&self, _number: usize) -> Result<Ones, CampaignError> {
            Ok(*self)
        }

        fn file(&self, number: usize, mut tally: Tally) -> Tally {
            tally.functions.insert(format!("part {number}"), tally.verdicts);
            tally
        }
    }

    impl RunPart for Ones {
        type Epoch<'a> = (Ones, Range<u64>);

        fn epoch(&self, units: u64, _before: &Tally) -> Option<(Ones, Range<u64>)> {
            (units < self.units).then(|| (*self, units..self.units.min(units + AT_ONCE)))
        }

        fn cases(&self, units: u64) -> u64 {
            units
        }

        fn pieces(&self) -> Pieces {
            Pieces::Drawn
        }

        fn is_checked(&self, unit: u64) -> bool {
            unit.is_multiple_of(4)
        }
    }

    impl Epoch for (Ones, Range<u64>) {
        type Worker = ();

        fn units(&self) -> Range<u64> {
            self.1.clone()
        }

        fn worker(&self) {}

        fn run(
            &self,
            (): &mut (),
            (unit, next): (u64, Range<u64>),
            tally: &mut Tally,
        ) -> Result<(), BackendError> {
            if self.0.gone_at.is_some_and(|gone_at| unit >= gone_at) {
                return Err(BackendError::Gone {
                    implementation: "device".into(),
                    reason: "no answer".into(),
                });
            }
            assert!(next.start == unit + 1 && next.end <= self.1.end);
            if self.0.fails_at == Some(unit) {
                let (implementation, problem) = ("device".into(), "it broke".into());
                return Err(BackendError::Failed { implementation, problem });
            }
            tally.cases += 1;
            tally.verdicts.exact += 1;
            // So that a unit which is done twice does not stand for one that is not.
            tally.canaries.fast += (unit % 1000).pow(2);
            let is_checked = self.0.is_checked(unit) && self.0.unchecked != Some(unit);
            tally.canaries.batches += u64::from(is_checked);
            Ok(())
        }
    }

    /// Keeps the progress of the last epoch.
    #[derive(Default)]
    struct Last {
        kept: u32,
        saved: Option<RunProgress>,
    }

    impl ProgressKeeper for Last {
        fn keep(&mut self, _progress: &RunProgress) {
            self.kept += 1;
        }

        fn save(&mut self, progress: &RunProgress) {
            self.saved = Some(progress.clone());
        }

        fn is_of_one_build(&self) -> bool {
            true
        }
    }

    /// Goes on from progress and stops after so many epochs.
    fn run_from(
        work: Ones,
        progress: RunProgress,
        epochs: Option<u32>,
    ) -> (Result<RunOutcome, CampaignError>, Last) {
        let (stop, mut keeper, mut done) = (AtomicBool::new(false), Last::default(), 0);
        let mut show = |_: &Tally| {
            done += 1;
            stop.store(Some(done) == epochs, Ordering::Relaxed);
        };
        let hooks = RunHooks { keeper: Some(&mut keeper), ..RunHooks::new(&stop, &mut show) };
        (run(&work, progress, hooks), keeper)
    }

    #[test]
    fn a_run_that_is_stopped_again_and_again_counts_the_same() {
        let work = Ones { parts: 3, units: 20, ..Ones::default() };
        let (whole, keeper) = run_from(work, RunProgress::default(), None);
        let whole = whole.expect("it runs").tally;
        assert_eq!((whole.cases, whole.functions.len(), keeper.kept), (60, 3, 9));
        let (mut progress, mut sessions) = (RunProgress::default(), 0);
        let done = loop {
            let (done, keeper) = run_from(work, progress, Some(1));
            let done = done.expect("it runs");
            progress = keeper.saved.expect("something is done");
            sessions += 1;
            if !done.interrupted {
                break done;
            }
        };
        assert_eq!((done.tally, done.resumed, sessions), (whole, 56, 9));
    }

    #[test]
    fn threads_do_each_unit_once() {
        for threads in [1, 2, 3, 16] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            for units in [1, 2, 7, 100] {
                let (done, _) = pool.install(|| {
                    run_from(Ones { parts: 1, units, ..Ones::default() }, RunProgress::default(), None)
                });
                let tally = done.expect("it runs").tally;
                let squares: u64 = (0..units).map(|unit| unit * unit).sum();
                assert_eq!((tally.cases, tally.canaries.fast), (units, squares), "{threads} threads");
            }
        }
    }

    #[test]
    fn a_failure_ends_the_run() {
        let work = Ones { parts: 1, units: 20, fails_at: Some(11), ..Ones::default() };
        let (done, keeper) = run_from(work, RunProgress::default(), None);
        assert!(done.expect_err("it fails").to_string().contains("it broke"));
        assert_eq!(keeper.saved.expect("whole epochs").units, AT_ONCE);
    }

    #[test]
    fn what_was_counted_before_a_device_was_gone_is_kept() {
        let work = Ones { parts: 1, units: 20, gone_at: Some(13), ..Ones::default() };
        let (done, keeper) = run_from(work, RunProgress::default(), None);
        let done = done.expect("it ends in order");
        assert!(done.gone.is_some_and(|reason| reason.contains("no answer")) && !done.interrupted);
        assert_eq!(done.tally.cases, 13);
        assert_eq!(keeper.saved.expect("whole epochs").units, AT_ONCE);
    }

    #[test]
    fn a_check_that_was_not_made_ends_the_run() {
        let work = Ones { parts: 1, units: 20, unchecked: Some(12), ..Ones::default() };
        let (done, keeper) = run_from(work, RunProgress::default(), None);
        let said = done.expect_err("it is noticed").to_string();
        assert!(said.contains("1 batches were checked of 2 planned"), "{said}");
        assert_eq!(keeper.saved.expect("whole epochs").units, AT_ONCE);
    }

    /// The checks of earlier epochs were compared with the plan when these were done: progress of 2^46 units, as a forged
    /// checkpoint may have, costs nothing.
    #[test]
    fn earlier_epochs_are_not_gone_through_again() {
        let cases = 1 << 46;
        let mut tally = Tally { cases, ..Tally::default() };
        tally.verdicts.exact = cases;
        tally.canaries.spoiled = 1;
        let progress = RunProgress { units: cases, tally, ..RunProgress::default() };
        let work = Ones { parts: 1, units: cases + 4, ..Ones::default() };
        let (done, _) = run_from(work, progress, None);
        assert_eq!(done.expect("it runs").tally.cases, cases + 4);
    }
}
