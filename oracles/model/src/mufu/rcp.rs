//! The reciprocal, `MUFU.RCP`. The model uses a quadratic interpolator, as hardware does.
//!
//! Seven bits of the fraction choose a row of the [table]. The other sixteen bits are the offset t.
//! C0 − C1·t + C2·t² is 1/x in fixed point. Segments and coefficient widths are from NVIDIA's
//! design: Oberman and Siu, "A High-Performance Area-Efficient Multifunction Interpolator" (ARITH
//! 2005). Squarer and products keep leading bits only, as truncated arrays do. The truncation
//! widths are our choice. The squarer's width hardly changes the figures below.
//! `oracles/model/examples/tables/rcp.rs` explains the fit of the coefficients.
//!
//! Over all significands the error is below 0.931 ulp, and 88.97 % of the results are correctly
//! rounded (published: 0.98 ulp, 87 %). Results never rise as x rises, and powers of two are exact.

use assay_isa::format::{F32, F64_HIGH, Format};

use crate::float::SIGN;
use crate::knobs::Knobs;
use crate::mufu::interpolate::used;
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

/// Computes 1/x.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Reciprocal {
    scale: Scale,
    /// The row of the ROM.
    row: u32,
    /// Exponent of the lowest of the result's 32 bits.
    exponent: i32,
}

impl Reciprocal {
    #[inline(always)]
    fn in_format(format: Format, x: u32) -> Reciprocal {
        let scale = Scale::of(format, x);
        Reciprocal { scale, row: row(scale.significand(x)), exponent: -31 - scale.exponent }
    }
}

impl Segment for Reciprocal {
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        let quotient = significand(k, self.row, self.scale.significand(x));
        Number::from_word(x & SIGN != 0, quotient, self.exponent)
    }
}

impl NumericPath for Reciprocal {
    fn table<K: Knobs>(_: &K) -> SpecialTable {
        SpecialTable::RcpF32
    }

    #[inline(always)]
    fn of<K: Knobs>(_: &K, x: u32) -> Reciprocal {
        Reciprocal::in_format(F32, x)
    }
}

/// Returns 1/x for the high word of a binary64, unrounded. `None` is the quiet NaN.
#[inline]
pub(super) fn reciprocal_high<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, SpecialTable::RcpF64, Class::of(F64_HIGH, x), || Reciprocal::in_format(F64_HIGH, x).at(k, x))
}

/// Returns the row of the ROM for a significand.
#[inline]
fn row(x: u32) -> u32 {
    x >> 16 & 0x7f
}

/// Returns 1/x, unrounded, for a significand `x` of 24 bits. The leading one is explicit, so 1 ≤ x
/// < 2 in units of 2⁻²³. The result has 31 fraction bits, is above 1/2 and below 1, and has an
/// error below 2⁻²⁵.
///
/// Normal results are rounded from this significand to 24 bits. Subnormal results and high words of
/// a double are rounded from the same significand, to fewer bits. So no result is rounded twice.
/// The result for x = 1 is 2⁻²⁵ too small, because C0 cannot hold 1. This value is a tie at 24
/// bits, which both ties-away and ties-to-even round to 1.
#[inline]
fn significand<K: Knobs>(k: &K, row: u32, x: u32) -> u32 {
    let [c0, c1, c2] = k.row(Rom::Rcp, &table::ROM, row as usize);
    let t = used(k, Rom::Rcp, 16, x & 0xffff);
    let square = (t * t) >> 17; // the 15 leading bits of 32
    // Only a faulty row can overflow.
    (c0 << 5).wrapping_sub((c1 * t) >> 8).wrapping_add((c2 * square) >> 8)
}

#[cfg(test)]
mod tests;
