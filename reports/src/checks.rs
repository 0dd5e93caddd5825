//! The checks of a result, passed or failed, for CI systems.
//!
//! Each run is a suite. It has checks for the verdict, the plan, the executed cases of each form
//! (in a sweep: of each function), each judged share, each relation, each bound, and the special
//! rows. A failed form lists its findings and first divergences. A check fails if the verdict has a
//! reason for it. A check of results that the profile cannot judge is skipped.

use assay_engine::stats::accuracy::{Accuracy, NO_BOUND};
use assay_engine::stats::agreement::Agreement;
use assay_engine::stats::judged::{JudgedShare, UnjudgedShare};
use assay_engine::stats::tally::{Counts, Tally};
use assay_isa::shown::plural;
use assay_records::RunResult;
use assay_records::verdict::{Reason, ReasonKind, VerdictWord, of_counts, relation_name};

use crate::number::{count, share};
use crate::reported::ReportedRun;
use crate::{exhaustive, facts, findings, plan, verdict};
use assay_pages::{self as pages, Check, Status, Suite};

/// Returns runs as JUnit XML.
pub fn junit(runs: &[ReportedRun]) -> String {
    let suite = |run: &ReportedRun| Suite {
        name: run.path.clone(),
        properties: verdict::properties(&run.outcome),
        checks: checks(run),
    };
    pages::junit(&runs.iter().map(suite).collect::<Vec<_>>())
}

fn checks(run: &ReportedRun) -> Vec<Check> {
    let outcome = &run.outcome;
    let (tally, reasons) = (&outcome.tally, reasons(outcome));
    let mut checks = vec![
        Check { class: "verdict", name: "verdict".into(), status: verdict(outcome) },
        Check { class: "plan", name: "executed".into(), status: executed(outcome, &reasons) },
    ];
    let (class, judged) =
        if tally.functions.is_empty() { ("form", &tally.forms) } else { ("function", &tally.functions) };
    let fails = |name: &str| reason(&reasons, ReasonKind::Divergence, name).is_some();
    let failing: Vec<&String> = judged.keys().filter(|name| fails(name)).collect();
    let mut texts = findings::by_name(run, &failing);
    for (name, counts) in judged {
        let status = held(counts, fails(name), texts.remove(name).unwrap_or_default());
        checks.push(Check { class, name: name.clone(), status });
    }
    // The remaining texts belong to no failed form. Each gets a check of its own, so that none is
    // lost.
    let left = texts.into_values().flatten().filter(|_| !failing.is_empty());
    checks.extend(left.map(|text| Check {
        class: "finding",
        name: text.lines().next().unwrap_or_default().to_owned(),
        status: Status::Failed { message: "a case diverged".into(), text },
    }));
    checks.extend(outcome.shares().iter().map(|share| judged_share(&reasons, share)));
    checks.extend(outcome.verdict.iter().flat_map(|verdict| &verdict.unjudged).map(unjudged));
    checks.extend(agreement(&tally.agreement, &reasons));
    for (name, accuracy) in &tally.accuracy {
        checks.extend(bounds(name, accuracy));
        checks.extend(rows(name, accuracy));
    }
    checks.extend(relations(tally, &reasons));
    checks
}

/// Returns why the run failed. Older results without a verdict are judged by their counts.
fn reasons(outcome: &RunResult) -> Vec<Reason> {
    match &outcome.verdict {
        Some(verdict) => verdict.reasons.clone(),
        None => of_counts(&outcome.tally).collect(),
    }
}

/// Returns the first reason of this kind and name.
fn reason<'a>(reasons: &'a [Reason], kind: ReasonKind, name: &str) -> Option<&'a Reason> {
    reasons.iter().find(|reason| reason.kind == kind && reason.name == name)
}

/// Returns a failed check for a reason of the verdict, if there is a reason.
fn failed_for(reason: Option<&Reason>) -> Option<Status> {
    reason.map(|reason| Status::Failed { message: reason.message.clone(), text: String::new() })
}

/// Returns the check of the result's verdict, with every reason.
fn verdict(outcome: &RunResult) -> Status {
    let lines = || outcome.reasons().iter().map(|reason| format!("{}\n", reason.message)).collect();
    match outcome.verdict_word() {
        VerdictWord::Passed | VerdictWord::Partial => Status::Held,
        VerdictWord::Failed => Status::Failed { message: verdict::conclusion(outcome), text: lines() },
        VerdictWord::Unverified => Status::Error(verdict::conclusion(outcome)),
    }
}

/// Checks whether the whole plan was executed. The check of a single shard is skipped, and does not
/// fail.
fn executed(outcome: &RunResult, reasons: &[Reason]) -> Status {
    let kinds = [ReasonKind::Unfinished, ReasonKind::Nothing];
    let refused = kinds.into_iter().find_map(|kind| failed_for(reason(reasons, kind, "")));
    refused.unwrap_or_else(|| match plan::complete(outcome) {
        Some(false) => Status::Skipped(plan::part(outcome)),
        _ => Status::Held,
    })
}

/// Checks whether the cases of a form or a function held. `texts` are its divergences.
fn held(counts: &Counts, fails: bool, texts: Vec<String>) -> Status {
    let line = facts::verdict_line(counts);
    match fails {
        false if counts.exact + counts.within == 0 => Status::Skipped(format!("nothing was judged: {line}")),
        false => Status::Held,
        true => Status::Failed {
            message: format!(
                "{} of {} diverged",
                count(counts.diverged),
                plural(count(counts.total()), "case", "cases")
            ),
            text: format!("{line}\n{}\n", texts.join("\n")),
        },
    }
}

/// Checks whether enough lanes of a form or a function were judged.
fn judged_share(reasons: &[Reason], share: &JudgedShare) -> Check {
    let refused = failed_for(reason(reasons, ReasonKind::Share, &share.name));
    let status = refused.unwrap_or_else(|| match (share.least, share.judged) {
        (0, 0) => Status::Skipped("nothing was judged, which is allowed".to_owned()),
        _ if share.is_short() => {
            let (judged, lanes, least) = (count(share.judged), count(share.asked()), share.least);
            Status::Skipped(format!(
                "{judged} of {lanes} lanes were judged, less than {least} %: too few to fail"
            ))
        }
        _ => Status::Held,
    });
    Check { class: "share", name: share.name.clone(), status }
}

/// Returns the check of a function's results that no bound covers. They are not judged, and the
/// check fails if the verdict has a problem with that.
fn unjudged(one: &UnjudgedShare) -> Check {
    let UnjudgedShare { name, lanes, unjudged, problem } = one;
    let refused = problem.clone().map(|message| Status::Failed { message, text: String::new() });
    let status = refused.unwrap_or_else(|| {
        let (part, lanes) = (share(*unjudged, *lanes), count(*lanes));
        Status::Skipped(format!(
            "{part} of {lanes} results were not judged: no bound of the profile covers them"
        ))
    });
    Check { class: "unjudged", name: name.clone(), status }
}

/// Returns the check of a trace. It fails if trace, model and oracle do not all agree in some case.
/// A failure states the counts.
fn agreement(agreement: &Agreement, reasons: &[Reason]) -> Option<Check> {
    let counts = || agreement.each().into_iter().filter(|(_, number)| *number > 0);
    let text = || counts().map(|(name, number)| format!("{name}: {}\n", count(number))).collect();
    let refused = reason(reasons, ReasonKind::Agreement, "");
    let status = refused
        .map_or(Status::Held, |reason| Status::Failed { message: reason.message.clone(), text: text() });
    (!agreement.is_empty()).then(|| Check { class: "trace", name: "agreement".into(), status })
}

/// Returns a check for every compared relation that can fail. A relation that is only measured has
/// no check.
fn relations<'a>(tally: &'a Tally, reasons: &'a [Reason]) -> impl Iterator<Item = Check> + 'a {
    let asked = tally.relations().filter(|(_, relation, _)| exhaustive::is_asked(*relation));
    asked.map(|(function, relation, _)| {
        let name = relation_name(function, relation);
        let refused = failed_for(reason(reasons, ReasonKind::Relation, &name));
        Check { class: "relation", name, status: refused.unwrap_or(Status::Held) }
    })
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
    let rows = accuracy.exhaustive.iter().flat_map(|stats| &stats.rows);
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
