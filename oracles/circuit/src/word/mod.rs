//! Words: rows of signals, the least significant first.
//!
//! | file | operations of [`Graph`] |
//! |---|---|
//! | this file | constants, inputs, slices, extensions: they need no gates |
//! | [`mod@logic`] | bit by bit, reductions, selection |
//! | [`arithmetic`] | sums, products, quotients, comparisons |
//! | [`shift`] | shifts by constants and by words |
//! | [`count`] | leading zeros, ones |

pub mod arithmetic;
pub mod count;
pub mod logic;
pub mod shift;

use std::ops::Not;

use crate::graph::{Bit, Evaluation, Graph};

/// A row of signals. Signal 0 is the least significant bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(Vec<Bit>);

impl Word {
    /// Returns a constant. Bits from 64 on are 0; bits of `value` beyond the width are cut off.
    pub fn constant(width: usize, value: u64) -> Word {
        let digit = |place: usize| Bit::constant(place < 64 && value >> place & 1 == 1);
        Word((0..width).map(digit).collect())
    }

    /// Returns the word of some signals.
    pub fn from_bits(bits: impl IntoIterator<Item = Bit>) -> Word {
        Word(bits.into_iter().collect())
    }

    /// Returns `width` copies of a signal.
    pub fn repeated(bit: Bit, width: usize) -> Word {
        Word(vec![bit; width])
    }

    /// Number of bits.
    pub fn width(&self) -> usize {
        self.0.len()
    }

    /// The signals.
    pub fn bits(&self) -> &[Bit] {
        &self.0
    }

    /// Returns the signal at a place.
    ///
    /// # Panics
    /// If the word has no such place.
    pub fn bit(&self, place: usize) -> Bit {
        self.0[place]
    }

    /// Returns the most significant bit.
    ///
    /// # Panics
    /// If the word has no bits.
    pub fn sign(&self) -> Bit {
        self.0[self.width() - 1]
    }

    /// Returns `width` bits from `low` on.
    ///
    /// # Panics
    /// If the word has no such bits.
    pub fn slice(&self, low: usize, width: usize) -> Word {
        Word(self.0[low..low + width].to_vec())
    }

    /// Returns this word with another one above it, in the more significant bits.
    pub fn below(&self, high: &Word) -> Word {
        Word(self.0.iter().chain(&high.0).copied().collect())
    }

    /// Returns the word with zeros above it, or cut, so that it has `width` bits.
    pub fn zero_extend(&self, width: usize) -> Word {
        self.extend(width, Bit::FALSE)
    }

    /// Returns the word with copies of its sign above it, or cut, so that it has `width` bits.
    ///
    /// # Panics
    /// If the word has no bits.
    pub fn sign_extend(&self, width: usize) -> Word {
        self.extend(width, self.sign())
    }

    /// Returns the word with copies of a signal above it, or cut, so that it has `width` bits.
    pub fn extend(&self, width: usize, above: Bit) -> Word {
        let mut bits = self.0.clone();
        bits.resize(width, above);
        Word(bits)
    }

    /// Returns the word in reverse order: bit 0 becomes the most significant bit.
    pub fn reversed(&self) -> Word {
        Word(self.0.iter().rev().copied().collect())
    }

    /// Returns the value, if all bits are constants and the word has at most 64 bits.
    pub fn as_constant(&self) -> Option<u64> {
        if self.width() > 64 {
            return None;
        }
        let digits = self.0.iter().enumerate();
        digits.map(|(place, bit)| Some(u64::from(bit.as_constant()?) << place)).sum()
    }

    /// Returns the value of the word in one pattern of an evaluation.
    ///
    /// # Panics
    /// If the word has more than 64 bits.
    pub fn value(&self, evaluation: &Evaluation, pattern: usize) -> u64 {
        evaluation.number(&self.0, pattern)
    }
}

/// Complements each bit.
impl Not for &Word {
    type Output = Word;

    fn not(self) -> Word {
        Word(self.0.iter().map(|bit| !*bit).collect())
    }
}

impl Graph {
    /// Adds a word of inputs, the least significant first.
    pub fn input_word(&mut self, width: usize) -> Word {
        Word((0..width).map(|_| self.input()).collect())
    }
}

/// Panics with both widths if they differ.
#[track_caller]
fn require_equal_widths(a: &Word, b: &Word) {
    assert_eq!(a.width(), b.width(), "both words have the same number of bits");
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// Checks a circuit of two words on all pairs of `values`. `make` builds the circuit and
    /// `expected` computes its result.
    pub fn check_pairs(
        widths: (usize, usize),
        pairs: &[(u64, u64)],
        make: impl Fn(&mut Graph, &Word, &Word) -> Word,
        expected: impl Fn(u64, u64) -> u64,
    ) {
        let mut graph = Graph::default();
        let (a, b) = (graph.input_word(widths.0), graph.input_word(widths.1));
        let result = make(&mut graph, &a, &b);
        let mut evaluation = Evaluation::default();
        for chunk in pairs.chunks(crate::graph::LANES) {
            let column = |place: usize, value: &dyn Fn(&(u64, u64)) -> u64| {
                let lanes = chunk.iter().enumerate();
                lanes.map(|(lane, pair)| (value(pair) >> place & 1) << lane).sum::<u64>()
            };
            let first = (0..widths.0).map(|place| column(place, &|pair| pair.0));
            let second = (0..widths.1).map(|place| column(place, &|pair| pair.1));
            evaluation.run(&graph, &first.chain(second).collect::<Vec<_>>());
            for (lane, (x, y)) in chunk.iter().enumerate() {
                assert_eq!(result.value(&evaluation, lane), expected(*x, *y), "of {x:#x} and {y:#x}");
            }
        }
    }

    /// Returns all pairs of words of these widths.
    pub fn all_pairs(widths: (usize, usize)) -> Vec<(u64, u64)> {
        let ends = (1u64 << widths.0, 1u64 << widths.1);
        (0..ends.0).flat_map(|a| (0..ends.1).map(move |b| (a, b))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_and_extensions_move_bits() {
        let word = Word::constant(8, 0b1001_0110);
        assert_eq!(word.slice(1, 4).as_constant(), Some(0b1011));
        assert_eq!(word.below(&Word::constant(4, 5)).as_constant(), Some(0b0101_1001_0110));
        assert_eq!(word.zero_extend(12).as_constant(), Some(0b1001_0110));
        assert_eq!(word.sign_extend(12).as_constant(), Some(0b1111_1001_0110));
        assert_eq!(word.sign_extend(4).as_constant(), Some(0b0110));
        assert_eq!(word.reversed().as_constant(), Some(0b0110_1001));
        assert_eq!((!&word).as_constant(), Some(0b0110_1001));
        assert_eq!(Word::constant(4, 0xff).as_constant(), Some(15));
        assert_eq!(Word::constant(70, !0).slice(60, 10).as_constant(), Some(15));
        assert_eq!(Word::constant(65, 1).as_constant(), None, "more than 64 bits");
        let mut graph = Graph::default();
        assert_eq!(graph.input_word(3).as_constant(), None);
    }
}
