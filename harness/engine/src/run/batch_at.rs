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
    /// What the run consists of.
    pub pieces: Pieces,
    /// The number of the batch that was drawn, or of that which this one is a part of.
    pub index: u64,
    /// Whether it is the first of its shard, which is checked even where it does not count as such.
    pub is_first: bool,
    /// The index of its first case.
    pub first: u64,
    /// What the run had counted before this epoch, where records of it need not be found again.
    pub before: Option<&'a Tally>,
}

impl BatchAt<'_> {
    /// Whether the harness checks itself at this batch.
    pub fn is_checked(&self) -> bool {
        self.counts_as_checked() || self.is_first
    }

    /// Whether it does for the index of the batch, and so in every sharding.
    pub fn counts_as_checked(&self) -> bool {
        self.pieces.is_checked(self.index)
    }
}
