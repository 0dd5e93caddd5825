//! Taylor series with coefficients in double precision.
//!
//! No coefficient is fitted, so the remainder of a truncated series has a bound on paper. A minimax
//! polynomial would have a few terms less, which would save less than a nanosecond.

use std::f64::consts::LN_2;

/// Returns c₀ + c₁z + c₂z² + …, by Horner's rule. Products and sums are rounded one by one, never
/// fused. So all instruction sets give the same bits.
#[inline(always)]
pub fn polynomial<const N: usize>(z: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    for coefficient in coefficients[..N - 1].iter().rev() {
        sum = sum * z + coefficient;
    }
    sum
}

/// Coefficients of (sin r - r) / r³ by powers of r²: -1/3! + r²/5! - …
pub const SINE: [f64; 8] = factorials(3, 2, -1.0);

/// Coefficients of (cos r - 1) / r² by powers of r²: -1/2! + r²/4! - …
pub const COSINE: [f64; 8] = factorials(2, 2, -1.0);

/// Coefficients of (e^r - 1 - r) / r² by powers of r: 1/2! + r/3! + …
pub const EXPONENTIAL: [f64; 13] = factorials(2, 1, 1.0);

/// Coefficients of (2^r - 1) / r by powers of r: ln 2 + r·ln² 2/2! + …
pub const POWER: [f64; 14] = powers_of_ln_2();

/// Coefficients of log₂((1 + s) / (1 - s)) / s by powers of s²: (2 / ln 2)·(1 + s²/3 + s⁴/5 + …)
pub const LOGARITHM: [f64; 12] = odd_fractions();

/// Coefficients of (tanh x - x) / x³ by powers of x²: 2^2k (2^2k - 1) B₂k / (2k)! for k from 2
/// (Abramowitz and Stegun, 4.5.64).
pub const TANGENT: [f64; 7] = [
    -1.0 / 3.0,
    2.0 / 15.0,
    -17.0 / 315.0,
    62.0 / 2835.0,
    -1382.0 / 155_925.0,
    21_844.0 / 6_081_075.0,
    -929_569.0 / 638_512_875.0,
];

/// Returns ±1/n! for n = `first`, `first` + `step`, and so on. The first value has the sign `sign`.
/// If `sign` is -1, the signs alternate.
const fn factorials<const N: usize>(first: usize, step: usize, sign: f64) -> [f64; N] {
    let mut list = [0.0; N];
    let (mut k, mut n, mut factorial, mut signed) = (0, 1, 1.0, sign);
    while k < N {
        while n < first + k * step {
            n += 1;
            factorial *= n as f64;
        }
        list[k] = signed / factorial;
        signed *= sign;
        k += 1;
    }
    list
}

const fn powers_of_ln_2<const N: usize>() -> [f64; N] {
    let mut list = [LN_2; N];
    let mut k = 1;
    while k < N {
        list[k] = list[k - 1] * LN_2 / (k + 1) as f64;
        k += 1;
    }
    list
}

const fn odd_fractions<const N: usize>() -> [f64; N] {
    let mut list = [0.0; N];
    let mut k = 0;
    while k < N {
        list[k] = 2.0 / (LN_2 * (2 * k + 1) as f64);
        k += 1;
    }
    list
}
