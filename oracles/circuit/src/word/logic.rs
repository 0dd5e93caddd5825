//! Operations bit by bit, reductions and selection.

use super::{Word, require_equal_widths};
use crate::graph::{Bit, Graph};

impl Graph {
    /// Applies a function of two signals to each place.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn zip(&mut self, a: &Word, b: &Word, apply: impl Fn(&mut Graph, Bit, Bit) -> Bit) -> Word {
        require_equal_widths(a, b);
        Word::from_bits(a.bits().iter().zip(b.bits()).map(|(x, y)| apply(self, *x, *y)))
    }

    /// Returns a AND b, bit by bit. Panics if the widths differ.
    pub fn and_words(&mut self, a: &Word, b: &Word) -> Word {
        self.zip(a, b, Graph::and)
    }

    /// Returns a OR b, bit by bit. Panics if the widths differ.
    pub fn or_words(&mut self, a: &Word, b: &Word) -> Word {
        self.zip(a, b, Graph::or)
    }

    /// Returns a XOR b, bit by bit. Panics if the widths differ.
    pub fn xor_words(&mut self, a: &Word, b: &Word) -> Word {
        self.zip(a, b, Graph::xor)
    }

    /// Returns the word if `keep` is 1, else 0.
    pub fn mask(&mut self, word: &Word, keep: Bit) -> Word {
        Word::from_bits(word.bits().iter().map(|bit| self.and(*bit, keep)))
    }

    /// Returns `then` if `select` is 1, else `otherwise`. Panics if the widths differ.
    pub fn select(&mut self, select: Bit, then: &Word, otherwise: &Word) -> Word {
        self.zip(then, otherwise, |graph, t, o| graph.mux(select, t, o))
    }

    /// Returns the word of the first condition that holds, or `otherwise`. Panics if the widths
    /// differ.
    pub fn first_of(&mut self, cases: &[(Bit, Word)], otherwise: &Word) -> Word {
        let rest = cases.iter().rev();
        rest.fold(otherwise.clone(), |rest, (holds, word)| self.select(*holds, word, &rest))
    }

    /// Whether any bit is 1.
    pub fn any_bit(&mut self, word: &Word) -> Bit {
        self.any(word.bits().iter().copied())
    }

    /// Whether all bits are 1.
    pub fn all_bits(&mut self, word: &Word) -> Bit {
        self.all(word.bits().iter().copied())
    }

    /// Whether all bits are 0.
    pub fn is_zero(&mut self, word: &Word) -> Bit {
        !self.any_bit(word)
    }

    /// Whether the number of ones is odd.
    pub fn parity(&mut self, word: &Word) -> Bit {
        word.bits().iter().fold(Bit::FALSE, |sum, bit| self.xor(sum, *bit))
    }

    /// Whether two words are equal. Panics if the widths differ.
    pub fn equal(&mut self, a: &Word, b: &Word) -> Bit {
        let different = self.xor_words(a, b);
        self.is_zero(&different)
    }

    /// Whether a word equals a constant.
    pub fn equals(&mut self, word: &Word, value: u64) -> Bit {
        self.equal(word, &Word::constant(word.width(), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::testing::{all_pairs, check_pairs};

    #[test]
    fn words_are_combined_bit_by_bit() {
        type Circuit = fn(&mut Graph, &Word, &Word) -> Word;
        type Function = fn(u64, u64) -> u64;
        let bit = |bit: Bit| Word::from_bits([bit]);
        let table: [(Circuit, Function); 6] = [
            (|g, a, b| g.and_words(a, b), |a, b| a & b),
            (|g, a, b| g.or_words(a, b), |a, b| a | b),
            (|g, a, b| g.xor_words(a, b), |a, b| a ^ b),
            (|g, a, b| g.mask(a, b.bit(0)), |a, b| if b & 1 == 1 { a } else { 0 }),
            (|g, a, b| g.select(a.bit(0), a, b), |a, b| if a & 1 == 1 { a } else { b }),
            (
                |g, a, b| {
                    let cases = [(a.bit(0), Word::constant(4, 3)), (b.bit(0), a.clone())];
                    g.first_of(&cases, b)
                },
                |a, b| {
                    if a & 1 == 1 {
                        3
                    } else if b & 1 == 1 {
                        a
                    } else {
                        b
                    }
                },
            ),
        ];
        for (make, expected) in table {
            check_pairs((4, 4), &all_pairs((4, 4)), make, expected);
        }
        let pairs = all_pairs((4, 4));
        check_pairs((4, 4), &pairs, |g, a, _| bit(g.any_bit(a)), |a, _| u64::from(a != 0));
        check_pairs((4, 4), &pairs, |g, a, _| bit(g.all_bits(a)), |a, _| u64::from(a == 15));
        check_pairs((4, 4), &pairs, |g, a, _| bit(g.is_zero(a)), |a, _| u64::from(a == 0));
        check_pairs((4, 4), &pairs, |g, a, _| bit(g.parity(a)), |a, _| u64::from(a.count_ones() % 2));
        check_pairs((4, 4), &pairs, |g, a, b| bit(g.equal(a, b)), |a, b| u64::from(a == b));
        check_pairs((4, 4), &pairs, |g, a, _| bit(g.equals(a, 9)), |a, _| u64::from(a == 9));
    }

    #[test]
    #[should_panic(expected = "both words have the same number of bits")]
    fn words_of_unlike_width_are_refused() {
        Graph::default().and_words(&Word::constant(3, 0), &Word::constant(4, 0));
    }
}
