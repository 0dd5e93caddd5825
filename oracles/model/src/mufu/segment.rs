//! A segment of a function, and the loop over operands in one segment.
//!
//! The loops are compiled for several instruction sets, and the best is chosen at run time. The crate has no
//! `unsafe` code of its own. `multiversion` generates the calls, after it has checked the processor.

use super::number::Number;
use crate::knobs::Knobs;

/// A segment of a function: what operands with different trailing bits share, such as a row of the ROM.
pub(super) trait Segment: Copy + PartialEq {
    /// Evaluates the function at an operand of the segment, without branches on unshared bits.
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number;

    /// Evaluates a column of such operands. A segment with several variants matches them here, ahead of the
    /// loop.
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

/// Compiles a loop for each instruction set. The functions that it calls must be inlined: a closure
/// of its own or an iterator's method is compiled for the baseline set only.
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
