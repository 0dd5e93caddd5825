//! Runs a drawn batch of a function of 16-bit numbers. Looks up results that were judged before.

use std::sync::Arc;

use assay_isa::{Answer, Arguments, BackendError, Batch, asm};
use assay_vectors::Contract;

use super::batch_at::BatchAt;
use super::estimated::Progress;
use crate::compare::canary::{Canaries, defect};
use crate::compare::comparator::{Comparator, PRECISION, pick};
use crate::compare::judge::known::{KnownFunctions, KnownLanes};
use crate::compare::judge::rules;
use crate::stats::accuracy::ResultCounter;
use crate::stats::tally::Tally;

/// Runs batches by look-up. Keeps its memory from batch to batch.
#[derive(Default)]
pub(super) struct KnownBatch {
    functions: Arc<KnownFunctions>,
    arguments: Arguments,
    /// The results of the lanes.
    words: Vec<u32>,
    lanes: KnownLanes,
    part: Batch,
}

impl KnownBatch {
    /// Returns a value that looks up the results that the run knows.
    pub fn new(functions: &Arc<KnownFunctions>) -> KnownBatch {
        KnownBatch { functions: Arc::clone(functions), ..KnownBatch::default() }
    }

    /// Executes `copies` copies of a batch, looks up its results, and judges those that are not
    /// known. The comparator's truth becomes the correctly rounded results, for the classes that
    /// coverage counts.
    pub fn run(
        &mut self,
        comparator: &mut Comparator,
        at: BatchAt<'_>,
        (batch, copies): (&Batch, usize),
        tally: &mut Tally,
    ) -> Result<Progress, BackendError> {
        let BatchAt { instruction, contract, first, .. } = at;
        let KnownBatch { functions, arguments, words, lanes, part } = self;
        let is_bounded = matches!(contract, Contract::Bounded { .. });
        if !is_bounded || !comparator.oracle.arguments(instruction, batch, arguments)? {
            return Ok(Progress::NotEstimated);
        }
        let Arguments { location: Some(location), executed, .. } = &*arguments else {
            return Ok(Progress::NotEstimated);
        };
        let (answer, others) = comparator.answer_copies(batch, copies)?;
        let is_plain = answer == Answer::Known && others.is_empty();
        let Some(column) = comparator.column_of(*location, executed).filter(|_| is_plain) else {
            return Ok(Progress::Executed(answer, others));
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
            comparator.judge_lanes(contract, instruction, batch, &lanes.open, part)?;
            let chosen = (&*part, comparator.chosen());
            let index = |lane: usize| first + lanes.open[lane] as u64;
            tally.count_judged(instruction, contract, comparator, chosen, index);
            let judged = comparator.truths().columns().first().map(rules::nearest).unwrap_or_default();
            lanes.open.iter().zip(judged).for_each(|(lane, bits)| lanes.nearest[*lane] = bits);
        }
        let fast = (0..batch.len()).filter(|lane| executed.contains(*lane)).count() as u64;
        tally.canaries.merge(&Canaries { fast, ..Canaries::default() });
        comparator.truths.reset(batch.len());
        comparator.truths.bits(*location, executed.clone()).copy_from_slice(&lanes.nearest);
        Ok(Progress::Counted)
    }
}
