//! APFloat, LLVM's software floating point, as an implementation of FALU's arithmetic and comparisons.

use std::cmp::Ordering;

use assay_isa::codec::decode;
use assay_isa::readings::Reading;
use assay_isa::tables::types::{FCMPOp, FPRound};
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Erratum, Instruction, Readings, Subject,
};
use rustc_apfloat::ieee::{Double, IeeeFloat, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::arithmetic::{Arithmetic, Operation};
use crate::check::needs_care;
use crate::comparison::Floats;
use crate::computation::Computation;
use crate::operands::{inputs, write};

/// LLVM's APFloat, in the Rust port that rustc uses to evaluate constants. Supports FADD, FMUL,
/// FFMA, FMNMX, FSETP, FSET, FSEL and FCHK. For FSEL, APFloat only recognises subnormals. For FCHK,
/// APFloat only gives the exponents.
///
/// Besides the readings `intended`, it follows E169 = 1 (ties away), E170 = 1 (.SAT keeps -0) and
/// E173 = 2 (.FTZ flushes results that are tiny after rounding with an unbounded exponent). Under
/// any other setting that can change the result, the instruction is unsupported.
#[derive(Clone, Debug)]
pub struct ApFloat {
    numbers: EncodingTable,
    readings: Readings,
}

const FOLLOWED: &[Erratum] = &[Erratum(169), Erratum(170), Erratum(173)];

impl ApFloat {
    /// Creates the implementation with an encoding table and readings.
    pub fn new(numbers: EncodingTable, readings: Readings) -> ApFloat {
        ApFloat { numbers, readings }
    }

    fn round(&self, round: FPRound) -> Round {
        match round {
            FPRound::RN if self.readings.get(Reading::E169) == 1 => Round::NearestTiesToAway,
            FPRound::RN => Round::NearestTiesToEven,
            FPRound::RP => Round::TowardPositive,
            FPRound::RM => Round::TowardNegative,
            FPRound::RZ => Round::TowardZero,
        }
    }
}

impl Subject for ApFloat {
    fn name(&self) -> &str {
        "apfloat"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        let instruction = decode(batch.word(), &self.numbers)?;
        let Some(computation) = Computation::of(&instruction, &self.readings) else {
            return Ok(Answer::Unsupported);
        };
        if !computation.is_settled(&instruction, &self.readings, FOLLOWED) {
            return Ok(Answer::Unsupported);
        }
        match computation {
            Computation::Arithmetic(arithmetic) => {
                self.calculate(&arithmetic, &instruction, batch, effects)?;
            }
            Computation::Comparison(comparison) => comparison.write::<Order>(&instruction, batch, effects)?,
            Computation::Check => check(&instruction, batch, effects)?,
            Computation::Integer(_) => return Ok(Answer::Unsupported),
        }
        Ok(Answer::Known)
    }
}

impl ApFloat {
    fn calculate(
        &self,
        arithmetic: &Arithmetic,
        instruction: &Instruction,
        batch: &Batch,
        effects: &mut Effects,
    ) -> Result<(), BackendError> {
        let (operation, round) = (arithmetic.operation, self.round(arithmetic.round));
        let flush_tiny = arithmetic.flushes() && self.readings.get(Reading::E173) == 2;
        let inputs = inputs(instruction, batch)?;
        write(instruction, batch, effects, |_, lane| {
            let operand = |i: usize| inputs.get(i).map_or(0, |input| arithmetic.operand(input.get(lane)));
            let operands = [operand(0), operand(1), operand(2)].map(single);
            let rounded: Single = compute(operation, operands, round);
            let tiny = flush_tiny && is_tiny(operation, operands, round);
            arithmetic.result(rounded.to_bits() as u32, tiny)
        })
    }
}

fn single(bits: u32) -> Single {
    Single::from_bits(bits.into())
}

/// Computes the exact result of the operation, and rounds it once to the format `S`. `S` must be
/// able to represent every F32.
fn compute<S: Semantics>(operation: Operation, operands: [Single; 3], round: Round) -> IeeeFloat<S>
where
    Single: FloatConvert<IeeeFloat<S>>,
    Double: FloatConvert<IeeeFloat<S>>,
{
    let [a, b, c] = operands.map(|o| o.convert(&mut false).value);
    match operation {
        Operation::Add => a.add_r(b, round).value,
        Operation::Mul { scale: 0 } => a.mul_r(b, round).value,
        Operation::Mul { scale } => {
            let product = scaled_product(operands[0], operands[1], scale);
            product.convert_r(round, &mut false).value
        }
        Operation::Fma => a.mul_add_r(b, c, round).value,
    }
}

/// Returns a·2^scale·b exactly. A finite nonzero product has at most 48 significant bits, and a
/// magnitude from 2^-301 to 2^259.
fn scaled_product(a: Single, b: Single, scale: i32) -> Double {
    let [a, b] = [a, b].map(|o| -> Double { o.convert(&mut false).value });
    (a * b).value.scalbn(scale)
}

/// Returns whether the result is nonzero, but below 2^-126 in magnitude when rounded to 24 bits
/// with an unbounded exponent.
fn is_tiny(operation: Operation, operands: [Single; 3], round: Round) -> bool {
    let rounded: IeeeFloat<Wide> = compute(operation, operands, round);
    rounded.is_finite_non_zero() && rounded.ilogb() < Single::MIN_EXP
}

/// A format with the precision of F32 and four more exponent bits.
struct Wide;

impl Semantics for Wide {
    const BITS: usize = 36;
    const EXP_BITS: usize = 12;
}

fn check(instruction: &Instruction, batch: &Batch, effects: &mut Effects) -> Result<(), BackendError> {
    let inputs = inputs(instruction, batch)?;
    write(instruction, batch, effects, |_, lane| {
        let exponent = |i: usize| single(inputs[i].get(lane)).ilogb();
        needs_care(exponent(0), exponent(1)).into()
    })
}

/// Compares and classifies F32 patterns with APFloat.
struct Order;

impl Floats for Order {
    fn is_nan(x: u32) -> bool {
        single(x).is_nan()
    }

    fn is_subnormal(x: u32) -> bool {
        single(x).is_denormal()
    }

    fn holds(cmp: FCMPOp, a: u32, b: u32) -> bool {
        use FCMPOp::{EQ, EQU, GE, GEU, GT, GTU, LE, LEU, LT, LTU, NAN, NE, NEU, NUM};
        match single(a).partial_cmp(&single(b)) {
            None => matches!(cmp, EQU | NEU | LTU | LEU | GTU | GEU | NAN),
            Some(Ordering::Less) => matches!(cmp, NE | LT | LE | NEU | LTU | LEU | NUM),
            Some(Ordering::Equal) => matches!(cmp, EQ | LE | GE | EQU | LEU | GEU | NUM),
            Some(Ordering::Greater) => matches!(cmp, NE | GT | GE | NEU | GTU | GEU | NUM),
        }
    }

    fn minimum(a: u32, b: u32) -> u32 {
        single(a).minimum(single(b)).to_bits() as u32
    }

    fn maximum(a: u32, b: u32) -> u32 {
        single(a).maximum(single(b)).to_bits() as u32
    }
}
