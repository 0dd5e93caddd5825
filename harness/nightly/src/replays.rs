//! Finds out whether an issue still occurs, by replaying its case or from the checks of this run.

use std::path::Path;

use assay_vectors::FoundCase;

use crate::NightlyError;
use crate::facts::{CHECK, StageFacts, VECTOR};
use crate::kept_cases::keep;
use crate::known_issues::{Entry, Replayed};
use crate::nightly_report::NightlyReport;
use crate::plan::{CommandKind, NightPlan};
use crate::run::Night;
use crate::state::Stage;

/// Returns the name of an unfinished sweep over an optype of the issue. The issue may occur in the
/// inputs that the sweep did not execute.
pub(crate) fn cut_sweep<'a>(nightly: &'a NightlyReport, entry: &Entry) -> Option<&'a str> {
    let (optypes, judged) = (entry.optypes(), nightly.judged_as(&entry.signature));
    let mut cut = nightly.stages.iter().filter(|stage| {
        let is_cut = stage.is_sweep() && !matches!(stage.at, Stage::Held | Stage::Failed);
        let is_of_optype = stage.swept.is_empty() || optypes.iter().any(|it| stage.swept.contains(*it));
        is_cut && is_of_optype && nightly.judged_as(&stage.setting.suffix()) == judged
    });
    cut.next().map(|stage| stage.name.as_str())
}

/// The cases of this run with a signature.
#[derive(Clone, Copy)]
pub(crate) struct FoundNow<'a> {
    /// Their files.
    pub cases: &'a [&'a Path],
    /// Whether a campaign drew some of these cases. For a sweep it does not matter which case a
    /// known issue names, because its cases are compared one by one.
    pub is_drawn: bool,
}

/// Replays the case of an entry. If the case passes but this run found the signature, replays the
/// cases of this run. The first of these that diverges each time, or in another way, replaces the
/// case of the entry. If the issue is known by its case and a campaign drew the new case, the
/// replacement waits until a status is set. Returns `None` if the run was asked to stop.
pub(crate) fn replay(
    entry: &mut Entry,
    case: &Path,
    FoundNow { cases, is_drawn }: FoundNow<'_>,
    night: &Night<'_>,
) -> Result<Option<Replayed>, NightlyError> {
    let Some(replayed) = night.replay(case)? else { return Ok(None) };
    entry.new_case = None;
    if replayed != Replayed::Held {
        return Ok(Some(replayed));
    }
    for other in cases {
        match night.replay(other)? {
            None => return Ok(None),
            Some(Replayed::Diverged | Replayed::DivergedElse(_)) => {
                let kept = Some(keep(other, &entry.signature, night.folder)?);
                if is_drawn && entry.is_known_by_its_case() && !is_of_another_condition(entry, case, other) {
                    entry.new_case = kept;
                } else {
                    entry.case = kept;
                }
                return Ok(Some(Replayed::Diverged));
            }
            Some(_) => {}
        }
    }
    Ok(Some(replayed))
}

/// Returns whether the conditions of an issue tell that the new case is of a bug that was accepted
/// with the bug of the old case.
fn is_of_another_condition(entry: &Entry, old: &Path, new: &Path) -> bool {
    let read = |path: &Path| {
        let case = assay_vectors::read_suite(path).ok()?.cases.into_iter().next()?;
        Some(FoundCase { asm: case.asm?, inputs: case.inputs, actual: None })
    };
    match (read(old), read(new)) {
        (Some(old), Some(new)) => entry.is_of_another_condition(&old, &new),
        _ => false,
    }
}

/// Returns the outcome for a signature without a case, which cannot be replayed. The signature
/// diverged if a stage found it. It passed if its check passed in a stage. Otherwise the outcome is
/// unknown.
pub(crate) fn without_case(
    signature: &str,
    seen: bool,
    plan: &NightPlan,
    nightly: &NightlyReport,
) -> Replayed {
    let kind = match signature {
        _ if signature.starts_with(VECTOR) => CommandKind::Vectors,
        _ if signature.starts_with(CHECK) => CommandKind::Check,
        _ => CommandKind::Mutants,
    };
    let stages = plan.stages.iter().zip(&nightly.stages).filter(|(plan, _)| plan.kind() == kind);
    let stages: Vec<&StageFacts> = stages.map(|(_, stage)| stage).collect();
    let cut = stages.iter().find(|stage| !matches!(stage.at, Stage::Held | Stage::Failed));
    match (seen, cut) {
        (true, _) => Replayed::Diverged,
        (false, Some(stage)) => Replayed::Unknown(format!("stage {} did not come to its end", stage.name)),
        (false, None) if stages.is_empty() => Replayed::Unknown("no stage of the plan would see it".into()),
        (false, None) if stages.iter().any(|stage| stage.passed.contains(signature)) => Replayed::Held,
        (false, None) => Replayed::Unknown("no stage of the plan executed it".into()),
    }
}
