//! The reference semantic model: what each instruction does, by integer arithmetic on bits alone.
//!
//! "Mind one" of two: it follows the documents as hardware would, step by step. The oracle in
//! `oracles/mpfr` follows them as mathematics would, and neither is mended by looking at the other.
//!
//! A [`Model`] is handed encoded words and raw values, as a device is. It decodes the word once a batch into
//! a `plan`, `operand` turns columns of locations into columns of operands, and for each output a loop over
//! the lanes applies `float`, `compare`, `mufu`, `bits` or `uniform`; `memory`, `system` and `bfn` have loops of their own.
//! [`knobs`] are the readings of the documents: with [`Shipping`] they are constants and leave no code behind. They are hooks
//! as well, by which `oracles/faults` plants faults around the units; what it plants within one has a [`Site`]. Sources that the
//! code assigns to are overwritten in `assign`, under the one reading that takes it at its word.

mod assign;
mod bfn;
mod bits;
mod compare;
mod float;
mod gap;
pub mod knobs;
mod memory;
mod mufu;
mod operand;
mod plan;
mod site;
mod strays;
mod system;
mod uniform;

use assay_isa::codec;
use assay_isa::effect::Lanes;
use assay_isa::tables::types::FPRound;
use assay_isa::{Answer, Batch, Effects, Numbers, Reading, Readings, Subject, VoiceError};

use float::Modifiers;
use knobs::Unit;
pub use knobs::{COLUMNS, Computed, Knobs, Shipping};
pub use mufu::{Class, Given, Rom, Table, given};
use plan::{Operation, Plan};
pub use site::Site;
use strays::Strays;

/// The model as a subject: the fast one where the readings are `intended`.
pub fn model(numbers: Numbers, readings: Readings) -> Box<dyn Subject> {
    match readings == Readings::INTENDED {
        true => Box::new(Model::new(numbers, Shipping)),
        false => Box::new(Model::new(numbers, readings)),
    }
}

/// The model, under the given knobs.
#[derive(Clone, Debug)]
pub struct Model<K> {
    numbers: Numbers,
    knobs: K,
    plan: Option<Plan>,
    /// Places that a misread word names and a batch has no values for.
    strays: Strays,
    operands: [Vec<u32>; COLUMNS],
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

impl<K: Knobs> Model<K> {
    /// A model that decodes by `numbers`.
    pub fn new(numbers: Numbers, knobs: K) -> Model<K> {
        Model { numbers, knobs, plan: None, strays: Strays::default(), operands: Default::default() }
    }

    fn plan(&mut self, word: u128) -> Result<Plan, VoiceError> {
        if let Some(plan) = self.plan.take_if(|plan| plan.word == word) {
            return Ok(plan);
        }
        let mut instruction = codec::decode(word, &self.numbers)?;
        self.knobs.enter(&instruction);
        self.strays.reads.clear();
        if let Some(misread) = self.knobs.misread(&instruction, word, &self.numbers) {
            instruction = codec::decode(misread, &self.numbers)?;
            self.strays.reads = instruction.reads();
        }
        Ok(Plan::of(&self.knobs, word, instruction))
    }

    fn perform(&mut self, plan: &Plan, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        let Some(operation) = plan.operation else { return Ok(Answer::Unsupported) };
        let k = &self.knobs;
        for (input, values) in plan.inputs.iter().zip(&mut self.operands) {
            operand::load(batch, input, input.flushed, values)?;
            k.read(input.position.into(), input.word, input.flushed, values);
        }
        k.before(&plan.instruction, &mut self.operands);
        let Some(mut lanes) = operand::guarded(k, batch, plan.guard)? else { return Ok(Answer::Known) };
        if let Some(gap) = plan.gap {
            lanes = gap.report(&self.operands, &lanes, effects);
        }
        if k.reading(Reading::E012) == 1 {
            assign::overwrite(k, plan, batch, &lanes, effects)?;
        }
        match operation {
            Operation::Access(access) => {
                memory::perform(k, access, batch, &self.operands, &lanes, &plan.outputs, effects)?;
            }
            Operation::Signal(signal) => system::report(k, signal, &self.operands, &lanes, effects),
            Operation::Channels(channels) => bfn::perform(k, &channels, &lanes, batch, effects)?,
            _ => self.write(operation, plan, &lanes, effects),
        }
        Ok(Answer::Known)
    }

    /// Writes a column for each output that has a place.
    fn write(&self, operation: Operation, plan: &Plan, lanes: &Lanes, effects: &mut Effects) {
        let k = &self.knobs;
        let unit: Unit<'_> = &|columns, position, results| compute(k, operation, columns, position, results);
        for (position, output) in plan.outputs.iter().enumerate() {
            if let Some(location) = *output {
                let results = effects.write(location, k.written(lanes));
                compute(k, operation, &self.operands, position, results);
                let (instruction, columns) = (&plan.instruction, &self.operands);
                k.after(&Computed { instruction, position, columns, unit }, results);
                k.results(lanes, location, results);
            }
        }
    }
}

/// The columns of the operands that an operation sees.
type Columns = [Vec<u32>; COLUMNS];

/// Computes the output at a position of [`Plan::outputs`].
fn compute<K: Knobs>(k: &K, operation: Operation, columns: &Columns, position: usize, results: &mut [u32]) {
    let [a, b, c, ..] = columns;
    match operation {
        Operation::Add(m) => add(k, m, columns, results),
        Operation::Multiply(m) => multiply(k, m, columns, results),
        Operation::MultiplyAdd(m) => multiply_add(k, m, columns, results),
        Operation::MinMax(m) => ternary(results, a, b, c, |a, b, pp| compare::fmnmx(k, m, a, b, pp)),
        Operation::ComparePredicates(tables) => {
            ternary(results, a, b, c, |a, b, pp| compare::fsetp(tables[position], a, b, pp))
        }
        Operation::CompareMask { table, yes } => {
            ternary(results, a, b, c, |a, b, pp| compare::fset(table, yes, a, b, pp))
        }
        Operation::Select => ternary(results, a, b, c, |a, b, pp| compare::fsel(k, a, b, pp)),
        Operation::CheckDivision => binary(results, a, b, |a, b| compare::fchk(k, a, b)),
        Operation::Special(function) => mufu::compute(k, function, a, results),
        Operation::CountOnes => unary(results, a, bits::popc),
        Operation::FindLeadingOne(m) => unary(results, a, |x| bits::flo(k, m, x)),
        Operation::Complement => unary(results, a, |x| bits::brev(k, x)),
        Operation::Mask(m) => binary(results, a, b, |a, b| bits::bmsk(m, a, b)),
        Operation::Extend(m) => binary(results, a, b, |a, b| bits::sgxt(k, m, a, b)),
        Operation::Copy => results.copy_from_slice(&columns[position]),
        Operation::Uniform(uniform) => uniform.compute(k, columns, position, results),
        Operation::Access(_) | Operation::Signal(_) | Operation::Channels(_) => {
            unreachable!("these have loops of their own")
        }
    }
}

// A function each, because the optimiser is less thorough in a large one.

#[inline(never)]
fn add<K: Knobs>(k: &K, m: Modifiers, [a, b, ..]: &Columns, results: &mut [u32]) {
    by_mode!(m, binary(results, a, b, |a, b| float::fadd(k, m, a, b)))
}

#[inline(never)]
fn multiply<K: Knobs>(k: &K, m: Modifiers, [a, b, ..]: &Columns, results: &mut [u32]) {
    by_mode!(m, binary(results, a, b, |a, b| float::fmul(k, m, a, b)))
}

#[inline(never)]
fn multiply_add<K: Knobs>(k: &K, m: Modifiers, [a, b, c, ..]: &Columns, results: &mut [u32]) {
    by_mode!(m, ternary(results, a, b, c, |a, b, c| float::ffma(k, m, a, b, c)))
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

/// A loop over columns, as many as a lane looks at.
#[inline(always)]
fn lanes<const N: usize>(results: &mut [u32], columns: [&[u32]; N], lane: impl Fn([u32; N]) -> u32) {
    let columns = columns.map(|column| &column[..results.len()]);
    for (i, result) in results.iter_mut().enumerate() {
        // A loop, for the compiler does not see through `map` where there are five columns.
        let mut values = [0; N];
        for (value, column) in values.iter_mut().zip(&columns) {
            *value = column[i];
        }
        *result = lane(values);
    }
}

impl<K: Knobs> Subject for Model<K> {
    fn name(&self) -> &str {
        "model"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        effects.reset(batch.len());
        let plan = self.plan(batch.word())?;
        let strays = self.strays.fill(batch);
        let answer = self.perform(&plan, strays.as_ref().unwrap_or(batch), effects);
        self.plan = Some(plan);
        answer
    }
}
