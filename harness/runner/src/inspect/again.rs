//! Tries a case in other circumstances. It is for a divergence that occurred in a run, but not when
//! the case is executed alone.

use assay_engine::compare::observation::Observation;
use assay_engine::stats::tally::ObservedDivergence;
use assay_engine::triage::batches::RedrawnBatches;
use assay_engine::triage::circumstance::{Circumstance, CircumstanceTrial};
use assay_isa::{Batch, Instruction};
use assay_vectors::{Case, Profile};

use super::inspector::Judgement;
use crate::context::Context;
use crate::error::RunError;
use crate::subjects::SubjectName;

/// Returns the circumstance in which the case shows its recorded effect. `None` if the finding is
/// not transient, if the case names a batch that reproduces it, or if no subject can execute new
/// cases. Also `None` if an implementation already diverged when the case was executed alone.
pub fn circumstance(
    context: &Context,
    profile: &Profile,
    implementation: Option<&SubjectName>,
    case: &Case,
    (instruction, batch): (&Instruction, &Batch),
    judgement: &Judgement,
) -> Result<Option<Circumstance>, RunError> {
    let (Some(implementation), Some(finding), None) = (implementation, &case.finding, &case.batch) else {
        return Ok(None);
    };
    if !finding.transient || !judgement.is_consistent() {
        return Ok(None);
    }
    let context = context.with_profile(profile);
    let setup = context.setup(implementation, None);
    let compared = setup.compared();
    let writes = finding.actual.clone().unwrap_or_default();
    let seen = Observation { writes, event: finding.event, ..Observation::default() };
    let index = finding.index.unwrap_or_default();
    let found = ObservedDivergence { seen: Some(seen), ..ObservedDivergence::of(batch, 0, index) };
    let trial = CircumstanceTrial::new(&compared, RedrawnBatches::NONE, &found, (instruction, batch));
    Ok(Some(trial.find(true)?.circumstance))
}
