//! A batch: one encoded word and a column of values for each location it reads.
//!
//! Subjects and oracles work on whole batches. Values are raw bits. A predicate is 0 or 1.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::location::Location;

/// One instruction word and `len` lanes of input values.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    word: u128,
    len: usize,
    locations: Vec<Location>,
    values: Vec<u32>,
    seal: Option<NonZeroU64>,
}

/// Compares word, locations and values. Seals do not count.
impl PartialEq for Batch {
    fn eq(&self, other: &Batch) -> bool {
        let parts = |batch: &Batch| (batch.word, batch.len);
        parts(self) == parts(other) && self.locations == other.locations && self.values == other.values
    }
}

impl Eq for Batch {}

impl Batch {
    /// Creates a batch of `len` lanes that reads `locations`. Every value is 0.
    pub fn new(word: u128, locations: &[Location], len: usize) -> Batch {
        let values = vec![0; len * locations.len()];
        Batch { word, len, locations: locations.to_vec(), values, seal: None }
    }

    /// Makes this batch equal to [`Batch::new`] with these arguments, and reuses its memory.
    pub fn reset(&mut self, word: u128, locations: &[Location], len: usize) {
        self.seal = None;
        self.word = word;
        self.len = len;
        self.locations.clear();
        self.locations.extend_from_slice(locations);
        self.values.clear();
        self.values.resize(len * locations.len(), 0);
    }

    /// Resets the batch as [`Batch::reset`] does, then sets the first location to `first`, one
    /// value for each lane. Other locations are 0.
    pub fn reset_to(
        &mut self,
        word: u128,
        locations: &[Location],
        first: impl ExactSizeIterator<Item = u32>,
    ) {
        self.reset(word, locations, 0);
        self.len = first.len();
        self.values.extend(first);
        self.values.resize(self.len * locations.len(), 0);
    }

    /// Gives the batch a new, unique seal. The batch and its clones keep the seal. Changing the
    /// batch or a clone removes the seal of the changed one only.
    pub fn seal(&mut self) {
        static LAST: AtomicU64 = AtomicU64::new(0);
        self.seal = NonZeroU64::new(LAST.fetch_add(1, Ordering::Relaxed) + 1);
    }

    /// Returns the seal, if any. Batches with the same seal are equal.
    #[inline]
    pub fn sealed(&self) -> Option<NonZeroU64> {
        self.seal
    }

    /// The encoded instruction.
    #[inline]
    pub fn word(&self) -> u128 {
        self.word
    }

    /// Number of lanes.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the batch has no lanes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The locations that have a column, in column order.
    #[inline]
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// Returns the values of a location, one for each lane.
    #[inline]
    pub fn column(&self, location: Location) -> Option<&[u32]> {
        let index = self.locations.iter().position(|l| *l == location)?;
        Some(&self.values[index * self.len..][..self.len])
    }

    /// Returns all values, column after column.
    #[inline]
    pub fn values(&self) -> &[u32] {
        &self.values[..self.len * self.locations.len()]
    }

    /// Returns the values of the location at an index of [`Batch::locations`], for writing. Removes
    /// the seal.
    #[inline]
    pub fn column_mut(&mut self, index: usize) -> &mut [u32] {
        self.seal = None;
        &mut self.values[index * self.len..][..self.len]
    }

    /// Returns the inputs of one lane, in column order.
    #[inline]
    pub fn lane(&self, lane: usize) -> impl Iterator<Item = (Location, u32)> + '_ {
        self.locations.iter().enumerate().map(move |(i, l)| (*l, self.values[i * self.len + lane]))
    }

    /// Returns a batch with these values and another instruction.
    pub fn with_word(&self, word: u128) -> Batch {
        Batch { word, seal: None, ..self.clone() }
    }

    /// Returns a batch of some consecutive lanes.
    ///
    /// # Panics
    /// If a lane does not exist.
    pub fn part(&self, lanes: std::ops::Range<usize>) -> Batch {
        let columns = (0..self.locations.len()).map(|i| &self.values[i * self.len..][lanes.clone()]);
        let values = columns.flatten().copied().collect();
        Batch { word: self.word, len: lanes.len(), locations: self.locations.clone(), values, seal: None }
    }

    /// Returns a batch of several copies of all lanes. Copy n is rotated: it starts with lane n,
    /// modulo the number of lanes. So successive copies hold different lanes at the same position.
    pub fn repeated(&self, copies: usize) -> Batch {
        let mut values = Vec::with_capacity(copies * self.values.len());
        for place in 0..self.locations.len() {
            let column = &self.values[place * self.len..][..self.len];
            for copy in 0..copies {
                let (before, from) = column.split_at(copy % column.len().max(1));
                values.extend_from_slice(from);
                values.extend_from_slice(before);
            }
        }
        Batch {
            word: self.word,
            len: self.len * copies,
            locations: self.locations.clone(),
            values,
            seal: None,
        }
    }

    /// Returns a batch of one lane.
    pub fn single(&self, lane: usize) -> Batch {
        let values = self.lane(lane).map(|(_, value)| value).collect();
        Batch { word: self.word, len: 1, locations: self.locations.clone(), values, seal: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_lasts_until_a_change() {
        let mut batch = Batch::new(7, &[Location::R(1)], 2);
        batch.column_mut(0).copy_from_slice(&[3, 4]);
        assert_eq!(batch.sealed(), None);
        batch.seal();
        let (seal, copy) = (batch.sealed(), batch.clone());
        assert!(seal.is_some() && copy.sealed() == seal);
        for other in [batch.with_word(8), batch.part(0..2), batch.single(0), batch.repeated(2)] {
            assert_eq!(other.sealed(), None);
        }
        let changes: [fn(&mut Batch); 3] = [
            |batch| batch.column_mut(0)[1] = 5,
            |batch| batch.reset(7, &[Location::R(1)], 2),
            |batch| batch.reset_to(7, &[Location::R(1)], [3, 4].into_iter()),
        ];
        for change in changes {
            let mut changed = batch.clone();
            change(&mut changed);
            assert_eq!(changed.sealed(), None);
        }
        let mut again = copy.clone();
        again.seal();
        assert!(again.sealed() != seal && again == copy, "equal whatever the seal");
    }
}
