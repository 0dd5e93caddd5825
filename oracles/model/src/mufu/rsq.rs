//! The reciprocal square root, `MUFU.RSQ`.
//!
//! The exponent of 1/√x is half that of x, so x counts as a number from 1 to 4: with an odd
//! exponent its significand is doubled. 2⁶ segments a binade and coefficients of 26 and 16 bits are
//! the published ones (Oberman and Siu, see [`interpolate`](super::interpolate)). C2 has 11 bits
//! instead of 10: otherwise 1/√1 would not be 1, or the error not below the published bound.
//!
//! Over all significands the error is below 1.254 ulp and 86.29 % of the results are correctly
//! rounded (published: 1.52 ulp, 78 %). Results never rise with x, even before rounding.

use assay_isa::format::{F32, F64_HIGH, Format};

use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;
use crate::mufu::rom::Rom;
use crate::mufu::rows::{Class, SpecialTable};
use crate::mufu::scale::Scale;
use crate::mufu::segment::Segment;
use crate::mufu::special::look_up;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// Computes 1/√|x|.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct RootReciprocal {
    scale: Scale,
    /// The row of the ROM.
    row: u32,
    /// Exponent of the last of the result's 32 bits.
    exponent: i32,
}

impl RootReciprocal {
    #[inline(always)]
    fn in_format(format: Format, x: u32) -> RootReciprocal {
        let scale = Scale::of(format, x);
        let (half, odd) = scale.halved();
        RootReciprocal { scale, row: row(scale.significand(x), odd), exponent: -31 - half }
    }
}

impl Segment for RootReciprocal {
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        Number::from_word(false, significand(k, self.row, self.scale.significand(x)), self.exponent)
    }
}

impl NumericPath for RootReciprocal {
    fn table<K: Knobs>(_: &K) -> SpecialTable {
        SpecialTable::RsqF32
    }

    #[inline(always)]
    fn of<K: Knobs>(_: &K, x: u32) -> RootReciprocal {
        RootReciprocal::in_format(F32, x)
    }
}

/// Returns the high word of 1/√x for a high word.
#[inline]
pub(super) fn root_reciprocal_high<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, SpecialTable::RsqF64, Class::of(F64_HIGH, x), || {
        RootReciprocal::in_format(F64_HIGH, x).at(k, x)
    })
}

/// Returns the row of the ROM for a significand, or for its double if `odd`.
#[inline]
fn row(x: u32, odd: bool) -> u32 {
    x >> 17 & 0x3f | u32::from(odd) << 6
}

/// Returns 1/√x, or 1/√(2x) by an `odd` row, for a significand `x` of 24 bits with the leading one explicit
/// (so 1 ≤ x < 2 in units of 2⁻²³), unrounded: 31 fraction bits, above 1/2 and below 1.
///
/// At 1 it is at most 2⁻²⁵ too small, because C0 cannot hold 1. Results of 24 bits or fewer still round to 1.
#[inline]
fn significand<K: Knobs>(k: &K, row: u32, x: u32) -> u32 {
    interpolate(k, Rom::Rsq, &table::ROM, table::SHAPE, row, x & 0x1_ffff)
}

#[cfg(test)]
mod tests;
