//! Executes, judges, checks and counts one batch, for campaigns and sweeps.

use std::sync::Arc;

use assay_isa::{Answer, BackendError, Batch, asm};

use super::batch_at::BatchAt;
use super::estimated::{Progress, SortedBatch};
use super::known::KnownBatch;
use crate::compare::canary::batch::BatchCheck;
use crate::compare::canary::{Canaries, defect};
use crate::compare::comparator::{BatchOutcome, Comparator, Setup};
use crate::compare::judge::known::KnownFunctions;
use crate::run::exhaustive::mirror::Mirror;
use crate::stats::rounding_stats;
use crate::stats::tally::Tally;

/// State that a thread keeps from batch to batch.
pub(super) struct BatchWorker {
    pub comparator: Comparator,
    pub batch: Batch,
    check: BatchCheck,
    sorted: SortedBatch,
    known: KnownBatch,
}

impl BatchWorker {
    /// Returns a new worker. `functions` has the results that the run knows.
    pub fn new(setup: &Setup<'_>, functions: &Arc<KnownFunctions>) -> BatchWorker {
        BatchWorker {
            comparator: Comparator::new(setup),
            batch: Batch::default(),
            check: BatchCheck::default(),
            sorted: SortedBatch::default(),
            known: KnownBatch::new(functions),
        }
    }

    /// Does the same as [`BatchWorker::run`], but faster where possible. Looks up the results of
    /// functions of 16-bit numbers, and judges by columns if the oracle estimates the instruction.
    pub fn run_fast(
        &mut self,
        at: BatchAt<'_>,
        copies: usize,
        tally: &mut Tally,
        mark: impl Fn(&Comparator, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, sorted, known, .. } = self;
        let mut looked_up = Tally::default();
        let into = if at.is_checked() { &mut looked_up } else { &mut *tally };
        match known.run(comparator, at, (batch, copies), into) {
            Ok(Progress::NotEstimated) => {}
            Ok(Progress::Counted) => {
                mark(comparator, batch, into);
                return if at.is_checked() { self.judge_again(at, looked_up, tally, mark) } else { Ok(()) };
            }
            progress => return self.count_executed(at, progress, tally, mark),
        }
        match sorted.run(comparator, at, (batch, copies), tally) {
            Ok(Progress::NotEstimated) => self.run(at, copies, tally, mark),
            Ok(Progress::Counted) => {
                mark(comparator, sorted.sorted(), tally);
                Ok(())
            }
            progress => self.count_executed(at, progress, tally, mark),
        }
    }

    /// Judges and counts a batch whose results were looked up. Fails if the counts differ from
    /// those of the look-up.
    fn judge_again(
        &mut self,
        at: BatchAt<'_>,
        mut looked_up: Tally,
        tally: &mut Tally,
        mark: impl FnOnce(&Comparator, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let mut judged = Tally { batch: tally.batch.take(), ..Tally::default() };
        self.count_executed(at, Ok(Progress::Executed(Answer::Known, Vec::new())), &mut judged, mark)?;
        tally.batch = judged.batch.take();
        let fast = std::mem::take(&mut looked_up.canaries).fast;
        let checks = std::mem::take(&mut judged.canaries);
        if looked_up != judged {
            let problem =
                "results that were looked up count for something else than what the judge makes of them";
            return Err(defect(at.instruction, at.index, problem));
        }
        tally.merge(judged);
        let repeated = if at.counts_as_checked() { fast } else { 0 };
        tally.canaries.merge(&Canaries { fast, repeated, ..checks });
        Ok(())
    }

    /// Judges and counts a batch that was executed and not counted.
    fn count_executed(
        &mut self,
        at: BatchAt<'_>,
        progress: Result<Progress, BackendError>,
        tally: &mut Tally,
        mark: impl FnOnce(&Comparator, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, .. } = self;
        match progress {
            Ok(Progress::Executed(Answer::Known, others)) => {
                comparator.truth(at.instruction, batch)?;
                comparator.judge_copies(at.contract, at.instruction, others);
                self.count(at, BatchOutcome::Judged, tally, mark)
            }
            Ok(Progress::Executed(Answer::Unsupported, _)) => {
                let outcome = comparator.subject_declines();
                self.count(at, outcome, tally, mark)
            }
            Ok(Progress::NotEstimated | Progress::Counted) => unreachable!("it was executed and not counted"),
            Err(error) => self.count_settled(at, error, tally, mark),
        }
    }

    /// Executes `copies` copies of the batch, and counts the outcome of the batch. `mark` marks its
    /// coverage, if it was judged.
    ///
    /// # Errors
    ///
    /// `BackendError::Gone` if a device was declared dead. The cases that the device had executed
    /// before are counted.
    pub fn run(
        &mut self,
        at: BatchAt<'_>,
        copies: usize,
        tally: &mut Tally,
        mark: impl FnOnce(&Comparator, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, .. } = self;
        match comparator.run_copies(at.contract, at.instruction, batch, copies) {
            Ok(outcome) => self.count(at, outcome, tally, mark),
            Err(error) => self.count_settled(at, error, tally, mark),
        }
    }

    /// Executes the batch again, and with arguments of the other sign, if the contract demands that
    /// results are symmetric. If `is_exhaustive`, counts the relation in the full sweep of the
    /// function.
    pub fn compare_mirrored(
        &mut self,
        BatchAt { instruction, contract, .. }: BatchAt<'_>,
        is_exhaustive: bool,
        tally: &mut Tally,
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, .. } = self;
        let lanes = batch.len();
        let mirror = Mirror::of(contract, instruction).filter(|mirror| mirror.has_positive(batch, lanes));
        let Some(mirror) = mirror else { return Ok(()) };
        if comparator.answer(batch)? == Answer::Unsupported {
            return Ok(());
        }
        let pairs = mirror.compare(comparator, batch, lanes)?;
        if pairs.seen > 0 {
            let function = &asm::mnemonic(instruction);
            let relations = if is_exhaustive {
                &mut tally.exhaustive_of(function).relations
            } else {
                &mut tally.accuracy_of(function).relations
            };
            relations.entry(mirror.relation).or_default().merge(&pairs);
        }
        Ok(())
    }

    /// If a device was declared dead, counts the cases that it had executed before. Returns the
    /// error in any case.
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
        if rounding_stats::is_counted(index) {
            tally.count_rounding(instruction, comparator, batch)?;
        }
        Ok(())
    }
}
