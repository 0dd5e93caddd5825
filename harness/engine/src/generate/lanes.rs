//! Values for the columns of a batch: independent draws, and operands that are related on purpose.
//!
//! Independent values almost never cancel, tie or meet at the edge of the subnormals. So a block of
//! lanes shares a *relation*: it starts from independent draws and bends one operand toward the others.
//! Arithmetic here is the host's and only aims; a near miss is as good a test.

use arbitrary::{Result, Unstructured};
use assay_isa::{Batch, Instruction, Location, Source};

use super::classes::Table;
use super::stream::BLOCK;

/// How the operands of a lane relate. Each has an equal share of the blocks that are not independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// Not at all.
    Independent,
    /// The addend cancels the rest, down to a random number of low bits.
    Cancel,
    /// The addend's exponent lies 0 to 60 below or above the rest's.
    Distance,
    /// The addend is half a unit of the rest's last place, give or take one bit: ties and near ties.
    Tie,
    /// The factors' exponents put the product at the edge of the subnormals.
    Underflow,
    /// The factors' exponents put the product at the edge of overflow.
    Overflow,
    /// The product lies within a few units of the least normal: tiny before rounding and not after.
    Brink,
}

const RELATIONS: [Relation; 8] = [
    Relation::Independent,
    Relation::Independent,
    Relation::Brink,
    Relation::Cancel,
    Relation::Distance,
    Relation::Tie,
    Relation::Underflow,
    Relation::Overflow,
];

/// Where an operand's value of a lane goes, or what it is fixed to.
#[derive(Clone, Copy)]
enum Slot {
    Column(usize),
    Fixed(u32),
}

/// Fills every column of a batch that is already shaped for the instruction.
pub(super) fn fill(u: &mut Unstructured<'_>, instruction: &Instruction, batch: &mut Batch) -> Result<()> {
    let slots: Vec<Slot> = instruction.inputs().map(|o| slot(batch, o.source)).collect();
    let (product, table) = (instruction.optype() == "FMUL", Table::of(instruction));
    let mut start = 0;
    while start < batch.len() {
        let header: u64 = u.arbitrary()?;
        let relation = RELATIONS[(header % RELATIONS.len() as u64) as usize];
        let end = (start + BLOCK).min(batch.len());
        for lane in start..end {
            let words: [u64; 3] = [u.arbitrary()?, u.arbitrary()?, u.arbitrary()?];
            let mut values = draw(&slots, table, words);
            if slots.len() > 1 {
                relate(relation, product, &mut values[..slots.len()], words[2]);
            }
            store(batch, &slots, lane, &values);
        }
        start = end;
    }
    predicates(u, batch)
}

fn slot(batch: &Batch, source: Source) -> Slot {
    let column = |location: Location| batch.locations().iter().position(|l| *l == location);
    match source {
        Source::Imm(bits) => Slot::Fixed(bits),
        other => other.location().and_then(column).map_or(Slot::Fixed(0), Slot::Column),
    }
}

/// Up to three independent values: 32 random bits each, and a byte for the class of each.
#[inline]
fn draw(slots: &[Slot], table: &Table, words: [u64; 3]) -> [u32; 3] {
    let random = [words[0] as u32, (words[0] >> 32) as u32, words[1] as u32];
    let kinds = (words[1] >> 32) as u32;
    let mut values = [0; 3];
    for (i, slot) in slots.iter().enumerate().take(3) {
        values[i] = match slot {
            Slot::Fixed(bits) => *bits,
            Slot::Column(_) => table.draw((kinds >> (8 * i)) as u8, random[i]),
        };
    }
    values
}

#[inline]
fn store(batch: &mut Batch, slots: &[Slot], lane: usize, values: &[u32; 3]) {
    for (slot, value) in slots.iter().zip(values) {
        if let Slot::Column(index) = slot {
            batch.column_mut(*index)[lane] = *value;
        }
    }
}

/// Bends the last operand (or, for a product, its second factor) toward the relation.
fn relate(relation: Relation, product: bool, values: &mut [u32], random: u64) {
    let last = values.len() - 1;
    let rest = if last == 2 { product_of(values[0], values[1]) } else { values[0] };
    match relation {
        Relation::Independent => {}
        Relation::Cancel if !product => values[last] = cancel(rest, random),
        Relation::Distance if !product => values[last] = at_distance(rest, values[last], random),
        Relation::Tie if !product => values[last] = half_unit(rest, random),
        Relation::Underflow => values[1] = aim(values[0], values[1], random, -150..=-124),
        Relation::Brink => values[1] = brink(values[0], random),
        Relation::Overflow => values[1] = aim(values[0], values[1], random, 125..=129),
        // Ties of a product come from factors with short significands.
        Relation::Cancel | Relation::Distance | Relation::Tie => {
            values[0] &= !0 << (random % 16);
            values[1] &= !0 << (random / 16 % 16);
        }
    }
}

fn product_of(a: u32, b: u32) -> u32 {
    (f32::from_bits(a) * f32::from_bits(b)).to_bits()
}

/// The negation with its low bits replaced: cancellation to a random depth, every bit included.
fn cancel(rest: u32, random: u64) -> u32 {
    let noise = (1u32 << (random % 24)) - 1;
    (rest ^ (random as u32 >> 6 & noise)) ^ 0x8000_0000 ^ ((random >> 63) as u32) << 31
}

/// A value whose exponent lies up to 60 from the other's.
fn at_distance(rest: u32, value: u32, random: u64) -> u32 {
    let distance = (random % 121) as i32 - 60;
    with_exponent(value, exponent(rest) + distance)
}

/// About half a unit in the last place of the other.
fn half_unit(rest: u32, random: u64) -> u32 {
    let sign = (random as u32) & 0x8000_0000;
    let nudge = (random >> 8) as u32 % 3;
    (with_exponent(sign, exponent(rest) - 24)).wrapping_add(nudge).wrapping_sub(1)
}

/// The factor that brings the product to the least normal, give or take a few units.
fn brink(a: u32, random: u64) -> u32 {
    let factor = (f64::from(f32::MIN_POSITIVE) / f64::from(f32::from_bits(a))) as f32;
    factor.to_bits().wrapping_add((random % 8) as u32).wrapping_sub(4)
}

/// The second factor with the exponent that puts the product's into the range.
fn aim(a: u32, b: u32, random: u64, range: std::ops::RangeInclusive<i32>) -> u32 {
    let span = (range.end() - range.start() + 1) as u64;
    with_exponent(b, range.start() + (random % span) as i32 - exponent(a) + 127)
}

/// Biased exponent of a value, or the middle of the range for those that have none.
fn exponent(bits: u32) -> i32 {
    match bits >> 23 & 0xff {
        0 | 255 => 127,
        e => e as i32,
    }
}

/// A value with another biased exponent, kept within the finite range.
fn with_exponent(bits: u32, exponent: i32) -> u32 {
    bits & 0x807f_ffff | (exponent.clamp(0, 254) as u32) << 23
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
