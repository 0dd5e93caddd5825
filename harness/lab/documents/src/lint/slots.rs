//! Finds the field of a form that an operand of a syntax line stands for.

use super::model::{Form, is_literal, register_name};
use crate::asm::{Line, Slot};
use crate::facts::FieldFacts;

/// Returns the leading capitals of a name, which give its kind: `UR` of `URa`.
fn kind_of(name: &str) -> &str {
    let end = name.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(name.len());
    &name[..end]
}

/// Returns the letter of a source in lower case: `b` of `SrcB`. Such an operand may be any field
/// with that last letter.
pub fn any_source(name: &str) -> Option<String> {
    let rest = name.strip_prefix("Src")?;
    rest.starts_with(|c: char| c.is_ascii_uppercase()).then(|| rest.to_ascii_lowercase())
}

/// Returns the field that an operand of a line stands for, by its name, or else by its position.
pub fn field_of<'a>(form: &Form<'a>, line: &Line, slot: &Slot) -> Option<&'a FieldFacts> {
    by_name(form, &slot.name).or_else(|| by_position(form, line, slot))
}

/// Returns the field that an operand stands for, by its name alone.
pub fn by_name<'a>(form: &Form<'a>, name: &str) -> Option<&'a FieldFacts> {
    if let Some(field) = form.field(&name.to_ascii_lowercase()) {
        return Some(field);
    }
    let mut listed = form.operands.iter().filter_map(|operand| form.field(operand));
    if let Some(suffix) = any_source(name) {
        let is_source = |field: &&'a FieldFacts| {
            field.name.ends_with(&suffix) && !form.facts.body.outs.contains(&field.name)
        };
        return listed.find(is_source);
    }
    if is_literal(name) {
        return listed.find(|field| is_literal(&field.ty) && name.starts_with(field.ty.as_str()));
    }
    let kind = kind_of(name);
    let is_alike = |field: &&'a FieldFacts| !kind.is_empty() && register_name(&field.ty) == kind;
    let mut alike = listed.filter(|field| !form.facts.body.outs.contains(&field.name)).filter(is_alike);
    alike.next().filter(|_| alike.next().is_none())
}

/// Returns the field by the operand's position in `Order`. `None` unless the line has all operands
/// of the form.
fn by_position<'a>(form: &Form<'a>, line: &Line, slot: &Slot) -> Option<&'a FieldFacts> {
    let order = form.facts.body.order.get(1..)?;
    let at = line.slots.iter().position(|other| other.span == slot.span)?;
    let name = order.get(at).filter(|_| order.len() == line.slots.len())?;
    form.field(name)
}
