//! Tests every fraction, and samples of every exponent.

use super::Power;
use crate::knobs::Sound;
use crate::mufu::interpolate::tests::{Measured, measure_rising};
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;

fn measure(patterns: impl Iterator<Item = u32>) -> Measured {
    measure_rising(patterns, |x| Power::evaluate(&Sound, x), f64::exp2)
}

#[test]
fn every_fraction() {
    measure(0x3f80_0000..0x4000_0000).assert(0.985, 85.90);
}

#[test]
fn from_one_half_to_one() {
    measure(0x3f00_0000..0x3f80_0000).assert(0.987, 85.57);
    measure((0xbf00_0000..0xbf80_0000).rev()).assert(0.992, 86.24);
}

/// About half of the samples are so near to 0 that the result is 1.
#[test]
fn every_exponent() {
    measure((1..0x4380_0000).step_by(997)).assert(0.99, 98.0);
    measure((0x8000_0001..0xc380_0000).rev().step_by(997)).assert(0.99, 97.7);
}

#[test]
fn integers_are_exact() {
    for n in (-256..=256).filter(|&n| n != 0) {
        let y = Power::evaluate(&Sound, (n as f32).to_bits());
        assert_eq!(y, Number { negative: false, significand: 1 << 31, exponent: n - 31 });
    }
}

#[test]
fn far_out_of_range() {
    for x in [256.0, 1e9, f32::MAX] {
        assert!(Power::evaluate(&Sound, x.to_bits()).exponent >= 256 - 31);
        assert!(Power::evaluate(&Sound, (-x).to_bits()).exponent <= -256 - 31);
    }
}
