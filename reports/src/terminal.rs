//! A result for a terminal: the facts of the pages, in about one screen.

use std::collections::BTreeMap;

use assay_engine::stats::tally::{Counts, Tally};
use assay_isa::catalog;
use assay_isa::shown::plural;
use assay_records::{RunResult, Setting};

use crate::number::share;
use crate::reported::ReportedFinding;
use crate::{facts, finding_card, findings, histogram, plan, rounding_stats, verdict};
use assay_pages::chart::Figure;
use assay_pages::{Block, Document, Table, code, note, number, row};

/// Number of kinds of divergence that are shown if there is no finding.
const KINDS: usize = 6;
/// Number of findings that are shown with their values.
const FULL: usize = 3;
/// Greatest number of findings that are named.
const NAMED: usize = 12;
/// Greatest number of forms that are shown.
const FORMS: usize = 8;
/// Greatest number of functions without a measured error that are named.
const UNMEASURED: usize = 8;

/// Returns the summary of a campaign, at most 80 columns wide: what was run, its findings, and a
/// line for each functional unit. The caller adds the verdict.
pub fn brief(outcome: &RunResult, found: &[ReportedFinding]) -> String {
    let [_, run, sides] = head(outcome);
    let mut page = vec![Block::Lines(vec![run, sides])];
    page.extend(findings_of(found));
    page.push(units(&outcome.tally).into());
    assay_pages::text(&Document::new("", page))
}

/// Returns the counts of verdicts by functional unit.
fn units(tally: &Tally) -> Table {
    let mut units: BTreeMap<&str, (u64, Counts)> = BTreeMap::new();
    for (form, counts) in &tally.forms {
        let group = catalog().form(form).map(|form| form.optype.group);
        let root = group.map(|group| std::iter::successors(Some(group), |group| group.parent).last());
        let (forms, sum) = units.entry(root.flatten().map_or("other", |group| group.name)).or_default();
        *forms += 1;
        sum.merge(counts);
    }
    let rows = units.iter().map(|(unit, (forms, counts))| {
        let open = counts.total() - counts.judged();
        row![code(*unit), *forms, counts.total(), counts.exact, counts.within, counts.diverged, open]
    });
    Table::new("", "unit | forms | cases | exact | within | diverged | not judged", rows)
}

/// Returns the findings, the first ones with their values, and the number of further findings.
fn findings_of(found: &[ReportedFinding]) -> Vec<Block> {
    let mut blocks: Vec<Block> =
        found.iter().take(NAMED).enumerate().map(|(place, one)| finding(place, one)).collect();
    let hidden = found.len().saturating_sub(NAMED);
    blocks.extend(
        (hidden > 0).then(|| note(format!("… and {}", plural(hidden, "more finding", "more findings")))),
    );
    blocks
}

/// Returns the text for the end of a run: conclusion, findings, verdicts, forms with a case that
/// was neither exact nor within its bound, errata and accuracy. For a single function a histogram
/// follows. The rounding statistics come last.
pub fn text(outcome: &RunResult, found: &[ReportedFinding]) -> String {
    let tally = &outcome.tally;
    let mut page = vec![Block::Lines(head(outcome).into())];
    page.extend(findings_of(found));
    page.push(verdict_table(&tally.verdicts).into());
    page.extend(forms(tally));
    page.extend([facts::agreement_table(tally), facts::undefined_table(tally)].map(small));
    page.extend(divergences(tally, found.is_empty()));
    page.extend(accuracy(outcome));
    if let [only] = tally.accuracy.values().collect::<Vec<_>>()[..] {
        let chart = histogram::bars("", String::new(), &[("", only)]);
        page.push(Block::Figures(chart.into_iter().map(Figure::Bars).collect()));
    }
    page.push(Block::Lines(rounding_stats::brief(outcome)));
    assay_pages::text(&Document::new("", page))
}

/// Returns a table with its head in lower case.
fn small(mut table: Table) -> Block {
    table.head.iter_mut().for_each(|name| *name = name.to_lowercase());
    table.into()
}

fn head(outcome: &RunResult) -> [String; 3] {
    let (plan, setting) = (&outcome.plan, outcome.plan.setting());
    let subjects = plan::subjects(outcome);
    let subjects = match subjects.len() {
        0 => "everything".to_owned(),
        1..=4 => subjects.join(" "),
        more => format!("{} … ({more})", subjects[..3].join(" ")),
    };
    let departures = plan::departures(setting);
    let changed: String = departures.iter().map(|d| format!(" {}={}", d.erratum, d.setting)).collect();
    let changed = if changed.is_empty() { changed } else { format!(", not as intended:{changed}") };
    let Setting { subject, against, profile, .. } = setting;
    [
        format!("{}  {}", outcome.verdict_word().text(), verdict::conclusion(outcome)),
        format!("{} of {subjects}; {}", plan::kind(plan), plan::inputs(plan)),
        format!("{subject} against {against}, profile {profile}{changed}"),
    ]
}

/// Returns the verdicts that occurred. The row of divergences is present even if there are none.
fn verdict_table(counts: &Counts) -> Table {
    let some = facts::verdicts(counts).into_iter().filter(|(name, n)| *n > 0 || *name == "diverged");
    let rows = some.map(|(name, cases)| row![name, cases, number(share(cases, counts.total()))]);
    Table::new("", "verdict | cases | share", rows)
}

/// Returns the forms with a case that was neither exact nor within its bound, sorted by
/// divergences.
fn forms(tally: &Tally) -> Vec<Block> {
    let held = |counts: &Counts| counts.exact + counts.within;
    let mut open: Vec<_> = tally.forms.iter().filter(|(_, c)| held(c) < c.total()).collect();
    open.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.diverged));
    let rows = open.iter().take(FORMS).map(|(form, counts)| {
        let other = counts.unjudged + counts.unsupported + counts.undeclared + counts.waived;
        row![code(*form), counts.total(), held(counts), counts.diverged, counts.undefined, other]
    });
    let head = "form | cases | held | diverged | undefined | other";
    let mut blocks = vec![Table::new("", head, rows).into()];
    let hidden = open.len().saturating_sub(FORMS);
    blocks.extend((hidden > 0).then(|| note(format!("… and {hidden} more such forms"))));
    let (quiet, all) = (tally.forms.len() - open.len(), tally.forms.len());
    blocks.extend((quiet > 0).then(|| note(format!("forms in which everything held: {quiet} of {all}"))));
    blocks
}

/// Returns a finding: its signature and the replay command. The first `FULL` findings also have
/// their values.
fn finding(place: usize, found: &ReportedFinding) -> Block {
    let shapes = found.case.finding.as_ref().map_or(0, |finding| finding.shapes.len());
    let shapes = if shapes > 1 { format!(", in {shapes} shapes") } else { String::new() };
    let first = format!("found {}{shapes}", found.case.signature());
    let lines = if place < FULL { finding_card::lines(found) } else { vec![found.replay.clone()] };
    let lines = lines.iter().map(|line| format!("  {line}"));
    Block::Lines([first].into_iter().chain(lines).collect())
}

/// Returns how many divergences are counted, and the first of each kind if no finding is shown.
fn divergences(tally: &Tally, has_no_finding: bool) -> Vec<Block> {
    if !has_no_finding {
        return findings::keys(tally).map(note).into_iter().collect();
    }
    let hidden = tally.findings.len().saturating_sub(KINDS);
    let hidden = (hidden > 0).then(|| note(format!("… and {hidden} more kinds of divergence")));
    let table = findings::brief(tally, KINDS).into();
    [table].into_iter().chain(hidden).chain(findings::keys(tally).map(note)).collect()
}

/// Returns the accuracy by function, in as many columns as a terminal can show.
fn accuracy(outcome: &RunResult) -> Vec<Block> {
    let rows = outcome.tally.accuracy.iter().map(|(function, accuracy)| {
        let [max, mean, bias, rms] = facts::errors(accuracy).map(number);
        let [_, at_input, _] = facts::extreme(accuracy.worst());
        let [rounded, faithful] = [accuracy.correctly_rounded, accuracy.faithful]
            .map(|part| number(share(part, accuracy.measured)));
        row![code(function), accuracy.inputs, max, at_input, mean, bias, rms, rounded, faithful]
    });
    let head = "function | inputs | max ulp | at input | mean | bias | rms | correctly rounded | faithful";
    let tables = [Table::new("", head, rows), facts::bound_table(&outcome.tally)];
    let mut blocks: Vec<Block> =
        tables.into_iter().filter(|table| !table.rows.is_empty()).map(small).collect();
    let unmeasured = plan::without_accuracy(outcome);
    blocks.extend(match unmeasured.len() {
        0 => None,
        1..=UNMEASURED => Some(note(format!("without a measured error: {}", unmeasured.join(" ")))),
        more => Some(note(format!("without a measured error: {more} functions"))),
    });
    blocks
}
