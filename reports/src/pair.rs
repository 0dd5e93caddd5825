//! The page of two results: tables side by side, the changes, and charts on one scale.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::tally::{Counts, Tally};
use assay_isa::shown::plural;
use assay_records::RunResult;

use crate::change::{CHANGES, Measure, measures};
use crate::figures::figures;
use crate::number::{count, count_change, share, share_change};
use crate::reported::ReportedRun;
use crate::rounding_stats::{self, ArithmeticFunctions};
use crate::{comparable, facts, findings, head, plan, run, verdict};
use assay_pages::{
    Block, Cell, Document, Table, Text, Tone, code, judged, note, number, paragraph, row, section,
};

/// The sentence above measures that are not judged.
const SAMPLED: &str = "Figures that differ are marked sampled, and not better or worse: the results are of unlike \
    inputs, because ";

/// A function with its accuracy before and after.
struct Both<'a> {
    name: &'a str,
    old: &'a Accuracy,
    new: &'a Accuracy,
    /// Whether the two results have different cases, and do not both have every input.
    is_sampled: bool,
}

/// Returns the page that compares a result before and a result after.
pub fn page(before: &ReportedRun, after: &ReportedRun) -> Document {
    let (old, new) = (&before.outcome.tally, &after.outcome.tally);
    let sides = [("Before", before), ("After", after)];
    let conclusions = sides.map(|(label, run)| {
        let looser = verdict::looser_table(run.outcome.plan.setting()).map(Block::from);
        let blocks =
            [verdict::block(&run.outcome)].into_iter().chain(looser).chain([head::cards(run)]).collect();
        section(format!("{label}: {}{}", run.path, origin(run)), blocks)
    });
    let unlike = comparable::unlike_cases(&before.outcome, &after.outcome);
    let functions = functions(before, after, unlike.is_some());
    let mut body: Vec<Block> = conclusions.into();
    body.extend([
        section("What changed", changes(&functions, unlike, sides)),
        section("Findings after", findings::blocks(after)),
        section("Findings before", findings::blocks(before)),
        section("Functions", run::functions_blocks(&after.outcome, functions.iter().map(function).collect())),
        section(
            "Verdicts",
            vec![
                verdict_table(old, new).into(),
                form_table(old, new).into(),
                undefined_table(old, new).into(),
            ],
        ),
        section("Dissections", vec![dissection_table(&before.outcome, &after.outcome).into()]),
        section("What was run", vec![run_table(before, after), run::departures(&departures(before, after))]),
    ]);
    Document::new(&title(before, after), body)
}

/// Returns the date and the builds of a run in brackets. Empty if they are not known.
fn origin(run: &ReportedRun) -> String {
    let date = run.info.date.as_deref().map(head::shown_date);
    let builds = run.info.builds.iter().map(|build| format!("build {build}"));
    let known: Vec<String> = date.into_iter().chain(builds).collect();
    if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) }
}

/// Returns a line for each function that exceeds a bound after the change and did not before. Such a
/// result is wrong, whichever inputs were sampled.
fn broken_bounds(functions: &[Both]) -> Vec<Block> {
    let refused = |accuracy: &Accuracy| accuracy.bounds.values().map(|usage| usage.refused).sum::<u64>();
    let broken = functions.iter().filter(|both| refused(both.old) == 0 && refused(both.new) > 0);
    let line = |both: &Both| {
        let results = plural(count(refused(both.new)), "result exceeds", "results exceed");
        Block::Conclusion(Tone::Bad, format!("{}: {results} the bound. Before, none did.", both.name))
    };
    broken.map(line).collect()
}

/// Returns what was tested in both results, as one title if the two titles are equal.
fn title(before: &ReportedRun, after: &ReportedRun) -> String {
    let [old, new] = [before, after].map(|run| head::title(&run.outcome));
    if old == new { format!("{new}, before and after") } else { format!("{old} → {new}") }
}

/// Returns a table of facts about both runs, which marks the facts that differ.
fn run_table(before: &ReportedRun, after: &ReportedRun) -> Block {
    let row = |label: &str, old: Text, new: Text| {
        let differs = if old == new { "" } else { "yes" };
        row![label, old, new, differs]
    };
    let titles = row!["Result", Text::codes([&before.path]), Text::codes([&after.path]), ""];
    let facts = run::run_facts(&before.outcome).into_iter().zip(run::run_facts(&after.outcome));
    let facts = facts.map(|((label, old), (_, new))| row(label, old, new));
    let readings = row("Readings not as intended", readings(&before.outcome), readings(&after.outcome));
    let [old, new] = [before, after].map(|run| head::record_facts(&run.info));
    let of = |list: &[(&str, Text)], label: &str| {
        list.iter().find(|(name, _)| *name == label).map_or(Text::default(), |(_, text)| text.clone())
    };
    let labels: BTreeSet<&str> = old.iter().chain(&new).map(|(label, _)| *label).collect();
    let record = labels.into_iter().map(|label| row(label, of(&old, label), of(&new, label)));
    let rows = [titles].into_iter().chain(facts).chain([readings]).chain(record);
    Table::new("", "Property | Before | After | Differs", rows).into()
}

fn readings(outcome: &RunResult) -> Text {
    match plan::departures(outcome.plan.setting()) {
        list if list.is_empty() => "none".into(),
        list => Text::codes(list.iter().map(|d| format!("{}={}", d.erratum, d.setting))),
    }
}

/// Returns the readings that differ from `intended` in either result.
fn departures(before: &ReportedRun, after: &ReportedRun) -> Vec<plan::ReadingDeparture> {
    let both = [before, after].into_iter().flat_map(|run| plan::departures(run.outcome.plan.setting()));
    both.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the main measures of each function, with a judgement of each change.
fn changes(functions: &[Both], unlike: Option<String>, sides: [(&str, &ReportedRun); 2]) -> Vec<Block> {
    const SHOWN: [&str; 6] = ["max ulp", "mean ulp", "RMS", "bias", "correctly rounded", "faithful"];
    let rows = functions.iter().map(|Both { name, old, new, is_sampled }| {
        let list = measures(old, new, *is_sampled);
        let of = |label: &str| list.iter().find(|measure| measure.label == label).map(Measure::line);
        let [max, mean, rms, bias, rounded, faithful] =
            SHOWN.map(|label| judged(of(label).unwrap_or_default()));
        row![code(*name), max, mean, rms, bias, rounded, faithful]
    });
    let head = "Function | Max ulp | Mean ulp | RMS | Bias | Correctly rounded | Faithful";
    let table = Table::new("Before → after", head, rows).open();
    let mut body = broken_bounds(functions);
    if !functions.is_empty() {
        let sampled = functions.iter().any(|both| both.is_sampled).then_some(unlike).flatten();
        let sampled = sampled.map(|why| paragraph(format!("{SAMPLED}{why}.")));
        body.extend(sampled);
        body.extend([table.into(), note(run::ACCURACY), note(CHANGES)]);
    }
    for (label, ReportedRun { outcome, .. }) in sides {
        body.extend(run::unmeasured(outcome, &format!("{label}: without")));
    }
    body
}

/// Returns all measures of a function, and its charts.
fn function(Both { name, old, new, is_sampled }: &Both) -> Block {
    let id = run::anchor(name);
    let rows = measures(old, new, *is_sampled).into_iter().map(<[Cell; 5]>::from);
    let table = Table::new("", "Measure | Before | After | Change | Judged", rows).open();
    let figures = figures(&id, name, &[("Before", old), ("After", new)]);
    let body = vec![table.into(), Block::Figures(figures)];
    Block::Section { id: Some(id), heading: Text::codes([*name]), body }
}

/// Returns the counts of every verdict, and their changes.
fn verdict_table(before: &Tally, after: &Tally) -> Table {
    let pairs = facts::verdicts(&before.verdicts).into_iter().zip(facts::verdicts(&after.verdicts));
    let rows = pairs.map(|((name, old), (_, new))| {
        let [old_share, new_share] = [share(old, before.cases), share(new, after.cases)].map(number);
        let points = number(share_change((old, before.cases), (new, after.cases)));
        row![name, old, old_share, new, new_share, number(count_change(old, new)), points]
    });
    let head = "Verdict | Before | Share | After | Share | Change | Points";
    Table::new("All cases", head, rows)
}

/// Returns the counts of verdicts by form.
fn form_table(before: &Tally, after: &Tally) -> Table {
    let rows = names(before.forms.keys(), after.forms.keys()).into_iter().map(|form| {
        let [old, new] =
            [before, after].map(|tally| tally.forms.get(form).copied().unwrap_or(Counts::default()));
        let [old_verdicts, new_verdicts] = [&old, &new].map(facts::verdicts);
        let [exact, within, diverged, undefined, unjudged, unsupported, waived] =
            std::array::from_fn(|i| change(old_verdicts[i].1, new_verdicts[i].1));
        let cases = change(old.total(), new.total());
        row![code(form), cases, exact, within, diverged, undefined, unjudged, unsupported, waived]
    });
    let head = "Form | Cases | Exact | Within | Diverged | Undefined | Unjudged | Unsupported | Waived";
    Table::new("By form", head, rows)
}

/// Returns `before → after (difference)`, or the count alone if it did not change.
fn change(before: u64, after: u64) -> String {
    if before == after {
        count(after)
    } else {
        format!("{} → {} ({})", count(before), count(after), count_change(before, after))
    }
}

/// Returns the undefined verdicts by erratum.
fn undefined_table(before: &Tally, after: &Tally) -> Table {
    let rows = names(before.undefined.keys(), after.undefined.keys()).into_iter().map(|erratum| {
        let [old, new] = [before, after].map(|tally| tally.undefined.get(erratum).copied().unwrap_or(0));
        let question = plan::switch(erratum).map_or("", |switch| switch.question);
        row![erratum, old, new, number(count_change(old, new)), question]
    });
    let head = "Erratum | Before | After | Change | Question";
    Table::new("Undefined by the specification", head, rows)
}

/// Returns the accuracy before and after of each function that has an accuracy in at least one
/// result.
fn functions<'a>(before: &'a ReportedRun, after: &'a ReportedRun, unlike: bool) -> Vec<Both<'a>> {
    static NONE: LazyLock<Accuracy> = LazyLock::new(Accuracy::default);
    let of = |run: &'a ReportedRun, name: &str| run.outcome.tally.accuracy.get(name).unwrap_or(&NONE);
    let names = names(before.outcome.tally.accuracy.keys(), after.outcome.tally.accuracy.keys());
    let is_whole =
        |name: &str| [before, after].iter().all(|side| comparable::is_exhaustive(&side.outcome, name));
    let both = |name| Both {
        name,
        old: of(before, name),
        new: of(after, name),
        is_sampled: unlike && !is_whole(name),
    };
    names.into_iter().map(both).filter(|both| both.old.inputs + both.new.inputs > 0).collect()
}

/// Returns, for each optype, the number of results and the shares of the rounding statistics.
/// Shares allow samples of different size to be compared.
fn dissection_table(before: &RunResult, after: &RunResult) -> Table {
    let [old, new] = [before, after].map(rounding_stats::by_optype);
    let none = ArithmeticFunctions::default();
    let optypes = names(old.iter().map(|one| &one.optype), new.iter().map(|one| &one.optype));
    let rows = optypes.into_iter().flat_map(|optype| {
        let [old, new] =
            [&old, &new].map(|list| list.iter().find(|one| one.optype == optype).unwrap_or(&none));
        let (a, b) = (old.total.cases, new.total.cases);
        let first = row![code(optype), "results dissected", a, b, number(count_change(a, b))];
        let shares = old.shares().into_iter().zip(new.shares()).map(|((label, a, all_a), (_, b, all_b))| {
            let change = share_change((a, all_a), (b, all_b));
            row![code(""), label, number(share(a, all_a)), number(share(b, all_b)), number(change)]
        });
        [first].into_iter().chain(shares).collect::<Vec<_>>()
    });
    Table::new("", "Optype | Measure | Before | After | Change", rows).open()
}

/// Returns the names that occur in at least one of two lists, sorted.
fn names<'a>(
    before: impl Iterator<Item = &'a String>,
    after: impl Iterator<Item = &'a String>,
) -> Vec<&'a str> {
    before.chain(after).map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect()
}
