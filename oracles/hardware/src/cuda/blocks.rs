//! Results that were requested ahead: slices of neighbouring inputs, one block of them at a time.

use std::collections::{HashMap, VecDeque};

/// The greatest number that a sweep of sines has under way: two functions, the current unit and the next.
pub const MOST: usize = 4;

/// The blocks of one worker, the oldest first. `R` holds the results, once they have arrived.
pub struct Blocks<R>(VecDeque<Block<R>>);

/// Results of slices.
struct Block<R> {
    word: u128,
    /// Where in the results the slice from an input on begins.
    places: HashMap<u32, usize>,
    lanes: usize,
    results: R,
}

impl<R> Default for Blocks<R> {
    fn default() -> Self {
        Blocks(VecDeque::new())
    }
}

impl<R> Blocks<R> {
    /// Whether slices of an instruction are ready.
    pub fn has(&self, word: u128, firsts: &[u32], lanes: usize) -> bool {
        let same = |block: &Block<R>| {
            block.word == word
                && block.lanes == lanes
                && block.places.len() == firsts.len()
                && firsts.iter().all(|first| block.places.contains_key(first))
        };
        self.0.iter().any(same)
    }

    /// Adds slices, and hands out the results of the oldest block if there are too many.
    pub fn add(&mut self, word: u128, firsts: &[u32], lanes: usize, results: R) -> Option<R> {
        let places = firsts.iter().enumerate().map(|(slice, first)| (*first, slice * lanes)).collect();
        self.0.push_back(Block { word, places, lanes, results });
        if self.0.len() > MOST { self.0.pop_front().map(|block| block.results) } else { None }
    }

    /// The results of a column of inputs, and their start in the block; `None` unless the inputs are consecutive from
    /// the start of a slice.
    pub fn find(&self, word: u128, inputs: &[u32]) -> Option<(&R, usize)> {
        let first = *inputs.first()?;
        let holds = |block: &&Block<R>| block.word == word && inputs.len() <= block.lanes;
        let mut places = self.0.iter().filter(holds).filter_map(|block| {
            let place = block.places.get(&first)?;
            Some((&block.results, *place))
        });
        let follows = |(lane, input): (usize, &u32)| *input == first.wrapping_add(lane as u32);
        places.next().filter(|_| inputs.iter().enumerate().all(follows))
    }

    /// Takes all blocks away.
    pub fn drain(&mut self) -> impl Iterator<Item = R> + '_ {
        self.0.drain(..).map(|block| block.results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_found_by_its_inputs() {
        let mut blocks = Blocks::default();
        assert!(blocks.add(1, &[100, 200], 8, 'a').is_none());
        assert!(blocks.add(2, &[100], 8, 'b').is_none());
        let inputs = |first: u32, lanes: u32| (first..first + lanes).collect::<Vec<_>>();
        assert_eq!(blocks.find(1, &inputs(100, 8)), Some((&'a', 0)));
        assert_eq!(blocks.find(1, &inputs(200, 7)), Some((&'a', 8)));
        assert_eq!(blocks.find(2, &inputs(100, 8)), Some((&'b', 0)));
        for (word, column) in
            [(1, inputs(101, 7)), (1, inputs(100, 9)), (3, inputs(100, 8)), (1, vec![100, 102]), (1, vec![])]
        {
            assert_eq!(blocks.find(word, &column), None, "{word} {column:?}");
        }
        assert!(blocks.has(1, &[100, 200], 8));
        assert!(!blocks.has(1, &[100], 8) && !blocks.has(1, &[100, 201], 8) && !blocks.has(2, &[100], 7));
    }

    #[test]
    fn the_oldest_makes_room() {
        let mut blocks = Blocks::default();
        for block in 0..MOST {
            assert_eq!(blocks.add(1, &[block as u32], 1, block), None);
        }
        assert_eq!(blocks.add(1, &[9], 1, 9), Some(0));
        assert_eq!(blocks.find(1, &[0]), None);
        assert_eq!(blocks.drain().collect::<Vec<_>>(), [1, 2, 3, 9]);
    }
}
