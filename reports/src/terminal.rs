//! A result for a terminal: the same facts in about a screen.

use assay_engine::result::{Outcome, Setting};
use assay_engine::stats::tally::{Counts, Tally};
use assay_isa::shown;

use crate::number::{count, share};
use crate::table::{Set, Table};
use crate::{dissection, facts, found, histogram, plan};

/// Kinds of findings shown.
const KINDS: usize = 6;
/// Forms shown.
const FORMS: usize = 8;
/// Functions without a measured error that are named.
const UNMEASURED: usize = 8;

/// A short text with aligned tables, for the end of a run: the conclusion, verdicts, forms in which not
/// everything held, errata, first findings and accuracy; the histogram where there is one function only;
/// how arithmetic was dissected.
pub fn text(outcome: &Outcome) -> String {
    let tally = &outcome.tally;
    let mut blocks = vec![head(outcome), verdict_table(&tally.verdicts).text(), forms(tally)];
    blocks.push(facts::agreement_table(tally).text());
    blocks.push(facts::undefined_table(tally).text());
    blocks.push(findings(tally));
    blocks.push(accuracy(outcome));
    if let [only] = tally.accuracy.values().collect::<Vec<_>>()[..] {
        blocks.push(histogram::chart(only));
    }
    blocks.push(dissection::brief(outcome));
    // Names of a result can hold whatever a terminal obeys.
    let safe = |lines: Vec<String>| lines.iter().map(|line| shown::line(line)).collect::<Vec<_>>().join("\n");
    let blocks = blocks.into_iter().filter(|lines| !lines.is_empty()).map(safe);
    blocks.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn head(outcome: &Outcome) -> Vec<String> {
    let (plan, setting) = (&outcome.plan, outcome.plan.setting());
    let subjects = plan::subjects(plan);
    let subjects = match subjects.len() {
        0 => "everything".to_owned(),
        1..=4 => subjects.join(" "),
        more => format!("{} … ({more})", subjects[..3].join(" ")),
    };
    let departures = plan::departures(setting);
    let changed: String = departures.iter().map(|d| format!(" {}={}", d.erratum, d.setting)).collect();
    let changed = if changed.is_empty() { changed } else { format!(", not as intended:{changed}") };
    let Setting { subject, against, profile, .. } = setting;
    vec![
        facts::conclusion(outcome),
        format!("{} of {subjects}; {}", plan::kind(plan), plan::inputs(plan)),
        format!("{subject} against {against}, profile {profile}{changed}"),
    ]
}

/// The verdicts that occurred, and divergences even where there are none.
fn verdict_table(counts: &Counts) -> Table<3> {
    let mut table = Table::new([("verdict", Set::Words), ("cases", Set::Number), ("share", Set::Number)]);
    for (name, number) in facts::verdicts(counts) {
        if number > 0 || name == "diverged" {
            table.row([name.to_owned(), count(number), share(number, counts.total())]);
        }
    }
    table
}

/// The forms in which not everything held, those with the most divergences first.
fn forms(tally: &Tally) -> Vec<String> {
    let held = |counts: &Counts| counts.exact + counts.within;
    let mut open: Vec<_> = tally.forms.iter().filter(|(_, c)| held(c) < c.total()).collect();
    open.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.diverged));
    let mut table = Table::new([
        ("form", Set::Code),
        ("cases", Set::Number),
        ("held", Set::Number),
        ("diverged", Set::Number),
        ("undefined", Set::Number),
        ("other", Set::Number),
    ]);
    for (form, counts) in open.iter().take(FORMS) {
        let other = counts.unjudged + counts.unsupported + counts.undeclared + counts.waived;
        let numbers = [counts.total(), held(counts), counts.diverged, counts.undefined, other].map(count);
        let [cases, held, diverged, undefined, other] = numbers;
        table.row([(*form).clone(), cases, held, diverged, undefined, other]);
    }
    let mut lines = table.text();
    let hidden = open.len().saturating_sub(FORMS);
    if hidden > 0 {
        lines.push(format!("… and {hidden} more such forms"));
    }
    let quiet = tally.forms.len() - open.len();
    if quiet > 0 {
        lines.push(format!("forms in which everything held: {quiet} of {}", tally.forms.len()));
    }
    lines
}

fn findings(tally: &Tally) -> Vec<String> {
    let mut lines = found::brief(tally, KINDS).text();
    let hidden = tally.findings.len().saturating_sub(KINDS);
    if hidden > 0 {
        lines.push(format!("… and {hidden} more kinds of divergence"));
    }
    lines.extend(found::keys(tally));
    lines
}

/// Accuracy by function, in what fits a terminal's width.
fn accuracy(outcome: &Outcome) -> Vec<String> {
    let number = |name| (name, Set::Number);
    let mut table = Table::new([
        ("function", Set::Code),
        number("inputs"),
        number("max ulp"),
        ("at input", Set::Code),
        number("mean"),
        number("bias"),
        number("rms"),
        number("correctly rounded"),
        number("faithful"),
    ]);
    for (function, accuracy) in &outcome.tally.accuracy {
        let [max, mean, bias, rms] = facts::errors(accuracy);
        let [_, at_input, _] = facts::extreme(accuracy.worst());
        table.row([
            function.clone(),
            count(accuracy.inputs),
            max,
            at_input,
            mean,
            bias,
            rms,
            share(accuracy.correctly_rounded, accuracy.measured),
            share(accuracy.faithful, accuracy.measured),
        ]);
    }
    let mut lines = table.text();
    let bounds = facts::bound_table(&outcome.tally).text();
    if !bounds.is_empty() {
        lines.push(String::new());
        lines.extend(bounds);
    }
    let unmeasured = plan::without_accuracy(outcome);
    match unmeasured.len() {
        0 => {}
        1..=UNMEASURED => lines.push(format!("without a measured error: {}", unmeasured.join(" "))),
        more => lines.push(format!("without a measured error: {more} functions")),
    }
    lines
}
