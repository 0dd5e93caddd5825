//! Derives a small suite from the rows. A case is kept only if it hits a coverage bin that no
//! earlier case hits.
//!
//! Each mode has three kinds of candidates, tried in this order. First, one float operand is
//! special and the others are normal. Second, float operands lie at the ends of binades and table
//! segments. Finally, each operand takes a member of each class, first along the diagonals of the
//! classes. Of these last candidates, variants of the form are tried first: guard, prefixes, the
//! zero register and aliasing. The values are the ends of the classes, so that a case is easy to
//! read.

use arbitrary::Unstructured;
use assay_isa::legalize::legalize;
use assay_isa::location::{RZ, URZ};
use assay_isa::row::FieldType;
use assay_isa::{BackendError, Batch, Form, Instruction, codec, legality};

use crate::compare::comparator::{Comparator, Setup};
use crate::coverage::{Bins, Coverage};
use crate::generate::domain::{swept, values};
use crate::generate::{self, Scope};
use crate::operands::operand_kinds::{FLOATS, NORMAL, OperandKind, is_normal};
use crate::operands::operand_words::{OperandWord, WordPlace, operand_words};

/// A derived suite.
pub struct MinimalSuite {
    /// Cases of one lane each, in table order.
    pub cases: Vec<(Instruction, Batch)>,
    /// Cases on which subject and oracle disagree. The suite omits them.
    pub diverged: Vec<(Instruction, Batch)>,
    /// All hit bins, including those that were hit before.
    pub coverage: Coverage,
}

/// Derives at most `limit` cases that hit bins that are not hit in `known`.
pub fn minimal_suite(
    setup: &Setup<'_>,
    scope: &Scope,
    bins: &Bins,
    known: &Coverage,
    limit: usize,
) -> Result<MinimalSuite, BackendError> {
    let mut comparator = Comparator::new(setup);
    let mut derived = MinimalSuite { cases: Vec::new(), diverged: Vec::new(), coverage: known.clone() };
    for mode in scope.modes() {
        if derived.cases.len() >= limit {
            break;
        }
        if bins.is_open(mode, &derived.coverage) {
            let special = alone(mode, setup).chain(borders(mode, setup, bins));
            for (instruction, batch) in special.chain(candidates(mode, setup)) {
                keep(setup, &mut comparator, bins, &mut derived, instruction, batch)?;
                if derived.cases.len() >= limit || !bins.is_open(mode, &derived.coverage) {
                    break;
                }
            }
        }
    }
    Ok(derived)
}

fn keep(
    setup: &Setup<'_>,
    comparator: &mut Comparator,
    bins: &Bins,
    derived: &mut MinimalSuite,
    instruction: Instruction,
    batch: Batch,
) -> Result<(), BackendError> {
    let contract = setup.profile.contract_for(&instruction);
    let Some(judged) = comparator.run(&contract, &instruction, &batch)?.judged() else { return Ok(()) };
    let mut hit = Coverage::default();
    bins.mark(&instruction, &batch, judged.truths, &mut hit);
    if !derived.coverage.adds(&hit) {
        return Ok(());
    }
    if judged.verdicts.diverged.is_empty() {
        derived.coverage.merge(&hit);
        derived.cases.push((instruction, batch));
    } else {
        derived.diverged.push((instruction, batch));
    }
    Ok(())
}

/// Returns candidates in which one float operand is special and the others are normal numbers. The
/// cycles of [`candidates`] rarely combine three operands in this way.
fn alone<'a>(mode: &'a Instruction, setup: &'a Setup<'_>) -> impl Iterator<Item = (Instruction, Batch)> + 'a {
    let plain = swept(mode);
    let kinds: Vec<OperandKind> = operand_words(mode).map(|cell| cell.kind).collect();
    let floats: Vec<usize> = (0..kinds.len()).filter(|word| kinds[*word].classes() == FLOATS).collect();
    let several = if floats.len() > 1 && mode.access().is_none() { floats } else { Vec::new() };
    let members: Vec<Vec<Vec<u32>>> = kinds.iter().map(|kind| members(*kind)).collect();
    let special = (0..FLOATS.len()).filter(|class| !is_normal(*class));
    let pairs = special.flat_map(move |class| several.clone().into_iter().map(move |word| (word, class)));
    pairs.enumerate().map(move |(round, (special, class))| {
        let value = |(word, classes): (usize, &Vec<Vec<u32>>)| {
            let class = match kinds[word].classes() == FLOATS {
                true if word == special => class,
                true => NORMAL,
                false => round % classes.len(),
            };
            let list = &classes[class];
            list[(round + word) % list.len()]
        };
        let values: Vec<u32> = members.iter().enumerate().map(value).collect();
        fill(plain.clone(), &values, setup)
    })
}

/// Returns candidates whose float operands lie at ends of binades and segments. Each end of each
/// operand occurs at least once. The other operands have other ends of their lists.
fn borders<'a>(
    mode: &'a Instruction,
    setup: &'a Setup<'_>,
    bins: &Bins,
) -> impl Iterator<Item = (Instruction, Batch)> + 'a {
    let plain = swept(mode);
    let lists: Vec<(&str, &[u32])> = bins.borders_of(mode).collect();
    let rounds = match mode.access() {
        Some(_) => 0,
        None => lists.iter().map(|(_, list)| list.len()).max().unwrap_or(0),
    };
    let of_word = |cell: OperandWord| match lists.iter().find(|(operand, _)| *operand == cell.operand) {
        Some((_, list)) => list.to_vec(),
        None => members(cell.kind).concat(),
    };
    let words: Vec<Vec<u32>> = operand_words(mode).map(of_word).collect();
    (0..rounds).map(move |round| {
        // Each word starts at another offset, so that the operands are not all equal.
        let value =
            |(word, list): (usize, &Vec<u32>)| list[(round + word * (list.len() / 3 + 1)) % list.len()];
        let values: Vec<u32> = words.iter().enumerate().map(value).collect();
        fill(plain.clone(), &values, setup)
    })
}

/// Returns the candidates of a mode: first its variants, then the mode itself, with all pairs of
/// classes.
fn candidates<'a>(
    mode: &'a Instruction,
    setup: &'a Setup<'_>,
) -> impl Iterator<Item = (Instruction, Batch)> + 'a {
    let members: Vec<Vec<Vec<u32>>> = operand_words(mode).map(|cell| members(cell.kind)).collect();
    let classes = members.iter().map(Vec::len).max().unwrap_or(1);
    let deepest = members.iter().flatten().map(Vec::len).max().unwrap_or(1);
    // A selector has 65,536 listed values, but no bin needs a round for each value.
    let rounds = classes * classes * deepest.clamp(8, 256);
    // Each cycle visits all pairs of classes. Each operand takes other members of its classes in
    // each cycle.
    let values = move |round: usize| -> Vec<u32> {
        let (step, diagonal) = (round % classes, round / classes % classes);
        let cycle = round / (classes * classes);
        let pick = |(i, classes): (usize, &Vec<Vec<u32>>)| {
            let class = &classes[(step + i * diagonal + cycle) % classes.len()];
            class[(diagonal + i + (i + 1) * cycle) % class.len()]
        };
        members.iter().enumerate().map(pick).collect()
    };
    let plain = swept(mode);
    let variants = variants(&plain).into_iter().chain(std::iter::repeat(plain));
    variants.zip(0..rounds).map(move |(instruction, round)| match instruction.access() {
        Some(_) => drawn(instruction, round as u64, setup),
        None => fill(instruction, &values(round), setup),
    })
}

/// Draws a case as a campaign does. Used if a value decides the location that an instruction
/// accesses.
fn drawn(instruction: Instruction, round: u64, setup: &Setup<'_>) -> (Instruction, Batch) {
    let mut batch = Batch::default();
    let pick = |_: &mut Unstructured<'_>| Ok(instruction.clone());
    generate::from_stream((0, round), setup.numbers, 1, &mut Vec::new(), &mut batch, pick)
        .expect("a full buffer draws a batch");
    (instruction, batch)
}

/// Returns the listed values of a kind by class, without empty classes.
fn members(kind: OperandKind) -> Vec<Vec<u32>> {
    let mut classes = vec![Vec::new(); kind.classes().len()];
    for value in values(kind) {
        classes[kind.class_of(value)].push(value);
    }
    classes.retain(|class| !class.is_empty());
    classes
}

/// Returns the legal variants of an instruction. They have a register guard (plain or negated), one
/// toggled attribute, one zero register, or two equal registers.
fn variants(plain: &Instruction) -> Vec<Instruction> {
    let form = plain.form();
    let with = |changes: &[(&str, u32)]| {
        let mut instruction = plain.clone();
        changes.iter().for_each(|(field, value)| instruction.set(field, *value));
        instruction
    };
    let negated = format!("{}.not", form.guard());
    let mut list = match form.field(form.guard()) {
        Some(_) => vec![with(&[(form.guard(), 6)]), with(&[(form.guard(), 6), (&negated, 1)])],
        None => Vec::new(),
    };
    for field in form.fields.iter().filter(|f| f.attribute().is_some() && form.is_operand(f)) {
        if field.operand() != form.guard() && legality::permits(plain, field.name) {
            list.push(with(&[(field.name, 1 - plain.get(field.name).unwrap_or(0).min(1))]));
        }
    }
    let registers: Vec<&str> = form.inputs().filter(|name| is_register(form, name)).collect();
    for name in &registers {
        let zero = if form.field(name).is_some_and(|f| f.ty == FieldType::UReg) { URZ } else { RZ };
        list.push(with(&[(*name, u32::from(zero))]));
    }
    for ty in [FieldType::Reg, FieldType::UReg] {
        let of_type = |name: &&&str| form.field(name).is_some_and(|f| f.ty == ty);
        let same: Vec<&str> = registers.iter().filter(of_type).copied().collect();
        if let [first, .., last] = same[..] {
            list.push(with(&[(last, plain.get(first).unwrap_or(0))]));
        }
    }
    list.retain(|instruction| legality::check(instruction).is_ok());
    list
}

fn is_register(form: &Form, name: &str) -> bool {
    form.field(name).is_some_and(|f| matches!(f.ty, FieldType::Reg | FieldType::UReg))
}

/// Sets each input of an instruction to a value: in its immediate, or in a batch of one lane. A
/// guard predicate is false.
fn fill(mut instruction: Instruction, values: &[u32], setup: &Setup<'_>) -> (Instruction, Batch) {
    let literals: Vec<(&str, u32)> = operand_words(&instruction)
        .zip(values)
        .filter(|(cell, _)| matches!(cell.place, WordPlace::Literal(_)))
        .map(|(cell, value)| (cell.operand, *value))
        .collect();
    for (name, value) in literals {
        if let Some(position) = instruction.form().position(name) {
            let value = legalize(&instruction, position, value);
            instruction.set_at(position, value);
        }
    }
    let locations = instruction.reads();
    let mut batch = Batch::new(codec::encode(&instruction, setup.numbers), &locations, 1);
    for (cell, value) in operand_words(&instruction).zip(values) {
        if let Some(index) = cell.place.location().and_then(|l| locations.iter().position(|x| *x == l)) {
            batch.column_mut(index)[0] = *value;
        }
    }
    (instruction, batch)
}
