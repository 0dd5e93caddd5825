//! The reference semantic model: what each instruction does, by integer arithmetic on bits alone.
//!
//! "Mind one" of two: it follows the documents as hardware would, step by step. The oracle in
//! `oracles/mpfr` follows them as mathematics would, and neither is mended by looking at the other.
//!
//! A [`Model`] is handed encoded words and raw values, as a device is. It decodes the word once a batch,
//! `operand` turns columns of locations into columns of operands, and a loop over the lanes applies
//! `float` or `mufu`. [`knobs`] are the readings of the documents and the faults to plant: with
//! [`Shipping`] they are constants and leave no code behind.

mod float;
pub mod knobs;
mod mufu;
mod operand;

use assay_isa::codec;
use assay_isa::readings::Erratum;
use assay_isa::tables::types::FPRound;
use assay_isa::{
    Answer, Batch, Effects, Instruction, Location, Numbers, Operand, Reading, Readings, Subject, VoiceError,
};

use float::Modifiers;
pub use knobs::{FAULTS, Fault, FaultInfo, Knobs, Planted, Shipping, UnknownFault};
use mufu::Function;

/// The model as a subject: the fast one where the readings are `intended`.
pub fn model(numbers: Numbers, readings: Readings) -> Box<dyn Subject> {
    match readings == Readings::INTENDED {
        true => Box::new(Model::new(numbers, Shipping)),
        false => Box::new(Model::new(numbers, Planted::new(readings, None))),
    }
}

/// The model with a fault planted.
pub fn mutant(numbers: Numbers, readings: Readings, fault: Fault) -> Box<dyn Subject> {
    Box::new(Model::new(numbers, Planted::new(readings, Some(fault))))
}

/// The model, under the given knobs.
#[derive(Clone, Debug)]
pub struct Model<K> {
    numbers: Numbers,
    knobs: K,
    plan: Option<Plan>,
    operands: [Vec<u32>; 3],
}

/// Compiles a loop for each rounding mode: on random operands the rounder is most of the work.
macro_rules! by_mode {
    ($modifiers:ident, $lanes:expr) => {
        match $modifiers.rounding {
            FPRound::RN => by_mode!($modifiers, RN, $lanes),
            FPRound::RP => by_mode!($modifiers, RP, $lanes),
            FPRound::RM => by_mode!($modifiers, RM, $lanes),
            FPRound::RZ => by_mode!($modifiers, RZ, $lanes),
        }
    };
    ($modifiers:ident, $mode:ident, $lanes:expr) => {{
        let $modifiers = Modifiers { rounding: FPRound::$mode, ..$modifiers };
        $lanes
    }};
}

/// A decoded word. Sweeps send the same one many times over.
#[derive(Clone, Debug)]
struct Plan {
    word: u128,
    operation: Operation,
    guard: Operand,
    /// With each whether FTZ flushes it.
    inputs: Vec<(Operand, bool)>,
    /// Where the result goes; a write to RZ is discarded (E010).
    output: Option<Location>,
}

/// What lanes do, with everything decided that they share; or why nothing.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Add(Modifiers),
    Multiply(Modifiers),
    MultiplyAdd(Modifiers),
    Special(Function),
    Undefined(Erratum),
    Unsupported,
}

impl Plan {
    fn of<K: Knobs>(k: &K, word: u128, instruction: &Instruction) -> Plan {
        let modifiers = Modifiers::of(k, instruction);
        let operation = match instruction.optype() {
            "FADD" => Operation::Add(modifiers),
            "FMUL" => Operation::Multiply(modifiers),
            // Nothing says what the name in the product's code stands for.
            "FFMA" if k.reading(Reading::E177) == 1 => Operation::Undefined(Erratum(177)),
            "FFMA" => Operation::MultiplyAdd(modifiers),
            "MUFU" => Function::of(instruction).map_or(Operation::Unsupported, Operation::Special),
            _ => Operation::Unsupported,
        };
        let inputs = instruction.inputs().enumerate();
        Plan {
            word,
            operation,
            guard: instruction.guard(),
            inputs: inputs.map(|(position, operand)| (operand, modifiers.flushes(k, position))).collect(),
            output: instruction.outputs().find_map(|output| output.source.location()),
        }
    }
}

impl<K: Knobs> Model<K> {
    /// A model that decodes by `numbers`.
    pub fn new(numbers: Numbers, knobs: K) -> Model<K> {
        Model { numbers, knobs, plan: None, operands: Default::default() }
    }

    fn plan(&mut self, word: u128) -> Result<Plan, VoiceError> {
        if let Some(plan) = self.plan.take_if(|plan| plan.word == word) {
            return Ok(plan);
        }
        let instruction = codec::decode(word, &self.numbers)?;
        self.knobs.enter(instruction.optype());
        Ok(Plan::of(&self.knobs, word, &instruction))
    }

    fn perform(&mut self, plan: &Plan, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        if let Operation::Unsupported = plan.operation {
            return Ok(Answer::Unsupported);
        }
        for ((operand, flushed), values) in plan.inputs.iter().zip(&mut self.operands) {
            operand::load(&self.knobs, batch, *operand, *flushed, values)?;
        }
        let written = operand::guarded(&self.knobs, batch, plan.guard)?;
        match (plan.operation, written, plan.output) {
            (Operation::Undefined(erratum), Some(executed), _) => {
                let lanes = (0..batch.len()).filter(|lane| executed.contains(*lane));
                lanes.for_each(|lane| effects.undefine(lane, erratum));
            }
            (operation, Some(written), Some(output)) => {
                self.compute(operation, effects.write(output, written))
            }
            _ => {}
        }
        Ok(Answer::Known)
    }

    fn compute(&self, operation: Operation, results: &mut [u32]) {
        let k = &self.knobs;
        let [a, b, c] = &self.operands;
        match operation {
            Operation::Add(m) => by_mode!(m, binary(results, a, b, |a, b| float::fadd(k, m, a, b))),
            Operation::Multiply(m) => by_mode!(m, binary(results, a, b, |a, b| float::fmul(k, m, a, b))),
            Operation::MultiplyAdd(m) => {
                by_mode!(m, ternary(results, a, b, c, |a, b, c| float::ffma(k, m, a, b, c)))
            }
            Operation::Special(Function::RcpF32 { sat }) => unary(results, a, |x| mufu::rcp_f32(k, sat, x)),
            Operation::Special(Function::RcpF64) => unary(results, a, |x| mufu::rcp_f64(k, x)),
            Operation::Undefined(_) | Operation::Unsupported => {}
        }
    }
}

#[inline]
fn unary(results: &mut [u32], x: &[u32], lane: impl Fn(u32) -> u32) {
    for (result, x) in results.iter_mut().zip(x) {
        *result = lane(*x);
    }
}

#[inline]
fn binary(results: &mut [u32], a: &[u32], b: &[u32], lane: impl Fn(u32, u32) -> u32) {
    for ((result, a), b) in results.iter_mut().zip(a).zip(b) {
        *result = lane(*a, *b);
    }
}

#[inline]
fn ternary(results: &mut [u32], a: &[u32], b: &[u32], c: &[u32], lane: impl Fn(u32, u32, u32) -> u32) {
    for (((result, a), b), c) in results.iter_mut().zip(a).zip(b).zip(c) {
        *result = lane(*a, *b, *c);
    }
}

impl<K: Knobs> Subject for Model<K> {
    fn name(&self) -> &str {
        "model"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        effects.reset(batch.len());
        let plan = self.plan(batch.word())?;
        let answer = self.perform(&plan, batch, effects);
        self.plan = Some(plan);
        answer
    }
}
