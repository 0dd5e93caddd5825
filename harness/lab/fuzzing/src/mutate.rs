//! Mutations of cases, which libFuzzer's own mutations of bytes almost never achieve.
//!
//! A random change of a word mostly makes it illegal. A random change of a value seldom makes a tie
//! or a subnormal number. So a mutation reads a case from its bytes ([`Coded`]), changes one part
//! of the case by the tables, and writes the case back. The result always has a legal instruction,
//! and a value for each location that the instruction reads.

use arbitrary::{Result as Drawn, Unstructured};
use assay_isa::catalog::Form;
use assay_isa::legalize::legalize;
use assay_isa::row::FieldType;
use assay_isa::{EncodingTable, Instruction, catalog, legality};

use crate::coded::Coded;
use assay_engine::generate::{bend, classes, stream, value_of_field};
use assay_engine::operands::candidate::Candidate;
use assay_engine::operands::operand_kinds::OperandKind;
use assay_engine::operands::operand_words::{OperandWord, WordPlace, operand_words};

/// Number of random bytes that one mutation may use.
const CHOICES: usize = 1024;

/// Number of mutations that are tried before a new case is drawn. Few mutations apply to a NOP.
const TRIES: usize = 16;

/// A kind of mutation of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutation {
    /// A modifier, or a prefix or suffix of an operand, takes another legal value.
    Modifier,
    /// The instruction takes another form of the optype. Modifiers and values that the new form
    /// also has are kept.
    Form,
    /// The case is replaced by a newly drawn case.
    Optype,
    /// An operand or the guard takes another register or literal, perhaps the register of another
    /// operand.
    Operand,
    /// Two operands of one type exchange their registers.
    Swap,
    /// A scheduling bit flips.
    Schedule,
    /// A value becomes a member of a class of its operand kind.
    Class,
    /// Values become related: they cancel, tie, or share an edge.
    Relation,
    /// A bit of a value flips.
    Bit,
    /// A value moves by one or two, up or down.
    Step,
    /// A value takes the value of another operand.
    Copy,
    /// A predicate that the instruction reads flips.
    Predicate,
    /// A random choice that selects locations changes.
    Choices,
}

/// Returns the case with one mutation, as bytes. The result depends only on the two arguments.
pub fn mutate(data: &[u8], seed: u32) -> Vec<u8> {
    let mut choices = Vec::new();
    stream::fill(seed.into(), 0, CHOICES, &mut choices);
    // The random bytes suffice for every mutation. If they did not, the case would stay unchanged.
    changed(data, &mut Unstructured::new(&choices)).map_or_else(|_| data.to_vec(), |coded| coded.bytes())
}

fn changed(data: &[u8], u: &mut Unstructured<'_>) -> Drawn<Coded> {
    let coded = match Coded::read(data) {
        Some(coded) => coded,
        None => Coded::draw(&mut Unstructured::new(data))?,
    };
    for _ in 0..TRIES {
        if let Some(changed) = u.choose(&Mutation::ALL)?.apply(&coded, u)? {
            return Ok(changed);
        }
    }
    Coded::draw(u)
}

impl Mutation {
    /// All mutations. Each is equally likely.
    pub const ALL: [Mutation; 13] = [
        Mutation::Modifier,
        Mutation::Form,
        Mutation::Optype,
        Mutation::Operand,
        Mutation::Swap,
        Mutation::Schedule,
        Mutation::Class,
        Mutation::Relation,
        Mutation::Bit,
        Mutation::Step,
        Mutation::Copy,
        Mutation::Predicate,
        Mutation::Choices,
    ];

    /// Returns the mutated case. `None` if the mutation does not apply, or changes nothing.
    pub fn apply(self, coded: &Coded, u: &mut Unstructured<'_>) -> Drawn<Option<Coded>> {
        let instruction = &coded.instruction;
        let changed = match self {
            Mutation::Modifier => carried(coded, modifier(instruction, u)?, u)?,
            Mutation::Form => carried(coded, form(instruction, u)?, u)?,
            Mutation::Optype => Some(Coded::draw(u)?),
            Mutation::Operand => carried(coded, operand(instruction, u)?, u)?,
            Mutation::Swap => carried(coded, swap(instruction, u)?, u)?,
            Mutation::Schedule => {
                let mut changed = coded.clone();
                changed.instruction.schedule ^= 1 << u.int_in_range(0..=15)?;
                Some(changed)
            }
            Mutation::Choices => choices(coded, u)?,
            _ if instruction.access().is_some() => None,
            of_values => {
                let case = coded.case()?;
                let mut candidate = Candidate::of(&case.instruction, &case.batch);
                of_values.change_values(&mut candidate, u)?;
                let batch = candidate.batch(EncodingTable::provisional());
                Some(Coded::of(candidate.instruction, &batch))
            }
        };
        Ok(changed.filter(|changed| changed != coded))
    }

    fn change_values(self, case: &mut Candidate, u: &mut Unstructured<'_>) -> Drawn<()> {
        let (predicates, words): (Vec<_>, Vec<_>) = operand_words(&case.instruction)
            .enumerate()
            .partition(|(_, cell)| cell.kind == OperandKind::Predicate);
        if self == Mutation::Predicate {
            return flip(case, &predicates, u);
        }
        if words.is_empty() {
            return Ok(());
        }
        if self == Mutation::Relation {
            let mut values: Vec<u32> = words.iter().map(|(place, _)| case.value(*place)).collect();
            bend(&case.instruction, &mut values, u.arbitrary()?);
            words.iter().zip(values).for_each(|((place, _), value)| case.set_value(*place, value));
            return Ok(());
        }
        let (place, cell) = *u.choose(&words)?;
        let value = case.value(place);
        let changed = match self {
            Mutation::Class => {
                classes::ValueDistribution::of(cell.kind).draw_evenly(u.arbitrary()?, u.arbitrary()?)
            }
            Mutation::Step => value.wrapping_add(*u.choose(&[1, 2, u32::MAX, u32::MAX - 1])?),
            Mutation::Copy => case.value(u.choose(&words)?.0),
            _ => value ^ 1 << u.int_in_range(0..=31)?,
        };
        case.set_value(place, changed);
        Ok(())
    }
}

/// Returns the case with another instruction. Operands keep their values.
fn carried(
    coded: &Coded,
    instruction: Option<Instruction>,
    u: &mut Unstructured<'_>,
) -> Drawn<Option<Coded>> {
    let Some(instruction) = instruction else { return Ok(None) };
    let decide = [&coded.instruction, &instruction].map(|instruction| instruction.access().is_some());
    Ok(Some(match decide {
        [true, true] => Coded { instruction, tail: coded.tail.clone() },
        [false, false] => {
            let case = coded.case()?;
            let candidate = Candidate::of(&case.instruction, &case.batch).with(instruction);
            let batch = candidate.batch(EncodingTable::provisional());
            Coded::of(candidate.instruction, &batch)
        }
        _ => Coded::with_drawn_values(instruction, u)?,
    }))
}

/// Changes an enumerated field that is a modifier, or a prefix or suffix of an operand.
fn modifier(instruction: &Instruction, u: &mut Unstructured<'_>) -> Drawn<Option<Instruction>> {
    let form = instruction.form();
    let mut changes = Vec::new();
    for (position, field) in form.fields.iter().enumerate() {
        let FieldType::Enum(e) = field.ty else { continue };
        let is_modifier = !form.is_operand(field) || field.attribute().is_some();
        if field.constraint.is_none() && is_modifier {
            let now = instruction.values()[position];
            let others = (0..e.values.len() as u32).filter(|value| *value != now);
            changes.extend(others.map(|value| (position, value)));
        }
    }
    if changes.is_empty() {
        return Ok(None);
    }
    let start = u.choose_index(changes.len())?;
    changes.rotate_left(start);
    // Some values are legal only together with a certain value of another field.
    let beside = |first| changes.iter().find_map(|second| with(instruction, &[first, *second]));
    Ok(changes.iter().find_map(|first| with(instruction, &[*first]).or_else(|| beside(*first))))
}

/// Exchanges the registers of two operands of one type.
fn swap(instruction: &Instruction, u: &mut Unstructured<'_>) -> Drawn<Option<Instruction>> {
    let places = places(instruction);
    let ty = |position: usize| instruction.form().fields[position].ty;
    let value = |position: usize| instruction.values()[position];
    let mut changes = Vec::new();
    for (nth, first) in places.iter().copied().enumerate() {
        let others = places[nth + 1..].iter().copied().filter(|other| ty(*other) == ty(first));
        changes.extend(others.map(|other| [(first, value(other)), (other, value(first))]));
    }
    if changes.is_empty() {
        return Ok(None);
    }
    let start = u.choose_index(changes.len())?;
    changes.rotate_left(start);
    Ok(changes.iter().find_map(|change| with(instruction, change)))
}

/// Gives an operand another register or literal.
fn operand(instruction: &Instruction, u: &mut Unstructured<'_>) -> Drawn<Option<Instruction>> {
    let places = places(instruction);
    if places.is_empty() {
        return Ok(None);
    }
    let position = *u.choose(&places)?;
    let value = value_of_field(instruction, position, u, &mut registers(instruction))?;
    Ok(with(instruction, &[(position, value)]))
}

/// Returns the instruction in another form of its optype.
fn form(instruction: &Instruction, u: &mut Unstructured<'_>) -> Drawn<Option<Instruction>> {
    let other = |form: &&'static Form| form.index != instruction.form().index;
    let forms: Vec<&'static Form> = catalog().forms_of(instruction.optype()).filter(other).collect();
    if forms.is_empty() {
        return Ok(None);
    }
    let form = *u.choose(&forms)?;
    let mut changed = Instruction::new(form);
    changed.schedule = instruction.schedule;
    for (position, field) in form.fields.iter().enumerate() {
        let same = instruction.form().field(field.name).filter(|same| same.ty == field.ty);
        let value = match same.and_then(|same| instruction.get(same.name)) {
            _ if field.constraint.is_some() => continue,
            Some(value) => value,
            None if form.is_operand(field) => {
                value_of_field(&changed, position, u, &mut registers(instruction))?
            }
            None => continue,
        };
        changed.set_at(position, value);
    }
    Ok(legal(changed))
}

/// Returns the instruction with some fields changed. `None` if the result is not legal, or equals
/// the given instruction.
fn with(instruction: &Instruction, changes: &[(usize, u32)]) -> Option<Instruction> {
    let mut changed = instruction.clone();
    changes.iter().for_each(|(position, value)| changed.set_at(*position, *value));
    let keeps =
        |changed: &Instruction| changes.iter().all(|(position, value)| changed.values()[*position] == *value);
    legal(changed).filter(|changed| keeps(changed) && changed != instruction)
}

/// Returns the instruction if it is legal. Otherwise, returns it with the nearest legal value in
/// each field. `None` if the result is still not legal. A new modifier can leave an operand
/// unaligned, or without a register.
fn legal(mut instruction: Instruction) -> Option<Instruction> {
    if legality::check(&instruction).is_ok() {
        return Some(instruction);
    }
    for position in 0..instruction.values().len() {
        let value = legalize(&instruction, position, instruction.values()[position]);
        instruction.set_at(position, value);
    }
    legality::check(&instruction).is_ok().then_some(instruction)
}

/// Returns the positions of the operand fields, the guard included.
fn places(instruction: &Instruction) -> Vec<usize> {
    let form = instruction.form();
    let is_place = |position: &usize| {
        let field = form.fields[*position];
        field.attribute().is_none()
            && field.constraint.is_none()
            && form.is_operand(field)
            && legality::permits(instruction, field.name)
    };
    (0..form.fields.len()).filter(is_place).collect()
}

/// Returns the registers in the fields of an instruction: general registers, and uniform registers.
fn registers(instruction: &Instruction) -> [Vec<u32>; 2] {
    let fields = instruction.form().fields.iter().zip(instruction.values());
    let of = |ty: FieldType| fields.clone().filter(|(field, _)| field.ty == ty).map(|(_, n)| *n).collect();
    [of(FieldType::Reg), of(FieldType::UReg)]
}

/// Flips a predicate that the instruction reads, or its guard.
fn flip(case: &mut Candidate, predicates: &[(usize, OperandWord)], u: &mut Unstructured<'_>) -> Drawn<()> {
    let stored = predicates.iter().filter(|(_, cell)| matches!(cell.place, WordPlace::At(_)));
    let mut words: Vec<Option<usize>> = stored.map(|(place, _)| Some(*place)).collect();
    words.extend(case.instruction.guard().source.location().map(|_| None));
    if words.is_empty() {
        return Ok(());
    }
    match *u.choose(&words)? {
        Some(place) => case.set_value(place, case.value(place) ^ 1),
        None => case.guard ^= 1,
    }
    Ok(())
}

/// Changes a random choice, if values of the instruction select locations.
fn choices(coded: &Coded, u: &mut Unstructured<'_>) -> Drawn<Option<Coded>> {
    if coded.instruction.access().is_none() || coded.tail.is_empty() {
        return Ok(None);
    }
    let mut changed = coded.clone();
    let place = u.choose_index(changed.tail.len())?;
    changed.tail[place] = u.arbitrary()?;
    Ok(Some(changed))
}
