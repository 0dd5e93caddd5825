//! Renders a page as one HTML file that needs nothing else, for screens wide and narrow, light and dark, and for paper.
//!
//! The templates are checked when this is compiled, and escape whatever they are given.

use assay_isa::shown;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::href;
use crate::{Block, Cell, Document, Inline, Item, List, Table, Text, Tone};

/// The looks.
const STYLE: &str = include_str!("style.css");

/// The page.
pub fn html(document: &Document) -> String {
    let Document { language, title, blocks, .. } = document;
    let page = html! {
        (DOCTYPE)
        html lang=(language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { h1 { (title) } (body(blocks, 2)) } }
        }
    };
    // A template escapes what HTML obeys, and not what turns the direction of the text behind it.
    shown::page(&page.into_string()).into_owned()
}

/// Blocks whose sections have headings of a level.
fn body(blocks: &[Block], level: usize) -> Markup {
    html! { @for block in blocks { (one(block, level)) } }
}

fn one(block: &Block, level: usize) -> Markup {
    html! {
        @match block {
            Block::Paragraph(text) => p { (inline(text)) },
            Block::Note(text) => p.note { (inline(text)) },
            Block::Conclusion(tone, words) => p.conclusion.(class(*tone)) { (words) },
            Block::Section { id, heading, body: list } => (section(id.as_deref(), heading, body(list, level + 1), level)),
            Block::Table(it) => (table(it)),
            Block::Facts(list) => dl.facts { @for (label, text) in list { div { dt { (label) } dd { (inline(text)) } } } },
            Block::Entries(list) => dl { @for (label, blocks) in list { dt { (label) } dd { (entry(blocks, level)) } } },
            Block::List(_, items) if items.is_empty() => {},
            Block::List(List::Contents, items) => nav { ul { (self::items(items)) } },
            Block::List(List::Bullets, items) => ul { (self::items(items)) },
            Block::List(List::Numbers, items) => ol { (self::items(items)) },
            Block::Lines(lines) => pre { (lines.join("\n")) },
            Block::Command(command) => pre.command { code { (command) } },
            Block::Folded(summary, blocks) => (folded(&inline(summary), &body(blocks, level))),
            Block::Figures(list) => @if !list.is_empty() { div.figures { @for figure in list { (figure.svg()) } } },
            Block::Detail(blocks) => (body(blocks, level)),
        }
    }
}

/// A section; nothing where there is no body.
fn section(id: Option<&str>, heading: &Text, body: Markup, level: usize) -> Markup {
    let heading = inline(heading);
    let heading = html! {
        @match level { 2 => h2 { (heading) }, 3 => h3 { (heading) }, _ => h4 { (heading) } }
    };
    html! {
        @if !body.0.is_empty() {
            @if id.is_some() { article id=[id] { (heading) (body) } } @else { section { (heading) (body) } }
        }
    }
}

/// What a reader opens; nothing where there is nothing in it.
fn folded(summary: &Markup, body: &Markup) -> Markup {
    html! { @if !body.0.is_empty() { details { summary { (summary) } (body) } } }
}

/// What belongs to a label: a paragraph of it needs no element of its own.
fn entry(blocks: &[Block], level: usize) -> Markup {
    match blocks {
        [Block::Paragraph(text), rest @ ..] => html! { (inline(text)) (body(rest, level)) },
        _ => body(blocks, level),
    }
}

fn items(items: &[Item]) -> Markup {
    html! {
        @for Item { text, lines } in items {
            li { (inline(text)) @for line in lines { br; small { (inline(line)) } } }
        }
    }
}

fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Open => "open",
    }
}

/// A table; nothing without a row. A table wider than the screen scrolls by itself, also by keyboard.
fn table(table: &Table) -> Markup {
    let folded = table.folded();
    let caption = Some(&table.caption).filter(|caption| !caption.is_empty() && folded.is_none());
    let body = html! {
        div.scroll role="region" tabindex="0" aria-label=[caption] {
            table {
                @if let Some(caption) = caption { caption { (caption) } }
                thead { tr {
                    @for (name, right) in table.head.iter().zip(table.right()) { th scope="col" class=[right.then_some("number")] { (name) } }
                } }
                tbody { @for cells in &table.rows { tr { @for it in cells { (cell(it)) } } } }
            }
        }
    };
    html! {
        @if let Some(summary) = folded { details { summary { (summary) } (body) } }
        @else if !table.rows.is_empty() { (body) }
    }
}

fn cell(cell: &Cell) -> Markup {
    html! {
        @match cell {
            Cell::Words(text) => td { (inline(text)) },
            Cell::Code(text) => td { @if !text.is_empty() { code { (text) } } },
            Cell::Number(text) => td.number { (marked(text)) },
            Cell::Judged(text) => td class=[tone(text)] { (text) },
            Cell::Heat(level, text, about) => td.number.(level) title=(about) { (text) },
        }
    }
}

/// The colour of a judgement; its words have the same meaning.
fn tone(text: &str) -> Option<&'static str> {
    match text.split([' ', ':']).next() {
        Some("held" | "better") => Some("good"),
        Some("exceeded" | "missed" | "worse") => Some("bad"),
        Some("sampled") => Some("quiet"),
        _ => None,
    }
}

fn inline(text: &Text) -> Markup {
    html! {
        @for part in &text.0 {
            @match part {
                Inline::Words(words) | Inline::Markdown(words) => (marked(words)),
                Inline::Verbatim(words) => (words),
                Inline::Code(text) => code { (text) },
                Inline::Bold(words) => b { (words) },
                Inline::Small(words) => small { (words) },
                Inline::Link(name, id) => a href=(format!("#{id}")) { (name) },
                Inline::File(name, path) => a href=(href(path)) { (name) },
                Inline::Changed(text) => mark { (text) },
                Inline::Key(level, words) => span.key { i.(level) {} " " (words) },
                Inline::Break => br;,
            }
        }
    }
}

/// Words with code between backticks.
fn marked(words: &str) -> Markup {
    html! {
        @for (position, part) in words.split('`').enumerate() {
            @if position % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
