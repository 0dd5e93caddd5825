//! The errata as one HTML file that needs nothing else, for the screen and for paper.

use assay_vectors::errata::{Language, Severity};
use maud::{Markup, html};

use super::page::{counts, of_severity, questions};
use super::sheet::{Block, Taker, optypes, sheet, table};
use super::words::Words;
use super::{Entry, Group};
use crate::html::{document, rows, section};

/// The page for the owner of the documents, in HTML.
pub fn html(entries: &[Entry], language: Language) -> String {
    let words = Words::of(language);
    let asked = questions(entries);
    let counts = counts(entries, words);
    let body = html! {
        h1 { (words.title) }
        p { (words.about) }
        p { (words.guide) }
        @if !asked.is_empty() {
            (section(words.questions, html! {
                p { (words.questions_about) }
                ol { @for entry in asked { (question(entry, words)) } }
            }))
        }
        (section(words.counts, rows("", &counts.head(), counts.rows())))
        nav { (section(words.contents, html! {
            @for severity in Severity::ALL { (listed(entries, *severity, words)) }
        })) }
        @for severity in Severity::ALL {
            (section(words.severity(*severity), html! {
                @for entry in of_severity(entries, *severity) { (article(entry, words)) }
            }))
        }
    };
    document(words.tag, words.title, body)
}

fn link(entry: &Entry) -> Markup {
    html! { a href=(format!("#{}", entry.defect.id)) { (entry.defect.id.to_string()) } }
}

fn question(entry: &Entry, words: &Words) -> Markup {
    let ask = entry.defect.ask.as_ref().map_or("", |ask| ask.of(words.language));
    html! { li { (link(entry)) " " b { (optypes(entry.defect, words)) } br; (ask) } }
}

fn listed(entries: &[Entry], severity: Severity, words: &Words) -> Markup {
    let some = of_severity(entries, severity);
    let mark = |entry: &Entry| format!("{}/{severity}", entry.defect.class);
    html! {
        @if !some.is_empty() {
            ul {
                @for entry in some {
                    li { (link(entry)) " " small { (mark(entry)) } " " (entry.defect.title.of(words.language)) }
                }
            }
        }
    }
}

fn article(entry: &Entry, words: &Words) -> Markup {
    let sheet = sheet(entry, words);
    html! {
        article id=(sheet.id) {
            h3 { (sheet.id) " " (sheet.title) }
            p.mark { code { (sheet.mark) } " " (sheet.optypes) }
            dl {
                @for block in &sheet.blocks {
                    @match block {
                        Block::Lines(label, lines) => (item(label, joined(lines))),
                        Block::Readings(label, question, readings) => (item(label, html! { (question) (numbered(readings)) })),
                        Block::Cases(label, groups) => (item(label, cases(groups, words))),
                    }
                }
            }
        }
    }
}

fn item(label: &str, body: Markup) -> Markup {
    html! { dt { (label) } dd { (body) } }
}

fn joined(lines: &[String]) -> Markup {
    html! {
        @for (position, line) in lines.iter().enumerate() {
            @if position > 0 { br; }
            (line)
        }
    }
}

fn numbered(readings: &[(&str, Vec<Taker>)]) -> Markup {
    html! {
        ol {
            @for (text, takers) in readings {
                li {
                    (text)
                    @for taker in takers {
                        br; small { (taker.profile) " (" (taker.evidence) ")" (taker.note) }
                    }
                }
            }
        }
    }
}

fn cases(groups: &[Group], words: &Words) -> Markup {
    let (head, cells) = table(groups, words);
    html! { div.scroll tabindex="0" { (rows("", &head, &cells)) } }
}
