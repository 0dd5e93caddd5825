//! Tests every argument near 1, and samples of every exponent.

use super::Logarithm;
use crate::knobs::Sound;
use crate::mufu::interpolate::tests::{Measured, measure_rising};
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;

fn measure(patterns: impl Iterator<Item = u32>) -> Measured {
    measure_rising(patterns, |x| Logarithm::evaluate(&Sound, x), f64::log2)
}

#[test]
fn from_one_to_two() {
    measure(0x3f80_0001..0x4000_0000).assert(1.323, 90.18);
}

#[test]
fn from_one_half_to_one() {
    measure(0x3f00_0000..0x3f80_0000).assert(0.965, 90.83);
}

#[test]
fn neighbouring_binades() {
    measure(0x3e80_0000..0x3f00_0000).assert(0.68, 97.6);
    measure(0x4000_0000..0x4080_0000).assert(0.68, 97.6);
}

#[test]
fn every_exponent() {
    measure((1..0x3f80_0000).step_by(997)).assert(1.07, 99.6);
    measure((0x3f80_0001..0x7f80_0000).step_by(997)).assert(1.323, 99.6);
}

#[test]
fn powers_of_two_are_exact() {
    for n in -149..128_i32 {
        let bits = if n < -126 { 1 << (n + 149) } else { ((n + 127) as u32) << 23 };
        let expected = Number::new(n < 0, u64::from(n.unsigned_abs()), 0);
        let y = Logarithm::evaluate(&Sound, bits);
        assert_eq!((y.negative, y.significand), (expected.negative, expected.significand));
        assert!(n == 0 || y.exponent == expected.exponent);
    }
}
