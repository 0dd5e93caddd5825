//! The values that an instruction reads: columns of the batch, names without storage, literals, prefixes.
//!
//! RZ, URZ and SRZ read 0, PT and UPT read true (E010). The bars come before the minus sign (FADD's prose, E175), and
//! `~` and `!` before anything that the instruction does.

use std::borrow::Cow;

use assay_isa::instruction::Source;
use assay_isa::tables::types::HSel;
use assay_isa::{BackendError, Batch, Location, Operand};

/// The sign of a float that fills 32 bits.
pub const SIGN: u32 = 1 << 31;

/// The values behind one word of an operand, prefixes aside.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// One a lane.
    Column(&'a [u32]),
    /// The same in every lane.
    Constant(u32),
}

impl<'a> Values<'a> {
    /// The values that a word of an operand has in a batch, the lowest word being number 0.
    pub fn of(operand: Operand, word: u8, batch: &'a Batch) -> Result<Values<'a>, BackendError> {
        match (operand.word(word), operand.source) {
            (None, Source::Imm(literal)) => Ok(Values::Constant(literal)),
            // PT, UPT, and UP7, which is UPT (E136).
            (None, source) if source.is_predicate() => Ok(Values::Constant(1)),
            (location, _) => Values::at(location, batch),
        }
    }

    /// The values of a location; 0 where there is none.
    pub fn at(location: Option<Location>, batch: &'a Batch) -> Result<Values<'a>, BackendError> {
        let Some(location) = location else {
            return Ok(Values::Constant(0));
        };
        batch.column(location).map(Values::Column).ok_or(BackendError::MissingLocation(location))
    }

    /// The values of so many lanes.
    pub fn column(&self, lanes: usize) -> Cow<'a, [u32]> {
        match self {
            Values::Column(values) => Cow::Borrowed(values),
            Values::Constant(value) => Cow::Owned(vec![*value; lanes]),
        }
    }

    /// The value in a lane; that of a predicate is 0 or 1.
    #[inline]
    pub fn get(&self, lane: usize) -> u32 {
        match self {
            Values::Column(values) => values[lane],
            Values::Constant(value) => *value,
        }
    }
}

/// An operand with its prefixes, which are those of a float.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    values: Values<'a>,
    keep: u32,
    flip: u32,
    /// Where it comes from.
    pub source: Source,
    /// The half that its suffix selects; the value is whole all the same.
    pub half: Option<HSel>,
}

impl<'a> Input<'a> {
    /// The values that an operand has in a batch.
    pub fn of(operand: Operand, batch: &'a Batch) -> Result<Input<'a>, BackendError> {
        let flips = [(operand.neg, SIGN), (operand.bitnot, !0), (operand.not, 1)];
        Ok(Input {
            values: Values::of(operand, 0, batch)?,
            keep: if operand.abs { !SIGN } else { !0 },
            flip: flips.iter().filter(|(present, _)| *present).fold(0, |flip, (_, bits)| flip ^ bits),
            source: operand.source,
            half: operand.half,
        })
    }

    /// The values of so many lanes, prefixes aside.
    pub fn column(&self, lanes: usize) -> Cow<'a, [u32]> {
        self.values.column(lanes)
    }

    /// The value in a lane; that of a predicate is 0 or 1.
    #[inline]
    pub fn get(&self, lane: usize) -> u32 {
        self.prefixed(self.values.get(lane))
    }

    /// The values of so many lanes.
    pub fn read(&self, lanes: usize, into: &mut Vec<u32>) {
        into.clear();
        match self.values {
            Values::Column(values) => into.extend(values.iter().map(|value| self.prefixed(*value))),
            Values::Constant(value) => into.resize(lanes, self.prefixed(value)),
        }
    }

    /// A value as it reads through the prefixes.
    #[inline]
    pub fn prefixed(&self, value: u32) -> u32 {
        value & self.keep ^ self.flip
    }

    /// Whether a predicate is true in a lane.
    #[inline]
    pub fn is_true(&self, lane: usize) -> bool {
        self.get(lane) != 0
    }

    /// Whether it has the same value in every lane.
    pub fn is_constant(&self) -> bool {
        matches!(self.values, Values::Constant(_))
    }

    /// The register, general or uniform, that it reads.
    pub fn register(&self) -> Option<Location> {
        self.source.location().filter(|l| matches!(l, Location::R(_) | Location::UR(_)))
    }
}
