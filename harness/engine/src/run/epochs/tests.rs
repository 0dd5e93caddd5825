//! Tests of the run loop.

use super::*;
use crate::run::progress::ProgressKeeper;

/// Number of units of an epoch in these tests.
const AT_ONCE: u64 = 8;

/// A run of parts with the same number of units each. A unit is one case, and every fourth is checked.
#[derive(Clone, Copy, Default)]
struct Ones {
    parts: usize,
    units: u64,
    /// The unit at which a device is declared dead.
    gone_at: Option<u64>,
    /// A unit whose required check is left out.
    unchecked: Option<u64>,
    /// The unit at which an implementation fails.
    fails_at: Option<u64>,
    /// The unit that reaches the limit, and the flag that is then set.
    over: Option<(u64, &'static AtomicBool)>,
    /// Whether the counts of an interrupted epoch are dropped.
    whole: bool,
    /// How long a unit takes.
    time: Duration,
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
        let is_left = units < self.units && !self.is_over();
        is_left.then(|| (*self, units..self.units.min(units + AT_ONCE)))
    }

    fn is_over(&self) -> bool {
        self.over.is_some_and(|(_, over)| over.load(Ordering::Relaxed))
    }

    fn is_divisible(&self) -> bool {
        !self.whole
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
            return Err(BackendError::Gone { implementation: "device".into(), reason: "no answer".into() });
        }
        assert!(next.start == unit + 1 && next.end <= self.1.end);
        std::thread::sleep(self.0.time);
        if let Some((at, over)) = self.0.over
            && at == unit
        {
            over.store(true, Ordering::Relaxed);
        }
        if self.0.fails_at == Some(unit) {
            let (implementation, problem) = ("device".into(), "it broke".into());
            return Err(BackendError::Failed { implementation, problem });
        }
        tally.cases += 1;
        tally.verdicts.exact += 1;
        // So running one unit twice does not hide that another unit was not run.
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

/// Continues from progress to the end of the run, on one thread.
fn run_on_one_thread(work: Ones, progress: RunProgress) -> (Result<RunOutcome, CampaignError>, Last) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| run_from(work, progress, None))
}

/// Continues from progress, and stops after `epochs` epochs, or else at the end of the run.
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
fn an_epoch_ends_after_the_units_that_are_in_work() {
    let over: &AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let work = Ones { parts: 1, units: 1 << 20, over: Some((9, over)), ..Ones::default() };
    let (done, keeper) = run_on_one_thread(work, RunProgress::default());
    let (done, saved) = (done.expect("it ends in order"), keeper.saved.expect("something is done"));
    assert_eq!((saved.units, done.tally.cases, done.interrupted), (12, 12, false));
    over.store(false, Ordering::Relaxed);
    let rest = Ones { units: 40, over: None, ..work };
    let (done, _) = run_from(rest, saved, None);
    assert_eq!(done.expect("it runs").tally.canaries.fast, (0..40).map(|unit| unit * unit).sum::<u64>());
}

/// Runs slow units on one thread at a pace. Returns the number of epochs, and the counts.
fn slowly(pace: Pace, work: Ones) -> (u32, Tally) {
    let work = Ones { parts: 1, units: 16, time: Duration::from_millis(20), ..work };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        let (stop, mut epochs) = (AtomicBool::new(false), 0);
        let mut show = |_: &Tally| epochs += 1;
        let hooks = RunHooks::new(&stop, &mut show);
        let done = run_at(pace, &work, RunProgress::default(), hooks);
        (epochs, done.expect("it runs").tally)
    })
}

#[test]
fn slow_units_end_an_epoch_early() {
    let [short, long] = [1, 60_000].map(Duration::from_millis);
    let (epochs, tally) = slowly(Pace { longest: long, share: long }, Ones::default());
    assert_eq!((epochs, tally.cases), (2, 16));
    assert_eq!(slowly(Pace { longest: short, share: long }, Ones::default()), (16, tally.clone()));
    let whole = Ones { whole: true, ..Ones::default() };
    assert_eq!(slowly(Pace { longest: short, share: short }, whole), (2, tally));
}

/// Of eight units, a thread first takes one. Then it takes half of the remaining units, or one unit
/// if half of them would take longer than the target time.
#[test]
fn a_thread_takes_what_it_can_do_in_its_share() {
    for (share, done) in [(60_000, 4), (1, 2)] {
        let over: &AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
        let pace = Pace { share: Duration::from_millis(share), ..Pace::USUAL };
        let (_, tally) = slowly(pace, Ones { over: Some((1, over)), ..Ones::default() });
        assert_eq!(tally.cases, done, "{share} ms");
    }
}

#[test]
fn an_epoch_that_cannot_be_divided_is_whole_or_nothing() {
    let over: &AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let work = Ones { parts: 1, units: 1 << 20, over: Some((9, over)), whole: true, ..Ones::default() };
    let (done, keeper) = run_on_one_thread(work, RunProgress::default());
    let done = done.expect("it ends in order");
    assert_eq!((done.tally.cases, done.interrupted), (AT_ONCE, true));
    assert_eq!(keeper.saved.expect("whole epochs").units, AT_ONCE);
}

#[test]
fn a_run_that_has_enough_ends_after_an_epoch() {
    let (stop, mut show) = (AtomicBool::new(false), |_: &Tally| {});
    for (parts, enough, whole) in [(1, 8, false), (1, 24, true), (2, 24, false)] {
        let is_enough = |tally: &Tally| tally.cases >= enough;
        let hooks = RunHooks { is_enough: &is_enough, ..RunHooks::new(&stop, &mut show) };
        let work = Ones { parts, units: 24, ..Ones::default() };
        let done = run(&work, RunProgress::default(), hooks).expect("it runs");
        assert_eq!((done.tally.cases, done.interrupted), (enough, !whole), "{parts} parts");
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

/// When an epoch ends, its checks are compared with the plan. On resumption they are not compared
/// again. So a forged checkpoint with 2^46 units costs no time.
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
