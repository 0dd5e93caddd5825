//! Knobs: the readings that a model follows, and the hooks by which a planted fault changes what happens around it.
//!
//! Every place where the documents can be read in several ways asks [`Knobs::reading`]. A fault that is a wrong operand, a
//! wrong result or a wrong event is planted by a hook, of which the sound model makes nothing. A fault within a unit, such as
//! the rounder, is planted where it is: that place asks [`Knobs::wrong`]. For [`Shipping`] all of this is constant, so that
//! nothing of it is left in the compiled code.

use assay_isa::effect::Lanes;
use assay_isa::{EncodingTable, Event, Instruction, Location, Operand, Reading, Readings};

use crate::mufu::rom::Rom;
use crate::mufu::rows::{Class, SpecialResult, SpecialTable};
use crate::site::Site;

/// Columns that an operation reads at most.
pub const COLUMNS: usize = 5;

/// What a model asks, and what a fault may change. Every hook returns what it was given, or leaves it alone.
pub trait Knobs: Send + 'static {
    /// Whether they are the `intended` readings without a fault or an observer: similar lanes may
    /// be computed together.
    const FIXED: bool = false;

    /// The setting to follow.
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        Readings::INTENDED.get(reading)
    }

    /// Whether this mistake within a unit is planted in the current optype.
    #[inline]
    fn wrong(&self, _site: Site) -> bool {
        false
    }

    /// A row of a table of MUFU's function unit.
    #[inline]
    fn row(&self, _rom: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        table[segment]
    }

    /// What a special row of MUFU gives.
    #[inline]
    fn special(&self, _table: SpecialTable, _class: Class, right: SpecialResult) -> SpecialResult {
        right
    }

    /// Tells that an instruction is about to be executed.
    #[inline]
    fn enter(&mut self, _instruction: &Instruction) {}

    /// The word as a faulty decoder reads it, if it does not read it as the instruction that it is.
    #[inline]
    fn misread(&self, _instruction: &Instruction, _word: u128, _numbers: &EncodingTable) -> Option<u128> {
        None
    }

    /// Whether a planted fault may read a place without a given value. It reads 0 there.
    #[inline]
    fn may_read_unset(&self) -> bool {
        false
    }

    /// The instruction that is executed in place of the decoded one.
    #[inline]
    fn instead(&self, instruction: Instruction) -> Instruction {
        instruction
    }

    /// The guard that is looked at; none if the instruction executes in any case.
    #[inline]
    fn guard(&self, guard: Operand) -> Option<Operand> {
        Some(guard)
    }

    /// The operands that are read.
    #[inline]
    fn operands(&self, operands: Vec<Operand>) -> Vec<Operand> {
        operands
    }

    /// Whether the operand at a position is flushed.
    #[inline]
    fn flushes(&self, _position: usize, flushed: bool) -> bool {
        flushed
    }

    /// The word of an operand that is read in place of a word of it.
    #[inline]
    fn word(&self, _position: usize, _operand: Operand, word: u8) -> u8 {
        word
    }

    /// Changes the values of a word of the operand at a position, once they are read and, if so, `flushed`.
    #[inline]
    fn read(&self, _position: usize, _word: u8, _flushed: bool, _values: &mut [u32]) {}

    /// Changes the values of all operands of the decoded instruction, once they are read.
    #[inline]
    fn before(&self, _instruction: &Instruction, _columns: &mut [Vec<u32>; COLUMNS]) {}

    /// The places of the words of an output, the first or the second.
    #[inline]
    fn output(&self, _second: bool, words: Vec<Option<Location>>) -> Vec<Option<Location>> {
        words
    }

    /// The lanes in which an output is written, of those that execute.
    #[inline]
    fn written(&self, executed: &Lanes) -> Lanes {
        executed.clone()
    }

    /// Changes the results of an output, once they are computed.
    #[inline]
    fn after(&self, _computed: &Computed<'_>, _results: &mut [u32]) {}

    /// Changes what is written to a place.
    #[inline]
    fn results(&self, _executed: &Lanes, _location: Location, _results: &mut [u32]) {}

    /// The event that is reported in place of another; none if none is.
    #[inline]
    fn event(&self, event: Event) -> Option<Event> {
        Some(event)
    }

    /// The place that is written besides, where an event alone is due.
    #[inline]
    fn written_besides(&self) -> Option<Location> {
        None
    }
}

/// An output that a unit computed, and how to have it compute another.
pub struct Computed<'a> {
    /// The decoded instruction.
    pub instruction: &'a Instruction,
    /// The position of the output among the words of all outputs.
    pub position: usize,
    /// What the unit saw of its operands.
    pub columns: &'a [Vec<u32>; COLUMNS],
    pub(crate) unit: Unit<'a>,
}

/// Computes the output at a position from operands.
pub(crate) type Unit<'a> = &'a dyn Fn(&[Vec<u32>; COLUMNS], usize, &mut [u32]);

impl Computed<'_> {
    /// Computes the output at a position from some operands.
    pub fn again(&self, position: usize, columns: &[Vec<u32>; COLUMNS], results: &mut [u32]) {
        (self.unit)(columns, position, results);
    }
}

/// The sound model under the `intended` readings, fixed at compile time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipping;

impl Knobs for Shipping {
    const FIXED: bool = true;
}

/// The sound model under any readings.
impl Knobs for Readings {
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        self.get(reading)
    }
}
