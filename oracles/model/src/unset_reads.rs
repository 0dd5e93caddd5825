//! Values for locations that a misread word reads, and the batch does not set. These values stand
//! for old contents of a device. A predicate is false. The value of a register is neither 0 nor all
//! ones, so that it differs from RZ.

use assay_isa::{Batch, Location};

/// The value of a register that the batch does not set.
const LEFT: u32 = 0x5bd1_e995;

/// The locations that a misread word reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnsetReads {
    /// All these locations, whether or not a batch has values for them. The list is empty for a
    /// word that is read correctly.
    pub reads: Vec<Location>,
}

impl UnsetReads {
    /// Returns the batch with an additional column for each missing location. Returns `None` if no
    /// location is missing.
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
