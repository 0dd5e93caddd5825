//! Tests samples of every exponent in radians and in turns, the zeros, and the argument that is
//! hardest to reduce.

use assay_isa::Reading;

use super::{Cosine, Sine, table};
use crate::knobs::Knobs;
use crate::knobs::Sound;
use crate::mufu::interpolate::tests::{Measured, measure, value};
use crate::mufu::interpolate::{PackedRows, interpolate};
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;
use crate::mufu::rom::Rom;

const SIGN: u32 = 1 << 31;
const ONE: Number = Number { negative: false, significand: 1 << 31, exponent: -31 };

/// Knobs under which arguments are in turns.
struct Turns;

impl Knobs for Turns {
    fn reading(&self, reading: Reading) -> u8 {
        if matches!(reading, Reading::E035) { 2 } else { Sound.reading(reading) }
    }
}

fn evaluate(x: u32, cosine: bool, turns: bool) -> Number {
    match (cosine, turns) {
        (false, false) => Sine::evaluate(&Sound, x),
        (false, true) => Sine::evaluate(&Turns, x),
        (true, false) => Cosine::evaluate(&Sound, x),
        (true, true) => Cosine::evaluate(&Turns, x),
    }
}

fn radians(patterns: impl Iterator<Item = u32>, cosine: bool) -> Measured {
    let truth = if cosine { f64::cos } else { f64::sin };
    measure(patterns, |x| evaluate(x, cosine, false), truth)
}

fn turns(patterns: impl Iterator<Item = u32>, cosine: bool) -> Measured {
    let truth = |x: f64| {
        // The reduction is exact, and leaves an argument of at most an eighth of a turn.
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
    measure(patterns, |x| evaluate(x, cosine, true), truth)
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
            near(evaluate(x, false, true), sine);
            near(evaluate(x, true, true), cosine);
        }
    }
}

/// Muller, "Elementary Functions": of all binary32, 16367173 · 2⁷² is the nearest to a nonzero
/// multiple of π/2.
#[test]
fn nearest_to_a_multiple() {
    let x = 222 << 23 | 16_367_173 & 0x7f_ffff;
    let least = [false, true].map(|cosine| {
        radians([x].into_iter(), cosine).assert(1.0, 0.0);
        value(evaluate(x, cosine, false)).abs()
    });
    assert!(least[0].min(least[1]) < 2.0_f64.powi(-29));
}

/// Returns the product of x > 0 and 2/π, with all bits of the table: 64 bits before the point, 256
/// after it.
fn quadrants(x: u32) -> [u64; 5] {
    let significand = u128::from(x & 0x7f_ffff | u32::from(x >> 23 != 0) << 23);
    let mut words = [0; 5];
    for n in (1..5).rev() {
        let product = significand * u128::from(table::TWO_OVER_PI[n + 1]) + u128::from(words[n]);
        [words[n - 1], words[n]] = [(product >> 64) as u64, product as u64];
    }
    words
}

/// Computes the function in radians, digit by digit. Does not truncate early, and does not raise
/// small arguments.
fn reference(x: u32, cosine: bool) -> Number {
    let (words, exponent) = (quadrants(x), (x >> 23).max(1) as i32 - 150);
    // Returns the digit with the weight 2⁻ⁿ.
    let digit = |n: i32| {
        let place = usize::try_from(63 + n + exponent).ok();
        place.and_then(|p| Some(words.get(p / 64)? >> (63 - p % 64) & 1)).unwrap_or(0) as u32
    };
    let quadrant = 2 * digit(-1) + digit(0) + u32::from(cosine);
    let placed = |n: i32| digit(n) ^ quadrant & 1;
    let digits = |first: i32| (first..first + 32).fold(0, |digits, n| digits << 1 | placed(n));
    let first = (1..).find(|n| placed(*n) == 1).expect("no argument is a multiple of π/2");
    let [high, leading] = [digits(1), digits(first)];
    let slope = interpolate(&Sound, Rom::Sin, &table::ROM, table::SHAPE, high >> 26, high & 0x3ff_ffff);
    let product = u64::from(leading) * u64::from(slope);
    let product = if first == 1 { product.min(1 << 63) } else { product };
    Number::new(quadrant & 2 != 0, product, -62 - first)
}

#[test]
fn packed_rows_are_those_of_the_table() {
    let packed = PackedRows::new(&table::ROM);
    for (segment, row) in (0..).zip(table::ROM) {
        assert_eq!(packed.row(segment), row);
    }
}

#[test]
fn every_exponent_digit_by_digit() {
    for x in (1..0x7f80_0000).step_by(9973).chain([0x7f7f_ffff]) {
        for cosine in [false, true] {
            assert_eq!(evaluate(x, cosine, false), reference(x, cosine), "{x:#010x} {cosine}");
        }
    }
}

#[test]
fn symmetries() {
    for turns in [false, true] {
        for x in (1..0x7f80_0000).step_by(99_991) {
            let [sine, cosine] = [false, true].map(|cosine| evaluate(x, cosine, turns));
            assert_eq!(evaluate(x | SIGN, true, turns), cosine);
            assert_eq!(evaluate(x | SIGN, false, turns), Number { negative: !sine.negative, ..sine });
        }
    }
}
