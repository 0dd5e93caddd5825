//! Operands in, result out: what every voice does around its arithmetic.
//!
//! RZ and URZ read as 0, PT as true; the absolute value is taken before the negation (E175), and both
//! are operations on the sign bit, whatever the value.

use assay_isa::effect::Lanes;
use assay_isa::format::F32;
use assay_isa::{Batch, Effects, Instruction, Location, Operand, Source, VoiceError};

/// The column of a location, or one value for every lane.
#[derive(Clone, Copy)]
enum Values<'a> {
    Column(&'a [u32]),
    Same(u32),
}

impl<'a> Values<'a> {
    /// The values of a source; `absent` is what a name without storage reads as.
    fn fetch(source: Source, absent: u32, batch: &'a Batch) -> Result<Values<'a>, VoiceError> {
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

fn column(batch: &Batch, location: Location) -> Result<&[u32], VoiceError> {
    batch.column(location).ok_or(VoiceError::MissingLocation(location))
}

/// A 32-bit operand with its prefixes.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    values: Values<'a>,
    keep: u32,
    flip: u32,
}

impl<'a> Input<'a> {
    fn fetch(operand: Operand, batch: &'a Batch) -> Result<Input<'a>, VoiceError> {
        Ok(Input {
            values: Values::fetch(operand.source, 0, batch)?,
            keep: if operand.abs { !F32.sign_mask() } else { u32::MAX },
            flip: if operand.neg { F32.sign_mask() } else { 0 },
        })
    }

    /// The operand in a lane, prefixes applied.
    pub(crate) fn get(&self, lane: usize) -> u32 {
        self.values.get(lane) & self.keep ^ self.flip
    }
}

/// The operands that an instruction reads, in the order of its text.
pub(crate) fn inputs<'a>(instruction: &Instruction, batch: &'a Batch) -> Result<Vec<Input<'a>>, VoiceError> {
    instruction.inputs().map(|operand| Input::fetch(operand, batch)).collect()
}

/// Writes `result(lane)` to every output of an instruction in the lanes that its guard permits.
pub(crate) fn write(
    instruction: &Instruction,
    batch: &Batch,
    effects: &mut Effects,
    mut result: impl FnMut(usize) -> u32,
) -> Result<(), VoiceError> {
    let written = permitted(instruction.guard(), batch)?;
    for location in instruction.writes() {
        let values = effects.write(location, written.clone());
        for (lane, value) in values.iter_mut().enumerate() {
            *value = result(lane);
        }
    }
    Ok(())
}

fn permitted(guard: Operand, batch: &Batch) -> Result<Lanes, VoiceError> {
    let values = Values::fetch(guard.source, 1, batch)?;
    let permits = |lane| (values.get(lane) != 0) != guard.not;
    match values {
        Values::Same(_) if permits(0) => Ok(Lanes::All),
        _ => Ok(Lanes::Some((0..batch.len()).map(permits).collect())),
    }
}
