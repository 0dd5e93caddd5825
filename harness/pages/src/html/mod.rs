//! Renders a page as one self-contained HTML file, for wide and narrow screens, light and dark, and
//! for paper.
//!
//! The templates are checked at compile time, and escape all texts. Without the script `page.js`,
//! only the rows of long tables are missing. The script also sorts and filters tables, copies
//! commands, and shows values of charts.
//!
//! | file | what it renders |
//! |---|---|
//! | [`contents`] | ids of sections, and the list of contents |
//! | [`table`] | tables; the rows of long ones as text that the script unpacks |
//! | `style.css`, `page.js` | the looks, and the script |

mod contents;
mod table;

use assay_isa::shown;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::href;
use crate::{Block, Card, Document, Inline, Item, List, Text, Tone};
use contents::Contents;

/// The style sheet.
const STYLE: &str = include_str!("style.css");
/// The script.
const SCRIPT: &str = include_str!("page.js");
/// The content security policy. The page fetches nothing, and with this policy the browser refuses
/// every fetch.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'";

/// Returns the texts that the script needs.
fn words(language: &str) -> &'static str {
    match language {
        "zh" => "复制|已复制|筛选|/|放大或还原|显示全部|拉近|拉远",
        _ => "Copy|Copied|Filter|of|Wide or narrow|Show all|Zoom in|Zoom out",
    }
}

/// Returns the page.
pub fn html(document: &Document) -> String {
    let Document { language, title, lead, blocks, .. } = document;
    let contents = Contents::default();
    let body = HtmlRenderer { contents: &contents }.body(blocks, 2);
    let page = html! {
        (DOCTYPE)
        html lang=(language) data-words=(words(language)) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                @let theme = if *language == "zh" { "深色或浅色" } else { "Light or dark" };
                button.theme type="button" aria-label=(theme) title=(theme) hidden { "◐" }
                (contents.list(language))
                main {
                    header {
                        h1 { (title) }
                        @if !lead.0.is_empty() { p.lead { (inline(lead)) } }
                    }
                    (body)
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    // Templates escape characters with a meaning in HTML, but not those that change the direction
    // of text.
    shown::page(&page.into_string()).into_owned()
}

/// Renders blocks, and collects the sections for the list of contents.
struct HtmlRenderer<'a> {
    contents: &'a Contents,
}

impl HtmlRenderer<'_> {
    /// Renders blocks. Headings of their sections have the given level.
    fn body(&self, blocks: &[Block], level: usize) -> Markup {
        html! { @for block in blocks { (self.one(block, level)) } }
    }

    fn one(&self, block: &Block, level: usize) -> Markup {
        html! {
            @match block {
                Block::Paragraph(text) => p { (inline(text)) },
                Block::Note(text) => p.note { (inline(text)) },
                Block::Conclusion(tone, words) => p.conclusion.(class(*tone)) { (words) },
                Block::Cards(list) => (cards(list)),
                Block::Section { id, heading, body } => (self.section(id.as_deref(), heading, body, level)),
                Block::Table(it) => (table::table(it)),
                Block::Facts(list) => @if !list.is_empty() {
                    dl.facts { @for (label, text) in list { div { dt { (label) } dd { (inline(text)) } } } }
                },
                Block::Entries(list) => dl { @for (label, blocks) in list { dt { (label) } dd { (self.entry(blocks, level)) } } },
                Block::List(_, items) if items.is_empty() => {},
                Block::List(List::Contents, items) => ul.links { (self::items(items)) },
                Block::List(List::Bullets, items) => ul { (self::items(items)) },
                Block::List(List::Numbers, items) => ol { (self::items(items)) },
                Block::Lines(lines) => @if !lines.is_empty() { pre tabindex="0" { (lines.join("\n")) } },
                Block::Command(command) => pre.command tabindex="0" { code { (command) } },
                Block::Folded(summary, blocks) => (folded(&inline(summary), &self.body(blocks, level))),
                Block::Figures(list) => @if !list.is_empty() { div.figures { @for figure in list { (figure.svg()) } } },
                Block::Detail(blocks) => (self.body(blocks, level)),
            }
        }
    }

    /// Renders a section. Empty if there is no body.
    fn section(&self, id: Option<&str>, heading: &Text, blocks: &[Block], level: usize) -> Markup {
        let place = self.contents.len();
        let body = self.body(blocks, level + 1);
        if body.0.is_empty() {
            return body;
        }
        let id = self.contents.add(place, id, heading, level);
        let title = html! { (inline(heading)) " " a.anchor href=(format!("#{id}")) aria-label="#" {} };
        let heading = html! {
            @match level { 2 => h2 { (title) }, 3 => h3 { (title) }, _ => h4 { (title) } }
        };
        html! {
            @if level == 2 { section id=(id) { (heading) (body) } } @else { article id=(id) { (heading) (body) } }
        }
    }

    /// Renders the blocks of a label. A first paragraph has no element of its own.
    fn entry(&self, blocks: &[Block], level: usize) -> Markup {
        match blocks {
            [Block::Paragraph(text), rest @ ..] => html! { (inline(text)) (self.body(rest, level)) },
            _ => self.body(blocks, level),
        }
    }
}

fn cards(list: &[Card]) -> Markup {
    html! {
        @if !list.is_empty() {
            ul.cards {
                @for Card { label, value, note, tone } in list {
                    li class=[tone.map(class)] {
                        span.label { (label) }
                        strong { (value) }
                        @if !note.is_empty() { small { (note) } }
                    }
                }
            }
        }
    }
}

/// Renders content that a reader can unfold. Empty if there is no body.
fn folded(summary: &Markup, body: &Markup) -> Markup {
    html! { @if !body.0.is_empty() { details { summary { (summary) } (body) } } }
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

/// Renders words, in which text between backticks is code.
fn marked(words: &str) -> Markup {
    html! {
        @for (position, part) in words.split('`').enumerate() {
            @if position % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
