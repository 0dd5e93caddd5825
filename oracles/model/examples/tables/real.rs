//! Real functions with about 55 correct bits after the point. The functions use integers, so the
//! tables are the same on every machine.
//!
//! A number is an `i64` in units of 2⁻⁶⁰. The series are from textbooks. Each series stops when its
//! terms become 0. The errors of all terms add up to a few units, which is 2²⁰ times too small to
//! affect a table.

/// Number of bits after the point.
pub const FRACTION: u32 = 60;
/// The number 1.
pub const ONE: i64 = 1 << FRACTION;

/// Returns a · b.
pub fn mul(a: i64, b: i64) -> i64 {
    ((i128::from(a) * i128::from(b)) >> FRACTION) as i64
}

/// Returns a / b.
pub fn div(a: i64, b: i64) -> i64 {
    ((i128::from(a) << FRACTION) / i128::from(b)) as i64
}

/// Returns √x.
pub fn sqrt(x: i64) -> i64 {
    ((x as u128) << FRACTION).isqrt() as i64
}

/// Returns Σ yⁿ·cₙ, where c₀ = 1 and cₙ = cₙ₋₁·p/q for (p, q) = `ratio(n)`.
fn series(y: i64, ratio: impl Fn(i64) -> (i64, i64)) -> i64 {
    let (mut sum, mut term, mut n) = (ONE, ONE, 0);
    while term != 0 {
        n += 1;
        let (p, q) = ratio(n);
        term = mul(term, y) * p / q;
        sum += term;
    }
    sum
}

/// Returns artanh(z)/z for y = z² up to 1/9.
fn artanh_over(y: i64) -> i64 {
    let (mut sum, mut power, mut n) = (ONE, ONE, 1);
    while power != 0 {
        n += 2;
        power = mul(power, y);
        sum += power / n;
    }
    sum
}

/// Returns ln 2 = 2·artanh ⅓.
fn ln_2() -> i64 {
    artanh_over(ONE / 9) / 3 * 2
}

/// Returns eˣ for |x| ≤ 1.
fn exp(x: i64) -> i64 {
    series(x, |n| (1, n))
}

/// Returns 2ˣ for 0 ≤ x ≤ 1.
pub fn exp2(x: i64) -> i64 {
    exp(mul(x, ln_2()))
}

/// Returns log₂(x) / (x − 1) for ½ ≤ x ≤ 3/2. At 1 it is 1/ln 2.
///
/// Uses ln x = 2·artanh z for z = (x − 1)/(x + 1).
pub fn log2_over_excess(x: i64) -> i64 {
    let z = div(x - ONE, x + ONE);
    div(2 * div(artanh_over(mul(z, z)), x + ONE), ln_2())
}

/// Returns sin(x)/x for 0 ≤ x < 2.
pub fn sin_over(x: i64) -> i64 {
    series(-mul(x, x), |n| (1, 2 * n * (2 * n + 1)))
}

/// Returns tanh(x)/x for 0 ≤ x < 1.
pub fn tanh_over(x: i64) -> i64 {
    let y = mul(x, x);
    div(series(y, |n| (1, 2 * n * (2 * n + 1))), series(y, |n| (1, 2 * n * (2 * n - 1))))
}

/// Returns tanh(x) for x ≥ 0. x is in units of 2⁻⁵⁶, so that numbers up to 16 fit.
pub fn tanh(x: i64) -> i64 {
    let mut power = exp(-x / 4); // e^(−2x/128)
    for _ in 0..7 {
        power = mul(power, power);
    }
    div(ONE - power, ONE + power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_floats_have_it() {
        let near = |found: i64, truth: f64| {
            let found = found as f64 / ONE as f64;
            assert!((found - truth).abs() < 2.0_f64.powi(-50), "{found} for {truth}");
        };
        for step in 0..=64 {
            let (x, f) = (ONE / 64 * step, step as f64 / 64.0);
            near(exp2(x), f.exp2());
            near(sqrt(ONE + x), (1.0 + f).sqrt());
            near(div(ONE, ONE + x), 1.0 / (1.0 + f));
            let m = 0.75 + f * 0.75;
            if m != 1.0 {
                near(mul(log2_over_excess(ONE / 4 * 3 + x / 4 * 3), ONE / 4 * 3 + x / 4 * 3 - ONE), m.log2());
            }
            near(mul(sin_over(x + x / 2), x + x / 2), (1.5 * f).sin());
            near(mul(tanh_over(x - x / 8), x - x / 8), (0.875 * f).tanh());
            near(tanh(x), (16.0 * f).tanh());
        }
    }
}
