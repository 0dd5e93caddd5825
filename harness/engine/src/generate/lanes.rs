//! Values for the columns of a batch.

use arbitrary::{Result, Unstructured};
use assay_isa::{Batch, Instruction, Location, Source};

use super::classes::Drawn;
use super::relations::Relations;
use super::stream::{BLOCK, LANE_BYTES};
use crate::kinds::Kind;

/// Operands drawn for a lane at most.
const MOST: usize = 3;

/// Where an operand's value of a lane goes, or what it is fixed to.
#[derive(Clone, Copy)]
enum Slot {
    Column(usize, Drawn),
    Fixed(u32),
}

/// Fills every column of a batch that is already shaped for the instruction.
pub(super) fn fill(u: &mut Unstructured<'_>, instruction: &Instruction, batch: &mut Batch) -> Result<()> {
    let slots = slots(instruction, batch);
    let relations = Relations::of(instruction);
    let mut start = 0;
    while start < batch.len() {
        let relation = relations.pick(u.arbitrary()?);
        let end = (start + BLOCK).min(batch.len());
        for lane in start..end {
            let words = words(u)?;
            let mut values = draw(&slots, words);
            relation.bend(&mut values[..slots.len()], words[2]);
            store(batch, &slots, lane, &values);
        }
        start = end;
    }
    predicates(u, batch)
}

/// The bytes of a lane, taken at once.
#[inline]
fn words(u: &mut Unstructured<'_>) -> Result<[u64; 3]> {
    let mut bytes = [0; LANE_BYTES];
    u.fill_buffer(&mut bytes)?;
    let (words, _) = bytes.as_chunks();
    Ok([0, 1, 2].map(|n: usize| u64::from_le_bytes(words[n])))
}

/// The operands that are no predicates.
fn slots(instruction: &Instruction, batch: &Batch) -> Vec<Slot> {
    let column = |location: Location| batch.locations().iter().position(|l| *l == location);
    let words = instruction.inputs().zip(Kind::of_inputs(instruction)).filter(|(_, k)| *k != Kind::Predicate);
    let slots = words.map(|(operand, kind)| match operand.source {
        Source::Imm(bits) => Slot::Fixed(bits),
        other => {
            let column = other.location().and_then(column);
            column.map_or(Slot::Fixed(0), |index| Slot::Column(index, Drawn::of(kind)))
        }
    });
    slots.collect()
}

/// Up to three independent values: 32 random bits each, and a byte for the class of each.
#[inline]
fn draw(slots: &[Slot], words: [u64; 3]) -> [u32; MOST] {
    let random = [words[0] as u32, (words[0] >> 32) as u32, words[1] as u32];
    let kinds = (words[1] >> 32) as u32;
    let mut values = [0; MOST];
    for (i, slot) in slots.iter().enumerate().take(MOST) {
        values[i] = match slot {
            Slot::Fixed(bits) => *bits,
            Slot::Column(_, drawn) => drawn.draw((kinds >> (8 * i)) as u8, random[i]),
        };
    }
    values
}

#[inline]
fn store(batch: &mut Batch, slots: &[Slot], lane: usize, values: &[u32; MOST]) {
    for (slot, value) in slots.iter().zip(values) {
        if let Slot::Column(index, _) = slot {
            batch.column_mut(*index)[lane] = *value;
        }
    }
}

/// Predicates are true in three lanes of four, so that most lanes execute.
fn predicates(u: &mut Unstructured<'_>, batch: &mut Batch) -> Result<()> {
    for index in 0..batch.locations().len() {
        if batch.locations()[index].is_predicate() {
            let mut bits: u64 = u.arbitrary()?;
            for value in batch.column_mut(index) {
                *value = u32::from(bits & 3 != 0);
                bits = bits.rotate_right(2);
            }
        }
    }
    Ok(())
}
