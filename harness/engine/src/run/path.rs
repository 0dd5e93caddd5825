//! The ways to judge a batch. They are tried in order.

use assay_isa::{BackendError, Batch, Effects, Truths};

use super::batch_at::BatchAt;
use crate::compare::comparator::{Comparator, EstimatedBatch};
use crate::stats::tally::Tally;

/// A way to judge a batch.
///
/// | path | what it can judge |
/// |---|---|
/// | [`LookedUpBatch`](super::looked_up::LookedUpBatch) | functions of 16-bit numbers: results that were judged before |
/// | [`SortedBatch`](super::columns::SortedBatch) | functions of one float: double precision, by columns |
/// | [`EnclosedBatch`](super::enclosed::EnclosedBatch) | everything: the oracle's truth, lane by lane |
pub(super) trait JudgePath {
    /// Executes, judges, checks and counts a batch.
    ///
    /// # Errors
    ///
    /// An implementation failed, or a check of the harness failed.
    fn judge<'a>(
        &'a mut self,
        comparator: &'a mut Comparator,
        at: BatchAt<'_>,
        given: GivenBatch<'a>,
        tally: &mut Tally,
    ) -> Result<Progress<'a>, BackendError>;
}

/// A batch for a path.
pub(super) struct GivenBatch<'a> {
    /// The batch.
    pub batch: &'a Batch,
    /// What must still be executed of the batch.
    pub work: Work,
}

/// What must still be executed of a batch.
pub(crate) enum Work {
    /// This number of copies of the batch, as one large batch.
    Copies(usize),
    /// Nothing. An earlier path executed the batch, and the comparator has the effects of its first
    /// copy. The field has the effects of the copies that differ from the first. It is `None` if
    /// the subject does not support the instruction.
    Executed(Option<Vec<Effects>>),
}

impl Work {
    /// Returns what is left of a batch whose truth was to be estimated. `None` if the batch has
    /// results to judge. A batch is never executed again, because that could hide an effect that
    /// comes now and then.
    pub fn after(estimated: EstimatedBatch) -> Option<Work> {
        match estimated {
            EstimatedBatch::Results => None,
            EstimatedBatch::NotExecuted => Some(Work::Copies(1)),
            EstimatedBatch::Unsupported => Some(Work::Executed(None)),
            EstimatedBatch::OtherEffects => Some(Work::Executed(Some(Vec::new()))),
        }
    }
}

/// The outcome of a path.
pub(super) enum Progress<'a> {
    /// The path cannot judge the batch. The field tells the next path what must still be executed.
    Open(Work),
    /// The batch is judged and counted. The fields are the truth, and the batch with its lanes in
    /// the order of the truth.
    Counted(&'a Truths, &'a Batch),
    /// The batch is counted as not judged, because the subject or the oracle does not support the
    /// instruction.
    Unjudged,
}
