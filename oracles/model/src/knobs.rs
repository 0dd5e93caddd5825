//! Knobs: the readings that a model follows, and the hooks with which `oracles/faults` plants
//! faults.
//!
//! Code that depends on a reading calls [`Knobs::reading`]. A hook plants a fault in an operand, a
//! result or an event. The model without faults overrides no hook. A fault within a unit, such as
//! the rounder, is planted in the unit, which calls [`Knobs::wrong`]. For [`Shipping`] the readings
//! are constants and the hooks do nothing, so the compiler removes the calls.

use assay_isa::effect::Lanes;
use assay_isa::{EncodingTable, Event, Instruction, Location, Operand, Reading, Readings};

use crate::mufu::rom::Rom;
use crate::mufu::rows::{Class, SpecialResult, SpecialTable};
use crate::site::Site;

/// The greatest number of columns that an operation reads.
pub const COLUMNS: usize = 5;

/// The readings of a model, and the hooks of a fault. The default hooks change nothing.
pub trait Knobs: Send + 'static {
    /// Whether the knobs are the `intended` readings, without a fault or an observer.
    const FIXED: bool = false;

    /// Whether the knobs have no fault and no observer. The readings may be any. The model computes
    /// similar lanes of MUFU together only if this is true.
    const SOUND: bool = false;

    /// Returns the setting of a reading.
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        Readings::INTENDED.get(reading)
    }

    /// Returns whether the mistake at a site is planted in the current optype.
    #[inline]
    fn wrong(&self, _site: Site) -> bool {
        false
    }

    /// Returns the row of a segment in a table of MUFU's function unit.
    #[inline]
    fn row(&self, _rom: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        table[segment]
    }

    /// Returns the result of a special row of MUFU.
    #[inline]
    fn special(&self, _table: SpecialTable, _class: Class, right: SpecialResult) -> SpecialResult {
        right
    }

    /// Receives the instruction that is executed next.
    #[inline]
    fn enter(&mut self, _instruction: &Instruction) {}

    /// Returns the word as a faulty decoder reads it. Returns `None` if the word is read correctly.
    #[inline]
    fn misread(&self, _instruction: &Instruction, _word: u128, _numbers: &EncodingTable) -> Option<u128> {
        None
    }

    /// Returns whether a planted fault may read a location without a given value. It reads 0 there.
    #[inline]
    fn may_read_unset(&self) -> bool {
        false
    }

    /// Returns the instruction to execute in place of the decoded one.
    #[inline]
    fn instead(&self, instruction: Instruction) -> Instruction {
        instruction
    }

    /// Returns the guard to evaluate. Returns `None` if the instruction executes in all lanes.
    #[inline]
    fn guard(&self, guard: Operand) -> Option<Operand> {
        Some(guard)
    }

    /// Returns the operands to read.
    #[inline]
    fn operands(&self, operands: Vec<Operand>) -> Vec<Operand> {
        operands
    }

    /// Returns whether the operand at a position is flushed.
    #[inline]
    fn flushes(&self, _position: usize, flushed: bool) -> bool {
        flushed
    }

    /// Returns the number of the word to read instead of `word`, in a wide operand.
    #[inline]
    fn word(&self, _position: usize, _operand: Operand, word: u8) -> u8 {
        word
    }

    /// Changes the values of one word of the operand at a position, after it is read and possibly
    /// flushed.
    #[inline]
    fn read(&self, _position: usize, _word: u8, _flushed: bool, _values: &mut [u32]) {}

    /// Changes the values of all operands of the decoded instruction, after they are read.
    #[inline]
    fn before(&self, _instruction: &Instruction, _columns: &mut [Vec<u32>; COLUMNS]) {}

    /// Returns the locations of an output's words. `_second` is false for the first output.
    #[inline]
    fn output(&self, _second: bool, words: Vec<Option<Location>>) -> Vec<Option<Location>> {
        words
    }

    /// Returns the lanes in which an output is written, among those that execute.
    #[inline]
    fn written(&self, executed: &Lanes) -> Lanes {
        executed.clone()
    }

    /// Changes the results of an output, after they are computed.
    #[inline]
    fn after(&self, _computed: &Computed<'_>, _results: &mut [u32]) {}

    /// Changes the values written to a location.
    #[inline]
    fn results(&self, _executed: &Lanes, _location: Location, _results: &mut [u32]) {}

    /// Returns the event to report instead of `event`. `None` reports no event.
    #[inline]
    fn event(&self, event: Event) -> Option<Event> {
        Some(event)
    }

    /// Returns a location to which 0 is written in addition to a reported event.
    #[inline]
    fn written_besides(&self) -> Option<Location> {
        None
    }
}

/// A computed output, and a function that can compute the outputs again from other operands.
pub struct Computed<'a> {
    /// The decoded instruction.
    pub instruction: &'a Instruction,
    /// The position of the output among the words of all outputs.
    pub position: usize,
    /// The operands as the unit saw them.
    pub columns: &'a [Vec<u32>; COLUMNS],
    pub(crate) unit: Unit<'a>,
}

/// A function that computes the output at a position from operands.
pub(crate) type Unit<'a> = &'a dyn Fn(&[Vec<u32>; COLUMNS], usize, &mut [u32]);

impl Computed<'_> {
    /// Computes the output at a position from other operands.
    pub fn again(&self, position: usize, columns: &[Vec<u32>; COLUMNS], results: &mut [u32]) {
        (self.unit)(columns, position, results);
    }
}

/// The model without faults under the `intended` readings, fixed at compile time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipping;

impl Knobs for Shipping {
    const FIXED: bool = true;
    const SOUND: bool = true;
}

/// The model without faults under any readings.
impl Knobs for Readings {
    const SOUND: bool = true;

    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        self.get(reading)
    }
}

/// The shipping model, without the loops that compute lanes together.
#[cfg(test)]
pub(crate) struct Sound;

/// The model under any readings, without the loops that compute lanes together.
#[cfg(test)]
pub(crate) struct SoundUnder(pub Readings);

#[cfg(test)]
impl Knobs for Sound {}

#[cfg(test)]
impl Knobs for SoundUnder {
    fn reading(&self, reading: Reading) -> u8 {
        self.0.get(reading)
    }
}
