//! The recorded effect of a finding beside the answers of the built-in implementations. No subject of the run is asked.

use assay_isa::Erratum;
use assay_vectors::Case;

use super::inspector::{CaseAnswer, Inspector, Judgement};
use super::replay::recorded;
use crate::cases::suites::{SuiteFile, case_profile};
use crate::context::Context;
use crate::error::RunError;

/// The case of a finding before the built-in implementations.
pub struct ExplainedFinding {
    /// The answers: what the finding records first, the oracle's last.
    pub judgement: Judgement,
    /// The settings of errata, each on its own, under which the recorded result is right.
    pub right_under: Vec<(Erratum, u8)>,
}

/// Puts the case of a finding before the built-in implementations. Nothing without a finding, or if it records no
/// result.
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
    let right_under = match is_known {
        true => inspector.right_under(&context.with_profile(&profile), &instruction, &batch)?,
        false => Vec::new(),
    };
    Ok(Some(ExplainedFinding { judgement, right_under }))
}
