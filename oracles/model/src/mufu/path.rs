//! A numeric path in two steps: what the leading bits of an operand decide, and what is left to each operand.

use assay_isa::format::F32;

use super::number::Number;
use super::rows::{Class, Table, look_up};
use super::together;
use crate::knobs::Knobs;

/// A segment of a function: what operands that differ in trailing bits have in common, such as a row of the ROM.
pub(super) trait Segment: Copy + PartialEq {
    /// The function of an operand of the segment. Nothing branches here on what the operands do not share.
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number;

    /// A column of such operands. A segment of several sorts tells them apart here, ahead of the loop.
    #[inline(always)]
    fn map<K: Knobs, W: Fn(Option<Number>) -> u32>(
        self,
        k: &K,
        xs: &[u32],
        results: &mut [u32],
        written: &W,
    ) {
        together::map(k, self, xs, results, written);
    }
}

/// A function of a binary32, by its segments.
///
/// Of operands with the same sign and exponent those between two of one segment are in that segment too:
/// [`together`] relies on it.
pub(super) trait NumericPath: Segment {
    /// The special rows.
    fn table<K: Knobs>(k: &K) -> Table;

    /// The segment of a finite, non-zero operand.
    fn of<K: Knobs>(k: &K, x: u32) -> Self;

    /// The function of a finite, non-zero operand.
    #[inline(always)]
    fn evaluate<K: Knobs>(k: &K, x: u32) -> Number {
        Self::of(k, x).at(k, x)
    }

    /// The function of any operand.
    #[inline(always)]
    fn value<K: Knobs>(k: &K, x: u32) -> Option<Number> {
        look_up(k, Self::table(k), Class::of(F32, x), || Self::evaluate(k, x))
    }
}
