//! The heat map of coverage: what was hit of the bins of each form and topic.

use assay_engine::result::Outcome;
use maud::{Markup, html};

use super::open_table;
use crate::coverage::{BINS, Coverage, Hits};
use crate::number::count;

/// The figures by topic, and the heat map; nothing where a result lists no bins.
pub fn body(outcome: &Outcome) -> Markup {
    let Some(coverage) = Coverage::of(outcome) else { return Markup::default() };
    html! {
        (open_table("Bins by topic", &coverage.topic_table()))
        p.note { (super::marked(BINS)) }
        (map(&coverage))
    }
}

/// A row for each form, a column for each topic. The share is in each cell, so that nothing hangs on colour.
fn map(coverage: &Coverage) -> Markup {
    html! {
        @if !coverage.forms.is_empty() {
            div.scroll role="region" tabindex="0" aria-label="Share of the bins hit, by form and topic" {
                table.heat {
                    caption { "Share of the bins hit, by form and topic" }
                    thead { tr { th scope="col" { "Form" } @for topic in &coverage.topics { th.number scope="col" title=(topic.about()) { (topic.name()) } } } }
                    tbody {
                        @for (form, hits) in &coverage.forms {
                            tr {
                                th scope="row" { code { (form) } }
                                @for (topic, hits) in coverage.topics.iter().zip(hits) { (cell(form, topic.name(), hits)) }
                            }
                        }
                    }
                }
            }
            p.legend {
                "Darker is more:"
                @for (level, text) in LEVELS { span.key { i.(level) {} " " (text) } }
            }
        }
    }
}

fn cell(form: &str, topic: &str, hits: &Hits) -> Markup {
    let Hits { bins, hit, impossible } = *hits;
    let [bins_text, hit_text, impossible_text] = [bins, hit, impossible].map(|number| count(number as u64));
    html! {
        @if bins == 0 {
            td.number title=(format!("{form}, {topic}: no bin that cases can hit; {impossible_text} impossible")) { "–" }
        } @else {
            td.number.(level(hit, bins)) title=(format!("{form}, {topic}: {hit_text} of {bins_text} bins hit; {impossible_text} more are impossible")) { (hits.share()) }
        }
    }
}

/// Levels of the map, and what they stand for.
const LEVELS: [(&str, &str); 5] = [
    ("heat0", "below half"),
    ("heat1", "from half"),
    ("heat2", "from nine in ten"),
    ("heat3", "from 99 in a hundred"),
    ("heat4", "all"),
];

fn level(hit: usize, bins: usize) -> &'static str {
    let reached = [hit >= bins.div_ceil(2), 10 * hit >= 9 * bins, 100 * hit >= 99 * bins, hit == bins];
    LEVELS[reached.iter().take_while(|reached| **reached).count()].0
}
