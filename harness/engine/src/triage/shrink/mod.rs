//! Makes a divergence small: the simplest instruction and the simplest values that still show it.
//!
//! A list of passes (`passes.rs`), each proposing simpler cases; a proposal is kept if it shows the same symptom.
//! The budget is counted in evaluations, not seconds, so the outcome is the same everywhere.

mod joint;
mod passes;
mod simple;

use assay_isa::{BackendError, Batch, Instruction, legality};
use assay_vectors::in_batch::uniform;

use crate::compare::comparator::{BatchOutcome, Comparator, Setup};
use crate::compare::judge::Divergence;
use crate::compare::observation::Observation;
use crate::operands::candidate::Candidate;
use crate::triage::batches::SelectsInstruction;
use crate::triage::shrink::passes::{Keeps, PASSES, Step};
use crate::triage::signature::Symptom;

/// Evaluations spent on one divergence at most.
pub const BUDGET: usize = 3000;

/// A divergence after shrinking.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The instruction.
    pub instruction: Instruction,
    /// Its single lane of inputs.
    pub batch: Batch,
    /// How it diverges.
    pub divergence: Divergence,
    /// The observed effect.
    pub seen: Observation,
    /// Whether it diverged again when it was executed once more.
    pub repeats: bool,
    /// Evaluations spent.
    pub evaluations: usize,
}

/// The batch in which a case is executed: the number of lanes that hold it, and the inspected lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Lanes of the batch.
    pub lanes: usize,
    /// The lane that is looked at.
    pub lane: usize,
}

impl Stage {
    /// The case alone.
    pub const ALONE: Stage = Stage { lanes: 1, lane: 0 };
}

/// What bounds the search for a smaller case.
#[derive(Clone, Copy)]
pub struct ShrinkLimits<'a> {
    /// Evaluations that are spent at most, and a few.
    pub evaluations: usize,
    /// The batch in which each case is executed.
    pub stage: Stage,
    /// The instructions that a smaller case may have.
    pub selects: SelectsInstruction<'a>,
}

impl ShrinkLimits<'static> {
    /// [`BUDGET`] evaluations of a case alone, with any instruction.
    pub const DEFAULT: ShrinkLimits<'static> =
        ShrinkLimits { evaluations: BUDGET, stage: Stage::ALONE, selects: &|_| true };
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

/// Shrinks a case that diverges, within [`ShrinkLimits::DEFAULT`]; nothing if it does not.
pub fn shrink(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Shrunk>, BackendError> {
    shrink_within(ShrinkLimits::DEFAULT, setup, comparator, instruction, batch)
}

/// The same within other bounds. The lanes of the batch all hold the case.
pub fn shrink_within(
    bounds: ShrinkLimits<'_>,
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Shrunk>, BackendError> {
    let stage = bounds.stage;
    let Some(first) = evaluate_in(stage, setup, comparator, instruction, batch)? else { return Ok(None) };
    let seen = Observation::of(&comparator.effects, stage.lane, &first);
    let symptom = Symptom::of(instruction, &first);
    let mut shrinker =
        Shrinker { setup, comparator, bounds, symptom, divergence: first, seen, evaluations: 1 };
    let mut best = Candidate::of(instruction, batch);
    shrinker.part(&mut best)?;
    // A case whose aliased locations cannot be distinguished by operand stays unchanged.
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

/// How a single-lane case diverges.
pub fn evaluate(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Divergence>, BackendError> {
    evaluate_in(Stage::ALONE, setup, comparator, instruction, batch)
}

/// How a single-lane case diverges on a stage.
fn evaluate_in(
    stage: Stage,
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Divergence>, BackendError> {
    let contract = setup.profile.contract_for(instruction);
    let filled = (stage != Stage::ALONE).then(|| uniform(batch, stage.lanes));
    Ok(match comparator.run(&contract, instruction, filled.as_ref().unwrap_or(batch))? {
        BatchOutcome::Judged => {
            let here = comparator.verdicts.diverged.iter().find(|(lane, _)| *lane == stage.lane);
            here.map(|(_, divergence)| *divergence)
        }
        BatchOutcome::Unsupported | BatchOutcome::Undeclared => None,
    })
}

/// How a candidate diverges.
type CandidateDivergence = (Symptom, Divergence);

impl Shrinker<'_, '_> {
    /// Executes the smallest case once more, to see whether it repeats.
    fn finish(self, instruction: Instruction, batch: Batch) -> Result<Shrunk, BackendError> {
        let Shrinker { setup, comparator, bounds, mut divergence, mut seen, evaluations, .. } = self;
        let stage = bounds.stage;
        let again = match evaluate_in(stage, setup, comparator, &instruction, &batch) {
            Err(BackendError::Gone { .. }) => None,
            again => again?,
        };
        if let Some(again) = again {
            (divergence, seen) = (again, Observation::of(&comparator.effects, stage.lane, &again));
        }
        let repeats = again.is_some();
        Ok(Shrunk { instruction, batch, divergence, seen, repeats, evaluations: evaluations + 1 })
    }

    /// Whether no evaluations are left.
    fn is_spent(&self) -> bool {
        self.evaluations >= self.bounds.evaluations
    }

    /// The symptom of a candidate, if it diverges.
    fn symptom(&mut self, candidate: &Candidate) -> Result<Option<CandidateDivergence>, BackendError> {
        self.evaluations += 1;
        let batch = candidate.batch(self.setup.numbers);
        match evaluate_in(self.bounds.stage, self.setup, self.comparator, &candidate.instruction, &batch) {
            Ok(divergence) => Ok(divergence.map(|d| (Symptom::of(&candidate.instruction, &d), d))),
            // A simpler address led to a place for which the case has no value.
            Err(BackendError::MissingLocation(_)) => Ok(None),
            // The device is dead: the bugs found so far stay.
            Err(BackendError::Gone { .. }) => {
                self.evaluations = self.bounds.evaluations;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Takes the candidate that was executed last.
    fn accept(
        &mut self,
        best: &mut Candidate,
        candidate: Candidate,
        (symptom, divergence): CandidateDivergence,
    ) {
        self.seen = Observation::of(&self.comparator.effects, self.bounds.stage.lane, &divergence);
        (self.symptom, self.divergence, *best) = (symptom, divergence, candidate);
    }

    /// Gives every operand a register of its own, whatever symptom shows then. Where two results share a register, or
    /// one is discarded, the symptom belongs to that sharing.
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

    /// Tries the proposals of a pass one after the other, each on top of those kept so far.
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
