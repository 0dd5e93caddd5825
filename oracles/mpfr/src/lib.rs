//! The high-precision oracle on MPFR: what the mathematical definition of an instruction gives.
//!
//! It knows FADD, FMUL and FFMA to the bit (document `004`, E169 to E180) and encloses the real number
//! that MUFU.RCP approximates (document `000`, E036 to E043). MPFR computes and rounds every result that
//! is a number; modifiers and readings are applied around it. A slow second path, on exact fractions,
//! stands beside it in the tests.

use assay_isa::{Answer, Batch, Instruction, Oracle, Readings, Truths, VoiceError};
use rug::float::Round;

use crate::arith::Operation;
use crate::unit::{Rounding, Unit};

mod arith;
mod mufu;
mod operand;
#[cfg(test)]
mod reference;
mod register;
#[cfg(test)]
mod tests;
mod unit;

pub use mufu::decimal;

/// Name of this voice.
const NAME: &str = "mpfr";

/// The oracle. It keeps the numbers it computes with, so one serves one thread.
#[derive(Debug)]
pub struct MpfrOracle {
    readings: Readings,
    unit: Unit,
}

impl MpfrOracle {
    /// An oracle that follows these readings.
    pub fn new(readings: Readings) -> MpfrOracle {
        MpfrOracle { readings, unit: Unit::new(Rounding::Directed(Round::Nearest)) }
    }
}

impl Default for MpfrOracle {
    fn default() -> Self {
        MpfrOracle::new(Readings::INTENDED)
    }
}

impl Oracle for MpfrOracle {
    fn name(&self) -> &str {
        NAME
    }

    fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, VoiceError> {
        truths.reset(batch.len());
        let operation = match instruction.optype() {
            "FADD" => Operation::Add,
            "FMUL" => Operation::Multiply,
            "FFMA" => Operation::MultiplyAdd,
            "MUFU" => return mufu::truth(instruction, batch, &self.readings, precision, truths),
            _ => return Ok(Answer::Unsupported),
        };
        arith::truth(operation, instruction, batch, &self.readings, &mut self.unit, truths)
    }
}
