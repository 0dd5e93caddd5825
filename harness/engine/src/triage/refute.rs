//! Explanations that other findings of the run refute: what holds around one case of a fault may be false around another.

use assay_isa::BackendError;

use super::Bug;
use super::condition::Case;
use super::examine::explained_signature;
use super::explain::{explain, is_refuted};
use super::readings::Oracles;
use crate::compare::comparator::{Comparator, Setup};

/// Number of other findings of the optype whose cases are asked.
const OTHERS: usize = 16;

/// Takes the explanation from each bug for which a case around another bug of its optype refutes it, and looks for one that
/// nothing refutes.
///
/// # Errors
///
/// An implementation that failed.
pub fn by_others(setup: &Setup<'_>, oracles: Oracles<'_>, bugs: &mut [Bug]) -> Result<(), BackendError> {
    let mut comparator = Comparator::new(setup);
    for place in 0..bugs.len() {
        let Some(explanation) = &bugs[place].explanation else { continue };
        let others = others(bugs, place);
        let mut refuted = false;
        for other in &others {
            refuted = refuted || is_refuted(setup, &mut comparator, oracles, explanation, *other)?;
        }
        if !refuted {
            continue;
        }
        let case = [bugs[place].case()];
        match explain(setup, &mut comparator, oracles, &case, &others)? {
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
