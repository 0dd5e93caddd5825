//! Prints instructions as canonical text.

use std::fmt::Write;

use super::{literal, visa};
use crate::catalog::ALL_PREDICATES;
use crate::instruction::{Instruction, Operand, Source};
use crate::legality;
use crate::location::{BANK_BYTES, Location, PT, RZ, SRZ, URZ};
use crate::tables::types::BSel;

/// Returns the canonical text of an instruction. Each instruction has exactly one canonical text.
pub fn print(instruction: &Instruction) -> String {
    if instruction.optype() == visa::MNEMONIC {
        return visa::print(instruction) + &schedule(instruction);
    }
    let mut text = String::new();
    let guard = instruction.guard();
    if guard.not || guard.source.location().is_some() {
        text += &format!("@{}{} ", if guard.not { "!" } else { "" }, place(guard.source));
    }
    text += &mnemonic(instruction);
    let order = instruction.form().order.iter().filter(|name| legality::has(instruction, name));
    let operands =
        order.filter(|name| !is_left_out(instruction, name)).map(|name| operand(instruction, name));
    let operands = operands.collect::<Vec<_>>().join(", ");
    if !operands.is_empty() {
        text += " ";
        text += &operands;
    }
    text + &schedule(instruction)
}

fn schedule(instruction: &Instruction) -> String {
    match instruction.schedule {
        0 => String::new(),
        bits => format!(" ${bits:#x}"),
    }
}

/// Returns the mnemonic with all modifiers that differ from their defaults, such as
/// `FSETP.FTZ.LT.AND` or `FADD`.
pub fn mnemonic(instruction: &Instruction) -> String {
    let form = instruction.form();
    let mut text = form.optype.mnemonic().to_owned();
    for name in form.optype.syntax {
        let field = form.field(name).expect("the lint holds syntax lines against fields");
        let value = instruction.value_name(name);
        if field.default != Some(value) {
            text.push('.');
            text.push_str(value);
        }
    }
    text
}

/// Whether the text omits an operand: the operand is optional, and has the default value and
/// default attributes.
fn is_left_out(instruction: &Instruction, name: &str) -> bool {
    let form = instruction.form();
    if !form.is_optional(name) {
        return false;
    }
    let plain = Instruction::new(form);
    let fields = form.fields.iter().map(|f| f.name);
    let mut of_operand = fields.filter(|f| f.split('.').next() == Some(name));
    of_operand.all(|f| instruction.get(f) == plain.get(f))
}

fn operand(instruction: &Instruction, name: &str) -> String {
    let Operand { source, words, neg, abs, bitnot, not, half, byte } = instruction.operand(name);
    let mut text = match source {
        Source::Imm(bits) => literal::print(literal::kind(instruction, name), bits),
        Source::Reg(n) if words > 1 && n != RZ => format!("R[{n}:{}]", n + words - 1),
        Source::UReg(n) if words > 1 && n != URZ => format!("UR[{n}:{}]", n + words - 1),
        _ => place(source),
    };
    if let Some(half) = half
        && legality::permits(instruction, &format!("{name}.hsel"))
    {
        write!(text, ".{half:?}").expect("writing to a string cannot fail");
    }
    if let Some(byte) = byte.filter(|byte| *byte != BSel::B0) {
        write!(text, ".{byte:?}").expect("writing to a string cannot fail");
    }
    if abs {
        text = format!("|{text}|");
    }
    let sign = if legality::complements(instruction) { "~" } else { "-" };
    let prefixes = [(not, "!"), (bitnot, "~"), (neg, sign)];
    prefixes.iter().filter(|(present, _)| *present).map(|(_, mark)| *mark).collect::<String>() + &text
}

fn place(source: Source) -> String {
    match source {
        Source::Reg(RZ) => "RZ".into(),
        Source::UReg(URZ) => "URZ".into(),
        Source::Pred(PT) => "PT".into(),
        Source::UPred(PT) => "UPT".into(),
        Source::Special(SRZ) => "SRZ".into(),
        Source::Reg(n) => format!("R{n}"),
        Source::UReg(n) => format!("UR{n}"),
        Source::Pred(n) => format!("P{n}"),
        Source::UPred(n) => format!("UP{n}"),
        Source::AllPredicates => ALL_PREDICATES.into(),
        Source::Special(code) => Location::Sr(code).to_string(),
        Source::Const { bank, offset } => format!("c[{bank:#x}][{offset:#x}]"),
        Source::ConstAt { bank, base: URZ, offset } if offset < BANK_BYTES / 2 => {
            format!("c[{bank:#x}][{offset:#x}]")
        }
        Source::ConstAt { bank, base, offset } => {
            format!("c[{bank:#x}][{}{}]", place(Source::UReg(base)), added(offset, BANK_BYTES))
        }
        Source::URegAt { base, offset } => {
            format!("UR[{}{}]", place(Source::UReg(base)), added(offset, 1 << 7))
        }
        Source::Imm(bits) => format!("{bits:#x}"),
        Source::Variable(_) | Source::Flags(_) | Source::DispatchMask => {
            unreachable!("vISA has a text of its own")
        }
    }
}

/// Returns the text of an offset that is added to a register. `bits` is the offset in two's
/// complement, and `count` is 2 to the power of its width (E167).
fn added(bits: u32, count: u32) -> String {
    match bits {
        0 => String::new(),
        _ if bits < count / 2 => format!("+{bits:#x}"),
        _ => format!("-{:#x}", count - bits),
    }
}
