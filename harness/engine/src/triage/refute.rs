//! Explanations that other findings of the run refute: what holds around one case of a fault may be false around another.

use assay_isa::BackendError;

use super::Bug;
use super::condition::{Case, Condition};
use super::examine::explained_signature;
use super::explain::{Explanation, drawn, explain, modifier, probes as probes_around};
use super::predict::PredictionTrial;
use super::readings::Oracles;
use crate::compare::comparator::{Comparator, Setup};

/// Number of other findings of the optype whose cases are asked.
const OTHERS: usize = 16;

/// Takes the explanation from each bug for which a drawn case, or one around another bug of its optype, refutes it, and looks for
/// one that nothing refutes. A case that fulfils the condition of an unexplained bug refutes nothing: that bug may have undone
/// the other one there.
///
/// # Errors
///
/// An implementation that failed.
pub fn by_others(setup: &Setup<'_>, oracles: Oracles<'_>, bugs: &mut [Bug]) -> Result<(), BackendError> {
    let mut comparator = Comparator::new(setup);
    for place in 0..bugs.len() {
        let Some(explanation) = &bugs[place].explanation else { continue };
        let others = others(bugs, place);
        let optype = bugs[place].instruction.optype();
        let conditions: Vec<_> = bugs.iter().flat_map(|bug| &bug.conditions).collect();
        let own_and_others = [&[bugs[place].case()], &others[..]].concat();
        let cases = (optype, &own_and_others[..]);
        if !is_refuted(setup, &mut comparator, oracles, explanation, cases, &conditions)? {
            continue;
        }
        let case = [bugs[place].case()];
        match explain(setup, &mut comparator, oracles, &case, Some(&others))? {
            Some(explanation) => {
                let bug = &mut bugs[place];
                bug.signature = explained_signature(&bug.instruction, &explanation);
                bug.explanation = Some(explanation);
            }
            None => bugs[place].leave_unexplained(),
        }
    }
    Ok(())
}

/// The smallest cases of other bugs of the optype of one that show alone.
fn others(bugs: &[Bug], place: usize) -> Vec<Case<'_>> {
    let optype = bugs[place].instruction.optype();
    let others = bugs.iter().enumerate().filter(|(nth, bug)| {
        *nth != place && bug.instruction.optype() == optype && bug.shown.circumstance.is_plain()
    });
    others.take(OTHERS).map(|(_, bug)| bug.case()).collect()
}

/// Whether a case around others, or one that is drawn, refutes an explanation, unless another bug may have undone it there: one of
/// some conditions holds.
fn is_refuted(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    oracles: Oracles<'_>,
    explanation: &Explanation,
    (optype, others): (&str, &[Case<'_>]),
    conditions: &[&Condition],
) -> Result<bool, BackendError> {
    let mut probes = drawn(setup, comparator, optype)?;
    for other in others {
        probes.extend(probes_around(setup, comparator, &[*other])?);
    }
    let mut trial = PredictionTrial::new(setup, oracles);
    for probe in &probes {
        let holds_under = |(field, value)| modifier(&probe.instruction, field) == Some(value);
        if !explanation.under.is_none_or(holds_under) {
            continue;
        }
        let is_undone =
            |lane: usize| conditions.iter().any(|it| it.holds(&probe.instruction, &probe.batch, lane));
        if trial.refuting_lanes(probe, &explanation.instead)?.into_iter().any(|lane| !is_undone(lane)) {
            return Ok(true);
        }
    }
    Ok(false)
}
