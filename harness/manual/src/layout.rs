//! Builds a page from its data: the order of the sections, and their headings.

use assay_pages::{Block, Cell, Document, Item, List, Table, Text, section};

use crate::encoding::FieldRow;
use crate::examples::{Cell as Value, Example};
use crate::page::{Page, Statement};
use crate::special::SpecialRow;

/// Column in which the errata of a statement begin.
const ERRATA: usize = 72;

impl Page {
    /// Returns the page as Markdown.
    pub fn markdown(&self) -> String {
        assay_pages::markdown(&document(self))
    }

    /// Returns the page for a terminal.
    pub fn text(&self) -> String {
        assay_pages::text(&document(self))
    }
}

fn document(page: &Page) -> Document {
    let title = format!("{}: {}", page.optype, lowered(&page.title));
    let blocks = vec![
        said(format!(
            "Unit {}. Source: {}. Profile `{}`. A number such as E011 is an erratum: `assay errata show E011` explains it.",
            page.group, page.source, page.profile
        )),
        Block::Lines(vec![page.syntax.clone()]),
        section("What it computes", computed(page)),
        section("Operands", operands(page)),
        section("Modifiers", vec![modifiers(page)]),
        section("Rules", vec![list(&page.rules)]),
        section("Faults", vec![list(&page.faults)]),
        section("Special values and accuracy", special(page)),
        section("Examples", examples(page)),
        section("Readings", readings(page)),
        section("Encoding", encoding(page)),
    ];
    Document::new(&title, blocks).compact()
}

fn computed(page: &Page) -> Vec<Block> {
    vec![
        said(page.summary.clone()),
        Block::Lines(page.formula.iter().map(statement).collect()),
        list(&page.functions),
        list(&page.notes.iter().map(note).collect::<Vec<_>>()),
        said(
            "In the formula integers have no bound, and a destination keeps the low bits that fit. A comparison gives 1 or 0. An \
             operand is its value after the prefixes.",
        ),
    ]
}

/// Returns a paragraph of the manual's own text.
fn said(text: impl Into<String>) -> Block {
    Block::Paragraph(Text::markdown(text))
}

fn list(items: &[String]) -> Block {
    Block::List(List::Bullets, items.iter().map(|item| Item::from(Text::markdown(item))).collect())
}

/// Returns a table of the manual's own texts.
fn table<const N: usize>(head: &str, rows: impl IntoIterator<Item = [String; N]>) -> Block {
    let rows = rows.into_iter().map(|cells| cells.map(|cell| Cell::from(Text::markdown(cell))));
    Table::new("", head, rows).open().into()
}

fn lowered(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().collect::<String>() + letters.as_str())
}

fn statement(statement: &Statement) -> String {
    if statement.errata.is_empty() {
        statement.text.clone()
    } else {
        format!("{:<ERRATA$}# {}", statement.text, statement.errata.join(" "))
    }
}

fn note(note: &Statement) -> String {
    if note.errata.is_empty() {
        note.text.clone()
    } else {
        format!("{} ({})", note.text, note.errata.join(" "))
    }
}

fn operands(page: &Page) -> Vec<Block> {
    if page.operands.is_empty() {
        return Vec::new();
    }
    let rows = page.operands.iter().map(|o| {
        [
            format!("`{}`", o.name),
            o.about.clone(),
            o.direction.to_owned(),
            o.kind.clone(),
            o.width.clone(),
            o.default.as_ref().map_or("-".to_owned(), |default| format!("`{default}`")),
            if o.attributes.is_empty() { "-".to_owned() } else { format!("`{}`", o.attributes) },
        ]
    });
    let forms = page.forms.iter().map(|form| {
        let operands: Vec<String> = form.operands.iter().map(|operand| format!("`{operand}`")).collect();
        [form.form.to_owned(), form.stype.to_owned(), operands.join(", ")]
    });
    vec![
        table("operand | what it is |  | field and type | bits | default | may carry", rows),
        list(&[&page.prefixes[..], &page.idle_names].concat()),
        table("form | source type | operands by field", forms),
    ]
}

fn modifiers(page: &Page) -> Block {
    let rows = page.modifiers.iter().map(|m| {
        let default =
            m.default.as_ref().map_or("must be written".to_owned(), |default| format!("`{default}`"));
        [format!("`{}`", m.name), m.values.join(" "), default, m.about.clone()]
    });
    table("modifier | values | if none is written | what it does", rows)
}

fn special(page: &Page) -> Vec<Block> {
    let Some(first) = page.special.first() else { return Vec::new() };
    let head = ["function"].into_iter().chain(first.results.iter().map(|(name, _)| name.as_str()));
    let row = |row: &SpecialRow| {
        let results = row.results.iter().map(|(_, bits)| bits);
        [&row.function].into_iter().chain(results).map(|text| Cell::from(text.as_str())).collect()
    };
    let results = Table {
        head: head.map(str::to_owned).collect(),
        rows: page.special.iter().map(row).collect(),
        is_open: true,
        ..Table::default()
    };
    let accuracy = page.special.iter().map(|row| [row.function.clone(), row.accuracy.clone()]);
    vec![
        said(
            "Results of the oracle, in hexadecimal; of 16-bit formats the half. `near`: the accuracy decides.",
        ),
        results.into(),
        table("function | accuracy that the profile demands", accuracy),
    ]
}

fn examples(page: &Page) -> Vec<Block> {
    let shown = page.examples.iter().flat_map(|example| {
        [said(format!("{}:", raised(&example.about))), Block::Lines(example_lines(example))]
    });
    [said("The results are those of the oracle under this profile.")].into_iter().chain(shown).collect()
}

fn raised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn example_lines(example: &Example) -> Vec<String> {
    let line = |mark: &str, cell: &Value| {
        let near = if cell.is_approximate { ", correctly rounded" } else { "" };
        format!("  {mark} {:<12} {}{near}", cell.location, cell.text)
    };
    let mut lines = vec![example.asm.clone(), example.word.clone()];
    lines.extend(example.inputs.iter().map(|cell| line("in ", cell)));
    lines.extend(example.results.iter().map(|cell| line("out", cell)));
    lines.extend(example.event.iter().map(|event| format!("  {event}")));
    if example.results.is_empty() && example.event.is_none() {
        lines.push("  writes nothing".to_owned());
    }
    lines
}

fn readings(page: &Page) -> Vec<Block> {
    let rows = page.readings.iter().map(|row| {
        let meaning = format!("{}: {}", row.setting, row.meaning);
        [row.erratum.clone(), row.question.to_owned(), meaning, row.others.join("; "), row.evidence.clone()]
    });
    let mut blocks = vec![table("erratum | question | in force | other settings | evidence", rows)];
    if !page.settled.is_empty() {
        let rows =
            page.settled.iter().map(|row| [row.erratum.clone(), row.title.clone(), row.decision.clone()]);
        blocks.push(said("Defects of the documents that are settled alike in every profile:"));
        blocks.push(table("erratum | defect | decision", rows));
    }
    blocks
}

fn encoding(page: &Page) -> Vec<Block> {
    let row = |form: &str, field: &FieldRow| {
        let value = match (field.constraint, field.default, field.codes.as_str()) {
            (Some(_), _, codes) => codes.to_owned(),
            (None, None, codes) => codes.to_owned(),
            (None, Some(default), "") => format!("default {default}"),
            (None, Some(default), codes) => format!("{codes}, default {default}"),
        };
        [field.bits(), form.to_owned(), format!("`{}`", field.name), field.r#type.to_owned(), value]
    };
    let shared = page.encoding.shared.iter().map(|field| row("all", field));
    let own =
        page.encoding.forms.iter().flat_map(|form| form.fields.iter().map(|field| row(form.form, field)));
    vec![
        said(
            "The word has 128 bits. The codes are those of the encoding table, which is provisional and can be replaced (`--numbers`). \
             Bits 127:112 are kept and not interpreted (E007).",
        ),
        table("bits | form | field | type | value", shared.chain(own)),
    ]
}
