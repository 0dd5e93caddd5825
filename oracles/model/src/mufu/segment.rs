//! A segment of a function, and the loop over operands of one segment.

use super::number::Number;
use crate::columns::vectors;
use crate::knobs::Knobs;

/// A segment of a function: the data that operands with different trailing bits share, such as a
/// row of the ROM.
pub(super) trait Segment: Copy + PartialEq {
    /// Evaluates the function at an operand of the segment. The code must not branch on bits that
    /// differ between operands.
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number;

    /// Evaluates a column of operands of the segment. A type with several variants overrides this
    /// method, to match the variant before the loop.
    #[inline(always)]
    fn map<K: Knobs, W: Fn(Option<Number>) -> u32>(
        self,
        k: &K,
        xs: &[u32],
        results: &mut [u32],
        written: &W,
    ) {
        map(k, self, xs, results, written);
    }
}

vectors! {
    /// Computes the results of lanes of one segment.
    fn map<S: Segment, K: Knobs, W: Fn(Option<Number>) -> u32>(
        k: &K,
        segment: S,
        xs: &[u32],
        results: &mut [u32],
        written: &W,
    ) {
        for (result, x) in results.iter_mut().zip(xs) {
            *result = written(Some(segment.at(k, *x)));
        }
    }
}
