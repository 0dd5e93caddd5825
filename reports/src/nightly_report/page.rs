//! The page of a nightly run.

use assay_nightly::figures::{History, NightlyChange};
use assay_nightly::nightly_report::{NightlyReport, SignatureLine};

use super::{facts, settings};
use crate::findings;
use crate::number::share;
use crate::reported::ReportedFinding;
use assay_pages::chart::Figure;
use assay_pages::chart::bars::{Bar, Bars, Series};
use assay_pages::chart::scale::Scale;
use assay_pages::{Block, Document, Item, List, Text, Tone, note, paragraph, section};

/// What the commands do that set a status.
const ACCEPTING: &str = "An issue with the status `known` does not fail a night, unless the policy of the plan refuses it. \
    These commands set the status, and accept the cases that this night found:";

/// Returns the page.
pub fn page(nightly: &NightlyReport, found: &[ReportedFinding]) -> Document {
    let tone = if nightly.verdict.status == 0 { Tone::Good } else { Tone::Bad };
    let reasons: Vec<Item> =
        nightly.verdict.reasons.iter().map(|reason| Text::from(reason.as_str()).into()).collect();
    let excused: Vec<Item> =
        nightly.excused.iter().map(|sentence| Text::from(sentence.as_str()).into()).collect();
    let changes = (!nightly.signatures.is_empty()).then(|| paragraph(facts::changes(nightly)));
    let signatures =
        changes.into_iter().chain([facts::signatures(nightly).into(), facts::by_optype(nightly).into()]);
    let accepting = facts::accepting(nightly);
    let said = (!accepting.is_empty()).then(|| paragraph(ACCEPTING));
    let signatures = signatures.chain(said).chain(accepting.into_iter().map(Block::Command));
    let (wasted, cases) = nightly.wasted();
    let wasted = format!("{} of all cases were wasted. {}", share(wasted, cases), facts::WASTED);
    let [refused, others] = facts::failing(nightly, found);
    let mut body = vec![
        Block::Conclusion(tone, facts::conclusion(nightly)),
        section("Why it failed", vec![Block::List(List::Bullets, reasons)]),
        section("Excused by rules", vec![Block::List(List::Bullets, excused)]),
        section("Findings", findings::in_full(&refused)),
        section("Signatures", signatures.collect()),
        section("Findings that the policy allows, such as known issues", findings::in_full(&others)),
        section("Fixed before", vec![facts::fixed_before(nightly).into()]),
        section("Open issues that no stage tests", vec![facts::untested(nightly).into()]),
        section("Stages, the slowest first", vec![facts::stages(nightly).into(), note(wasted)]),
        section("Not as by default", vec![settings::table(nightly).into()]),
        section("Planted faults", vec![facts::scores(nightly).into()]),
    ];
    let changes = [("the last night", &nightly.last), ("the baseline", &nightly.baseline)];
    body.extend(changes.into_iter().filter_map(|(name, change)| Some(changed(name, change.as_ref()?))));
    body.push(section("How often issues show", vec![Block::Figures(issue_rates(nightly))]));
    body.push(section("Throughput", vec![Block::Figures(trend(nightly))]));
    body.push(section("What was run", vec![Block::Facts(facts::about(nightly))]));
    Document::new(&format!("{}, night {}", nightly.name, nightly.night), body)
}

fn changed(name: &str, change: &NightlyChange) -> Block {
    let body = vec![
        paragraph(format!("Night {}, begun {}.{}", change.night, change.began, facts::compared(change))),
        facts::accuracy(change).into(),
        facts::coverage(change).into(),
        facts::rates(change).into(),
    ];
    section(format!("Against {name}"), body)
}

/// Greatest number of issues whose rates are drawn.
const MOST_ISSUES: usize = 8;

/// Returns a chart of the divergences per million cases over the nightly runs, for each of the
/// first failing issues.
fn issue_rates(nightly: &NightlyReport) -> Vec<Figure> {
    let open = nightly.signatures.iter().filter(|line| line.change.fails() && line.rates.len() > 1);
    open.take(MOST_ISSUES).enumerate().map(|(nth, line)| Figure::Bars(issue_chart(nth, line))).collect()
}

fn issue_chart(nth: usize, line: &SignatureLine) -> Bars {
    let rates: Vec<f64> = line.rates.iter().map(|rate| rate.per_million()).collect();
    let middle = |place: usize| (place as f64 + 0.5) / rates.len() as f64;
    Bars {
        id: format!("issue-{nth}"),
        title: line.signature.clone(),
        x: "night",
        y: "divergences in a million cases of the optype",
        bins: line.rates.iter().map(|rate| format!("night {}", rate.night)).collect(),
        unit: "",
        series: vec![Series {
            name: "Divergences in a million cases of the optype".to_owned(),
            about: format!("How often the issue shows, over {} nightly runs.", rates.len()),
            bars: rates.iter().map(|rate| Bar::new(*rate as u64, 0, *rate)).collect(),
        }],
        below: [0, rates.len() - 1].map(|place| (middle(place), line.rates[place].night.to_string())).into(),
        side: Scale::amounts(rates.iter().copied().fold(0.0, f64::max)),
    }
}

/// Returns a chart of the cases per second over the nightly runs, for each stage.
fn trend(nightly: &NightlyReport) -> Vec<Figure> {
    let this_run = History {
        night: nightly.night,
        status: nightly.verdict.status,
        failing: 0,
        rates: nightly.stages.iter().filter_map(|stage| Some((stage.name.clone(), stage.rate()?))).collect(),
    };
    let nights: Vec<&History> = nightly.trend.iter().chain([&this_run]).collect();
    let figure = |stage: &String| {
        let has_stage = |past: &&&History| past.rates.contains_key(stage);
        let nights: Vec<&History> = nights.iter().filter(has_stage).copied().collect();
        (nights.len() > 1).then(|| Figure::Bars(chart(stage, &nights)))
    };
    this_run.rates.keys().filter_map(figure).collect()
}

fn chart(stage: &str, nights: &[&History]) -> Bars {
    let rates: Vec<f64> = nights.iter().filter_map(|past| past.rates.get(stage)).copied().collect();
    let bar = |rate: &f64| Bar::new(*rate as u64, 0, rate / 1e6);
    let middle = |place: usize| (place as f64 + 0.5) / nights.len() as f64;
    Bars {
        id: format!("rate-{stage}"),
        title: format!("Cases a second of stage {stage}"),
        x: "night",
        y: "million cases a second",
        bins: nights.iter().map(|past| format!("night {}", past.night)).collect(),
        unit: "",
        series: vec![Series {
            name: "Cases a second".to_owned(),
            about: format!("Cases a second of stage {stage} over {} nightly runs.", nights.len()),
            bars: rates.iter().map(bar).collect(),
        }],
        below: [0, nights.len() - 1].map(|place| (middle(place), nights[place].night.to_string())).into(),
        side: Scale::amounts(rates.iter().copied().fold(0.0, f64::max) / 1e6),
    }
}
