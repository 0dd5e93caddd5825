//! Reciprocal, roots, power, logarithm and hyperbolic tangent in double precision.
//!
//! Each function takes one finite argument and returns (base, delta), whose sum approximates the
//! value: see [`super::Kernel`]. The comments count roundings of delta. Each rounding has an error
//! of at most u = 2⁻⁵³ of its result. The certificates have the measured errors.

use std::f64::consts::LOG2_E;

use super::series::{EXPONENTIAL, LOGARITHM, POWER, TANGENT, polynomial};

/// Rounds a number below 2⁵¹ to an integer: `x + MAGIC` has the nearest integer in its low bits,
/// and `x + MAGIC - MAGIC` equals this integer.
pub const MAGIC: f64 = 1.5 * (1_u64 << 52) as f64;

/// From this argument on, 2^x exceeds every format by hundreds of binades.
pub const FAR: f64 = 1000.0;

/// From this argument on, tanh x differs from ±1 by less than 2⁻⁸⁰⁰.
pub const FAR_FROM_ONE: f64 = 300.0;

/// The leading 32 bits of ln 2. The product of this constant with a number of 20 bits is exact.
pub const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
/// ln 2 less [`LN_2_HIGH`].
pub const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Returns 1/x, correctly rounded: an error of u.
#[inline(always)]
pub fn reciprocal(x: f64) -> (f64, f64) {
    (0.0, 1.0 / x)
}

/// Returns √x, correctly rounded: an error of u.
#[inline(always)]
pub fn root(x: f64) -> (f64, f64) {
    (0.0, x.sqrt())
}

/// Returns 1/√x. The division keeps the error of the root and rounds again, so the error is
/// slightly above 2u.
#[inline(always)]
pub fn reciprocal_root(x: f64) -> (f64, f64) {
    (0.0, 1.0 / x.sqrt())
}

/// Returns 2^x = 2^n · 2^r. n is the integer nearest to x; r is exact, and |r| is at most ½. The
/// last sum has an error of u, and its result is at least 0.7. The product before it is at most
/// 0.42 and has an error of 3u. The rest of the series is below 2⁻⁵⁸.
#[inline(always)]
pub fn power(x: f64) -> (f64, f64) {
    let x = if x > FAR { FAR } else { x };
    let x = if x < -FAR { -FAR } else { x };
    let shifted = x + MAGIC;
    let r = x - (shifted - MAGIC);
    let significand = 1.0 + r * polynomial(r, &POWER);
    // The low bits of the integer n are added to the exponent. The left shift discards the other
    // bits of `shifted`.
    (0.0, f64::from_bits(significand.to_bits().wrapping_add(shifted.to_bits() << 52)))
}

/// Returns 2^x for |x| below 2⁻⁴, as 1 + (2^x - 1): three roundings of delta.
#[inline(always)]
pub fn power_near_one(x: f64) -> (f64, f64) {
    (1.0, x * polynomial(x, &POWER))
}

/// Returns log₂ x for positive x = 2^k·m, √½ <= m < √2. With s = (m - 1)/(m + 1), it is k +
/// log₂((1 + s)/(1 - s)). The term in s has an error of 4u. This term is about ½ at most, and never
/// exceeds the sum.
#[inline(always)]
pub fn logarithm(x: f64) -> (f64, f64) {
    // The pattern of √½, rounded up to 20 bits of fraction.
    const LEAST: u64 = 0x3fe6_a09f_0000_0000;
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    let raised = x.to_bits().wrapping_add(ONE - LEAST);
    let exponent = raised >> 52;
    let m = f64::from_bits((raised & ((1 << 52) - 1)) + LEAST);
    // The double 2⁵² + exponent. Below, 2⁵² and the bias are subtracted from it.
    let k = f64::from_bits(exponent | 0x4330_0000_0000_0000) - ((1_u64 << 52) + 1023) as f64;
    let s = (m - 1.0) / (m + 1.0);
    (0.0, k + s * polynomial(s * s, &LOGARITHM))
}

/// Returns tanh x for |x| below 2⁻⁴, as x + (tanh x - x): five roundings of delta.
#[inline(always)]
pub fn tangent_near_argument(x: f64) -> (f64, f64) {
    let z = x * x;
    (x, x * z * polynomial(z, &TANGENT))
}

/// Returns tanh x for |x| from 2⁻⁴ to 8, as E/(E + 2) with E = e^2|x| - 1. E has an error of 5u at
/// most. The quotient has this error and two more roundings.
#[inline(always)]
pub fn tangent(x: f64) -> (f64, f64) {
    let (scale, p) = exponential(2.0 * x.abs());
    let e = scale * p + (scale - 1.0);
    (0.0, (e / (e + 2.0)).copysign(x))
}

/// Returns tanh x for |x| from 8 on, as ±1 ∓ 2/(e^2|x| + 1): seven roundings of delta.
#[inline(always)]
pub fn tangent_near_one(x: f64) -> (f64, f64) {
    let magnitude = x.abs();
    let magnitude = if magnitude > FAR_FROM_ONE { FAR_FROM_ONE } else { magnitude };
    let (scale, p) = exponential(2.0 * magnitude);
    let e = scale + scale * p;
    (1.0_f64.copysign(x), (2.0 / (e + 1.0)).copysign(-x))
}

/// Returns 2^n and e^r - 1, where e^t = 2^n · e^r, for t from 0 to 600. |r| is at most 0.35.
#[inline(always)]
fn exponential(t: f64) -> (f64, f64) {
    let shifted = t * LOG2_E + MAGIC;
    let n = shifted - MAGIC;
    let r = (t - n * LN_2_HIGH) - n * LN_2_LOW;
    let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    (scale, r + r * r * polynomial(r, &EXPONENTIAL))
}
