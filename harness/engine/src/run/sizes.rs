//! The sizes of the batches that a subject is given.
//!
//! A campaign draws batches of 1024 cases. A fault that depends on the number of a lane, on the last lane or on the
//! size of a buffer may show in batches of other sizes only. So the subject receives some batches, chosen by their
//! numbers, in parts, and some several times over as one large batch. Either way a case is judged and counted once, and
//! its index does not change.

use std::ops::Range;

use crate::compare::canary::Pieces;
use crate::generate::splitmix::mix;

/// How a subject is given a batch that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchSplit {
    /// As it is.
    Whole,
    /// In parts of these sizes; the last part has the remaining cases.
    Parts(&'static [usize]),
    /// Its lanes so many times over.
    Copies(usize),
}

/// The smallest sizes, sizes about the width of a group of 32 lanes, and of several groups.
const SMALL: &[usize] = &[1, 2, 31, 32, 33, 64, 128, 256];
/// A size that is no multiple of anything.
const UNEVEN: &[usize] = &[1000];

impl BatchSplit {
    /// How the batch of a number is given, whatever the seed and the shard. Batches that check the judge are given whole.
    pub fn of(number: u64) -> BatchSplit {
        if Pieces::Drawn.is_checked(number) {
            return BatchSplit::Whole;
        }
        match mix(!number) % 4096 {
            0 => BatchSplit::Copies(64),
            1..=16 => BatchSplit::Copies(4),
            17..=144 => BatchSplit::Parts(SMALL),
            145..=208 => BatchSplit::Parts(UNEVEN),
            _ => BatchSplit::Whole,
        }
    }

    /// As it is, whatever its number.
    pub fn whole(_number: u64) -> BatchSplit {
        BatchSplit::Whole
    }

    /// The parts of a batch of so many lanes that are given one after the other.
    pub fn parts(self, lanes: usize) -> Vec<Range<usize>> {
        let sizes = if let BatchSplit::Parts(sizes) = self { sizes } else { &[] };
        let (mut parts, mut first) = (Vec::new(), 0_usize);
        for size in sizes.iter().copied().chain([usize::MAX]) {
            let part = first..lanes.min(first.saturating_add(size));
            first = part.end;
            if !part.is_empty() {
                parts.push(part);
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_each_lane_once() {
        assert_eq!(
            BatchSplit::Parts(SMALL).parts(1024),
            [0..1, 1..3, 3..34, 34..66, 66..99, 99..163, 163..291, 291..547, 547..1024]
        );
        assert_eq!(BatchSplit::Parts(SMALL).parts(3), [0..1, 1..3]);
        assert_eq!(BatchSplit::Copies(4).parts(1024), vec![0..1024]);
        assert!(BatchSplit::Whole.parts(0).is_empty());
    }

    /// A campaign of 20 million cases meets every size.
    #[test]
    fn every_cut_comes_in_twenty_thousand_batches() {
        let count = |cut: BatchSplit| (0..19_532).filter(|number| BatchSplit::of(*number) == cut).count();
        assert!(count(BatchSplit::Copies(64)) >= 2);
        assert!(count(BatchSplit::Copies(4)) >= 50);
        assert!(count(BatchSplit::Parts(SMALL)) >= 400);
        assert!(count(BatchSplit::Parts(UNEVEN)) >= 200);
    }
}
