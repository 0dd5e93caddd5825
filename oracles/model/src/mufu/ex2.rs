//! The power of two, `MUFU.EX2`.
//!
//! x is brought to fixed point, with 32 bits after the point: the integer part is the exponent of 2ˣ, the
//! fraction's six leading bits choose the segment. 2⁶ segments and coefficients of 26, 16 and 10 bits are
//! those published: Oberman and Siu (see [`interpolate`](super::interpolate)).
//!
//! Over a binade of fractions the error stays below 0.992 ulp and 85.57 % of the results are correctly
//! rounded (published: 1.41 ulp, 74 %); results never fall as x rises, even before they are rounded.

use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::rom::Rom;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// 2ˣ for the bits of a finite binary32 `x`. Integers are exact.
///
/// From |x| = 2¹¹ on it is some power of two of that size, which is beyond every format.
#[inline]
pub(crate) fn evaluate<K: Knobs>(k: &K, x: u32) -> Number {
    let field = (x >> 23 & 0xff).min(127 + 11);
    let magnitude = i64::from(x & 0x007f_ffff | u32::from(field != 0) << 23);
    let x = if x >> 31 != 0 { -magnitude } else { magnitude };
    // x · 2^(field − 150) in units of 2⁻³², towards −∞: a step up of x is never one down here.
    let fixed = (x << 20) >> (138 - field.max(1)).min(63);
    let fraction = fixed as u32;
    let (segment, offset) = (fraction >> 26, fraction & 0x3ff_ffff);
    let significand = interpolate(k, Rom::Ex2, &table::ROM, table::SHAPE, segment, offset);
    Number::new(false, u64::from(significand), (fixed >> 32) as i32 - 31)
}

#[cfg(test)]
mod tests;
