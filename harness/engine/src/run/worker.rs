//! Executes, judges, checks and counts one batch, for campaigns and sweeps.

use std::sync::Arc;

use assay_isa::{BackendError, Batch, Truths, asm};

use super::batch_at::BatchAt;
use super::columns::SortedBatch;
use super::enclosed::EnclosedBatch;
use super::looked_up::LookedUpBatch;
use super::path::{GivenBatch, JudgePath, Progress, Work};
use crate::compare::comparator::{Comparator, Judged, Setup};
use crate::compare::judge::known::KnownFunctions;
use crate::run::exhaustive::mirror::{Mirror, MirroredBatch};
use crate::stats::tally::Tally;

/// State that a thread keeps from batch to batch.
pub(super) struct BatchWorker {
    pub comparator: Comparator,
    pub batch: Batch,
    looked_up: LookedUpBatch,
    sorted: SortedBatch,
    enclosed: EnclosedBatch,
}

impl BatchWorker {
    /// Returns a new worker. `functions` has the stored results of the run.
    pub fn new(setup: &Setup<'_>, functions: &Arc<KnownFunctions>) -> BatchWorker {
        BatchWorker {
            comparator: Comparator::new(setup),
            batch: Batch::default(),
            looked_up: LookedUpBatch::new(functions),
            sorted: SortedBatch::default(),
            enclosed: EnclosedBatch::default(),
        }
    }

    /// Executes `copies` copies of the batch, and judges and counts it by the first path that can.
    /// `mark` marks the coverage of a judged batch. `mark` receives the truth, and the batch with
    /// its lanes in the order of the truth.
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
        mark: impl Fn(&Truths, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, looked_up, sorted, enclosed } = self;
        let outcome = judge_by([looked_up, sorted, enclosed], comparator, at, (batch, copies), tally, &mark);
        let mark = |judged: Judged<'_>, batch: &Batch, tally: &mut Tally| mark(judged.truths, batch, tally);
        outcome.or_else(|error| self.count_settled(at, error, tally, mark))
    }

    /// Executes what is left of the batch, and judges and counts it by enclosures. `seen` is called
    /// with the judged batch.
    ///
    /// # Errors
    ///
    /// As [`BatchWorker::run`].
    pub fn run_enclosed(
        &mut self,
        at: BatchAt<'_>,
        work: Work,
        tally: &mut Tally,
        seen: impl Fn(Judged<'_>, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, enclosed, .. } = self;
        match enclosed.run(comparator, at, GivenBatch { batch, work }, tally) {
            Ok(judged) => judged.into_iter().for_each(|judged| seen(judged, tally)),
            Err(error) => {
                return self.count_settled(at, error, tally, |judged, _, tally| seen(judged, tally));
            }
        }
        Ok(())
    }

    /// If the contract demands symmetric results, executes the batch again, also with arguments of
    /// the other sign, and compares the results. If `is_exhaustive`, the comparison is counted for
    /// the full sweep of the function.
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
        if comparator.answer(batch)?.is_none() {
            tally.count_failures(instruction, comparator.undeclared());
            return Ok(());
        }
        tally.count_failures(instruction, comparator.failures(contract, instruction, batch, mirror.result)?);
        let MirroredBatch { pairs, failures } =
            mirror.compare(comparator, (contract, instruction), batch, lanes)?;
        tally.count_failures(instruction, failures);
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

    /// If the error is that a device was declared dead, counts the cases that the device had
    /// executed before. Always returns the error.
    fn count_settled(
        &mut self,
        at: BatchAt<'_>,
        error: BackendError,
        tally: &mut Tally,
        seen: impl FnOnce(Judged<'_>, &Batch, &mut Tally),
    ) -> Result<(), BackendError> {
        let BatchWorker { comparator, batch, enclosed, .. } = self;
        if matches!(error, BackendError::Gone { .. })
            && comparator.judge_settled(at.contract, at.instruction, batch)?.is_some()
        {
            let judged = enclosed.count(comparator, at, batch, tally)?;
            seen(judged, batch, tally);
        }
        Err(error)
    }
}

/// Judges and counts a batch by the first path that can. The last path must be able to judge every
/// batch.
fn judge_by<const N: usize>(
    paths: [&mut dyn JudgePath; N],
    comparator: &mut Comparator,
    at: BatchAt<'_>,
    (batch, copies): (&Batch, usize),
    tally: &mut Tally,
    mark: &dyn Fn(&Truths, &Batch, &mut Tally),
) -> Result<(), BackendError> {
    let mut work = Work::Copies(copies);
    for path in paths {
        match path.judge(comparator, at, GivenBatch { batch, work }, tally)? {
            Progress::Open(left) => work = left,
            Progress::Counted(truths, batch) => {
                mark(truths, batch, tally);
                return Ok(());
            }
            Progress::Unjudged => return Ok(()),
        }
    }
    unreachable!("the last path judges every batch")
}
