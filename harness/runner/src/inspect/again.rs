//! A finding that held when its case was executed alone, and that no batch brings back for sure: tried again in other ways.

use assay_engine::compare::observation::Observation;
use assay_engine::stats::tally::Found;
use assay_engine::triage::batches::Batches;
use assay_engine::triage::circumstance::{Circumstance, Trial};
use assay_isa::{Batch, Instruction};
use assay_vectors::{Case, Profile};

use super::panel::Judgement;
use crate::context::Context;
use crate::error::RunError;
use crate::subjects::Voice;

/// When the case shows what was seen of it. None where the finding does not say that it depends on something, where the case
/// names the batch that brings it back, and where the subject cannot be asked or diverges at once.
pub fn circumstance(
    context: &Context,
    profile: &Profile,
    voice: Option<&Voice>,
    case: &Case,
    (instruction, batch): (&Instruction, &Batch),
    judgement: &Judgement,
) -> Result<Option<Circumstance>, RunError> {
    let (Some(voice), Some(finding), None) = (voice, &case.finding, &case.batch) else { return Ok(None) };
    if !finding.transient || !judgement.held() {
        return Ok(None);
    }
    let context = context.with_profile(profile);
    let setup = context.setup(voice, None);
    let parties = setup.parties();
    let writes = finding.actual.clone().unwrap_or_default();
    let seen = Observation { writes, event: finding.event, ..Observation::default() };
    let index = finding.index.unwrap_or_default();
    let found = Found { seen: Some(seen), ..Found::of(batch, 0, index) };
    let trial = Trial::new(&parties, Batches::NONE, &found, (instruction, batch));
    Ok(Some(trial.find(true)?.circumstance))
}
