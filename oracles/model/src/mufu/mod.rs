//! MUFU (document `000`): eight functions of one operand, and six types of operand.
//!
//! The special [`rows`] give the result for some classes of operands. For the other classes, the
//! numeric path of the function returns an unrounded [`Number`]. [`Number::round`] rounds this
//! number once, to the type of the result. [`path`] combines rows and numeric path for binary32,
//! and [`half`] applies them to 16 bits. Flushing, NaN and `.SAT` are in this module. Lanes are
//! computed one by one, unless [`together`] finds that they are similar.
//!
//! The numeric paths are [`rcp`], [`rsq`], [`sqrt`], [`ex2`], [`lg2`], [`trig`] and [`tanh`]:
//! interpolators over the tables of [`rom`].

mod ex2;
mod half;
mod interpolate;
mod lg2;
mod number;
mod path;
mod rcp;
pub(crate) mod rom;
pub(crate) mod rows;
mod rsq;
mod scale;
mod segment;
mod special;
mod sqrt;
mod tanh;
mod together;
mod trig;

use assay_isa::format::{F32, F64_HIGH};
use assay_isa::tables::types::{FPSat, MUFUDType, MUFUOp};
use assay_isa::{Instruction, Operand, Reading};

use ex2::Power;
use half::Packing;
use lg2::Logarithm;
use number::Number;
use path::NumericPath;
use rcp::{Reciprocal, reciprocal_high};
pub use rom::Rom;
pub use rows::{Class, SpecialResult, SpecialTable, given};
use rsq::{RootReciprocal, root_reciprocal_high};
use sqrt::Root;
use tanh::Tangent;
use trig::{Cosine, Sine};

use crate::columns::{unary, vectors};
use crate::float::{self, NAN, SIGN};
use crate::gap::Gap;
use crate::knobs::Knobs;
use crate::semantics::Semantics;

impl Rom {
    /// Returns the number of rows, one for each segment.
    pub const fn segments(self) -> usize {
        match self {
            Rom::Rcp => rcp::SEGMENTS,
            Rom::Rsq => rsq::SEGMENTS,
            Rom::Sqrt => sqrt::SEGMENTS,
            Rom::Ex2 => ex2::SEGMENTS,
            Rom::Lg2 => lg2::SEGMENTS,
            Rom::Sin => trig::SEGMENTS,
            Rom::TanhSmall => tanh::SEGMENTS[0],
            Rom::TanhLarge => tanh::SEGMENTS[1],
        }
    }
}

/// Defines MUFU.
pub(crate) fn function<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let Some(function) = Function::of(k, instruction) else { return Semantics::unknown() };
    Semantics::columns(move |k, [x, ..], _, results| compute(k, function, x, results)).gap(function.gap(k))
}

/// A function with the type of its operand and result.
#[derive(Clone, Copy, Debug)]
enum Function {
    /// A function of a binary32.
    Single {
        /// The function.
        operation: MUFUOp,
        /// `.SAT`
        sat: bool,
    },
    /// `.RCP.F64`
    ReciprocalHigh,
    /// `.RSQ.F64`
    RootReciprocalHigh,
    /// `.EX2` of one or two numbers of 16 bits.
    PowerHalf(Packing),
    /// `.TANH` of one or two numbers of 16 bits.
    TangentHalf(Packing),
}

impl Function {
    /// Returns the function of an instruction. Returns `None` if the function does not exist for
    /// the type.
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Option<Function> {
        let operation = instruction.modifier("mufuop")?;
        let dtype = instruction.modifier("dtype")?;
        let sat = instruction.modifier("sat") == Some(FPSat::SAT);
        let operand = instruction.inputs().next()?;
        Some(match (operation, dtype) {
            (_, MUFUDType::F32) => Function::Single { operation: named(k, operation), sat },
            (MUFUOp::RCP, MUFUDType::F64) => Function::ReciprocalHigh,
            (MUFUOp::RSQ, MUFUDType::F64) => Function::RootReciprocalHigh,
            (MUFUOp::EX2, _) => Function::PowerHalf(Packing::of(dtype, operand.half)?),
            (MUFUOp::TANH, _) => Function::TangentHalf(Packing::of(dtype, operand.half)?),
            _ => return None,
        })
    }

    /// Returns the reading that leaves results undefined, if any, with the operands that it
    /// concerns.
    fn gap<K: Knobs>(self, k: &K) -> Option<Gap> {
        let root = match self {
            Function::ReciprocalHigh => false,
            Function::RootReciprocalHigh => true,
            _ => return None,
        };
        match (k.reading(Reading::E040), k.reading(Reading::E041)) {
            // Under E040 = 1 the result is the low word of a 64-bit result. Only special rows
            // define a 64-bit result. E041 = 2 adds a row.
            (1, 2) if root => Some(Gap::new(Reading::E040, |x, _| Class::of(F64_HIGH, x) == Class::Normal)),
            (1, _) => Some(Gap::new(Reading::E040, |x, _| {
                matches!(Class::of(F64_HIGH, x), Class::Normal | Class::NegativeNormal)
            })),
            (_, 1) if root => {
                Some(Gap::new(Reading::E041, |x, _| Class::of(F64_HIGH, x) == Class::NegativeNormal))
            }
            _ => None,
        }
    }
}

/// Returns the function that the modifier's name stands for. Only `.COS` and `.SIN` are ambiguous
/// (E033).
fn named<K: Knobs>(k: &K, operation: MUFUOp) -> MUFUOp {
    let labels_swapped = k.reading(Reading::E033) == 1;
    match operation {
        MUFUOp::COS if labels_swapped => MUFUOp::SIN,
        MUFUOp::SIN if labels_swapped => MUFUOp::COS,
        other => other,
    }
}

/// Applies a function to a column. Each function has its own loop, so that decisions that all lanes
/// share are made outside of the loop.
fn compute<K: Knobs>(k: &K, function: Function, xs: &[u32], results: &mut [u32]) {
    match function {
        Function::Single { operation, sat } => match operation {
            MUFUOp::COS => single::<Cosine, K>(k, sat, xs, results),
            MUFUOp::SIN => single::<Sine, K>(k, sat, xs, results),
            MUFUOp::EX2 => single::<Power, K>(k, sat, xs, results),
            MUFUOp::LG2 => single::<Logarithm, K>(k, sat, xs, results),
            MUFUOp::RCP => single::<Reciprocal, K>(k, sat, xs, results),
            MUFUOp::RSQ => single::<RootReciprocal, K>(k, sat, xs, results),
            MUFUOp::SQRT => single::<Root, K>(k, sat, xs, results),
            MUFUOp::TANH => tangent(k, sat, xs, results),
        },
        Function::ReciprocalHigh => unary(results, xs, |x| high(k, x, reciprocal_high)),
        Function::RootReciprocalHigh => unary(results, xs, |x| high(k, x, root_reciprocal_high)),
        Function::PowerHalf(packing) => {
            half::column(k, packing, k.reading(Reading::E042) == 3, xs, results, Power::value);
        }
        Function::TangentHalf(packing) => half::column(k, packing, false, xs, results, Tangent::value),
    }
}

fn single<P: NumericPath, K: Knobs>(k: &K, sat: bool, xs: &[u32], results: &mut [u32]) {
    // Under E042 = 2 and 3, subnormal operands and results are flushed, as `.FTZ` does.
    let flushed = k.reading(Reading::E042) != 1;
    let flush = |bits| if flushed { float::flush(bits) } else { bits };
    let result = |value| saturated(sat, flush(written(k, value)));
    column::<P, K>(k, xs, results, &result);
    if flushed {
        let [positive, negative] = [0, SIGN].map(|zero| result(P::value(k, zero)));
        replace_subnormals(xs, results, |x| if x & SIGN == 0 { positive } else { negative });
    }
}

/// Computes a column of tanh x. Under E042 = 2 and 3, the result for a subnormal operand is the
/// operand itself, because tanh x ≈ x.
fn tangent<K: Knobs>(k: &K, sat: bool, xs: &[u32], results: &mut [u32]) {
    column::<Tangent, K>(k, xs, results, &|value| saturated(sat, written(k, value)));
    if k.reading(Reading::E042) != 1 {
        replace_subnormals(xs, results, |x| saturated(sat, x));
    }
}

/// Computes a column. A model without a fault computes similar lanes together. Any other model
/// computes the lanes one by one.
#[inline(never)]
fn column<P: NumericPath, K: Knobs>(
    k: &K,
    xs: &[u32],
    results: &mut [u32],
    result: &impl Fn(Option<Number>) -> u32,
) {
    if K::SOUND {
        together::column::<P, K, _>(k, xs, results, result);
    } else {
        unary(results, xs, |x| result(P::value(k, x)));
    }
}

vectors! {
    /// Replaces the results of subnormal operands.
    fn replace_subnormals<F: Fn(u32) -> u32>(xs: &[u32], results: &mut [u32], result: F) {
        for (old, x) in results.iter_mut().zip(xs) {
            *old = if F32.is_subnormal(*x) { result(*x) } else { *old };
        }
    }
}

/// Returns a value as F32. E036 chooses the NaN.
#[inline]
fn written<K: Knobs>(k: &K, value: Option<Number>) -> u32 {
    let nan = if k.reading(Reading::E036) == 1 { u32::MAX } else { NAN };
    value.map_or(nan, |number| number.round(F32))
}

/// Clamps to [+0, 1]. A NaN and −0 become +0. Unlike for E170, the document has no code that would
/// keep −0.
#[inline]
fn saturated(sat: bool, bits: u32) -> u32 {
    if !sat {
        bits
    } else if float::is_nan(bits) {
        0
    } else {
        (bits as i32).clamp(0, float::ONE as i32) as u32
    }
}

/// Returns the high word of a function's result. The operand is the binary64 x:00000000 (E040).
///
/// Subnormal operands have special rows. Subnormal results are flushed under every setting of E042.
#[inline]
fn high<K: Knobs>(k: &K, x: u32, value: impl Fn(&K, u32) -> Option<Number>) -> u32 {
    // Under E040 = 1 only special rows have a result, and the low word of each is 0.
    if k.reading(Reading::E040) == 1 {
        return 0;
    }
    let Some(number) = value(k, x) else { return NAN };
    let bits = number.round(F64_HIGH);
    if F64_HIGH.is_subnormal(bits) { bits & SIGN } else { bits }
}
