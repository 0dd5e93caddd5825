//! Expresses misread operands as another instruction with other values.

use std::collections::BTreeMap;

use assay_isa::{Batch, EncodingTable, Instruction, Location};

use super::Probe;
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{OperandWord, WordPlace, operand_words};
use crate::operands::prefixes::Prefixes;
use crate::triage::explain::supposition::UpperWord;
use crate::triage::probe;

/// Returns an instruction and values in which some operands have no prefixes. Instead, they have
/// the values that `read` returns. `read` gets an operand's value with prefixes applied. `None` if
/// this is impossible, because another operand reads the same place, or because RZ would have to
/// hold a number.
pub(super) fn read_as(
    instruction: &Instruction,
    batch: &Batch,
    numbers: &EncodingTable,
    is_misread: impl Fn(&str) -> bool,
    read: impl Fn(OperandKind, u32) -> u32,
) -> Option<(Instruction, Batch)> {
    let (mut other, mut columns) = (instruction.clone(), BTreeMap::new());
    let (misread, others): (Vec<OperandWord>, Vec<OperandWord>) =
        operand_words(instruction).partition(|word| is_misread(word.operand));
    for word in misread {
        let operand = instruction.operand(word.operand);
        let prefixes = Prefixes::of(&operand, word.kind);
        match word.place {
            WordPlace::At(location) => {
                let is_here = |word: &OperandWord| word.place == WordPlace::At(location);
                if others.iter().any(is_here) || is_guard(instruction, location) {
                    return None;
                }
                let column = batch.column(location)?;
                let column: Vec<u32> =
                    column.iter().map(|value| read(word.kind, prefixes.applied_to(*value))).collect();
                if columns.insert(location, column.clone()).is_some_and(|before| before != column) {
                    return None;
                }
                bare(&mut other, word.operand, &prefixes);
            }
            WordPlace::Literal(bits) => {
                let width = instruction.form().field(word.operand)?.width;
                let value = read(word.kind, prefixes.applied_to(bits));
                (u64::from(value) < 1 << width).then(|| other.set(word.operand, value))?;
                bare(&mut other, word.operand, &prefixes);
            }
            WordPlace::Nowhere => read_nowhere(&mut other, &word, &prefixes, &read)?,
        }
    }
    let mut values = batch.clone();
    for (location, column) in columns {
        let place = batch.locations().iter().position(|its| *its == location)?;
        values.column_mut(place).copy_from_slice(&column);
    }
    let values = probe::instead(&values, &other, numbers)?;
    Some((other, values))
}

/// Changes what an operand reads from RZ or PT. RZ and PT always read as 0 and true, so the change
/// is made by prefixes.
fn read_nowhere(
    other: &mut Instruction,
    word: &OperandWord,
    prefixes: &Prefixes,
    read: impl Fn(OperandKind, u32) -> u32,
) -> Option<()> {
    let is_predicate = word.kind == OperandKind::Predicate;
    let held = u32::from(is_predicate);
    let seen = prefixes.applied_to(held);
    let value = read(word.kind, seen);
    if value == seen {
        return Some(());
    }
    match (is_predicate, value == held) {
        (_, true) => bare(other, word.operand, prefixes),
        (true, false) => {
            let flag = format!("{}.not", word.operand);
            other.get(&flag)?;
            other.set(&flag, 1);
        }
        (false, false) => return None,
    }
    Some(())
}

fn is_guard(instruction: &Instruction, location: Location) -> bool {
    instruction.guard().locations().any(|its| its == location)
}

/// Clears those prefixes of an operand that change single bits.
fn bare(other: &mut Instruction, name: &str, prefixes: &Prefixes) {
    for attribute in &prefixes.attributes {
        other.set(&format!("{name}.{attribute}"), 0);
    }
}

/// Returns the batch with the upper word of an operand misread. Returns `None` if the operand does
/// not have two places that no other operand reads.
pub(super) fn upper_word(probe: &Probe, name: &str, word: UpperWord) -> Option<Batch> {
    let Probe { instruction, batch, .. } = probe;
    instruction.form().inputs().find(|input| *input == name)?;
    let own: Vec<Location> = instruction.operand(name).locations().collect();
    let [lower, upper] = own[..] else { return None };
    let mut others = operand_words(instruction).filter(|cell| cell.operand != name);
    let is_shared = others.any(|cell| cell.place.location().is_some_and(|location| own.contains(&location)));
    if is_shared || own.iter().any(|location| is_guard(instruction, *location)) {
        return None;
    }
    let mut batch = batch.clone();
    let place = batch.locations().iter().position(|location| *location == upper)?;
    match word {
        UpperWord::Zero => batch.column_mut(place).fill(0),
        UpperWord::Lower => {
            let lower = batch.column(lower)?.to_vec();
            batch.column_mut(place).copy_from_slice(&lower);
        }
    }
    Some(batch)
}
