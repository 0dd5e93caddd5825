//! Unbounded integers. Most values fit 128 bits, and only larger ones use the heap.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// Largest number of bits of a value. A shift or product beyond it is an error, so that a document
/// cannot take unbounded memory.
pub const BITS: u64 = 4096;

/// An integer of at most [`BITS`] bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Int {
    /// A value that fits 128 bits. Such a value never has the other kind.
    Small(i128),
    /// A larger value.
    Big(BigInt),
}

impl From<i128> for Int {
    fn from(value: i128) -> Self {
        Int::Small(value)
    }
}

impl From<bool> for Int {
    fn from(value: bool) -> Self {
        Int::Small(value.into())
    }
}

impl From<u32> for Int {
    fn from(value: u32) -> Self {
        Int::Small(value.into())
    }
}

impl From<BigInt> for Int {
    fn from(value: BigInt) -> Self {
        i128::try_from(&value).map_or(Int::Big(value), Int::Small)
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (a, b) => a.big().cmp(&b.big()),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int::Small(0);

    fn big(&self) -> BigInt {
        match self {
            Int::Small(value) => BigInt::from(*value),
            Int::Big(value) => value.clone(),
        }
    }

    /// Applies an operation in 128 bits, or without a bound if the result does not fit.
    fn combine(
        &self,
        other: &Int,
        small: fn(i128, i128) -> Option<i128>,
        big: fn(BigInt, BigInt) -> BigInt,
    ) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(result) = small(*a, *b)
        {
            return Int::Small(result);
        }
        Int::from(big(self.big(), other.big()))
    }

    /// Returns the sum.
    pub fn plus(&self, other: &Int) -> Int {
        self.combine(other, i128::checked_add, |a, b| a + b)
    }

    /// Returns the difference.
    pub fn minus(&self, other: &Int) -> Int {
        self.combine(other, i128::checked_sub, |a, b| a - b)
    }

    /// Returns the product. `None` if it has more than [`BITS`] bits.
    pub fn times(&self, other: &Int) -> Option<Int> {
        let fits = self.bits() + other.bits() <= BITS;
        fits.then(|| self.combine(other, i128::checked_mul, |a, b| a * b))
    }

    /// Returns the quotient, rounded down, and the remainder, which is never negative (E014).
    /// `None` if the divisor is 0.
    pub fn divide(&self, divisor: &Int) -> Option<(Int, Int)> {
        if let (Int::Small(a), Int::Small(b)) = (self, divisor) {
            return Some((Int::Small(a.checked_div_euclid(*b)?), Int::Small(a.checked_rem_euclid(*b)?)));
        }
        let (a, b) = (self.big(), divisor.big());
        if b == BigInt::ZERO {
            return None;
        }
        let (mut quotient, mut remainder) = (&a / &b, &a % &b);
        if remainder.sign() == Sign::Minus {
            let is_negative = b.sign() == Sign::Minus;
            quotient += if is_negative { 1 } else { -1 };
            remainder += if is_negative { -b } else { b };
        }
        Some((Int::from(quotient), Int::from(remainder)))
    }

    /// Returns the value times two to the power `by`. `None` if it has more than [`BITS`] bits.
    pub fn shift_left(&self, by: u64) -> Option<Int> {
        if self.is_zero() {
            return Some(Int::ZERO);
        }
        match (self, self.bits().checked_add(by)?) {
            (Int::Small(value), ..127) => Some(Int::Small(value << by)),
            (value, ..=BITS) => Some(Int::from(value.big() << by)),
            _ => None,
        }
    }

    /// Returns the value divided by two to the power `by`, rounded down.
    pub fn shift_right(&self, by: u64) -> Int {
        match self {
            Int::Small(value) => Int::Small(value >> by.min(127)),
            Int::Big(value) => Int::from(value >> by),
        }
    }

    /// Returns the bits that both values have. A negative value has infinitely many leading ones.
    pub fn and(&self, other: &Int) -> Int {
        self.combine(other, |a, b| Some(a & b), |a, b| a & b)
    }

    /// Returns the bits that one value has or both have.
    pub fn or(&self, other: &Int) -> Int {
        self.combine(other, |a, b| Some(a | b), |a, b| a | b)
    }

    /// Returns the bits that exactly one value has.
    pub fn xor(&self, other: &Int) -> Int {
        self.combine(other, |a, b| Some(a ^ b), |a, b| a ^ b)
    }

    /// Returns the negative value.
    pub fn negated(&self) -> Int {
        Int::ZERO.minus(self)
    }

    /// Returns the complement of all bits.
    pub fn complement(&self) -> Int {
        Int::Small(-1).minus(self)
    }

    /// Returns the lowest bits as a value that is not negative. `width` is at most [`BITS`].
    pub fn low_bits(&self, width: u64) -> Int {
        match self {
            Int::Small(value) if width < 127 => Int::Small(value & ((1 << width) - 1)),
            Int::Small(value) if *value >= 0 => Int::Small(*value),
            value => Int::from(value.big() & ((BigInt::from(1) << width) - 1)),
        }
    }

    /// Returns the lowest bits as a value in two's complement. `width` is 1 to [`BITS`].
    pub fn low_signed(&self, width: u64) -> Int {
        let low = self.low_bits(width);
        if low.bit(width - 1) {
            return low.minus(&Int::Small(1).shift_left(width).unwrap_or(Int::ZERO));
        }
        low
    }

    /// Returns one bit of the two's complement.
    pub fn bit(&self, index: u64) -> bool {
        self.shift_right(index).low_bits(1) == Int::Small(1)
    }

    /// Returns the number of bits of the magnitude.
    pub fn bits(&self) -> u64 {
        match self {
            Int::Small(value) => (128 - value.unsigned_abs().leading_zeros()).into(),
            Int::Big(value) => value.bits(),
        }
    }

    /// Whether the value is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self, Int::Small(0))
    }

    /// Whether the value is below 0.
    pub fn is_negative(&self) -> bool {
        match self {
            Int::Small(value) => *value < 0,
            Int::Big(value) => value.sign() == Sign::Minus,
        }
    }

    /// Returns the value as a count or an index. `None` if it is negative or above `limit`.
    pub fn index(&self, limit: u64) -> Option<u64> {
        match self {
            Int::Small(value) => u64::try_from(*value).ok().filter(|value| *value <= limit),
            Int::Big(_) => None,
        }
    }

    /// Returns 32 bits from `lo` on, as a register holds them.
    pub fn word(&self, lo: u64) -> u32 {
        match self {
            Int::Small(value) => (value >> lo.min(127)) as u32,
            Int::Big(_) => match self.shift_right(lo).low_bits(32) {
                Int::Small(value) => value as u32,
                Int::Big(_) => unreachable!("32 bits fit 128"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An integer near the border of 128 bits, or a common one.
    fn value() -> impl Strategy<Value = BigInt> {
        (any::<i128>(), 0_u32..140, any::<bool>()).prop_map(|(value, shift, up)| {
            let value = BigInt::from(value);
            if up { value << shift } else { value >> shift }
        })
    }

    proptest! {
        #[test]
        fn operations_equal_those_of_large_integers(a in value(), b in value(), by in 0_u64..200) {
            let (x, y) = (Int::from(a.clone()), Int::from(b.clone()));
            prop_assert_eq!(x.plus(&y), Int::from(&a + &b));
            prop_assert_eq!(x.minus(&y), Int::from(&a - &b));
            prop_assert_eq!(x.times(&y), Some(Int::from(&a * &b)));
            prop_assert_eq!(x.and(&y), Int::from(&a & &b));
            prop_assert_eq!(x.or(&y), Int::from(&a | &b));
            prop_assert_eq!(x.xor(&y), Int::from(&a ^ &b));
            prop_assert_eq!(x.complement(), Int::from(-&a - 1));
            prop_assert_eq!(x.shift_left(by), Some(Int::from(&a << by)));
            prop_assert_eq!(x.shift_right(by), Int::from(&a >> by));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            let modulus = BigInt::from(1) << (by + 1);
            let low = ((&a % &modulus) + &modulus) % &modulus;
            prop_assert_eq!(x.low_bits(by + 1), Int::from(low.clone()));
            let signed = if low >= (BigInt::from(1) << by) { low - modulus } else { low };
            prop_assert_eq!(x.low_signed(by + 1), Int::from(signed));
            if let Some((quotient, remainder)) = x.divide(&y) {
                prop_assert!(!remainder.is_negative() && remainder.big() < b.magnitude().clone().into());
                prop_assert_eq!(quotient.big() * &b + remainder.big(), a);
            }
        }
    }

    #[test]
    fn sizes_are_limited() {
        let one = Int::Small(1);
        assert!(one.shift_left(BITS - 1).is_some() && one.shift_left(BITS).is_none());
        assert!(one.shift_left(u64::MAX).is_none() && Int::ZERO.shift_left(u64::MAX) == Some(Int::ZERO));
        let large = one.shift_left(BITS / 2).unwrap();
        assert!(large.times(&large).is_none());
        assert_eq!(one.divide(&Int::ZERO), None);
        assert_eq!(large.divide(&Int::ZERO), None);
        assert_eq!((Int::Small(-1).word(0), large.word(BITS / 2)), (u32::MAX, 1));
    }
}
