//! What a run tested: its cases by unit, optype and form, or by function of a sweep. And what the run
//! cannot show.

use std::collections::BTreeMap;

use assay_engine::stats::tally::Counts;
use assay_isa::catalog::{catalog, group_names};
use assay_isa::shown::plural;
use assay_records::{Plan, RunResult};

use crate::coverage::{Coverage, Hits};
use crate::number::{NONE, count, share};
use crate::plan::{self, FunctionInputs};
use crate::{facts, verdict};
use assay_pages::{Block, Inline, Item, List, Table, Text, code, number, row};

/// Greatest number of names in a sentence about names.
const NAMED: usize = 12;
/// The unit of forms that this program does not know, which a later version can have.
const UNKNOWN: &str = "unknown";

/// A tested form, or the sum of several.
#[derive(Clone, Debug, Default)]
struct TestedForm<'a> {
    unit: &'a str,
    optype: &'a str,
    name: &'a str,
    counts: Counts,
    hits: Hits,
}

impl<'a> TestedForm<'a> {
    fn of(name: &'a str, counts: Counts, coverage: Option<&Coverage>) -> TestedForm<'a> {
        let form = catalog().form(name);
        let unit = form.and_then(|form| group_names(form.optype).pop()).unwrap_or(UNKNOWN);
        let optype = form.map_or("", |form| form.optype.name);
        let hits = coverage.map_or(Hits::default(), |coverage| coverage.of_form(name));
        TestedForm { unit, optype, name, counts, hits }
    }

    fn sum<'b>(forms: impl Iterator<Item = &'b TestedForm<'a>>) -> TestedForm<'a>
    where
        'a: 'b,
    {
        forms.fold(TestedForm::default(), |mut sum, form| {
            sum.counts.merge(&form.counts);
            TestedForm { hits: sum.hits.and(form.hits), ..sum }
        })
    }
}

/// Returns the tables of what was tested. A campaign or a trace has a table by unit, and the forms of
/// each unit in a folded table. A sweep has a table by function.
pub fn blocks(outcome: &RunResult) -> Vec<Block> {
    if let Plan::Sweep { functions, stride, .. } = &outcome.plan {
        return vec![function_table(outcome, functions, *stride).into()];
    }
    let coverage = Coverage::of(outcome);
    let mut units: BTreeMap<&str, Vec<TestedForm>> = BTreeMap::new();
    for (name, counts) in &outcome.tally.forms {
        let form = TestedForm::of(name, *counts, coverage.as_ref());
        units.entry(form.unit).or_default().push(form);
    }
    let table = unit_table(&units).into();
    let folds =
        units.iter().map(|(unit, forms)| Block::Folded(summary(unit, forms), vec![form_table(forms).into()]));
    [table].into_iter().chain(folds).collect()
}

fn unit_table(units: &BTreeMap<&str, Vec<TestedForm>>) -> Table {
    let rows = units.iter().map(|(unit, forms)| {
        let TestedForm { counts, hits, .. } = TestedForm::sum(forms.iter());
        let [cases, failed, unjudged] = figures(&counts);
        row![
            code(*unit),
            optypes(forms) as u64,
            forms.len() as u64,
            cases,
            failed,
            unjudged,
            number(hits.share())
        ]
    });
    Table::new("", "Unit | Optypes | Forms | Cases | Failed | Not judged | Bins hit", rows)
}

fn form_table(forms: &[TestedForm]) -> Table {
    // Forms that failed come first.
    let mut sorted: Vec<&TestedForm> = forms.iter().collect();
    sorted.sort_by_key(|form| (form.counts.diverged == 0, form.optype, form.name));
    let rows = sorted.into_iter().map(|form| {
        let [cases, failed, unjudged] = figures(&form.counts);
        let verdicts = facts::verdict_line(&form.counts);
        row![code(form.name), form.optype, cases, failed, unjudged, number(form.hits.share()), verdicts]
    });
    Table::new("", "Form | Optype | Cases | Failed | Not judged | Bins hit | Verdicts", rows).open()
}

fn function_table(outcome: &RunResult, functions: &BTreeMap<String, u64>, stride: u64) -> Table {
    let rows = functions.iter().map(|(name, planned)| {
        let counts = outcome.tally.functions.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        // An older result has no counts of functions.
        let figures = counts.map_or([NONE; 3].map(str::to_owned), |(_, counts)| figures(counts).map(count));
        let [cases, failed, unjudged] = figures.map(number);
        let verdicts = counts.map_or(String::new(), |(_, counts)| facts::verdict_line(counts));
        let inputs = FunctionInputs::of(*planned, stride).words(stride);
        row![code(name), inputs, *planned, cases, failed, unjudged, verdicts]
    });
    Table::new("", "Function | Inputs | Planned | Executed | Failed | Not judged | Verdicts", rows).open()
}

/// Returns the numbers of cases, of failed cases, and of cases that were not judged.
fn figures(counts: &Counts) -> [u64; 3] {
    [counts.total(), counts.diverged, facts::not_judged(counts)]
}

fn optypes(forms: &[TestedForm]) -> usize {
    let mut names: Vec<&str> = forms.iter().map(|form| form.optype).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

/// Returns the line under which the forms of a unit are folded.
fn summary(unit: &str, forms: &[TestedForm]) -> Text {
    let counts = TestedForm::sum(forms.iter()).counts;
    let failed = match counts.diverged {
        0 => "none failed".to_owned(),
        failed => {
            let names = forms.iter().filter(|form| form.counts.diverged > 0).count();
            format!("{} failed, in {}", count(failed), plural(names, "form", "forms"))
        }
    };
    let forms = plural(forms.len(), "form", "forms");
    let cases = plural(count(counts.total()), "case", "cases");
    Text(vec![Inline::Code(unit.to_owned()), Inline::Words(format!(": {forms}, {cases}, {failed}"))])
}

/// Returns what the run cannot show, as a list: sampled inputs, what was not executed, what was not
/// judged, and the bins that were not hit.
pub fn limits(outcome: &RunResult) -> Vec<Block> {
    let items = [sampled(outcome), left_out(outcome), not_judged(outcome), missed_bins(outcome)];
    let items = items.into_iter().flatten().map(|text| Item { text, lines: Vec::new() });
    vec![Block::List(List::Bullets, items.collect())]
}

fn sampled(outcome: &RunResult) -> Vec<Text> {
    let text = match &outcome.plan {
        Plan::Fuzz { .. } => {
            "The cases are a sample. A fault that shows for few inputs can be missed: `assay sweep` executes all \
             inputs of a function of one operand."
        }
        Plan::Trace { .. } => "Only the recorded cases were judged.",
        Plan::Sweep { stride: 1, .. } => return Vec::new(),
        Plan::Sweep { .. } => {
            "The 32-bit functions were sampled. A fault that shows for few inputs can be missed: `--tier standard` \
             executes all inputs."
        }
    };
    vec![text.into()]
}

/// Returns what was selected, or exists, and was not executed.
fn left_out(outcome: &RunResult) -> Vec<Text> {
    let mut list = Vec::new();
    if let Plan::Fuzz { only, .. } = &outcome.plan
        && only.is_empty()
    {
        let all = catalog().forms.iter().map(|form| form.name);
        let missing: Vec<&str> = all.filter(|name| !outcome.tally.forms.contains_key(*name)).collect();
        list.extend(names("Forms that were not executed: ", &missing));
    }
    let missing: Vec<&str> = outcome.plan.setting().not_generated.iter().map(String::as_str).collect();
    list.extend(names("Selected, and not executed in all modes: ", &missing));
    list.extend(names(
        "The device declares only these, and no other mode was executed: ",
        &verdict::declared_names(outcome),
    ));
    list
}

/// Returns the reasons why cases were not judged, with their numbers.
fn not_judged(outcome: &RunResult) -> Vec<Text> {
    let tally = &outcome.tally;
    let mut list: Vec<Text> = Vec::new();
    for one in outcome.verdict.iter().flat_map(|verdict| &verdict.unjudged) {
        let part = share(one.unjudged, one.lanes);
        let beyond =
            verdict::intervals(outcome, &one.name).map_or(String::new(), |on| format!(" outside {on}"));
        let rest = format!(": {part} were not judged, because the profile promises no accuracy{beyond}.");
        list.push(Text(vec![Inline::Code(one.name.clone()), Inline::Words(rest)]));
    }
    for (erratum, cases) in &tally.undefined {
        let question =
            plan::switch(erratum).map_or(String::new(), |switch| format!(" ({})", switch.question));
        let cases = plural(count(*cases), "case is", "cases are");
        list.push(format!("{cases} undefined under the setting of {erratum}{question}.").into());
    }
    let declined = tally.verdicts.not_executed();
    if declined > 0 {
        let cases = plural(count(declined), "case was", "cases were");
        list.push(format!("{cases} not executed, because an implementation answered `unsupported`.").into());
    }
    list
}

fn missed_bins(outcome: &RunResult) -> Vec<Text> {
    let Some(coverage) = Coverage::of(outcome) else { return Vec::new() };
    let Hits { bins, hit, .. } = coverage.total();
    let missed = (bins - hit) as u64;
    if missed == 0 {
        return Vec::new();
    }
    let (missed, bins) = (count(missed), count(bins as u64));
    vec![
        format!(
            "{missed} of {bins} coverage bins were not hit. `assay coverage why BIN` names a case for a bin."
        )
        .into(),
    ]
}

/// Returns a sentence with a list of names, of which the first are shown. `None` without names.
fn names(before: &str, names: &[&str]) -> Option<Text> {
    let shown = Text::codes(names.iter().take(NAMED).copied());
    let more = match names.len().saturating_sub(NAMED) {
        0 => ".".to_owned(),
        more => format!(", and {more} more."),
    };
    let parts = [vec![Inline::Words(before.to_owned())], shown.0, vec![Inline::Words(more)]];
    (!names.is_empty()).then(|| Text(parts.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    fn plain(text: &Text) -> String {
        let page =
            assay_pages::text(&assay_pages::Document::new("", vec![assay_pages::paragraph(text.clone())]));
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn lines(outcome: &RunResult) -> String {
        let [Block::List(_, items)] = &limits(outcome)[..] else { unreachable!("one list") };
        items.iter().map(|item| plain(&item.text) + "\n").collect()
    }

    /// The forms that failed come first in the table of their unit, and the unit says how many.
    #[test]
    fn failing_forms_come_first() {
        let blocks = blocks(&samples::fuzz());
        let [Block::Table(units), Block::Folded(unit, forms)] = &blocks[..] else { panic!("one unit") };
        assert_eq!((units.rows.len(), units.rows[0][0].clone()), (1, code("FALU")));
        assert_eq!(plain(unit), "FALU: 2 forms, 1,000,000 cases, 10 failed, in 1 form");
        let [Block::Table(forms)] = &forms[..] else { panic!("one table") };
        let names: Vec<_> = forms.rows.iter().map(|row| row[0].clone()).collect();
        assert_eq!(names, [code("FADD_RR"), code("FFMA_RRR")]);
    }

    #[test]
    fn a_sweep_says_which_inputs_each_function_had() {
        for (stride, inputs) in [(1, "all"), (4099, "one in 4,099, and the ends of every class of values")] {
            let mut outcome = samples::sweep(1);
            let Plan::Sweep { functions, stride: planned, .. } = &mut outcome.plan else { unreachable!() };
            *planned = stride;
            functions.values_mut().for_each(|inputs| *inputs = (1u64 << 32).div_ceil(stride));
            let [Block::Table(table)] = &blocks(&outcome)[..] else { panic!("one table") };
            assert_eq!(table.rows[0][1], inputs.into(), "{stride}");
            assert_eq!(lines(&outcome).contains("sampled"), stride != 1);
        }
    }

    #[test]
    fn what_a_run_cannot_show_is_listed() {
        let mut outcome = samples::fuzz();
        let Plan::Fuzz { only, setting, .. } = &mut outcome.plan else { unreachable!() };
        only.clear();
        setting.not_generated = vec!["POPC".into()];
        let lines = lines(&outcome);
        for words in [
            "are a sample",
            "Forms that were not executed: ",
            "more.",
            "Selected, and not executed in all modes: POPC.",
            "249,000 cases are undefined under the setting of E177",
        ] {
            assert!(lines.contains(words), "{words}: {lines}");
        }
    }
}
