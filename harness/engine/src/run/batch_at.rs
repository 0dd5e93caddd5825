//! The place of a batch in a run.

use assay_isa::Instruction;
use assay_vectors::Contract;

use crate::compare::canary::Pieces;
use crate::stats::tally::Tally;

/// The current batch of a worker, and its position in the run.
#[derive(Clone, Copy)]
pub(super) struct BatchAt<'a> {
    pub instruction: &'a Instruction,
    pub contract: &'a Contract,
    /// The kind of the run's pieces.
    pub pieces: Pieces,
    /// The number of the drawn batch that this batch is, or is a part of.
    pub index: u64,
    /// Whether the batch is the first of its shard. That batch is always checked, even if the check
    /// is not counted.
    pub is_first: bool,
    /// The index of its first case.
    pub first: u64,
    /// The counts of the run before this epoch, if records in them need not be found again.
    pub before: Option<&'a Tally>,
}

impl BatchAt<'_> {
    /// Whether the harness checks itself at this batch.
    pub fn is_checked(&self) -> bool {
        self.counts_as_checked() || self.is_first
    }

    /// Whether the check of this batch is counted. Only the index of the batch decides, so every
    /// sharding counts the same checks.
    pub fn counts_as_checked(&self) -> bool {
        self.pieces.is_checked(self.index)
    }
}
