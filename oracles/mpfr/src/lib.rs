//! The high-precision oracle on MPFR: what the mathematical definition of an instruction gives.
//!
//! | room | optypes | how |
//! |---|---|---|
//! | `arith` | FADD FMUL FFMA (E169 to E180) | to the bit; MPFR computes and rounds what is a number |
//! | `compare` | FMNMX FSETP FSET FSEL FCHK (E183 to E189) | to the bit; MPFR compares |
//! | `integer` | POPC FLO BREV BMSK SGXT (E049 to E063) | to the bit, one bit at a time |
//! | `mufu` | MUFU (E033 to E044) | the real number that it approximates, enclosed |
//! | `unrounded` | FADD FMUL FFMA | the real number that they round, enclosed |
//!
//! Modifiers and readings are applied around the definitions. `question` has what concerns every
//! instruction: guards (E008), sources overwritten (E012), names without storage (E010). A slow second
//! path, on exact fractions and big integers, stands beside it in the tests.

use assay_isa::{Answer, Batch, Instruction, Oracle, Readings, Truths, Unrounded, VoiceError};
use rug::float::Round;

use crate::arith::Operation;
use crate::question::Question;
use crate::unit::{Rounding, Unit};

mod arith;
mod compare;
mod enclosure;
mod float;
mod integer;
mod mufu;
mod operand;
mod question;
#[cfg(test)]
mod reference;
mod register;
#[cfg(test)]
mod tests;
mod unit;
mod unrounded;

pub use enclosure::decimal;

/// Name of this voice.
const NAME: &str = "mpfr";

/// The oracle. It keeps the numbers it computes with, so one serves one thread.
#[derive(Debug)]
pub struct MpfrOracle {
    readings: Readings,
    unit: Unit,
    values: mufu::Values,
}

impl MpfrOracle {
    /// An oracle that follows these readings.
    pub fn new(readings: Readings) -> MpfrOracle {
        let unit = Unit::new(Rounding::Directed(Round::Nearest));
        MpfrOracle { readings, unit, values: mufu::Values::new() }
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
        let question = Question::new(instruction, batch, &self.readings)?;
        if let Some(operation) = Operation::of(instruction) {
            arith::truth(operation, &question, &mut self.unit, truths)?;
            return Ok(Answer::Known);
        }
        match instruction.optype() {
            "FMNMX" => compare::minimum_or_maximum(&question, truths)?,
            "FSETP" => compare::to_predicates(&question, truths)?,
            "FSET" => compare::to_register(&question, truths)?,
            "FSEL" => compare::select(&question, truths)?,
            "FCHK" => compare::check_division(&question, truths)?,
            "POPC" => integer::count(&question, truths)?,
            "FLO" => integer::find_leading_one(&question, truths)?,
            "BREV" => integer::reverse(&question, truths)?,
            "BMSK" => integer::mask(&question, truths)?,
            "SGXT" => integer::extend(&question, truths)?,
            "MUFU" => return mufu::truth(&question, precision, &mut self.values, truths),
            _ => return Ok(Answer::Unsupported),
        }
        Ok(Answer::Known)
    }

    fn unrounded(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        exact: &mut Vec<Unrounded>,
    ) -> Result<bool, VoiceError> {
        let operation = Operation::of(instruction).filter(|_| unrounded::is_defined(&self.readings));
        let Some(operation) = operation else {
            return Ok(false);
        };
        let question = Question::new(instruction, batch, &self.readings)?;
        *exact = unrounded::results(operation, &question, precision)?;
        Ok(true)
    }
}
