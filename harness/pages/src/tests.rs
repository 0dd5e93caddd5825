//! Every block in every format: it is shown, left out if empty, and harmless whatever its texts
//! are.

use roxmltree::Document as Xml;

use super::*;
use crate::chart::bars::{Bar, Bars, Series};
use crate::chart::scale::Scale;
use crate::check::{as_xml, whole_tables};

/// A name with characters that have a meaning in a terminal, a browser, Markdown or XML.
const HOSTILE: &str = "x\u{1b}[2K\r\n| forged |\n# forged\u{202e}\u{9b}1A\u{fffe}<script>`|&\"'";

/// Checks that a page has no character that controls a terminal.
fn assert_plain(page: &str, what: &str) {
    assert_eq!(assay_isa::shown::page(page), page, "{what}");
}

/// Checks that a page has no character that controls a terminal, and that no name created a heading
/// or a table row.
fn assert_no_forged_line(page: &str, what: &str) {
    assert_plain(page, what);
    let forged = page.lines().find(|line| line.starts_with("| forged") || line.starts_with("# forged"));
    assert_eq!(forged, None, "{what}: {page}");
}

/// Returns a page that has `text` in every place for a text.
fn page(text: &str) -> Document {
    let inlines = vec![
        Inline::Words(text.to_owned()),
        Inline::Verbatim(text.to_owned()),
        Inline::Code(text.to_owned()),
        Inline::Bold(text.to_owned()),
        Inline::Small(text.to_owned()),
        Inline::Link(text.to_owned(), "id".to_owned()),
        Inline::File(text.to_owned(), text.to_owned()),
        Inline::Changed(text.to_owned()),
        Inline::Key("heat0", "below half"),
    ];
    let cells = row![text, code(text), number(text), judged(text), 7];
    let heat = Cell::Heat("heat1", text.to_owned(), text.to_owned());
    let bars = Bars {
        id: "b".to_owned(),
        title: text.to_owned(),
        x: "x",
        y: "y",
        bins: vec![text.to_owned()],
        unit: "",
        series: vec![Series {
            name: text.to_owned(),
            about: text.to_owned(),
            bars: vec![Bar::new(1, 2, 1.0)],
        }],
        below: vec![(0.5, text.to_owned())],
        side: Scale::counts(1),
    };
    let card = Card { label: "label", value: text.to_owned(), note: text.to_owned(), tone: Some(Tone::Bad) };
    let item = || Item { text: text.into(), lines: vec![text.into()] };
    let body = vec![
        paragraph(Text(inlines)),
        note(text),
        Block::Conclusion(Tone::Bad, text.to_owned()),
        Block::Cards(vec![card]),
        Table::new(text, "a | b | c | d | e", [cells]).into(),
        Table::new("", "a", [[heat]]).into(),
        Block::Facts(vec![("label", text.into())]),
        Block::Entries(vec![
            ("label", vec![paragraph(text)]),
            ("lines", vec![Block::Lines(vec!["x".into()])]),
        ]),
        Block::Command(text.to_owned()),
        Block::Folded(text.into(), vec![paragraph(text)]),
        Block::List(List::Bullets, vec![item()]),
        Block::List(List::Numbers, vec![item()]),
        Block::Figures(vec![Figure::Bars(bars), Figure::Nothing(text.to_owned(), text.to_owned())]),
    ];
    let id = Some("id".to_owned());
    Document::new(text, vec![Block::Section { id, heading: text.into(), body }]).with_lead(text)
}

#[test]
fn a_hostile_text_stays_text_in_every_block() {
    let document = page(HOSTILE);
    let page = html(&document);
    assert_plain(&page, "HTML");
    assert_eq!(page.matches("<script").count(), 1, "its own: {page}");
    Xml::parse(&as_xml(&page)).unwrap_or_else(|e| panic!("{e}\n{page}"));
    let page = markdown(&document);
    assert_no_forged_line(&page, "Markdown");
    assert!(!page.contains("<script"), "{page}");
    assert_eq!(whole_tables(&page), Ok(3));
    assert_no_forged_line(&text(&document), "text");
}

#[test]
fn every_text_is_shown_in_every_format() {
    let document = page("told");
    let formats = [html(&document), markdown(&document), text(&document)];
    assert_eq!(formats.map(|page| page.matches("told").count()), [41, 32, 28]);
}

#[test]
fn a_link_to_a_file_has_no_scheme_and_no_host() {
    assert_eq!(href("../findings/ffma-1.yaml"), "../findings/ffma-1.yaml");
    assert_eq!(href("javascript:alert(1)"), "javascript%3Aalert%281%29");
    assert_eq!(href("//host/x"), ".//host/x");
    assert_eq!(href("a b#c?d\u{202e}"), "a%20b%23c%3Fd%E2%80%AE");
}

#[test]
fn what_is_empty_is_left_out() {
    let nothing = vec![
        Table::new("caption", "a", std::iter::empty::<[Cell; 1]>()).into(),
        Block::List(List::Contents, Vec::new()),
        Block::Figures(Vec::new()),
        Block::Detail(Vec::new()),
    ];
    let document = Document::new("title", vec![section("heading", nothing)]);
    assert!(!html(&document).contains("heading<"), "{}", html(&document));
    assert_eq!(markdown(&document), "# title\n");
    assert_eq!(text(&document), "title\n=====\n");
}
