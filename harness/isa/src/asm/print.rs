//! The canonical text of an instruction.

use std::fmt::Write;

use super::literal;
use crate::instruction::{Instruction, Operand, Source};
use crate::legality;
use crate::location::{PT, RZ, URZ};

/// Writes an instruction as text: one text an instruction.
pub fn print(instruction: &Instruction) -> String {
    let mut text = String::new();
    let guard = instruction.guard();
    if guard.not || guard.source != Source::Pred(PT) {
        text += &format!("@{}{} ", if guard.not { "!" } else { "" }, place(guard.source));
    }
    text += &mnemonic(instruction);
    let order = instruction.form().order.iter();
    let operands =
        order.filter(|name| !is_left_out(instruction, name)).map(|name| operand(instruction, name));
    text += " ";
    text += &operands.collect::<Vec<_>>().join(", ");
    if instruction.schedule != 0 {
        write!(text, " ${:#x}", instruction.schedule).expect("writing to a string cannot fail");
    }
    text
}

/// The optype with the modifiers that are written: `FSETP.FTZ.LT.AND`, `FADD` where all are at their defaults.
pub fn mnemonic(instruction: &Instruction) -> String {
    let syntax = instruction.form().optype.syntax;
    let modifiers = syntax.iter().map(|name| modifier(instruction, name));
    instruction.optype().to_owned() + &modifiers.collect::<String>()
}

/// Whether an operand holds the default that its absence stands for, with all its attributes.
fn is_left_out(instruction: &Instruction, name: &str) -> bool {
    let form = instruction.form();
    let plain = Instruction::new(form);
    let fields = form.fields.iter().map(|f| f.name);
    let mut of_operand = fields.filter(|f| f.split('.').next() == Some(name));
    form.is_optional(name) && of_operand.all(|f| instruction.get(f) == plain.get(f))
}

fn modifier(instruction: &Instruction, name: &str) -> String {
    let field = instruction.form().field(name).expect("the lint holds syntax lines against fields");
    let value = legality::value_name(instruction, name);
    if field.default == Some(value) { String::new() } else { format!(".{value}") }
}

fn operand(instruction: &Instruction, name: &str) -> String {
    let Operand { source, neg, abs, bitnot, not, half } = instruction.operand(name);
    let mut text = match source {
        Source::Imm(bits) => literal::print(literal::kind(instruction, name), bits),
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
    let prefixes = [(not, "!"), (bitnot, "~"), (neg, "-")];
    prefixes.iter().filter(|(present, _)| *present).map(|(_, mark)| *mark).collect::<String>() + &text
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
