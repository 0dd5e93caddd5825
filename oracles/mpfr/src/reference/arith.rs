//! FADD, FMUL and FFMA by exact fractions: slow, and simple enough to verify by reading.
//!
//! A finite number is a [`Rational`]. A result is rounded by finding the two F32 numbers around it.
//! Then the definition of each rounding chooses one of them.

use assay_isa::format::F32;
use assay_isa::readings::{Reading, Readings};
use assay_isa::tables::types::{FMULScale, FPRound};
use rug::ops::Pow;
use rug::{Integer, Rational};

use super::flushed;
use crate::float::QUIET_NAN;

/// An instruction by its modifiers.
#[derive(Clone, Copy, Debug)]
pub struct Modifiers {
    pub ftz: bool,
    pub sat: bool,
    pub rnd: FPRound,
    pub scl: FMULScale,
}

/// A number of the extended reals, a zero with its sign.
#[derive(Clone, Debug)]
enum ExtendedReal {
    Nan,
    Infinite { negative: bool },
    Zero { negative: bool },
    Finite(Rational),
}
use ExtendedReal::{Finite, Infinite, Nan, Zero};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    HalfEven,
    HalfAway,
    Up,
    Down,
    TowardZero,
}

/// Evaluates FADD, FMUL or FFMA of operands with their prefixes applied. `None`: a reading makes
/// the instruction undefined.
pub fn evaluate(optype: &str, m: Modifiers, readings: &Readings, [a, b, c]: [u32; 3]) -> Option<u32> {
    let is = |reading, setting| readings.get(reading) == setting;
    if optype == "FFMA" && is(Reading::E177, 1) {
        return None;
    }
    let rnd = if optype == "FFMA" && is(Reading::E178, 1) { FPRound::RN } else { m.rnd };
    let mode = match rnd {
        FPRound::RN if is(Reading::E169, 1) => Mode::HalfAway,
        FPRound::RN => Mode::HalfEven,
        FPRound::RP => Mode::Up,
        FPRound::RM => Mode::Down,
        FPRound::RZ => Mode::TowardZero,
    };
    let (inputs_flush, result_flushes) = (m.ftz && !is(Reading::C010, 3), m.ftz && !is(Reading::C010, 2));
    let input = |bits| number(if inputs_flush { flushed(bits) } else { bits });
    let exact = match optype {
        "FADD" => sum(input(a), input(b), mode, is(Reading::E172, 1)),
        "FMUL" => {
            let mut a = scaled(input(a), m.scl);
            if !is(Reading::E176, 1) && m.scl != FMULScale::NoScale {
                let rounded = pattern(&a, mode);
                a = number(if is(Reading::E176, 3) && inputs_flush { flushed(rounded) } else { rounded });
            }
            product(a, input(b))
        }
        _ => {
            let mut product = product(input(a), input(b));
            if is(Reading::E180, 1) {
                product = number(pattern(&product, mode));
            }
            let addend = if is(Reading::E179, 1) { number(c) } else { input(c) };
            sum(product, addend, mode, is(Reading::E172, 1))
        }
    };
    let mut result = pattern(&exact, mode);
    if matches!(exact, Nan) {
        let operands = if optype == "FFMA" { vec![a, b, c] } else { vec![a, b] };
        let operands: Vec<u32> =
            operands.into_iter().map(|x| if inputs_flush { flushed(x) } else { x }).collect();
        result = nan(readings, &operands);
    }
    let tiny = match &exact {
        Finite(x) if is(Reading::C003, 2) && optype != "FADD" => {
            Rational::from(x.abs_ref()) < value_of(1 << 23)
        }
        Finite(x) => is(Reading::E173, 2) && is_tiny(x, mode),
        _ => false,
    };
    if m.sat {
        let value = f32::from_bits(result);
        result = match () {
            () if value.is_nan() || value < 0.0 => 0,
            () if value > 1.0 => F32.one(),
            () if result == F32.sign_mask() && is(Reading::E170, 2) => 0,
            () => result,
        };
    }
    let is_small = tiny || f32::from_bits(result).is_subnormal();
    Some(match result_flushes && is_small {
        true if is(Reading::C011, 2) => 0,
        true => result & F32.sign_mask(),
        false => result,
    })
}

/// Returns the NaN of flushed operands under C001 and C002: every NaN gets a rank, and the least one wins.
pub fn nan(readings: &Readings, operands: &[u32]) -> u32 {
    let pattern = match readings.get(Reading::C002) {
        1 => 0x7fff_ffff,
        2 => 0x7fc0_0000,
        _ => 0xffc0_0000,
    };
    let rule = readings.get(Reading::C001);
    let is_quiet = |bits: u32| bits >> 22 & 1 == 1;
    if let (3, [a, b, c]) = (rule, operands) {
        let invalid = matches!(product(number(*a), number(*b)), Nan)
            && ![a, b].into_iter().any(|x| matches!(number(*x), Nan));
        if invalid && (is_quiet(*c) || !matches!(number(*c), Nan)) {
            return pattern;
        }
    }
    let ranked = operands.iter().enumerate().filter(|(_, bits)| matches!(number(**bits), Nan));
    let rank = |&(place, bits): &(usize, &u32)| match rule {
        2 => (false, 0, place),
        _ => (is_quiet(*bits), u8::from(place < 2), place),
    };
    let chosen = ranked.min_by_key(rank).filter(|_| rule != 1);
    chosen.map_or(pattern, |(_, bits)| bits | 0x0040_0000)
}

fn number(bits: u32) -> ExtendedReal {
    let value = f32::from_bits(bits);
    match Rational::from_f32(value) {
        Some(x) if x == 0 => Zero { negative: value.is_sign_negative() },
        Some(x) => Finite(x),
        None if value.is_nan() => Nan,
        None => Infinite { negative: value.is_sign_negative() },
    }
}

fn scaled(number: ExtendedReal, scale: FMULScale) -> ExtendedReal {
    let factor = match scale {
        FMULScale::NoScale => (1, 1),
        FMULScale::D2 => (1, 2),
        FMULScale::D4 => (1, 4),
        FMULScale::D8 => (1, 8),
        FMULScale::M2 => (2, 1),
        FMULScale::M4 => (4, 1),
        FMULScale::M8 => (8, 1),
    };
    match number {
        Finite(x) => Finite(x * Rational::from(factor)),
        other => other,
    }
}

fn is_negative(number: &ExtendedReal) -> bool {
    match number {
        Nan => false,
        Infinite { negative } | Zero { negative } => *negative,
        Finite(x) => *x < 0,
    }
}

/// IEEE 754 sections 6.1 to 6.3: Inf · 0 is invalid, the sign is the XOR of the factors' signs.
fn product(a: ExtendedReal, b: ExtendedReal) -> ExtendedReal {
    let negative = is_negative(&a) != is_negative(&b);
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => Nan,
        (Infinite { .. }, _) | (_, Infinite { .. }) => Infinite { negative },
        (Zero { .. }, _) | (_, Zero { .. }) => Zero { negative },
        (Finite(x), Finite(y)) => Finite(x * y),
    }
}

/// IEEE 754 sections 6.1 to 6.3: Inf - Inf is invalid. A sum of zero is positive, except in downward rounding
/// and for zeros of one sign, which keep it. Under E172 = 1 every one is positive.
fn sum(a: ExtendedReal, b: ExtendedReal, mode: Mode, zero_is_positive: bool) -> ExtendedReal {
    let opposed = is_negative(&a) != is_negative(&b);
    let negative = !zero_is_positive && if opposed { mode == Mode::Down } else { is_negative(&a) };
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { .. }, Infinite { .. }) if opposed => Nan,
        (Infinite { negative }, _) | (_, Infinite { negative }) => Infinite { negative },
        (Zero { .. }, Zero { .. }) => Zero { negative },
        (Zero { .. }, finite) | (finite, Zero { .. }) => finite,
        (Finite(x), Finite(y)) if Rational::from(-&x) == y => Zero { negative },
        (Finite(x), Finite(y)) => Finite(x + y),
    }
}

/// Returns the pattern of a number rounded to F32.
fn pattern(number: &ExtendedReal, mode: Mode) -> u32 {
    let sign = if is_negative(number) { F32.sign_mask() } else { 0 };
    match number {
        Nan => QUIET_NAN,
        Infinite { .. } => sign | F32.infinity(),
        Zero { .. } => sign,
        Finite(x) => sign | magnitude(x, mode),
    }
}

/// Rounds |x|: finds the largest F32 number not above it, then chooses between it and the next one.
/// Here infinity is 2^128.
fn magnitude(x: &Rational, mode: Mode) -> u32 {
    let size = Rational::from(x.abs_ref());
    let below = {
        let (mut low, mut high) = (0, F32.infinity());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            *if value_of(middle) <= size { &mut low } else { &mut high } = middle;
        }
        low
    };
    let lower = value_of(below);
    if lower == size {
        return below;
    }
    let middle = (&lower + value_of(below + 1)) / Rational::from(2);
    let up = match mode {
        Mode::HalfEven => size > middle || (size == middle && below % 2 == 1),
        Mode::HalfAway => size >= middle,
        Mode::Up => *x > 0,
        Mode::Down => *x < 0,
        Mode::TowardZero => false,
    };
    // With an unbounded exponent there is no midpoint between the largest number and infinity. But
    // IEEE 754 section 7.4 starts to overflow where it would be: 2^128 - 2^103.
    below + u32::from(up)
}

/// Returns the value of a positive number's pattern, 2^128 for infinity.
fn value_of(bits: u32) -> Rational {
    Rational::from_f32(f32::from_bits(bits)).unwrap_or_else(|| power_of_two(128).into())
}

fn power_of_two(exponent: u32) -> Integer {
    Integer::from(2).pow(exponent)
}

/// Returns whether x is below the least normal number when rounded with an unbounded exponent. Only
/// values at the edge need rounding. They are scaled far above the subnormals and rounded there.
fn is_tiny(x: &Rational, mode: Mode) -> bool {
    let least_normal = Rational::from((1, power_of_two(126)));
    if Rational::from(x.abs_ref()) >= least_normal {
        return false;
    }
    let shift = power_of_two(64);
    let rounded = magnitude(&Rational::from(x * &shift), mode);
    value_of(rounded) < least_normal * shift
}
