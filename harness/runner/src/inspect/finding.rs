//! Compares the recorded effect of a finding with the answers of the built-in implementations. Does
//! not execute the subject of the run.

use assay_engine::stats::finding::ObservedDivergence;
use assay_isa::Erratum;
use assay_records::Setting;
use assay_vectors::{Case, Finding};

use super::inspector::{CaseAnswer, Inspector, Judgement};
use super::replay::recorded;
use crate::cases::suites::{SuiteFile, case_profile};
use crate::context::Context;
use crate::error::RunError;

/// The case of a finding, answered by the built-in implementations.
pub struct ExplainedFinding {
    /// The answers. The first is the recorded effect, and the last is the oracle's.
    pub judgement: Judgement,
    /// The settings of errata that each make the recorded result right, if only this setting is
    /// changed.
    pub right_under: Vec<(Erratum, u8)>,
}

/// Executes the case of a finding on the built-in implementations. `None` if the case has no
/// finding, or the finding records no result.
pub fn explain(
    context: &Context,
    file: &SuiteFile,
    case: &Case,
) -> Result<Option<ExplainedFinding>, RunError> {
    let Some(finding) = case.finding.as_ref().filter(|f| f.actual.is_some() || f.event.is_some()) else {
        return Ok(None);
    };
    let profile = case_profile(context, &file.profile(context)?, case)?;
    let (instruction, batch) = case.batch(&context.numbers)?;
    let mut inspector = Inspector::recorded(recorded(finding, &batch), &context.numbers, &profile);
    let judgement = inspector.run(&instruction, &batch)?;
    let is_known = judgement.answers.first().is_some_and(|first| first.answer != CaseAnswer::Unsupported);
    let right_under = if is_known {
        inspector.right_under(&context.with_profile(&profile), &instruction, &batch)?
    } else {
        Vec::new()
    };
    Ok(Some(ExplainedFinding { judgement, right_under }))
}

/// Executes a kept divergence of a run on the built-in implementations. Returns the divergence as a
/// case with its finding, and the judgement. `None` if the divergence cannot be decoded or is not
/// of `function`, or if the run did not keep the subject's effect.
///
/// # Errors
///
/// An implementation fails.
pub fn explain_kept(
    context: &Context,
    setting: &Setting,
    function: &str,
    kept: &ObservedDivergence,
) -> Result<Option<(Case, Judgement)>, RunError> {
    let decoded = kept.materialise(&context.numbers).filter(|(read, _)| read.function() == function);
    let (Some((instruction, batch)), Some(seen)) = (decoded, &kept.seen) else { return Ok(None) };
    let mut profile =
        context.under(&setting.profile).map_or_else(|_| context.profile.clone(), |own| own.profile);
    for (erratum, reading) in &setting.readings {
        // The result of an older version can have a reading that no longer exists.
        let _ = profile.set_reading(&format!("{erratum}={reading}"));
    }
    let finding = Finding {
        index: Some(kept.index),
        subject: setting.subject.clone(),
        oracle: setting.against.clone(),
        profile: setting.profile.clone(),
        signature: format!("{function} {}", seen.kind),
        verdict: format!("diverged: {}", seen.kind),
        actual: Some(seen.writes.clone()),
        event: seen.event,
        ulp: seen.ulp.clone(),
        ..Finding::default()
    };
    let mut inspector = Inspector::recorded(recorded(&finding, &batch), &context.numbers, &profile);
    let judgement = inspector.run(&instruction, &batch)?;
    let event = match judgement.answers.last().map(|oracle| &oracle.answer) {
        Some(CaseAnswer::Effect(_, event)) => *event,
        _ => None,
    };
    let case = Case { event, finding: Some(finding), ..Case::from_lane(&instruction, &batch, 0) };
    Ok(Some((case, judgement)))
}
