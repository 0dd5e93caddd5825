//! What a misread word leads to: places that a batch has no values for. They hold what a device may have left there: a
//! predicate is false, a register neither 0 nor all ones, so that it is not taken for RZ.

use assay_isa::{Batch, Location};

/// The value of a register that the case does not give.
const LEFT: u32 = 0x5bd1_e995;

/// The places that a misread word reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnsetReads {
    /// All of them, whether a batch has values for them or not; empty for a word that is read as it is.
    pub reads: Vec<Location>,
}

impl UnsetReads {
    /// The batch with a column for each place that it lacks, if it lacks one.
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
