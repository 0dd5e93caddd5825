//! The place of a batch in a run.

use assay_isa::Instruction;
use assay_vectors::Contract;

use crate::compare::canary::Pieces;
use crate::stats::tally::Tally;

/// A batch of a worker, and its position in the run.
#[derive(Clone, Copy)]
pub(super) struct BatchAt<'a> {
    pub instruction: &'a Instruction,
    pub contract: &'a Contract,
    /// The number of the piece of the run that this batch is, or is a part of: a drawn batch, or a
    /// unit of a sweep.
    pub index: u64,
    /// The check of the harness at this batch.
    pub check: SelfCheck,
    /// The index of its first case.
    pub first: u64,
    /// The counts of the run before this epoch, if records in them need not be found again.
    pub before: Option<&'a Tally>,
}

/// Whether the harness checks itself at a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SelfCheck {
    /// It does not.
    None,
    /// It does, and does not count the check. The first batch of a shard is always checked.
    Uncounted,
    /// It does, and counts the check.
    Counted,
}

impl SelfCheck {
    /// Returns the check at a piece. `is_first` says whether the piece is the first of its shard.
    /// Only the index decides whether a check is counted, so every sharding counts the same checks.
    pub fn at(pieces: Pieces, index: u64, is_first: bool) -> SelfCheck {
        match (pieces.is_checked(index), is_first) {
            (true, _) => SelfCheck::Counted,
            (false, true) => SelfCheck::Uncounted,
            (false, false) => SelfCheck::None,
        }
    }

    /// Whether the harness checks itself.
    pub fn is_made(self) -> bool {
        self != SelfCheck::None
    }

    /// Whether the check is counted.
    pub fn is_counted(self) -> bool {
        self == SelfCheck::Counted
    }
}
