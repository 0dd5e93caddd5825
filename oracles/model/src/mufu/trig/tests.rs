//! Samples of every exponent in radians and in turns, the zeros, and the worst argument of all.

use super::evaluate;
use crate::mufu::interpolate::tests::{Measured, Sound, measure, value};
use crate::mufu::number::Number;

const SIGN: u32 = 1 << 31;
const ONE: Number = Number { negative: false, significand: 1 << 31, exponent: -31 };

fn radians(patterns: impl Iterator<Item = u32>, cosine: bool) -> Measured {
    let truth = if cosine { f64::cos } else { f64::sin };
    measure(patterns, |x| evaluate(&Sound, x, cosine, false), truth)
}

fn turns(patterns: impl Iterator<Item = u32>, cosine: bool) -> Measured {
    let truth = |x: f64| {
        // Exact: whole turns, then an argument of an eighth of a turn at most.
        let x = x - x.round();
        let quarters = (x * 4.0).round();
        let rest = (x - quarters / 4.0) * std::f64::consts::TAU;
        match (quarters as i32 + i32::from(cosine)).rem_euclid(4) {
            0 => rest.sin(),
            1 => rest.cos(),
            2 => -rest.sin(),
            _ => -rest.cos(),
        }
    };
    measure(patterns, |x| evaluate(&Sound, x, cosine, true), truth)
}

#[test]
fn first_quadrants() {
    for cosine in [false, true] {
        let measured = radians((0x3c00_0000..0x40c9_0fdb).step_by(37), cosine);
        measured.assert(1.502, 72.2);
        assert!(measured.absolute < 2.0_f64.powf(-23.99));
    }
}

#[test]
fn every_exponent() {
    for cosine in [false, true] {
        let measured = radians((1..0x7f80_0000).step_by(1499), cosine);
        measured.assert(1.502, 88.8);
        assert!(measured.absolute < 2.0_f64.powf(-23.99));
    }
}

#[test]
fn every_exponent_in_turns() {
    for cosine in [false, true] {
        let fractional = (1..0x4980_0000).filter(|x| x & 3 != 0).step_by(1499);
        turns(fractional, cosine).assert(1.502, 80.0);
    }
}

#[test]
fn multiples_of_a_quarter_turn() {
    for n in 1..1 << 12 {
        for negative in [false, true] {
            let x = (n as f32 / 4.0).to_bits() | if negative { SIGN } else { 0 };
            let signed = |y: Number, flip: bool| Number { negative: flip, ..y };
            let zero = Number { negative: false, significand: 0, exponent: 0 };
            let [sine, cosine] = match n % 4 {
                0 => [signed(zero, negative), ONE],
                1 => [signed(ONE, negative), zero],
                2 => [signed(zero, negative), signed(ONE, true)],
                _ => [signed(ONE, !negative), zero],
            };
            let near = |found: Number, expected: Number| {
                assert_eq!(
                    (found.negative, found.significand == 0),
                    (expected.negative, expected.significand == 0)
                );
                assert!((value(found) - value(expected)).abs() <= 2.0_f64.powi(-26), "{n} quarters");
            };
            near(evaluate(&Sound, x, false, true), sine);
            near(evaluate(&Sound, x, true, true), cosine);
        }
    }
}

/// Muller, "Elementary Functions": of all binary32 16367173 · 2⁷² is the nearest to a multiple of π/2.
#[test]
fn nearest_to_a_multiple() {
    let x = 222 << 23 | 16_367_173 & 0x7f_ffff;
    let least = [false, true].map(|cosine| {
        radians([x].into_iter(), cosine).assert(1.0, 0.0);
        value(evaluate(&Sound, x, cosine, false)).abs()
    });
    assert!(least[0].min(least[1]) < 2.0_f64.powi(-29));
}

#[test]
fn symmetries() {
    for turns in [false, true] {
        for x in (1..0x7f80_0000).step_by(99_991) {
            let [sine, cosine] = [false, true].map(|cosine| evaluate(&Sound, x, cosine, turns));
            assert_eq!(evaluate(&Sound, x | SIGN, true, turns), cosine);
            assert_eq!(evaluate(&Sound, x | SIGN, false, turns), Number { negative: !sine.negative, ..sine });
        }
    }
}
