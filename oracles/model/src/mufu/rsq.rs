//! The reciprocal square root, `MUFU.RSQ`.
//!
//! x is scaled to a number from 1 to 4, by an even power of two: if its exponent is odd, its
//! significand is doubled. The 2⁶ segments in a binade and the widths of C0 and C1, 26 and 16 bits,
//! are those published by Oberman and Siu (see [`interpolate`](super::interpolate)). C2 has 11 bits
//! instead of 10. With 10 bits, either the result for x = 1 would not be 1, or the error would
//! exceed the published bound.
//!
//! Over all significands the error is below 1.254 ulp, and 86.29 % of the results are correctly
//! rounded (published: 1.52 ulp, 78 %). Results never rise as x rises, even before rounding.

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

/// Number of segments in the table.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// Computes 1/√|x|.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct RootReciprocal {
    scale: Scale,
    /// The row of the ROM.
    row: u32,
    /// Exponent of the lowest of the result's 32 bits.
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

/// Returns 1/√x for the high word of a binary64, unrounded. `None` is the quiet NaN.
#[inline]
pub(super) fn root_reciprocal_high<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, SpecialTable::RsqF64, Class::of(F64_HIGH, x), || {
        RootReciprocal::in_format(F64_HIGH, x).at(k, x)
    })
}

/// Returns the row of the ROM for a significand, or for the doubled significand if `odd`.
#[inline]
fn row(x: u32, odd: bool) -> u32 {
    x >> 17 & 0x3f | u32::from(odd) << 6
}

/// Returns 1/√x, unrounded, for a significand `x` of 24 bits. If `row` is in the upper half of the
/// table, returns 1/√(2x). The leading one is explicit, so 1 ≤ x < 2 in units of 2⁻²³. The result
/// has 31 fraction bits, and is above 1/2 and below 1.
///
/// The result for x = 1 is at most 2⁻²⁵ too small, because C0 cannot hold 1. Rounded to 24 bits or
/// fewer, this result is still 1.
#[inline]
fn significand<K: Knobs>(k: &K, row: u32, x: u32) -> u32 {
    interpolate(k, Rom::Rsq, &table::ROM, table::SHAPE, row, x & 0x1_ffff)
}

#[cfg(test)]
mod tests;
