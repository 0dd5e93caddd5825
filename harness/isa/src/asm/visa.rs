//! Parses and prints vISA text, which has its own syntax:
//! `(!F1) BFN.x1a.UD (M3, 8) V1 V2 V3 0x8000`.
//!
//! The control byte is hexadecimal, and the document's brackets are not part of the text (E088).
//! The document has no syntax for the execution mask. In the text that this module accepts, the
//! mask precedes the size, and the mask M1 is omitted.

use std::ops::Range;

use super::scan::{Cursor, unsigned};
use super::{AsmError, Problem};
use crate::catalog::Form;
use crate::instruction::{Instruction, Source};
use crate::legality;
use crate::location::{NO_FLAGS, VARIABLES};
use crate::row::FieldType;

/// The start of the mnemonic.
pub(super) const MNEMONIC: &str = "BFN";

/// Whether a text is a vISA instruction: it starts with the mnemonic and a dot, or with a
/// parenthesis.
pub(super) fn is_visa(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('(') || text.strip_prefix(MNEMONIC).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns the text of a vISA instruction, without the scheduling field.
pub(super) fn print(instruction: &Instruction) -> String {
    let predicate = match instruction.operand("pred") {
        operand if operand.source.location().is_none() && !operand.not => String::new(),
        operand => format!("({}{}) ", if operand.not { "!" } else { "" }, place(operand.source)),
    };
    let control = instruction.get("ctrl").unwrap_or_default();
    let mask = match instruction.value_name("mask") {
        "M1" => String::new(),
        mask => format!("{mask}, "),
    };
    let operands =
        ["dst", "src0", "src1", "src2"].map(|name| place(instruction.operand(name).source)).join(" ");
    let (ty, size) = (instruction.value_name("type"), instruction.value_name("size"));
    format!("{predicate}{MNEMONIC}.x{control:02x}.{ty} ({mask}{size}) {operands}")
}

fn place(source: Source) -> String {
    match source {
        Source::Variable(n) => format!("V{n}"),
        Source::Flags(NO_FLAGS) => "none".into(),
        Source::Flags(n) => format!("F{n}"),
        Source::Imm(bits) => format!("{bits:#06x}"),
        _ => unreachable!("BFN's row has no other operands"),
    }
}

/// Parses a vISA instruction up to its scheduling field.
pub(super) fn parse(cursor: &mut Cursor<'_>, form: &'static Form) -> Result<Instruction, AsmError> {
    let mut instruction = Instruction::new(form);
    if cursor.eat('(') {
        let not = cursor.eat('!');
        let value = numbered(cursor, "none", 'F', NO_FLAGS)?;
        cursor.expect(')', "`)`", "close the predicate")?;
        instruction.set("pred", value);
        instruction.set("pred.not", u32::from(not));
    }
    cursor.skip_space();
    let start = cursor.at;
    let (name, span) = cursor.word();
    if name != MNEMONIC {
        let problem = Problem::Mnemonic(name.to_owned());
        return Err(AsmError {
            span,
            problem,
            remedy: format!("a predicate in parentheses goes with {MNEMONIC}"),
        });
    }
    control(cursor, &mut instruction)?;
    cursor.expect('.', "`.`", "write the type behind the control byte: BFN.x1a.UD")?;
    choose(cursor, &mut instruction, "type")?;
    cursor.expect('(', "`(`", "write the execution size in parentheses: (8) or (M3, 8)")?;
    cursor.skip_space();
    if cursor.rest().starts_with('M') {
        choose(cursor, &mut instruction, "mask")?;
        cursor.expect(',', "`,`", "write the execution size behind the mask: (M3, 8)")?;
    }
    choose(cursor, &mut instruction, "size")?;
    cursor.expect(')', "`)`", "close the execution size")?;
    instruction.set("dst", numbered(cursor, "", 'V', VARIABLES)?);
    for source in ["src0", "src1", "src2"] {
        let value = operand(cursor)?;
        instruction.set(source, value);
    }
    let span = start..cursor.at;
    legality::check(&instruction).map_err(|violation| AsmError {
        span,
        problem: Problem::Illegal(Box::new(violation)),
        remedy: "change one of the parts named".into(),
    })?;
    Ok(instruction)
}

/// Parses the control byte, such as `.x1a`.
fn control(cursor: &mut Cursor<'_>, instruction: &mut Instruction) -> Result<(), AsmError> {
    cursor.expect('.', "`.`", "write the control byte behind the mnemonic: BFN.x1a")?;
    let (text, span) = cursor.take(|c| c.is_ascii_alphanumeric());
    let digits = text.strip_prefix('x').filter(|digits| (1..=2).contains(&digits.len()));
    let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    instruction.set("ctrl", value.ok_or_else(|| literal(text, span, "write x and two hexadecimal digits"))?);
    Ok(())
}

/// Parses a value name of an enumerated field, and sets the field.
fn choose(cursor: &mut Cursor<'_>, instruction: &mut Instruction, field: &str) -> Result<(), AsmError> {
    let (text, span) = cursor.word();
    let Some(FieldType::Enum(e)) = instruction.form().field(field).map(|f| f.ty) else {
        unreachable!("the row has this field, and it is enumerated")
    };
    let index = e.index_of(text);
    let index = index.ok_or_else(|| literal(text, span, &format!("write one of {}", e.values.join(" "))))?;
    instruction.set(field, index);
    Ok(())
}

/// Parses a letter and a number below `limit`. The name `none` means `limit`.
fn numbered(cursor: &mut Cursor<'_>, none: &str, letter: char, limit: u8) -> Result<u32, AsmError> {
    let (text, span) = cursor.word();
    if !none.is_empty() && text == none {
        return Ok(limit.into());
    }
    let number = text.strip_prefix(letter).and_then(|digits| digits.parse::<u8>().ok());
    let number = number.filter(|number| *number < limit);
    number.map(u32::from).ok_or_else(|| {
        let remedy = format!("write {letter}0 to {letter}{}", limit - 1);
        AsmError { span, problem: Problem::Register(text.to_owned()), remedy }
    })
}

/// Parses a variable or a 16-bit literal. Returns the bits of the operand's field.
fn operand(cursor: &mut Cursor<'_>) -> Result<u32, AsmError> {
    cursor.skip_space();
    if !cursor.rest().starts_with(|c: char| c.is_ascii_digit()) {
        return numbered(cursor, "", 'V', VARIABLES);
    }
    let (text, span) = cursor.word();
    let value = unsigned(text).filter(|value| *value < 1 << 16);
    value.map(|value| 1 << 16 | value).ok_or_else(|| literal(text, span, "an immediate has 16 bits"))
}

fn literal(text: &str, span: Range<usize>, remedy: &str) -> AsmError {
    AsmError { span, problem: Problem::Literal(text.to_owned()), remedy: remedy.to_owned() }
}
