//! The reciprocal, `MUFU.RCP`: a quadratic interpolator, as the hardware has it.
//!
//! Seven bits of the fraction choose a row of the [table], the other sixteen are the offset t, and
//! C0 − C1·t + C2·t² is 1/x in fixed point. The segments and the coefficients' widths are those of Oberman
//! and Siu, "A High-Performance Area-Efficient Multifunction Interpolator" (ARITH 2005), NVIDIA's design.
//! Squarer and products keep leading bits only, as truncated arrays do; the cuts are our choice, and the
//! squarer's hardly moves the figures below. The fit of the coefficients is explained in
//! `oracles/tables/src/rcp.rs`.
//!
//! Over all significands the error stays below 0.931 ulp and 88.97 % of the results are correctly
//! rounded (published: 0.98 ulp, 87 %); results never rise as x does, and powers of two are exact.

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
use crate::site::Site;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// 1/x
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Reciprocal {
    scale: Scale,
    /// Of the row of the ROM.
    row: u32,
    /// Of the last of the result's 32 bits.
    exponent: i32,
}

impl Reciprocal {
    #[inline(always)]
    fn in_format<K: Knobs>(k: &K, format: Format, x: u32) -> Reciprocal {
        let scale = Scale::of(format, x, k.wrong(Site::RcpSubnormalInputNotNormalised));
        let exponent = scale.exponent + i32::from(k.wrong(Site::RcpExponentOffByOne));
        Reciprocal { scale, row: row(scale.significand(x)), exponent: -31 - exponent }
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
    fn of<K: Knobs>(k: &K, x: u32) -> Reciprocal {
        Reciprocal::in_format(k, F32, x)
    }
}

/// 1/x of a high word.
#[inline]
pub(super) fn reciprocal_high<K: Knobs>(k: &K, x: u32) -> Option<Number> {
    look_up(k, SpecialTable::RcpF64, Class::of(F64_HIGH, x), || {
        Reciprocal::in_format(k, F64_HIGH, x).at(k, x)
    })
}

/// The row of the ROM for a significand.
#[inline]
fn row(x: u32) -> u32 {
    x >> 16 & 0x7f
}

/// 1/x for a significand `x` of 24 bits with the leading one explicit (so 1 ≤ x < 2 in units of 2⁻²³),
/// unrounded: 31 fraction bits, above 1/2 and below 1, less than 2⁻²⁵ away from the truth.
///
/// Normal results round it to 24 fraction bits; subnormal ones and the high word of a double round the
/// same number to fewer, and nothing is rounded twice. Only at x = 1 is it all of 2⁻²⁵ too small, for C0
/// cannot hold 1: a tie at 24 bits, which both half up and half to even take to 1.
#[inline]
fn significand<K: Knobs>(k: &K, row: u32, x: u32) -> u32 {
    let [c0, c1, c2] = k.row(Rom::Rcp, &table::ROM, row as usize);
    let t = used(k, Rom::Rcp, 16, x & 0xffff);
    let square = (t * t) >> 17; // the 15 leading bits of 32
    // No sound row overflows, but a faulty one may.
    (c0 << 5).wrapping_sub((c1 * t) >> 8).wrapping_add((c2 * square) >> 8)
}

#[cfg(test)]
mod tests;
