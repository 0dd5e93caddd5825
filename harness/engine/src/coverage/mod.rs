//! Coverage: what a campaign should have exercised, derived from the rows, and what it did.
//!
//! A bin is one fact about a case: a form, in one of the values of one of its modifiers, with a class of value
//! in one operand or in one result; an attribute of an operand on or off; the guard true or false; the
//! zero register; one register twice. Only bins that the scope can reach are counted; those that no
//! case can hit are listed with the reason (`unreachable`, and `functions` for MUFU).

mod bins;
mod functions;
mod unreachable;

pub use bins::Bins;
use serde::{Deserialize, Serialize};

/// Bins hit, one bit each, in the order of [`Bins`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage(Vec<u64>);

impl Coverage {
    /// Marks a set of bins of one block of 64.
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

    /// Whether a bin was hit.
    pub fn contains(&self, bin: usize) -> bool {
        self.0.get(bin / 64).is_some_and(|word| word >> (bin % 64) & 1 == 1)
    }

    /// Whether another hits a bin that this one does not.
    pub fn adds(&self, other: &Coverage) -> bool {
        let mine = |block: usize| self.0.get(block).copied().unwrap_or(0);
        other.0.iter().enumerate().any(|(block, set)| set & !mine(block) != 0)
    }

    /// Adds the bins of another.
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
        let text = serde_json::to_string(&a).unwrap();
        assert_eq!(serde_json::from_str::<Coverage>(&text).unwrap(), a);
        assert!(serde_json::from_str::<Coverage>("\"12\"").is_err());
    }
}
