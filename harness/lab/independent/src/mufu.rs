//! MUFU: types, halves, prefixes and `.SAT`.
//!
//! Source: document 000; E032 for `.SAT`, E036 and E037 for NaN, E040 to E042 for F64, E044 and
//! E046 for halves.

use crate::arith::prefixed;
use crate::fault::{Active, Fault};
use crate::float::{ONE, SIGN, is_nan, is_negative};
use crate::function::{self, EX2, RCP, RSQ};
use crate::instruction::{Modifiers, Operand};
use crate::small::{SMALL_NAN, Small};

/// Computes the result of one operand.
pub(crate) fn run(m: &Modifiers, operand: &Operand, bits: u32, active: Active) -> u32 {
    match m.dtype {
        0 => saturated(m, function::single(m.function, prefixed(bits, operand, active), active), active),
        1 => double(m.function, prefixed(bits, operand, active), active),
        2 | 3 => pair(m, operand, bits, active),
        _ => one_half(m, operand, bits, active),
    }
}

/// Applies `.SAT`: clamps to [+0, 1], and turns NaN and −0 into +0 (E032).
fn saturated(m: &Modifiers, bits: u32, active: Active) -> u32 {
    match bits {
        _ if !m.sat || active.has(Fault::FunctionSatIgnored) => bits,
        _ if is_nan(bits) && active.has(Fault::FunctionSatKeepsNan) => bits,
        SIGN if active.has(Fault::FunctionSatKeepsMinusZero) => bits,
        _ if is_nan(bits) || is_negative(bits) => 0,
        _ => bits.min(ONE),
    }
}

fn small_of(dtype: u32) -> Small {
    if dtype == 2 || dtype == 4 { Small::F16 } else { Small::Bf16 }
}

/// Computes one 16-bit result. The suffix of the operand selects which half is read. The result's
/// upper half is 0.
fn one_half(m: &Modifiers, operand: &Operand, bits: u32, active: Active) -> u32 {
    let upper = if operand.literal {
        // A literal has the 16-bit type itself, and is in the low half (E044).
        active.has(Fault::LiteralHalfFromTop)
    } else {
        m.upper && !active.has(Fault::HalfSelectIgnored)
    };
    let half = if upper { bits >> 16 } else { bits & 0xffff };
    let small =
        if m.dtype == 5 && active.has(Fault::BrainFloatReadAsHalf) { Small::F16 } else { small_of(m.dtype) };
    let result = small_function(m.function, small, half, active);
    if active.has(Fault::UpperHalfKept) { (bits & 0xffff_0000) | result } else { result }
}

/// Computes a pair of 16-bit results independently (E037).
fn pair(m: &Modifiers, operand: &Operand, bits: u32, active: Active) -> u32 {
    let small = small_of(m.dtype);
    let bits =
        if operand.literal && active.has(Fault::LiteralPairSwapped) { bits.rotate_left(16) } else { bits };
    let low = small_function(m.function, small, bits & 0xffff, active);
    let high_bits = if active.has(Fault::HighHalfFromLow) { bits & 0xffff } else { bits >> 16 };
    let high = small_function(m.function, small, high_bits, active);
    if active.has(Fault::NanSpreadsOverPair) && (low == SMALL_NAN || high == SMALL_NAN) {
        return 0x7fff_7fff;
    }
    (high << 16) | low
}

/// Computes EX2 or TANH of a 16-bit value. Subnormal operands are not flushed.
fn small_function(function: u32, small: Small, bits: u32, active: Active) -> u32 {
    let value = small.value(bits);
    if value.is_nan() {
        return SMALL_NAN;
    }
    if function == EX2 {
        if active.has(Fault::SmallPowerOverflow) && small == Small::F16 && value >= 15.0 {
            return small.infinity();
        }
        let value = if active.has(Fault::SmallPowerTruncates) { (value * 8.0).trunc() / 8.0 } else { value };
        return small.round(value.exp2(), Active::NONE);
    }
    if active.has(Fault::SmallTangentSaturates) && value.abs() > 1.5 {
        return small.round(1f64.copysign(value), Active::NONE);
    }
    small.round(value.tanh(), Active::NONE)
}

/// Computes RCP or RSQ of a double from its high word. The low word is 0 (E040 to E042).
fn double(function: u32, high: u32, active: Active) -> u32 {
    let value = f64::from_bits(u64::from(high) << 32);
    let sign = high & SIGN;
    if value.is_nan() {
        return 0x7fff_ffff;
    }
    if value == 0.0 || value.is_subnormal() {
        if function == RSQ && value != 0.0 && active.has(Fault::DoubleSubnormalRoot) {
            return 0x7fff_ffff;
        }
        return sign | 0x7ff0_0000;
    }
    if function == RSQ && sign != 0 && !(active.has(Fault::DoubleRootOfNegative) && value.is_finite()) {
        return 0x7fff_ffff;
    }
    let result = if function == RCP { value.recip() } else { value.abs().sqrt().recip() };
    if result == 0.0 || result.is_subnormal() {
        return sign;
    }
    // Rounds to the nearest high word. A carry goes into the exponent.
    let word = (result.to_bits().wrapping_add(0x8000_0000) >> 32) as u32;
    match function {
        RCP if active.has(Fault::DoubleReciprocalElevenBits) => word & !0x1ff,
        RSQ if active.has(Fault::DoubleRootOddExponent) && (high >> 20) & 7 == 5 => word.wrapping_add(40),
        _ => word,
    }
}
