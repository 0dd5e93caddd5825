//! The square root, `MUFU.SQRT`.
//!
//! x is scaled to a number from 1 to 4, by an even power of two: if its exponent is odd, its
//! significand is doubled. There are 2⁶ segments in a binade, and coefficients of 26, 16 and 10
//! bits, as published for [RSQ](super::rsq). The published hardware computes √x from RSQ, with
//! RSQ's error.
//!
//! Over all significands the error is below 0.799 ulp, and 92.56 % of the results are correctly
//! rounded. Results never fall as x rises, even before rounding. The error before rounding is below
//! half an ulp, so every root that is a number of the format is exact.

use assay_isa::format::F32;

use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;
use crate::mufu::rom::Rom;
use crate::mufu::rows::SpecialTable;
use crate::mufu::scale::Scale;
use crate::mufu::segment::Segment;

mod table;

/// Number of segments in the table.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// Computes √|x|.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Root {
    scale: Scale,
    /// The row of the ROM.
    row: u32,
    /// Exponent of the lowest of the result's 32 bits.
    exponent: i32,
}

impl Segment for Root {
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        Number::from_word(false, significand(k, self.row, self.scale.significand(x)), self.exponent)
    }
}

impl NumericPath for Root {
    fn table<K: Knobs>(_: &K) -> SpecialTable {
        SpecialTable::Sqrt
    }

    #[inline(always)]
    fn of<K: Knobs>(_: &K, x: u32) -> Root {
        let scale = Scale::of(F32, x);
        let (half, odd) = scale.halved();
        Root { scale, row: row(scale.significand(x), odd), exponent: half - 31 }
    }
}

/// Returns the row of the ROM for a significand, or for the doubled significand if `odd`.
#[inline]
fn row(x: u32, odd: bool) -> u32 {
    x >> 17 & 0x3f | u32::from(odd) << 6
}

/// Returns √x, unrounded, for a significand `x` of 24 bits. If `row` is in the upper half of the
/// table, returns √(2x). The leading one is explicit, so 1 ≤ x < 2 in units of 2⁻²³. The result has
/// 31 fraction bits. The result is exactly 1 for x = 1, and always below 2.
#[inline]
fn significand<K: Knobs>(k: &K, row: u32, x: u32) -> u32 {
    interpolate(k, Rom::Sqrt, &table::ROM, table::SHAPE, row, x & 0x1_ffff)
}

#[cfg(test)]
mod tests;
