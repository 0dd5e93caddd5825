//! Results as JUnit XML, so that a CI system shows what did not hold.
//!
//! A suite for each result, a case for each thing that was asked: the plan, what was executed of each form (of
//! each function in a sweep), each bound, and the special rows. That results are inverted or not symmetric fails
//! nothing: no contract asks for the opposite.
//!
//! The format has no owner; what is written here is what Jenkins, GitLab and GitHub's readers have in common. It takes
//! no more than the templates of the pages, whose escaping is that of XML too. Times are left out: a result has none.

use assay_engine::result::Outcome;
use assay_engine::stats::accuracy::{Accuracy, NO_BOUND};
use assay_engine::stats::tally::{Counts, Tally};
use assay_isa::shown;
use maud::{Markup, PreEscaped, html};

use crate::number::count;
use crate::{facts, found, plan, survey};

/// What became of a case.
pub(crate) enum Status {
    Held,
    Failed { message: String, text: String },
    Skipped(String),
}

/// Something that was asked.
pub(crate) struct Case {
    pub class: &'static str,
    pub name: String,
    pub status: Status,
}

/// Results, each with its title, as JUnit XML.
pub fn junit(outcomes: &[(String, Outcome)]) -> String {
    let suites: Vec<(&str, Vec<Case>)> =
        outcomes.iter().map(|(title, outcome)| (title.as_str(), cases(outcome))).collect();
    document(&suites)
}

/// Suites of cases as a document.
pub(crate) fn document(suites: &[(&str, Vec<Case>)]) -> String {
    let all = || suites.iter().flat_map(|(_, cases)| cases);
    let document = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        testsuites name="assay" tests=(all().count()) failures=(failures(all())) errors="0" skipped=(skipped(all())) {
            @for (title, cases) in suites { (suite(title, cases)) }
        }
    };
    // XML cannot hold control characters, even escaped.
    shown::page(&document.into_string()).into_owned() + "\n"
}

fn failures<'a>(cases: impl Iterator<Item = &'a Case>) -> usize {
    cases.filter(|case| matches!(case.status, Status::Failed { .. })).count()
}

fn skipped<'a>(cases: impl Iterator<Item = &'a Case>) -> usize {
    cases.filter(|case| matches!(case.status, Status::Skipped(_))).count()
}

fn suite(title: &str, cases: &[Case]) -> Markup {
    let (failures, skipped) = (failures(cases.iter()), skipped(cases.iter()));
    html! {
        testsuite name=(title) tests=(cases.len()) failures=(failures) errors="0" skipped=(skipped) {
            @for Case { class, name, status } in cases {
                testcase classname=(format!("assay.{class}")) name=(name) {
                    @match status {
                        Status::Held => {},
                        Status::Failed { message, text } => failure message=(message) type="divergence" { (text) },
                        Status::Skipped(why) => skipped message=(why) {},
                    }
                }
            }
        }
    }
}

fn cases(outcome: &Outcome) -> Vec<Case> {
    let tally = &outcome.tally;
    let mut cases = vec![Case { class: "plan", name: "executed".into(), status: executed(outcome) }];
    let (class, judged) = match tally.functions.is_empty() {
        true => ("form", &tally.forms),
        false => ("function", &tally.functions),
    };
    for (name, counts) in judged {
        cases.push(Case { class, name: name.clone(), status: held(tally, name, counts) });
    }
    cases.extend(agreement(tally));
    for (name, accuracy) in &tally.accuracy {
        cases.extend(bounds(name, accuracy));
        cases.extend(rows(name, accuracy));
    }
    let refusals = survey::refusals(tally).map(|refusal| Case {
        class: "relation",
        name: refusal.split(':').next().unwrap_or_default().to_owned(),
        status: Status::Failed { message: refusal, text: String::new() },
    });
    cases.extend(refusals);
    cases
}

/// Whether anything was executed, and the whole plan. A shard alone is not the whole, and no failure either.
fn executed(outcome: &Outcome) -> Status {
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

fn held(tally: &Tally, name: &str, counts: &Counts) -> Status {
    let line = facts::verdict_line(counts);
    match counts.diverged {
        0 if counts.exact + counts.within == 0 => Status::Skipped(format!("nothing was judged: {line}")),
        0 => Status::Held,
        diverged => Status::Failed {
            message: format!("{} of {} cases diverged", count(diverged), count(counts.total())),
            text: format!("{line}\n{}\n", found::lines(tally, name).join("\n")),
        },
    }
}

/// Of a trace: whether recorded results, model and oracle agree, or who stands alone.
fn agreement(tally: &Tally) -> Option<Case> {
    let agreement = &tally.agreement;
    let counts = || agreement.each().into_iter().filter(|(_, number)| *number > 0);
    let text = || counts().map(|(name, number)| format!("{name}: {}\n", count(number))).collect();
    let status = match agreement.is_broken() {
        true => Status::Failed { message: "somebody stands alone".into(), text: text() },
        false => Status::Held,
    };
    (!agreement.is_empty()).then(|| Case { class: "trace", name: "agreement".into(), status })
}

fn bounds<'a>(name: &'a str, accuracy: &'a Accuracy) -> impl Iterator<Item = Case> + 'a {
    let bounds = accuracy.bounds.iter().filter(|(bound, _)| *bound != NO_BOUND);
    bounds.map(move |(bound, usage)| Case {
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

fn rows<'a>(name: &'a str, accuracy: &'a Accuracy) -> impl Iterator<Item = Case> + 'a {
    let rows = accuracy.survey.iter().flat_map(|survey| &survey.rows);
    rows.map(move |(class, rows)| Case {
        class: "row",
        name: format!("{name}: {class}"),
        status: match rows.inputs.saturating_sub(rows.held) {
            0 => Status::Held,
            _ => {
                let [inputs, _, verdict] = survey::conforming(rows);
                Status::Failed { message: format!("{verdict} of {inputs} inputs"), text: String::new() }
            }
        },
    })
}
