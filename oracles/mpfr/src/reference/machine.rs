//! A machine for one lane: executes the statements of the documents in order, on big integers.
//!
//! Under E011 = 1 a statement reads the results of earlier ones, as a machine does naturally.
//! Otherwise reads see the values from before the instruction.

use std::collections::BTreeMap;

use assay_isa::effect::Fault;
use assay_isa::{Erratum, Event, Instruction, Location, Operand, Reading, Readings, Source};
use rug::Integer;

/// The values of the locations.
pub type LocationValues = BTreeMap<Location, u32>;

/// Why a lane does not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneError {
    /// The lane is undefined.
    Undefined(Erratum),
    /// The lane faults.
    Fault(Fault),
}

/// A lane of an instruction.
#[derive(Debug)]
pub struct Machine<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    readings: &'a Readings,
    before: &'a LocationValues,
    /// The written values.
    pub after: LocationValues,
    /// The event, if any.
    pub event: Option<Event>,
}

impl<'a> Machine<'a> {
    /// Creates a lane with these values.
    pub fn new(
        instruction: &'a Instruction,
        readings: &'a Readings,
        before: &'a LocationValues,
    ) -> Machine<'a> {
        Machine { instruction, readings, before, after: LocationValues::new(), event: None }
    }

    /// Returns whether a reading has this setting.
    pub fn is(&self, reading: Reading, setting: u8) -> bool {
        self.readings.get(reading) == setting
    }

    /// Returns the name of a modifier's value.
    pub fn name(&self, field: &str) -> &'static str {
        self.instruction.value_name(field)
    }

    /// Returns whether a modifier has the value with this name.
    pub fn has(&self, field: &str, name: &str) -> bool {
        self.instruction.form().field(field).is_some() && self.name(field) == name
    }

    /// Returns the operand with one of these names.
    pub fn operand(&self, names: &[&str]) -> Operand {
        let name = names.iter().find(|name| self.instruction.form().order.contains(name));
        self.instruction.operand(name.unwrap_or_else(|| panic!("{names:?} in {:?}", self.instruction)))
    }

    /// Returns the current value of a location.
    pub fn at(&self, location: Location) -> u32 {
        let written = self.after.get(&location).filter(|_| self.is(Reading::E011, 1));
        *written
            .or(self.before.get(&location))
            .unwrap_or_else(|| panic!("{location} of {:?}", self.instruction))
    }

    /// Returns a word of an operand, without prefixes.
    pub fn word(&self, operand: Operand, index: u8) -> Integer {
        match (operand.word(index), operand.source) {
            (Some(location), _) => Integer::from(self.at(location)),
            (None, Source::Imm(literal)) => Integer::from(literal),
            (None, source) => Integer::from(source.is_predicate()),
        }
    }

    /// Returns a whole operand, without prefixes.
    pub fn plain(&self, operand: Operand) -> Integer {
        (0..operand.words).rev().fold(Integer::new(), |high, index| (high << 32) + self.word(operand, index))
    }

    /// Returns an operand of one word, without prefixes.
    pub fn get(&self, names: &[&str]) -> Integer {
        self.word(self.operand(names), 0)
    }

    /// Returns a predicate with its prefix applied.
    pub fn holds(&self, name: &str) -> bool {
        let operand = self.operand(&[name]);
        (self.word(operand, 0) != 0) != operand.not
    }

    /// Writes the first `words` words of a destination.
    pub fn write(&mut self, name: &str, value: &Integer, words: u8) {
        let operand = self.operand(&[name]);
        for index in 0..words {
            if let Some(location) = operand.word(index) {
                self.after
                    .insert(location, modulo(value.clone() >> (32 * u32::from(index)), 32).to_u32().unwrap());
            }
        }
    }

    /// Writes a predicate.
    pub fn tell(&mut self, name: &str, value: bool) {
        if let Some(location) = self.operand(&[name]).source.location() {
            self.after.insert(location, value.into());
        }
    }
}

/// Returns a number modulo 2^`power`, never negative.
pub fn modulo(number: Integer, power: u32) -> Integer {
    number.keep_bits(power)
}

/// Returns the two's complement value of a pattern of `bits` bits.
pub fn signed(number: Integer, bits: u32) -> Integer {
    number.keep_signed_bits(bits)
}
