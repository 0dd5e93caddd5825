//! Reads of locations without a value, caused by a misread word. They read what a device could have left
//! there: false for a predicate, for a register neither 0 nor all ones, so that it differs from RZ.

use assay_isa::{Batch, Location};

/// The value of a register that the case does not set.
const LEFT: u32 = 0x5bd1_e995;

/// The locations that a misread word reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnsetReads {
    /// All of them, with or without values in a batch. Empty for a word that is read correctly.
    pub reads: Vec<Location>,
}

impl UnsetReads {
    /// Returns the batch with a column for each location that it lacks, `None` if it lacks none.
    #[inline]
    pub(crate) fn fill(&self, batch: &Batch) -> Option<Batch> {
        if self.reads.iter().all(|location| batch.column(*location).is_some()) {
            return None;
        }
        let mut locations = batch.locations().to_vec();
        locations.extend(self.reads.iter().filter(|location| batch.column(**location).is_none()));
        let mut filled = Batch::new(batch.word(), &locations, batch.len());
        for (place, location) in batch.locations().iter().enumerate() {
            filled.column_mut(place).copy_from_slice(batch.column(*location).unwrap_or_default());
        }
        for (place, location) in locations.iter().enumerate().skip(batch.locations().len()) {
            filled.column_mut(place).fill(if location.is_predicate() { 0 } else { LEFT });
        }
        Some(filled)
    }
}
