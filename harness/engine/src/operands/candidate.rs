//! A case, stored as an instruction and the values of its operands. Shrinking simplifies such a
//! case, and the mutator of the fuzz targets changes it.
//!
//! Values belong to operands and not to locations, so an operand keeps its value when it moves to another register.

use assay_isa::{Batch, EncodingTable, Instruction, Location, codec};

use crate::operands::operand_words::{OperandWord, WordPlace, operand_words};

/// An instruction and a value for each of its [cells](crate::operands::operand_words).
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The instruction.
    pub instruction: Instruction,
    /// Values of its cells.
    pub values: Vec<u32>,
    /// Value of the guard predicate's location. 0 if it has none.
    pub guard: u32,
    /// The values at places whose location is decided by another value. Only those that the case
    /// has.
    pub reached: Vec<(Location, u32)>,
}

impl Candidate {
    /// Returns the case in the first lane of a batch.
    pub fn of(instruction: &Instruction, batch: &Batch) -> Candidate {
        let value = |location: Option<Location>| location.and_then(|l| batch.column(l)).map_or(0, |c| c[0]);
        let values = operand_words(instruction).map(|cell| value(cell.place.location())).collect();
        let guard = value(instruction.guard().source.location());
        let reads = instruction.reads();
        let reached = batch.lane(0).filter(|(location, _)| !reads.contains(location)).collect();
        Candidate { instruction: instruction.clone(), values, guard, reached }
    }

    /// Returns the value of a cell.
    pub fn value(&self, cell: usize) -> u32 {
        match operand_words(&self.instruction).nth(cell).map(|cell| cell.place) {
            Some(WordPlace::Literal(bits)) => bits,
            _ => self.values[cell],
        }
    }

    /// Sets the value of a cell and of every cell that shares its location. A literal is set in the
    /// instruction, but only if the value fits its field.
    pub fn set_value(&mut self, cell: usize, value: u32) {
        let all: Vec<OperandWord> = operand_words(&self.instruction).collect();
        let form = self.instruction.form();
        if let (WordPlace::Literal(_), Some(position)) = (all[cell].place, form.position(all[cell].operand)) {
            let field = form.fields[position];
            if field.ty.is_literal() && u64::from(value) < 1 << field.width {
                self.instruction.set_at(position, value);
            }
            return;
        }
        let location = all[cell].place.location();
        for (place, other) in all.iter().enumerate() {
            if place == cell || location.is_some() && other.place.location() == location {
                self.values[place] = value;
            }
        }
    }

    /// Returns the same values for another instruction of the form, whose operands may have more or
    /// fewer words. New words are 0.
    pub fn with(&self, instruction: Instruction) -> Candidate {
        let word = |(place, cell): (usize, OperandWord), words: &[OperandWord]| {
            (cell.operand, words[..place].iter().filter(|earlier| earlier.operand == cell.operand).count())
        };
        let list = |instruction: &Instruction| -> Vec<(&'static str, usize)> {
            let words: Vec<OperandWord> = operand_words(instruction).collect();
            words.iter().copied().enumerate().map(|at| word(at, &words)).collect()
        };
        let old = list(&self.instruction);
        let value =
            |cell: &(&'static str, usize)| old.iter().position(|o| o == cell).map_or(0, |i| self.values[i]);
        let values = list(&instruction).iter().map(value).collect();
        Candidate { instruction, values, guard: self.guard, reached: self.reached.clone() }
    }

    /// Returns the batch of the case. If two operands share a location, the later value counts.
    pub fn batch(&self, numbers: &EncodingTable) -> Batch {
        let mut locations = self.instruction.reads();
        let fixed = locations.len();
        let reached = self.reached.iter().filter(|(location, _)| !locations[..fixed].contains(location));
        let reached: Vec<_> = reached.copied().collect();
        locations.extend(reached.iter().map(|(location, _)| *location));
        let word = codec::encode(&self.instruction, numbers);
        let mut batch = Batch::new(word, &locations, 1);
        let mut set = |location: Option<Location>, value: u32| {
            if let Some(index) = location.and_then(|l| locations.iter().position(|x| *x == l)) {
                batch.column_mut(index)[0] = value;
            }
        };
        set(self.instruction.guard().source.location(), self.guard);
        for (cell, value) in operand_words(&self.instruction).zip(&self.values) {
            set(cell.place.location(), *value);
        }
        for (location, value) in reached {
            set(Some(location), value);
        }
        batch
    }
}
