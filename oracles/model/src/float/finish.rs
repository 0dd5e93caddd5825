//! Saturation, then flushing, of a rounded result (document `004`, `__Semantics`).

use std::hint::select_unpredictable;

use assay_isa::Reading;

use super::round::Rounded;
use super::{INFINITY, Modifiers, ONE, SIGN, is_nan};
use crate::knobs::Knobs;

/// Applies `.SAT` and the output side of `.FTZ`. A zero that comes from no flush keeps its sign (C011).
#[inline(always)]
pub(super) fn finish<K: Knobs>(k: &K, modifiers: Modifiers, rounded: Rounded) -> u32 {
    let bits = if modifiers.sat { saturate(k, rounded.bits) } else { rounded.bits };
    let unsigned = k.reading(Reading::C011) == 2 && (bits & !SIGN != 0 || rounded.tiny);
    let zero = if unsigned { 0 } else { bits & SIGN };
    select_unpredictable(modifiers.flushes_results && (bits & INFINITY == 0 || rounded.tiny), zero, bits)
}

/// Saturates a result that needed no arithmetic. Flushing does not change infinities and NaNs.
#[inline(always)]
pub(super) fn finish_special<K: Knobs>(k: &K, modifiers: Modifiers, bits: u32) -> u32 {
    if modifiers.sat { saturate(k, bits) } else { bits }
}

/// Clamps to [+0, 1], NaN to +0. The documents' code lets -0 through, the prose does not (E170).
#[inline(always)]
fn saturate<K: Knobs>(k: &K, bits: u32) -> u32 {
    if is_nan(bits) {
        0
    } else if bits & SIGN != 0 {
        let kept = k.reading(Reading::E170) == 1;
        if kept { SIGN & u32::from(bits == SIGN).wrapping_neg() } else { 0 }
    } else {
        bits.min(ONE)
    }
}
