//! Explains the fields of an instruction word.

use assay_isa::catalog::parts;
use assay_isa::row::FieldType;
use assay_isa::{Instruction, Location, Source, codec};

use crate::context::Context;

/// Returns the fields of the word: their positions, their contents, and the meaning.
pub fn explain(instruction: &Instruction, context: &Context) -> String {
    let word = codec::encode(instruction, &context.numbers);
    let mut text = format!("word {word:#034x}, form {}\n", instruction.form().name);
    for (field, value) in instruction.form().fields.iter().zip(instruction.values()) {
        let meaning = match field.ty {
            FieldType::Enum(e) => e.values[*value as usize].to_owned(),
            ty if ty.is_literal() => format!("{value:#x}"),
            _ => held_by(instruction, field.name),
        };
        let bits = (word >> field.lo) & ((1 << field.width) - 1);
        let range = format!("[{}..={}]", field.lo, field.lo + field.width - 1);
        text += &format!("  {range:<12} {:<10} {:<10} {bits:#x} = {meaning}\n", field.ty.name(), field.name);
    }
    text
}

/// Returns the locations of the operand that a field encodes in whole or in part.
fn held_by(instruction: &Instruction, field: &str) -> String {
    let form = instruction.form();
    let names = form.order.iter().copied().chain([form.guard()]);
    let mut names = names.filter(|name| parts(name).any(|part| part == field));
    let Some(operand) = names.next().map(|name| instruction.operand(name)) else { return String::new() };
    let places: Vec<String> = operand.locations().map(|location: Location| location.to_string()).collect();
    match (operand.source, operand.source.base()) {
        (Source::ConstAt { .. } | Source::URegAt { .. }, Some(base)) => {
            format!("part of an address with {base}")
        }
        (Source::ConstAt { .. } | Source::URegAt { .. }, None) => {
            "part of an address without a register".into()
        }
        (Source::Imm(bits), _) => format!("{bits:#010x}"),
        _ if places.is_empty() => "no storage (RZ, URZ, SRZ, PT or UPT)".into(),
        _ => places.join(", "),
    }
}
