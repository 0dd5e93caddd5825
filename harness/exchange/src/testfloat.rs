//! Berkeley TestFloat's columns: operands, results and exception flags in hexadecimal, a case a line.
//!
//! The instruction set has no exception flags, so the column is written as `00`, and ignored when read.

use std::fmt::Write;

use assay_isa::Instruction;
use assay_runner::Context;
use assay_runner::RunError;

use crate::columns::{ColumnContent, Columns, digits, value};
use crate::dialect::{Dialect, Line, Posed};
use crate::head::Head;

/// TestFloat's functions that an instruction computes: name, mnemonic and operands. Modifiers after the name are those
/// of the instruction: `f32_add.RM`.
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

/// The text for unknown flags.
const NO_FLAGS: &str = "00";

/// The instruction that a text names: a function of TestFloat, or assembler text.
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
    /// The form for one instruction.
    pub fn new(context: &Context, instruction: &Instruction) -> Result<TestFloat, RunError> {
        Ok(TestFloat { columns: Columns::new(context, instruction)? })
    }
}

impl Dialect for TestFloat {
    /// TestFloat has none.
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
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
