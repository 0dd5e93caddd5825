//! The Markdown page of two results: the same tables side by side, with what changed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use assay_engine::result::Outcome;
use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::tally::{Counts, Tally};

use crate::change::{CHANGES, Measure, measures};
use crate::dissection::{self, Arithmetic};
use crate::markdown::Page;
use crate::number::{count, count_change, share, share_change};
use crate::page;
use crate::table::{Set, Table, code, words};
use crate::{facts, histogram, plan};

/// A result with its title.
type Titled = (String, Outcome);

/// A page of a result before and a result after.
pub fn page(before: &Titled, after: &Titled) -> String {
    let (old, new) = (&before.1.tally, &after.1.tally);
    let mut page = Page::new(&words(&format!("{} → {}", before.0, after.0)), 1);
    page.paragraph(&conclusions(before, after));
    page.section("What was run", &run_table(before, after).markdown());
    page::departures(&mut page, &departures(&before.1, &after.1));
    page.section("Verdicts", &verdict_table(old, new).markdown());
    page.long_section("Verdicts by form", &form_table(old, new));
    page.section("Undefined by the specification", &undefined_table(old, new).markdown());
    page::findings(&mut page, "Findings before", old);
    page::findings(&mut page, "Findings after", new);
    accuracy(&mut page, before, after);
    page.section("Dissections", &dissection_table(&before.1, &after.1).markdown());
    page.finish()
}

fn conclusions(before: &Titled, after: &Titled) -> String {
    let line = |label: &str, (title, outcome): &Titled| {
        format!("- {label}, {}: {}", code(title), words(&facts::conclusion(outcome)))
    };
    format!("{}\n{}", line("Before", before), line("After", after))
}

/// Facts about both runs, and which differ.
pub fn run_table(before: &Titled, after: &Titled) -> Table<4> {
    let mut table = Table::new([
        ("Property", Set::Words),
        ("Before", Set::Words),
        ("After", Set::Words),
        ("Differs", Set::Words),
    ]);
    table.row(["Result".to_owned(), code(&before.0), code(&after.0), String::new()]);
    for ((label, old), (_, new)) in page::run_facts(&before.1).into_iter().zip(page::run_facts(&after.1)) {
        let differs = if old == new { "" } else { "yes" };
        table.row([label.to_owned(), old, new, differs.to_owned()]);
    }
    let [old, new] = [before, after].map(|(_, outcome)| readings(outcome));
    let differs = if old == new { "" } else { "yes" };
    table.row(["Readings not as intended".to_owned(), old, new, differs.to_owned()]);
    table
}

fn readings(outcome: &Outcome) -> String {
    let list = plan::departures(outcome.plan.setting());
    let names = list.iter().map(|d| format!("`{}={}`", d.erratum, d.setting)).collect::<Vec<_>>();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The readings that are not as intended in either of two results.
pub fn departures(before: &Outcome, after: &Outcome) -> Vec<plan::Departure> {
    let both = [before, after].into_iter().flat_map(|outcome| plan::departures(outcome.plan.setting()));
    both.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Counts of every verdict, and what they changed by.
pub fn verdict_table(before: &Tally, after: &Tally) -> Table<7> {
    let mut table = Table::new([
        ("Verdict", Set::Words),
        ("Before", Set::Number),
        ("Share", Set::Number),
        ("After", Set::Number),
        ("Share", Set::Number),
        ("Change", Set::Number),
        ("Points", Set::Number),
    ]);
    let pairs = facts::verdicts(&before.verdicts).into_iter().zip(facts::verdicts(&after.verdicts));
    for ((name, old), (_, new)) in pairs {
        table.row([
            name.to_owned(),
            count(old),
            share(old, before.cases),
            count(new),
            share(new, after.cases),
            count_change(old, new),
            share_change((old, before.cases), (new, after.cases)),
        ]);
    }
    table
}

/// Verdicts by form.
pub fn form_table(before: &Tally, after: &Tally) -> Table<9> {
    let mut table = Table::new([
        ("Form", Set::Code),
        ("Cases", Set::Words),
        ("Exact", Set::Words),
        ("Within", Set::Words),
        ("Diverged", Set::Words),
        ("Undefined", Set::Words),
        ("Unjudged", Set::Words),
        ("Unsupported", Set::Words),
        ("Waived", Set::Words),
    ]);
    for form in names(before.forms.keys(), after.forms.keys()) {
        let [old, new] =
            [before, after].map(|tally| tally.forms.get(form).copied().unwrap_or(Counts::default()));
        let pairs = facts::verdicts(&old).into_iter().zip(facts::verdicts(&new));
        let mut cells = pairs.map(|((_, old), (_, new))| change(old, new));
        let verdicts: [String; 7] = std::array::from_fn(|_| cells.next().unwrap_or_default());
        let [exact, within, diverged, undefined, unjudged, unsupported, waived] = verdicts;
        let cases = change(old.total(), new.total());
        table.row([
            form.to_owned(),
            cases,
            exact,
            within,
            diverged,
            undefined,
            unjudged,
            unsupported,
            waived,
        ]);
    }
    table
}

/// `before → after (difference)`, or the one count that both have.
fn change(before: u64, after: u64) -> String {
    match before == after {
        true => count(after),
        false => format!("{} → {} ({})", count(before), count(after), count_change(before, after)),
    }
}

/// Undefined verdicts by erratum.
pub fn undefined_table(before: &Tally, after: &Tally) -> Table<5> {
    let mut table = Table::new([
        ("Erratum", Set::Words),
        ("Before", Set::Number),
        ("After", Set::Number),
        ("Change", Set::Number),
        ("Question", Set::Words),
    ]);
    for erratum in names(before.undefined.keys(), after.undefined.keys()) {
        let [old, new] = [before, after].map(|tally| tally.undefined.get(erratum).copied().unwrap_or(0));
        let question = plan::switch(erratum).map_or("", |switch| switch.question);
        table.row([erratum.to_owned(), count(old), count(new), count_change(old, new), question.to_owned()]);
    }
    table
}

fn accuracy(page: &mut Page, before: &Titled, after: &Titled) {
    let functions = functions(&before.1.tally, &after.1.tally);
    page.section("Accuracy", &accuracy_table(&functions).markdown());
    if !functions.is_empty() {
        page.paragraph(page::ACCURACY);
        page.paragraph(CHANGES);
    }
    for (label, (_, outcome)) in [("Before", before), ("After", after)] {
        let unmeasured = page::unmeasured(outcome);
        if !unmeasured.is_empty() {
            page.paragraph(&format!("{label}: {unmeasured}"));
        }
    }
    for (name, [old, new]) in functions {
        page.block(&format!("Errors of {name}"), &histogram::pair_chart(old, new));
    }
}

/// Accuracy before and after of every function that has one in either.
pub fn functions<'a>(before: &'a Tally, after: &'a Tally) -> Vec<(&'a str, [&'a Accuracy; 2])> {
    static NONE: LazyLock<Accuracy> = LazyLock::new(Accuracy::default);
    let of = |tally: &'a Tally, name: &str| tally.accuracy.get(name).unwrap_or(&NONE);
    let names = names(before.accuracy.keys(), after.accuracy.keys());
    names.into_iter().map(|name| (name, [of(before, name), of(after, name)])).collect()
}

fn accuracy_table(functions: &[(&str, [&Accuracy; 2])]) -> Table<6> {
    let mut table = Table::new([
        ("Function", Set::Code),
        ("Measure", Set::Words),
        ("Before", Set::Number),
        ("After", Set::Number),
        ("Change", Set::Number),
        ("Judged", Set::Words),
    ]);
    for (name, [old, new]) in functions {
        for (position, measure) in measures(old, new).into_iter().enumerate() {
            let name_once = if position == 0 { *name } else { "" };
            let Measure { label, before, after, change, judged } = measure;
            table.row([name_once.to_owned(), label, before, after, change, judged.to_owned()]);
        }
    }
    table
}

/// What was dissected of each optype, and shares, which samples of different size have in common.
pub fn dissection_table(before: &Outcome, after: &Outcome) -> Table<5> {
    let mut table = Table::new([
        ("Optype", Set::Code),
        ("Measure", Set::Words),
        ("Before", Set::Number),
        ("After", Set::Number),
        ("Change", Set::Number),
    ]);
    let [old, new] = [before, after].map(dissection::by_optype);
    let none = Arithmetic::default();
    for optype in names(old.iter().map(|one| &one.optype), new.iter().map(|one| &one.optype)) {
        let [old, new] =
            [&old, &new].map(|list| list.iter().find(|one| one.optype == optype).unwrap_or(&none));
        let (a, b) = (old.total.cases, new.total.cases);
        table.row([
            optype.to_owned(),
            "results dissected".to_owned(),
            count(a),
            count(b),
            count_change(a, b),
        ]);
        for ((label, a, all_a), (_, b, all_b)) in old.shares().into_iter().zip(new.shares()) {
            table.row([
                String::new(),
                label.to_owned(),
                share(a, all_a),
                share(b, all_b),
                share_change((a, all_a), (b, all_b)),
            ]);
        }
    }
    table
}

/// The names of both, in order.
fn names<'a>(
    before: impl Iterator<Item = &'a String>,
    after: impl Iterator<Item = &'a String>,
) -> Vec<&'a str> {
    before.chain(after).map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect()
}
