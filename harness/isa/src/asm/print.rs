//! The canonical text of an instruction.

use std::fmt::Write;

use super::literal;
use crate::instruction::{Instruction, Operand, Source};
use crate::legality;
use crate::location::{PT, RZ, URZ};
use crate::row::FieldType;

/// Writes an instruction as text: one text an instruction.
pub fn print(instruction: &Instruction) -> String {
    let mut text = String::new();
    let guard = instruction.guard();
    if guard.not || guard.source != Source::Pred(PT) {
        text += &format!("@{}{} ", if guard.not { "!" } else { "" }, place(guard.source));
    }
    text += instruction.optype();
    for name in instruction.form().optype.syntax {
        text += &modifier(instruction, name);
    }
    let operands = instruction.form().order.iter().map(|name| operand(instruction, name));
    text += " ";
    text += &operands.collect::<Vec<_>>().join(", ");
    if instruction.schedule != 0 {
        write!(text, " ${:#x}", instruction.schedule).expect("writing to a string cannot fail");
    }
    text
}

fn modifier(instruction: &Instruction, name: &str) -> String {
    let field = instruction.form().field(name).expect("the lint holds syntax lines against fields");
    let value = legality::value_name(instruction, name);
    if field.default == Some(value) { String::new() } else { format!(".{value}") }
}

fn operand(instruction: &Instruction, name: &str) -> String {
    let Operand { source, neg, abs, not, half } = instruction.operand(name);
    let field = instruction.form().field(name).expect("the lint holds operand lists against fields");
    let mut text = match (field.ty, source) {
        (FieldType::F32Imm, Source::Imm(bits)) => literal::print(literal::kind(instruction, name), bits),
        _ => place(source),
    };
    if let Some(half) = half
        && legality::permits(instruction, &format!("{name}.hsel"))
    {
        write!(text, ".{half:?}").expect("writing to a string cannot fail");
    }
    if abs {
        text = format!("|{text}|");
    }
    format!("{}{}{text}", if not { "!" } else { "" }, if neg { "-" } else { "" })
}

fn place(source: Source) -> String {
    match source {
        Source::Reg(RZ) => "RZ".into(),
        Source::UReg(URZ) => "URZ".into(),
        Source::Pred(PT) => "PT".into(),
        Source::Reg(n) => format!("R{n}"),
        Source::UReg(n) => format!("UR{n}"),
        Source::Pred(n) => format!("P{n}"),
        Source::Const { bank, offset } => format!("c[{bank:#x}][{offset:#x}]"),
        Source::Imm(bits) => format!("{bits:#x}"),
    }
}
