//! The pattern of the lanes in which a fault shows, in a batch that holds one case in every lane.

use std::fmt;

/// The lanes in which a fault shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanePattern {
    /// One lane, counted from 0.
    One(usize),
    /// The last lane, for every size of the batch.
    Last,
    /// Lane `offset` of each group of `step` lanes.
    Every {
        /// Number of lanes in a group.
        step: usize,
        /// The lane within a group, counted from 0.
        offset: usize,
    },
    /// All lanes from this one on.
    From(usize),
    /// All lanes below this one.
    Below(usize),
    /// All lanes, in batches of at least this many lanes.
    Size(usize),
    /// All lanes, in batches of fewer lanes than this.
    Fewer(usize),
    /// Some lanes, in none of the other patterns.
    Some,
}

impl LanePattern {
    /// Returns the pattern of `lanes` in a batch of `all` lanes, or `None` if they are all lanes.
    /// `lanes` must ascend.
    pub fn of(lanes: &[usize], all: usize) -> Option<LanePattern> {
        let (Some(first), Some(last)) = (lanes.first(), lanes.last()) else { return Some(LanePattern::Some) };
        if lanes.len() == all {
            return None;
        }
        if lanes.len() == 1 {
            return Some(LanePattern::One(*first));
        }
        let is_run = last - first + 1 == lanes.len();
        Some(match () {
            () if is_run && *last == all - 1 => LanePattern::From(*first),
            () if is_run && *first == 0 => LanePattern::Below(last + 1),
            () => match lanes[1] - first {
                step if (*first..all).step_by(step).eq(lanes.iter().copied()) && *first < step => {
                    LanePattern::Every { step, offset: *first }
                }
                _ => LanePattern::Some,
            },
        })
    }

    /// Returns the size of a small batch in which the pattern shows, and a lane that shows it. A
    /// batch of `size` lanes must show the pattern.
    pub fn smallest(self, size: usize) -> (usize, usize) {
        match self {
            LanePattern::One(lane) | LanePattern::From(lane) => (lane + 1, lane),
            LanePattern::Last => (2, 1),
            LanePattern::Every { offset, .. } => (offset + 1, offset),
            LanePattern::Below(_) => (1, 0),
            LanePattern::Size(least) => (least, 0),
            LanePattern::Fewer(_) => (1, 0),
            LanePattern::Some => (size, 0),
        }
    }
}

impl fmt::Display for LanePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LanePattern::One(lane) => write!(f, "only in lane {lane}"),
            LanePattern::Last => write!(f, "only in the last lane"),
            LanePattern::Every { step, offset } => write!(f, "only in lane {offset} of each {step}"),
            LanePattern::From(lane) => write!(f, "only from lane {lane} on"),
            LanePattern::Below(lane) => write!(f, "only below lane {lane}"),
            LanePattern::Size(lanes) => write!(f, "only in batches of {lanes} lanes or more"),
            LanePattern::Fewer(2) => write!(f, "only in batches of one lane"),
            LanePattern::Fewer(lanes) => write!(f, "only in batches of fewer than {lanes} lanes"),
            LanePattern::Some => write!(f, "only in some lanes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pattern_is_told_from_its_lanes() {
        let all = 96;
        let told = |is_in: &dyn Fn(usize) -> bool| {
            LanePattern::of(&(0..all).filter(|lane| is_in(*lane)).collect::<Vec<_>>(), all)
        };
        assert_eq!(told(&|_| true), None);
        assert_eq!(told(&|lane| lane == 7), Some(LanePattern::One(7)));
        assert_eq!(told(&|lane| lane % 32 == 31), Some(LanePattern::Every { step: 32, offset: 31 }));
        assert_eq!(told(&|lane| lane % 2 == 0), Some(LanePattern::Every { step: 2, offset: 0 }));
        assert_eq!(told(&|lane| lane >= 40), Some(LanePattern::From(40)));
        assert_eq!(told(&|lane| lane < 40), Some(LanePattern::Below(40)));
        assert_eq!(told(&|lane| lane % 32 == 31 && lane > 40), Some(LanePattern::Some));
        assert_eq!(told(&|lane| lane == 3 || lane == 4), Some(LanePattern::Some));
        assert_eq!(told(&|_| false), Some(LanePattern::Some));
    }

    #[test]
    fn the_smallest_batch_holds_a_lane_that_shows() {
        for (pattern, expected) in [
            (LanePattern::One(31), (32, 31)),
            (LanePattern::Last, (2, 1)),
            (LanePattern::Every { step: 32, offset: 31 }, (32, 31)),
            (LanePattern::From(40), (41, 40)),
            (LanePattern::Below(40), (1, 0)),
            (LanePattern::Size(17), (17, 0)),
            (LanePattern::Fewer(4), (1, 0)),
            (LanePattern::Some, (1024, 0)),
        ] {
            assert_eq!(pattern.smallest(1024), expected, "{pattern}");
        }
    }
}
