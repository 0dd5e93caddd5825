//! The values that an instruction reads: columns of the batch, names without storage, literals, prefixes.
//!
//! RZ, URZ and SRZ read 0, and PT and UPT read true (E010). `~` and `!` are applied before every
//! other step. Of a float's prefixes, the absolute value is applied before the minus sign (FADD's
//! prose, E175).

use std::borrow::Cow;

use assay_isa::instruction::Source;
use assay_isa::tables::types::HSel;
use assay_isa::{BackendError, Batch, Location, Operand};

/// The sign of a float that fills 32 bits.
pub const SIGN: u32 = 1 << 31;

/// The values of one word of an operand, without prefixes.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// One value for each lane.
    Column(&'a [u32]),
    /// One value for all lanes.
    Constant(u32),
}

impl<'a> Values<'a> {
    /// Returns the values of one word of an operand in a batch. Word 0 is the lowest.
    pub fn of(operand: Operand, word: u8, batch: &'a Batch) -> Result<Values<'a>, BackendError> {
        match (operand.word(word), operand.source) {
            (None, Source::Imm(literal)) => Ok(Values::Constant(literal)),
            // PT, UPT, and UP7, which is UPT (E136).
            (None, source) if source.is_predicate() => Ok(Values::Constant(1)),
            (location, _) => Values::at(location, batch),
        }
    }

    /// Returns the values of a location. Without a location, every value is 0.
    pub fn at(location: Option<Location>, batch: &'a Batch) -> Result<Values<'a>, BackendError> {
        let Some(location) = location else {
            return Ok(Values::Constant(0));
        };
        batch.column(location).map(Values::Column).ok_or(BackendError::MissingLocation(location))
    }

    /// Returns the values of the first `lanes` lanes.
    pub fn column(&self, lanes: usize) -> Cow<'a, [u32]> {
        match self {
            Values::Column(values) => Cow::Borrowed(values),
            Values::Constant(value) => Cow::Owned(vec![*value; lanes]),
        }
    }

    /// Returns the value in a lane. A predicate has the value 0 or 1.
    #[inline]
    pub fn get(&self, lane: usize) -> u32 {
        match self {
            Values::Column(values) => values[lane],
            Values::Constant(value) => *value,
        }
    }
}

/// The values of an operand's lowest word, with the prefixes of a float or of a predicate.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    values: Values<'a>,
    keep: u32,
    flip: u32,
    /// The operand's source.
    pub source: Source,
    /// The half that the operand's suffix selects. Even so, the values are whole words.
    pub half: Option<HSel>,
}

impl<'a> Input<'a> {
    /// Returns the values and prefixes of an operand in a batch.
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

    /// Returns the values of the first `lanes` lanes, without prefixes.
    pub fn column(&self, lanes: usize) -> Cow<'a, [u32]> {
        self.values.column(lanes)
    }

    /// Returns the value in a lane, with prefixes. A predicate has the value 0 or 1.
    #[inline]
    pub fn get(&self, lane: usize) -> u32 {
        self.prefixed(self.values.get(lane))
    }

    /// Reads the values of the first `lanes` lanes into a vector, with prefixes.
    pub fn read(&self, lanes: usize, into: &mut Vec<u32>) {
        into.clear();
        match self.values {
            // Without prefixes, a plain copy is faster.
            Values::Column(values) if (self.keep, self.flip) == (!0, 0) => into.extend_from_slice(values),
            Values::Column(values) => into.extend(values.iter().map(|value| self.prefixed(*value))),
            Values::Constant(value) => into.resize(lanes, self.prefixed(value)),
        }
    }

    /// Applies the prefixes to a value.
    #[inline]
    pub fn prefixed(&self, value: u32) -> u32 {
        value & self.keep ^ self.flip
    }

    /// Returns whether the predicate is true in a lane.
    #[inline]
    pub fn is_true(&self, lane: usize) -> bool {
        self.get(lane) != 0
    }

    /// Returns whether the operand has one value for all lanes.
    pub fn is_constant(&self) -> bool {
        matches!(self.values, Values::Constant(_))
    }

    /// Returns the general or uniform register that the operand reads, if it reads one.
    pub fn register(&self) -> Option<Location> {
        self.source.location().filter(|l| matches!(l, Location::R(_) | Location::UR(_)))
    }
}
