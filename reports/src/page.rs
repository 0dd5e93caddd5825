//! The Markdown page of one result.

use std::collections::BTreeMap;

use assay_engine::result::Outcome;
use assay_engine::stats::tally::{Counts, FINDINGS_EACH, Tally};

use crate::coverage::{self, Coverage};
use crate::markdown::Page;
use crate::number::count;
use crate::plan::{self, Departure};
use crate::table::{Set, Table, code, words};
use crate::{dissection, facts, found, histogram, survey};

/// Said under the findings.
pub const DECODED: &str = "Instructions are decoded with the provisional table of numbers; a word that is \
                           something else under it stands alone.";

/// Said under the accuracy.
pub const ACCURACY: &str = "Errors are in ulp of the unrounded true value. Inputs are the cases that had \
    to write a result: measured, special (held, with nothing to measure), or diverged without an error, as a \
    NaN does. Mean and RMS are of magnitudes, the bias is the signed mean. Correctly rounded and \
    faithful (less than one ulp off) are shares of the measured. A bound holds where the argument lies in its \
    interval, the first that does; the farthest result is measured as the bound is, and where no bound holds as \
    the last one is. Undecided are the results that double precision could not decide about, so that MPFR did.";

/// A page whose title stands at a level of headings.
pub fn page(title: &str, outcome: &Outcome, level: usize) -> String {
    let tally = &outcome.tally;
    let mut page = Page::new(&words(title), level);
    page.paragraph(&words(&facts::conclusion(outcome)));
    page.section("What was run", &run_table(outcome).markdown());
    departures(&mut page, &plan::departures(outcome.plan.setting()));
    page.section("Verdicts", &facts::verdict_table(tally).markdown());
    page.section("Who agrees", &facts::agreement_table(tally).markdown());
    page.long_section("Verdicts by form", &form_table(tally));
    page.long_section("Verdicts by function", &function_table(tally));
    page.section("Undefined by the specification", &facts::undefined_table(tally).markdown());
    findings(&mut page, "Findings", tally);
    accuracy(&mut page, outcome);
    dissection::sections(&mut page, outcome);
    covered(&mut page, outcome);
    page.finish()
}

/// Adds the readings that are not as intended, or says that there are none.
pub fn departures(page: &mut Page, departures: &[Departure]) {
    if departures.is_empty() {
        return page.paragraph("Every reading is set as in the profile `intended`.");
    }
    page.paragraph("Readings that differ from the profile `intended`:");
    page.paragraph(&departure_table(departures).markdown());
}

/// Readings that are not as intended: what is in question, and the answers.
pub fn departure_table(departures: &[Departure]) -> Table<4> {
    let mut table = Table::new([
        ("Reading", Set::Code),
        ("Question", Set::Words),
        ("Here", Set::Words),
        ("Intended", Set::Words),
    ]);
    for departure in departures {
        let question = departure.switch().map_or("unknown to this program", |switch| switch.question);
        let intended = departure.intended.map_or("", |intended| departure.meaning(intended));
        table.row([
            format!("{}={}", departure.erratum, departure.setting),
            question.to_owned(),
            departure.meaning(departure.setting).to_owned(),
            intended.to_owned(),
        ]);
    }
    table
}

/// Facts about a run: a label and a value, in Markdown. Every result has the same labels.
pub fn run_facts(outcome: &Outcome) -> [(&'static str, String); 8] {
    let (plan, setting) = (&outcome.plan, outcome.plan.setting());
    let selected = plan::subjects(plan).iter().map(|name| code(name)).collect::<Vec<_>>();
    let selected = if selected.is_empty() { "everything".to_owned() } else { selected.join(", ") };
    [
        ("Run", plan::kind(plan).to_owned()),
        ("Of", selected),
        ("Inputs", plan::inputs(plan)),
        ("Done", plan::part(outcome)),
        ("Subject", code(&setting.subject)),
        ("Held against", code(&setting.against)),
        ("Profile", code(&setting.profile)),
        ("Table of numbers", code(&setting.numbers)),
    ]
}

fn run_table(outcome: &Outcome) -> Table<2> {
    let mut table = Table::new([("Property", Set::Words), ("Value", Set::Words)]);
    for (label, value) in run_facts(outcome) {
        table.row([label.to_owned(), value]);
    }
    table
}

/// Verdicts by form.
pub fn form_table(tally: &Tally) -> Table<9> {
    counts_table("Form", &tally.forms)
}

/// Verdicts by swept function; a campaign has none.
pub fn function_table(tally: &Tally) -> Table<9> {
    counts_table("Function", &tally.functions)
}

fn counts_table(name: &'static str, list: &BTreeMap<String, Counts>) -> Table<9> {
    let mut table = Table::new([
        (name, Set::Code),
        ("Cases", Set::Number),
        ("Exact", Set::Number),
        ("Within", Set::Number),
        ("Diverged", Set::Number),
        ("Undefined", Set::Number),
        ("Unjudged", Set::Number),
        ("Unsupported", Set::Number),
        ("Waived", Set::Number),
    ]);
    for (name, counts) in list {
        let [exact, within, diverged, undefined, unjudged, unsupported, waived] =
            facts::verdicts(counts).map(|(_, number)| count(number));
        let cases = count(counts.total());
        table.row([name.clone(), cases, exact, within, diverged, undefined, unjudged, unsupported, waived]);
    }
    table
}

/// Adds the findings of a result.
pub fn findings(page: &mut Page, heading: &str, tally: &Tally) {
    let table = found::table(tally);
    if table.is_empty() {
        return;
    }
    let intro = format!(
        "{} of {} divergences are kept: the first {FINDINGS_EACH} of each function and kind. {DECODED}",
        found::kept(tally),
        count(tally.verdicts.diverged)
    );
    page.section(heading, &intro);
    if let Some(keys) = found::keys(tally) {
        page.paragraph(&keys);
    }
    page.paragraph(&table.markdown());
}

fn covered(page: &mut Page, outcome: &Outcome) {
    if let Some(coverage) = Coverage::of(outcome) {
        page.section("Coverage", &coverage.topic_table().markdown());
        page.paragraph(coverage::BINS);
        page.long_section("Coverage by form", &coverage.form_table());
    }
}

fn accuracy(page: &mut Page, outcome: &Outcome) {
    let tally = &outcome.tally;
    page.section("Accuracy", &facts::accuracy_table(tally).markdown());
    page.paragraph(&facts::extreme_table(tally).markdown());
    page.paragraph(&facts::bound_table(tally).markdown());
    if !tally.accuracy.is_empty() {
        page.paragraph(ACCURACY);
    }
    page.paragraph(&unmeasured(outcome));
    page.long_section("How results stand to each other", &survey::relation_table(tally));
    page.long_section("Inputs whose result the specification gives", &survey::row_table(tally));
    for (function, accuracy) in &tally.accuracy {
        page.block(&format!("Errors of {function}"), &histogram::chart(accuracy));
    }
}

/// Names the swept functions that have no accuracy, and why that may be.
pub fn unmeasured(outcome: &Outcome) -> String {
    let names = plan::without_accuracy(outcome).into_iter().map(code).collect::<Vec<_>>();
    if names.is_empty() {
        return String::new();
    }
    let names = names.join(", ");
    format!("Without a measured error, being held to exact bits, not judged or not reached: {names}.")
}
