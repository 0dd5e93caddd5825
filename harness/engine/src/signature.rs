//! What makes two divergences the same bug: optype, modifiers that matter, destination, value classes
//! and error class, all of them read off a shrunk case.

use std::borrow::Cow;

use assay_isa::row::FieldType;
use assay_isa::{Batch, Instruction};

use crate::cells::{Cell, cells};
use crate::judge::Divergence;
use crate::kinds::Kind;

/// The signature of a shrunk divergence, e.g. `FFMA.FTZ -b | +normal, +subnormal, -zero | R: flush`.
pub fn signature(instruction: &Instruction, batch: &Batch, divergence: &Divergence) -> String {
    let destination = match divergence.location.map(|l| l.to_string()) {
        Some(name) => name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned(),
        None => "event".to_owned(),
    };
    let classes: Vec<_> = cells(instruction).map(|cell| class(&cell, batch)).collect();
    let classes = classes.join(", ");
    format!("{} | {classes} | {destination}: {}", modifiers(instruction), divergence.kind.name())
}

/// The optype with every modifier and attribute that is not at its default.
fn modifiers(instruction: &Instruction) -> String {
    let form = instruction.form();
    let mut text = form.optype.name.to_owned();
    let mut attributes = String::new();
    for (field, value) in form.fields.iter().zip(instruction.values()) {
        let FieldType::Enum(e) = field.ty else { continue };
        let name = e.values[*value as usize];
        let is_attribute = form.is_operand(field);
        // An attribute without a default, such as a half select, is 0 where it is not used (E031).
        let at_rest = field.default == Some(name) || is_attribute && field.default.is_none() && *value == 0;
        if field.constraint.is_some() || at_rest {
            continue;
        }
        if is_attribute {
            attributes += &format!(" {}", field.name);
        } else {
            text += &format!(".{name}");
        }
    }
    text + &attributes
}

fn class(cell: &Cell, batch: &Batch) -> Cow<'static, str> {
    match cell.place.value(batch, 0) {
        Some(bits) => cell.kind.class_name(bits),
        None if cell.kind == Kind::Predicate => "PT".into(),
        None => "zero register".into(),
    }
}
