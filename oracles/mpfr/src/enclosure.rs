//! Real numbers enclosed: what MPFR cut off toward zero, and whether anything was.

use std::cmp::Ordering;

use assay_isa::truth::Enclosure;
use rug::Float;

/// The most bits that are worked out: the contract of an oracle asks for no more.
const MOST_BITS: u32 = 120;

/// A number of as many bits as were asked for, to compute an enclosure in.
pub fn with_precision(precision: u32) -> Float {
    Float::new(precision.clamp(1, MOST_BITS))
}

/// The enclosure of a number, neither zero nor infinite, that was rounded toward zero; `direction` is
/// how it compares to the exact one.
pub fn enclose(cut: &Float, direction: Ordering) -> Enclosure {
    let bits = cut.prec();
    // The magnitude is 0.1… · 2^exponent, and the significand is that fraction in whole limbs.
    let exponent = cut.get_exp().unwrap_or(0);
    let significand = cut.get_significand().map_or(0, |limbs| {
        let vacant = limbs.significant_bits() - bits;
        (*limbs).to_u128_wrapping() >> vacant
    });
    Enclosure {
        negative: cut.is_sign_negative(),
        significand,
        exponent: exponent - bits as i32,
        exact: direction == Ordering::Equal,
    }
}

/// The enclosed number in decimal, to `digits` significant digits, which the enclosure must be tight
/// enough for. For display.
pub fn decimal(y: &Enclosure, digits: usize) -> String {
    let magnitude = Float::with_val(128, rug::Integer::from(y.significand)) << y.exponent;
    let signed = if y.negative { -magnitude } else { magnitude };
    signed.to_string_radix(10, Some(digits))
}
