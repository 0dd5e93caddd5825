//! Makes a divergence small: the simplest instruction and the simplest values that still show it.
//!
//! A list of passes (`passes.rs`), each proposing simpler cases; a proposal is kept if it shows the same symptom.
//! The budget is counted in evaluations, not seconds, so the outcome is the same everywhere.

use assay_isa::{Batch, Instruction, VoiceError, legality};

use super::passes::{self, Keeps, PASSES, Step};
use super::signature::Symptom;
use crate::candidate::Candidate;
use crate::judge::Divergence;
use crate::versus::{Bench, Outcome, Parties};

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
    /// Evaluations spent.
    pub evaluations: usize,
}

struct Shrinker<'a, 'b> {
    parties: &'a Parties<'a>,
    bench: &'b mut Bench,
    symptom: Symptom,
    evaluations: usize,
}

/// Shrinks a case that diverges; nothing if it does not.
pub fn shrink(
    parties: &Parties<'_>,
    bench: &mut Bench,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Shrunk>, VoiceError> {
    let Some(first) = evaluate(parties, bench, instruction, batch)? else { return Ok(None) };
    let mut shrinker = Shrinker { parties, bench, symptom: Symptom::of(instruction, &first), evaluations: 1 };
    let mut best = Candidate::of(instruction, batch);
    shrinker.part(&mut best)?;
    // A case whose aliased locations cannot be told apart by operand is kept as it is.
    if shrinker.symptom(&best)?.is_none() {
        let (instruction, batch) = (instruction.clone(), batch.clone());
        return Ok(Some(Shrunk { instruction, batch, divergence: first, evaluations: shrinker.evaluations }));
    }
    loop {
        let before = best.clone();
        for step in PASSES {
            shrinker.apply(*step, &mut best)?;
        }
        if best == before || shrinker.evaluations >= BUDGET {
            break;
        }
    }
    let batch = best.batch(parties.numbers);
    let divergence = evaluate(parties, shrinker.bench, &best.instruction, &batch)?.unwrap_or(first);
    Ok(Some(Shrunk { instruction: best.instruction, batch, divergence, evaluations: shrinker.evaluations }))
}

/// How a single-lane case diverges.
pub fn evaluate(
    parties: &Parties<'_>,
    bench: &mut Bench,
    instruction: &Instruction,
    batch: &Batch,
) -> Result<Option<Divergence>, VoiceError> {
    let contract = parties.profile.contract_for(instruction);
    Ok(match bench.run(&contract, instruction, batch)? {
        Outcome::Judged => bench.verdicts.diverged.first().map(|(_, divergence)| *divergence),
        Outcome::Unsupported => None,
    })
}

impl Shrinker<'_, '_> {
    /// The symptom that a candidate shows.
    fn symptom(&mut self, candidate: &Candidate) -> Result<Option<Symptom>, VoiceError> {
        self.evaluations += 1;
        let batch = candidate.batch(self.parties.numbers);
        match evaluate(self.parties, self.bench, &candidate.instruction, &batch) {
            Ok(divergence) => Ok(divergence.map(|d| Symptom::of(&candidate.instruction, &d))),
            // A simpler address led to a place for which the case has no value.
            Err(VoiceError::MissingLocation(_)) => Ok(None),
            // The device is given up: what was found so far stays.
            Err(VoiceError::Gone { .. }) => {
                self.evaluations = BUDGET;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Gives every operand a register of its own, whatever symptom shows then: where two results meet in one register, or
    /// one goes nowhere, it is that of their meeting.
    fn part(&mut self, best: &mut Candidate) -> Result<(), VoiceError> {
        for with_idle in [true, false] {
            let apart = passes::apart(best, with_idle);
            if legality::check(&apart.instruction).is_err() {
                continue;
            }
            if let Some(symptom) = self.symptom(&apart)? {
                (self.symptom, *best) = (symptom, apart);
                break;
            }
        }
        Ok(())
    }

    /// Tries the proposals of a pass one after the other, each on top of those kept so far.
    fn apply(&mut self, step: Step, best: &mut Candidate) -> Result<(), VoiceError> {
        let mut nth = 0;
        while let Some(proposal) = (step.pass)(best, nth) {
            nth += 1;
            if self.evaluations >= BUDGET {
                return Ok(());
            }
            if proposal == *best || legality::check(&proposal.instruction).is_err() {
                continue;
            }
            let Some(symptom) = self.symptom(&proposal)? else { continue };
            let keeps = match step.keeps {
                Keeps::Place => symptom.output == self.symptom.output,
                Keeps::Symptom => symptom == self.symptom,
            };
            if keeps {
                (self.symptom, *best) = (symptom, proposal);
            }
        }
        Ok(())
    }
}
