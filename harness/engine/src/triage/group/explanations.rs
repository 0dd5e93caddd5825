//! The explanations of the bugs of a run.

use crate::triage::Bug;
use crate::triage::condition::KnownExplanation;

/// Returns the explanations of some bugs, without duplicates.
pub fn explanations(bugs: &[Bug]) -> Vec<KnownExplanation> {
    let mut known = Vec::new();
    bugs.iter().for_each(|bug| add_explanations(&mut known, bug.explanations()));
    known
}

/// Adds explanations to a list. If an explanation is already listed, only its new optypes are
/// added.
pub fn add_explanations(known: &mut Vec<KnownExplanation>, new: Vec<KnownExplanation>) {
    for KnownExplanation { explanation, optypes } in new {
        let is_it = |it: &&mut KnownExplanation| {
            it.explanation.instead == explanation.instead && it.explanation.under == explanation.under
        };
        match known.iter_mut().find(is_it) {
            Some(it) => it.optypes.extend(optypes),
            None => known.push(KnownExplanation { explanation, optypes }),
        }
    }
}
