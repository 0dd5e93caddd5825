//! Tests every argument from 2⁻⁵ to the first with the result 1, and samples of every exponent.

use super::Tangent;
use crate::knobs::Sound;
use crate::mufu::interpolate::tests::{Measured, measure_rising};
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;

const SIGN: u32 = 1 << 31;
const ONE: Number = Number { negative: false, significand: 1 << 31, exponent: -31 };

fn measure(patterns: impl Iterator<Item = u32>) -> Measured {
    measure_rising(patterns, |x| Tangent::evaluate(&Sound, x), f64::tanh)
}

#[test]
fn below_one_half() {
    measure(0x3d80_0000..0x3f00_0000).assert(0.733, 95.1);
}

#[test]
fn from_one_half_to_one() {
    measure(0x3f00_0000..0x3f80_0000).assert(1.598, 85.61);
}

#[test]
fn from_one_to_four() {
    measure(0x3f80_0000..0x4080_0000).assert(1.365, 83.0);
}

#[test]
fn from_four_on() {
    measure(0x4080_0000..0x4120_0000).assert(1.312, 83.0);
}

#[test]
fn every_exponent() {
    measure((1..0x7f80_0000).step_by(997)).assert(1.56, 99.2);
}

#[test]
fn odd() {
    for x in (1..0x7f80_0000).step_by(99_991) {
        let y = Tangent::evaluate(&Sound, x);
        assert_eq!(Tangent::evaluate(&Sound, x | SIGN), Number { negative: true, ..y });
    }
}

#[test]
fn one_only_where_it_is_right() {
    let saturated = |x: f32| Tangent::evaluate(&Sound, x.to_bits()) == ONE;
    assert!(saturated(9.015_625) && saturated(f32::MAX) && !saturated(9.015_624));
}
