//! Shifts by constants and by words.

use super::Word;
use crate::graph::{Bit, Graph};

impl Word {
    /// Returns the word times 2^places, cut to its width.
    pub fn shifted_left(&self, places: usize) -> Word {
        let kept = self.width().saturating_sub(places);
        Word::constant(self.width() - kept, 0).below(&self.slice(0, kept))
    }

    /// Returns the word moved right by some places. Copies of `fill` move in.
    pub fn shifted_right(&self, places: usize, fill: Bit) -> Word {
        let kept = self.width().saturating_sub(places);
        self.slice(self.width() - kept, kept).extend(self.width(), fill)
    }
}

impl Graph {
    /// Returns the word times 2^amount, cut to its width. The amount is unsigned, of any width.
    pub fn shift_left(&mut self, word: &Word, amount: &Word) -> Word {
        self.shift(word, amount, Word::shifted_left)
    }

    /// Returns the word moved right by an amount. Copies of `fill` move in. The amount is unsigned,
    /// of any width.
    pub fn shift_right(&mut self, word: &Word, amount: &Word, fill: Bit) -> Word {
        self.shift(word, amount, |word, places| word.shifted_right(places, fill))
    }

    /// Returns the word moved right by an amount, with zeros moving in, and whether a 1 was among
    /// the bits that moved out.
    pub fn shift_right_sticky(&mut self, word: &Word, amount: &Word) -> (Word, Bit) {
        let mut shifted = word.clone();
        let mut lost = Bit::FALSE;
        for (stage, digit) in amount.bits().iter().enumerate() {
            let places = stage_places(stage, word.width());
            let out = self.any_bit(&shifted.slice(0, places));
            let out = self.and(out, *digit);
            lost = self.or(lost, out);
            let moved = shifted.shifted_right(places, Bit::FALSE);
            shifted = self.select(*digit, &moved, &shifted);
        }
        (shifted, lost)
    }

    /// Shifts in stages: stage i moves the word by 2^i places if bit i of the amount is 1.
    fn shift(&mut self, word: &Word, amount: &Word, by: impl Fn(&Word, usize) -> Word) -> Word {
        let stages = amount.bits().iter().enumerate();
        stages.fold(word.clone(), |word, (stage, digit)| {
            let moved = by(&word, stage_places(stage, word.width()));
            self.select(*digit, &moved, &word)
        })
    }
}

/// Returns 2^stage, at most the width of the word: further places change nothing.
fn stage_places(stage: usize, width: usize) -> usize {
    1usize.checked_shl(stage as u32).map_or(width, |places| places.min(width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::testing::{all_pairs, check_pairs};

    #[test]
    fn words_are_shifted_by_each_amount() {
        // 6 bits, by up to 15 places: amounts beyond the width occur.
        let pairs = all_pairs((6, 4));
        let right = |a: u64, b: u64| a >> b;
        check_pairs((6, 4), &pairs, |g, a, b| g.shift_left(a, b), |a, b| a << b & 63);
        check_pairs((6, 4), &pairs, |g, a, b| g.shift_right(a, b, Bit::FALSE), right);
        let signed = |a: u64, b: u64| ((a << 58) as i64 >> 58 >> b) as u64 & 63;
        check_pairs((6, 4), &pairs, |g, a, b| g.shift_right(a, b, a.sign()), signed);
        check_pairs((6, 4), &pairs, |g, a, b| g.shift_right_sticky(a, b).0, right);
        let lost = |a: u64, b: u64| u64::from(a & ((1 << b) - 1) != 0);
        check_pairs((6, 4), &pairs, |g, a, b| Word::from_bits([g.shift_right_sticky(a, b).1]), lost);
    }

    #[test]
    fn an_amount_may_be_wider_than_an_address() {
        let mut graph = Graph::default();
        let word = Word::constant(8, 0x81);
        let amount = Word::constant(80, 0).slice(0, 79).below(&Word::constant(1, 1));
        assert_eq!(graph.shift_left(&word, &amount).as_constant(), Some(0));
        assert_eq!(graph.shift_right(&word, &amount, Bit::TRUE).as_constant(), Some(0xff));
    }

    #[test]
    fn constants_shift_without_gates() {
        let word = Word::constant(8, 0b1001_0110);
        for (places, left, right) in [(0, 0x96, 0x96), (3, 0xb0, 0xf2), (8, 0, 0xff), (9, 0, 0xff)] {
            assert_eq!(word.shifted_left(places).as_constant(), Some(left));
            assert_eq!(word.shifted_right(places, Bit::TRUE).as_constant(), Some(right));
        }
    }
}
