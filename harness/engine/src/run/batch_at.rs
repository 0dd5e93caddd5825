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
    /// The number of the piece of the run to which the batch belongs: a drawn batch, or a unit of a
    /// sweep.
    pub index: u64,
    /// The check of the harness at this batch.
    pub check: SelfCheck,
    /// The index of the batch's first case in the run.
    pub first: u64,
    /// The counts of the run before this epoch. If given, only lanes that beat the records in them
    /// are searched.
    pub before: Option<&'a Tally>,
}

/// Whether the harness checks itself at a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SelfCheck {
    /// No check.
    None,
    /// A check that is not counted. For the first batch of a shard.
    Uncounted,
    /// A check that is counted.
    Counted,
}

impl SelfCheck {
    /// Returns the check at a piece. `is_first` says whether the piece is the first of its shard.
    /// Only the index decides whether a check is counted. So the counted checks do not depend on
    /// the number of shards.
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
