//! Saturation, then flushing, of a rounded result (document `004`, `__Semantics`).

use std::hint::select_unpredictable;

use assay_isa::Reading;

use super::round::Rounded;
use super::{INFINITY, Modifiers, ONE, SIGN, is_nan};
use crate::knobs::Knobs;

/// Applies `.SAT` to a rounded result, and flushes it under `.FTZ`. C011 = 2 makes a flushed result
/// +0. Other zeros keep their sign.
#[inline(always)]
pub(super) fn finish<K: Knobs>(k: &K, modifiers: Modifiers, rounded: Rounded) -> u32 {
    let bits = if modifiers.sat { saturate(k, rounded.bits) } else { rounded.bits };
    let unsigned = k.reading(Reading::C011) == 2 && (bits & !SIGN != 0 || rounded.tiny);
    let zero = if unsigned { 0 } else { bits & SIGN };
    select_unpredictable(modifiers.flushes_results && (bits & INFINITY == 0 || rounded.tiny), zero, bits)
}

/// Saturates an infinity or a NaN, which never needs flushing.
#[inline(always)]
pub(super) fn finish_special<K: Knobs>(k: &K, modifiers: Modifiers, bits: u32) -> u32 {
    if modifiers.sat { saturate(k, bits) } else { bits }
}

/// Clamps a result to [+0, 1]. A NaN becomes +0. The documents' code keeps -0, and their prose
/// makes it +0 (E170).
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
