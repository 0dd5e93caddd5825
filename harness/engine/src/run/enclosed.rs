//! Judges a batch by the oracle's truth, lane by lane. This path can judge every batch.

use assay_isa::{BackendError, Batch};

use super::batch_at::BatchAt;
use super::path::{GivenBatch, JudgePath, Progress, Work};
use crate::compare::canary::batch::BatchCheck;
use crate::compare::comparator::{BatchOutcome, Comparator, Judged};
use crate::stats::rounding_stats;
use crate::stats::tally::Tally;

/// Judges batches by enclosures of the truth. Keeps its memory from batch to batch.
#[derive(Default)]
pub(super) struct EnclosedBatch {
    check: BatchCheck,
}

impl EnclosedBatch {
    /// Executes, judges, checks and counts a batch. Returns the judged batch. `None` if the subject
    /// or the oracle does not support the instruction.
    pub fn run<'a>(
        &mut self,
        comparator: &'a mut Comparator,
        at: BatchAt<'_>,
        given: GivenBatch<'_>,
        tally: &mut Tally,
    ) -> Result<Option<Judged<'a>>, BackendError> {
        let BatchAt { instruction, contract, .. } = at;
        let GivenBatch { batch, work } = given;
        let outcome = match work {
            Work::Copies(copies) => comparator.run_copies(contract, instruction, batch, copies)?,
            Work::Executed(None) => comparator.subject_declines(),
            Work::Executed(Some(others)) => {
                comparator.truth(instruction, batch)?;
                BatchOutcome::Judged(comparator.judge_copies(contract, instruction, others))
            }
        };
        if let Some(counts) = outcome.unjudged(batch.len() as u64) {
            tally.count(instruction, counts);
            tally.canaries.batches += u64::from(at.check.is_counted());
            return Ok(None);
        }
        self.count(comparator, at, batch, tally).map(Some)
    }

    /// Checks and counts the batch that was judged last.
    pub fn count<'a>(
        &mut self,
        comparator: &'a mut Comparator,
        BatchAt { instruction, contract, index, check, first, .. }: BatchAt<'_>,
        batch: &Batch,
        tally: &mut Tally,
    ) -> Result<Judged<'a>, BackendError> {
        let (judged, oracle) = comparator.last();
        if judged.truths.is_filtered() {
            tally.canaries.fast += batch.len() as u64;
        }
        if check.is_made() {
            let checks = self.check.check((judged, &mut *oracle), contract, instruction, batch, index)?;
            if check.is_counted() {
                tally.canaries.merge(&checks);
            }
        }
        tally.count_judged(instruction, contract, (batch, judged), |lane| first + lane as u64);
        if rounding_stats::is_counted(index) {
            tally.count_rounding(instruction, (judged, oracle), batch)?;
        }
        Ok(judged)
    }
}

impl JudgePath for EnclosedBatch {
    fn judge<'a>(
        &'a mut self,
        comparator: &'a mut Comparator,
        at: BatchAt<'_>,
        given: GivenBatch<'a>,
        tally: &mut Tally,
    ) -> Result<Progress<'a>, BackendError> {
        let batch = given.batch;
        let judged = self.run(comparator, at, given, tally)?;
        Ok(judged.map_or(Progress::Unjudged, |judged| Progress::Counted(judged.truths, batch)))
    }
}
