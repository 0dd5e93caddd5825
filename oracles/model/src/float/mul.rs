//! FMUL, and the scaling of its first operand.

use std::hint::select_unpredictable;

use assay_isa::Reading;

use super::exact::Exact;
use super::finish::{finish, finish_special};
use super::round::round;
use super::{INFINITY, Modifiers, SIGN, flush, is_finite, is_nan, is_zero, nan, seldom};
use crate::knobs::Knobs;

/// Returns (a · 2^scale) · b.
///
/// The scaling is exact (E176 = 1): `scale` is added to the product's exponent, so the scaling
/// alone cannot overflow or underflow. Under other settings the scaled operand is rounded to
/// binary32 first.
#[inline(always)]
pub(crate) fn fmul<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32) -> u32 {
    let exact = k.reading(Reading::E176) == 1;
    let a = if exact { a } else { scaled(k, modifiers, a) };
    let finite = is_finite(a) & is_finite(b);
    if !K::FIXED && !finite {
        return seldom(|| special(k, modifiers, a, b));
    }
    let mut product = Exact::product(k, a, b);
    if exact {
        product.exponent += modifiers.scale;
    }
    let product = finish(k, modifiers, round(k, modifiers.rounding, product));
    if K::FIXED { select_unpredictable(finite, product, special(k, modifiers, a, b)) } else { product }
}

/// Returns the saturated product if an operand is not finite.
#[inline(always)]
fn special<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32) -> u32 {
    finish_special(k, modifiers, infinite_product(k, a, b))
}

/// Returns the scaled first operand under E176 = 2 and 3, rounded in the instruction's mode. Under
/// E176 = 3 the scaled operand is also flushed, like an operand.
fn scaled<K: Knobs>(k: &K, modifiers: Modifiers, a: u32) -> u32 {
    if modifiers.scale == 0 || !is_finite(a) {
        return a;
    }
    let mut exact = Exact::unpack(a);
    exact.exponent += modifiers.scale;
    let rounded = round(k, modifiers.rounding, exact).bits;
    let flushes = k.reading(Reading::E176) == 3;
    if modifiers.flushes_operands && flushes { flush(rounded) } else { rounded }
}

/// Returns the IEEE 754 product of operands that are not both finite.
#[inline(always)]
pub(super) fn infinite_product<K: Knobs>(k: &K, a: u32, b: u32) -> u32 {
    let infinite = (a ^ b) & SIGN | INFINITY;
    let invalid = is_nan(a) | is_nan(b) | is_zero(a) | is_zero(b);
    select_unpredictable(invalid, nan(k, a, b), infinite)
}
