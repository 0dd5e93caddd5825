//! Makes a divergence small: the simplest instruction and the simplest values that still show it.
//!
//! A list of passes (`passes.rs`) proposes simpler cases. A proposal is kept if it shows the same
//! symptom. For some passes, any error in the same output is enough. The budget is counted in
//! evaluations, so the outcome is the same on every machine. Only a slow device can exceed the time
//! limit of a triage first.

mod joint;
mod passes;
mod simple;

use std::time::Instant;

use assay_isa::{BackendError, Batch, Instruction, legality};
use assay_vectors::in_batch::uniform;

use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge::Divergence;
use crate::compare::observation::Observation;
use crate::operands::candidate::Candidate;
use crate::triage::batches::SelectsInstruction;
use crate::triage::shrink::passes::{Keeps, PASSES, Step};
use crate::triage::signature::Symptom;

/// Maximum number of evaluations for one divergence.
pub const BUDGET: usize = 3000;

/// A divergence after shrinking.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The instruction.
    pub instruction: Instruction,
    /// The inputs of the case: a batch of one lane.
    pub batch: Batch,
    /// How it diverges.
    pub divergence: Divergence,
    /// The observed effect.
    pub seen: Observation,
    /// Whether the case diverged again when it was executed once more.
    pub repeats: bool,
    /// Number of evaluations spent.
    pub evaluations: usize,
}

/// The batch in which a case is executed. All lanes hold the case, and one lane is inspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Number of lanes of the batch.
    pub lanes: usize,
    /// The inspected lane.
    pub lane: usize,
}

impl Stage {
    /// The case alone.
    pub const ALONE: Stage = Stage { lanes: 1, lane: 0 };
}

/// The limits of the search for a smaller case.
#[derive(Clone, Copy)]
pub struct ShrinkLimits<'a> {
    /// Number of evaluations after which the search stops. The search may exceed it by a few.
    pub evaluations: usize,
    /// The time at which the search stops. `None` for no such time.
    pub until: Option<Instant>,
    /// The batch in which each case is executed.
    pub stage: Stage,
    /// The instructions that a smaller case may have.
    pub selects: SelectsInstruction<'a>,
}

impl ShrinkLimits<'static> {
    /// [`BUDGET`] evaluations of a case alone, with any instruction.
    pub const DEFAULT: ShrinkLimits<'static> =
        ShrinkLimits { evaluations: BUDGET, until: None, stage: Stage::ALONE, selects: &|_| true };
}

struct Shrinker<'a, 'b> {
    setup: &'a Setup<'a>,
    comparator: &'b mut Comparator,
    bounds: ShrinkLimits<'a>,
    symptom: Symptom,
    /// The divergence of the best case so far, and its observed effect.
    divergence: Divergence,
    seen: Observation,
    evaluations: usize,
}

/// Shrinks a case within [`ShrinkLimits::DEFAULT`]. Returns `None` if the case does not diverge.
pub fn shrink(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Shrunk>, BackendError> {
    shrink_within(ShrinkLimits::DEFAULT, setup, comparator, instruction, batch)
}

/// Shrinks a case within other limits. Each lane of the executed batch holds the case.
pub fn shrink_within(
    bounds: ShrinkLimits<'_>,
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Shrunk>, BackendError> {
    let stage = bounds.stage;
    let Some((first, seen)) = evaluate_in(stage, setup, comparator, instruction, batch)? else {
        return Ok(None);
    };
    let symptom = Symptom::of(instruction, &first);
    let mut shrinker =
        Shrinker { setup, comparator, bounds, symptom, divergence: first, seen, evaluations: 1 };
    let mut best = Candidate::of(instruction, batch);
    shrinker.part(&mut best)?;
    // If locations are shared so that values cannot be assigned to operands, the case stays
    // unchanged.
    if shrinker.symptom(&best)?.is_none() {
        return shrinker.finish(instruction.clone(), batch.clone()).map(Some);
    }
    loop {
        let before = best.clone();
        for step in PASSES {
            shrinker.apply(*step, &mut best)?;
        }
        if best == before || shrinker.is_spent() {
            break;
        }
    }
    let batch = best.batch(setup.numbers);
    shrinker.finish(best.instruction, batch).map(Some)
}

/// Executes a one-lane case alone. Returns the divergence, if the case diverges.
pub fn evaluate(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Divergence>, BackendError> {
    Ok(evaluate_in(Stage::ALONE, setup, comparator, instruction, batch)?.map(|(divergence, _)| divergence))
}

/// Executes a one-lane case on a stage. Returns the divergence and the observed effect, if the case
/// diverges.
fn evaluate_in(
    stage: Stage,
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<(Divergence, Observation)>, BackendError> {
    let contract = setup.profile.contract_for(instruction);
    let filled = (stage != Stage::ALONE).then(|| uniform(batch, stage.lanes));
    let outcome = comparator.run(&contract, instruction, filled.as_ref().unwrap_or(batch))?;
    Ok(outcome.judged().and_then(|judged| {
        let (_, divergence) = judged.verdicts.diverged.iter().find(|(lane, _)| *lane == stage.lane)?;
        Some((*divergence, Observation::of(judged.effects, stage.lane, divergence)))
    }))
}

/// The divergence of a candidate, and the observed effect.
type CandidateDivergence = (Symptom, Divergence, Observation);

impl Shrinker<'_, '_> {
    /// Executes the smallest case once more, to see whether it repeats.
    fn finish(self, instruction: Instruction, batch: Batch) -> Result<Shrunk, BackendError> {
        let Shrinker { setup, comparator, bounds, mut divergence, mut seen, evaluations, .. } = self;
        let stage = bounds.stage;
        let again = match evaluate_in(stage, setup, comparator, &instruction, &batch) {
            Err(BackendError::Gone { .. }) => None,
            again => again?,
        };
        let repeats = again.is_some();
        if let Some(again) = again {
            (divergence, seen) = again;
        }
        Ok(Shrunk { instruction, batch, divergence, seen, repeats, evaluations: evaluations + 1 })
    }

    /// Whether no evaluations or no time is left.
    fn is_spent(&self) -> bool {
        self.evaluations >= self.bounds.evaluations
            || self.bounds.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Executes a candidate. Returns the divergence, if the candidate diverges.
    fn symptom(&mut self, candidate: &Candidate) -> Result<Option<CandidateDivergence>, BackendError> {
        self.evaluations += 1;
        let batch = candidate.batch(self.setup.numbers);
        match evaluate_in(self.bounds.stage, self.setup, self.comparator, &candidate.instruction, &batch) {
            Ok(shown) => Ok(shown.map(|(d, seen)| (Symptom::of(&candidate.instruction, &d), d, seen))),
            // A simpler address selects a place for which the case has no value.
            Err(BackendError::MissingLocation(_)) => Ok(None),
            // The device is dead, so the smallest case found so far is kept.
            Err(BackendError::Gone { .. }) => {
                self.evaluations = self.bounds.evaluations;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Makes a candidate the best one.
    fn accept(
        &mut self,
        best: &mut Candidate,
        candidate: Candidate,
        (symptom, divergence, seen): CandidateDivergence,
    ) {
        (self.symptom, self.divergence, self.seen, *best) = (symptom, divergence, seen, candidate);
    }

    /// Gives every operand its own register, if the case still diverges. The symptom may change,
    /// because it may be caused by two results in one register or by a discarded result.
    fn part(&mut self, best: &mut Candidate) -> Result<(), BackendError> {
        let outs = best.instruction.form().optype.outs;
        let choices: [&dyn Fn(&str) -> bool; 3] = [&|_| true, &|name| outs.contains(&name), &|_| false];
        for is_chosen in choices {
            let apart = passes::apart(best, is_chosen);
            if legality::check(&apart.instruction).is_err() {
                continue;
            }
            if let Some(shown) = self.symptom(&apart)? {
                self.accept(best, apart, shown);
                break;
            }
        }
        Ok(())
    }

    /// Tries the proposals of a pass one after the other. Each proposal is made from the case with
    /// all kept proposals.
    fn apply(&mut self, step: Step, best: &mut Candidate) -> Result<(), BackendError> {
        let mut nth = 0;
        while let Some(proposal) = (step.pass)(best, nth) {
            nth += 1;
            if self.is_spent() {
                return Ok(());
            }
            let is_allowed = legality::check(&proposal.instruction).is_ok()
                && (self.bounds.selects)(&proposal.instruction);
            if proposal == *best || !is_allowed {
                continue;
            }
            let Some(shown) = self.symptom(&proposal)? else { continue };
            let keeps = match step.keeps {
                Keeps::Place => shown.0.output == self.symptom.output,
                Keeps::Symptom => shown.0 == self.symptom,
            };
            if keeps {
                self.accept(best, proposal, shown);
            }
        }
        Ok(())
    }
}
