//! One batch executed, judged, checked and counted, as campaigns and sweeps do it.

use assay_isa::{Answer, BackendError, Batch};

use super::batch_at::BatchAt;
use super::estimated::{Progress, SortedBatch};
use crate::compare::canary::batch::BatchCheck;
use crate::compare::comparator::{BatchOutcome, Comparator, Setup};
use crate::stats::rounding_stats;
use crate::stats::tally::Tally;

/// State that a thread keeps from batch to batch.
pub(super) struct BatchWorker {
    pub comparator: Comparator,
    pub batch: Batch,
    check: BatchCheck,
    sorted: SortedBatch,
}

impl BatchWorker {
    /// A worker that has executed nothing.
    pub fn new(setup: &Setup<'_>) -> BatchWorker {
        BatchWorker {
            comparator: Comparator::new(setup),
            batch: Batch::default(),
            check: BatchCheck::default(),
            sorted: SortedBatch::default(),
        }
    }

    /// Does the same as [`BatchWorker::run`] once, by columns if the oracle estimates the instruction.
    pub fn run_estimated(
        &mut self,
        at: BatchAt<'_>,
        tally: &mut Tally,
        mark: impl FnOnce(&Comparator, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, sorted, .. } = self;
        match sorted.run(comparator, at, batch, tally) {
            Ok(Progress::NotEstimated) => self.run(at, 1, tally, mark),
            Ok(Progress::Counted) => {
                mark(comparator, sorted.sorted(), tally);
                Ok(())
            }
            Ok(Progress::Executed(Answer::Unsupported)) => {
                let outcome = comparator.subject_declines();
                self.count(at, outcome, tally, mark)
            }
            Ok(Progress::Executed(Answer::Known)) => {
                comparator.judge_settled(at.contract, at.instruction, batch)?;
                self.count(at, BatchOutcome::Judged, tally, mark)
            }
            Err(error) => self.count_settled(at, error, tally, mark),
        }
    }

    /// Executes the batch so many times over and counts the outcome of it. `mark` marks its coverage, if it was judged.
    ///
    /// # Errors
    ///
    /// `BackendError::Gone` if a device was declared dead: then what the device had done before is counted.
    pub fn run(
        &mut self,
        at: BatchAt<'_>,
        copies: usize,
        tally: &mut Tally,
        mark: impl FnOnce(&Comparator, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, .. } = self;
        let judged = match copies {
            1 => comparator.run(at.contract, at.instruction, batch),
            _ => comparator.run_copies(at.contract, at.instruction, batch, copies),
        };
        match judged {
            Ok(outcome) => self.count(at, outcome, tally, mark),
            Err(error) => self.count_settled(at, error, tally, mark),
        }
    }

    /// Counts what a device had done before it was declared dead. Returns the error.
    fn count_settled(
        &mut self,
        at: BatchAt<'_>,
        error: BackendError,
        tally: &mut Tally,
        mark: impl FnOnce(&Comparator, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        if matches!(error, BackendError::Gone { .. }) {
            let BatchWorker { comparator, batch, .. } = self;
            comparator.judge_settled(at.contract, at.instruction, batch)?;
            if !batch.is_empty() {
                self.count(at, BatchOutcome::Judged, tally, mark)?;
            }
        }
        Err(error)
    }

    fn count(
        &mut self,
        at @ BatchAt { instruction, contract, index, first, .. }: BatchAt<'_>,
        outcome: BatchOutcome,
        tally: &mut Tally,
        mark: impl FnOnce(&Comparator, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, check, .. } = self;
        let is_checked = at.counts_as_checked();
        if let Some(counts) = outcome.unjudged(batch.len() as u64) {
            tally.count(instruction, counts);
            tally.canaries.batches += u64::from(is_checked);
            return Ok(());
        }
        if comparator.truths().is_filtered() {
            tally.canaries.fast += batch.len() as u64;
        }
        if at.is_checked() {
            let checks = check.check(comparator, contract, instruction, batch, None, index)?;
            if is_checked {
                tally.canaries.merge(&checks);
            }
        }
        mark(comparator, batch, tally);
        tally.count_judged(instruction, contract, comparator, (batch, &comparator.effects), |lane| {
            first + lane as u64
        });
        if index.is_multiple_of(rounding_stats::EVERY) {
            tally.count_rounding(instruction, comparator, batch)?;
        }
        Ok(())
    }
}
