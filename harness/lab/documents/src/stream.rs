//! Reads the other kind of document: a page about one instruction that is encoded as an operand
//! stream, not as an instruction word.
//!
//! Such a page is Markdown without the definition language. Fixed headings introduce its
//! statements. `## Opcode` gives the opcode. `## Format` is a table of the parts in order, read row
//! by row. `## Description` lists the meaning and range of each part. `## Text` is a line of
//! assembler text.

use crate::error::{Error, ErrorKind};
use crate::facts::{BitsFacts, StreamFacts, StreamFieldFacts, ValueFacts};
use crate::layout::{Block, Section};
use crate::source::Source;

/// Whether a text is such a page.
pub(crate) fn is_stream(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == "## Opcode")
}

/// Reads a page. Unreadable parts are reported and left out.
pub(crate) fn parse_stream(source: &Source, errors: &mut Vec<Error>) -> StreamFacts {
    let mut stream = StreamFacts::default();
    for section in &sections(source) {
        match section.name.as_str() {
            "Opcode" => opcode(source, section, &mut stream, errors),
            "Format" => stream.fields = fields(source, section),
            "Description" => describe(source, section, &mut stream),
            "Properties" => properties(source, section, &mut stream),
            "Text" => stream.text = text_form(source, section),
            _ => {}
        }
    }
    if stream.fields.is_empty() {
        errors.push(missing(source, 0, "a table of the parts of the instruction under `## Format`"));
    }
    stream
}

/// Returns the sections of a page. A heading of any level starts a section.
pub(crate) fn sections(source: &Source) -> Vec<Section> {
    let mut sections: Vec<Section> = vec![Section::default()];
    let mut fence = None;
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        let line = line.trim();
        let span = start..start + line.len();
        let section = sections.last_mut().expect("there is always one");
        match (fence, line.starts_with("```")) {
            (Some(from), true) => {
                section.blocks.push(Block::Code(from..start));
                fence = None;
            }
            (None, true) => fence = Some(at),
            (Some(_), false) => {}
            (None, false) if line.is_empty() => section.add_blank(),
            (None, false) => match line.strip_prefix('#') {
                Some(title) => sections.push(Section {
                    name: title.trim_start_matches('#').trim().to_owned(),
                    head: span,
                    ..Section::default()
                }),
                None => section.add_line(&source.text, span),
            },
        }
    }
    sections
}

/// Reads `NAME = NUMBER`.
fn opcode(source: &Source, section: &Section, stream: &mut StreamFacts, errors: &mut Vec<Error>) {
    stream.at = source.location(section.head.start);
    for span in section.prose() {
        let Some((name, number)) = source.get(&span).split_once('=') else { continue };
        let number = number.trim();
        let parsed = match number.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => number.parse(),
        };
        match parsed {
            Ok(opcode) => (stream.name, stream.opcode) = (name.trim().to_owned(), opcode),
            Err(_) => errors.push(missing(source, span.start, "the number of the instruction after `=`")),
        }
        return;
    }
    errors.push(missing(source, section.head.start, "`NAME = NUMBER` under `## Opcode`"));
}

/// Returns the parts in stream order: the cells of all rows below the head, without the opcode's
/// cell.
fn fields(source: &Source, section: &Section) -> Vec<StreamFieldFacts> {
    let cells = section.tables().flat_map(|table| table.rows.iter().skip(1).flatten());
    let names = cells.map(|cell| source.get(cell)).filter(|name| !name.is_empty()).skip(1);
    names.map(|name| StreamFieldFacts { name: name.to_owned(), ..StreamFieldFacts::default() }).collect()
}

/// Reads `- **Name(type):** …`, the lines `- Bit[2..0]: …` below it, and the lines
/// `- 0b000: name …` below those.
fn describe(source: &Source, section: &Section, stream: &mut StreamFacts) {
    let mut current = None;
    for span in section.prose() {
        let Some(item) = source.get(&span).strip_prefix("- ") else { continue };
        if let Some((name, ty, rest)) = part(item) {
            current = stream.fields.iter().position(|field| field.name == name);
            if let Some(field) = current.map(|index| &mut stream.fields[index]) {
                field.ty = ty.to_owned();
                field.classes = classes(rest);
            }
            continue;
        }
        let Some(field) = current.map(|index| &mut stream.fields[index]) else { continue };
        if let Some((hi, lo)) = bits(item) {
            field.bits.push(BitsFacts { hi, lo, values: Vec::new() });
        } else if let (Some((value, name)), Some(bits)) = (code(item), field.bits.last_mut()) {
            bits.values.push(ValueFacts { name: name.to_owned(), value });
        }
    }
}

/// Parses `**Name(type):** rest`.
fn part(item: &str) -> Option<(&str, &str, &str)> {
    let (head, rest) = item.strip_prefix("**")?.split_once(":**")?;
    let (name, ty) = head.split_once('(')?;
    Some((name.trim(), ty.strip_suffix(')')?, rest))
}

/// Returns the words after `Operand class:`.
fn classes(rest: &str) -> Vec<String> {
    let (_, listed) = rest.split_once("Operand class:").unwrap_or_default();
    words(listed)
}

fn words(listed: &str) -> Vec<String> {
    listed.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Parses `Bit[HI..LO]`.
fn bits(item: &str) -> Option<(u8, u8)> {
    let (range, _) = item.strip_prefix("Bit[")?.split_once(']')?;
    let (hi, lo) = range.split_once("..").unwrap_or((range, range));
    Some((hi.parse().ok()?, lo.parse().ok()?))
}

/// Parses `0bCODE: NAME …`.
fn code(item: &str) -> Option<(u64, &str)> {
    let (digits, name) = item.strip_prefix("0b")?.split_once(':')?;
    Some((u64::from_str_radix(digits, 2).ok()?, name.split_whitespace().next()?))
}

fn properties(source: &Source, section: &Section, stream: &mut StreamFacts) {
    for span in section.prose() {
        let Some(item) = source.get(&span).strip_prefix("- **") else { continue };
        match item.split_once(":**") {
            Some(("Supported Types", listed)) => stream.types = words(listed),
            Some(("Source Modifier", said)) => stream.source_modifier = Some(said.trim() == "true"),
            _ => {}
        }
    }
}

/// Returns the words of the first line of code.
fn text_form(source: &Source, section: &Section) -> Vec<String> {
    let code = section.code().next().map(|span| source.get(&span).to_owned()).unwrap_or_default();
    code.lines().next().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn missing(source: &Source, at: usize, expected: &'static str) -> Error {
    let found = "nothing that can be read".to_owned();
    Error { at: source.location(at), kind: ErrorKind::Expected { expected, found } }
}
