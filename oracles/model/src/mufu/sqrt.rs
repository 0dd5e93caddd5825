//! The square root, `MUFU.SQRT`.
//!
//! The exponent of √x is half that of x, so x counts as a number from 1 to 4: if its exponent is odd, as
//! twice its significand. 2⁶ segments a binade and coefficients of 26, 16 and 10 bits are those of
//! [RSQ](super::rsq), of which the hardware of the papers makes √x, at the price of its error.
//!
//! Over all significands the error stays below 0.799 ulp and 92.56 % of the results are correctly rounded;
//! results never fall as x rises, even before they are rounded. Before that the error is below half an
//! ulp, so that every root that a format can hold is exact.

use assay_isa::format::F32;

use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;
use crate::mufu::rom::Rom;
use crate::mufu::rows::SpecialTable;
use crate::mufu::scale::Scale;
use crate::mufu::segment::Segment;
use crate::site::Site;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// √|x|
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Root {
    scale: Scale,
    /// Of the row of the ROM.
    row: u32,
    /// Of the last of the result's 32 bits.
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
    fn of<K: Knobs>(k: &K, x: u32) -> Root {
        let scale = Scale::of(F32, x, k.wrong(Site::SqrtSubnormalInputNotNormalised));
        let (half, odd) = scale.halved();
        let odd = odd && !k.wrong(Site::SqrtParityIgnored);
        Root { scale, row: row(scale.significand(x), odd), exponent: half - 31 }
    }
}

/// The row of the ROM for a significand, or for twice as much if `odd`.
#[inline]
fn row(x: u32, odd: bool) -> u32 {
    x >> 17 & 0x3f | u32::from(odd) << 6
}

/// √x, or √(2x) by a row that is `odd`, for a significand `x` of 24 bits with the leading one explicit (so 1
/// ≤ x < 2 in units of 2⁻²³), unrounded: 31 fraction bits, from 1, which is exact, to below 2.
#[inline]
fn significand<K: Knobs>(k: &K, row: u32, x: u32) -> u32 {
    interpolate(k, Rom::Sqrt, &table::ROM, table::SHAPE, row, x & 0x1_ffff)
}

#[cfg(test)]
mod tests;
