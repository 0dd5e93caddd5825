//! What held and what did not of results, as checks for CI systems.
//!
//! A suite for each run, with a check for each demand: the plan, the executed cases of each form (of each function
//! in a sweep) with its findings and first divergences, each bound, and the special rows. An inversion or a broken
//! symmetry fails nothing: no contract demands the opposite.

use assay_engine::stats::accuracy::{Accuracy, NO_BOUND};
use assay_engine::stats::tally::{Counts, Tally};
use assay_isa::shown::plural;
use assay_records::RunResult;

use crate::number::count;
use crate::reported::ReportedRun;
use crate::{exhaustive, facts, findings, plan};
use assay_pages::{self as pages, Check, Status};

/// Runs as JUnit XML.
pub fn junit(runs: &[ReportedRun]) -> String {
    let suites: Vec<(&str, Vec<Check>)> = runs.iter().map(|run| (run.path.as_str(), checks(run))).collect();
    pages::junit(&suites)
}

fn checks(run: &ReportedRun) -> Vec<Check> {
    let outcome = &run.outcome;
    let tally = &outcome.tally;
    let mut checks = vec![Check { class: "plan", name: "executed".into(), status: executed(outcome) }];
    let (class, judged) = match tally.functions.is_empty() {
        true => ("form", &tally.forms),
        false => ("function", &tally.functions),
    };
    let failing: Vec<&String> =
        judged.iter().filter(|(_, counts)| counts.diverged > 0).map(|(name, _)| name).collect();
    let mut texts = findings::by_name(run, &failing);
    for (name, counts) in judged {
        let status = held(counts, texts.remove(name).unwrap_or_default());
        checks.push(Check { class, name: name.clone(), status });
    }
    // What is left belongs to no form that failed, and must not vanish.
    let left = texts.into_values().flatten().filter(|_| tally.verdicts.diverged > 0);
    checks.extend(left.map(|text| Check {
        class: "finding",
        name: text.lines().next().unwrap_or_default().to_owned(),
        status: Status::Failed { message: "a case diverged".into(), text },
    }));
    checks.extend(agreement(tally));
    for (name, accuracy) in &tally.accuracy {
        checks.extend(bounds(name, accuracy));
        checks.extend(rows(name, accuracy));
    }
    let refusals = exhaustive::refusals(tally).map(|refusal| Check {
        class: "relation",
        name: refusal.split(':').next().unwrap_or_default().to_owned(),
        status: Status::Failed { message: refusal, text: String::new() },
    });
    checks.extend(refusals);
    checks
}

/// Whether anything was executed, and the whole plan. A shard alone is not the whole, and no failure either.
fn executed(outcome: &RunResult) -> Status {
    match plan::complete(outcome) {
        _ if outcome.tally.cases == 0 || outcome.shards.is_empty() => {
            Status::Failed { message: format!("interrupted: {}", plan::part(outcome)), text: String::new() }
        }
        _ if outcome.tally.verdicts.judged() == 0 => Status::Failed {
            message: "nothing was judged".into(),
            text: facts::verdict_line(&outcome.tally.verdicts),
        },
        Some(false) => Status::Skipped(plan::part(outcome)),
        _ => Status::Held,
    }
}

/// Whether all cases of a form or a function held. `texts` has the divergences that belong to it.
fn held(counts: &Counts, texts: Vec<String>) -> Status {
    let line = facts::verdict_line(counts);
    match counts.diverged {
        0 if counts.exact + counts.within == 0 => Status::Skipped(format!("nothing was judged: {line}")),
        0 => Status::Held,
        diverged => Status::Failed {
            message: format!(
                "{} of {} diverged",
                count(diverged),
                plural(count(counts.total()), "case", "cases")
            ),
            text: format!("{line}\n{}\n", texts.join("\n")),
        },
    }
}

/// For a trace: whether recorded results, model and oracle agree, or which one differs.
fn agreement(tally: &Tally) -> Option<Check> {
    let agreement = &tally.agreement;
    let counts = || agreement.each().into_iter().filter(|(_, number)| *number > 0);
    let text = || counts().map(|(name, number)| format!("{name}: {}\n", count(number))).collect();
    let status = match agreement.is_broken() {
        true => {
            Status::Failed { message: "one implementation disagrees with all others".into(), text: text() }
        }
        false => Status::Held,
    };
    (!agreement.is_empty()).then(|| Check { class: "trace", name: "agreement".into(), status })
}

fn bounds<'a>(name: &'a str, accuracy: &'a Accuracy) -> impl Iterator<Item = Check> + 'a {
    let bounds = accuracy.bounds.iter().filter(|(bound, _)| *bound != NO_BOUND);
    bounds.map(move |(bound, usage)| Check {
        class: "bound",
        name: format!("{name}: {bound}"),
        status: match usage.refused {
            0 => Status::Held,
            _ => Status::Failed {
                message: facts::verdict(bound, usage),
                text: facts::bound_line(bound, usage),
            },
        },
    })
}

fn rows<'a>(name: &'a str, accuracy: &'a Accuracy) -> impl Iterator<Item = Check> + 'a {
    let rows = accuracy.survey.iter().flat_map(|survey| &survey.rows);
    rows.map(move |(class, rows)| Check {
        class: "row",
        name: format!("{name}: {class}"),
        status: match rows.inputs.saturating_sub(rows.held) {
            0 => Status::Held,
            _ => Status::Failed {
                message: format!("{} of {} inputs", exhaustive::conforming(rows), count(rows.inputs)),
                text: String::new(),
            },
        },
    })
}
