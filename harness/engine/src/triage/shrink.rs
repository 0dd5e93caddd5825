//! Makes a divergence small: the simplest instruction and the simplest values that still show it.
//!
//! A list of passes (`passes.rs`), each proposing simpler cases; a proposal is kept if it shows the same symptom.
//! The budget is counted in evaluations, not seconds, so the outcome is the same everywhere.

use assay_isa::{Batch, Instruction, Location, VoiceError, codec, legality};

use super::passes::{self, Keeps, PASSES, Step};
use super::signature::Symptom;
use crate::cells::{Cell, Place, cells};
use crate::judge::Divergence;
use crate::versus::{Bench, Outcome, Parties};

/// Evaluations spent on one divergence at most.
pub const BUDGET: usize = 3000;

/// A case as the passes see it: an instruction and a value for each of its [cells](crate::cells).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub instruction: Instruction,
    pub values: Vec<u32>,
    /// Value of the guard predicate's location, if it has one.
    pub guard: u32,
    /// The places that a value decides about, as far as the case has them.
    pub reached: Vec<(Location, u32)>,
}

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
    let batch = best.batch(parties);
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

impl Candidate {
    fn of(instruction: &Instruction, batch: &Batch) -> Candidate {
        let value = |location: Option<Location>| location.and_then(|l| batch.column(l)).map_or(0, |c| c[0]);
        let values = cells(instruction).map(|cell| value(cell.place.location())).collect();
        let guard = value(instruction.guard().source.location());
        let reads = instruction.reads();
        let reached = batch.lane(0).filter(|(location, _)| !reads.contains(location)).collect();
        Candidate { instruction: instruction.clone(), values, guard, reached }
    }

    /// The value of a cell.
    pub fn value(&self, cell: usize) -> u32 {
        match cells(&self.instruction).nth(cell).map(|cell| cell.place) {
            Some(Place::Literal(bits)) => bits,
            _ => self.values[cell],
        }
    }

    /// Sets the value of a cell, in every operand that shares its location: of a literal in the instruction, if it fits.
    pub fn set_value(&mut self, cell: usize, value: u32) {
        let all: Vec<Cell> = cells(&self.instruction).collect();
        let form = self.instruction.form();
        if let (Place::Literal(_), Some(position)) = (all[cell].place, form.position(all[cell].operand)) {
            let field = form.fields[position];
            if field.ty.is_literal() && u64::from(value) < 1 << field.width {
                self.instruction.set_at(position, value);
            }
            return;
        }
        let location = all[cell].place.location();
        for (place, other) in all.iter().enumerate() {
            if place == cell || location.is_some() && other.place.location() == location {
                self.values[place] = value;
            }
        }
    }

    /// The same values for another instruction of the form, whose operands may have more or fewer words.
    pub fn with(&self, instruction: Instruction) -> Candidate {
        let word = |(place, cell): (usize, Cell), cells: &[Cell]| {
            (cell.operand, cells[..place].iter().filter(|earlier| earlier.operand == cell.operand).count())
        };
        let list = |instruction: &Instruction| -> Vec<(&'static str, usize)> {
            let cells: Vec<Cell> = cells(instruction).collect();
            cells.iter().copied().enumerate().map(|at| word(at, &cells)).collect()
        };
        let old = list(&self.instruction);
        let value =
            |cell: &(&'static str, usize)| old.iter().position(|o| o == cell).map_or(0, |i| self.values[i]);
        let values = list(&instruction).iter().map(value).collect();
        Candidate { instruction, values, guard: self.guard, reached: self.reached.clone() }
    }

    /// The batch of the case. Of two operands in one location the later value counts.
    fn batch(&self, parties: &Parties<'_>) -> Batch {
        let mut locations = self.instruction.reads();
        let fixed = locations.len();
        let reached = self.reached.iter().filter(|(location, _)| !locations[..fixed].contains(location));
        let reached: Vec<_> = reached.copied().collect();
        locations.extend(reached.iter().map(|(location, _)| *location));
        let word = codec::encode(&self.instruction, parties.numbers);
        let mut batch = Batch::new(word, &locations, 1);
        let mut set = |location: Option<Location>, value: u32| {
            if let Some(index) = location.and_then(|l| locations.iter().position(|x| *x == l)) {
                batch.column_mut(index)[0] = value;
            }
        };
        set(self.instruction.guard().source.location(), self.guard);
        for (cell, value) in cells(&self.instruction).zip(&self.values) {
            set(cell.place.location(), *value);
        }
        for (location, value) in reached {
            set(Some(location), value);
        }
        batch
    }
}

impl Shrinker<'_, '_> {
    /// The symptom that a candidate shows.
    fn symptom(&mut self, candidate: &Candidate) -> Result<Option<Symptom>, VoiceError> {
        self.evaluations += 1;
        let batch = candidate.batch(self.parties);
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
