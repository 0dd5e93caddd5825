//! Berkeley TestFloat's columns: operands, results and exception flags in hexadecimal, one case per
//! line.
//!
//! The instruction set has no exception flags. So the column of the flags is written as `00`, and
//! ignored when read.

use std::fmt::Write;

use assay_isa::effect::Lanes;
use assay_isa::{Batch, Effects, Instruction, Location};
use assay_runner::Context;
use assay_runner::RunError;

use crate::columns::{ColumnContent, Columns, digits, value};
use crate::dialect::{Dialect, Line, Posed};
use crate::head::Head;

/// The functions of TestFloat that an instruction can compute: name, mnemonic and operands. A name
/// can be followed by modifiers of the instruction, as in `f32_add.RM`.
const FUNCTIONS: [(&str, &str, &str); 10] = [
    ("f32_add", "FADD", "R0, R1, R2"),
    ("f32_sub", "FADD", "R0, R1, -R2"),
    ("f32_mul", "FMUL", "R0, R1, R2"),
    ("f32_mulAdd", "FFMA", "R0, R1, R2, R3"),
    ("f32_eq", "FSETP.EQ.AND", "P0, R1, R2"),
    ("f32_le", "FSETP.LE.AND", "P0, R1, R2"),
    ("f32_lt", "FSETP.LT.AND", "P0, R1, R2"),
    ("f32_eq_signaling", "FSETP.EQ.AND", "P0, R1, R2"),
    ("f32_le_quiet", "FSETP.LE.AND", "P0, R1, R2"),
    ("f32_lt_quiet", "FSETP.LT.AND", "P0, R1, R2"),
];

/// The text in the column of the exception flags.
const NO_FLAGS: &str = "00";

/// Returns the instruction for a text: the name of a function of TestFloat, or assembler text.
pub fn named(context: &Context, text: &str) -> Result<Instruction, RunError> {
    let (name, modifiers) = text.split_once('.').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let Some((_, mnemonic, operands)) = FUNCTIONS.iter().find(|(function, ..)| *function == name) else {
        if name.starts_with("f32_") {
            let known = FUNCTIONS.map(|(function, ..)| function).join(" ");
            return Err(RunError::input(format!(
                "no instruction computes {name}; those that one does: {known}"
            )));
        }
        return context.assemble(text);
    };
    let modifiers = modifiers.map_or(String::new(), |modifiers| format!(".{modifiers}"));
    context.assemble(&format!("{mnemonic}{modifiers} {operands}"))
}

/// The form.
pub struct TestFloat {
    columns: Columns,
}

impl TestFloat {
    /// Returns the form for one instruction.
    pub fn new(context: &Context, instruction: &Instruction) -> Result<TestFloat, RunError> {
        Ok(TestFloat { columns: Columns::new(context, instruction)? })
    }
}

impl Dialect for TestFloat {
    /// Returns nothing: TestFloat has no head.
    fn head(&self, _head: &Head) -> String {
        String::new()
    }

    fn write(&self, case: &Posed<'_>, text: &mut String) -> Result<(), RunError> {
        for (nth, (location, value)) in self.columns.inputs(case).enumerate() {
            let blank = if nth == 0 { "" } else { " " };
            let _ = write!(text, "{blank}{value:0width$X}", width = digits(location));
        }
        if case.expected.is_some() {
            for (location, outcome) in self.columns.results(case)? {
                let width = digits(location);
                text.push(' ');
                match outcome {
                    ColumnContent::NotWritten => text.push('-'),
                    ColumnContent::Undefined | ColumnContent::Open => text.push('?'),
                    ColumnContent::Allowed(allowed) => {
                        for (nth, span) in allowed.as_spans().iter().enumerate() {
                            let bar = if nth == 0 { "" } else { "|" };
                            let _ = write!(text, "{bar}{:0width$X}", span.low);
                            if span.low < span.high {
                                let _ = write!(text, "..{:0width$X}", span.high);
                            }
                        }
                    }
                }
            }
            text.push(' ');
            text.push_str(NO_FLAGS);
        }
        text.push('\n');
        Ok(())
    }

    fn read(&self, line: &str) -> Result<Line, String> {
        let Columns { reads, writes, .. } = &self.columns;
        let cells: Vec<&str> = line.split_ascii_whitespace().collect();
        let wanted = reads.len() + writes.len();
        if cells.len() != wanted && cells.len() != wanted + 1 {
            let names: Vec<String> = reads.iter().chain(writes).map(ToString::to_string).collect();
            let names = names.join(" ");
            return Err(format!("{} columns; write those of {names}, and flags or none", cells.len()));
        }
        if let Some(flags) = cells.get(wanted).filter(|flags| flags.len() != 2 || !is_hexadecimal(flags)) {
            return Err(format!("`{flags}` are no flags; write two hexadecimal digits, or leave them out"));
        }
        let (inputs, outputs) = cells[..wanted].split_at(reads.len());
        let inputs = reads.iter().zip(inputs).map(|(location, text)| value(*location, text));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let output = |(location, text): (_, &&str)| match *text {
            "-" => Ok(None),
            text => value(location, text).map(Some),
        };
        let outputs = writes.iter().copied().zip(outputs).map(output).collect::<Result<Vec<_>, _>>()?;
        Ok(Line::Answer(Box::new(self.columns.answer(&inputs, &outputs))))
    }

    fn instruction(&self) -> Option<&Instruction> {
        Some(&self.columns.instruction)
    }

    fn read_columns(&self, lines: &[&[u8]], batch: &mut Batch, effects: &mut Effects) -> bool {
        let Columns { reads, writes, word, .. } = &self.columns;
        let cells = reads.iter().chain(writes);
        let width = cells.map(|location| digits(*location) + 1).sum::<usize>() - 1;
        let flags = |line: &[u8]| {
            line.len() == width
                || line.len() == width + 3 && line[width] == b' ' && is_digits(&line[width + 1..])
        };
        if !lines.iter().all(|line| flags(line)) {
            return false;
        }
        batch.reset(*word, reads, lines.len());
        effects.reset(lines.len());
        let mut start = 0;
        for (index, location) in reads.iter().enumerate() {
            if !column(lines, width, &mut start, *location, batch.column_mut(index)) {
                return false;
            }
        }
        writes
            .iter()
            .all(|location| column(lines, width, &mut start, *location, effects.write(*location, Lanes::All)))
    }
}

/// Reads the values of a location from the column that begins at byte `start` of each line. Sets
/// `start` to the beginning of the next column. Returns `false` if a line has no valid value in the
/// column.
fn column(lines: &[&[u8]], width: usize, start: &mut usize, location: Location, values: &mut [u32]) -> bool {
    let end = *start + digits(location);
    let mut sound = true;
    for (line, value) in lines.iter().zip(values) {
        let (mut number, mut wrong) = (0_u32, 0);
        for byte in &line[*start..end] {
            let digit = DIGITS[usize::from(*byte)];
            wrong |= digit;
            number = number << 4 | u32::from(digit & 0xf);
        }
        *value = number;
        let ends = end == width || line[end] == b' ';
        sound &= wrong <= 0xf && ends && (number <= 1 || !location.is_predicate());
    }
    *start = end + 1;
    sound
}

/// The value of each byte that is a hexadecimal digit. Other bytes have 0xff.
const DIGITS: [u8; 256] = {
    let mut digits = [0xff; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value] as usize] = value as u8;
        digits[b"0123456789ABCDEF"[value] as usize] = value as u8;
        value += 1;
    }
    digits
};

fn is_digits(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_hexdigit)
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
