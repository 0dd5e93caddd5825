//! The reciprocal square root, `MUFU.RSQ`.
//!
//! The exponent of 1/√x is half that of x, so x counts as a number from 1 to 4: if its exponent is odd, as
//! twice its significand. 2⁶ segments a binade and coefficients of 26 and 16 bits are those published (Oberman
//! and Siu, see [`interpolate`](super::interpolate)); C2 has 11 bits instead of 10, without which 1/√1
//! would not be 1 or the error not below what is published.
//!
//! Over all significands the error stays below 1.254 ulp and 86.29 % of the results are correctly rounded
//! (published: 1.52 ulp, 78 %); results never rise as x does, even before they are rounded.

use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::rom::Rom;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// 1/√x, or 1/√(2x) if `odd`, for a significand `x` of 24 bits with the leading one explicit (so 1 ≤ x < 2
/// in units of 2⁻²³), unrounded: 31 fraction bits, above 1/2 and below 1.
///
/// At 1 it is at most 2⁻²⁵ too small, for C0 cannot hold 1: what has 24 bits or fewer is rounded to 1.
#[inline]
pub(crate) fn significand<K: Knobs>(k: &K, x: u32, odd: bool) -> u32 {
    let segment = x >> 17 & 0x3f | u32::from(odd) << 6;
    interpolate(k, Rom::Rsq, &table::ROM, table::SHAPE, segment, x & 0x1_ffff)
}

#[cfg(test)]
mod tests;
