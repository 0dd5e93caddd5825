//! The instructions that can have different lowerings.

use assay_isa::catalog::parts;
use assay_isa::row::FieldType;
use assay_isa::{Form, Instruction, legality, lint};

/// Returns every legal instruction of a form. Register numbers, immediates and places in constant
/// memory are not varied.
pub fn variants(form: &'static Form) -> impl Iterator<Item = Instruction> {
    let all = lint::combinations(form).flat_map(of_mode);
    all.filter(|instruction| legality::check(instruction).is_ok())
}

/// Returns the instructions of a mode: every combination of prefixes and suffixes, every truth
/// table and every shift amount, each without and with a guard. Each operand except immediates is
/// once in a register of its own, and once a name without storage, such as RZ.
fn of_mode(mode: Instruction) -> Vec<Instruction> {
    let form = mode.form();
    let mut all = vec![mode];
    for (position, field) in form.fields.iter().enumerate() {
        let values: Vec<u32> = match field.ty {
            FieldType::Enum(e) if form.is_operand(field) && field.operand() != form.guard() => {
                (0..e.values.len() as u32).collect()
            }
            FieldType::UImm(width @ (5 | 8)) => (0..1 << width).collect(),
            ty => match (ty.idle(), is_operand(form, field.name)) {
                (Some((_, idle)), true) => vec![register(form, field.name), idle],
                _ => continue,
            },
        };
        all = all.iter().flat_map(|one| values.iter().map(|value| with(one, position, *value))).collect();
    }
    let not = format!("{}.not", form.guard());
    if let (Some(guard), Some(not)) = (form.position(form.guard()), form.position(&not)) {
        // The guards alternate between a predicate and its negation.
        let guarded = |(one, is_false): (&Instruction, u32)| with(&with(one, guard, 0), not, is_false);
        let guarded: Vec<Instruction> = all.iter().zip([0, 1].into_iter().cycle()).map(guarded).collect();
        all.extend(guarded);
    }
    all
}

/// Returns whether a field is an operand or a register of an operand, and not a prefix.
fn is_operand(form: &Form, field: &str) -> bool {
    form.order.iter().any(|operand| parts(operand).any(|part| part == field))
}

/// Returns a register for an operand. Each operand has a register of its own. The number of a
/// register other than a predicate is even, so that a pair can begin there.
fn register(form: &Form, field: &str) -> u32 {
    let place =
        form.order.iter().position(|operand| parts(operand).any(|part| part == field)).unwrap_or_default();
    if form.field(field).is_some_and(|field| field.ty.is_predicate()) {
        place as u32
    } else {
        2 * place as u32
    }
}

fn with(instruction: &Instruction, position: usize, value: u32) -> Instruction {
    let mut instruction = instruction.clone();
    instruction.set_at(position, value);
    instruction
}
