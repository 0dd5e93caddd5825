//! Failing inputs from all over the inputs of a function that was swept whole.
//!
//! A run keeps the first divergences of a function. In a sweep these are neighbours, so a condition
//! that holds for all of them may be false elsewhere, and drawn cases hardly ever meet a narrow
//! range. The error map says in which places inputs fail.

use assay_isa::format::F32;
use assay_isa::{BackendError, Batch, Instruction};

use super::probe::{Probe, instead};
use super::{TriageError, materialise};
use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge::Verdict;
use crate::stats::exhaustive::PLACE_BITS;
use crate::stats::tally::Tally;

/// Maximum number of places of a function.
const PLACES: usize = 8;
/// Number of inputs that are executed together.
const LANES: usize = 4096;

/// Returns a failing case of each of some places, at most [`PLACES`] for each function that was
/// swept whole. Each comes twice: also as the negated value of the negated input, which a sweep has not.
///
/// # Errors
///
/// An implementation failed, or a kept divergence is of no instruction.
pub(super) fn failing(setup: &Setup<'_>, tally: &Tally) -> Result<Vec<(Instruction, Batch)>, TriageError> {
    let mut comparator = Comparator::new(setup);
    let mut cases = Vec::new();
    for (function, accuracy) in &tally.accuracy {
        let map = accuracy.exhaustive.as_ref().and_then(|statistics| statistics.map.as_ref());
        let Some(map) = map.filter(|map| !map.failing.is_empty()) else { continue };
        let Some((instruction, case)) = kept(setup, tally, function)? else { continue };
        let places: Vec<u32> = map.failing.keys().copied().collect();
        let number = PLACES.min(places.len());
        for nth in 0..number {
            // The first and the last are among them.
            let place = places[nth * (places.len() - 1) / (number - 1).max(1)];
            if let Some(case) = first(setup, &mut comparator, (&instruction, &case), place)? {
                cases.extend(negated(setup, &case));
                cases.push(case);
            }
        }
    }
    Ok(cases)
}

/// Returns a kept divergence of a function that reads one location.
fn kept(
    setup: &Setup<'_>,
    tally: &Tally,
    function: &str,
) -> Result<Option<(Instruction, Batch)>, TriageError> {
    for found in tally.findings.values().flatten() {
        let case = materialise(found, setup)?;
        if case.0.function() == function && case.1.locations().len() == 1 {
            return Ok(Some(case));
        }
    }
    Ok(None)
}

/// Returns the first failing input of a place as a case. `None` if none fails again.
fn first(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    (instruction, case): (&Instruction, &Batch),
    place: u32,
) -> Result<Option<(Instruction, Batch)>, BackendError> {
    let inputs = place << PLACE_BITS..=place << PLACE_BITS | ((1 << PLACE_BITS) - 1);
    for start in inputs.step_by(LANES) {
        let mut batch = Batch::new(case.word(), case.locations(), LANES);
        batch.column_mut(0).iter_mut().zip(start..).for_each(|(value, input)| *value = input);
        let Some(probe) = Probe::new(setup, comparator, instruction, &batch)? else { return Ok(None) };
        let fails = |verdict: &Verdict| matches!(verdict, Verdict::Diverged(_));
        if let Some(lane) = probe.verdicts.iter().position(fails) {
            return Ok(Some((instruction.clone(), batch.part(lane..lane + 1))));
        }
    }
    Ok(None)
}

/// Returns the case in which the operand is the same, as the negated value of a negated input. `None`
/// if the instruction has no such prefix, or has it already.
fn negated(setup: &Setup<'_>, (instruction, case): &(Instruction, Batch)) -> Option<(Instruction, Batch)> {
    let (mut other, prefix) = (instruction.clone(), instruction.form().position("rb.neg")?);
    if instruction.flag("rb.neg") {
        return None;
    }
    other.set_at(prefix, 1);
    let mut batch = instead(case, &other, setup.numbers)?;
    batch.column_mut(0)[0] ^= F32.sign_mask();
    Some((other, batch))
}
