//! Results that were requested ahead of the batches. Each block has the results for slices of
//! consecutive inputs.

use std::collections::{HashMap, VecDeque};

/// The greatest number of blocks that a worker keeps: a sweep of sines has two functions, each with
/// the current block and the next.
pub const MOST: usize = 4;

/// The blocks of one worker, the oldest first. `R` holds the results, which the device may still be
/// computing.
pub struct Blocks<R>(VecDeque<Block<R>>);

/// The results for some slices of one instruction.
struct Block<R> {
    word: u128,
    /// For the first input of each slice, the index of its result.
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
    /// Returns whether these slices of an instruction were requested already.
    pub fn has(&self, word: u128, firsts: &[u32], lanes: usize) -> bool {
        let same = |block: &Block<R>| {
            block.word == word
                && block.lanes == lanes
                && block.places.len() == firsts.len()
                && firsts.iter().all(|first| block.places.contains_key(first))
        };
        self.0.iter().any(same)
    }

    /// Adds slices. If there are then more than [`MOST`] blocks, removes the oldest one and returns
    /// its results.
    pub fn add(&mut self, word: u128, firsts: &[u32], lanes: usize, results: R) -> Option<R> {
        let places = firsts.iter().enumerate().map(|(slice, first)| (*first, slice * lanes)).collect();
        self.0.push_back(Block { word, places, lanes, results });
        if self.0.len() > MOST { self.0.pop_front().map(|block| block.results) } else { None }
    }

    /// Returns the block with the results for a column of inputs, and the index of the first
    /// result. Returns `None` if the inputs are not consecutive from the start of a slice, or were
    /// not requested.
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

    /// Removes all blocks.
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
