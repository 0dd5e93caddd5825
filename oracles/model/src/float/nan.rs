//! Chooses the NaN of a result. IEEE 754 leaves the choice open, so the conventions C001 and C002
//! decide it.

use assay_isa::Reading;

use super::{NAN, QUIET, is_finite, is_nan, is_zero};
use crate::knobs::Knobs;

/// Returns the NaN result of FADD, FMUL or FMNMX for two operands.
#[inline(always)]
pub(crate) fn nan<K: Knobs>(k: &K, a: u32, b: u32) -> u32 {
    among(k, [a, b])
}

/// Returns the NaN result of FFMA. C001 = 3 follows Arm: the addend is checked first, but infinity
/// times zero takes precedence over a quiet addend.
#[inline(always)]
pub(super) fn nan_of_three<K: Knobs>(k: &K, a: u32, b: u32, c: u32) -> u32 {
    if k.reading(Reading::C001) != 3 {
        return among(k, [a, b, c]);
    }
    let unbounded = |x: u32| !is_finite(x) && !is_nan(x);
    let invalid = unbounded(a) && is_zero(b) || is_zero(a) && unbounded(b);
    if invalid && !is_signalling(c) { pattern(k) } else { among(k, [c, a, b]) }
}

/// Returns the NaN result, chosen from operands that are checked in this order.
#[inline(always)]
fn among<K: Knobs, const N: usize>(k: &K, operands: [u32; N]) -> u32 {
    // In the intended readings the operands do not matter, so the function returns early.
    if k.reading(Reading::C001) == 1 {
        return pattern(k);
    }
    let first = operands.into_iter().find(|bits| is_nan(*bits));
    let worst = operands.into_iter().find(|bits| is_signalling(*bits));
    let taken = match k.reading(Reading::C001) {
        2 => first,
        _ => worst.or(first),
    };
    taken.map_or_else(|| pattern(k), |bits| bits | QUIET)
}

/// Returns the NaN result that does not come from an operand.
#[inline(always)]
fn pattern<K: Knobs>(k: &K) -> u32 {
    match k.reading(Reading::C002) {
        1 => NAN,
        2 => 0x7fc0_0000,
        _ => 0xffc0_0000,
    }
}

/// Returns whether `bits` is a signalling NaN: its quiet bit is clear.
pub(crate) fn is_signalling(bits: u32) -> bool {
    is_nan(bits) && bits & QUIET == 0
}
