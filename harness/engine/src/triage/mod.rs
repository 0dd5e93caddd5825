//! From divergences to bugs: each is made small, explained where something simple explains it, and told from others by
//! its signature.

pub mod explain;
mod passes;
pub mod shrink;
pub mod signature;
pub mod suppose;

use std::collections::{BTreeMap, BTreeSet};

use assay_isa::{Batch, Instruction, VoiceError};

use crate::campaign::materialise;
use crate::tally::{Found, Tally};
use crate::versus::{Bench, Parties};
use explain::{Explanation, Oracles, explain};
use shrink::shrink;
use signature::signature;
use suppose::{Change, Supposition};

/// A bug: the first case that shows it, made small.
#[derive(Clone, Debug)]
pub struct Bug {
    /// What tells it from others.
    pub signature: String,
    /// Index of the case in the run.
    pub index: u64,
    /// The instruction.
    pub instruction: Instruction,
    /// Its single lane of inputs.
    pub batch: Batch,
    /// What the subject does instead, if something simple.
    pub explanation: Option<Explanation>,
}

/// Why a divergence that a run kept cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum TriageError {
    /// It does not name an instruction and all of its inputs.
    #[error("the divergence of case {index}, word {word}, cannot be read back; was the result file edited?")]
    Unreadable {
        /// Index of the case.
        index: u64,
        /// The word as it stands there.
        word: String,
    },
    /// A voice failed.
    #[error(transparent)]
    Voice(#[from] VoiceError),
}

/// Goes through the divergences that a run kept, and keeps one for each signature, in the order of their indices.
pub fn bugs(parties: &Parties<'_>, oracles: Oracles<'_>, tally: &Tally) -> Result<Vec<Bug>, TriageError> {
    let mut bench = Bench::new(parties);
    let mut found: Vec<&Found> = tally.findings.values().flatten().collect();
    found.sort();
    let mut bugs: Vec<Bug> = Vec::new();
    for found in found {
        let (instruction, batch) = materialise(found, parties.numbers)
            .ok_or_else(|| TriageError::Unreadable { index: found.index, word: found.word.clone() })?;
        bugs.push(examine(parties, &mut bench, oracles, found.index, (instruction, batch))?);
    }
    bugs = distinct(bugs);
    by_field(&mut bugs);
    Ok(distinct(bugs))
}

/// The first of each signature.
fn distinct(mut bugs: Vec<Bug>) -> Vec<Bug> {
    let mut known = BTreeSet::new();
    bugs.retain(|bug| known.insert(bug.signature.clone()));
    bugs
}

/// From that many values of a field on that are taken for others, it is the field that is not understood.
const FIELD: usize = 3;

/// Gives one signature to those that take one value of a field for another, where that happens to many.
fn by_field(bugs: &mut [Bug]) {
    let field = |bug: &Bug| match &bug.explanation.as_ref()?.instead {
        Supposition::Instruction { change: Change::Value { field, .. }, instruction } => {
            Some((instruction.optype(), *field))
        }
        _ => None,
    };
    let mut values: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    bugs.iter().filter_map(field).for_each(|key| *values.entry(key).or_default() += 1);
    for bug in bugs {
        if let Some((optype, field)) = field(bug).filter(|key| values[key] >= FIELD) {
            bug.signature = format!("{optype} | {field} is misunderstood");
        }
    }
}

fn examine(
    parties: &Parties<'_>,
    bench: &mut Bench,
    oracles: Oracles<'_>,
    index: u64,
    (instruction, batch): (Instruction, Batch),
) -> Result<Bug, VoiceError> {
    let (small, is_gone) = match shrink(parties, bench, &instruction, &batch) {
        Err(VoiceError::Gone { .. }) => (None, true),
        small => (small?, false),
    };
    let Some(small) = small else {
        let signature = match is_gone {
            true => format!("{} | not shrunk, for the device is dead", instruction.function()),
            // That is a finding about the subject too: it does not do the same thing twice.
            false => format!("{} | not when repeated", instruction.optype()),
        };
        return Ok(Bug { signature, index, instruction, batch, explanation: None });
    };
    let cases = [(&small.instruction, &small.batch), (&instruction, &batch)];
    let explanation = match explain(parties, bench, oracles, &cases) {
        Err(VoiceError::Gone { .. }) => None,
        explanation => explanation?,
    };
    let signature = match &explanation {
        Some(explanation) => format!("{} | {}", instruction.optype(), explanation.instead),
        None => signature(&small.instruction, &small.batch, &small.divergence),
    };
    let (instruction, batch) = (small.instruction, small.batch);
    Ok(Bug { signature, index, instruction, batch, explanation })
}
