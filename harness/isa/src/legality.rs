//! What makes an instruction illegal beyond the range of each field: the rules of its row.

use crate::catalog::Form;
use crate::instruction::{Instruction, Source};
use crate::readings::Erratum;
use crate::row::{FieldType, Rule};

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Two modifiers that do not go together.
    #[error("{optype} does not support .{first} with .{second}; .{first} goes with: {legal} ({erratum})")]
    Pair {
        /// Optype.
        optype: &'static str,
        /// Value of the first field.
        first: &'static str,
        /// Value of the second field.
        second: &'static str,
        /// What the first value may meet.
        legal: String,
        /// Source.
        erratum: Erratum,
    },
    /// A field that must keep its default here.
    #[error(
        "{form} field {field} must keep its default with .{other}; it may differ with: {legal} ({erratum})"
    )]
    OnlyWith {
        /// Form.
        form: &'static str,
        /// The field.
        field: &'static str,
        /// Value of the deciding field.
        other: &'static str,
        /// Values that would permit it.
        legal: String,
        /// Source.
        erratum: Erratum,
    },
    /// A constant operand that is not a word.
    #[error("{form} reads 4 bytes at {offset:#x}, which is not a multiple of 4 (E096)")]
    Misaligned {
        /// Form.
        form: &'static str,
        /// The offset.
        offset: u32,
    },
}

/// Holds an instruction against the rules of its row.
pub fn check(instruction: &Instruction) -> Result<(), Violation> {
    let form = instruction.form();
    for rule in form.optype.rules {
        check_rule(instruction, form, rule)?;
    }
    for operand in instruction.inputs() {
        if let Source::Const { offset, .. } = operand.source
            && offset % 4 != 0
        {
            return Err(Violation::Misaligned { form: form.name, offset });
        }
    }
    Ok(())
}

fn check_rule(instruction: &Instruction, form: &'static Form, rule: &Rule) -> Result<(), Violation> {
    match *rule {
        Rule::Pairs { first, second, legal, erratum } => {
            let (first, second) = (value_name(instruction, first), value_name(instruction, second));
            let partners = legal.iter().find(|(name, _)| *name == first).map_or(&[][..], |(_, list)| *list);
            if partners.contains(&second) {
                return Ok(());
            }
            let (legal, erratum) = (partners.join(" "), Erratum(erratum));
            Err(Violation::Pair { optype: form.optype.name, first, second, legal, erratum })
        }
        Rule::OnlyWith { field, other, values, erratum } => {
            let other = value_name(instruction, other);
            if values.contains(&other) {
                return Ok(());
            }
            let changed = form
                .fields
                .iter()
                .zip(instruction.values())
                .find(|(f, value)| governs(field, f.name) && **value != 0);
            changed.map_or(Ok(()), |(field, _)| {
                let (legal, erratum) = (values.join(" "), Erratum(erratum));
                Err(Violation::OnlyWith { form: form.name, field: field.name, other, legal, erratum })
            })
        }
    }
}

/// Name of the value that an enumerated field of the instruction holds.
pub fn value_name(instruction: &Instruction, field: &str) -> &'static str {
    let form = instruction.form();
    let position = form.position(field).unwrap_or_else(|| panic!("{} has no field {field}", form.name));
    match form.fields[position].ty {
        FieldType::Enum(e) => e.values[instruction.values()[position] as usize],
        ty => panic!("{} is of type {} and has no value names", field, ty.name()),
    }
}

/// Whether the rules let a field of the instruction leave its default, given its other fields.
pub fn permits(instruction: &Instruction, field: &str) -> bool {
    instruction.form().optype.rules.iter().all(|rule| match *rule {
        Rule::OnlyWith { field: ruled, other, values, .. } => {
            !governs(ruled, field) || values.contains(&value_name(instruction, other))
        }
        Rule::Pairs { .. } => true,
    })
}

/// Whether a rule's field name, which may be an attribute of any operand, means this field.
fn governs(ruled: &str, field: &str) -> bool {
    field == ruled || ruled.starts_with('.') && field.ends_with(ruled)
}
