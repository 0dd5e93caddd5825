//! The host CPU's float unit, in its own rounding modes, as a voice for FADD, FMUL and FFMA.
//!
//! Hardware arithmetic that a vendor has verified, and the only voice here that is no program. What it
//! can do depends on the machine: [`HostCpu::describe`] says what is missing, so that a caller can report
//! the gap. `x86_64` has the only unsafe code of the crate; elsewhere the voice has nothing to say.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(not(target_arch = "x86_64"), path = "absent.rs")]
mod unit;

use std::fmt;

use assay_isa::codec::decode;
use assay_isa::{Answer, Batch, Effects, Erratum, Numbers, Readings, Subject, VoiceError};

use crate::arithmetic::{Arithmetic, Operation};
use crate::operands::{inputs, write};
use unit::Unit;

/// The float unit of this machine.
///
/// Beyond `intended` it follows E170 = 1 (.SAT keeps -0), and E173 where that cannot matter (FADD, or
/// without .FTZ). Any other departure that touches the instruction makes it unsupported.
#[derive(Clone, Debug)]
pub struct HostCpu {
    numbers: Numbers,
    readings: Readings,
    unit: Unit,
}

const FOLLOWED: &[Erratum] = &[Erratum(170)];

/// What the float unit of this machine can answer, in each of its rounding modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The unit, e.g. `x86_64 SSE2`.
    pub unit: String,
    /// Optypes that it executes.
    pub optypes: Vec<&'static str>,
    /// Rounding modes in which it does, as the assembler spells them: every optype in every mode.
    pub roundings: Vec<&'static str>,
    /// Optypes that this voice would answer on a better machine, each with the reason.
    pub missing: Vec<(&'static str, &'static str)>,
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.unit)?;
        match self.optypes[..] {
            [] => write!(f, "nothing")?,
            _ => write!(f, "{} in {}", self.optypes.join(" "), self.roundings.join(" "))?,
        }
        self.missing.iter().try_for_each(|(optype, why)| write!(f, "; no {optype}: {why}"))
    }
}

impl HostCpu {
    /// The voice under a numbering and a reading.
    pub fn new(numbers: Numbers, readings: Readings) -> HostCpu {
        HostCpu { numbers, readings, unit: Unit::detect() }
    }

    /// What this machine can answer.
    pub fn describe() -> Capabilities {
        Unit::detect().capabilities()
    }
}

impl Subject for HostCpu {
    fn name(&self) -> &str {
        "host"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        effects.reset(batch.len());
        let instruction = decode(batch.word(), &self.numbers)?;
        let Some(arithmetic) = Arithmetic::of(&instruction, &self.readings) else {
            return Ok(Answer::Unsupported);
        };
        if !self.unit.executes(arithmetic.operation)
            || !arithmetic.is_settled(instruction.optype(), &self.readings, FOLLOWED)
        {
            return Ok(Answer::Unsupported);
        }
        let (operation, round) = (arithmetic.operation, arithmetic.round);
        let inputs = inputs(&instruction, batch)?;
        write(&instruction, batch, effects, |lane| {
            let operand = |i: usize| inputs.get(i).map_or(0, |input| arithmetic.operand(input.get(lane)));
            let [a, b, c] = [operand(0), operand(1), operand(2)].map(f32::from_bits);
            let rounded = match operation {
                Operation::Add => self.unit.add(a, b, round),
                Operation::Mul { scale: 0 } => self.unit.mul(a, b, round),
                Operation::Mul { scale } => self.unit.narrow(scaled_product(a, b, scale), round),
                Operation::Fma => self.unit.fma(a, b, c, round),
            };
            arithmetic.result(rounded.to_bits(), false)
        })?;
        Ok(Answer::Known)
    }
}

/// a·2^scale·b without rounding: the product has 48 bits and lies between 2^-301 and 2^259.
fn scaled_product(a: f32, b: f32, scale: i32) -> f64 {
    f64::from(a) * f64::from(b) * 2f64.powi(scale)
}
