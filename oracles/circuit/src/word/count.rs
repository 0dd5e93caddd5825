//! Leading zeros and numbers of ones.

use super::Word;
use crate::graph::{Bit, Graph};

impl Graph {
    /// Returns the number of zeros above the most significant 1: the width for a word of 0. The
    /// result has as many bits as the width as a number.
    pub fn leading_zeros(&mut self, word: &Word) -> Word {
        // A 1 below the word makes the count of a word of 0 come out as its width.
        let size = (word.width() + 1).next_power_of_two();
        let padding = Word::repeated(Bit::TRUE, size - word.width());
        let digits = number_of_bits(word.width());
        self.zeros_before_one(&padding.below(word)).1.zero_extend(digits)
    }

    /// Returns whether a word is 0, and the zeros above its most significant 1 otherwise. The width
    /// is a power of two.
    fn zeros_before_one(&mut self, word: &Word) -> (Bit, Word) {
        if let [bit] = word.bits() {
            return (!*bit, Word::constant(0, 0));
        }
        let half = word.width() / 2;
        let (high_zero, high) = self.zeros_before_one(&word.slice(half, half));
        let (low_zero, low) = self.zeros_before_one(&word.slice(0, half));
        let rest = self.select(high_zero, &low, &high);
        (self.and(high_zero, low_zero), rest.below(&Word::from_bits([high_zero])))
    }

    /// Returns the number of ones. The result has as many bits as the width as a number.
    pub fn count_ones(&mut self, word: &Word) -> Word {
        let digits = number_of_bits(word.width());
        let ones = word.bits().iter().map(|bit| Word::from_bits([*bit]).zero_extend(digits));
        let mut level: Vec<Word> = ones.collect();
        while level.len() > 1 {
            let sums = level.chunks(2).map(|pair| match pair {
                [a, b] => self.add(a, b),
                _ => pair[0].clone(),
            });
            level = sums.collect();
        }
        level.pop().unwrap_or_else(|| Word::constant(digits, 0))
    }
}

/// Returns how many bits a number has: 0 for 0, 6 for 32.
pub(crate) fn number_of_bits(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::testing::{all_pairs, check_pairs};

    #[test]
    fn zeros_and_ones_are_counted() {
        for width in 1..=9 {
            let pairs = all_pairs((width, 1));
            let zeros = |a: u64, _| u64::from(a.leading_zeros()) - (64 - width as u64);
            check_pairs((width, 1), &pairs, |g, a, _| g.leading_zeros(a), zeros);
            check_pairs((width, 1), &pairs, |g, a, _| g.count_ones(a), |a, _| u64::from(a.count_ones()));
        }
        let pairs: Vec<_> =
            (0..32).map(|place| (1 << place, 0)).chain([(0, 0), (u32::MAX.into(), 0)]).collect();
        let zeros = |a: u64, _| u64::from((a as u32).leading_zeros());
        check_pairs((32, 1), &pairs, |g, a, _| g.leading_zeros(a), zeros);
    }

    #[test]
    fn counts_are_as_wide_as_the_largest_count() {
        let mut graph = Graph::default();
        for (width, digits) in [(1, 1), (7, 3), (8, 4), (32, 6)] {
            let word = graph.input_word(width);
            assert_eq!(graph.leading_zeros(&word).width(), digits);
            assert_eq!(graph.count_ones(&word).width(), digits);
        }
    }
}
