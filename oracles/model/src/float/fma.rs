//! FFMA: the sum of a 48-bit product and an addend, rounded once (E178, E180).

use std::hint::select_unpredictable;

use assay_isa::Reading;
use assay_isa::tables::types::FPRound;

use super::add::{self, plus, sum};
use super::exact::Exact;
use super::finish::finish;
use super::mul::infinite_product;
use super::nan::nan_of_three;
use super::round::round;
use super::{Modifiers, is_finite, seldom};
use crate::knobs::Knobs;
use crate::site::Site;

/// Returns a · b + c.
#[inline(always)]
pub(crate) fn ffma<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32, c: u32) -> u32 {
    // The documents' code does not mention .rnd (E178). The code stores the product in a variable,
    // whose type may be binary32 (E180).
    let nearest = k.reading(Reading::E178) == 1;
    let modifiers = if nearest { Modifiers { rounding: FPRound::RN, ..modifiers } } else { modifiers };
    if k.reading(Reading::E180) == 1 {
        return in_two_steps(k, modifiers, a, b, c);
    }
    let finite = is_finite(a) & is_finite(b) & is_finite(c);
    if !K::FIXED && !finite {
        return seldom(|| special(k, modifiers, a, b, c));
    }
    let sum = of_numbers(k, modifiers, a, b, c);
    if K::FIXED { select_unpredictable(finite, sum, special(k, modifiers, a, b, c)) } else { sum }
}

/// Returns a · b + c for finite operands. For other operands the result is not used.
#[inline(always)]
fn of_numbers<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32, c: u32) -> u32 {
    let mut product = Exact::product(k, a, b);
    let mut addend = Exact::unpack(c);
    // A zero product gets the addend's exponent. With a larger exponent it would shift the addend
    // out.
    product.exponent = select_unpredictable(product.significand == 0, addend.exponent, product.exponent);
    if k.wrong(Site::FfmaFarAddendDropped) && product.exponent - addend.exponent > 24 {
        addend.significand = 0;
    }
    finish(k, modifiers, sum(k, modifiers, product, addend))
}

/// Rounds the product in the mode of the sum, without saturation or flushing, then adds.
fn in_two_steps<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32, c: u32) -> u32 {
    let product = if is_finite(a) && is_finite(b) {
        round(k, modifiers.rounding, Exact::product(k, a, b)).bits
    } else {
        infinite_product(k, a, b)
    };
    plus(k, modifiers, product, c, || nan_of_three(k, a, b, c))
}

/// Returns the result if an operand is not finite, by IEEE 754's rules. A finite product is
/// replaced by 0, because its value does not affect the result.
#[inline(always)]
fn special<K: Knobs>(k: &K, modifiers: Modifiers, a: u32, b: u32, c: u32) -> u32 {
    let finite = is_finite(a) & is_finite(b);
    let product = select_unpredictable(finite, 0, infinite_product(k, a, b));
    add::special(k, modifiers, product, c, nan_of_three(k, a, b, c))
}
