//! RCP and RSQ of the high words of F64, computed with the tables of F32.
//!
//! The 20 bits of a fraction become the leading bits of a 23-bit fraction. The last three of the
//! result's 23 bits are cut off. So the high word is not rounded to nearest.

use assay_isa::format::{F32, F64_HIGH};

use super::functions::{reciprocal_significand, root_reciprocal_significand};
use crate::arithmetic::QNAN;

const SIGN: u32 = F64_HIGH.sign_mask();
const INFINITY: u32 = F64_HIGH.infinity();
/// Number of bits by which a high word's fraction is shorter than the fraction of an F32.
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

/// Returns the high word of significand·2^(exponent-23), cut off. The significand is from 2^23 to
/// 2^24. Below the least normal number the result is 0.
fn number(exponent: i32, significand: u32) -> u32 {
    let fraction = (significand - (1 << F32.fraction_bits)) >> SPARE;
    // A significand of 2^24 carries into the exponent.
    let bits = ((exponent + F64_HIGH.bias()) << F64_HIGH.fraction_bits) + fraction as i32;
    if bits < 1 << F64_HIGH.fraction_bits { 0 } else { bits as u32 }
}
