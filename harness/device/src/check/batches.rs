//! Checks that the answer to a case is right, and is the same in other batches, orders and threads.
//!
//! A fault can depend on a lane, a neighbour, the order of batches, the number of calls or another
//! thread. A campaign may take hours to hit such a fault, and minutes to distinguish it from a
//! wrong value. Here the same few cases are executed under all these conditions.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

use assay_isa::{Answer, Effects, asm};

use super::{
    DeviceUnderCheck, ExecutedBatch, Sample, TOLD, WrongInstruction, WrongLane, WrongLanes, ask, lane, only,
    open, same,
};
use crate::error::DeviceError;
use crate::frame::{reports, written};
use crate::protocol::Hello;

/// Number of lanes of the batch whose lanes are also executed one by one: two groups of 64, and two
/// more.
pub(super) const LANES: usize = 130;
/// Sizes of batches. Each lane is compared with the lane of a batch of [`WHOLE`] that has the same
/// contents.
const SIZES: [usize; 13] = [1, 2, 31, 32, 33, 64, 128, 256, 512, 1000, 2048, 4096, 65_536];
/// Number of lanes of a usual batch.
pub const WHOLE: usize = 1024;
/// Strides through the list of instructions, one for each order of execution. All are primes.
const STRIDES: [usize; 8] = [7, 11, 17, 29, 47, 79, 127, 211];
/// Number of calls that the check `many calls` makes on one handle.
const CALLS: usize = 1 << 15;
/// Number of threads that execute at the same time.
const THREADS: usize = 4;
/// Time limit of a check. A check that reaches it ends and reports its progress. On a busy machine,
/// 5 seconds were too few to find a rare fault.
const BUDGET: Duration = Duration::from_secs(15);
/// Minimum time and minimum number of batches of each thread. A thread ends when it has reached
/// both minima, or when [`BUDGET`] is over. The minimum number is for busy machines, on which the
/// threads rarely run at the same time.
const CROWDED: (Duration, usize) = (Duration::from_secs(1), 5_000);
/// Minimum percentage of judged lanes, 0 to 100. With fewer judged lanes, the check of values
/// fails.
const LEAST_JUDGED: usize = 50;

type BatchFault = Result<String, DeviceError>;

/// Maps a lane of a larger batch to the lane of the batch of [`WHOLE`] lanes from which its inputs
/// are copied. Lanes `WHOLE` apart get different inputs. Otherwise a device that confuses the two
/// lanes would pass.
pub fn drawn(lane: usize) -> usize {
    (lane + lane / WHOLE) % WHOLE
}

/// Returns the first lane of a larger or smaller batch whose effects differ from the effects of the
/// same case in a batch of [`WHOLE`] lanes, and what differs. `None` if no lane differs.
fn first_difference(whole: &Effects, other: &Effects, size: usize) -> Option<(usize, String)> {
    let columns = [whole, other].map(|effects| -> BTreeMap<_, _> { written(effects).into_iter().collect() });
    let locations: BTreeSet<_> = columns.iter().flat_map(BTreeMap::keys).collect();
    let in_values = locations.into_iter().filter_map(|location| {
        let [known, values] = columns.each_ref().map(|columns| columns.get(location));
        let at = |values: Option<&Vec<Option<u32>>>, lane: usize| values.and_then(|values| values[lane]);
        let nth = (0..size).find(|nth| at(values, *nth) != at(known, drawn(*nth)))?;
        Some((nth, location.to_string()))
    });
    let [known, found] = [whole, other].map(reports_by_lane);
    let is_other = |nth: &usize| found.get(nth) != known.get(&drawn(*nth));
    let in_events = (0..size).find(is_other).map(|nth| (nth, "its event".to_owned()));
    in_values.chain(in_events).min()
}

/// Returns the reported events of each lane that has any, in ascending order.
fn reports_by_lane(effects: &Effects) -> BTreeMap<usize, Vec<String>> {
    let mut lanes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    reports(effects).for_each(|(lane, report)| lanes.entry(lane).or_default().push(report));
    lanes.values_mut().for_each(|list| list.sort());
    lanes
}

/// Returns the instructions of some batches.
pub(super) fn texts(batches: &[ExecutedBatch]) -> Vec<String> {
    batches.iter().map(|batch| batch.sample.0.clone()).collect()
}

/// The progress of a check within its time limit.
struct Pace {
    until: Instant,
    done: usize,
}

impl Pace {
    fn new() -> Pace {
        Pace { until: Instant::now() + BUDGET, done: 0 }
    }

    /// Counts a step, if time is left. Returns whether time is left.
    fn step(&mut self) -> bool {
        let is_left = Instant::now() < self.until;
        self.done += usize::from(is_left);
        is_left
    }

    /// Returns the instructions of these batches if all `of` steps were executed, and otherwise
    /// none. A check that ran out of time may have missed a failure of any instruction.
    fn reached(&self, of: usize, batches: &[ExecutedBatch]) -> Vec<String> {
        if self.done < of { Vec::new() } else { texts(batches) }
    }

    fn says(&self, of: usize, what: &str) -> String {
        if self.done < of {
            format!("{} of {of} {what}, then {} s were over", self.done, BUDGET.as_secs())
        } else {
            format!("{of} {what}")
        }
    }
}

impl DeviceUnderCheck<'_> {
    pub(super) fn repeats(&mut self) -> BatchFault {
        let first = self.executed(LANES)?;
        let mut pace = Pace::new();
        // In the different orders, each instruction follows many others. So state that an
        // instruction leaves behind can show in the next instruction.
        let orders = STRIDES.iter().flat_map(|stride| (0..first.len()).map(move |nth| (nth + 1) * stride));
        for place in orders.take_while(|_| pace.step()) {
            let ExecutedBatch { sample, effects } = &first[place % first.len()];
            if let Some(again) = self.execute_known(sample)? {
                self.compare(&sample.0, "the same batch twice, after other batches,", effects, &again);
            }
        }
        let of = STRIDES.len() * first.len();
        self.conclude(pace.reached(of, &first), pace.says(of, "batches again"))
    }

    pub(super) fn alone(&mut self) -> BatchFault {
        let whole = self.executed(LANES)?;
        let mut pace = Pace::new();
        // The outer loop is over lanes. So on a slow device, some lanes of every instruction are
        // tested before the time is over.
        for nth in 0..LANES {
            for ExecutedBatch { sample: (text, batch), effects } in &whole {
                if !pace.step() {
                    break;
                }
                let alone = self.execute_known(&(text.clone(), batch.single(nth)))?;
                if alone.is_some_and(|alone| lane(effects, nth) != lane(&alone, 0)) {
                    let problem =
                        format!("{text}: lane {nth} of a batch of {LANES} differs from the same case alone");
                    self.note_failure(text, "alone", nth, problem);
                }
            }
        }
        let of = LANES * whole.len();
        self.conclude(pace.reached(of, &whole), pace.says(of, "cases"))
    }

    pub(super) fn sizes(&mut self) -> BatchFault {
        let whole = self.executed(WHOLE)?;
        let mut pace = Pace::new();
        for size in SIZES {
            for ExecutedBatch { sample: (text, _), effects } in &whole {
                if !pace.step() {
                    break;
                }
                let sample = self.batch(text, size)?;
                let Some(other) = self.execute_known(&sample)? else { continue };
                if let Some((nth, what)) = first_difference(effects, &other, size) {
                    let problem = format!(
                        "{text}: lane {nth} of a batch of {size} differs in {what} from the same case in a \
                         batch of {WHOLE}"
                    );
                    self.note_failure(text, &format!("in a batch of {size}"), drawn(nth), problem);
                }
            }
        }
        let of = SIZES.len() * whole.len();
        self.conclude(pace.reached(of, &whole), pace.says(of, "batches"))
    }

    pub(super) fn calls(&mut self) -> BatchFault {
        let whole = self.executed(LANES)?;
        let mut pace = Pace::new();
        for call in 0..CALLS {
            let (Some(ExecutedBatch { sample: (text, batch), effects }), true) =
                (whole.get(call % whole.len().max(1)), pace.step())
            else {
                break;
            };
            let nth = call / whole.len() % LANES;
            let alone = self.execute_known(&(text.clone(), batch.single(nth)))?;
            if alone.is_some_and(|alone| lane(effects, nth) != lane(&alone, 0)) {
                let problem = format!(
                    "{text}: another result after {call} calls of one case each, and those of the checks before"
                );
                self.note_failure(text, "after other calls", nth, problem);
            }
        }
        self.conclude(pace.reached(CALLS, &whole), pace.says(CALLS, "calls"))
    }

    pub(super) fn handles(&mut self) -> BatchFault {
        let whole = self.executed(LANES)?;
        let (mut second, _) = open(&self.launcher, self.same_framing(), self.limits)?;
        let mut pace = Pace::new();
        for (nth, ExecutedBatch { sample, effects }) in whole.iter().enumerate() {
            if !pace.step() {
                break;
            }
            let other = &whole[(nth + whole.len() / 2) % whole.len()];
            let (answer, theirs) = ask(&mut second, self.limits, &other.sample)?;
            if let Some(theirs) = self.known_effects(&other.sample, answer, theirs) {
                self.compare(&other.sample.0, "two handles in turns", &other.effects, &theirs);
            }
            if let Some(again) = self.execute_known(sample)? {
                self.compare(&sample.0, "two handles in turns", effects, &again);
            }
        }
        self.conclude(pace.reached(whole.len(), &whole), pace.says(whole.len(), "instructions"))
    }

    pub(super) fn threads(&mut self) -> BatchFault {
        let whole = self.executed(LANES)?;
        let (launcher, limits, hello) = (&self.launcher, self.limits, self.same_framing());
        let whole = &whole;
        // The failing instructions, each with its problem.
        type Failures = Vec<(String, String)>;
        let at_once = |thread: usize| -> Result<(usize, Failures), DeviceError> {
            let (mut handle, _) = open(launcher, hello.clone(), limits)?;
            let (begun, mut batches, mut failures) = (Instant::now(), 0, Failures::new());
            let is_going_on = |batches| match begun.elapsed() {
                elapsed if elapsed < CROWDED.0 => true,
                elapsed => batches < CROWDED.1 && elapsed < BUDGET,
            };
            // Each thread begins at another instruction, so that different modes are executed at
            // the same time.
            let mut turns = whole.iter().cycle().skip(thread * whole.len() / THREADS);
            while is_going_on(batches) {
                let Some(ExecutedBatch { sample, effects }) = turns.next() else { break };
                // An `unsupported` answer has no effects, so it also counts as a difference.
                let (_, again) = ask(&mut handle, limits, sample)?;
                if let Err(trouble) = same(&sample.0, "one thread and several", effects, &again)
                    && !failures.iter().any(|(text, _)| *text == sample.0)
                {
                    failures.push((sample.0.clone(), trouble.words));
                }
                batches += 1;
            }
            Ok((batches, failures))
        };
        let counts = thread::scope(|scope| {
            let at_once = &at_once;
            let threads: Vec<_> = (0..THREADS).map(|nth| scope.spawn(move || at_once(nth))).collect();
            threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect::<Vec<_>>()
        });
        let counts: Vec<(usize, Failures)> = counts.into_iter().collect::<Result<_, _>>()?;
        let batches: usize = counts.iter().map(|(batches, _)| batches).sum();
        for (text, problem) in counts.into_iter().flat_map(|(_, failures)| failures) {
            self.note_failure(&text, "with several threads", 0, problem);
        }
        self.conclude(texts(whole), format!("{batches} batches"))
    }

    pub(super) fn values(&mut self) -> BatchFault {
        let whole = self.executed(WHOLE)?;
        // These are the instructions at which the device crashed, or that it does not support.
        let mut wrong: Vec<String> = self.wrong.iter().map(|failed| failed.first.clone()).collect();
        let mut judged = 0;
        for ExecutedBatch { sample, effects } in &whole {
            let outcome = self.samples.judge(sample, effects).map_err(DeviceError::unfit)?;
            judged += outcome.judged;
            let instruction = asm::parse(&sample.0).map_err(|error| DeviceError::unfit(error.to_string()))?;
            if let Some(mut lanes) = outcome.wrong {
                self.try_alone(sample, &mut lanes)?;
                let (count, first) = (lanes.lanes.len(), &lanes.first);
                wrong.push(format!("{}: {count} of {WHOLE} lanes, first {first}", sample.0));
                self.wrong.push(WrongInstruction::new(&sample.0, instruction.optype(), lanes));
            } else if outcome.judged > 0 {
                self.right.insert(instruction.optype().to_owned());
            }
        }
        for WrongInstruction { optype, .. } in &self.wrong {
            self.right.remove(optype);
        }
        if wrong.is_empty() {
            let percent = 100 * judged / (whole.len() * WHOLE).max(1);
            let extent =
                format!("{} instructions, {WHOLE} lanes each, {percent} % of them judged", whole.len());
            return if percent < LEAST_JUDGED {
                Err(DeviceError::unfit(format!(
                    "no result is wrong, but too few were judged to say that the values are right: {extent}, less than \
                     {LEAST_JUDGED} %; the readings leave the others undefined, or the profile has no bound for them"
                )))
            } else {
                Ok(extent)
            };
        }
        let (count, told) = (wrong.len(), wrong.iter().take(TOLD).cloned().collect::<Vec<_>>().join("; "));
        let of = self.picked.len();
        Err(DeviceError::unfit(format!("{count} of {of} instructions are wrong. {told}")))
    }

    /// Executes the first wrong lane of a batch in a batch of its own. If its result is right there,
    /// removes the command that evaluates the lane, because the command would show a right result.
    fn try_alone(&mut self, (text, batch): &Sample, wrong: &mut WrongLanes) -> Result<(), DeviceError> {
        let Some(WrongLane { lane, .. }) = wrong.lanes.first() else { return Ok(()) };
        let alone = (text.clone(), batch.single(*lane));
        // A crash, too, shows in the command.
        let Ok((Answer::Known, effects)) = self.execute(&alone) else { return Ok(()) };
        if self.samples.judge(&alone, &effects).map_err(DeviceError::unfit)?.wrong.is_none() {
            wrong.eval.clear();
            wrong.first += "; in a batch of its own, the lane is right";
        }
        Ok(())
    }

    /// Compares the effects of an instruction, and notes a failure if they differ.
    pub(super) fn compare(&mut self, text: &str, under: &str, one: &Effects, other: &Effects) {
        if let Err(trouble) = same(text, under, one, other) {
            self.note_failure(text, under, 0, trouble.words);
        }
    }

    /// Returns a hello that offers only the framing that the device chose.
    pub(super) fn same_framing(&self) -> Hello {
        only(self.hello, self.reply.framing)
    }
}
