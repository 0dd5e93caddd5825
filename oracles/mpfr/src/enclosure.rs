//! Encloses real numbers: the digits from MPFR, rounded toward zero, and whether they are exact.

use std::cmp::Ordering;

use assay_isa::truth::Enclosure;
use rug::Float;

/// The greatest precision that is computed. An oracle need not give more bits.
const MOST_BITS: u32 = 120;

/// Creates a number of the requested precision for computing an enclosure.
pub fn with_precision(precision: u32) -> Float {
    Float::new(precision.clamp(1, MOST_BITS))
}

/// Returns the enclosure of a number that was rounded toward zero. The number must be finite and
/// not zero. `direction` is how the rounded number compares to the exact one.
pub fn enclose(cut: &Float, direction: Ordering) -> Enclosure {
    let bits = cut.prec();
    // The magnitude is 0.1… · 2^exponent, and the significand is that fraction, left-aligned in
    // whole limbs.
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

/// Returns the enclosed number in decimal, to `digits` significant digits, for display. The
/// enclosure must have enough bits for these digits.
pub fn decimal(y: &Enclosure, digits: usize) -> String {
    let magnitude = Float::with_val(128, rug::Integer::from(y.significand)) << y.exponent;
    let signed = if y.negative { -magnitude } else { magnitude };
    signed.to_string_radix(10, Some(digits))
}
