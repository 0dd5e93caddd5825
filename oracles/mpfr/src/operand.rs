//! Fetching operands: columns of the batch, names without storage, literals and prefixes.
//!
//! RZ and URZ read 0, PT reads true (E010). The bars come before the minus sign (FADD's prose, E175).

use assay_isa::effect::Lanes;
use assay_isa::instruction::Source;
use assay_isa::{Batch, Instruction, Operand, VoiceError};

/// The sign of a float that fills 32 bits.
pub const SIGN: u32 = 1 << 31;

/// The values of one operand.
#[derive(Clone, Copy, Debug)]
enum Values<'a> {
    /// One a lane.
    Column(&'a [u32]),
    /// The same in every lane.
    Constant(u32),
}

impl<'a> Values<'a> {
    fn of(source: Source, batch: &'a Batch) -> Result<Values<'a>, VoiceError> {
        Ok(match (source.location(), source) {
            (Some(location), _) => {
                Values::Column(batch.column(location).ok_or(VoiceError::MissingLocation(location))?)
            }
            (None, Source::Imm(literal)) => Values::Constant(literal),
            (None, Source::Pred(_)) => Values::Constant(1),
            (None, _) => Values::Constant(0),
        })
    }
}

/// A 32-bit float operand with its prefixes.
#[derive(Clone, Copy, Debug)]
pub struct Floats<'a> {
    values: Values<'a>,
    keep: u32,
    flip: u32,
}

impl<'a> Floats<'a> {
    /// The values that an operand has in a batch.
    pub fn of(operand: Operand, batch: &'a Batch) -> Result<Floats<'a>, VoiceError> {
        Ok(Floats {
            values: Values::of(operand.source, batch)?,
            keep: if operand.abs { !SIGN } else { !0 },
            flip: if operand.neg { SIGN } else { 0 },
        })
    }

    /// The value in a lane.
    #[inline]
    pub fn get(&self, lane: usize) -> u32 {
        let value = match self.values {
            Values::Column(values) => values[lane],
            Values::Constant(value) => value,
        };
        value & self.keep ^ self.flip
    }
}

/// The `N` inputs of an instruction, in the order of its text.
pub fn operands<'a, const N: usize>(
    instruction: &Instruction,
    batch: &'a Batch,
) -> Result<[Floats<'a>; N], VoiceError> {
    let inputs: Vec<Floats> = instruction.inputs().map(|o| Floats::of(o, batch)).collect::<Result<_, _>>()?;
    inputs.try_into().map_err(|inputs: Vec<Floats>| VoiceError::Failed {
        voice: crate::NAME.to_owned(),
        problem: format!("{} has {} inputs in the tables, not {N}", instruction.form().name, inputs.len()),
    })
}

/// The lanes that a guard lets execute; the others write nothing (E008).
pub fn guarded(instruction: &Instruction, batch: &Batch) -> Result<Lanes, VoiceError> {
    let guard = instruction.guard();
    Ok(match Values::of(guard.source, batch)? {
        Values::Column(values) => Lanes::Some(values.iter().map(|v| (*v != 0) != guard.not).collect()),
        Values::Constant(_) if guard.not => Lanes::Some(vec![false; batch.len()]),
        Values::Constant(_) => Lanes::All,
    })
}
