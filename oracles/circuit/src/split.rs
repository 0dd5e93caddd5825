//! Parts of the inputs of a sum, by the difference of the exponents.
//!
//! A sum with one difference is a fixed shift and an addition, which a solver decides in seconds.
//! All differences together are hard.

use crate::definition::Steps;
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// A part of the inputs of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceSplit {
    /// The exponents differ by this number.
    Equal(u64),
    /// The exponents differ by this number, or by more.
    AtLeast(u64),
}

impl DistanceSplit {
    /// Returns one part for each distance below `far`, and one for all others.
    pub fn all(far: u64) -> Vec<DistanceSplit> {
        (0..far).map(DistanceSplit::Equal).chain([DistanceSplit::AtLeast(far)]).collect()
    }

    /// Returns the signal that is 1 for the inputs of the part.
    pub fn contains(self, graph: &mut Graph, distance: &Word) -> Bit {
        match self {
            DistanceSplit::Equal(number) => graph.equals(distance, number),
            DistanceSplit::AtLeast(number) => !graph.is_below(distance, number),
        }
    }
}

/// Keeps a definition as it is, and notes the distance of the exponents in its sum.
#[derive(Clone, Debug, Default)]
pub struct DistanceProbe {
    /// The distance, after a sum was defined. Unsigned.
    pub distance: Option<Word>,
}

impl Steps for DistanceProbe {
    fn distance(&mut self, _graph: &mut Graph, distance: &Word) {
        self.distance = Some(distance.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::testing::{all_pairs, check_pairs};

    #[test]
    fn each_distance_lies_in_one_part() {
        let splits = DistanceSplit::all(5);
        assert_eq!(splits.len(), 6);
        let make = |graph: &mut Graph, distance: &Word, _: &Word| {
            let parts = splits.iter().map(|split| split.contains(graph, distance));
            Word::from_bits(parts.collect::<Vec<_>>())
        };
        check_pairs((4, 1), &all_pairs((4, 1)), make, |distance, _| 1 << distance.min(5));
    }
}
