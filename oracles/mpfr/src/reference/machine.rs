//! One lane as a machine that executes the statements of the documents one after the other, on big integers.
//!
//! Where E011 = 1 has a statement read what an earlier one has written, that is what a machine does by itself; where
//! it does not, reads see the values from before.

use std::collections::BTreeMap;

use assay_isa::effect::Fault;
use assay_isa::{Erratum, Event, Instruction, Location, Operand, Reading, Readings, Source};
use rug::Integer;

/// What the locations hold.
pub type LocationValues = BTreeMap<Location, u32>;

/// Why a lane comes to no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneError {
    /// It is undefined.
    Undefined(Erratum),
    /// It faults.
    Fault(Fault),
}

/// A lane of an instruction.
#[derive(Debug)]
pub struct Machine<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    readings: &'a Readings,
    before: &'a LocationValues,
    /// What was written.
    pub after: LocationValues,
    /// What happened besides.
    pub event: Option<Event>,
}

impl<'a> Machine<'a> {
    /// A lane with these values.
    pub fn new(
        instruction: &'a Instruction,
        readings: &'a Readings,
        before: &'a LocationValues,
    ) -> Machine<'a> {
        Machine { instruction, readings, before, after: LocationValues::new(), event: None }
    }

    /// Whether an erratum is read so.
    pub fn is(&self, reading: Reading, setting: u8) -> bool {
        self.readings.get(reading) == setting
    }

    /// The name of a modifier's value.
    pub fn name(&self, field: &str) -> &'static str {
        self.instruction.value_name(field)
    }

    /// Whether it has a modifier with a value of that name.
    pub fn has(&self, field: &str, name: &str) -> bool {
        self.instruction.form().field(field).is_some() && self.name(field) == name
    }

    /// The operand that goes by one of these names.
    pub fn operand(&self, names: &[&str]) -> Operand {
        let name = names.iter().find(|name| self.instruction.form().order.contains(name));
        self.instruction.operand(name.unwrap_or_else(|| panic!("{names:?} in {:?}", self.instruction)))
    }

    /// What a location holds now.
    pub fn at(&self, location: Location) -> u32 {
        let written = self.after.get(&location).filter(|_| self.is(Reading::E011, 1));
        *written
            .or(self.before.get(&location))
            .unwrap_or_else(|| panic!("{location} of {:?}", self.instruction))
    }

    /// A word of an operand, prefixes aside.
    pub fn word(&self, operand: Operand, index: u8) -> Integer {
        match (operand.word(index), operand.source) {
            (Some(location), _) => Integer::from(self.at(location)),
            (None, Source::Imm(literal)) => Integer::from(literal),
            (None, source) => Integer::from(source.is_predicate()),
        }
    }

    /// An operand as a whole, prefixes aside.
    pub fn plain(&self, operand: Operand) -> Integer {
        (0..operand.words).rev().fold(Integer::new(), |high, index| (high << 32) + self.word(operand, index))
    }

    /// An operand of one word, prefixes aside.
    pub fn get(&self, names: &[&str]) -> Integer {
        self.word(self.operand(names), 0)
    }

    /// A predicate through its prefix.
    pub fn holds(&self, name: &str) -> bool {
        let operand = self.operand(&[name]);
        (self.word(operand, 0) != 0) != operand.not
    }

    /// Writes the words of a destination, or so many of them.
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

/// The remainder of a number, not negative, modulo 2 to that power.
pub fn modulo(number: Integer, power: u32) -> Integer {
    number.keep_bits(power)
}

/// The number that so many bits of a pattern are in two's complement.
pub fn signed(number: Integer, bits: u32) -> Integer {
    number.keep_signed_bits(bits)
}
