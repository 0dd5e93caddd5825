//! Expresses misread operands as another instruction with other values.

use std::collections::BTreeMap;

use assay_isa::{Batch, EncodingTable, Instruction, Location, Operand};

use super::Probe;
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{OperandWord, WordPlace, operand_words};
use crate::triage::explain::supposition::UpperWord;
use crate::triage::probe;

/// Returns an instruction and values in which some operands have no prefixes, but the values that
/// `read` returns. `read` gets an operand's value with prefixes applied. Returns `None` if there is
/// no such case: another operand reads the same place, too, or RZ would have to hold a number.
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
        let flips = Prefixes::of(&operand, word.kind);
        match word.place {
            WordPlace::At(location) => {
                let is_here = |word: &OperandWord| word.place == WordPlace::At(location);
                if others.iter().any(is_here) || is_guard(instruction, location) {
                    return None;
                }
                let column = batch.column(location)?;
                let column: Vec<u32> =
                    column.iter().map(|value| read(word.kind, flips.behind(*value))).collect();
                if columns.insert(location, column.clone()).is_some_and(|before| before != column) {
                    return None;
                }
                bare(&mut other, word.operand, &flips);
            }
            WordPlace::Literal(bits) => {
                let width = instruction.form().field(word.operand)?.width;
                let value = read(word.kind, flips.behind(bits));
                (u64::from(value) < 1 << width).then(|| other.set(word.operand, value))?;
                bare(&mut other, word.operand, &flips);
            }
            WordPlace::Nowhere => read_nowhere(&mut other, &word, &flips, &read)?,
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

/// Changes what an operand reads from RZ or PT. They always hold 0 and true, so only prefixes can
/// change it.
fn read_nowhere(
    other: &mut Instruction,
    word: &OperandWord,
    flips: &Prefixes,
    read: impl Fn(OperandKind, u32) -> u32,
) -> Option<()> {
    let is_predicate = word.kind == OperandKind::Predicate;
    let held = u32::from(is_predicate);
    let seen = flips.behind(held);
    let value = read(word.kind, seen);
    if value == seen {
        return Some(());
    }
    match (is_predicate, value == held) {
        (_, true) => bare(other, word.operand, flips),
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
fn bare(other: &mut Instruction, name: &str, flips: &Prefixes) {
    for attribute in &flips.names {
        other.set(&format!("{name}.{attribute}"), 0);
    }
}

/// What the prefixes of an operand do to the bits of a word. The negation of an integer is not
/// included.
struct Prefixes {
    cleared: u32,
    flipped: u32,
    /// The attributes of these prefixes.
    names: Vec<&'static str>,
}

impl Prefixes {
    fn of(operand: &Operand, kind: OperandKind) -> Prefixes {
        let sign = match kind {
            OperandKind::Float(format) => format.sign_mask(),
            OperandKind::Half { format, high } => format.sign_mask() << (16 * u32::from(high)),
            OperandKind::Pair(format) => format.sign_mask() | format.sign_mask() << 16,
            _ => 0,
        };
        let flipped = match (operand.bitnot, operand.not) {
            (true, _) => u32::MAX,
            (_, true) => 1,
            _ if operand.neg => sign,
            _ => 0,
        };
        let is_negated = operand.neg && sign != 0;
        let all =
            [("neg", is_negated), ("abs", operand.abs), ("bitnot", operand.bitnot), ("not", operand.not)];
        let names = all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect();
        Prefixes { cleared: if operand.abs { sign } else { 0 }, flipped, names }
    }

    /// Returns a value with the prefixes applied.
    fn behind(&self, value: u32) -> u32 {
        value & !self.cleared ^ self.flipped
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
