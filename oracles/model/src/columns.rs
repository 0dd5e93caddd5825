//! Loops over columns: each lane takes one value of each operand, and computes one result.

use crate::knobs::COLUMNS;

/// The columns of the operands that an instruction reads.
pub(crate) type Columns = [Vec<u32>; COLUMNS];

/// Compiles a function for each instruction set, and chooses the best one at run time. The
/// functions that it calls must be inlined. A closure in the function, or an iterator's method,
/// would only be compiled for the baseline set. The crate itself has no `unsafe` code:
/// `multiversion` generates the calls, which check the processor first.
macro_rules! vectors {
    ($($function:tt)*) => {
        #[multiversion::multiversion(targets(
            "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl",
            "x86_64+avx2+bmi1+bmi2+lzcnt",
        ))]
        $($function)*
    };
}
pub(crate) use vectors;

/// Returns the first `N` columns.
pub(crate) fn first<const N: usize>(columns: &[Vec<u32>]) -> [&[u32]; N] {
    std::array::from_fn(|i| &columns[i][..])
}

#[inline]
pub(crate) fn unary(results: &mut [u32], x: &[u32], lane: impl Fn(u32) -> u32) {
    for (result, x) in results.iter_mut().zip(x) {
        *result = lane(*x);
    }
}

#[inline]
pub(crate) fn binary(results: &mut [u32], a: &[u32], b: &[u32], lane: impl Fn(u32, u32) -> u32) {
    for ((result, a), b) in results.iter_mut().zip(a).zip(b) {
        *result = lane(*a, *b);
    }
}

#[inline]
pub(crate) fn ternary(
    results: &mut [u32],
    a: &[u32],
    b: &[u32],
    c: &[u32],
    lane: impl Fn(u32, u32, u32) -> u32,
) {
    for (((result, a), b), c) in results.iter_mut().zip(a).zip(b).zip(c) {
        *result = lane(*a, *b, *c);
    }
}

/// Runs a function over the first `N` columns.
#[inline(always)]
pub(crate) fn lanes<const N: usize>(
    results: &mut [u32],
    columns: [&[u32]; N],
    lane: impl Fn([u32; N]) -> u32,
) {
    let columns = columns.map(|column| &column[..results.len()]);
    for (i, result) in results.iter_mut().enumerate() {
        // A loop, because the compiler does not optimise `map` over five columns.
        let mut values = [0; N];
        for (value, column) in values.iter_mut().zip(&columns) {
            *value = column[i];
        }
        *result = lane(values);
    }
}
