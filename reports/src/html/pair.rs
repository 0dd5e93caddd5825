//! The page of two results: the same tables side by side, with what changed, and charts on one scale.

use assay_engine::result::Outcome;
use assay_engine::stats::accuracy::Accuracy;
use maud::{Markup, html};

use super::figures::{Side, figures};
use super::{anchor, document, open_table, run, section, table};
use crate::change::{CHANGES, Measure, measures};
use crate::pair::{dissection_table, form_table, functions, run_table, undefined_table, verdict_table};
use crate::table::{Set, Table};
use crate::value::format_of;

/// A result with its title.
type Titled = (String, Outcome);
/// A function with its accuracy before and after.
type Both<'a> = (&'a str, [&'a Accuracy; 2]);

/// A page of a result before and a result after.
pub fn page(before: &Titled, after: &Titled) -> String {
    let (old, new) = (&before.1.tally, &after.1.tally);
    let functions = functions(old, new);
    let body = html! {
        h1 { (before.0) " → " (after.0) }
        @for (label, (title, outcome)) in [("Before", before), ("After", after)] {
            h2.side { (label) ": " (title) }
            (run::conclusion(outcome))
        }
        (section("What was run", open_table("", &run_table(before, after))))
        (section("What changed", changes(&functions)))
        (section("Verdicts", html! {
            (open_table("All cases", &verdict_table(old, new)))
            (table("By form", &form_table(old, new)))
            (table("Undefined by the specification", &undefined_table(old, new)))
        }))
        (section("Findings before", run::findings(old)))
        (section("Findings after", run::findings(new)))
        (section("Functions", html! { @for one in &functions { (function(one)) } }))
        (section("Dissections", open_table("", &dissection_table(&before.1, &after.1))))
    };
    document("en", &format!("{} → {}", before.0, after.0), body)
}

/// The measures that sum up a function, each judged.
fn changes(functions: &[Both]) -> Markup {
    const SHOWN: [&str; 6] = ["max ulp", "mean ulp", "RMS", "bias", "correctly rounded", "faithful"];
    let [max, mean, rms, bias, rounded, faithful] =
        ["Max ulp", "Mean ulp", "RMS", "Bias", "Correctly rounded", "Faithful"];
    let columns = [max, mean, rms, bias, rounded, faithful].map(|name| (name, Set::Words));
    let [max, mean, rms, bias, rounded, faithful] = columns;
    let mut table = Table::new([("Function", Set::Code), max, mean, rms, bias, rounded, faithful]);
    for (name, [old, new]) in functions {
        let list = measures(old, new);
        let cell = |label: &str| list.iter().find(|m| m.label == label).map_or(String::new(), judgement);
        let [max, mean, rms, bias, rounded, faithful] = SHOWN.map(cell);
        table.row([(*name).to_owned(), max, mean, rms, bias, rounded, faithful]);
    }
    html! {
        @if !table.is_empty() {
            (run::contents(functions.iter().map(|(name, _)| *name)))
            (open_table("Before → after", &table))
            p.note { (CHANGES) }
        }
    }
}

fn judgement(measure: &Measure) -> String {
    let Measure { before, after, judged, .. } = measure;
    match *judged {
        "same" => format!("same: {before}"),
        "" => format!("{before} → {after}"),
        judged => format!("{judged}: {before} → {after}"),
    }
}

fn function((name, [old, new]): &Both) -> Markup {
    let mut table = Table::new([
        ("Measure", Set::Words),
        ("Before", Set::Number),
        ("After", Set::Number),
        ("Change", Set::Number),
        ("Judged", Set::Words),
    ]);
    for Measure { label, before, after, change, judged } in measures(old, new) {
        let [before, after] = [before, after].map(|text| text.trim_matches('`').to_owned());
        table.row([label, before, after, change, judged.to_owned()]);
    }
    let id = anchor(name);
    let sides = [Side { label: "Before", accuracy: old }, Side { label: "After", accuracy: new }];
    html! {
        article id=(id) {
            h3 { code { (name) } }
            (open_table("", &table))
            (figures(&id, format_of(name), &sides))
        }
    }
}
