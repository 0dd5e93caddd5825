//! The unrounded result of a function, and how it is rounded.

use assay_isa::format::Format;

/// ±significand · 2^exponent: an approximate result that is later rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// Whether the number is negative, or a negative zero.
    pub negative: bool,
    /// 32 bits with the top bit set, or 0 for an exact zero. Lower bits of the exact result are cut
    /// off.
    pub significand: u32,
    /// Exponent of the significand's lowest bit. The exponent may lie far outside every format.
    pub exponent: i32,
}

impl Number {
    /// Returns +0 or −0.
    pub(crate) const fn zero(negative: bool) -> Number {
        Number { negative, significand: 0, exponent: 0 }
    }

    /// Returns 1 or −1.
    pub(crate) const fn one(negative: bool) -> Number {
        Number { negative, significand: 1 << 31, exponent: -31 }
    }

    /// Returns a number that overflows every format.
    pub(crate) const fn infinity(negative: bool) -> Number {
        Number { negative, significand: 1 << 31, exponent: i32::MAX }
    }

    /// Returns ±bits · 2^exponent. Keeps the 32 leading bits.
    #[inline]
    pub fn new(negative: bool, bits: u64, exponent: i32) -> Number {
        let zeros = bits.leading_zeros() & 63;
        Number { negative, significand: (bits << zeros >> 32) as u32, exponent: exponent + 32 - zeros as i32 }
    }

    /// Returns ±bits · 2^exponent, like [`new`](Number::new), for 32 bits.
    #[inline(always)]
    pub fn from_word(negative: bool, bits: u32, exponent: i32) -> Number {
        let zeros = bits.leading_zeros() & 31;
        Number { negative, significand: bits << zeros, exponent: exponent - zeros as i32 }
    }

    /// Rounds the number to a format, to nearest, ties away from zero. Subnormal results are
    /// rounded at their own last place. An overflow returns infinity.
    ///
    /// The rounding of ties does not matter here. The error of an inexact result exceeds the
    /// difference, and an exact result has too few bits for a tie.
    #[inline]
    pub(crate) fn round(self, format: Format) -> u32 {
        let sign = if self.negative { format.sign_mask() } else { 0 };
        if self.significand == 0 {
            return sign;
        }
        // The exponent of the leading one, limited to the range in which it affects the result.
        let leading = self.exponent.saturating_add(31).clamp(format.grid() - 2, format.bias() + 1);
        let above = leading - format.emin();
        let dropped = 31 - format.fraction_bits + (-above).max(0) as u32;
        // Adds half a unit of the last place after part of the shift, so that the sum fits in 32
        // bits.
        let kept = ((self.significand >> 1 >> (dropped - 2)) + 1) >> 1;
        // The leading one of a normal number increments the exponent field. So does a carry.
        let magnitude = ((above.max(0) as u32) << format.fraction_bits) + kept;
        sign | magnitude.min(format.infinity())
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::format::{BF16, F16, F32, F64_HIGH};
    use proptest::prelude::*;

    use super::*;

    /// Returns twice the value of a finite pattern, in units of the least subnormal. Exact but
    /// slow.
    fn doubled(format: Format, bits: u32) -> Vec<bool> {
        let field = format.exponent_field(bits);
        let leading = u32::from(field != 0) << format.fraction_bits;
        let significand = bits & format.fraction_mask() | leading;
        binary(significand, field.max(1))
    }

    /// Returns the binary digits of significand · 2^shift, the lowest first, without leading zeros.
    fn binary(significand: u32, shift: u32) -> Vec<bool> {
        let digits = (0..32).map(|i| significand >> i & 1 == 1);
        let mut all: Vec<bool> = std::iter::repeat_n(false, shift as usize).chain(digits).collect();
        while all.last() == Some(&false) {
            all.pop();
        }
        all
    }

    /// Returns whether `a` is less than `b`. Digits are in the order of [`binary`].
    fn below(a: &[bool], b: &[bool]) -> bool {
        a.len() < b.len() || a.len() == b.len() && a.iter().rev().lt(b.iter().rev())
    }

    /// Returns the sum of two numbers. Digits are in the order of [`binary`].
    fn sum(a: &[bool], b: &[bool]) -> Vec<bool> {
        let digit = |digits: &[bool], i| u8::from(digits.get(i).copied().unwrap_or(false));
        let mut carry = 0;
        let mut all = Vec::new();
        for i in 0..a.len().max(b.len()) + 1 {
            let column = digit(a, i) + digit(b, i) + carry;
            all.push(column & 1 == 1);
            carry = column >> 1;
        }
        while all.last() == Some(&false) {
            all.pop();
        }
        all
    }

    /// Returns whether the number rounds to `bits`, so that its magnitude lies between the
    /// midpoints below (inclusive) and above `bits`.
    fn is_nearest(format: Format, number: Number, bits: u32) -> bool {
        // All values are in units of 2^(grid − 1 − 40), so the number is an integer.
        const SPARE: usize = 40;
        let scaled = |digits: Vec<bool>| -> Vec<bool> {
            if digits.is_empty() { digits } else { [vec![false; SPARE], digits].concat() }
        };
        let shift = number.exponent - (format.grid() - 1) + SPARE as i32;
        assert!(shift >= 0, "beyond the reference");
        let twice = binary(number.significand, shift as u32 + 1);
        let magnitude = bits & !format.sign_mask();
        // The pattern of Inf stands for the number that would follow the greatest one.
        let value = |bits| scaled(doubled(format, bits));
        let at_least = |a: u32| !below(&twice, &sum(&value(a), &value(a + 1)));
        let lower = magnitude == 0 || at_least(magnitude - 1);
        let upper = magnitude == format.infinity() || !at_least(magnitude);
        format.is_negative(bits) == number.negative && lower && upper
    }

    fn formats() -> impl Strategy<Value = Format> {
        prop::sample::select(vec![F32, F16, BF16, F64_HIGH])
    }

    proptest! {
        #[test]
        fn the_nearest_of_the_format(
            format in formats(), negative: bool, low: u32, cut in 0_u32..32, position in -40_i32..40, middle: bool,
        ) {
            // Few significant bits give ties. The ends of the exponent range are drawn more often.
            let significand = (low >> cut << cut) | 1 << 31;
            let leading = match (middle, position < 0) {
                (true, _) => position,
                (false, true) => format.grid() - 2 - position,
                (false, false) => format.bias() + 3 - position,
            };
            let number = Number { negative, significand, exponent: leading - 31 };
            prop_assume!(leading >= format.grid() - 5);
            let bits = number.round(format);
            prop_assert!(is_nearest(format, number, bits), "{} {number:?} {bits:#010x}", format.name);
        }

        #[test]
        fn what_has_few_bits_is_kept(format in formats(), bits: u32) {
            let bits = bits & (format.sign_mask() | (format.sign_mask() - 1));
            prop_assume!(format.is_finite(bits) && bits & !format.sign_mask() != 0);
            let field = format.exponent_field(bits);
            let significand = bits & format.fraction_mask() | u32::from(field != 0) << format.fraction_bits;
            let exponent = field.max(1) as i32 - format.bias() - format.fraction_bits as i32;
            let number = Number::new(format.is_negative(bits), significand.into(), exponent);
            prop_assert_eq!(number.significand >> 31, 1);
            prop_assert_eq!(number.round(format), bits);
        }
    }

    #[test]
    fn the_far_ends() {
        for format in [F32, F16, BF16, F64_HIGH] {
            let round =
                |significand, exponent| Number { negative: false, significand, exponent }.round(format);
            assert_eq!(round(0, 5), 0);
            assert_eq!(Number::zero(true).round(format), format.sign_mask());
            assert_eq!(Number::one(false).round(format), format.one());
            assert_eq!(Number::one(true).round(format), format.sign_mask() | format.one());
            assert_eq!(Number::infinity(true).round(format), format.sign_mask() | format.infinity());
            assert_eq!(round(u32::MAX, i32::MIN), 0);
            assert_eq!(round(u32::MAX, i32::MAX), format.infinity());
            // Half of the least subnormal, and just below it. Then come a carry into the exponent,
            // and an overflow.
            assert_eq!(round(1 << 31, format.grid() - 32), 1);
            assert_eq!(round(u32::MAX, format.grid() - 33), 0);
            assert_eq!(round(u32::MAX, format.emin() - 32), 1 << format.fraction_bits);
            assert_eq!(round(u32::MAX, format.bias() - 31), format.infinity());
            assert_eq!(round(!0 << (31 - format.fraction_bits), format.bias() - 31), format.infinity() - 1);
        }
    }
}
