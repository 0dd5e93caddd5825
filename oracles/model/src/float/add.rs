//! FADD: the sum of two binary32 numbers.

use std::hint::select_unpredictable;

use super::exact::Exact;
use super::finish::{finish, finish_special};
use super::round::{Rounded, round, sign_of_zero_sum};
use super::{Modifiers, is_finite, is_nan, nan, seldom};
use crate::knobs::Knobs;

/// Returns a + b.
#[inline(always)]
pub(crate) fn fadd<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32) -> u32 {
    plus(k, modifiers, a, b, || nan(k, a, b))
}

/// Returns a + b, or `nan` if the result is NaN.
#[inline(always)]
pub(super) fn plus<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32, nan: impl FnOnce() -> u32) -> u32 {
    let finite = is_finite(a) & is_finite(b);
    if !K::FIXED && !finite {
        return seldom(|| special(k, modifiers, a, b, nan()));
    }
    let sum = finish(k, modifiers, sum(k, modifiers, Exact::unpack(a), Exact::unpack(b)));
    if K::FIXED { select_unpredictable(finite, sum, special(k, modifiers, a, b, nan())) } else { sum }
}

/// Returns a rounded sum of finite numbers. FFMA uses it, too.
#[inline(always)]
pub(super) fn sum<K: Knobs>(k: &K, modifiers: Modifiers, a: Exact, b: Exact) -> Rounded {
    let mut sum = a.plus(k, b);
    if sum.significand == 0 {
        sum.sign = sign_of_zero_sum(k, modifiers.rounding, a.sign, b.sign);
    }
    round(k, modifiers.rounding, sum)
}

/// Returns the IEEE 754 sum of operands that are not both finite. Returns `nan` if the sum is a
/// NaN.
#[inline(always)]
pub(super) fn special<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32, nan: u32) -> u32 {
    let opposed = !is_finite(a) & !is_finite(b) & (a != b);
    let number = select_unpredictable(is_finite(a), b, select_unpredictable(opposed, nan, a));
    let bits = select_unpredictable(is_nan(a) | is_nan(b), nan, number);
    finish_special(k, modifiers, bits)
}
