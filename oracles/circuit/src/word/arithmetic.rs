//! Sums, products, quotients and comparisons of integers.

use super::{Word, require_equal_widths};
use crate::graph::{Bit, Graph};

impl Graph {
    /// Returns a + b + carry modulo 2^width, and the carry out. Panics if the widths differ.
    pub fn add_carry(&mut self, a: &Word, b: &Word, carry: Bit) -> (Word, Bit) {
        require_equal_widths(a, b);
        let mut carry = carry;
        let sum = a.bits().iter().zip(b.bits()).map(|(x, y)| {
            let half = self.xor(*x, *y);
            let sum = self.xor(half, carry);
            let (both, passed) = (self.and(*x, *y), self.and(half, carry));
            carry = self.or(both, passed);
            sum
        });
        let sum = Word::from_bits(sum.collect::<Vec<_>>());
        (sum, carry)
    }

    /// Returns a + b modulo 2^width. Panics if the widths differ.
    pub fn add(&mut self, a: &Word, b: &Word) -> Word {
        self.add_carry(a, b, Bit::FALSE).0
    }

    /// Returns a − b modulo 2^width. Panics if the widths differ.
    pub fn sub(&mut self, a: &Word, b: &Word) -> Word {
        self.add_carry(a, &!b, Bit::TRUE).0
    }

    /// Returns the word plus a bit, modulo 2^width.
    pub fn increment(&mut self, word: &Word, by: Bit) -> Word {
        self.add_carry(word, &Word::constant(word.width(), 0), by).0
    }

    /// Returns the two's complement.
    pub fn negate(&mut self, word: &Word) -> Word {
        self.increment(&!word, Bit::TRUE)
    }

    /// Returns the two's complement if `negative` is 1, else the word.
    pub fn negate_if(&mut self, word: &Word, negative: Bit) -> Word {
        let flipped = Word::from_bits(word.bits().iter().map(|bit| self.xor(*bit, negative)));
        self.increment(&flipped, negative)
    }

    /// Returns the product of two unsigned words. Its width is the sum of their widths.
    pub fn multiply(&mut self, a: &Word, b: &Word) -> Word {
        let width = a.width() + b.width();
        let mut sum = Word::constant(width, 0);
        for (place, digit) in b.bits().iter().enumerate() {
            // The bits below `place` are final. The row is added to the bits above.
            let row = self.mask(a, *digit).zero_extend(a.width() + 1);
            let above = self.add(&sum.slice(place, a.width() + 1), &row);
            sum = sum.slice(0, place).below(&above).zero_extend(width);
        }
        sum
    }

    /// Returns the product of two signed words. Its width is the sum of their widths.
    pub fn multiply_signed(&mut self, a: &Word, b: &Word) -> Word {
        let width = a.width() + b.width();
        let product = self.multiply(a, b);
        // A negative factor counts 2^width less than its pattern: the other factor is subtracted,
        // shifted by the width.
        let by_a = self.mask(b, a.sign());
        let by_b = self.mask(a, b.sign());
        let by_a = Word::constant(a.width(), 0).below(&by_a);
        let by_b = Word::constant(b.width(), 0).below(&by_b);
        let product = self.sub(&product, &by_a.zero_extend(width));
        self.sub(&product, &by_b.zero_extend(width))
    }

    /// Returns the quotient and the remainder of two unsigned words. Of a division by 0, the
    /// quotient is all ones and the remainder is `a`, as SMT-LIB and BTOR2 have it. Panics if the
    /// widths differ.
    pub fn divide(&mut self, a: &Word, b: &Word) -> (Word, Word) {
        require_equal_widths(a, b);
        let width = a.width();
        let divisor = b.zero_extend(width + 1);
        let mut rest = Word::constant(width + 1, 0);
        let mut quotient = Vec::with_capacity(width);
        for digit in a.bits().iter().rev() {
            rest = Word::from_bits([*digit]).below(&rest.slice(0, width));
            let fits = !self.less(&rest, &divisor);
            let less = self.sub(&rest, &divisor);
            rest = self.select(fits, &less, &rest);
            quotient.push(fits);
        }
        (Word::from_bits(quotient.into_iter().rev()), rest.slice(0, width))
    }

    /// Whether a < b, both unsigned. Panics if the widths differ.
    pub fn less(&mut self, a: &Word, b: &Word) -> Bit {
        // a − b borrows exactly if a < b.
        !self.add_carry(a, &!b, Bit::TRUE).1
    }

    /// Whether a < b, both signed. Panics if the widths differ or are 0.
    pub fn less_signed(&mut self, a: &Word, b: &Word) -> Bit {
        let unlike = self.xor(a.sign(), b.sign());
        let less = self.less(a, b);
        self.mux(unlike, a.sign(), less)
    }

    /// Whether an unsigned word is below a constant.
    pub fn is_below(&mut self, word: &Word, bound: u64) -> Bit {
        let beyond = word.width() < 64 && bound >> word.width() != 0;
        let less = self.less(word, &Word::constant(word.width(), bound));
        if beyond { Bit::TRUE } else { less }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::testing::{all_pairs, check_pairs};
    use proptest::prelude::*;

    fn signed(value: u64, width: usize) -> i64 {
        ((value << (64 - width)) as i64) >> (64 - width)
    }

    #[test]
    fn small_words_are_added_and_compared() {
        let pairs = all_pairs((5, 5));
        let bit = |bit: Bit| Word::from_bits([bit]);
        let check = |make: &dyn Fn(&mut Graph, &Word, &Word) -> Word, expected: fn(u64, u64) -> u64| {
            check_pairs((5, 5), &pairs, make, expected);
        };
        check(&|g, a, b| g.add(a, b), |a, b| (a + b) & 31);
        check(&|g, a, b| g.sub(a, b), |a, b| a.wrapping_sub(b) & 31);
        check(&|g, a, b| bit(g.add_carry(a, b, Bit::TRUE).1), |a, b| (a + b + 1) >> 5);
        check(&|g, a, _| g.negate(a), |a, _| a.wrapping_neg() & 31);
        check(&|g, a, b| g.negate_if(a, b.bit(0)), |a, b| if b & 1 == 1 { 32 - a } else { a } & 31);
        check(&|g, a, b| g.increment(a, b.bit(0)), |a, b| (a + (b & 1)) & 31);
        check(&|g, a, b| bit(g.less(a, b)), |a, b| u64::from(a < b));
        check(&|g, a, b| bit(g.less_signed(a, b)), |a, b| u64::from(signed(a, 5) < signed(b, 5)));
        check(&|g, a, _| bit(g.is_below(a, 17)), |a, _| u64::from(a < 17));
        check(&|g, a, _| bit(g.is_below(a, 32)), |_, _| 1);
    }

    #[test]
    fn small_words_are_multiplied_and_divided() {
        let pairs = all_pairs((5, 5));
        check_pairs((5, 5), &pairs, |g, a, b| g.multiply(a, b), |a, b| a * b);
        let product = |a, b| (signed(a, 5) * signed(b, 5)) as u64 & 1023;
        check_pairs((5, 5), &pairs, |g, a, b| g.multiply_signed(a, b), product);
        let uneven = all_pairs((3, 6));
        check_pairs((3, 6), &uneven, |g, a, b| g.multiply(a, b), |a, b| a * b);
        let product = |a, b| (signed(a, 3) * signed(b, 6)) as u64 & 511;
        check_pairs((3, 6), &uneven, |g, a, b| g.multiply_signed(a, b), product);
        check_pairs((5, 5), &pairs, |g, a, b| g.divide(a, b).0, |a, b| a.checked_div(b).unwrap_or(31));
        check_pairs((5, 5), &pairs, |g, a, b| g.divide(a, b).1, |a, b| a.checked_rem(b).unwrap_or(a));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn wide_words_are_added_and_multiplied(pairs in proptest::collection::vec((any::<u32>(), any::<u32>()), 64)) {
            let pairs: Vec<_> = pairs.iter().map(|(a, b)| (u64::from(*a), u64::from(*b))).collect();
            check_pairs((32, 32), &pairs, |g, a, b| g.multiply(a, b), |a, b| a * b);
            check_pairs((32, 32), &pairs, |g, a, b| g.add(a, b), |a, b| (a + b) & 0xffff_ffff);
            check_pairs((32, 32), &pairs, |g, a, b| g.multiply_signed(a, b), |a, b| {
                (signed(a, 32) * signed(b, 32)) as u64
            });
        }
    }
}
