//! Checks whether a device is ready for a campaign. It must follow the protocol. Its answers to a
//! case must not depend on the other cases of a batch or on earlier batches. Its results in a few
//! batches must be right. The checks are in the order in which an author should fix their failures.

mod batches;
mod picked;
mod protocol;

pub use batches::WHOLE;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use assay_isa::effect::Failure;
use assay_isa::{Answer, Batch, Effects, Location, asm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::declaration::Declaration;
use crate::error::DeviceError;
use crate::frame::{reports, written};
use crate::health::Limits;
use crate::pool::TransportKind;
use crate::process::{DeviceHandle, Launcher};
use crate::protocol::{Framing, Hello, HelloReply};

/// An instruction as text, and a batch of it.
pub type Sample = (String, Batch);

/// The source of the batches, and the judge of their results.
pub trait Samples {
    /// Returns some instructions of each mode of an optype, as text.
    fn modes(&self, optype: &str) -> Vec<String>;

    /// Adds a predicate as guard to an instruction. Returns the guarded instruction and the
    /// predicate. `None` if the instruction can have no guard.
    fn guarded(&self, text: &str) -> Option<(String, Location)>;

    /// Returns a batch of up to [`WHOLE`] lanes for an instruction. Lane n has the same values in a
    /// batch of any size.
    fn batch(&self, text: &str, lanes: usize) -> Option<Batch>;

    /// Judges the results of a batch.
    ///
    /// # Errors
    ///
    /// Why the check does not apply.
    fn judge(&self, sample: &Sample, effects: &Effects) -> Result<JudgedSample, String>;
}

/// The judgement of the results of a batch.
pub struct JudgedSample {
    /// Number of judged lanes. The other lanes have results that the readings leave undefined, or
    /// that no bound covers.
    pub judged: usize,
    /// The wrong results. `None` if no judged result is wrong.
    pub wrong: Option<WrongLanes>,
}

/// The wrong results of a batch.
pub struct WrongLanes {
    /// The lanes in ascending order.
    pub lanes: Vec<WrongLane>,
    /// A description of the first wrong lane: its kind of error, its inputs and its results.
    pub first: String,
    /// The command that evaluates the first wrong lane, without a subject. Empty if the lane is
    /// right in a batch of its own.
    pub eval: String,
}

/// A lane with a wrong result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLane {
    /// The lane.
    pub lane: usize,
    /// The name of the kind of error.
    pub kind: &'static str,
}

/// The output of `assay dut check`. Exit status 1 if a check failed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckOutput {
    /// The device as given on the command line.
    pub device: String,
    /// The profile by which values were judged, and the built-in profile that demands more, if any.
    pub profile: String,
    /// The checks. Fix the failures in this order.
    pub checks: Vec<Checked>,
    /// Whether no check failed.
    pub held: bool,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Checked {
    /// Name of the check.
    pub check: &'static str,
    /// The outcome.
    pub outcome: CheckOutcome,
    /// The observation, or the reason why the check failed or was skipped.
    pub detail: String,
    /// The instructions that failed, if the check executes many instructions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<WrongInstruction>,
    /// The optypes that passed, if the check executes many instructions.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub right: BTreeSet<String>,
    /// How to fix the device. Absent if the check did not fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<&'static str>,
}

/// An instruction with wrong results, or on which a check failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrongInstruction {
    /// The instruction.
    pub instruction: String,
    /// The optype.
    pub optype: String,
    /// Number of lanes with a wrong result. Always 1, except in the check `values are right`.
    pub lanes: usize,
    /// A mask of the failing lanes for each kind of error, in hexadecimal digits. The first digit
    /// has lanes 0 to 3, lane 0 in its lowest bit. Masks of different runs can be compared, because
    /// the batch has the same values in each run. Except in the check `values are right`, a mask
    /// has one lane only.
    pub kinds: BTreeMap<String, String>,
    /// A description of the first wrong lane: its kind of error, its inputs and its results. In
    /// checks other than `values are right`, a description of the problem.
    pub first: String,
    /// The command that evaluates the first wrong lane, without a subject. Empty if the lane is
    /// right in a batch of its own, and in checks other than `values are right`.
    #[serde(default)]
    pub eval: String,
}

impl WrongInstruction {
    fn new(instruction: &str, optype: &str, wrong: WrongLanes) -> WrongInstruction {
        let WrongLanes { lanes, first, eval } = wrong;
        let mut kinds: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for WrongLane { lane, kind } in &lanes {
            kinds.entry(kind).or_default().push(*lane);
        }
        WrongInstruction {
            instruction: instruction.to_owned(),
            optype: optype.to_owned(),
            lanes: lanes.len(),
            kinds: kinds.into_iter().map(|(kind, lanes)| (kind.to_owned(), mask(&lanes))).collect(),
            first,
            eval,
        }
    }
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckOutcome {
    /// The check passed.
    Ok,
    /// The check failed.
    Failed,
    /// The check does not apply to this device.
    Skipped,
    /// The check was not executed, because an earlier check failed.
    Untried,
}

/// Checks a device. `hello` offers all framings. `begins` is called before each of [`COUNT`]
/// checks. `tell` receives the output of a library.
pub fn check(
    kind: &TransportKind,
    hello: &Hello,
    limits: &Limits,
    samples: &dyn Samples,
    begins: &mut dyn FnMut(),
    tell: impl Fn(&str) + Send + Sync + 'static,
) -> Vec<Checked> {
    begins();
    let mut bench = match DeviceUnderCheck::new(kind, kind.launcher(tell), hello, limits, samples) {
        Ok(bench) => bench,
        Err(trouble) => {
            let mend = Some("start, read one line of JSON and answer with one: see `assay dut schema`");
            return vec![Checked {
                check: "handshake",
                outcome: CheckOutcome::Failed,
                detail: trouble.words,
                wrong: Vec::new(),
                right: BTreeSet::new(),
                mend,
            }];
        }
    };
    let HelloReply { name, version, framing, .. } = &bench.reply;
    let detail = format!("{name} {version}, framing {}", format!("{framing:?}").to_lowercase());
    let not_failed = |check, outcome, detail| Checked {
        check,
        outcome,
        detail,
        wrong: Vec::new(),
        right: BTreeSet::new(),
        mend: None,
    };
    let mut list = vec![not_failed("handshake", CheckOutcome::Ok, detail)];
    for (check, mend, run) in CHECKS {
        begins();
        // A device that gives invalid answers would fail every further check. One failure is
        // enough, so the other checks are skipped.
        if bench.answers_amiss {
            let detail = "not tried, because an answer of the device cannot be read".to_owned();
            list.push(not_failed(check, CheckOutcome::Untried, detail));
            continue;
        }
        bench.crashes = 0;
        let (outcome, detail) = match run(&mut bench) {
            Ok(CheckResult::Held(detail)) => (CheckOutcome::Ok, detail),
            Ok(CheckResult::Idle(reason)) => (CheckOutcome::Skipped, format!("does not apply: {reason}")),
            Err(trouble) => (CheckOutcome::Failed, trouble.words),
        };
        let mend = if bench.answers_amiss { ANSWER } else { mend };
        list.push(Checked {
            check,
            outcome,
            detail,
            wrong: std::mem::take(&mut bench.wrong),
            right: std::mem::take(&mut bench.right),
            mend: (outcome == CheckOutcome::Failed).then_some(mend),
        });
    }
    list
}

/// The advice for an answer that cannot be read, or does not fit the request.
const ANSWER: &str =
    "answer with the number of the question, and one value for each lane: `assay dut schema`";

/// The result of a check that did not fail.
enum CheckResult {
    /// The observation.
    Held(String),
    /// Why the check does not apply.
    Idle(&'static str),
}

type Check = fn(&mut DeviceUnderCheck<'_>) -> Result<CheckResult, DeviceError>;

/// The checks after the handshake: name, advice for a failure, and the check itself.
const CHECKS: [(&str, &str, Check); 15] = [
    ("capabilities are known", "state optypes, forms or modes that exist", |bench| {
        bench.known().map(CheckResult::Held)
    }),
    ("capabilities are true", "execute what is declared, or declare less", |bench| {
        bench.capable().map(CheckResult::Held)
    }),
    ("other optypes are unsupported", "answer `unsupported` to the others", |bench| bench.incapable()),
    ("empty batch", "answer a batch without lanes with no lanes", |bench| {
        bench.empty().map(CheckResult::Held)
    }),
    ("a batch twice, in another order", "keep nothing from one batch to the next", |bench| {
        bench.repeats().map(CheckResult::Held)
    }),
    ("every lane alone", "let no lane depend on its number or its neighbours", |bench| {
        bench.alone().map(CheckResult::Held)
    }),
    ("batches of 1 to 65,536 lanes", "let no lane depend on the size of its batch", |bench| {
        bench.sizes().map(CheckResult::Held)
    }),
    ("many calls", "keep nothing from one call to the next", |bench| bench.calls().map(CheckResult::Held)),
    (
        "the end of its input",
        "end with status 0 when the standard input ends, or all handles of a library are closed",
        |bench| bench.ends(),
    ),
    ("two handles in turns", "keep the state of a handle in the handle", |bench| {
        bench.handles().map(CheckResult::Held)
    }),
    ("four threads at once", "share nothing between handles", |bench| bench.threads().map(CheckResult::Held)),
    ("a false guard writes nothing", "write and report nothing in a lane whose guard is false", |bench| {
        bench.guarded()
    }),
    ("both framings agree", "give the same answers in JSON and binary", |bench| bench.framings()),
    ("values are right", "compute them as the profile has it, or name the profile that does", |bench| {
        bench.values().map(CheckResult::Held)
    }),
    ("throughput", "", |bench| bench.throughput().map(CheckResult::Held)),
];

/// Number of checks, including the handshake.
pub const COUNT: usize = CHECKS.len() + 1;

/// An executed batch, with its effects.
struct ExecutedBatch {
    sample: Sample,
    effects: Effects,
}

/// A device under check, with the data that the checks share.
struct DeviceUnderCheck<'a> {
    kind: &'a TransportKind,
    launcher: Launcher,
    hello: &'a Hello,
    limits: &'a Limits,
    samples: &'a dyn Samples,
    handle: DeviceHandle,
    reply: HelloReply,
    declaration: Declaration,
    /// Some instructions of each supported form, and a guarded instruction of each optype.
    picked: Vec<String>,
    /// Whether the instructions were picked.
    is_picked: bool,
    /// Whether an answer could not be read or did not fit the request.
    answers_amiss: bool,
    /// The instructions that failed in the current check.
    wrong: Vec<WrongInstruction>,
    /// Number of batches at which the device crashed in the current check.
    crashes: usize,
    /// The optypes that passed the current check.
    right: BTreeSet<String>,
}

/// Returns the mask of some lanes below [`WHOLE`], in hexadecimal digits. The first digit has lanes 0
/// to 3, lane 0 in its lowest bit.
fn mask(lanes: &[usize]) -> String {
    let mut digits = [0; WHOLE / 4];
    lanes.iter().for_each(|lane| digits[lane / 4] |= 1 << (lane % 4));
    digits.iter().filter_map(|digit| char::from_digit(*digit, 16)).collect()
}

fn optype(text: &str) -> Option<String> {
    asm::parse(text).ok().map(|instruction| instruction.optype().to_owned())
}

/// Maximum number of crashes after which a check continues. After each of them the device is
/// started again.
const CRASHES: usize = 16;
/// Maximum number of failures that the message of a check describes.
const TOLD: usize = 3;

impl<'a> DeviceUnderCheck<'a> {
    fn new(
        kind: &'a TransportKind,
        launcher: Launcher,
        hello: &'a Hello,
        limits: &'a Limits,
        samples: &'a dyn Samples,
    ) -> Result<DeviceUnderCheck<'a>, DeviceError> {
        let (handle, reply) = open(&launcher, hello.clone(), limits)?;
        let declaration = Declaration::new(&reply).map_err(DeviceError::unfit)?;
        Ok(DeviceUnderCheck {
            kind,
            launcher,
            hello,
            limits,
            samples,
            handle,
            reply,
            declaration,
            picked: Vec::new(),
            is_picked: false,
            answers_amiss: false,
            wrong: Vec::new(),
            crashes: 0,
            right: BTreeSet::new(),
        })
    }

    fn execute(&mut self, sample: &Sample) -> Result<(Answer, Effects), DeviceError> {
        let answer = ask(&mut self.handle, self.limits, sample);
        self.answers_amiss |= answer
            .as_ref()
            .is_err_and(|trouble| matches!(trouble.failure, Failure::Unreadable | Failure::Unfit));
        answer
    }

    /// Notes a failure of an instruction: its kind, the lane, and the problem. The check continues,
    /// so that one failure does not hide another.
    fn note_failure(&mut self, text: &str, kind: &str, lane: usize, problem: String) {
        let Some(optype) = optype(text) else { return };
        let place = self.wrong.iter().position(|wrong| wrong.instruction == text);
        let place = place.unwrap_or_else(|| {
            self.wrong.push(WrongInstruction {
                instruction: text.to_owned(),
                optype,
                lanes: 1,
                kinds: BTreeMap::new(),
                first: problem,
                eval: String::new(),
            });
            self.wrong.len() - 1
        });
        self.wrong[place].kinds.entry(kind.to_owned()).or_insert_with(|| mask(&[lane]));
    }

    /// Executes a batch that the device must support. If the device answers `unsupported` or
    /// crashes, notes a failure and returns `None`. After too many crashes it returns an error,
    /// which ends the check.
    fn execute_known(&mut self, sample: &Sample) -> Result<Option<Effects>, DeviceError> {
        match self.execute(sample) {
            Ok((answer, effects)) => Ok(self.known_effects(sample, answer, effects)),
            Err(trouble) if trouble.failure == Failure::Crashed && !trouble.at_start => {
                self.crashes += 1;
                if self.crashes > CRASHES {
                    return Err(trouble);
                }
                let kind = format!("{} in a batch of {}", trouble.failure.name(), sample.1.len());
                self.note_failure(&sample.0, &kind, 0, trouble.words);
                Ok(None)
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// Returns the effects of an answer. If the answer is `unsupported`, notes a failure and
    /// returns `None`.
    fn known_effects(&mut self, (text, batch): &Sample, answer: Answer, effects: Effects) -> Option<Effects> {
        if answer == Answer::Known {
            return Some(effects);
        }
        let lanes = batch.len();
        let problem = if self.declaration.is_binding() {
            format!("{text}: declared, and unsupported in a batch of {lanes}")
        } else {
            format!("{text}: executed in a batch of 1, and unsupported in one of {lanes}")
        };
        self.note_failure(text, &format!("unsupported in a batch of {lanes}"), 0, problem);
        None
    }

    /// Ends a check of these instructions. Returns `held` if none failed. Otherwise the error
    /// describes the failures of the first optypes.
    fn conclude(
        &mut self,
        texts: impl IntoIterator<Item = String>,
        held: String,
    ) -> Result<String, DeviceError> {
        self.right = texts.into_iter().filter_map(|text| optype(&text)).collect();
        if self.wrong.is_empty() {
            return Ok(held);
        }
        for WrongInstruction { optype, .. } in &self.wrong {
            self.right.remove(optype);
        }
        let mut firsts: Vec<&WrongInstruction> = Vec::new();
        for wrong in &self.wrong {
            if firsts.iter().all(|first| first.optype != wrong.optype) {
                firsts.push(wrong);
            }
        }
        let more = match firsts.get(TOLD..).unwrap_or_default() {
            [] => String::new(),
            more => {
                let names: Vec<&str> = more.iter().map(|wrong| wrong.optype.as_str()).collect();
                format!("; and in {}", names.join(", "))
            }
        };
        let told: Vec<&str> = firsts.iter().take(TOLD).map(|wrong| wrong.first.as_str()).collect();
        Err(DeviceError::unfit(told.join("; ") + &more))
    }

    fn declares(&self, text: &str) -> bool {
        asm::parse(text).is_ok_and(|instruction| self.declaration.covers(&instruction))
    }

    /// Returns the first declared instruction of an optype that can have a guard, with its guard,
    /// and the predicate of the guard.
    fn guarded_mode(&self, optype: &str) -> Option<(String, Location)> {
        let declared = self.samples.modes(optype).into_iter().filter(|text| self.declares(text));
        let mut guarded = declared.filter_map(|text| self.samples.guarded(&text));
        guarded.find(|(text, _)| self.declares(text))
    }

    fn batch(&self, text: &str, lanes: usize) -> Result<Sample, DeviceError> {
        let few = self.samples.batch(text, lanes.min(WHOLE));
        let few = few.ok_or_else(|| DeviceError::unfit(format!("no batch of {text}")))?;
        if lanes <= WHOLE {
            return Ok((text.to_owned(), few));
        }
        let mut batch = Batch::new(few.word(), few.locations(), lanes);
        for (place, location) in few.locations().iter().enumerate() {
            let values = few.column(*location).unwrap_or_default();
            let column = batch.column_mut(place).iter_mut().enumerate();
            column.for_each(|(lane, value)| *value = values[batches::drawn(lane)]);
        }
        Ok((text.to_owned(), batch))
    }

    /// Executes a batch of each picked instruction.
    fn executed(&mut self, lanes: usize) -> Result<Vec<ExecutedBatch>, DeviceError> {
        let mut list = Vec::new();
        for text in self.picked()? {
            let sample = self.batch(&text, lanes)?;
            if let Some(effects) = self.execute_known(&sample)? {
                list.push(ExecutedBatch { sample, effects });
            }
        }
        Ok(list)
    }
}

/// Executes a batch on a device. An error names the instruction.
fn ask(
    handle: &mut DeviceHandle,
    limits: &Limits,
    (text, batch): &Sample,
) -> Result<(Answer, Effects), DeviceError> {
    let mut effects = Effects::default();
    let deadline = limits.deadline_of(batch.len());
    let answer = handle.attempt(text, batch, deadline, &mut effects).map_err(|trouble| DeviceError {
        words: format!("{text}, {} lanes: {trouble}", batch.len()),
        ..trouble
    })?;
    Ok((answer, effects))
}

fn open(
    launcher: &Launcher,
    hello: Hello,
    limits: &Limits,
) -> Result<(DeviceHandle, HelloReply), DeviceError> {
    let mut handle = launcher.handle(Arc::new(hello), Arc::default(), limits.deadline);
    let reply = handle.connect()?.clone();
    Ok((handle, reply))
}

fn only(hello: &Hello, framing: Framing) -> Hello {
    Hello { framings: vec![framing], ..hello.clone() }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

/// Returns the effects of a lane: the written values by location, and its other effects as texts.
fn lane(effects: &Effects, lane: usize) -> (BTreeMap<Location, u32>, Vec<String>) {
    let said = reports(effects).filter(|(its, _)| *its == lane).map(|(_, report)| report);
    (effects.lane(lane).collect(), sorted(said.collect()))
}

/// Compares two executions of the same batch. In the error, `what` names the two.
fn same(text: &str, what: &str, one: &Effects, other: &Effects) -> Result<(), DeviceError> {
    let all = |effects: &Effects| {
        let columns = written(effects).into_iter().filter(|(_, values)| values.iter().any(Option::is_some));
        (sorted(columns.collect()), sorted(reports(effects).collect::<Vec<_>>()))
    };
    if all(one) == all(other) {
        Ok(())
    } else {
        Err(DeviceError::unfit(format!("{text}: {what} have different answers")))
    }
}
