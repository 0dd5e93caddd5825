//! Compares functions with binary64 and measures their errors. The error of binary64, about 2⁻²⁹
//! ulp of a binary32, does not matter here.

use std::cell::Cell;

use crate::mufu::number::Number;

/// Returns 2ⁿ.
fn power(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// Returns the number without rounding.
pub(crate) fn value(number: Number) -> f64 {
    let magnitude = f64::from(number.significand) * power(number.exponent);
    if number.negative { -magnitude } else { magnitude }
}

/// Returns the number rounded to `bits` bits, to nearest, ties to even.
fn rounded(number: Number, bits: u32) -> f64 {
    let [dropped, wide] = [32 - bits, number.significand].map(u64::from);
    let half = (1 << (dropped - 1)) - 1 + (wide >> dropped & 1);
    let kept = ((wide + half) >> dropped) << dropped;
    let magnitude = kept as f64 * power(number.exponent);
    if number.negative { -magnitude } else { magnitude }
}

/// The error statistics of a function at some arguments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    /// Number of results.
    pub count: u64,
    /// Number of results correctly rounded to 24 bits.
    pub correct: u64,
    /// Number of results correctly rounded to 11 bits, the precision of binary16.
    pub correct_half: u64,
    /// The greatest error of a rounded result, in ulp of the truth.
    pub ulp: f64,
    /// The greatest absolute error before rounding.
    pub absolute: f64,
    /// The greatest relative error before rounding.
    pub relative: f64,
}

impl Measured {
    /// Adds one result to the statistics.
    pub fn add(&mut self, number: Number, truth: f64) {
        assert!(number.significand >> 31 == 1, "{number:?} for {truth:e}");
        let ulp = |bits: i32| power((truth.to_bits() >> 52 & 0x7ff) as i32 - 1023 - (bits - 1));
        let error = (rounded(number, 24) - truth).abs() / ulp(24);
        let unrounded = (value(number) - truth).abs();
        self.count += 1;
        self.correct += u64::from(error <= 0.5);
        self.correct_half += u64::from((rounded(number, 11) - truth).abs() <= ulp(11) / 2.0);
        self.ulp = self.ulp.max(error);
        self.absolute = self.absolute.max(unrounded);
        self.relative = self.relative.max(unrounded / truth.abs());
    }

    /// Returns the share of correctly rounded results, in percent.
    pub fn correct(&self) -> f64 {
        self.correct as f64 * 100.0 / self.count as f64
    }

    /// Asserts the figures that a module's documentation states, and prints the measured figures.
    pub fn assert(&self, ulp: f64, correct: f64) {
        println!(
            "{:.4} ulp, {:.3} % correct ({:.3} % of 11 bits), absolute 2^{:.3}, relative 2^{:.3}",
            self.ulp,
            self.correct(),
            self.correct_half as f64 * 100.0 / self.count as f64,
            self.absolute.log2(),
            self.relative.log2(),
        );
        assert!(self.ulp < ulp && self.correct() >= correct, "{self:?}");
        assert!(self.correct_half * 1000 >= self.count * 999, "{self:?}");
    }
}

/// Measures the error of a function at all `patterns`. The function must not be 0 at any of them.
pub(crate) fn measure(
    patterns: impl Iterator<Item = u32>,
    function: impl Fn(u32) -> Number,
    truth: impl Fn(f64) -> f64,
) -> Measured {
    let mut measured = Measured::default();
    for x in patterns {
        measured.add(function(x), truth(f64::from(f32::from_bits(x))));
    }
    measured
}

/// Measures a rising function, and asserts that its results never fall. `patterns` must be in
/// ascending order of value.
pub(crate) fn measure_rising(
    patterns: impl Iterator<Item = u32>,
    function: impl Fn(u32) -> Number,
    truth: impl Fn(f64) -> f64,
) -> Measured {
    let previous = Cell::new(f64::NEG_INFINITY);
    let rising = |x| {
        let y = function(x);
        assert!(value(y) >= previous.get(), "falls at {x:#010x}");
        previous.set(value(y));
        y
    };
    measure(patterns, rising, truth)
}

/// Measures a root at every significand in both binades, in units of 2⁻³¹. `follows` checks the
/// order of neighbouring results.
pub(crate) fn measure_root(
    root: impl Fn(u32, bool) -> u32,
    truth: impl Fn(f64) -> f64,
    follows: impl Fn(u32, u32) -> bool,
) -> Measured {
    let mut measured = Measured::default();
    let mut previous = 1 << 31;
    for odd in [false, true] {
        for x in 1 << 23..1 << 24 {
            let y = root(x, odd);
            assert!(follows(previous, y), "{x:#x}");
            previous = y;
            let real = f64::from(x) / f64::from(1 << 23) * f64::from(1 + u32::from(odd));
            measured.add(Number::new(false, y.into(), -31), truth(real));
        }
    }
    measured
}
