//! Converts an enclosure to two doubles.

use assay_isa::truth::Enclosure;

/// Number of significand bits of a double.
const PRECISION: i32 = 53;
/// Exponent of the smallest positive double.
const LEAST: i32 = -1074;
/// Exponent of the largest power of two among doubles.
const GREATEST: i32 = 1023;

/// Returns the greatest double that is at most a number, and the least double that is at least the
/// number.
/// Both are equal if the number is a double. Otherwise they are neighbours.
pub fn doubles(y: &Enclosure) -> [f64; 2] {
    let [near, far] = magnitudes(y);
    if y.negative { [-far, -near] } else { [near, far] }
}

/// Returns two doubles that enclose the magnitude of a number, the smaller double first.
fn magnitudes(y: &Enclosure) -> [f64; 2] {
    let top = y.exponent + 127 - y.significand.leading_zeros() as i32;
    if top > GREATEST {
        return [f64::MAX, f64::INFINITY];
    }
    let unit = (top - PRECISION + 1).max(LEAST);
    let (whole, is_cut) = match unit - y.exponent {
        128.. => (0, true),
        shift @ 0..128 => (y.significand >> shift, y.significand & ((1 << shift) - 1) != 0),
        shift => (y.significand << -shift, false),
    };
    let is_exact = y.exact && !is_cut;
    [whole, whole + u128::from(!is_exact)].map(|multiple| multiple as f64 * power(unit))
}

/// Returns 2^`exponent`, for exponents from -1074 to 1023.
fn power(exponent: i32) -> f64 {
    match exponent - LEAST {
        place @ 0..52 => f64::from_bits(1 << place),
        _ => f64::from_bits(((exponent + GREATEST) as u64) << (PRECISION - 1)),
    }
}
