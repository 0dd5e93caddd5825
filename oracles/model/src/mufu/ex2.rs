//! The power of two, `MUFU.EX2`.
//!
//! x is converted to a fixed-point number with 32 bits after the point. The integer part of this
//! number is the exponent of 2ˣ, and the six leading bits of the fraction choose the segment. The
//! 2⁶ segments and the coefficients of 26, 16 and 10 bits are those published by Oberman and Siu
//! (see [`interpolate`](super::interpolate)).
//!
//! Over all fractions the error is below 0.992 ulp, and 85.57 % of the results are correctly
//! rounded (published: 1.41 ulp, 74 %). Results never fall as x rises, even before rounding.

use crate::float::SIGN;
use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;
use crate::mufu::rom::Rom;
use crate::mufu::rows::SpecialTable;
use crate::mufu::segment::Segment;

mod table;

/// Number of segments in the table.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// From this magnitude (2⁸) on, 2ˣ is outside every format, so larger magnitudes are treated as 2⁸.
const BEYOND: u32 = 0x4380_0000;

/// Computes 2ˣ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Power {
    /// The leading one of a normal operand, or 0.
    leading: u32,
    /// Right shift of an operand.
    shift: u32,
    /// The row of the ROM.
    row: u32,
    /// Exponent of the lowest of the result's 32 bits.
    exponent: i32,
}

impl Segment for Power {
    /// Returns 2ˣ. The result is exact if x is an integer.
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        let offset = fixed(x, self.leading, self.shift) as u32 & 0x3ff_ffff;
        let significand = interpolate(k, Rom::Ex2, &table::ROM, table::SHAPE, self.row, offset);
        Number::from_word(false, significand, self.exponent)
    }
}

impl NumericPath for Power {
    fn table<K: Knobs>(_: &K) -> SpecialTable {
        SpecialTable::Ex2
    }

    #[inline(always)]
    fn of<K: Knobs>(_: &K, x: u32) -> Power {
        let field = (x & !SIGN).min(BEYOND) >> 23;
        let (leading, shift) = (u32::from(field != 0) << 23, (138 - field.max(1)).min(63));
        let fixed = fixed(x, leading, shift);
        Power { leading, shift, row: fixed as u32 >> 26, exponent: (fixed >> 32) as i32 - 31 }
    }
}

/// Returns x in units of 2⁻³², rounded toward −∞. So the result never falls as x rises.
#[inline(always)]
fn fixed(x: u32, leading: u32, shift: u32) -> i64 {
    let magnitude = u64::from((x & !SIGN).min(BEYOND) & 0x007f_ffff | leading) << 20;
    // −m / 2ⁿ, rounded down, is the complement of (m − 1) / 2ⁿ, rounded down.
    let negative = u64::from(x >> 31);
    ((magnitude - negative) >> shift ^ negative.wrapping_neg()) as i64
}

#[cfg(test)]
mod tests;
