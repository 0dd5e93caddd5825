//! Coverage: the bins that a campaign should hit, derived from the rows, and the bins that it hit.
//!
//! A bin is one fact about a case. Most plain bins combine a form, a value of one modifier, and a
//! class of one operand or result. The other plain bins of a form are: an attribute of an operand
//! on or off, the guard true or false, the zero register, a register used twice. A crossed bin
//! combines several facts ([`Topic`] lists them). For sums and products there are bins for the
//! position of the exact number between the numbers of the format ([`exact`]). Only bins of forms
//! and modifiers in the scope are counted. Bins that no case can hit are listed with the reason
//! (`unreachable`, and `crossings` for combinations that exclude each other).
//!
//! | module | contents |
//! |---|---|
//! | `bins`, `build` | the bins of a scope, and which of them no case can hit |
//! | `group` | bins that share a form, a context and a shape, and their names |
//! | `topic` | what a bin is about |
//! | `borders` | the bins of ends of binades and segments |
//! | `mark` | marks the bins that a batch exercised |
//! | `recipe`, `construct`, `members` | how to hit a bin |
//! | [`exact`] | the exact number of a sum or product, and the bins for its position |
//! | `unreachable`, `crossings` | why no case hits a bin |
//! | [`layout`] | the bins of a result, counted by form and topic |

mod bins;
mod borders;
mod build;
mod construct;
mod crossings;
pub mod directed;
pub mod exact;
mod group;
pub mod layout;
mod mark;
pub(crate) mod members;
pub mod minimal_suite;
pub(crate) mod recipe;
mod topic;
mod unreachable;

pub use bins::{Bin, Bins, Depth};
use serde::{Deserialize, Serialize};

use crate::generate::splitmix::is_taken;
pub use topic::Topic;

/// In a campaign, the crossed bins of one batch in `CROSSED_EVERY` are marked. Plain bins cost
/// less, and are marked for every batch.
pub const CROSSED_EVERY: u64 = 8;

/// Whether a campaign marks the crossed bins of a batch.
pub(crate) fn is_crossed(batch: u64) -> bool {
    is_taken(batch, CROSSED_EVERY, 0)
}

/// The hit bins: one bit for each bin, in the order of [`Bins`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage(Vec<u64>);

impl Coverage {
    /// Marks a set of bins in one block of 64.
    pub(crate) fn hit_block(&mut self, block: usize, set: u64) {
        if self.0.len() <= block {
            self.0.resize(block + 1, 0);
        }
        self.0[block] |= set;
    }

    /// Marks a bin.
    pub fn hit(&mut self, bin: usize) {
        self.hit_block(bin / 64, 1 << (bin % 64));
    }

    /// Marks a set of bins. The lowest bit of `set` stands for the bin `first`.
    pub(crate) fn hit_from(&mut self, first: usize, set: u64) {
        if set == 0 {
            return;
        }
        self.hit_block(first / 64, set << (first % 64));
        let beyond = set.checked_shr(64 - (first % 64) as u32).unwrap_or(0);
        if beyond != 0 {
            self.hit_block(first / 64 + 1, beyond);
        }
    }

    /// Returns the hit bins of a block of 64, one bit each.
    pub(crate) fn block(&self, block: usize) -> u64 {
        self.0.get(block).copied().unwrap_or(0)
    }

    /// Whether a bin was hit.
    pub fn contains(&self, bin: usize) -> bool {
        self.block(bin / 64) >> (bin % 64) & 1 == 1
    }

    /// Returns the bins that were hit, ascending.
    pub fn bins(&self) -> impl Iterator<Item = usize> {
        let of_block = |(block, set): (usize, &u64)| {
            let set = *set;
            (0..64).filter(move |bit| set >> bit & 1 == 1).map(move |bit| 64 * block + bit)
        };
        self.0.iter().enumerate().flat_map(of_block)
    }

    /// Whether `other` has a hit bin that `self` does not have.
    pub fn adds(&self, other: &Coverage) -> bool {
        other.0.iter().enumerate().any(|(block, set)| set & !self.block(block) != 0)
    }

    /// Adds the hit bins of `other`.
    pub fn merge(&mut self, other: &Coverage) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }
}

impl Serialize for Coverage {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let end = self.0.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        s.collect_str(&self.0[..end].iter().map(|word| format!("{word:016x}")).collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Coverage {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let text = String::deserialize(d)?;
        if !text.is_ascii() || text.len() % 16 != 0 {
            return Err(D::Error::custom("coverage is not a string of 16-digit hexadecimal words"));
        }
        let words = (0..text.len() / 16).map(|i| u64::from_str_radix(&text[16 * i..16 * i + 16], 16));
        words.collect::<Result<_, _>>().map(Coverage).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_survives_a_round_trip_and_merges() {
        let (mut a, mut b) = (Coverage::default(), Coverage::default());
        a.hit(3);
        b.hit(200);
        a.merge(&b);
        assert!(a.contains(3) && a.contains(200) && !a.contains(4));
        a.hit_from(62, 0b1011);
        a.hit_from(128, 1);
        assert!([62, 63, 65, 128].iter().all(|bin| a.contains(*bin)) && !a.contains(64) && !a.contains(129));
        let text = serde_json::to_string(&a).unwrap();
        assert_eq!(serde_json::from_str::<Coverage>(&text).unwrap(), a);
        assert!(serde_json::from_str::<Coverage>("\"12\"").is_err());
    }
}
