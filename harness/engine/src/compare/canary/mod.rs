//! Checks of the harness while it runs.
//!
//! In some batches, one lane in a copy of the effects is corrupted, and the copy is judged. That
//! lane must diverge, and no other lane may start or stop diverging. If a fast path found the
//! truth, the slow path judges some lanes again, and verdicts and errors must agree. If results
//! were looked up, the whole batch is judged again, and its counts must equal those of the look-up.
//!
//! Which batches and lanes are checked depends only on the index of the batch. So the counts of
//! shards add up to those of the whole run. A check does not change the counts of verdicts. A
//! failed check ends the run, because it shows a defect of the harness.

pub(crate) mod batch;
pub(crate) mod columns;

use assay_isa::{BackendError, Instruction, asm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::counts::Counts;
use crate::generate::splitmix::mix;

/// Maximum number of lanes of a batch that the slow path judges again.
const LANES: usize = 4;

/// The checks that a run makes of the harness itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Canaries {
    /// Number of batches that were selected for checks by their index.
    pub batches: u64,
    /// Number of lanes that were corrupted in copies of the selected batches. All of them diverged.
    pub spoiled: u64,
    /// Number of lanes that a fast path judged.
    pub fast: u64,
    /// Number of lanes of a fast path that the slow path judged again. All verdicts agreed.
    pub repeated: u64,
}

impl Canaries {
    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        *self == Canaries::default()
    }

    pub(crate) fn merge(&mut self, other: &Canaries) {
        self.batches += other.batches;
        self.spoiled += other.spoiled;
        self.fast += other.fast;
        self.repeated += other.repeated;
    }
}

/// The kinds of pieces of a run. The index of a piece decides whether the piece is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Batches of a campaign.
    Drawn,
    /// Batches of the sweep of a function. A run has many such sweeps, so only the first 4 batches
    /// of each are always checked, not the first 16.
    Swept,
    /// Units of a sweep over every input.
    Units,
}

impl Pieces {
    /// Returns the number of first pieces that are all checked, so that a small run has checks,
    /// too.
    fn first(self) -> u64 {
        match self {
            Pieces::Drawn | Pieces::Units => 16,
            Pieces::Swept => 4,
        }
    }

    /// Returns `n` if about one in `n` of the later pieces is checked.
    fn every(self) -> u64 {
        match self {
            Pieces::Drawn | Pieces::Swept => 256,
            Pieces::Units => 4,
        }
    }

    /// Returns the number of lanes from which on a run without any check fails. These lanes are at
    /// least 16,384 batches of a campaign, 4,096 batches of a sweep, or 16 units. If each later
    /// piece were checked at random, the probability of no check would be e^-64, e^-16 or 1 %.
    pub fn enough(self) -> u64 {
        match self {
            Pieces::Drawn | Pieces::Swept => 1 << 24,
            Pieces::Units => 1 << 27,
        }
    }

    /// Whether the piece with this index is checked.
    pub fn is_checked(self, index: u64) -> bool {
        index < self.first() || mix(index).is_multiple_of(self.every())
    }
}

/// Returns the lanes that the slow path judges again, evenly spread and in ascending order.
fn repeated_lanes(index: u64, lanes: usize) -> Vec<usize> {
    let step = lanes.div_ceil(LANES).max(1);
    let offset = mix(index) as usize % step;
    (offset..lanes).step_by(step).collect()
}

/// Checks that an epoch checked as many batches as planned. The error has both numbers.
pub(crate) fn unmade(batches: u64, planned: u64) -> Result<(), String> {
    if batches == planned {
        Ok(())
    } else {
        Err(format!("{batches} batches were checked of {planned} planned"))
    }
}

/// Checks that a run of enough lanes made checks of each kind. The error names the missing kind.
pub(crate) fn missing(canaries: &Canaries, verdicts: &Counts, pieces: Pieces) -> Result<(), String> {
    let Canaries { spoiled, fast, repeated, .. } = *canaries;
    let sound = verdicts.exact + verdicts.within;
    if spoiled == 0 && sound >= pieces.enough() {
        return Err(format!("no lane was spoiled, although {sound} lanes hold"));
    }
    if repeated == 0 && fast >= pieces.enough() {
        return Err(format!("the slow path judged none of the {fast} lanes of the fast path again"));
    }
    Ok(())
}

/// Returns the error for a failed check, with the problem, the index and the instruction.
pub(crate) fn defect(instruction: &Instruction, index: u64, problem: &str) -> BackendError {
    let place = format!("at index {index}, {}", asm::print(instruction));
    BackendError::Failed {
        implementation: "self-check".to_owned(),
        problem: format!(
            "{problem} ({place}); this is a defect of assay, and no verdict of this run can be trusted"
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_shard_has_checks() {
        for (pieces, every, most) in
            [(Pieces::Drawn, 256.0, 8192), (Pieces::Swept, 256.0, 8192), (Pieces::Units, 4.0, 64)]
        {
            assert!((0..pieces.first()).all(|index| pieces.is_checked(index)));
            let by_its_index = mix(pieces.first()).is_multiple_of(pieces.every());
            assert_eq!(pieces.is_checked(pieces.first()), by_its_index, "{pieces:?}");
            let all = (0..1 << 20).filter(|index| pieces.is_checked(*index)).count() as f64;
            assert!((all / (1 << 20) as f64 * every - 1.0).abs() < 0.1, "{all}");
            for of in [1, 2, 7, 64, 610, 1024] {
                for index in 0..of {
                    assert!(
                        (0..most).any(|nth| pieces.is_checked(index + nth * of)),
                        "{pieces:?} {index}/{of}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_lanes_judged_again_are_spread_over_a_batch() {
        for lanes in [0_usize, 1, 3, 4, 5, 255, 1024] {
            let step = lanes.div_ceil(LANES).max(1);
            let mut all = BTreeSet::new();
            for index in 0..10_000 {
                let chosen = repeated_lanes(index, lanes);
                let expected: Vec<usize> =
                    (chosen.first().copied().unwrap_or(0)..lanes).step_by(step).collect();
                assert_eq!(chosen, expected, "{index} of {lanes}");
                assert!(lanes == 0 || chosen[0] < step, "{index} of {lanes}");
                all.extend(chosen);
            }
            assert_eq!(all.len(), lanes, "the index decides, and each lane has its turn");
        }
    }

    #[test]
    fn any_count_makes_checks_not_empty() {
        let none = Canaries::default();
        assert!(none.is_empty());
        for some in [
            Canaries { batches: 1, ..none },
            Canaries { spoiled: 1, ..none },
            Canaries { fast: 1, ..none },
            Canaries { repeated: 1, ..none },
        ] {
            assert!(!some.is_empty(), "{some:?}");
        }
    }

    #[test]
    fn checks_that_were_not_made_are_named() {
        let counts = |sound, canaries| (canaries, Counts { exact: sound, ..Counts::default() });
        let enough = Pieces::Drawn.enough();
        let whole = Canaries { batches: 80, spoiled: 70, fast: enough, repeated: 4 };
        let cases = [
            (counts(enough, whole), 80, ""),
            (counts(enough, whole), 81, "80 batches were checked of 81 planned"),
            (counts(enough, Canaries { spoiled: 0, ..whole }), 80, "no lane was spoiled"),
            (counts(0, Canaries { spoiled: 0, ..whole }), 80, ""),
            (counts(enough, Canaries { repeated: 0, ..whole }), 80, "the slow path judged none"),
            (counts(enough, Canaries { repeated: 0, fast: 1024, ..whole }), 80, ""),
        ];
        let hold = |(canaries, verdicts): &(Canaries, Counts), pieces, planned, words: &str| {
            let made = unmade(canaries.batches, planned).and_then(|()| missing(canaries, verdicts, pieces));
            let said = made.err().unwrap_or_default();
            assert!(said.starts_with(words) && said.is_empty() == words.is_empty(), "{said}");
        };
        for (counted, planned, words) in cases {
            hold(&counted, Pieces::Drawn, planned, words);
            hold(&counted, Pieces::Swept, planned, words);
        }
        // Two units are too few to fail the run, although neither of them is checked.
        hold(&counts(enough, Canaries::default()), Pieces::Units, 0, "");
        hold(&counts(Pieces::Units.enough(), Canaries::default()), Pieces::Units, 0, "no lane was spoiled");
    }
}
