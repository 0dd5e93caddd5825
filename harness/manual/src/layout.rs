//! A page put together from its data: the order of the sections, and their headings.

use crate::document::{self, Block};
use crate::encoding::FieldRow;
use crate::examples::{Cell, Example};
use crate::page::{Page, Statement};

/// Column at which the errata of a statement stand.
const ERRATA: usize = 72;

impl Page {
    /// The page as Markdown.
    pub fn markdown(&self) -> String {
        document::markdown(&blocks(self))
    }

    /// The page for a terminal.
    pub fn text(&self) -> String {
        document::text(&blocks(self))
    }
}

/// The blocks of a page.
fn blocks(page: &Page) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(1, format!("{}: {}", page.optype, lowered(&page.title))),
        Block::Paragraph(format!(
            "Unit {}. Source: {}. Profile `{}`. A number such as E011 is an erratum: `assay errata show E011` explains it.",
            page.group, page.source, page.profile
        )),
        Block::Code(vec![page.syntax.clone()]),
        Block::Heading(2, "What it computes".to_owned()),
        Block::Paragraph(page.summary.clone()),
        Block::Code(page.formula.iter().map(statement).collect()),
    ];
    list(&mut blocks, "", page.functions.clone());
    list(&mut blocks, "", page.notes.iter().map(note).collect());
    blocks.push(Block::Paragraph(
        "In the formula integers have no bound, and a destination keeps the low bits that fit. A comparison gives 1 or 0. An \
         operand is its value after the prefixes."
            .to_owned(),
    ));
    operands(page, &mut blocks);
    modifiers(page, &mut blocks);
    list(&mut blocks, "Rules", page.rules.clone());
    list(&mut blocks, "Faults", page.faults.clone());
    special(page, &mut blocks);
    examples(page, &mut blocks);
    readings(page, &mut blocks);
    encoding(page, &mut blocks);
    blocks
}

fn lowered(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().collect::<String>() + letters.as_str())
}

fn list(blocks: &mut Vec<Block>, heading: &str, items: Vec<String>) {
    if items.is_empty() {
        return;
    }
    if !heading.is_empty() {
        blocks.push(Block::Heading(2, heading.to_owned()));
    }
    blocks.push(Block::List(items));
}

fn statement(statement: &Statement) -> String {
    match statement.errata.is_empty() {
        true => statement.text.clone(),
        false => format!("{:<ERRATA$}# {}", statement.text, statement.errata.join(" ")),
    }
}

fn note(note: &Statement) -> String {
    match note.errata.is_empty() {
        true => note.text.clone(),
        false => format!("{} ({})", note.text, note.errata.join(" ")),
    }
}

fn operands(page: &Page, blocks: &mut Vec<Block>) {
    if page.operands.is_empty() {
        return;
    }
    blocks.push(Block::Heading(2, "Operands".to_owned()));
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
    let head = ["operand", "what it is", "", "field and type", "bits", "if left out", "may carry"];
    blocks.push(Block::table(head, rows.collect()));
    list(blocks, "", page.prefixes.iter().chain(&page.idle_names).cloned().collect());
    let rows = page.forms.iter().map(|form| {
        let operands: Vec<String> = form.operands.iter().map(|operand| format!("`{operand}`")).collect();
        [form.form.to_owned(), form.stype.to_owned(), operands.join(", ")]
    });
    blocks.push(Block::table(["form", "source type", "operands by field"], rows.collect()));
}

fn modifiers(page: &Page, blocks: &mut Vec<Block>) {
    if page.modifiers.is_empty() {
        return;
    }
    blocks.push(Block::Heading(2, "Modifiers".to_owned()));
    let rows = page.modifiers.iter().map(|m| {
        let default =
            m.default.as_ref().map_or("must be written".to_owned(), |default| format!("`{default}`"));
        [format!("`{}`", m.name), m.values.join(" "), default, m.about.clone()]
    });
    blocks.push(Block::table(["modifier", "values", "if none is written", "what it does"], rows.collect()));
}

fn special(page: &Page, blocks: &mut Vec<Block>) {
    let Some(first) = page.special.first() else { return };
    blocks.push(Block::Heading(2, "Special values and accuracy".to_owned()));
    blocks.push(Block::Paragraph(
        "Results of the oracle, in hexadecimal; of 16-bit formats the half. `near`: the accuracy decides."
            .to_owned(),
    ));
    let head = std::iter::once("function").chain(first.results.iter().map(|(name, _)| name.as_str()));
    let row = |row: &crate::special::SpecialRow| {
        std::iter::once(row.function.clone())
            .chain(row.results.iter().map(|(_, bits)| bits.clone()))
            .collect()
    };
    blocks.push(Block::Table {
        head: head.map(str::to_owned).collect(),
        rows: page.special.iter().map(row).collect(),
    });
    let rows = page.special.iter().map(|row| [row.function.clone(), row.accuracy.clone()]);
    blocks.push(Block::table(["function", "accuracy that the profile asks for"], rows.collect()));
}

fn examples(page: &Page, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading(2, "Examples".to_owned()));
    blocks.push(Block::Paragraph("The results are those of the oracle under this profile.".to_owned()));
    for example in &page.examples {
        blocks.push(Block::Paragraph(format!("{}:", raised(&example.about))));
        blocks.push(Block::Code(example_lines(example)));
    }
}

fn raised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn example_lines(example: &Example) -> Vec<String> {
    let line = |mark: &str, cell: &Cell| {
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

fn readings(page: &Page, blocks: &mut Vec<Block>) {
    if !page.readings.is_empty() {
        blocks.push(Block::Heading(2, "Readings".to_owned()));
        let rows = page.readings.iter().map(|row| {
            let meaning = format!("{}: {}", row.setting, row.meaning);
            [
                row.erratum.clone(),
                row.question.to_owned(),
                meaning,
                row.others.join("; "),
                row.evidence.clone(),
            ]
        });
        let head = ["erratum", "question", "in force", "other settings", "evidence"];
        blocks.push(Block::table(head, rows.collect()));
    }
    if !page.settled.is_empty() {
        blocks.push(Block::Paragraph(
            "Defects of the documents that are settled alike in every profile:".to_owned(),
        ));
        let rows =
            page.settled.iter().map(|row| [row.erratum.clone(), row.title.clone(), row.decision.clone()]);
        blocks.push(Block::table(["erratum", "defect", "decision"], rows.collect()));
    }
}

fn encoding(page: &Page, blocks: &mut Vec<Block>) {
    let row = |form: &str, field: &FieldRow| {
        let value = match (field.constraint, field.default, field.codes.as_str()) {
            (Some(_), _, codes) => codes.to_owned(),
            (None, None, codes) => codes.to_owned(),
            (None, Some(default), "") => format!("default {default}"),
            (None, Some(default), codes) => format!("{codes}, default {default}"),
        };
        [field.bits(), form.to_owned(), format!("`{}`", field.name), field.r#type.to_owned(), value]
    };
    blocks.push(Block::Heading(2, "Encoding".to_owned()));
    blocks.push(Block::Paragraph(
        "The word has 128 bits. The codes are those of the table of numbers, which is provisional and can be replaced (`--numbers`). \
         Bits 127:112 are kept and not interpreted (E007)."
            .to_owned(),
    ));
    let shared = page.encoding.shared.iter().map(|field| row("all", field));
    let own =
        page.encoding.forms.iter().flat_map(|form| form.fields.iter().map(|field| row(form.form, field)));
    blocks.push(Block::table(["bits", "form", "field", "type", "value"], shared.chain(own).collect()));
}
