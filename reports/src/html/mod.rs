//! Pages as one HTML file that needs nothing else, for screens wide and narrow, light and dark, and for paper.
//!
//! Templates are checked when this is compiled, and escape whatever they are given: the name of a subject may
//! be anything that a command line takes.
//!
//! | room | what is on it |
//! |---|---|
//! | [`run`] | the page of one result |
//! | [`function`] | the section of one function |
//! | [`figures`] | its charts, of one result or of two on one scale |
//! | [`coverage`] | the heat map of coverage |
//! | [`dissection`] | what became of exact results |
//! | [`pair`] | the page of two results |

pub mod coverage;
pub mod dissection;
pub mod figures;
pub mod function;
pub mod pair;
pub mod run;

use assay_isa::shown;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::markdown::LONG;
use crate::table::{Set, Table};

/// The looks.
const STYLE: &str = include_str!("style.css");

/// A page in a language.
pub fn document(language: &str, title: &str, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    // A template escapes what HTML obeys, and not what turns the direction of the text behind it.
    shown::page(&page.into_string()).into_owned()
}

/// A section under a heading; nothing where there is no body.
pub fn section(heading: &str, body: Markup) -> Markup {
    html! {
        @if !body.0.is_empty() {
            section { h2 { (heading) } (body) }
        }
    }
}

/// A table with what it is of; nothing where there is no row. One with many rows is folded.
pub fn table<const N: usize>(caption: &str, table: &Table<N>) -> Markup {
    let number = table.rows().len();
    html! {
        @if number > LONG {
            details { summary { (caption) " (" (number) " rows)" } (open_table("", table)) }
        } @else {
            (open_table(caption, table))
        }
    }
}

/// A table that is never folded.
fn open_table<const N: usize>(caption: &str, table: &Table<N>) -> Markup {
    html! {
        @if !table.is_empty() {
            // What is wider than the screen is scrolled by itself, with the keyboard too.
            div.scroll role="region" tabindex="0" aria-label=[label(caption)] { (rows(caption, &table.head(), table.rows())) }
        }
    }
}

fn label(caption: &str) -> Option<&str> {
    Some(caption).filter(|caption| !caption.is_empty())
}

/// Head and rows. Instructions, patterns and names are set as code, and so is nothing else.
pub fn rows<R: AsRef<[String]>>(caption: &str, head: &[(String, Set)], rows: &[R]) -> Markup {
    html! {
        table {
            @if let Some(caption) = label(caption) { caption { (caption) } }
            thead { tr { @for (name, set) in head { th scope="col" class=[class(*set)] { (name) } } } }
            tbody {
                @for cells in rows {
                    tr { @for (text, (_, set)) in cells.as_ref().iter().zip(head) { (cell(text, *set)) } }
                }
            }
        }
    }
}

fn cell(text: &str, set: Set) -> Markup {
    html! {
        @match set {
            Set::Code if !text.is_empty() => td { code { (text) } },
            Set::Number => td.number { (text) },
            _ => td class=[tone(text)] { (marked(text)) },
        }
    }
}

fn class(set: Set) -> Option<&'static str> {
    (set == Set::Number).then_some("number")
}

/// The colour of a cell that is a judgement; its words say it too.
fn tone(text: &str) -> Option<&'static str> {
    match text.split([' ', ':']).next() {
        Some("held" | "better") => Some("good"),
        Some("exceeded" | "missed" | "worse") => Some("bad"),
        _ => None,
    }
}

/// Labels with what belongs to each.
pub fn facts(list: impl Iterator<Item = (&'static str, Markup)>) -> Markup {
    html! { dl.facts { @for (label, body) in list { div { dt { (label) } dd { (body) } } } } }
}

/// Text with code between backticks, as Markdown has it.
pub fn marked(text: &str) -> Markup {
    html! {
        @for (position, part) in text.split('`').enumerate() {
            @if position % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// A name as the target of a link: letters and digits kept, the rest spelt as numbers, so that no two are alike.
pub fn anchor(name: &str) -> String {
    let spelt = name.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() => c.to_string(),
        '.' => "-".to_owned(),
        c => format!("_{:x}", u32::from(c)),
    });
    format!("f-{}", spelt.collect::<String>())
}
