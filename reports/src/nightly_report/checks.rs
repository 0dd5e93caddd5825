//! The nightly report as checks for CI systems: one for each stage, each signature, and each figure that got worse.

use assay_isa::shown::argument;
use assay_nightly::known_issues::Change;
use assay_nightly::nightly_report::{NightlyReport, SignatureLine};
use assay_nightly::state::Stage;

use crate::finding_card;
use crate::number::duration;
use crate::reported::ReportedFinding;
use assay_pages::{self as pages, Check, Status, Suite};

/// The document. A check fails exactly if the policy refuses it.
pub fn junit(morning: &NightlyReport, found: &[ReportedFinding]) -> String {
    let mut checks: Vec<Check> = Vec::new();
    for stage in &morning.stages {
        let status = match &stage.at {
            _ if !stage.problems.is_empty() => {
                Status::Failed { message: stage.problems.join("; "), text: stage.command.clone() }
            }
            Stage::Held => Status::Held,
            // Its findings are listed below.
            Stage::Failed if !stage.seen.is_empty() => Status::Held,
            Stage::OutOfTime if stage.cases.is_none() => Status::Failed {
                message: "it ran out of time and left nothing".into(),
                text: stage.command.clone(),
            },
            Stage::Failed => Status::Failed { message: "it failed".into(), text: stage.command.clone() },
            Stage::Broke(why) => Status::Failed { message: why.clone(), text: stage.command.clone() },
            Stage::OutOfTime => {
                Status::Skipped(format!("it ran out of time after {}", duration(stage.seconds)))
            }
            Stage::Skipped(why) => Status::Skipped(why.clone()),
            Stage::Waiting | Stage::Running => Status::Skipped("it did not come to its end".into()),
        };
        checks.push(Check { class: "stage", name: stage.name.clone(), status });
    }
    checks.extend(morning.signatures.iter().map(|line| Check {
        class: "signature",
        name: line.signature.clone(),
        status: status(morning, line, found),
    }));
    checks.extend(morning.verdict.worse.iter().map(|reason| Check {
        class: "figure",
        name: reason.clone(),
        status: Status::Failed { message: reason.clone(), text: String::new() },
    }));
    let name = format!("{}, night {}", morning.name, morning.night);
    pages::junit(&[Suite { name, properties: Vec::new(), checks }])
}

fn status(morning: &NightlyReport, line: &SignatureLine, found: &[ReportedFinding]) -> Status {
    let in_full = found.iter().find(|one| one.case.signature() == line.signature);
    let reason = format!("{}: {}", line.fate.words(), line.signature);
    match &line.fate {
        _ if morning.verdict.reasons.contains(&reason) => Status::Failed {
            message: line.fate.words().to_owned(),
            text: match (&line.fate, &line.case) {
                (Change::NotAsked(why), _) => why.clone(),
                (Change::Widened(keys), _) => keys.clone(),
                (_, Some(_)) if in_full.is_some() => {
                    in_full.map(|one| finding_card::lines(one).join("\n")).unwrap_or_default()
                }
                (_, Some(case)) => {
                    let [case, subject] =
                        [&case.display().to_string(), &morning.subject].map(|text| argument(text));
                    format!("assay replay {case} --subject {subject}")
                }
                (_, None) => String::new(),
            },
        },
        Change::Fixed => Status::Held,
        fate => Status::Skipped(match &line.because {
            Some(because) => format!("{}: {because}", fate.words()),
            None => fate.words().to_owned(),
        }),
    }
}
