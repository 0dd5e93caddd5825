//! Addition, multiplication and fused multiply-add of F32 patterns, rounded once by MPFR.
//!
//! An operation rounds to 24 bits with an unbounded exponent, and reports the direction of the
//! rounding. Only results outside of F32's normal range need another step: the handling of an
//! overflow, or a second rounding that uses the direction. Infinities, NaN and signed zeros follow
//! MPFR, as in IEEE 754.

use std::cmp::Ordering;

use assay_isa::format::F32;
use rug::float::Round;

use crate::register::Register;

/// Exponents of F32's normal numbers in MPFR's convention: the significand is 0.1….
const NORMAL: std::ops::RangeInclusive<i32> = F32.emin() + 1..=F32.bias() + 1;

/// How results are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// In one of MPFR's directions.
    Directed(Round),
    /// To nearest, ties away from zero (E169 = 1).
    HalfAway,
}

impl Rounding {
    /// Returns the direction and the precision in bits of the operation itself.
    /// [`Rounding::HalfAway`] computes one more bit and cuts off the rest. So the result shows
    /// whether the exact value is at, above or below a tie.
    fn of_operation(self) -> (Round, u32) {
        match self {
            Rounding::Directed(round) => (round, F32.precision()),
            Rounding::HalfAway => (Round::Zero, F32.precision() + 1),
        }
    }

    /// Returns the result of an overflow: infinity, or the largest finite number if the direction forbids it.
    fn overflow(self, negative: bool) -> u32 {
        let to_infinity = match self {
            Rounding::Directed(Round::Zero) => false,
            Rounding::Directed(Round::Up) => !negative,
            Rounding::Directed(Round::Down) => negative,
            _ => true,
        };
        let magnitude = if to_infinity { F32.infinity() } else { F32.infinity() - 1 };
        if negative { F32.sign_mask() | magnitude } else { magnitude }
    }
}

/// A result in F32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounded {
    /// The result's pattern. NaN always has the same quiet pattern.
    pub bits: u32,
    /// Whether the result was tiny (E173): not zero, and below the least normal number when rounded
    /// to 24 bits with an unbounded exponent.
    pub tiny: bool,
    /// Whether the exact value was below the least normal number in magnitude, and not zero (C003).
    pub below: bool,
    /// Whether the exact value is zero.
    pub exactly_zero: bool,
}

/// The MPFR numbers of one operation, reused from lane to lane.
#[derive(Debug)]
pub struct Unit {
    operands: [Register; 3],
    result: Register,
    away: Register,
    rounding: Rounding,
}

impl Unit {
    /// Creates a unit that rounds this way.
    pub fn new(rounding: Rounding) -> Unit {
        let (_, precision) = rounding.of_operation();
        let register = || Register::new(precision);
        Unit {
            operands: [register(), register(), register()],
            result: register(),
            away: register(),
            rounding,
        }
    }

    /// Returns the unit's rounding.
    pub fn rounding(&self) -> Rounding {
        self.rounding
    }

    /// Returns `a + b`.
    #[inline]
    pub fn add(&mut self, a: u32, b: u32) -> Rounded {
        let [x, y, _] = &mut self.operands;
        x.load(a, F32, 0);
        y.load(b, F32, 0);
        let direction = self.result.compute(&**x + &**y, self.rounding.of_operation().0);
        self.fit(direction)
    }

    /// Returns `2^scale · a · b`. The scale is exact.
    #[inline]
    pub fn multiply(&mut self, a: u32, scale: i32, b: u32) -> Rounded {
        let [x, y, _] = &mut self.operands;
        x.load(a, F32, scale);
        y.load(b, F32, 0);
        let direction = self.result.compute(&**x * &**y, self.rounding.of_operation().0);
        self.fit(direction)
    }

    /// Returns `a · b + c`, rounded once.
    #[inline]
    pub fn multiply_add(&mut self, a: u32, b: u32, c: u32) -> Rounded {
        let [x, y, z] = &mut self.operands;
        x.load(a, F32, 0);
        y.load(b, F32, 0);
        z.load(c, F32, 0);
        let direction = self.result.compute(x.mul_add_ref(y, z), self.rounding.of_operation().0);
        self.fit(direction)
    }

    /// Returns `2^scale · a`, rounded to F32.
    pub fn scale(&mut self, a: u32, scale: i32) -> Rounded {
        self.result.load(a, F32, scale);
        self.fit(Ordering::Equal)
    }

    /// Converts the result to F32. `direction` is the result of comparing this result with the
    /// exact value.
    #[inline]
    fn fit(&mut self, direction: Ordering) -> Rounded {
        match (self.rounding, self.result.get_exp()) {
            (Rounding::Directed(_), Some(exponent)) if NORMAL.contains(&exponent) => {
                let bits = self.result.f32_bits();
                let below = exponent == *NORMAL.start() && is_carried(bits, direction);
                Rounded { bits, tiny: false, below, exactly_zero: false }
            }
            (_, None) => {
                let exactly_zero = self.result.is_zero();
                Rounded { bits: self.result.f32_bits(), tiny: false, below: false, exactly_zero }
            }
            (Rounding::Directed(round), Some(exponent)) => self.fit_directed(exponent, direction, round),
            (Rounding::HalfAway, Some(exponent)) => self.fit_half_away(exponent),
        }
    }

    /// Converts a result of 24 bits that lies outside the normal range.
    #[cold]
    fn fit_directed(&mut self, exponent: i32, direction: Ordering, round: Round) -> Rounded {
        if exponent > *NORMAL.end() {
            return self.overflow();
        }
        self.result.subnormalize(F32, direction, round);
        Rounded { bits: self.result.f32_bits(), tiny: true, below: true, exactly_zero: false }
    }

    /// Converts a result that is the exact value cut off after 25 bits.
    fn fit_half_away(&mut self, exponent: i32) -> Rounded {
        let below = exponent < *NORMAL.start();
        let unbounded = exponent - F32.precision() as i32;
        let mut exponent = self.round_away(unbounded);
        let tiny = exponent < Some(*NORMAL.start());
        if unbounded < F32.grid() {
            exponent = self.round_away(F32.grid());
        }
        if exponent > Some(*NORMAL.end()) {
            return self.overflow();
        }
        Rounded { bits: self.away.f32_bits(), tiny, below, exactly_zero: false }
    }

    /// Rounds a copy of the result to a multiple of 2^`unit`, ties away from zero. Returns the
    /// exponent of the copy, or `None` if the copy is zero.
    fn round_away(&mut self, unit: i32) -> Option<i32> {
        self.away.compute(&*self.result, Round::Zero);
        self.away.round_half_away(unit);
        self.away.get_exp()
    }

    fn overflow(&self) -> Rounded {
        let bits = self.rounding.overflow(self.result.is_sign_negative());
        Rounded { bits, tiny: false, below: false, exactly_zero: false }
    }
}

/// Returns whether rounding raised the magnitude to the least normal number.
fn is_carried(bits: u32, direction: Ordering) -> bool {
    let away = if F32.is_negative(bits) { Ordering::Less } else { Ordering::Greater };
    bits & !F32.sign_mask() == 1 << F32.fraction_bits && direction == away
}
