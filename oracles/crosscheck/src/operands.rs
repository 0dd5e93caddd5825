//! The common part of all implementations: reading operands and writing results.
//!
//! RZ and URZ read as 0, PT as true. The complement of an operand is applied first, then the
//! absolute value, then the negation (E175). Absolute value and negation change only the sign bit,
//! even of a NaN.

use assay_isa::effect::Lanes;
use assay_isa::format::F32;
use assay_isa::{BackendError, Batch, Effects, Instruction, Location, Operand, Source};

/// The column of a location, or one value for every lane.
#[derive(Clone, Copy)]
enum Values<'a> {
    Column(&'a [u32]),
    Same(u32),
}

impl<'a> Values<'a> {
    /// Returns the values of a source. `absent` is the value of a name without storage, such as RZ.
    fn fetch(source: Source, absent: u32, batch: &'a Batch) -> Result<Values<'a>, BackendError> {
        match (source, source.location()) {
            (Source::Imm(bits), _) => Ok(Values::Same(bits)),
            (_, None) => Ok(Values::Same(absent)),
            (_, Some(location)) => column(batch, location).map(Values::Column),
        }
    }

    fn get(self, lane: usize) -> u32 {
        match self {
            Values::Column(values) => values[lane],
            Values::Same(value) => value,
        }
    }
}

fn column(batch: &Batch, location: Location) -> Result<&[u32], BackendError> {
    batch.column(location).ok_or(BackendError::MissingLocation(location))
}

/// A 32-bit operand with its prefixes.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    values: Values<'a>,
    complement: u32,
    keep: u32,
    flip: u32,
}

impl<'a> Input<'a> {
    fn fetch(operand: Operand, batch: &'a Batch) -> Result<Input<'a>, BackendError> {
        Ok(Input {
            values: Values::fetch(operand.source, 0, batch)?,
            complement: if operand.bitnot { u32::MAX } else { 0 },
            keep: if operand.abs { !F32.sign_mask() } else { u32::MAX },
            flip: if operand.neg { F32.sign_mask() } else { 0 },
        })
    }

    /// Returns the operand in a lane, with its prefixes applied.
    pub(crate) fn get(&self, lane: usize) -> u32 {
        (self.values.get(lane) ^ self.complement) & self.keep ^ self.flip
    }
}

/// A predicate operand with its `!`.
#[derive(Clone, Copy)]
pub(crate) struct Condition<'a> {
    values: Values<'a>,
    not: bool,
}

impl<'a> Condition<'a> {
    fn fetch(operand: Operand, batch: &'a Batch) -> Result<Condition<'a>, BackendError> {
        Ok(Condition { values: Values::fetch(operand.source, 1, batch)?, not: operand.not })
    }

    /// Returns whether the predicate is true in a lane, with `!` applied.
    pub(crate) fn holds(&self, lane: usize) -> bool {
        (self.values.get(lane) != 0) != self.not
    }

    /// Returns the lanes in which the predicate is true.
    fn lanes(&self, len: usize) -> Lanes {
        match self.values {
            Values::Same(_) if self.holds(0) => Lanes::All,
            _ => Lanes::Some((0..len).map(|lane| self.holds(lane)).collect()),
        }
    }
}

/// Returns the 32-bit operands that an instruction reads, in the order of its text.
pub(crate) fn inputs<'a>(
    instruction: &Instruction,
    batch: &'a Batch,
) -> Result<Vec<Input<'a>>, BackendError> {
    let words = instruction.inputs().filter(|operand| !matches!(operand.source, Source::Pred(_)));
    words.map(|operand| Input::fetch(operand, batch)).collect()
}

/// Returns the input predicate `pp`. The instruction must have this operand.
pub(crate) fn predicate<'a>(
    instruction: &Instruction,
    batch: &'a Batch,
) -> Result<Condition<'a>, BackendError> {
    Condition::fetch(instruction.operand("pp"), batch)
}

/// Writes the outputs of an instruction in the lanes that its guard allows. `result(place, lane)`
/// returns the value of the output at position `place` of the instruction's text.
pub(crate) fn write(
    instruction: &Instruction,
    batch: &Batch,
    effects: &mut Effects,
    mut result: impl FnMut(usize, usize) -> u32,
) -> Result<(), BackendError> {
    let written = Condition::fetch(instruction.guard(), batch)?.lanes(batch.len());
    for (place, output) in instruction.outputs().enumerate() {
        let Some(location) = output.source.location() else { continue };
        let values = effects.write(location, written.clone());
        for (lane, value) in values.iter_mut().enumerate() {
            *value = result(place, lane);
        }
    }
    Ok(())
}
