//! The passes of the shrinker. Each pass proposes simpler cases, one after the other.

use assay_isa::location::PT;
use assay_isa::row::{Field, FieldType};
use assay_isa::{Instruction, Location, catalog, legality};

use crate::operands::candidate::Candidate;
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{OperandWord, WordPlace, operand_words};
use crate::triage::shrink::joint;
use crate::triage::shrink::simple::simple;

/// Returns the nth simpler case that a pass proposes, or `None` if there are no more.
pub(in crate::triage) type Pass = fn(&Candidate, usize) -> Option<Candidate>;

pub(in crate::triage) const PASSES: &[Step] = &[
    Step { pass: unschedule, keeps: Keeps::Place },
    Step { pass: unreach, keeps: Keeps::Place },
    Step { pass: unguard, keeps: Keeps::Place },
    Step { pass: to_registers, keeps: Keeps::Place },
    Step { pass: reset_field, keeps: Keeps::Place },
    Step { pass: fold_prefix, keeps: Keeps::Place },
    Step { pass: with_storage, keeps: Keeps::Place },
    Step { pass: first_value, keeps: Keeps::Symptom },
    Step { pass: number_registers, keeps: Keeps::Symptom },
    Step { pass: joint::equal_values, keeps: Keeps::Symptom },
    Step { pass: simple_values, keeps: Keeps::Symptom },
    Step { pass: joint::recompute, keeps: Keeps::Symptom },
    Step { pass: joint::scale, keeps: Keeps::Symptom },
    Step { pass: exchange, keeps: Keeps::Symptom },
    Step { pass: clear_bits, keeps: Keeps::Symptom },
];

/// A pass, and the property that its proposals must keep.
#[derive(Clone, Copy)]
pub(in crate::triage) struct Step {
    pub pass: Pass,
    pub keeps: Keeps,
}

/// The property that must stay the same while a case becomes simpler. Without this property, the
/// smaller case may show another bug.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::triage) enum Keeps {
    /// The wrong output. The class of the error may change, because a simpler instruction can give
    /// another wrong result for the same values.
    Place,
    /// The whole symptom.
    Symptom,
}

fn unschedule(case: &Candidate, nth: usize) -> Option<Candidate> {
    (nth == 0).then(|| {
        let mut case = case.clone();
        case.instruction.schedule = 0;
        case
    })
}

/// Removes one of the places that a value can select: the nth, counted from the last. Most cases
/// need only one of these places.
fn unreach(case: &Candidate, nth: usize) -> Option<Candidate> {
    let mut case = case.clone();
    let last = case.reached.len().checked_sub(nth + 1)?;
    case.reached.remove(last);
    Some(case)
}

/// Removes the guard. The second proposal is for a guard that is never true. It replaces the guard
/// by a predicate register with a value.
fn unguard(case: &Candidate, nth: usize) -> Option<Candidate> {
    let form = case.instruction.form();
    let guard = form.guard();
    let has_guard = form.field(guard).is_some();
    let mut case = case.clone();
    match nth {
        0 if has_guard => {
            case.instruction.set(guard, u32::from(PT));
            case.instruction.set(&format!("{guard}.not"), 0);
        }
        1 if has_guard && never(&case.instruction) => {
            case.instruction.set(guard, u32::from(PT - 1));
            case.guard = 1;
        }
        0 | 1 => {}
        _ => return None,
    }
    Some(case)
}

/// Whether the guard is the constant predicate's negation.
fn never(instruction: &Instruction) -> bool {
    let guard = instruction.guard();
    guard.not && guard.source.location().is_none()
}

/// Moves modifiers and values to the optype's first form, in which all operands are registers.
fn to_registers(case: &Candidate, nth: usize) -> Option<Candidate> {
    let old = case.instruction.form();
    let form = catalog().forms_of(old.optype.name).next()?;
    let alike = form.order.len() == old.order.len() && case.instruction.access().is_none();
    if nth > 0 || form.index == old.index || !alike {
        return None;
    }
    let mut instruction = Instruction::new(form);
    instruction.schedule = case.instruction.schedule;
    for (field, value) in old.fields.iter().zip(case.instruction.values()) {
        if field.constraint.is_none() && !old.is_operand(field) && form.field(field.name).is_some() {
            instruction.set(field.name, *value);
        }
    }
    let mut number = 0;
    for (name, was) in form.order.iter().zip(old.order) {
        let operand = case.instruction.operand(was);
        let Some(position) = form.position(name) else { continue };
        let kept = old.data(was).is_none() || form.fields[position].ty.is_literal();
        if kept || !legality::has(&case.instruction, was) {
            copy_operand(&case.instruction, was, &mut instruction, name);
            continue;
        }
        let words = u32::from(operand.words);
        number = u32::next_multiple_of(number, words);
        instruction.set_at(position, number);
        number += words;
        for (attribute, on) in [("neg", operand.neg), ("abs", operand.abs), ("bitnot", operand.bitnot)] {
            if on {
                instruction.set(&format!("{name}.{attribute}"), 1);
            }
        }
    }
    // The words keep their order. A literal becomes the value of a register.
    let mut case = case.clone();
    for (cell, value) in operand_words(&case.instruction).zip(&mut case.values) {
        if let WordPlace::Literal(bits) = cell.place {
            *value = bits;
        }
    }
    (operand_words(&instruction).count() == case.values.len()).then_some(())?;
    case.instruction = instruction;
    Some(case)
}

/// Copies an operand and its `!` to an instruction of another form.
fn copy_operand(from: &Instruction, was: &str, to: &mut Instruction, name: &str) {
    for (old, new) in [(was.to_owned(), name.to_owned()), (format!("{was}.not"), format!("{name}.not"))] {
        if let (Some(value), true) = (from.get(&old), to.form().position(&new).is_some()) {
            to.set(&new, value);
        }
    }
}

/// Sets the nth enumerated field that has a default to its default.
fn reset_field(case: &Candidate, nth: usize) -> Option<Candidate> {
    let form = case.instruction.form();
    let plain = Instruction::new(form);
    let field = open_fields(form).filter(|field| field.default.is_some()).nth(nth)?;
    let mut instruction = case.instruction.clone();
    instruction.set(field.name, plain.get(field.name).unwrap_or(0));
    Some(case.with(instruction))
}

/// Removes the nth prefix, and applies it to the operand's value instead.
fn fold_prefix(case: &Candidate, nth: usize) -> Option<Candidate> {
    let list: Vec<OperandWord> = operand_words(&case.instruction).collect();
    let attributes = ["neg", "abs", "bitnot", "not"];
    let cell = list.get(nth / attributes.len())?;
    let attribute = attributes[nth % attributes.len()];
    let field = format!("{}.{attribute}", cell.operand);
    let mut case = case.clone();
    if case.instruction.get(&field) != Some(1) {
        return Some(case);
    }
    case.instruction.set(&field, 0);
    let sign = match cell.kind {
        OperandKind::Float(format) => format.sign_mask(),
        OperandKind::Half { format, high } => format.sign_mask() << (16 * u32::from(high)),
        OperandKind::Pair(format) => format.sign_mask() | format.sign_mask() << 16,
        _ => 0,
    };
    let place = nth / attributes.len();
    let value = case.value(place);
    let folded = match attribute {
        "neg" if sign == 0 => value.wrapping_neg(),
        "neg" => value ^ sign,
        "abs" => value & !sign,
        "bitnot" => !value,
        _ => value ^ 1,
    };
    case.set_value(place, folded);
    Some(case)
}

/// Replaces the value of an enumerated field without a default by an earlier value of its list. So
/// the earliest value that shows the divergence stays. Each value is tried three times: with the
/// present predicates, with all predicates true, and with all false. Otherwise, a predicate that is
/// combined with the result may hide the divergence.
fn first_value(case: &Candidate, nth: usize) -> Option<Candidate> {
    let form = case.instruction.form();
    let mandatory = open_fields(form).filter(|field| field.default.is_none());
    let mut earlier = mandatory.flat_map(|field| {
        let FieldType::Enum(e) = field.ty else { unreachable!("an enumerated field") };
        let values = 0..e.values.len() as u32;
        values.flat_map(move |value| [None, Some(1), Some(0)].map(|truth| (field.name, value, truth)))
    });
    let (name, value, truth) = earlier.nth(nth)?;
    let mut instruction = case.instruction.clone();
    if instruction.get(name).is_none_or(|now| value >= now) {
        return Some(case.clone());
    }
    instruction.set(name, value);
    let mut case = case.with(instruction);
    if let Some(truth) = truth {
        let list: Vec<OperandWord> = operand_words(&case.instruction).collect();
        let predicates = list.iter().enumerate().filter(|(_, cell)| cell.kind == OperandKind::Predicate);
        predicates.for_each(|(place, _)| case.set_value(place, truth));
    }
    Some(case)
}

/// Returns the enumerated fields of a form that can hold more than one value.
fn open_fields(form: &'static assay_isa::Form) -> impl Iterator<Item = &'static Field> {
    form.fields.iter().copied().filter(|f| matches!(f.ty, FieldType::Enum(_)) && f.constraint.is_none())
}

/// Replaces zero registers and constant predicates by registers with storage. First, each of them
/// gets its own register. Then all that are read get one common register. Then single operands get
/// one.
fn with_storage(case: &Candidate, nth: usize) -> Option<Candidate> {
    let order = case.instruction.form().order;
    let is_read = |name: &str| case.instruction.form().inputs().any(|input| input == name);
    match nth {
        0 => Some(apart(case, |_| true)),
        1 => {
            let idle = order.iter().copied().filter(|name| instruction_is_idle(&case.instruction, name));
            let idle: Vec<&str> = idle.filter(|name| is_read(name)).collect();
            Some(if idle.len() > 1 { with_register(case, &idle) } else { case.clone() })
        }
        _ => {
            let name = order.get(nth - 2)?;
            let is_idle = instruction_is_idle(&case.instruction, name);
            Some(if is_idle { with_register(case, &[name]) } else { case.clone() })
        }
    }
}

/// Gives operands without storage one register that no other operand uses. Only operands of the
/// same type as the first operand change.
fn with_register(case: &Candidate, names: &[&str]) -> Candidate {
    let form = case.instruction.form();
    let ty = |name: &str| numbered(&case.instruction, name).map(|position| form.fields[position].ty);
    let Some(first) = names.iter().find_map(|name| ty(name)) else { return case.clone() };
    let names: Vec<&str> = names.iter().copied().filter(|name| ty(name) == Some(first)).collect();
    let locations = |instruction: &Instruction, names: &[&str]| -> Vec<Location> {
        names.iter().flat_map(|name| instruction.operand(name).locations()).collect()
    };
    let taken = locations(&case.instruction, form.order);
    // A wide operand begins at an even number.
    let numbers =
        (0..first.idle().map_or(0, |(_, idle)| idle)).step_by(if first.is_predicate() { 1 } else { 4 });
    let mut others = numbers.map(|number| {
        let mut other = case.instruction.clone();
        names.iter().for_each(|name| other.set(name, number));
        other
    });
    match others.find(|other| locations(other, &names).iter().all(|location| !taken.contains(location))) {
        Some(other) => with_values(case, other, &names),
        None => case.clone(),
    }
}

/// Returns the case with an instruction in which the named operands got registers. The registers
/// hold the values that the operands read before.
fn with_values(case: &Candidate, instruction: Instruction, names: &[&str]) -> Candidate {
    let mut case = case.with(instruction);
    let list: Vec<OperandWord> = operand_words(&case.instruction).collect();
    for (place, cell) in list.iter().enumerate().filter(|(_, cell)| names.contains(&cell.operand)) {
        case.set_value(place, u32::from(cell.kind == OperandKind::Predicate));
    }
    case
}

/// Gives every register and predicate operand its own place. Operands without storage get a place
/// only if they are chosen.
pub(in crate::triage) fn apart(case: &Candidate, is_chosen: impl Fn(&str) -> bool) -> Candidate {
    let form = case.instruction.form();
    let mut given = Vec::new();
    let mut instruction = case.instruction.clone();
    for (place, name) in form.order.iter().enumerate() {
        let idle = instruction_is_idle(&case.instruction, name);
        if let Some(position) = numbered(&case.instruction, name).filter(|_| !idle || is_chosen(name)) {
            instruction.set_at(position, number(&case.instruction, position, place));
            if idle {
                given.push(*name);
            }
        }
    }
    with_values(case, instruction, &given)
}

/// Gives the nth operand the register number of its place in the text. An operand without storage
/// stays.
fn number_registers(case: &Candidate, nth: usize) -> Option<Candidate> {
    let name = case.instruction.form().order.get(nth)?;
    let mut case = case.clone();
    if let Some(position) = numbered(&case.instruction, name)
        && !instruction_is_idle(&case.instruction, name)
    {
        let number = number(&case.instruction, position, nth);
        case.instruction.set_at(position, number);
    }
    Some(case)
}

/// Returns the position of an operand's field, if the field holds the number of a register or
/// predicate.
fn numbered(instruction: &Instruction, name: &str) -> Option<usize> {
    let form = instruction.form();
    let position = form.position(name)?;
    let ty = form.fields[position].ty;
    let is_register = matches!(ty, FieldType::Reg | FieldType::UReg) || ty.is_predicate();
    (is_register && legality::has(instruction, name)).then_some(position)
}

fn instruction_is_idle(instruction: &Instruction, name: &str) -> bool {
    instruction.operand(name).source.location().is_none()
}

/// Returns the register number for an operand at a place in the text. In optypes with wide
/// operands, the numbers are multiples of four.
fn number(instruction: &Instruction, position: usize, place: usize) -> u32 {
    let form = instruction.form();
    let is_wide = !form.fields[position].ty.is_predicate() && !form.optype.extra.wide.is_empty();
    if is_wide { 4 * place as u32 } else { place as u32 }
}

/// Exchanges the values of two operands of one kind, or the halves of a pair, so that the lesser
/// value comes first.
fn exchange(case: &Candidate, nth: usize) -> Option<Candidate> {
    let list: Vec<OperandWord> = operand_words(&case.instruction).collect();
    let (one, other) = (nth / list.len().max(1), nth % list.len().max(1));
    let mut case = case.clone();
    let kind = list.get(one)?.kind;
    let (first, second) = (case.value(one), case.value(other));
    match kind {
        OperandKind::Pair(_) if one == other && first & 0xffff > first >> 16 => {
            case.set_value(one, first.rotate_left(16));
        }
        _ if one < other && list[other].kind == kind && first > second => {
            case.set_value(one, second);
            case.set_value(other, first);
        }
        _ => {}
    }
    Some(case)
}

/// Replaces the value of an operand by a simpler one.
fn simple_values(case: &Candidate, nth: usize) -> Option<Candidate> {
    let lists = operand_words(&case.instruction).map(|cell| simple(cell.kind));
    let mut choices = lists.enumerate().flat_map(|(operand, list)| {
        let now = case.value(operand);
        // A value is never replaced by one that is less simple.
        let simpler = list.iter().position(|value| *value == now).unwrap_or(list.len());
        list.into_iter().enumerate().map(move |(rank, value)| (operand, value, rank < simpler))
    });
    let (operand, value, is_simpler) = choices.nth(nth)?;
    let mut case = case.clone();
    if is_simpler {
        case.set_value(operand, value);
    }
    Some(case)
}

/// Clears the set bits one by one, from the lowest.
fn clear_bits(case: &Candidate, nth: usize) -> Option<Candidate> {
    let (operand, bit) = (nth / 32, nth % 32);
    let cell = operand_words(&case.instruction).nth(operand)?;
    let now = case.value(operand);
    let mut case = case.clone();
    if !simple(cell.kind).contains(&now) {
        case.set_value(operand, now & !(1 << bit));
    }
    Some(case)
}
