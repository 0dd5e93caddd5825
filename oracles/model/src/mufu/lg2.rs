//! The logarithm, `MUFU.LG2`.
//!
//! With x = 2ᵉ·m and 11/16 ≤ m < 11/8, log₂ x is e + log₂ m. If e is not 0, no digits cancel in
//! this sum. For x near 1, e is 0 and log₂ m is smaller than the error that a table of log₂ m would
//! have. So the table holds log₂(m) / (m − 1), which is never near 0. The value from the table is
//! multiplied by the exact m − 1, so the relative error is bounded. The 2⁶ segments and the
//! coefficients of 26, 16 and 10 bits are those published by Oberman and Siu (see
//! [`interpolate`](super::interpolate)). The factor m − 1 is our choice.
//!
//! The error is below 1.323 ulp, and below 0.68 ulp outside (½, 2). The relative error before
//! rounding is below 2⁻²⁴·². For x in (½, 2), 90.18 % of the results are correctly rounded, and
//! 99.6 % of all results (published: 22.5 good bits). Results never fall as x rises, even before
//! rounding.

use std::hint::select_unpredictable;

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

/// Computes log₂ |x|.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Logarithm {
    /// Left shift of a significand.
    shift: u32,
    /// Whether the significand is 11/8 or more. It is then halved.
    upper: bool,
    exponent: i32,
    /// The row of the ROM.
    row: u32,
}

impl Segment for Logarithm {
    /// Returns log₂ |x|. Powers of two are exact.
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        let fraction = x << self.shift & 0x007f_ffff;
        let slope = interpolate(k, Rom::Lg2, &table::ROM, table::SHAPE, self.row, fraction & 0x1_ffff);
        // `excess` is |m − 1| in units of 2⁻²⁴, and `sum` is in units of 2⁻⁵⁵.
        let excess = select_unpredictable(self.upper, (1 << 23) - fraction, fraction << 1);
        let product = (u64::from(excess) * u64::from(slope)) as i64;
        let sum = (i64::from(self.exponent) << 55) + select_unpredictable(self.upper, -product, product);
        Number::new(sum < 0, sum.unsigned_abs(), -55)
    }
}

impl NumericPath for Logarithm {
    fn table<K: Knobs>(_: &K) -> SpecialTable {
        SpecialTable::Lg2
    }

    #[inline(always)]
    fn of<K: Knobs>(_: &K, x: u32) -> Logarithm {
        let field = (x >> 23 & 0xff) as i32;
        let shift = (x & 0x007f_ffff | u32::from(field != 0) << 23).leading_zeros() - 8;
        let fraction = x << shift & 0x007f_ffff;
        let upper = fraction >= 3 << 20;
        let exponent = field.max(1) - 127 - shift as i32 + i32::from(upper);
        Logarithm { shift, upper, exponent, row: fraction >> 17 }
    }
}

#[cfg(test)]
mod tests;
