//! Formats of floating-point numbers (ISA 5.2.3). All values of these formats are values of a
//! double too.

use std::cmp::Ordering;

use rug::Float;
use rug::float::Round;

use crate::lanes::low;

/// A format of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `.f16`
    Half,
    /// `.bf16`
    Brain,
    /// `.f32`
    Single,
    /// The upper word of an `.f64`, which has "1.11.20 floating-point format".
    Upper,
}

impl Format {
    /// Returns the number of bits of the significand, including the leading one.
    pub(crate) fn precision(self) -> u32 {
        match self {
            Self::Half => 11,
            Self::Brain => 8,
            Self::Single => 24,
            Self::Upper => 21,
        }
    }

    /// Returns the bias of the exponent. The least normal number is 2 to the power of 1 - bias.
    fn bias(self) -> i32 {
        match self {
            Self::Half => 15,
            Self::Brain | Self::Single => 127,
            Self::Upper => 1023,
        }
    }

    /// Returns the least normal number.
    fn least(self) -> f64 {
        f64::from_bits(((1024 - self.bias()) as u64) << 52)
    }

    /// Returns the canonical NaN.
    fn nan(self) -> u64 {
        match self {
            Self::Half | Self::Brain => 0x7fff,
            Self::Single | Self::Upper => 0x7fff_ffff,
        }
    }

    /// Returns the value of a bit pattern.
    pub(crate) fn read(self, bits: u64) -> f64 {
        match self {
            Self::Half => {
                let [sign, exponent, fraction] = [bits >> 15 & 1, bits >> 10 & 31, bits & 1023];
                let magnitude = match exponent {
                    0 => fraction as f64 / f64::from(1 << 24),
                    31 => f64::from_bits(0x7ff << 52 | fraction << 42),
                    _ => f64::from_bits((exponent + 1023 - 15) << 52 | fraction << 42),
                };
                if sign == 1 { -magnitude } else { magnitude }
            }
            Self::Brain => Self::Single.read(bits << 16),
            Self::Single => f32::from_bits(low(bits)).into(),
            Self::Upper => f64::from_bits(bits << 32),
        }
    }

    /// Returns the bit pattern of a double. The double must be a value of this format, or too large
    /// for it.
    fn write(self, value: f64) -> u64 {
        if value.is_nan() {
            return self.nan();
        }
        let single = || u64::from((value as f32).to_bits());
        match self {
            Self::Half => {
                let sign = value.to_bits() >> 63 << 15;
                let [exponent, fraction] = [value.to_bits() >> 52 & 0x7ff, value.to_bits() >> 42 & 1023];
                sign | match exponent {
                    1039.. => 31 << 10,
                    1009.. => (exponent + 15 - 1023) << 10 | fraction,
                    _ => (value.abs() * f64::from(1 << 24)) as u64,
                }
            }
            Self::Brain => single() >> 16,
            Self::Single => single(),
            Self::Upper => value.to_bits() >> 32,
        }
    }

    /// Returns the bit pattern nearest to a double, ties to even.
    pub(crate) fn round(self, value: f64) -> u64 {
        let (number, direction) = Float::with_val_round(self.precision(), value, Round::Nearest);
        self.finish(number, direction)
    }

    /// Returns the bit pattern of a number that was rounded to nearest, to this format's precision.
    /// `direction` is the result of comparing the number with the exact number.
    ///
    /// Below the least normal number, a format has fewer significant bits, so the number is rounded
    /// again. In that case `direction` distinguishes a true tie from a tie that the first rounding
    /// made.
    pub(crate) fn finish(self, mut number: Float, direction: Ordering) -> u64 {
        // MPFR's significands are from 1/2 to 1. So MPFR's exponent of the least normal number is
        // one greater.
        number.subnormalize_round(2 - self.bias(), direction, Round::Nearest);
        self.write(number.to_f64())
    }

    /// Returns the same pattern, or a zero of its sign if it is subnormal.
    pub(crate) fn flushed(self, bits: u64) -> u64 {
        let value = self.read(bits);
        if value.abs() < self.least() { self.write(0.0_f64.copysign(value)) } else { bits }
    }
}
