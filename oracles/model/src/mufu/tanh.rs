//! The hyperbolic tangent, `MUFU.TANH`.
//!
//! Two tables, for there are two sorts of arguments. Below ½ it is tanh(x)/x, which the exact x multiplies,
//! so the error is relative however small x is. From ½ on it is tanh x itself, 2⁶ segments a binade. From
//! 9.02 on the result is 1, to which all of 24 bits round. The coefficients' widths are those of the other
//! functions (see [`interpolate`](super::interpolate)); no design has been published for this one.
//!
//! The error stays below 1.598 ulp, and that only where the result is just below ½; elsewhere it is below
//! 1.365, and 0.733 for arguments below ½. From ½ to 1, 85.6 % of the results are correctly rounded, of all
//! 99.2 %. Results never fall as x rises, even before they are rounded.

use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::rom::Rom;

mod table;

/// How many segments the table for small operands has, and the other.
pub(super) const SEGMENTS: [usize; 2] = [table::SMALL_ROM.len(), table::LARGE_ROM.len()];

/// From here on tanh x is 1: 577/64.
const SATURATED: u32 = 0x4110_4000;
const HALF: u32 = 0x3f00_0000;

/// tanh x for the bits of a finite, non-zero binary32 `x`.
#[inline]
pub(crate) fn evaluate<K: Knobs>(k: &K, x: u32) -> Number {
    let negative = x >> 31 != 0;
    let x = x & 0x7fff_ffff;
    if x >= SATURATED {
        Number { negative, significand: 1 << 31, exponent: -31 }
    } else if x >= HALF {
        // The exponent and the fraction's six leading bits, counted from ½.
        let segment = (x - HALF) >> 17;
        let tangent =
            interpolate(k, Rom::TanhLarge, &table::LARGE_ROM, table::LARGE_SHAPE, segment, x & 0x1_ffff);
        Number::new(negative, u64::from(tangent), -32)
    } else {
        small(k, negative, x)
    }
}

/// x · (tanh(x)/x) below ½.
#[inline]
fn small<K: Knobs>(k: &K, negative: bool, x: u32) -> Number {
    let field = x >> 23;
    let unnormal = x & 0x007f_ffff | u32::from(field != 0) << 23;
    let exponent = field.max(1) as i32 - 150;
    // x in units of 2⁻³³, for the table only.
    let fixed = ((u64::from(unnormal) << 8) >> (-25 - exponent).min(63)) as u32;
    let (segment, offset) = (fixed >> 26, fixed & 0x3ff_ffff);
    let slope = interpolate(k, Rom::TanhSmall, &table::SMALL_ROM, table::SMALL_SHAPE, segment, offset);
    Number::new(negative, u64::from(unnormal) * u64::from(slope), exponent - 32)
}

#[cfg(test)]
mod tests;
