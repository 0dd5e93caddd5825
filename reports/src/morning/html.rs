//! The morning as one HTML file that needs nothing else.

use assay_nightly::morning::{Change, Morning, Past};
use maud::{Markup, html};

use super::facts;
use crate::chart::axis::Caption;
use crate::chart::bars::{Bar, bars};
use crate::chart::scale::Scale;
use crate::html::{document, marked, section, table};
use crate::number::{count, share};

/// The page.
pub fn html(morning: &Morning) -> String {
    let title = format!("{}, night {}", morning.name, morning.night);
    let tone = if morning.verdict.status == 0 { "good" } else { "bad" };
    let (wasted, cases) = morning.wasted();
    let body = html! {
        main {
            h1 { (title) }
            p.conclusion.(tone) { (facts::conclusion(morning)) }
            (section("Why it failed", html! {
                @if !morning.verdict.reasons.is_empty() {
                    ul { @for reason in &morning.verdict.reasons { li { (reason) } } }
                }
            }))
            (section("Signatures", html! {
                @if !morning.signatures.is_empty() { p { (facts::fates(morning)) } }
                (table("", &facts::signatures(morning)))
            }))
            (section("Stages, the slowest first", html! {
                (table("", &facts::stages(morning)))
                p.note { (share(wasted, cases)) " of all cases were wasted. " (facts::WASTED) }
            }))
            (section("libFuzzer targets", table("", &facts::targets(morning))))
            (section("Planted faults", table("", &facts::scores(morning))))
            @for (name, change) in [("the last night", &morning.last), ("the baseline", &morning.baseline)] {
                @if let Some(change) = change { (changed(name, change)) }
            }
            (section("Throughput", trend(morning)))
            (section("What was run", html! {
                dl { @for (label, value) in facts::about(morning) { dt { (label) } dd { (marked(&value)) } } }
            }))
        }
    };
    document("en", &title, body)
}

fn changed(name: &str, change: &Change) -> Markup {
    section(
        &format!("Against {name}"),
        html! {
            p { "Night " (change.night) ", begun " (change.began) ". " (facts::compared(change)) }
            (table("Errors that changed", &facts::accuracy(change)))
            (table("Coverage", &facts::coverage(change)))
            (table("Speed", &facts::rates(change)))
        },
    )
}

/// Cases a second of each stage over the nights.
fn trend(morning: &Morning) -> Markup {
    let tonight = Past {
        night: morning.night,
        status: morning.verdict.status,
        failing: 0,
        rates: morning.stages.iter().filter_map(|stage| Some((stage.name.clone(), stage.rate()?))).collect(),
    };
    let nights: Vec<&Past> = morning.trend.iter().chain([&tonight]).collect();
    html! {
        @if nights.len() > 1 {
            div.figures { @for stage in tonight.rates.keys() { (chart(stage, &nights)) } }
        }
    }
}

fn chart(stage: &str, nights: &[&Past]) -> Markup {
    let rate = |past: &Past| past.rates.get(stage).copied().unwrap_or_default();
    let most = nights.iter().map(|past| rate(past)).fold(0.0, f64::max);
    let list: Vec<Bar> = nights
        .iter()
        .map(|past| Bar {
            about: format!("night {}: {} cases a second", past.night, count(rate(past) as u64)),
            height: rate(past) / 1e6,
        })
        .collect();
    let middle = |place: usize| (place as f64 + 0.5) / nights.len() as f64;
    let below = [0, nights.len() - 1].map(|place| (middle(place), nights[place].night.to_string()));
    let caption = Caption {
        id: &format!("rate-{stage}"),
        title: stage,
        about: format!("Cases a second of stage {stage} over {} nights.", nights.len()),
        x: "night",
        y: "million cases a second",
    };
    bars(&caption, &list, &below.to_vec(), &Scale::amounts(most / 1e6))
}
