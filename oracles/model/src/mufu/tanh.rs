//! The hyperbolic tangent, `MUFU.TANH`.
//!
//! There are two tables. The one below ½ holds tanh(x)/x. The value from this table is multiplied
//! by the exact x, so the relative error is bounded however small x is. The table from ½ on holds
//! tanh x, with 2⁶ segments in a binade. From 9.02 on the result is 1, which is the correctly
//! rounded value in 24 bits. The coefficients have the widths of the other functions (see
//! [`interpolate`](super::interpolate)). No design has been published for tanh.
//!
//! The error is below 1.598 ulp for results just below ½, below 0.733 ulp for arguments below ½,
//! and below 1.365 ulp elsewhere. For arguments from ½ to 1, 85.6 % of the results are correctly
//! rounded, and 99.2 % of all results. Results never fall as x rises, even before rounding.

use crate::float::SIGN;
use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;
use crate::mufu::rom::Rom;
use crate::mufu::rows::SpecialTable;
use crate::mufu::segment::Segment;

mod table;

/// Number of segments of the table below ½, and of the table from ½ on.
pub(super) const SEGMENTS: [usize; 2] = [table::SMALL_ROM.len(), table::LARGE_ROM.len()];

/// From this operand (577/64) on, the result is 1.
const SATURATED: u32 = 0x4110_4000;
const HALF: u32 = 0x3f00_0000;

/// Computes tanh x.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tangent {
    /// Operands below ½.
    Small(Small),
    /// Operands from ½ on.
    Large(Large),
    /// Operands whose result is 1.
    Saturated(Saturated),
}

impl Segment for Tangent {
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        match self {
            Tangent::Small(segment) => segment.at(k, x),
            Tangent::Large(segment) => segment.at(k, x),
            Tangent::Saturated(segment) => segment.at(k, x),
        }
    }

    #[inline(always)]
    fn map<K: Knobs, W: Fn(Option<Number>) -> u32>(
        self,
        k: &K,
        xs: &[u32],
        results: &mut [u32],
        written: &W,
    ) {
        match self {
            Tangent::Small(segment) => segment.map(k, xs, results, written),
            Tangent::Large(segment) => segment.map(k, xs, results, written),
            Tangent::Saturated(segment) => segment.map(k, xs, results, written),
        }
    }
}

impl NumericPath for Tangent {
    fn table<K: Knobs>(_: &K) -> SpecialTable {
        SpecialTable::Tanh
    }

    #[inline(always)]
    fn of<K: Knobs>(_: &K, x: u32) -> Tangent {
        let x = x & !SIGN;
        if x >= SATURATED {
            Tangent::Saturated(Saturated)
        } else if x >= HALF {
            // The exponent and the six leading bits of the fraction give the number of the row.
            Tangent::Large(Large { row: (x - HALF) >> 17 })
        } else {
            let field = x >> 23;
            let (leading, exponent) = (u32::from(field != 0) << 23, field.max(1) as i32 - 150);
            let row = fixed(x & 0x007f_ffff | leading, exponent) >> 26;
            Tangent::Small(Small { leading, exponent, row })
        }
    }
}

/// A segment below ½.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Small {
    /// The leading one of a normal operand, or 0.
    leading: u32,
    /// Exponent of the operand's lowest bit.
    exponent: i32,
    /// The row of the ROM.
    row: u32,
}

impl Segment for Small {
    /// Returns x · (tanh(x)/x).
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        let significand = x & 0x007f_ffff | self.leading;
        let offset = fixed(significand, self.exponent) & 0x3ff_ffff;
        let (table, shape) = (&table::SMALL_ROM, table::SMALL_SHAPE);
        let slope = interpolate(k, Rom::TanhSmall, table, shape, self.row, offset);
        Number::new(x & SIGN != 0, u64::from(significand) * u64::from(slope), self.exponent - 32)
    }
}

/// Returns an operand below ½ in units of 2⁻³³. Only the row and the offset are derived from it.
#[inline(always)]
fn fixed(significand: u32, exponent: i32) -> u32 {
    ((u64::from(significand) << 8) >> (-25 - exponent).min(63)) as u32
}

/// A segment from ½ on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Large {
    /// The row of the ROM.
    row: u32,
}

impl Segment for Large {
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        let (table, shape) = (&table::LARGE_ROM, table::LARGE_SHAPE);
        let tangent = interpolate(k, Rom::TanhLarge, table, shape, self.row, x & 0x1_ffff);
        Number::from_word(x & SIGN != 0, tangent, -32)
    }
}

/// The segment of all operands whose result is 1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Saturated;

impl Segment for Saturated {
    #[inline(always)]
    fn at<K: Knobs>(self, _: &K, x: u32) -> Number {
        Number::one(x & SIGN != 0)
    }
}

#[cfg(test)]
mod tests;
