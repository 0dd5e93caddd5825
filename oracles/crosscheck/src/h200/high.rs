//! RCP and RSQ of the high words of F64, by the tables of F32.
//!
//! The 20 bits of a fraction are the leading ones of 23. Of the result's 23 the last three are cut. So the
//! word is not rounded to nearest.

use assay_isa::format::{F32, F64_HIGH};

use super::functions::{reciprocal_significand, root_reciprocal_significand};
use crate::arithmetic::QNAN;

const SIGN: u32 = F64_HIGH.sign_mask();
const INFINITY: u32 = F64_HIGH.infinity();
/// The number of bits of an F32's fraction that a high word lacks.
const SPARE: u32 = F32.fraction_bits - F64_HIGH.fraction_bits;

/// Returns the high word of 1/x.
pub(super) fn reciprocal(high: u32) -> u32 {
    let sign = high & SIGN;
    match F64_HIGH.exponent_field(high) {
        _ if F64_HIGH.is_nan(high) => QNAN,
        0 => sign | INFINITY,
        0x7ff => sign,
        _ => sign | number(-exponent(high) - 1, reciprocal_significand(fraction(high))),
    }
}

/// Returns the high word of 1/√x.
pub(super) fn root_reciprocal(high: u32) -> u32 {
    match F64_HIGH.exponent_field(high) {
        _ if F64_HIGH.is_nan(high) => QNAN,
        0 => high & SIGN | INFINITY,
        _ if F64_HIGH.is_negative(high) => QNAN,
        0x7ff => 0,
        _ => {
            let exponent = exponent(high);
            let significand = root_reciprocal_significand(exponent & 1 == 1, fraction(high));
            number(-(exponent >> 1) - 1, significand)
        }
    }
}

/// Returns the exponent of a normal number.
fn exponent(high: u32) -> i32 {
    F64_HIGH.exponent_field(high) as i32 - F64_HIGH.bias()
}

/// Returns the fraction of a normal number in units of 2^-23.
fn fraction(high: u32) -> u32 {
    (high & F64_HIGH.fraction_mask()) << SPARE
}

/// Returns significand·2^(exponent-23) cut to a high word, for a significand from 2^23 to 2^24. It is 0 below
/// the least normal number.
fn number(exponent: i32, significand: u32) -> u32 {
    let fraction = (significand - (1 << F32.fraction_bits)) >> SPARE;
    // 2^24 carries into the exponent.
    let bits = ((exponent + F64_HIGH.bias()) << F64_HIGH.fraction_bits) + fraction as i32;
    if bits < 1 << F64_HIGH.fraction_bits { 0 } else { bits as u32 }
}
