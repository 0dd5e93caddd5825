//! A numeric path in two steps: what the leading bits of an operand decide, and what is left to each operand.

use assay_isa::format::F32;

use super::number::Number;
use super::rows::{Class, SpecialTable};
use super::segment::Segment;
use super::special::look_up;
use crate::knobs::Knobs;

/// A function of a binary32, by its segments.
///
/// Of operands with the same sign and exponent those between two of one segment are in that segment too:
/// [`together`] relies on it.
pub(super) trait NumericPath: Segment {
    /// The special rows.
    fn table<K: Knobs>(k: &K) -> SpecialTable;

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
