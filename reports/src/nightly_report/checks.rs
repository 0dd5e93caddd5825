//! The nightly report as checks for CI systems. There is a check for each stage, each signature,
//! each reason about the whole run, each figure that got worse, and for the policy as a whole.

use assay_isa::shown::{argument, plural};
use assay_nightly::facts::StageFacts;
use assay_nightly::known_issues::Change;
use assay_nightly::nightly_report::{NightlyReport, SignatureLine};
use assay_nightly::state::Stage;

use super::{facts, settings};
use crate::finding_card;
use crate::number::duration;
use crate::reported::ReportedFinding;
use assay_pages::{self as pages, Check, Status, Suite};

/// Returns the document. A check fails if and only if the policy refuses what the check is about.
pub fn junit(nightly: &NightlyReport, found: &[ReportedFinding]) -> String {
    let mut checks: Vec<Check> = Vec::new();
    for stage in &nightly.stages {
        let reasons = reasons_of(&stage.name, nightly);
        let status = match &stage.at {
            _ if !reasons.is_empty() && !matches!(stage.at, Stage::Broke(_)) => {
                Status::Failed { message: reasons.join("; "), text: stage.command.clone() }
            }
            Stage::Held => Status::Held,
            Stage::Failed => of_findings(stage, nightly),
            Stage::Broke(why) => Status::Error(why.clone()),
            Stage::OutOfTime => {
                Status::Skipped(format!("it ran out of time after {}", duration(stage.seconds)))
            }
            Stage::Skipped(why) => Status::Skipped(why.clone()),
            Stage::Waiting | Stage::Running => Status::Skipped("it did not come to its end".into()),
        };
        checks.push(Check { class: "stage", name: stage.name.clone(), status });
    }
    checks.extend(nightly.signatures.iter().map(|line| Check {
        class: "signature",
        name: line.signature.clone(),
        status: status(nightly, line, found),
    }));
    for (class, reasons) in [("run", &nightly.verdict.general), ("figure", &nightly.verdict.worse)] {
        checks.extend(reasons.iter().map(|reason| Check {
            class,
            name: reason.clone(),
            status: Status::Failed { message: reason.clone(), text: String::new() },
        }));
    }
    let reasons = nightly.verdict.reasons.len();
    checks.push(Check {
        class: "run",
        name: "the policy is satisfied".to_owned(),
        status: if nightly.verdict.status == 0 {
            Status::Held
        } else {
            let message = plural(reasons, "reason", "reasons");
            Status::Failed { message, text: nightly.verdict.reasons.join("\n") }
        },
    });
    let name = format!("{}, night {}", nightly.name, nightly.night);
    pages::junit(&[Suite { name, properties: settings::properties(nightly), checks }])
}

/// Returns the status of a stage that failed only because of findings. Each finding has its own
/// check.
fn of_findings(stage: &StageFacts, nightly: &NightlyReport) -> Status {
    let is_refused = |line: &&SignatureLine| {
        line.stages.contains(&stage.name) && nightly.verdict.reasons.contains(&line.reason())
    };
    let refused: Vec<&str> =
        nightly.signatures.iter().filter(is_refused).map(|line| line.signature.as_str()).collect();
    if facts::has_only_known(stage, nightly) {
        Status::Skipped("it failed by known issues alone".into())
    } else if refused.is_empty() {
        Status::Skipped("it failed, and the policy refuses none of its findings".into())
    } else {
        Status::Failed {
            message: format!("the policy refuses {}", plural(refused.len(), "finding", "findings")),
            text: refused.join("\n"),
        }
    }
}

/// Returns the verdict's reasons about a stage, without the stage's name. Reasons about figures
/// that got worse are left out, because they have their own checks.
fn reasons_of<'a>(stage: &str, nightly: &'a NightlyReport) -> Vec<&'a str> {
    let worse = &nightly.verdict.worse;
    let reasons = nightly.verdict.reasons.iter().filter(|reason| !worse.contains(reason));
    let about = |reason: &'a String| {
        let rest = reason.strip_prefix("stage ")?.strip_prefix(stage)?;
        rest.strip_prefix(": ").or_else(|| rest.strip_prefix(' '))
    };
    reasons.filter_map(about).collect()
}

fn status(nightly: &NightlyReport, line: &SignatureLine, found: &[ReportedFinding]) -> Status {
    let in_full = found.iter().find(|one| one.case.signature() == line.signature);
    let reason = line.reason();
    match &line.change {
        _ if nightly.verdict.reasons.contains(&reason) => Status::Failed {
            message: line.change.words().to_owned(),
            text: match &line.change {
                Change::NotAsked(why) => why.clone(),
                Change::Widened(_) | Change::Grown(_) => {
                    format!("{}\n{}", facts::widened(line), shown(nightly, line, in_full))
                }
                _ => shown(nightly, line, in_full),
            },
        },
        Change::Fixed => Status::Held,
        change => Status::Skipped(match &line.because {
            Some(because) => format!("{}: {because}", change.words()),
            None => change.words().to_owned(),
        }),
    }
}

/// Returns the finding of a signature in full. Without a finding, returns the command that replays
/// its case, or the failure of its check.
fn shown(nightly: &NightlyReport, line: &SignatureLine, in_full: Option<&ReportedFinding>) -> String {
    match (in_full, &line.case) {
        (Some(one), Some(_)) => finding_card::lines(one).join("\n"),
        (None, Some(case)) => {
            let case = nightly.in_folder(case).display().to_string();
            let [case, subject] = [case.as_str(), nightly.subject_of(&line.signature)].map(argument);
            format!("assay replay {case} --subject {subject}")
        }
        (_, None) => line.detail.clone().unwrap_or_default(),
    }
}
