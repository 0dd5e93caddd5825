//! Examines the divergences that a run kept, one by one, and says which bug each of them shows.

use std::collections::{BTreeSet, HashMap};

use assay_isa::{Batch, Instruction, Location, VoiceError};

use super::explain::{Oracles, explain, explains};
use super::shrink::{BUDGET, Shrunk, evaluate, shrink_within};
use super::signature::{Symptom, signature};
use super::{Bug, KEY_BUDGET, TriageError};
use crate::campaign::materialise;
use crate::divergences::{Kept, ValueKey};
use crate::observation::Observation;
use crate::tally::Found;
use crate::versus::{Bench, Parties};

/// Evaluations that an explanation counts for: it executes the subject on many values, and the oracle on more.
const EXPLANATION: usize = 500;

/// A smallest case: its word, its inputs, and what it shows.
type Smallest = (u128, Vec<(Location, u32)>, String);

/// Tells divergences apart, and remembers what it has seen.
pub struct Examiner<'a> {
    parties: &'a Parties<'a>,
    oracles: Oracles<'a>,
    bench: Bench,
    bugs: Vec<Bug>,
    /// The bug of each smallest case.
    smallest: HashMap<Smallest, usize>,
    /// The bug of each case that was examined.
    examined: HashMap<Found, usize>,
    /// Evaluations left for raw keys.
    left: usize,
}

impl<'a> Examiner<'a> {
    /// An examiner that has seen nothing.
    pub fn new(parties: &'a Parties<'a>, oracles: Oracles<'a>) -> Examiner<'a> {
        let bench = Bench::new(parties);
        let (smallest, examined) = (HashMap::new(), HashMap::new());
        Examiner { parties, oracles, bench, bugs: Vec::new(), smallest, examined, left: KEY_BUDGET }
    }

    /// The bugs, one for each signature.
    pub fn into_bugs(self) -> Vec<Bug> {
        self.bugs
    }

    /// Examines one of the first divergences of a function and kind.
    pub fn examine_first(&mut self, found: &Found) -> Result<(), TriageError> {
        let (instruction, batch) = self.materialise(found)?;
        let left = self.left;
        let bug = self.identify(found, (instruction, batch), BUDGET)?;
        self.left = left;
        self.examined.insert(found.clone(), bug);
        Ok(())
    }

    /// Examines the example of a raw key, and counts the key's divergences as the bug's. False if no evaluations are left.
    pub fn examine_key(&mut self, values: &ValueKey, kept: &Kept) -> Result<bool, TriageError> {
        if let Some(bug) = self.examined.get(&kept.first) {
            let bug = *bug;
            self.count(bug, values, kept);
            return Ok(true);
        }
        if self.left == 0 {
            return Ok(false);
        }
        let case = self.materialise(&kept.first)?;
        match self.explained(&case)? {
            Some(bug) => self.bugs[bug].cases += kept.count,
            None => {
                let bug = self.identify(&kept.first, case, BUDGET.min(self.left))?;
                self.count(bug, values, kept);
            }
        }
        Ok(true)
    }

    /// Counts the divergences of a key as a bug's.
    fn count(&mut self, bug: usize, values: &ValueKey, kept: &Kept) {
        let bug = &mut self.bugs[bug];
        bug.cases += kept.count;
        bug.keys.insert(values.to_string());
    }

    fn materialise(&self, found: &Found) -> Result<(Instruction, Batch), TriageError> {
        materialise(found, self.parties.numbers)
            .ok_or_else(|| TriageError::Unreadable { index: found.index, word: found.word.clone() })
    }

    /// The bug whose explanation says to the bit what the subject does in a case.
    fn explained(
        &mut self,
        (instruction, batch): &(Instruction, Batch),
    ) -> Result<Option<usize>, VoiceError> {
        self.spend(1);
        match evaluate(self.parties, &mut self.bench, instruction, batch) {
            Err(VoiceError::Gone { .. }) | Ok(None) => return Ok(None),
            other => other?,
        };
        for (place, bug) in self.bugs.iter().enumerate() {
            let Some(explanation) = &bug.explanation else { continue };
            if bug.instruction.optype() != instruction.optype() {
                continue;
            }
            self.left = self.left.saturating_sub(1);
            let effects = &self.bench.effects;
            let case = (instruction, batch);
            if explains(self.parties, self.oracles, &explanation.instead, case, effects)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Makes a case small and finds the bug that it shows.
    fn identify(
        &mut self,
        found: &Found,
        (instruction, batch): (Instruction, Batch),
        budget: usize,
    ) -> Result<usize, VoiceError> {
        let small = match shrink_within(budget, self.parties, &mut self.bench, &instruction, &batch) {
            Err(VoiceError::Gone { .. }) => {
                let why = "not shrunk, for the device is dead";
                return Ok(self.add(unrepeated(found, instruction, batch, why)));
            }
            small => small?,
        };
        let Some(small) = small else {
            self.spend(1);
            // That is a finding about the subject too: it does not do the same thing twice.
            return Ok(self.add(unrepeated(found, instruction, batch, "not when repeated")));
        };
        self.spend(small.evaluations);
        let key = smallest(&small);
        if let Some(bug) = self.smallest.get(&key) {
            return Ok(*bug);
        }
        self.spend(EXPLANATION);
        let cases = [(&small.instruction, &small.batch), (&instruction, &batch)];
        let explanation = match explain(self.parties, &mut self.bench, self.oracles, &cases) {
            Err(VoiceError::Gone { .. }) => None,
            explanation => explanation?,
        };
        let signature = match &explanation {
            Some(explanation) => format!("{} | {}", instruction.optype(), explanation.instead),
            None => signature(&small.instruction, &small.batch, &small.divergence),
        };
        let Shrunk { instruction, batch, seen, repeats, .. } = small;
        let (index, seen, keys) = (found.index, Some(seen), BTreeSet::new());
        let bug = Bug { signature, index, instruction, batch, explanation, seen, repeats, cases: 0, keys };
        let bug = self.add(bug);
        self.smallest.insert(key, bug);
        Ok(bug)
    }

    /// The place of a bug: that of the first of its signature.
    fn add(&mut self, bug: Bug) -> usize {
        let known = self.bugs.iter().position(|known| known.signature == bug.signature);
        known.unwrap_or_else(|| {
            self.bugs.push(bug);
            self.bugs.len() - 1
        })
    }

    fn spend(&mut self, evaluations: usize) {
        self.left = self.left.saturating_sub(evaluations);
    }
}

/// A case that does not show again, as it was found, with what was seen of it.
fn unrepeated(found: &Found, instruction: Instruction, batch: Batch, why: &str) -> Bug {
    let kind = found.seen.as_ref().map_or(String::new(), |seen: &Observation| format!(" | {}", seen.kind));
    Bug {
        signature: format!("{}{kind} | {why}", instruction.function()),
        index: found.index,
        instruction,
        batch,
        explanation: None,
        seen: found.seen.clone(),
        repeats: false,
        cases: 0,
        keys: BTreeSet::new(),
    }
}

fn smallest(small: &Shrunk) -> Smallest {
    let symptom = Symptom::of(&small.instruction, &small.divergence).to_string();
    (small.batch.word(), small.batch.lane(0).collect(), symptom)
}
