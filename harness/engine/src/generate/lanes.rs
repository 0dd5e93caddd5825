//! Draws the values of a batch's columns.

use std::ops::Range;

use arbitrary::{Result, Unstructured};
use assay_isa::{Batch, Instruction, Location};

use super::classes::ValueDistribution;
use super::relations::Relations;
use super::stream::{BLOCK, BLOCK_BYTES, INSTRUCTION_BYTES, LANE_BYTES};
use super::targets::Targets;
use crate::generate::splitmix::mix;
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::{WordPlace, operand_words};

/// Number of words that are drawn together. A relation acts on the words of the first group and on
/// a fourth word after them.
const GROUP: usize = 3;

/// The column that gets an operand's values, or the operand's fixed value.
#[derive(Clone, Copy)]
enum OperandSlot {
    Column(usize, ValueDistribution),
    Fixed(u32),
}

/// Returns the maximum number of bytes from which an instruction and a batch of `lanes` lanes are
/// drawn.
pub(super) fn bytes_needed(instruction: &Instruction, lanes: usize) -> usize {
    let targets = if instruction.access().is_some() { Targets::MOST } else { 0 };
    let words =
        operand_words(instruction).filter(|cell| cell.kind != OperandKind::Predicate).count() + targets;
    let groups = words.div_ceil(GROUP).max(1);
    // Drawing an address takes 8 bytes a lane.
    let aimed = if targets > 0 { 8 * lanes } else { 0 };
    let blocks = lanes.div_ceil(BLOCK) * BLOCK_BYTES;
    INSTRUCTION_BYTES + blocks + groups * lanes * LANE_BYTES + aimed
}

/// Fills every column of a batch that is already shaped for the instruction.
pub(super) fn fill(u: &mut Unstructured<'_>, instruction: &Instruction, batch: &mut Batch) -> Result<()> {
    let slots = slots(instruction, batch);
    let repeats = repeats(&slots);
    let relations = Relations::of(instruction);
    let groups = slots.len().div_ceil(GROUP).max(1);
    let mut short = Vec::new();
    let mut values = vec![[0; BLOCK]; slots.len()];
    let mut bits = GroupBits::default();
    let mut start = 0;
    while start < batch.len() {
        let random = u.arbitrary()?;
        let relation = relations.pick(random);
        let end = (start + BLOCK).min(batch.len());
        let lanes = end - start;
        let bytes = take(u, groups * lanes * LANE_BYTES, &mut short)?;
        for (group, bytes) in bytes.chunks_exact(lanes * LANE_BYTES).enumerate() {
            bits.read(bytes, lanes);
            let operands = group * GROUP..slots.len().min((group + 1) * GROUP);
            for (place, operand) in operands.enumerate() {
                draw(slots[operand], &bits, place, &mut values[operand]);
            }
        }
        repeats.iter().for_each(|(operand, first)| values[*operand] = values[*first]);
        relation.bend_block(&mut values, &bits.relation);
        store(batch, &slots, start..end, &values);
        if let Some(common) = relation.common(random) {
            share(batch, &slots, start..end, common);
        }
        start = end;
    }
    predicates(u, batch)
}

/// Returns the next `number` bytes. If fewer are left, zeros follow them. `short` is a buffer for
/// the padded copy.
fn take<'a: 'b, 'b>(u: &mut Unstructured<'a>, number: usize, short: &'b mut Vec<u8>) -> Result<&'b [u8]> {
    if u.len() >= number {
        return u.bytes(number);
    }
    short.resize(number, 0);
    u.fill_buffer(short)?;
    Ok(short)
}

/// The random bits for one group of words, for each lane of a block.
#[derive(Default)]
struct GroupBits {
    /// For each word of the group, bits that pick the member of a class.
    members: [[u32; BLOCK]; GROUP],
    /// A byte for each word of the group, which picks its class.
    classes: [u32; BLOCK],
    /// Bits that decide how a relation bends the lane. Only the bits of a lane's last group are
    /// used.
    relation: [u64; BLOCK],
}

impl GroupBits {
    /// Reads the bits of `lanes` lanes: first the members of the first word, then those of the
    /// second, and so on.
    #[inline]
    fn read(&mut self, bytes: &[u8], lanes: usize) {
        let (words, relation) = bytes.split_at(lanes * (4 * (GROUP + 1)));
        let columns = words.chunks_exact(4 * lanes);
        for (column, bytes) in self.members.iter_mut().chain([&mut self.classes]).zip(columns) {
            for (word, bytes) in column.iter_mut().zip(bytes.as_chunks().0) {
                *word = u32::from_le_bytes(*bytes);
            }
        }
        for (word, bytes) in self.relation.iter_mut().zip(relation.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
    }
}

/// Copies the `common` bits of a block's first lane to its other lanes.
fn share(batch: &mut Batch, slots: &[OperandSlot], lanes: Range<usize>, common: u32) {
    for slot in slots {
        if let OperandSlot::Column(index, _) = slot
            && let [first, rest @ ..] = &mut batch.column_mut(*index)[lanes.clone()]
        {
            rest.iter_mut().for_each(|value| *value = *first & common | *value & !common);
        }
    }
}

/// Returns a slot for each word that is not a predicate: first the words of the operands, then the
/// places that an address can reach. (The address is a value or is in the instruction.) Every
/// column without predicates needs a slot, because a column that is not drawn would keep values of
/// an earlier batch.
fn slots(instruction: &Instruction, batch: &Batch) -> Vec<OperandSlot> {
    let column = |location: Location| batch.locations().iter().position(|l| *l == location);
    let words = operand_words(instruction).filter(|cell| cell.kind != OperandKind::Predicate);
    let mut slots: Vec<OperandSlot> = words
        .map(|cell| match cell.place {
            WordPlace::Literal(bits) => OperandSlot::Fixed(bits),
            WordPlace::Nowhere => OperandSlot::Fixed(0),
            WordPlace::At(location) => column(location).map_or(OperandSlot::Fixed(0), |index| {
                OperandSlot::Column(index, ValueDistribution::of(cell.kind))
            }),
        })
        .collect();
    for (index, location) in batch.locations().iter().enumerate() {
        let is_drawn =
            slots.iter().any(|slot| matches!(slot, OperandSlot::Column(known, _) if *known == index));
        if !is_drawn && !location.is_predicate() {
            slots.push(OperandSlot::Column(index, ValueDistribution::of(OperandKind::Bits)));
        }
    }
    slots
}

/// Returns the words that share a column with an earlier word, each with the first word of that
/// column. A relation must find the same value in both words.
fn repeats(slots: &[OperandSlot]) -> Vec<(usize, usize)> {
    let column = |slot: &OperandSlot| match slot {
        OperandSlot::Column(index, _) => Some(*index),
        OperandSlot::Fixed(_) => None,
    };
    let first = |operand: usize| {
        let own = column(&slots[operand])?;
        (0..operand).find(|earlier| column(&slots[*earlier]) == Some(own)).map(|first| (operand, first))
    };
    (0..slots.len()).filter_map(first).collect()
}

/// Draws independent values of one word, for each lane. `place` is the word's place in its group.
fn draw(slot: OperandSlot, bits: &GroupBits, place: usize, values: &mut [u32; BLOCK]) {
    match slot {
        OperandSlot::Fixed(word) => *values = [word; BLOCK],
        OperandSlot::Column(_, drawn) => {
            let classes = bits.classes.map(|classes| (classes >> (8 * place)) as u8);
            drawn.draw_lanes(&classes, &bits.members[place], values);
        }
    }
}

fn store(batch: &mut Batch, slots: &[OperandSlot], lanes: Range<usize>, values: &[[u32; BLOCK]]) {
    for (slot, values) in slots.iter().zip(values) {
        if let OperandSlot::Column(index, _) = slot {
            batch.column_mut(*index)[lanes.clone()].copy_from_slice(&values[..lanes.len()]);
        }
    }
}

/// Fills the columns of predicates. A predicate is true in three lanes of four, so that most lanes
/// execute.
fn predicates(u: &mut Unstructured<'_>, batch: &mut Batch) -> Result<()> {
    for index in 0..batch.locations().len() {
        if batch.locations()[index].is_predicate() {
            let seed: u64 = u.arbitrary()?;
            // Each 32 lanes have other bits. A repeated pattern would hide the fault that a guard
            // is read from another lane.
            for (group, values) in (0..).zip(batch.column_mut(index).chunks_mut(32)) {
                let mut bits = mix(seed.wrapping_add(group));
                for value in values {
                    *value = u32::from(bits & 3 != 0);
                    bits >>= 2;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use assay_isa::EncodingTable;

    use super::super::{LANES, Scope, from_stream};
    use super::*;

    /// Regression test: a register at an address in the instruction had no slot. So it kept the
    /// value of an earlier batch, and the case did not depend only on the seed.
    #[test]
    fn every_column_of_every_mode_is_drawn_and_from_nothing_but_the_seed() {
        let scope = Scope::everything();
        let (mut used, mut bytes) = (Batch::default(), Vec::new());
        for (index, mode) in (0..).zip(scope.modes()) {
            for seed in 0..4 {
                let pick = |u: &mut Unstructured<'_>| scope.with_operands(mode, u);
                let numbers = EncodingTable::provisional();
                let instruction = from_stream((seed, index), numbers, LANES, &mut bytes, &mut used, pick);
                let mut fresh = Batch::default();
                from_stream((seed, index), numbers, LANES, &mut Vec::new(), &mut fresh, pick)
                    .expect("a batch");
                assert!(used == fresh, "{mode:?}: what the memory held before shows");
                for (place, location) in fresh.locations().iter().enumerate() {
                    let column = fresh.column(*location).expect("it is one");
                    let varies = column.iter().any(|value| *value != column[0]);
                    assert!(varies, "{:?}: column {place}, {location}, is not drawn", instruction.as_ref());
                }
            }
        }
    }
}
