//! What a result that is NaN looks like, which IEEE 754 leaves open: the conventions C001 and C002.

use assay_isa::Reading;

use super::{NAN, QUIET, is_finite, is_nan, is_zero};
use crate::knobs::Knobs;

/// The NaN of FADD, FMUL or FMNMX of two operands.
pub(crate) fn nan<K: Knobs>(k: &K, a: u32, b: u32) -> u32 {
    among(k, [a, b])
}

/// The NaN of FFMA. Arm looks at the addend first, and takes infinity times zero to be worse than a quiet addend.
pub(super) fn nan_of_three<K: Knobs>(k: &K, a: u32, b: u32, c: u32) -> u32 {
    if k.reading(Reading::C001) != 3 {
        return among(k, [a, b, c]);
    }
    let unbounded = |x: u32| !is_finite(x) && !is_nan(x);
    let invalid = unbounded(a) && is_zero(b) || is_zero(a) && unbounded(b);
    if invalid && !is_signalling(c) { pattern(k) } else { among(k, [c, a, b]) }
}

/// The NaN that comes of operands, in the order in which they are looked at.
fn among<K: Knobs, const N: usize>(k: &K, operands: [u32; N]) -> u32 {
    let first = operands.into_iter().find(|bits| is_nan(*bits));
    let worst = operands.into_iter().find(|bits| is_signalling(*bits));
    let taken = match k.reading(Reading::C001) {
        1 => None,
        2 => first,
        _ => worst.or(first),
    };
    taken.map_or_else(|| pattern(k), |bits| bits | QUIET)
}

/// The NaN that no operand gives.
fn pattern<K: Knobs>(k: &K) -> u32 {
    match k.reading(Reading::C002) {
        1 => NAN,
        2 => 0x7fc0_0000,
        _ => 0xffc0_0000,
    }
}

/// Whether it is a NaN whose quiet bit is clear.
pub(crate) fn is_signalling(bits: u32) -> bool {
    is_nan(bits) && bits & QUIET == 0
}
