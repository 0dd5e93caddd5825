//! Runs a drawn batch of a function of 16-bit numbers. Looks up results that were judged before.

use std::sync::Arc;

use assay_isa::{Answer, Arguments, BackendError, Batch, asm};
use assay_vectors::Contract;

use super::batch_at::BatchAt;
use super::enclosed::EnclosedBatch;
use super::path::{GivenBatch, JudgePath, Progress, Work};
use crate::compare::canary::{Canaries, defect};
use crate::compare::comparator::{Comparator, PRECISION, pick};
use crate::compare::judge::known::{KnownFunctions, KnownLanes};
use crate::compare::judge::rules;
use crate::stats::accuracy::ResultCounter;
use crate::stats::tally::Tally;

/// Runs batches by look-up. Keeps its memory from batch to batch.
#[derive(Default)]
pub(super) struct LookedUpBatch {
    functions: Arc<KnownFunctions>,
    arguments: Arguments,
    /// The results of the lanes.
    words: Vec<u32>,
    lanes: KnownLanes,
    part: Batch,
    /// Judges the batches at which the harness checks itself.
    enclosed: EnclosedBatch,
}

impl LookedUpBatch {
    /// Returns a path that looks up the stored results of the run.
    pub fn new(functions: &Arc<KnownFunctions>) -> LookedUpBatch {
        LookedUpBatch { functions: Arc::clone(functions), ..LookedUpBatch::default() }
    }

    /// Executes a batch, looks up its results, and judges those that are not known. Then stores the
    /// correctly rounded results as the comparator's truth, because coverage counts their classes.
    fn look_up<'a>(
        &mut self,
        comparator: &'a mut Comparator,
        at: BatchAt<'_>,
        batch: &'a Batch,
        copies: usize,
        tally: &mut Tally,
    ) -> Result<Progress<'a>, BackendError> {
        let BatchAt { instruction, contract, first, .. } = at;
        let LookedUpBatch { functions, arguments, words, lanes, part, .. } = self;
        let is_bounded = matches!(contract, Contract::Bounded { .. });
        if !is_bounded || !comparator.oracle.arguments(instruction, batch, arguments)? {
            return Ok(Progress::Open(Work::Copies(copies)));
        }
        let Arguments { location: Some(location), executed, .. } = &*arguments else {
            return Ok(Progress::Open(Work::Copies(copies)));
        };
        let others = comparator.answer_copies(batch, copies)?;
        let is_plain = others.as_ref().is_some_and(Vec::is_empty);
        let Some(column) = comparator.column_of(*location, executed).filter(|_| is_plain) else {
            return Ok(Progress::Open(Work::Executed(others)));
        };
        words.clear();
        words.extend_from_slice(column);
        let known = functions.of(&arguments.function, contract);
        let function = &asm::mnemonic(instruction);
        let mut counter = ResultCounter::new(tally.accuracy_of(function), contract);
        known.look_up(arguments, words, lanes, |result| counter.held(result));
        if !lanes.open.is_empty() {
            pick(batch, &lanes.open, part);
            let answer = comparator.oracle.truth(instruction, part, PRECISION, &mut comparator.truths)?;
            if answer != Answer::Known {
                return Err(defect(
                    instruction,
                    at.index,
                    "the oracle has arguments of what it does not know",
                ));
            }
            known.learn(contract, &comparator.truths, lanes.open.iter().map(|lane| words[*lane]));
            known.look_up_open(arguments, words, lanes, |result| counter.held(result));
        }
        counter.finish();
        tally.count(instruction, lanes.counts);
        if !lanes.open.is_empty() {
            let judged = comparator.judge_lanes(contract, instruction, batch, &lanes.open, part)?;
            let index = |lane: usize| first + lanes.open[lane] as u64;
            tally.count_judged(instruction, contract, (part, judged), index);
            let nearest = judged.truths.columns().first().map(rules::nearest).unwrap_or_default();
            lanes.open.iter().zip(nearest).for_each(|(lane, bits)| lanes.nearest[*lane] = bits);
        }
        let fast = (0..batch.len()).filter(|lane| executed.contains(*lane)).count() as u64;
        tally.canaries.merge(&Canaries { fast, ..Canaries::default() });
        comparator.truths.reset(batch.len());
        comparator.truths.bits(*location, executed.clone()).copy_from_slice(&lanes.nearest);
        Ok(Progress::Counted(&comparator.truths, batch))
    }

    /// Judges and counts a batch whose results were looked up. Fails if the counts differ from
    /// those of the look-up.
    fn judge_again<'a>(
        &mut self,
        comparator: &'a mut Comparator,
        at: BatchAt<'_>,
        batch: &'a Batch,
        (mut looked_up, tally): (Tally, &mut Tally),
    ) -> Result<Progress<'a>, BackendError> {
        let mut again = Tally { batch: tally.batch.take(), ..Tally::default() };
        let given = GivenBatch { batch, work: Work::Executed(Some(Vec::new())) };
        let judged = self.enclosed.run(comparator, at, given, &mut again)?;
        tally.batch = again.batch.take();
        let fast = std::mem::take(&mut looked_up.canaries).fast;
        let checks = std::mem::take(&mut again.canaries);
        if looked_up != again {
            let problem =
                "results that were looked up count for something else than what the judge makes of them";
            return Err(defect(at.instruction, at.index, problem));
        }
        let nearest = judged.and_then(|judged| judged.truths.columns().first()).map(rules::nearest);
        let executed = (0..batch.len()).filter(|lane| self.arguments.executed.contains(*lane));
        let same =
            |lane: usize| nearest.as_ref().is_some_and(|nearest| nearest[lane] == self.lanes.nearest[lane]);
        if !executed.into_iter().all(same) {
            let problem = "the looked-up truth is not that of the judge";
            return Err(defect(at.instruction, at.index, problem));
        }
        tally.merge(again);
        let repeated = if at.check.is_counted() { fast } else { 0 };
        tally.canaries.merge(&Canaries { fast, repeated, ..checks });
        Ok(judged.map_or(Progress::Unjudged, |judged| Progress::Counted(judged.truths, batch)))
    }
}

impl JudgePath for LookedUpBatch {
    fn judge<'a>(
        &'a mut self,
        comparator: &'a mut Comparator,
        at: BatchAt<'_>,
        GivenBatch { batch, work }: GivenBatch<'a>,
        tally: &mut Tally,
    ) -> Result<Progress<'a>, BackendError> {
        let Work::Copies(copies) = work else { return Ok(Progress::Open(work)) };
        if !at.check.is_made() {
            return self.look_up(comparator, at, batch, copies, tally);
        }
        let mut looked_up = Tally::default();
        match self.look_up(comparator, at, batch, copies, &mut looked_up)? {
            Progress::Open(work) => Ok(Progress::Open(work)),
            _ => self.judge_again(comparator, at, batch, (looked_up, tally)),
        }
    }
}
