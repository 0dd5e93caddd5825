//! The page of one result, or of several that follow one another.

use assay_engine::result::Outcome;
use assay_engine::stats::tally::Tally;
use maud::{Markup, html};

use super::{anchor, coverage, dissection, document, function, open_table, section, table};
use crate::number::count;
use crate::page::{ACCURACY, DECODED, departure_table, form_table, function_table, run_facts};
use crate::{facts, found, plan, survey};

/// A page of results, each with its title.
pub fn page(outcomes: &[(String, Outcome)]) -> String {
    let title = match outcomes {
        [(title, _)] => title,
        _ => "Results",
    };
    let body = html! {
        @if outcomes.len() != 1 { h1 { (title) } }
        @if outcomes.is_empty() { p { "No result was given." } }
        @for (title, outcome) in outcomes { main { (run(title, outcome)) } }
    };
    document("en", title, body)
}

fn run(title: &str, outcome: &Outcome) -> Markup {
    let tally = &outcome.tally;
    html! {
        h1 { (title) }
        (conclusion(outcome))
        (section("What was run", html! {
            dl { @for (label, value) in run_facts(outcome) { dt { (label) } dd { (super::marked(&value)) } } }
            (departures(outcome))
        }))
        (section("Accuracy", accuracy(outcome)))
        (section("Verdicts", verdicts(tally)))
        (section("Findings", findings(tally)))
        (section("Functions", html! {
            @for (name, accuracy) in &tally.accuracy {
                (function::function(name, accuracy, tally.functions.get(name)))
            }
        }))
        (dissection::sections(outcome))
        (section("Coverage", coverage::body(outcome)))
    }
}

/// The result in a sentence, marked as good or bad.
pub fn conclusion(outcome: &Outcome) -> Markup {
    let tone = match outcome.tally.verdicts.diverged {
        _ if outcome.tally.cases == 0 => "open",
        0 if !outcome.tally.agreement.is_broken() => "good",
        _ => "bad",
    };
    html! { p.conclusion.(tone) { (facts::conclusion(outcome)) } }
}

/// The readings that are not as intended.
fn departures(outcome: &Outcome) -> Markup {
    let list = plan::departures(outcome.plan.setting());
    html! {
        @if list.is_empty() {
            p { "Every reading is set as in the profile " code { "intended" } "." }
        } @else {
            (open_table("Readings that differ from the profile intended", &departure_table(&list)))
        }
    }
}

fn accuracy(outcome: &Outcome) -> Markup {
    let tally = &outcome.tally;
    if tally.accuracy.is_empty() {
        return Markup::default();
    }
    html! {
        (contents(tally.accuracy.keys().map(String::as_str)))
        (open_table("Errors in ulp of the true value", &facts::accuracy_table(tally)))
        (open_table("How far the bounds are used up", &facts::bound_table(tally)))
        (table("How results stand to each other", &survey::relation_table(tally)))
        (table("Inputs whose result the specification gives", &survey::row_table(tally)))
        p.note { (ACCURACY) }
        @let unmeasured = plan::without_accuracy(outcome);
        @if !unmeasured.is_empty() {
            p.note { "Without a measured error, being held to exact bits, not judged or not reached: " (unmeasured.join(", ")) "." }
        }
    }
}

/// Links to the sections of functions.
pub fn contents<'a>(names: impl Iterator<Item = &'a str>) -> Markup {
    html! { nav.names aria-label="Functions" { ul { @for name in names { li { a href=(format!("#{}", anchor(name))) { (name) } } } } } }
}

fn verdicts(tally: &Tally) -> Markup {
    html! {
        (open_table("All cases", &facts::verdict_table(tally)))
        (table("Who agrees with whom", &facts::agreement_table(tally)))
        (table("By function", &function_table(tally)))
        (table("By form", &form_table(tally)))
        (table("Undefined by the specification", &facts::undefined_table(tally)))
    }
}

/// The divergences that were kept.
pub fn findings(tally: &Tally) -> Markup {
    let found = found::table(tally);
    html! {
        @if !found.is_empty() {
            p { (found::kept(tally)) " of " (count(tally.verdicts.diverged)) " divergences are kept." }
            (table("The first cases of each function and kind", &found))
            p.note { (DECODED) }
        }
    }
}
