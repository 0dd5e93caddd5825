//! MUFU (document `000`): eight functions, whose real values the instruction approximates.
//!
//! The document states no accuracy (E043). So the true result for an operand without a special
//! value is a real number, cut off after the requested number of bits. [`mod@rows`] has the special
//! values, and [`values`] the functions. This module has the types and the halves of operands, and
//! applies the readings.

use assay_isa::effect::Lanes;
use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};
use assay_isa::readings::Reading;
use assay_isa::tables::types::{HSel, MUFUDType, MUFUOp};
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Answer, Arguments, BackendError, Erratum, Estimates, Real, Truths};
use multiversion::multiversion;

use crate::filter::{self, certificate};
use crate::float::QUIET_NAN;
use crate::function::{Angle, Function, ZeroSign};
use crate::operand::Input;
use crate::question::Question;
use crate::reach::{CHUNK, Reach};

mod rows;
mod values;

use rows::{Rows, Subnormals};
pub use values::FunctionValues;

impl Function {
    /// Returns the function that an instruction computes (E033, E035), if it has one.
    fn of(question: &Question) -> Option<Function> {
        let angle = if question.reads(Reading::E035, 1) { Angle::Radians } else { Angle::Turns };
        let swapped = question.reads(Reading::E033, 1);
        Some(match question.instruction.modifier("mufuop")? {
            MUFUOp::COS if swapped => Function::Sine(angle),
            MUFUOp::SIN if swapped => Function::Cosine(angle),
            MUFUOp::COS => Function::Cosine(angle),
            MUFUOp::SIN => Function::Sine(angle),
            MUFUOp::EX2 => Function::PowerOfTwo,
            MUFUOp::LG2 => Function::Logarithm,
            MUFUOp::RCP => Function::Reciprocal,
            MUFUOp::RSQ => Function::ReciprocalRoot,
            MUFUOp::SQRT => Function::Root,
            MUFUOp::TANH => Function::Tangent,
        })
    }

    /// Returns whether the document defines the function for a type.
    fn is_defined_for(self, dtype: MUFUDType) -> bool {
        match dtype {
            MUFUDType::F32 => true,
            MUFUDType::F64 => matches!(self, Function::Reciprocal | Function::ReciprocalRoot),
            _ => matches!(self, Function::PowerOfTwo | Function::Tangent),
        }
    }
}

/// The position and the format of the arguments in an operand.
#[derive(Clone, Copy, Debug)]
struct Layout {
    format: Format,
    /// Number of arguments in a lane.
    packed: usize,
    /// Bit position of the first argument.
    shift: u32,
}

impl Layout {
    /// Returns the layout of an operand of a type. `half` is the half that a suffix selects. A
    /// literal has no suffix, so its lower half is used (E044).
    fn of(dtype: MUFUDType, half: Option<HSel>) -> Layout {
        let selected = if half == Some(HSel::H1) { 16 } else { 0 };
        let (format, packed, shift) = match dtype {
            MUFUDType::F32 => (F32, 1, 0),
            MUFUDType::F64 => (F64_HIGH, 1, 0),
            MUFUDType::F16_V2 => (F16, 2, 0),
            MUFUDType::BF16_V2 => (BF16, 2, 0),
            MUFUDType::F16 => (F16, 1, selected),
            MUFUDType::BF16 => (BF16, 1, selected),
        };
        Layout { format, packed, shift }
    }

    /// Returns the arguments in an operand, the lowest first.
    fn arguments(self, operand: u32) -> impl Iterator<Item = u32> {
        let Layout { format, packed, shift } = self;
        (0..packed as u32).map(move |place| operand >> (shift + place * format.width()) & format.mask())
    }

    /// Reads the arguments of the first `lanes` lanes.
    fn read(self, operand: &Input, lanes: usize, arguments: &mut Vec<u32>) {
        arguments.clear();
        arguments.reserve(lanes * self.packed);
        for lane in 0..lanes {
            arguments.extend(self.arguments(operand.get(lane)));
        }
    }
}

/// Returns how the function treats subnormal numbers (E042). For F64, the tables flush subnormal
/// numbers in every reading.
fn subnormals(question: &Question, function: Function, dtype: MUFUDType) -> Subnormals {
    let reads = |setting| question.reads(Reading::E042, setting);
    let flushed = match dtype {
        MUFUDType::F64 => true,
        MUFUDType::F32 => reads(2) || reads(3),
        MUFUDType::BF16 | MUFUDType::BF16_V2 => reads(3) && function == Function::PowerOfTwo,
        MUFUDType::F16 | MUFUDType::F16_V2 => false,
    };
    match (flushed, function) {
        (false, _) => Subnormals::Honoured,
        (true, Function::Tangent) => Subnormals::Passed,
        (true, _) => Subnormals::Flushed,
    }
}

/// Returns the special values of a function for a type, under the readings.
fn rows(question: &Question, function: Function, dtype: MUFUDType, format: Format) -> Rows {
    let is_of_next = question.reads(Reading::E035, 2) && question.reads(Reading::C007, 2);
    Rows {
        function,
        format,
        subnormals: subnormals(question, function, dtype),
        nan: match dtype {
            MUFUDType::F32 if question.reads(Reading::E036, 1) => u32::MAX,
            MUFUDType::F32 | MUFUDType::F64 => QUIET_NAN,
            _ => QUIET_NAN >> 16,
        },
        cosine_keeps_zeros: question.reads(Reading::E034, 1),
        zeros: if is_of_next { ZeroSign::OfNext } else { ZeroSign::OfArgument },
        saturate: question.instruction.flag("sat"),
        low_word: dtype == MUFUDType::F64 && question.reads(Reading::E040, 1),
    }
}

/// Marks lanes as undefined in two cases: RSQ.F64 of a negative number, if that has no row (E041),
/// and a value without a row whose low word is written (E040).
fn undefine(question: &Question, rows: &Rows, arguments: &[u32], truths: &mut Truths) {
    let is_rsq_f64 = rows.format == F64_HIGH && rows.function == Function::ReciprocalRoot;
    if is_rsq_f64 && question.reads(Reading::E041, 1) {
        question.undefine(truths, Erratum(41), |lane| rows.is_negative_number(arguments[lane]));
    }
    if rows.low_word {
        question.undefine(truths, Erratum(40), |lane| rows.special(arguments[lane]).is_none());
    }
}

/// Computes the true results of MUFU.
pub fn truth(
    question: &Question,
    precision: u32,
    values: &mut FunctionValues,
    truths: &mut Truths,
) -> Result<Answer, BackendError> {
    let dtype = question.instruction.modifier("dtype").unwrap_or(MUFUDType::F32);
    let Some(function) = Function::of(question).filter(|function| function.is_defined_for(dtype)) else {
        return Ok(Answer::Unsupported);
    };
    let [operand] = question.inputs()?;
    let layout = Layout::of(dtype, operand.half);
    let Layout { format, packed, .. } = layout;
    let rows = rows(question, function, dtype, format);
    let mut arguments = Vec::new();
    layout.read(&operand, question.len(), &mut arguments);
    undefine(question, &rows, &arguments, truths);
    let Some(&location) = question.instruction.writes().first() else {
        return Ok(Answer::Known);
    };
    let executed = question.executed();
    let mut reals = values.of(&rows, precision, &arguments, |place| executed.contains(place / packed));
    if question.reads(Reading::E037, 1) {
        force_nan(&mut reals, packed, Real::Bits(rows.nan));
    }
    let values = TruthValues::Reals {
        format,
        packed,
        flush: rows.subnormals == Subnormals::Flushed,
        saturate: rows.saturate,
        arguments,
        values: reals,
    };
    truths.push(Truth { location, values, written: executed.clone() });
    Ok(Answer::Known)
}

/// If one result of a lane is NaN, makes all results of the lane NaN (E037 = 1).
fn force_nan(reals: &mut [Real], packed: usize, nan: Real) {
    reals.chunks_exact_mut(packed).filter(|lane| lane.contains(&nan)).for_each(|lane| lane.fill(nan));
}

/// Collects the arguments of a function of 16-bit numbers, and returns whether it did. It does not
/// do so under E037 = 1, where a result also depends on the lane's other half.
pub fn arguments(question: &Question, arguments: &mut Arguments) -> Result<bool, BackendError> {
    let dtype = question.instruction.modifier("dtype").unwrap_or(MUFUDType::F32);
    let [operand] = question.inputs()?;
    let layout = Layout::of(dtype, operand.half);
    let function = Function::of(question).filter(|function| function.is_defined_for(dtype));
    let location = question.instruction.writes().first().copied();
    let (Some(function), Some(location)) = (function, location) else { return Ok(false) };
    if layout.format.width() != 16 || question.reads(Reading::E037, 1) {
        return Ok(false);
    }
    let rows = rows(question, function, dtype, layout.format);
    arguments.function = format!("{rows:?}");
    layout.read(&operand, question.len(), &mut arguments.values);
    arguments.location = Some(location);
    arguments.executed.clone_from(question.executed());
    arguments.packed = layout.packed;
    Ok(true)
}

/// Estimates the true results of MUFU.F32 in double precision. Returns whether it did.
pub fn estimate(question: &Question, estimates: &mut Estimates) -> Result<bool, BackendError> {
    let dtype = question.instruction.modifier("dtype").unwrap_or(MUFUDType::F32);
    let is_trusted = |function: &Function| dtype == MUFUDType::F32 && certificate::is_trusted(*function);
    let Some(function) = Function::of(question).filter(is_trusted) else {
        return Ok(false);
    };
    let rows = rows(question, function, dtype, F32);
    let location = question.instruction.writes().first().copied();
    let flush = rows.subnormals == Subnormals::Flushed;
    // No instruction has both flushing and saturation.
    if location.is_none() || flush && rows.saturate {
        return Ok(false);
    }
    let [operand] = question.inputs()?;
    operand.read(question.len(), &mut estimates.arguments);
    if let Lanes::Some(executed) = question.executed() {
        let mut executed = executed.iter();
        estimates.arguments.retain(|_| executed.next() == Some(&true));
    }
    estimates.executed.clone_from(question.executed());
    estimate_numbers(function, &rows, estimates);
    estimates.location = location;
    estimates.saturate = rows.saturate;
    estimates.flush = flush;
    estimates.slack = filter::slack(function);
    estimates.traits = function.traits(rows.zeros);
    Ok(true)
}

/// Estimates the function at the arguments. For an argument with a special row, the base is NaN,
/// and `rows` has the result's bits.
fn estimate_numbers(function: Function, special: &Rows, estimates: &mut Estimates) {
    let Estimates { arguments, bases, deltas, rows, has_rows, .. } = estimates;
    bases.resize(arguments.len(), 0.0);
    deltas.resize(arguments.len(), 0.0);
    rows.resize(arguments.len(), 0);
    *has_rows = false;
    let values = bases.chunks_mut(CHUNK).zip(deltas.chunks_mut(CHUNK)).zip(rows.chunks_mut(CHUNK));
    for (arguments, ((bases, deltas), rows)) in arguments.chunks(CHUNK).zip(values) {
        let reach = Reach::of(arguments, F32);
        *has_rows |= special.reach_any(&reach);
        if let Some(row) = special.of_all(&reach) {
            rows.fill(row);
            bases.fill(f64::NAN);
            deltas.fill(0.0);
            continue;
        }
        filter::estimate_chunk(function, &reach, arguments, bases, deltas);
        let in_turns = matches!(function, Function::Sine(Angle::Turns) | Function::Cosine(Angle::Turns));
        if in_turns && function.traits(special.zeros).signed_zeros {
            sign_zeros(function, special.zeros, arguments, bases, deltas);
        }
        if special.reach_any(&reach) {
            for ((argument, base), row) in arguments.iter().zip(bases).zip(rows) {
                if let Some(bits) = special.special(*argument) {
                    (*base, *row) = (f64::NAN, bits);
                }
            }
        }
    }
}

/// Sets the sign of exact zeros. The filter leaves this sign open, because its certificate covers
/// only the values of numbers.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn sign_zeros(function: Function, zeros: ZeroSign, arguments: &[u32], bases: &mut [f64], deltas: &mut [f64]) {
    let zeros_of = bases.iter().zip(&*deltas).map(|(base, delta)| u32::from(*base == 0.0 && *delta == 0.0));
    if zeros_of.sum::<u32>() == 0 {
        return;
    }
    for ((argument, base), delta) in arguments.iter().zip(bases).zip(deltas) {
        let negative = function.has_negative_zero(zeros, f64::from(f32::from_bits(*argument)));
        let zero = if negative == Some(true) { -0.0 } else { 0.0 };
        let is_zero = *base == 0.0 && *delta == 0.0;
        *base = if is_zero { zero } else { *base };
        *delta = if is_zero { zero } else { *delta };
    }
}
