//! The sizes of the batches that a subject receives.
//!
//! A campaign draws batches of 1024 cases. A fault that depends on the number of a lane, on the
//! last lane or on the size of a buffer may show only in batches of other sizes. So the subject
//! receives some batches in parts, and some as one large batch of several copies. The number of a
//! batch decides which. In both cases, each case is counted once, and its index does not change.

use std::ops::Range;

use crate::compare::canary::Pieces;
use crate::generate::splitmix::mix;

/// How a subject receives a drawn batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchSplit {
    /// Whole.
    Whole,
    /// In parts of 1, 2, 31, 32, 33, 64, 128 and 256 lanes; the last part has the remaining cases.
    Small,
    /// In two parts. The size of the first is below 1024, and is drawn by this number.
    Drawn(u64),
    /// As one large batch of this many copies.
    Copies(usize),
}

/// The smallest sizes, sizes near the width of a warp of 32 lanes, and of several warps.
const SMALL: &[usize] = &[1, 2, 31, 32, 33, 64, 128, 256];

/// Drawn sizes are below this number of lanes.
const FULL: u64 = 1024;

impl BatchSplit {
    /// Returns how the subject receives the batch with this number. The seed and the shard do not
    /// matter. Batches with a check of the judge are given whole.
    pub fn of(number: u64) -> BatchSplit {
        if Pieces::Drawn.is_checked(number) {
            return BatchSplit::Whole;
        }
        match mix(!number) % 4096 {
            0 => BatchSplit::Copies(64),
            1..=16 => BatchSplit::Copies(4),
            17..=144 => BatchSplit::Small,
            145..=208 => BatchSplit::Drawn(number),
            _ => BatchSplit::Whole,
        }
    }

    /// Returns `Whole` for every number.
    pub fn whole(_number: u64) -> BatchSplit {
        BatchSplit::Whole
    }

    /// Whether the subject receives the batch in parts, one after the other.
    pub fn is_cut(self) -> bool {
        matches!(self, BatchSplit::Small | BatchSplit::Drawn(_))
    }

    /// Returns the parts of a batch of `lanes` lanes.
    pub fn parts(self, lanes: usize) -> Vec<Range<usize>> {
        let size = |nth: u64| match self {
            BatchSplit::Small => SMALL.get(nth as usize).copied().unwrap_or(lanes),
            BatchSplit::Drawn(number) if nth == 0 => (1 + mix(mix(number)) % (FULL - 1)) as usize,
            BatchSplit::Whole | BatchSplit::Copies(_) | BatchSplit::Drawn(_) => lanes,
        };
        let (mut parts, mut first) = (Vec::new(), 0_usize);
        while first < lanes {
            let part = first..lanes.min(first + size(parts.len() as u64));
            first = part.end;
            parts.push(part);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn parts_hold_each_lane_once() {
        assert_eq!(
            BatchSplit::Small.parts(1024),
            [0..1, 1..3, 3..34, 34..66, 66..99, 99..163, 163..291, 291..547, 547..1024]
        );
        assert_eq!(BatchSplit::Small.parts(3), [0..1, 1..3]);
        assert_eq!(BatchSplit::Copies(4).parts(1024), vec![0..1024]);
        assert!(BatchSplit::Whole.parts(0).is_empty());
        for number in 0..100 {
            let parts = BatchSplit::Drawn(number).parts(1024);
            let joined: Vec<usize> = parts.into_iter().flatten().collect();
            assert!(joined.into_iter().eq(0..1024));
        }
    }

    /// In a campaign of 20 million cases, every listed size occurs.
    #[test]
    fn every_cut_comes_in_twenty_thousand_batches() {
        let count = |cut: BatchSplit| (0..19_532).filter(|number| BatchSplit::of(*number) == cut).count();
        assert!(count(BatchSplit::Copies(64)) >= 2);
        assert!(count(BatchSplit::Copies(4)) >= 50);
        assert!(count(BatchSplit::Small) >= 400);
    }

    /// In a campaign of 20 million cases, four of ten possible sizes occur. With 200 million cases,
    /// nearly all occur.
    #[test]
    fn sizes_are_drawn_from_all_below_a_full_batch() {
        for (batches, least) in [(19_532, 400), (195_313, 1010)] {
            let drawn = (0..batches).map(BatchSplit::of).filter(|cut| matches!(cut, BatchSplit::Drawn(_)));
            let sizes: BTreeSet<usize> =
                drawn.flat_map(|cut| cut.parts(1024)).map(|part| part.len()).collect();
            assert!(sizes.len() >= least && sizes.last() < Some(&1024), "{} of {batches}", sizes.len());
        }
    }
}
