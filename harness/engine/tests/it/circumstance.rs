//! Tests that the finding of a fault that depends on more than the case names the cause: lane,
//! neighbour, order, call or thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assay_engine::compare::comparator::Setup;
use assay_engine::compare::reference::SubjectAsOracle;
use assay_engine::generate::{LANES, Scope};
use assay_engine::run::RunHooks;
use assay_engine::run::Shard;
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::triage::Bug;
use assay_engine::triage::circumstance::lanes::LanePattern;
use assay_engine::triage::circumstance::{Circumstance, ShownCircumstance};
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Oracle, Subject, codec};
use rayon::ThreadPoolBuilder;

use crate::support::{bugs_of, intended, model, oracle};

/// The properties of a call that a fault may depend on.
struct Call<'a> {
    batch: &'a Batch,
    /// The word of the batch that the subject executed before this one.
    previous: Option<u128>,
    /// Number of calls of this subject, including this one.
    calls: u64,
    /// Whether another thread is executing.
    is_crowded: bool,
}

/// Returns whether the result of a lane is wrong.
type Fault = fn(&Call<'_>, usize) -> bool;

/// The state that a device keeps from call to call on one handle.
#[derive(Clone, Copy, Default)]
struct Handle {
    previous: Option<u128>,
    calls: u64,
}

/// The model with a fault that flips the lowest bit of a result. When it is dropped, its handle can
/// be reused, like that of a device.
struct Faulty {
    sound: Box<dyn Subject>,
    fault: Fault,
    handle: Handle,
    idle: Arc<Mutex<Vec<Handle>>>,
}

impl Faulty {
    fn new(fault: Fault, idle: &Arc<Mutex<Vec<Handle>>>) -> Faulty {
        let handle = idle.lock().unwrap().pop().unwrap_or_default();
        Faulty { sound: model(), fault, handle, idle: idle.clone() }
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        self.idle.lock().unwrap().push(self.handle);
    }
}

static EXECUTING: AtomicU64 = AtomicU64::new(0);

impl Subject for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn start_fresh(&mut self) {
        self.idle.lock().unwrap().push(std::mem::take(&mut self.handle));
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let is_crowded = EXECUTING.fetch_add(1, Ordering::SeqCst) > 0;
        // Gives another thread time to execute too, even on a busy machine.
        std::thread::yield_now();
        let answer = self.sound.execute(batch, effects);
        EXECUTING.fetch_sub(1, Ordering::SeqCst);
        let handle = &mut self.handle;
        handle.calls += 1;
        let call = Call { batch, previous: handle.previous, calls: handle.calls, is_crowded };
        let wrong: Vec<usize> = (0..batch.len()).filter(|lane| (self.fault)(&call, *lane)).collect();
        handle.previous = Some(batch.word());
        let right = effects.clone();
        effects.reset(batch.len());
        for column in right.columns() {
            let values = effects.write(column.location, column.written.clone());
            values.copy_from_slice(&column.values);
            wrong.iter().for_each(|lane| values[*lane] ^= 1);
        }
        answer
    }
}

/// Returns the bugs that a campaign over POPC and BREV finds.
fn bugs(fault: Fault) -> Vec<Bug> {
    let idle = Arc::default();
    bugs_between(&["POPC", "BREV"], &|| Box::new(Faulty::new(fault, &idle)), &oracle)
}

/// Returns the bugs that a campaign over some optypes finds in a subject.
fn bugs_between(
    optypes: &[&str],
    subject: &(dyn Fn() -> Box<dyn Subject> + Sync),
    oracle: &(dyn Fn() -> Box<dyn Oracle> + Sync),
) -> Vec<Bug> {
    // The tests run one by one. Otherwise a subject would mistake the subject of another test for
    // another thread of its own campaign.
    static ONE_BY_ONE: Mutex<()> = Mutex::new(());
    let _guard = ONE_BY_ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let profile = intended();
    let setup = Setup { numbers: EncodingTable::provisional(), profile: &profile, subject, oracle };
    let scope = Scope::filtered(|mode| optypes.contains(&mode.optype()));
    let cases = 600 * LANES as u64;
    let campaign =
        Campaign { setup, scope: &scope, seed: 3, limit: Limit::Cases(cases), shard: Shard::WHOLE };
    // The campaign has its own two threads. Shared threads might be busy with other tests, so that
    // only one of them executes this subject.
    let threads = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let run = || campaign.run(RunHooks::new(&AtomicBool::new(false), &mut |_| {}));
    let tally = threads.install(run).unwrap().tally;
    assert!(tally.verdicts.diverged > 0, "the campaign meets it");
    bugs_of(&campaign, &tally)
}

/// Whether the stored batches of a bug reproduce its fault on a new subject. The fault is
/// reproduced if the judged lane has another effect than on the sound model.
fn comes_back(fault: Fault, shown: &ShownCircumstance) -> bool {
    let Some(rerun) = &shown.rerun else { return false };
    let mut faulty = Faulty::new(fault, &Arc::default());
    let (mut effects, mut right) = (Effects::default(), Effects::default());
    for batch in rerun.before.iter().chain([&rerun.batch]) {
        faulty.execute(batch, &mut effects).unwrap();
    }
    model().execute(&rerun.batch, &mut right).unwrap();
    effects.lane(rerun.lane).ne(right.lane(rerun.lane))
}

/// A fault that depends on the neighbour: a lane is wrong if its value is smaller than the value of
/// the lane before it.
fn differs_from_before(call: &Call<'_>, lane: usize) -> bool {
    let columns = call.batch.locations().len();
    lane > 0 && columns > 0 && {
        let value = |lane: usize| call.batch.lane(lane).next().map(|(_, value)| value);
        value(lane) < value(lane - 1)
    }
}

/// Whether a word rounds in a mode.
fn rounds(word: u128, mode: &str) -> bool {
    let instruction = codec::decode(word, EncodingTable::provisional()).expect("a legal word");
    instruction.value_name("rnd") == mode
}

/// A device wrongly keeps a mode from one call to the next. The finding names this mode, and the
/// mode of the call whose results are wrong.
#[test]
fn the_modes_of_two_calls_are_named() {
    let idle = Arc::default();
    let fault: Fault =
        |call, _| rounds(call.batch.word(), "RP") && call.previous.is_some_and(|word| rounds(word, "RM"));
    let bugs = bugs_between(&["FADD"], &|| Box::new(Faulty::new(fault, &idle)), &oracle);
    let pairs: Vec<String> = bugs.iter().map(|bug| bug.shown.circumstance.in_full()).collect();
    assert!(!pairs.is_empty());
    for pair in pairs {
        let [first, rest] = ["only after other batches: FADD", " after FADD.RM"];
        assert!(pair.starts_with(first) && pair.contains(".RP") && pair.ends_with(rest), "{pair}");
    }
}

#[test]
fn faults_of_lanes_order_and_calls_are_named() {
    let lanes = |pattern| Circumstance::Lanes(pattern);
    let table: [(&str, Fault, Circumstance); 13] = [
        ("each 32", |_, lane| lane % 32 == 31, lanes(LanePattern::Every { step: 32, offset: 31 })),
        ("one", |_, lane| lane == 700, lanes(LanePattern::One(700))),
        ("last", |call, lane| lane + 1 == call.batch.len() && lane > 0, lanes(LanePattern::Last)),
        ("from", |_, lane| lane >= 1000, lanes(LanePattern::From(1000))),
        // Batches have fewer lanes than 2000. So the fault shows only when one batch contains
        // several copies of the drawn lanes.
        ("far", |_, lane| lane >= 2000, lanes(LanePattern::From(2000))),
        ("below", |call, lane| lane < 9 && call.batch.len() > 9, lanes(LanePattern::Below(9))),
        ("size", |call, _| call.batch.len() > 32, lanes(LanePattern::Size(33))),
        ("small", |call, _| call.batch.len() < 4, lanes(LanePattern::Fewer(4))),
        ("single", |call, _| call.batch.len() == 1, lanes(LanePattern::Fewer(2))),
        ("neighbour", differs_from_before, Circumstance::Neighbours),
        (
            "order",
            |call, lane| lane == 5 && call.previous.is_some_and(|word| word != call.batch.word()),
            Circumstance::Order { pair: None },
        ),
        // By the time its divergences are examined, the subject has already executed more than 200
        // batches.
        ("late", |call, _| call.calls > 200, Circumstance::Calls { first: 201, periodic: false }),
        ("call", |call, _| call.calls % 50 == 0, Circumstance::Calls { first: 50, periodic: true }),
    ];
    for (name, fault, expected) in table {
        let bugs = bugs(fault);
        let said: Vec<_> = bugs.iter().map(|bug| (&bug.signature, &bug.shown.circumstance)).collect();
        assert!(
            bugs.iter().all(|bug| bug.shown.circumstance.to_string() == expected.to_string()),
            "{name}: {said:?}"
        );
        assert!(bugs.len() <= 2, "{name}: {said:?}");
        let is_exact = !matches!(expected, Circumstance::Calls { .. });
        assert!(!is_exact || bugs.iter().all(|bug| comes_back(fault, &bug.shown)), "{name}");
        assert!(bugs.iter().all(|bug| bug.place.is_some_and(|place| place.lane < place.lanes)), "{name}");
    }
}

/// A faulty device takes the oracle's place, and its fault depends on the call. The finding must
/// not claim that the sound subject depends on its calls.
#[test]
fn a_fault_of_the_device_in_the_place_of_the_oracle_is_not_laid_on_the_subject() {
    for (name, fault) in
        [("late", (|call, _| call.calls > 200) as Fault), ("each", |call, _| call.calls % 50 == 0)]
    {
        let idle = Arc::default();
        let bugs = bugs_between(&["POPC", "BREV"], &model, &|| {
            Box::new(SubjectAsOracle::new(Box::new(Faulty::new(fault, &idle))))
        });
        let said: Vec<_> = bugs.iter().map(|bug| &bug.signature).collect();
        let by_chance = [Circumstance::Never, Circumstance::Untried];
        assert!(bugs.iter().all(|bug| by_chance.contains(&bug.shown.circumstance)), "{name}: {said:?}");
    }
}

#[test]
fn a_fault_of_threads_is_named() {
    let bugs = bugs(|call, _| call.is_crowded);
    let said: Vec<_> = bugs.iter().map(|bug| &bug.signature).collect();
    assert!(bugs.iter().all(|bug| bug.shown.circumstance == Circumstance::Threads), "{said:?}");
}

#[test]
fn chance_is_called_chance() {
    static DRAWN: AtomicU64 = AtomicU64::new(0);
    let bugs = bugs(|_, _| {
        let drawn = DRAWN.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (drawn ^ drawn >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 44 == 0
    });
    for bug in bugs {
        let by_chance = [Circumstance::Sometimes, Circumstance::Never, Circumstance::Untried];
        assert!(by_chance.contains(&bug.shown.circumstance), "{}", bug.signature);
    }
}

/// A case that fails alone must not stand for a failure in one lane of a batch. The finding has the
/// circumstance of the batch.
#[test]
fn what_fails_alone_does_not_stand_for_what_fails_in_a_batch() {
    // Alone, every result is wrong. In a batch, only lane 40 is wrong.
    let bugs = bugs(|call, lane| if call.batch.len() > 1 { lane == 40 } else { true });
    let mut circumstances: Vec<_> = bugs.iter().map(|bug| bug.shown.circumstance.clone()).collect();
    circumstances.dedup();
    assert_eq!(circumstances, [Circumstance::Lanes(LanePattern::One(40))]);
}
