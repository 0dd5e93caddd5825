//! FADD, FMUL and FFMA on binary32 (document `004`), in integers, as in hardware.
//!
//! Prefixes and flushing are already applied to the operands. A finite operand is [unpacked](exact)
//! into sign, exponent and significand. Sums and products are exact, apart from a sticky bit. One
//! [rounder](round) rounds these exact results to a binary32, and [`finish`] saturates and flushes.
//! Each optype has a separate path for infinities and NaNs.
//!
//! All these functions are inlined into the loop over the lanes ([`together`]), where modifiers are
//! loop invariants. There are no branches on ordinary operands, because a fuzzer's operands are
//! unpredictable. The shipping model has no branches at all in this loop. For each lane it computes
//! both the ordinary and the special result, and selects one.

mod add;
mod exact;
mod finish;
mod fma;
mod mul;
mod nan;
mod round;
mod together;

use assay_isa::format::F32;
use assay_isa::tables::types::{FMULScale, FPFtz, FPRound, FPSat};
use assay_isa::{Instruction, Operand, Reading};

pub(crate) use nan::{is_signalling, nan};
use together::{Fused, Product, Sum, column};

use crate::columns::first;
use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// The sign bit of a binary32 and of the high word of a binary64.
pub(crate) const SIGN: u32 = F32.sign_mask();
/// +Inf.
pub(crate) const INFINITY: u32 = F32.infinity();
/// The default NaN, in the intended readings (C002).
pub(crate) const NAN: u32 = 0x7fff_ffff;
/// The bit that makes a NaN quiet.
pub(crate) const QUIET: u32 = 1 << (F32.fraction_bits - 1);
/// 1.0.
pub(crate) const ONE: u32 = F32.one();

/// Defines FADD.
pub(crate) fn add<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = Modifiers::of(k, instruction);
    Semantics::columns(move |k, columns, _, results| column::<_, Sum, 2>(k, m, results, first(columns)))
}

/// Defines FMUL.
pub(crate) fn multiply<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = Modifiers::of(k, instruction);
    Semantics::columns(move |k, columns, _, results| column::<_, Product, 2>(k, m, results, first(columns)))
}

/// Defines FFMA. Under E177 = 1 the result is undefined, because the code for the product uses a
/// name that no document defines.
pub(crate) fn multiply_add<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = Modifiers::of(k, instruction);
    let semantics = Semantics::columns(move |k: &K, columns, _, results| {
        column::<_, Fused, 3>(k, m, results, first(columns));
    });
    semantics.undefined(k, Reading::E177, 1)
}

/// The modifiers of F_ARITH and of FMUL. Other optypes of FALU use only `.FTZ`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modifiers {
    /// `.rnd`
    pub rounding: FPRound,
    /// Whether `.FTZ` flushes operands.
    pub flushes_operands: bool,
    /// Whether `.FTZ` flushes results.
    pub flushes_results: bool,
    /// `.SAT`
    pub sat: bool,
    /// The binary logarithm of the factor of `.scl`.
    pub scale: i32,
}

impl Modifiers {
    /// Decodes the modifiers of an instruction. A modifier that the optype lacks gets its default
    /// value.
    pub(crate) fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Modifiers {
        let ftz = instruction.modifier("ftz") == Some(FPFtz::FTZ);
        // Other optypes only flush operands, because they compute no result that could be subnormal
        // (C010).
        let is_arithmetic = matches!(instruction.optype(), "FADD" | "FMUL" | "FFMA");
        let sides = if is_arithmetic { k.reading(Reading::C010) } else { 1 };
        Modifiers {
            rounding: instruction.modifier("rnd").unwrap_or(FPRound::RN),
            flushes_operands: ftz && sides != 3,
            flushes_results: ftz && sides != 2,
            sat: instruction.modifier("sat") == Some(FPSat::SAT),
            scale: scale(instruction.modifier("scl").unwrap_or(FMULScale::NoScale)),
        }
    }

    /// Returns whether FTZ flushes the operand at a position. Under E179 = 1 FFMA's addend is not
    /// flushed, as in the code.
    pub(crate) fn flushes<K: Knobs>(self, k: &K, position: usize) -> bool {
        self.flushes_operands && !(position == 2 && k.reading(Reading::E179) == 1)
    }
}

fn scale(scale: FMULScale) -> i32 {
    match scale {
        FMULScale::NoScale => 0,
        FMULScale::D2 => -1,
        FMULScale::D4 => -2,
        FMULScale::D8 => -3,
        FMULScale::M2 => 1,
        FMULScale::M4 => 2,
        FMULScale::M8 => 3,
    }
}

/// Turns a subnormal into a zero of its sign, and returns other values unchanged.
#[inline]
pub(crate) fn flush(bits: u32) -> u32 {
    if bits & INFINITY == 0 { bits & SIGN } else { bits }
}

/// Computes a result that few lanes need. The function is kept out of the loop's code, so that it
/// does not slow the other lanes.
#[cold]
#[inline(never)]
fn seldom(compute: impl FnOnce() -> u32) -> u32 {
    compute()
}

/// Returns whether a value is neither infinity nor NaN.
#[inline]
fn is_finite(bits: u32) -> bool {
    bits & INFINITY != INFINITY
}

#[inline]
pub(crate) fn is_nan(bits: u32) -> bool {
    bits & !SIGN > INFINITY
}

#[inline]
fn is_zero(bits: u32) -> bool {
    bits & !SIGN == 0
}
