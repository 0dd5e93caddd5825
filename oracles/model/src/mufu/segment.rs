//! A segment of a function, and the loop over operands that lie in one.
//!
//! The loops are compiled for several instruction sets, of which the best is picked at run time. The crate is
//! free of `unsafe` but for the calls that `multiversion` writes for that, after it has asked the processor.

use super::number::Number;
use crate::knobs::Knobs;

/// A segment of a function: what operands that differ in trailing bits have in common, such as a row of the ROM.
pub(super) trait Segment: Copy + PartialEq {
    /// The function of an operand of the segment. Nothing branches here on what the operands do not share.
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number;

    /// A column of such operands. A segment of several sorts distinguishes them here, ahead of the loop.
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

/// Compiles a loop for each instruction set. What it calls must be inlined: a closure of its own or an iterator's
/// method is compiled for the least of them.
macro_rules! vectors {
    ($($function:tt)*) => {
        #[multiversion::multiversion(targets(
            "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl",
            "x86_64+avx2+bmi1+bmi2+lzcnt",
        ))]
        $($function)*
    };
}
pub(super) use vectors;

vectors! {
    /// The results of lanes of one segment.
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
