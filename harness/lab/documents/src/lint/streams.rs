//! Checks pages about an instruction that is an operand stream.

use std::collections::HashSet;

use super::Lint;
use super::classes::*;
use super::code::{grammar, loops, undefined};
use super::model::Page;
use super::tables::shape;
use crate::facts::StreamFacts;
use crate::pseudo::Code;
use crate::stream::sections;

pub fn check(lint: &mut Lint) {
    for page in lint.set.pages {
        leftovers(lint, page);
        for stream in &page.document.streams {
            one(lint, page, stream);
        }
        let document = &page.document;
        if document.definitions.is_empty() && document.types.is_empty() && document.streams.is_empty() {
            let message = "nothing is defined in this document".to_owned();
            lint.report(&NOTHING_DEFINED, page, page.source.line(0), "", message);
        }
    }
}

/// Reports a line of consecutive numbers from 1: probably line numbers that were copied with the
/// page.
fn leftovers(lint: &mut Lint, page: &Page) {
    const ENOUGH: usize = 8;
    for number in 0..page.source.line_count().min(ENOUGH) {
        let line = page.source.line(number);
        let mut words = page.text(&line).split_whitespace();
        let counted = words.by_ref().zip(1..).take_while(|(word, n)| word.parse() == Ok(*n)).count();
        if counted >= ENOUGH {
            let message = format!("the line counts to {counted}: line numbers of a page, it seems");
            lint.report(&LEFTOVER, page, line, "", message);
        }
    }
}

fn one(lint: &mut Lint, page: &Page, stream: &StreamFacts) {
    let name = stream.name.as_str();
    let set = lint.set;
    if !set.optypes.is_empty() {
        let message = format!("`{name}` is no definition of the language that the other documents are in");
        lint.report(&FOREIGN_DOCUMENT, page, page.at(&stream.at), name, message);
    }
    for section in &sections(&page.source) {
        for table in section.tables() {
            shape(lint, page, name, table);
            for row in table.rows.iter().skip(1) {
                let is_blank = |cell: &&crate::layout::Span| page.text(cell).is_empty();
                if let Some(first) = row.first().filter(is_blank) {
                    let message =
                        "this row begins with an empty cell: does it go on from the row above?".to_owned();
                    let end = row.last().map_or(first.end, |last| last.end);
                    lint.report(&WRAPPED_ROW, page, first.start..end, name, message);
                }
            }
        }
        if section.name == "Semantics" {
            for code in section.code().map(|span| Code::read(&page.source.text, span)) {
                grammar(lint, page, name, &code);
                let known = names(stream);
                for routine in &code.routines {
                    undefined(lint, page, name, routine, &known, &HashSet::new());
                    loops(lint, page, name, routine);
                }
            }
        }
    }
    bits(lint, page, stream);
}

/// Returns the names that code about a stream may use: its parts, and its operands also in lower
/// case.
fn names(stream: &StreamFacts) -> HashSet<String> {
    let mut known: HashSet<String> = stream.fields.iter().map(|field| field.name.clone()).collect();
    let operands = stream.fields.iter().filter(|field| !field.classes.is_empty());
    known.extend(operands.map(|field| field.name.to_ascii_lowercase()));
    known
}

/// Reports codes without a meaning, and bits that belong to no group.
fn bits(lint: &mut Lint, page: &Page, stream: &StreamFacts) {
    for field in stream.fields.iter().filter(|field| !field.bits.is_empty()) {
        for bits in &field.bits {
            let codes =
                1usize.checked_shl(u32::from(bits.hi.saturating_sub(bits.lo)) + 1).unwrap_or(usize::MAX);
            if bits.values.len() < codes {
                let (name, hi, lo) = (&field.name, bits.hi, bits.lo);
                let message = format!(
                    "bits {hi}..{lo} of `{name}` have {codes} codes, and {} have a meaning",
                    bits.values.len()
                );
                lint.report(&RESERVED_CODES, page, page.at(&stream.at), &stream.name, message);
            }
        }
        let top = field.bits.iter().map(|bits| bits.hi).max().unwrap_or(0);
        let named = |bit: &u8| field.bits.iter().any(|bits| (bits.lo..=bits.hi).contains(bit));
        let gaps: Vec<String> = (0..top).filter(|bit| !named(bit)).map(|bit| bit.to_string()).collect();
        if !gaps.is_empty() {
            let message = format!("bit {} of `{}` is in no group", gaps.join(", "), field.name);
            lint.report(&RESERVED_CODES, page, page.at(&stream.at), &stream.name, message);
        }
    }
}
