//! A numeric path evaluates a function in two steps. First, the leading bits of an operand choose a
//! segment. Then the function is evaluated from the other bits.

use assay_isa::format::F32;

use super::number::Number;
use super::rows::{Class, SpecialTable};
use super::segment::Segment;
use super::special::look_up;
use crate::knobs::Knobs;

/// A function of a binary32, divided into segments.
///
/// If two operands with the same sign and exponent are in one segment, all operands between them
/// must be in that segment. [`together`] relies on it.
pub(super) trait NumericPath: Segment {
    /// Returns the table of special rows.
    fn table<K: Knobs>(k: &K) -> SpecialTable;

    /// Returns the segment of a finite, non-zero operand.
    fn of<K: Knobs>(k: &K, x: u32) -> Self;

    /// Returns the segment of all operands from `least` to `greatest`. Returns `None` if they are
    /// in several segments. `least` and `greatest` must have the same sign and exponent.
    #[inline(always)]
    fn between<K: Knobs>(k: &K, least: u32, greatest: u32) -> Option<Self> {
        let segment = Self::of(k, least);
        (segment == Self::of(k, greatest)).then_some(segment)
    }

    /// Evaluates the function at a finite, non-zero operand.
    #[inline(always)]
    fn evaluate<K: Knobs>(k: &K, x: u32) -> Number {
        Self::of(k, x).at(k, x)
    }

    /// Evaluates the function at any operand. `None` is the quiet NaN.
    #[inline(always)]
    fn value<K: Knobs>(k: &K, x: u32) -> Option<Number> {
        look_up(k, Self::table(k), Class::of(F32, x), || Self::evaluate(k, x))
    }
}
