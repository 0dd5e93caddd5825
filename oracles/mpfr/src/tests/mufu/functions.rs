//! Computes MUFU's functions by series of big integers, in fixed point, and by powers of fractions.
//!
//! Roots and reciprocals are compared exactly. Other values are intervals. The intervals are so
//! narrow that no end of a 120-bit enclosure is likely to lie in one.

use std::cmp::Ordering;
use std::sync::LazyLock;

use assay_isa::format::Format;
use assay_isa::tables::types::MUFUOp;
use rug::ops::{Pow, RemRounding};
use rug::{Integer, Rational};

/// Number of bits below the point. The least result is that of TANH at 2^-149. This result differs
/// from its argument by 2^-449.
const POINT: u32 = 640;

/// Number of bits below the point in 2π, enough to reduce 2^128 modulo 2π.
const FINE: u32 = POINT + 192;

/// A bound on the truncation error of every series here, in units of the last place.
const SLACK: u32 = 64;

/// ln 2 in fixed point.
static LN_2: LazyLock<Integer> = LazyLock::new(|| logarithm(&(one() << 1)));

/// 2π with [`FINE`] bits below the point, by Machin's formula.
static TURN: LazyLock<Integer> = LazyLock::new(|| {
    let arctangent = |inverse: u32| {
        let mut power = (Integer::from(1) << FINE) / inverse;
        let mut sum = Integer::new();
        for k in 0.. {
            if power == 0 {
                break;
            }
            let term = Integer::from(&power / (2 * k + 1));
            sum += if k % 2 == 0 { term } else { -term };
            power /= inverse * inverse;
        }
        sum
    };
    (arctangent(5) * 4 - arctangent(239)) * 8
});

/// Returns the number that a finite pattern of a format denotes.
pub fn number(format: Format, bits: u32) -> Rational {
    let field = format.exponent_field(bits) as i32;
    let hidden = u32::from(field != 0) << format.fraction_bits;
    let magnitude = Rational::from(hidden | bits & format.fraction_mask());
    let exponent = format.grid() + field.max(1) - 1;
    let value = magnitude * Rational::from(2).pow(exponent);
    if format.is_negative(bits) { -value } else { value }
}

/// The value of a function.
#[derive(Debug)]
pub struct Value {
    /// Whether the value is negative. Has no meaning for zero.
    pub negative: bool,
    magnitude: Magnitude,
}

#[derive(Debug)]
enum Magnitude {
    /// The value is a root: its power with this exponent equals this fraction.
    Root(i32, Rational),
    /// The value is strictly between two numbers, or equals both.
    Between(Rational, Rational),
}

impl Value {
    /// Compares the magnitude with a number. Also returns `Equal` if the two are too close for a
    /// decision.
    pub fn compare(&self, y: &Rational) -> Ordering {
        match &self.magnitude {
            Magnitude::Root(power, fraction) => fraction.cmp(&y.clone().pow(*power)),
            Magnitude::Between(low, high) if y <= low && low < high => Ordering::Greater,
            Magnitude::Between(low, high) if y >= high && low < high => Ordering::Less,
            Magnitude::Between(low, high) if low == high => low.cmp(y),
            Magnitude::Between(..) => Ordering::Equal,
        }
    }

    /// Returns a fixed-point number times a power of two, as an interval with the error of the
    /// series.
    fn about(value: &Integer, exponent: i32) -> Value {
        let slack = Integer::from(1) << SLACK;
        let magnitude = Integer::from(value.abs_ref());
        let end = |end: Integer| Rational::from(end) * Rational::from(2).pow(exponent - POINT as i32);
        let (low, high) = (Integer::from(&magnitude - &slack), magnitude + slack);
        Value { negative: *value < 0, magnitude: Magnitude::Between(end(low), end(high)) }
    }
}

/// Returns the function's value at a number for which the function is defined. The argument of sine
/// and cosine is in turns if `turns`, else in radians.
pub fn value(function: MUFUOp, turns: bool, x: &Rational) -> Value {
    let root = |power, of: Rational| Value { negative: of < 0, magnitude: Magnitude::Root(power, of.abs()) };
    match function {
        MUFUOp::RCP => root(1, Rational::from(x.recip_ref())),
        MUFUOp::RSQ => root(2, Rational::from(x.recip_ref())),
        MUFUOp::SQRT => root(2, x.clone()),
        MUFUOp::SIN => Value::about(&circular(&angle(turns, x), true), 0),
        MUFUOp::COS => Value::about(&circular(&angle(turns, x), false), 0),
        MUFUOp::EX2 => power_of_two(x),
        MUFUOp::LG2 => Value::about(&binary_logarithm(x), 0),
        MUFUOp::TANH => hyperbolic_tangent(x),
    }
}

fn one() -> Integer {
    Integer::from(1) << POINT
}

/// Returns a fraction in fixed point, rounded down to `bits` bits below the point.
fn fixed(x: &Rational, bits: u32) -> Integer {
    Rational::from(x << bits).floor().numer().clone()
}

fn multiply(a: &Integer, b: &Integer) -> Integer {
    Integer::from(a * b) >> POINT
}

/// Returns ln x for 1 <= x <= 2, as 2 artanh((x - 1)/(x + 1)).
fn logarithm(x: &Integer) -> Integer {
    let z = ((x - one()) << POINT) / (x + one());
    let square = multiply(&z, &z);
    let (mut power, mut sum) = (z, Integer::new());
    for k in 0.. {
        if power == 0 {
            break;
        }
        sum += Integer::from(&power / (2 * k + 1));
        power = multiply(&power, &square);
    }
    sum << 1
}

/// Returns e^x for 0 <= x < 1. A Taylor series gives e^(x/2^16), which is squared 16 times.
fn exponential(x: &Integer) -> Integer {
    const HALVINGS: u32 = 16;
    let small = Integer::from(x >> HALVINGS);
    let (mut term, mut sum) = (one(), Integer::new());
    for k in 1u32.. {
        if term == 0 {
            break;
        }
        sum += &term;
        term = multiply(&term, &small) / k;
    }
    (0..HALVINGS).fold(sum, |power, _| multiply(&power, &power))
}

/// Returns 2^x for any x in fixed point, as a number in [1, 2) and its exponent.
fn split_power(x: &Integer) -> (Integer, i32) {
    let whole = Integer::from(x >> POINT);
    let fraction = x - Integer::from(&whole << POINT);
    (exponential(&multiply(&fraction, &LN_2)), whole.to_i32().expect("the exponent of a power is small"))
}

fn power_of_two(x: &Rational) -> Value {
    let (power, exponent) = split_power(&fixed(x, POINT));
    if !x.is_integer() {
        return Value::about(&power, exponent);
    }
    let power = Rational::from(2).pow(exponent);
    Value { negative: false, magnitude: Magnitude::Between(power.clone(), power) }
}

fn binary_logarithm(x: &Rational) -> Integer {
    let mut exponent = x.numer().significant_bits() as i32 - x.denom().significant_bits() as i32;
    if *x < Rational::from(2).pow(exponent) {
        exponent -= 1;
    }
    let significand = fixed(&(x / Rational::from(2).pow(exponent)), POINT);
    let logarithm = logarithm(&significand) << POINT;
    logarithm / &*LN_2 + one() * exponent
}

/// Returns tanh x. tanh |x| = (1 - q)/(1 + q) with q = e^(-2|x|) = 2^(-2|x|/ln 2). From |x| = 128
/// on, q is below 2^-369.
fn hyperbolic_tangent(x: &Rational) -> Value {
    let magnitude = x.clone().abs();
    let value = if magnitude < 128 {
        let exponent = -((fixed(&magnitude, POINT) << (POINT + 1)) / &*LN_2);
        let (power, exponent) = split_power(&exponent);
        let q = power >> exponent.unsigned_abs();
        Value::about(&(((one() - &q) << POINT) / (one() + q)), 0)
    } else {
        let below = Rational::from(1) - Rational::from(2).pow(-360);
        Value { negative: false, magnitude: Magnitude::Between(below, Rational::from(1)) }
    };
    Value { negative: *x < 0, ..value }
}

/// Returns an angle in radians, reduced modulo 2π.
fn angle(turns: bool, x: &Rational) -> Integer {
    let fine = if turns {
        let fraction = x - x.clone().floor();
        (fixed(&fraction, FINE) * &*TURN) >> FINE
    } else {
        fixed(x, FINE).rem_euc(&*TURN)
    };
    fine >> (FINE - POINT)
}

/// Returns the sine or cosine of an angle by a Taylor series of its odd or even powers.
fn circular(angle: &Integer, odd: bool) -> Integer {
    let square = multiply(angle, angle);
    let (first, mut term) = if odd { (2u32, angle.clone()) } else { (1, one()) };
    let mut sum = Integer::new();
    for k in (first..).step_by(2) {
        if term == 0 {
            break;
        }
        sum += &term;
        term = -multiply(&term, &square) / (k * (k + 1));
    }
    sum
}
