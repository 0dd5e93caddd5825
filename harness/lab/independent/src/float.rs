//! Sums and products of F32 values, computed exactly with integers, and rounding to F32.
//!
//! Source: F_ARITH of document 004, IEEE 754, and the errata E169, E172 and E180.

use core::cmp::Ordering;

use crate::fault::{Active, Fault};

pub(crate) const SIGN: u32 = 0x8000_0000;
pub(crate) const INFINITY: u32 = 0x7f80_0000;
pub(crate) const NAN: u32 = 0x7fff_ffff;
pub(crate) const ONE: u32 = 0x3f80_0000;
pub(crate) const LARGEST: u32 = 0x7f7f_ffff;

/// Number of bits below the leading one that a sum keeps. Lower bits go into the sticky bit.
const WINDOW: u32 = 120;

pub(crate) fn is_nan(bits: u32) -> bool {
    bits & !SIGN > INFINITY
}

pub(crate) fn is_infinite(bits: u32) -> bool {
    bits & !SIGN == INFINITY
}

pub(crate) fn is_zero(bits: u32) -> bool {
    bits & !SIGN == 0
}

pub(crate) fn is_subnormal(bits: u32) -> bool {
    bits & INFINITY == 0 && !is_zero(bits)
}

pub(crate) fn is_negative(bits: u32) -> bool {
    bits & SIGN != 0
}

/// The rounding mode, in the order of the codes of `.rnd` (document 004, FADD, modifiers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rounding {
    /// `.RN`: to nearest, ties to even (E169).
    #[default]
    Nearest,
    /// `.RP`: toward positive infinity.
    Up,
    /// `.RM`: toward negative infinity.
    Down,
    /// `.RZ`: toward zero.
    Zero,
}

impl Rounding {
    pub(crate) fn of(code: u32) -> Rounding {
        match code & 3 {
            0 => Rounding::Nearest,
            1 => Rounding::Up,
            2 => Rounding::Down,
            _ => Rounding::Zero,
        }
    }
}

/// A finite number: `significand` times 2^`exponent`. If `sticky`, the magnitude is slightly
/// greater.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    pub(crate) negative: bool,
    pub(crate) significand: u128,
    pub(crate) exponent: i32,
    pub(crate) sticky: bool,
}

impl Exact {
    /// Returns the value of a finite F32.
    pub(crate) fn of(bits: u32, active: Active) -> Exact {
        let field = (bits >> 23) & 0xff;
        let fraction = bits & 0x007f_ffff;
        let (mut significand, mut exponent) = match field {
            0 => (fraction, -149),
            _ => (fraction | 0x0080_0000, field as i32 - 150),
        };
        if field == 0 && fraction != 0 {
            if active.has(Fault::SubnormalHiddenBit) {
                significand |= 0x0080_0000;
            }
            if active.has(Fault::SubnormalExponentLow) {
                exponent -= 1;
            }
        }
        Exact { negative: is_negative(bits), significand: significand.into(), exponent, sticky: false }
    }

    /// Returns the exponent of the leading one. Meaningless for zero.
    pub(crate) fn top(&self) -> i32 {
        127 - self.significand.leading_zeros() as i32 + self.exponent
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.significand == 0 && !self.sticky
    }

    /// Returns the exact product. Neither factor may have `sticky` set.
    pub(crate) fn product(self, other: Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            significand: self.significand * other.significand,
            exponent: self.exponent + other.exponent,
            sticky: false,
        }
    }

    /// Returns the number with at most `bits` bits, rounded to nearest even.
    pub(crate) fn shortened(self, bits: u32) -> Exact {
        let surplus = (128 - self.significand.leading_zeros()).saturating_sub(bits);
        if surplus == 0 || surplus > 127 {
            return self;
        }
        let rest = self.significand & ((1 << surplus) - 1);
        let mut kept = self.significand >> surplus;
        let order = compare_half(rest, surplus, self.sticky);
        if order == Ordering::Greater || (order == Ordering::Equal && kept & 1 == 1) {
            kept += 1;
        }
        Exact { significand: kept, exponent: self.exponent + surplus as i32, sticky: false, ..self }
    }
}

/// Compares `rest`, the bits below bit `bits`, with half a unit of bit `bits`.
fn compare_half(rest: u128, bits: u32, sticky: bool) -> Ordering {
    let half = 1u128 << (bits - 1).min(127);
    rest.cmp(&half).then(if sticky { Ordering::Greater } else { Ordering::Equal })
}

/// Returns the sum of two numbers. The sign of a zero sum has no meaning.
pub(crate) fn sum(x: Exact, y: Exact, active: Active) -> Exact {
    if x.is_zero() {
        return y;
    }
    if y.is_zero() {
        return x;
    }
    let (big, small) = if x.top() >= y.top() { (x, y) } else { (y, x) };
    let room = WINDOW.saturating_sub(127 - big.significand.leading_zeros());
    let high = big.significand << room;
    let base = big.exponent - room as i32;
    let gap = (big.top() - small.top()) as u32;
    let (low, sticky) = aligned(small, base, gap, active);
    if big.negative == small.negative {
        return Exact { negative: big.negative, significand: high + low, exponent: base, sticky };
    }
    let (negative, difference) =
        if high >= low { (big.negative, high - low) } else { (small.negative, low - high) };
    // The bits shifted out must be subtracted, too: borrow one. The remainder is sticky.
    let difference = if sticky { difference.saturating_sub(1) } else { difference };
    let difference = if active.has(Fault::CancellationLosesBits) && gap == 0 && difference < 1 << 100 {
        difference & !(0xf << 97)
    } else {
        difference
    };
    Exact { negative, significand: difference, exponent: base, sticky }
}

/// Shifts the smaller operand of a sum to the unit 2^`base`. Returns the shifted significand, and
/// whether bits were lost.
fn aligned(small: Exact, base: i32, gap: u32, active: Active) -> (u128, bool) {
    let offset = small.exponent - base;
    if active.has(Fault::AlignmentSaturates) && gap >= 25 {
        return (0, false);
    }
    if active.has(Fault::AlignmentModulo64) && gap >= 64 {
        return aligned(Exact { exponent: small.exponent + 64, ..small }, base, gap - 64, active);
    }
    let (shifted, lost) = if offset >= 0 {
        (small.significand << (offset as u32).min(127), false)
    } else {
        let shift = offset.unsigned_abs();
        if shift > 127 {
            (0, true)
        } else {
            (small.significand >> shift, small.significand & ((1 << shift) - 1) != 0)
        }
    };
    if active.has(Fault::AddLosesSticky) {
        return (shifted & !((1 << 94) - 1), false);
    }
    if active.has(Fault::OneGuardBit) {
        let below = shifted & ((1 << 95) - 1) != 0 || lost;
        return ((shifted & !((1 << 95) - 1)) | (u128::from(below) << 95), false);
    }
    (shifted, lost)
}

/// Rounds numbers to F32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounder {
    pub(crate) mode: Rounding,
    pub(crate) active: Active,
}

impl Rounder {
    /// Rounds a number to F32. The result may be subnormal.
    pub(crate) fn round(self, exact: Exact) -> u32 {
        let active = self.active;
        let sign = if exact.negative { SIGN } else { 0 };
        if exact.significand == 0 {
            return sign;
        }
        let mut exact = exact;
        if active.has(Fault::SubnormalRoundedTwice) && exact.top() < -126 {
            exact = exact.shortened(24);
        }
        let unit = exact.top().max(-126) - 23;
        let (kept, raised) = self.significand(&exact, unit);
        // The leading one of the significand adds one to the exponent field.
        let mut magnitude = (((unit + 149) as u64) << 23) + u64::from(kept);
        if active.has(Fault::CarryOutLost) && raised && kept == 0x0100_0000 {
            magnitude -= 0x0080_0000;
        }
        if active.has(Fault::TinyCarryLost) && unit == -149 && raised && kept == 0x0080_0000 {
            magnitude = 0x007f_ffff;
        }
        if active.has(Fault::SubnormalResultZero) && magnitude < 0x0080_0000 {
            magnitude = 0;
        }
        if magnitude >= INFINITY.into() {
            sign | self.overflow(exact.negative)
        } else {
            sign | magnitude as u32
        }
    }

    /// Returns the significand in units of 2^`unit`, and whether it was rounded up.
    fn significand(self, exact: &Exact, unit: i32) -> (u32, bool) {
        let shift = unit - exact.exponent;
        if shift <= 0 {
            let kept = (exact.significand << shift.unsigned_abs().min(127)) as u32;
            return (kept, false);
        }
        let shift = shift.unsigned_abs();
        let (kept, rest) = if shift > 127 {
            (0, exact.significand)
        } else {
            ((exact.significand >> shift) as u32, exact.significand & ((1 << shift) - 1))
        };
        let order = if shift > 127 { Ordering::Less } else { compare_half(rest, shift, exact.sticky) };
        let inexact = rest != 0 || exact.sticky;
        let up = inexact && self.rounds_away(order, kept & 1 == 1, exact.negative);
        (kept + u32::from(up), up)
    }

    /// Whether an inexact number rounds away from zero. `order` compares its rest with half a unit.
    fn rounds_away(self, order: Ordering, odd: bool, negative: bool) -> bool {
        let active = self.active;
        match self.mode {
            Rounding::Nearest if order == Ordering::Equal => self.tie(odd, negative),
            Rounding::Nearest => order == Ordering::Greater,
            Rounding::Up => !negative || active.has(Fault::UpMeansAway),
            Rounding::Down => negative && !active.has(Fault::DownTruncates),
            Rounding::Zero => active.has(Fault::ZeroMeansNearest) && order != Ordering::Less,
        }
    }

    /// Whether a tie under `.RN` rounds away from zero: it rounds to even (E169).
    fn tie(self, odd: bool, negative: bool) -> bool {
        let active = self.active;
        if active.has(Fault::TiesAway) {
            return true;
        }
        if active.has(Fault::TiesTowardZero) {
            return false;
        }
        if active.has(Fault::NegativeTiesAway) && negative {
            return true;
        }
        odd != active.has(Fault::TiesToOdd)
    }

    /// Returns the magnitude of an overflowing result: infinity or the largest finite number.
    fn overflow(self, negative: bool) -> u32 {
        let active = self.active;
        let infinite = match self.mode {
            Rounding::Nearest => !active.has(Fault::NearestOverflowsToLargest),
            Rounding::Up => !negative || active.has(Fault::UpOverflowsToMinusInfinity),
            Rounding::Down => negative,
            Rounding::Zero => active.has(Fault::ZeroOverflowsToInfinity),
        };
        if infinite { INFINITY } else { LARGEST }
    }
}
