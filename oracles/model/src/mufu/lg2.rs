//! The logarithm, `MUFU.LG2`.
//!
//! With x = 2ᵉ·m and 11/16 ≤ m < 11/8, log₂ x is e + log₂ m, and unless e is 0 the sum is no smaller than its
//! terms allow: nothing cancels. Near 1 only log₂ m is left, and a table of it would be wrong by more than
//! all of it. So the table has log₂(m) / (m − 1), which is nowhere near 0, and the exact m − 1 multiplies
//! it: the error is relative. 2⁶ segments and coefficients of 26, 16 and 10 bits are those published
//! (Oberman and Siu, see [`interpolate`](super::interpolate)), the factor is our choice.
//!
//! The error stays below 1.323 ulp, 0.68 outside of (½, 2), and the relative one before rounding below
//! 2⁻²⁴·²; 90.18 % of the results in (½, 2) are correctly rounded, 99.6 % of all (published: 22.5 good
//! bits). Results never fall as x rises, even before they are rounded.

use crate::faults::Fault;
use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::rom::Rom;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// log₂ x for the bits of a positive, finite binary32 `x`. Powers of two are exact.
#[inline]
pub(crate) fn evaluate<K: Knobs>(k: &K, x: u32) -> Number {
    let field = (x >> 23) as i32;
    let normal = field != 0 || k.fault(Fault::Lg2SubnormalInputNotNormalised);
    let unnormal = x & 0x007f_ffff | u32::from(normal) << 23;
    let shift = unnormal.leading_zeros() - 8;
    let fraction = unnormal << shift & 0x007f_ffff;
    // Significands from 11/8 on count as 11/16 and up. The excess m − 1 is in units of 2⁻²⁴.
    let upper = i32::from(fraction >= 3 << 20);
    let exponent = field.max(1) - 127 - shift as i32 + upper;
    let excess = i64::from(fraction) * i64::from(2 - upper) - i64::from(upper << 23);
    let (segment, offset) = (fraction >> 17, fraction & 0x1_ffff);
    let slope = interpolate(k, Rom::Lg2, &table::ROM, table::SHAPE, segment, offset);
    let sum = (i64::from(exponent) << 55) + excess * i64::from(slope); // in units of 2⁻⁵⁵
    Number::new(sum < 0, sum.unsigned_abs(), -55)
}

#[cfg(test)]
mod tests;
