//! The high-precision oracle on MPFR: computes the mathematical definition of each instruction.
//!
//! | module | optypes | how |
//! |---|---|---|
//! | `plan`, `arith` | FADD FMUL FFMA (E169 to E180, C003, C010, C011) | to the bit; MPFR computes and rounds numbers |
//! | `nan` | FADD FMUL FFMA FMNMX (C001, C002) | chosen among the operands |
//! | `filter` | FADD FMUL FFMA MUFU, before MPFR | in f64, where the readings allow it |
//! | `compare` | FMNMX FSETP FSET FSEL FCHK (E183 to E189, C004, C005, C009) | to the bit; MPFR compares |
//! | `integer` | POPC FLO BREV BMSK SGXT, UPOPC UFLO UBREV UBMSK USGXT (E049 to E063) | to the bit, one bit at a time |
//! | `uniform` | the rest of the uniform datapath (E098 to E168) | to the bit; unbounded integers |
//! | `moves` | S2R S2UR CS2R UMOV USEL | copies |
//! | `memory` | ULDC GETUGPR SETUGPR GETREG SETREG (E092 to E096, E165) | looked up lane by lane |
//! | `bfn` | BFN (E081 to E087) | to the bit, one bit at a time |
//! | `events` | PMTRIG SWITCH NOP IBBAR DEPBAR | the events that they cause |
//! | `function`, `mufu` | MUFU (E033 to E044) | the real number that it approximates, enclosed |
//! | `unrounded` | FADD FMUL FFMA | the real number that they round, enclosed |
//!
//! Modifiers and readings are applied around the definitions. `question` has what every instruction
//! needs: guards (E008), overwritten sources (E012), and names without storage such as RZ (E010).
//! The tests of `assay-manual` compare the formulas of the manual with these definitions.
//!
//! ```
//! use assay_isa::{Batch, EncodingTable, Location, Oracle, Readings, Truths, asm, codec};
//!
//! let instruction = asm::parse("MUFU.RCP.F32 R0, R1")?;
//! let word = codec::encode(&instruction, EncodingTable::provisional());
//! let mut batch = Batch::new(word, &[Location::R(1)], 1);
//! batch.column_mut(0)[0] = 3.0f32.to_bits();
//! let mut truths = Truths::default();
//! let mut oracle = assay_mpfr::MpfrOracle::new(Readings::INTENDED);
//! oracle.truth(&instruction, &batch, 96, &mut truths)?;
//! assert_eq!(truths.columns()[0].location, Location::R(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use assay_isa::{
    Answer, Arguments, BackendError, Batch, Erratum, Estimates, FastOracle, Instruction, Oracle, Reading,
    Readings, Truths, Unrounded,
};
use rug::float::Round;

use crate::plan::Operation;
use crate::question::Question;
use crate::unit::{Rounding, Unit};

mod arith;
mod bfn;
mod bits;
mod compare;
mod enclosure;
mod events;
pub mod filter;
mod float;
mod function;
mod integer;
mod memory;
mod moves;
mod mufu;
mod nan;
mod operand;
mod plan;
mod question;
mod reach;
mod register;
#[cfg(test)]
mod tests;
mod uniform;
mod unit;
mod unrounded;

pub use enclosure::decimal;
pub use function::{Angle, Function};

/// Name of this implementation.
const NAME: &str = "mpfr";

/// The oracle. An oracle reuses MPFR numbers from call to call, so each thread needs an oracle of
/// its own.
#[derive(Debug)]
pub struct MpfrOracle {
    readings: Readings,
    filtered: bool,
    unit: Unit,
    values: mufu::FunctionValues,
}

impl MpfrOracle {
    /// Creates an oracle that follows these readings.
    pub fn new(readings: Readings) -> MpfrOracle {
        let unit = Unit::new(Rounding::Directed(Round::Nearest));
        MpfrOracle { readings, filtered: true, unit, values: mufu::FunctionValues::new() }
    }

    /// Creates an oracle that uses MPFR for every lane. The tests of the filters compare with it.
    pub fn unfiltered(readings: Readings) -> MpfrOracle {
        MpfrOracle { filtered: false, ..MpfrOracle::new(readings) }
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
    ) -> Result<Answer, BackendError> {
        in_default_environment(|| self.find_truth(instruction, batch, precision, truths))
    }

    fn fast(&mut self, _instruction: &Instruction) -> Option<&mut dyn FastOracle> {
        Some(self)
    }
}

impl FastOracle for MpfrOracle {
    fn truth_unfiltered(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        let filtered = std::mem::replace(&mut self.filtered, false);
        let answer = self.truth(instruction, batch, precision, truths);
        self.filtered = filtered;
        answer
    }

    fn estimate(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        estimates: &mut Estimates,
    ) -> Result<bool, BackendError> {
        if instruction.optype() != "MUFU" {
            return Ok(false);
        }
        in_default_environment(|| {
            mufu::estimate(&Question::new(instruction, batch, &self.readings)?, estimates)
        })
    }

    fn arguments(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        arguments: &mut Arguments,
    ) -> Result<bool, BackendError> {
        if instruction.optype() != "MUFU" {
            return Ok(false);
        }
        mufu::arguments(&Question::new(instruction, batch, &self.readings)?, arguments)
    }

    fn unrounded(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        exact: &mut Vec<Unrounded>,
    ) -> Result<bool, BackendError> {
        let operation = Operation::of(instruction).filter(|_| unrounded::is_defined(&self.readings));
        let Some(operation) = operation else {
            return Ok(false);
        };
        *exact = in_default_environment(|| {
            let question = Question::new(instruction, batch, &self.readings)?;
            unrounded::results(operation, &question, precision)
        })?;
        Ok(true)
    }
}

/// Runs `compute` in the default floating-point environment. Fails if the environment was changed
/// when `compute` ends.
///
/// In another environment, the filters and the conversions to and from MPFR would be wrong.
fn in_default_environment<T>(compute: impl FnOnce() -> Result<T, BackendError>) -> Result<T, BackendError> {
    let computed = assay_fpenv::checked(compute);
    computed.map_err(|wrong| BackendError::Failed {
        implementation: NAME.to_owned(),
        problem: wrong.to_string(),
    })?
}

impl MpfrOracle {
    fn find_truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        truths.reset(batch.len());
        let question = Question::new(instruction, batch, &self.readings)?;
        if let Some(operation) = Operation::of(instruction) {
            arith::truth(operation, &question, self.filtered, &mut self.unit, truths)?;
            return Ok(Answer::Known);
        }
        if let Some(erratum) = undefined(&question) {
            question.undefine(truths, erratum, |_| true);
            return Ok(Answer::Known);
        }
        if instruction.optype() == "MUFU" {
            return mufu::truth(&question, precision, &mut self.values, truths);
        }
        let Some(definition) = definition(instruction.optype()) else {
            return Ok(Answer::Unsupported);
        };
        definition(&question, truths)?;
        Ok(Answer::Known)
    }
}

/// The definition of an optype: a function that computes its results to the bit.
type Definition = fn(&Question, &mut Truths) -> Result<(), BackendError>;

/// Returns the definition of an optype. FADD, FMUL, FFMA and MUFU have none: they compute with real
/// numbers.
fn definition(optype: &str) -> Option<Definition> {
    Some(match optype {
        "FMNMX" => compare::minimum_or_maximum,
        "FSETP" => compare::to_predicates,
        "FSET" => compare::to_register,
        "FSEL" => compare::select,
        "FCHK" => compare::check_division,
        "POPC" | "UPOPC" => integer::count,
        "FLO" | "UFLO" => integer::find_leading_one,
        "BREV" | "UBREV" => integer::reverse,
        "BMSK" | "UBMSK" => integer::mask,
        "SGXT" | "USGXT" => integer::extend,
        "S2R" | "S2UR" | "CS2R" | "UMOV" => moves::copy,
        "USEL" => moves::select,
        "PMTRIG" => events::trigger,
        "SWITCH" => events::switch,
        "NOP" => events::pass,
        "IBBAR" => events::wait_for_instructions,
        "DEPBAR" => events::wait_for_scoreboard,
        "ULDC" => memory::load_constant,
        "GETUGPR" => memory::get_uniform,
        "SETUGPR" => memory::set_uniform,
        "GETREG" => memory::get_special,
        "SETREG" => memory::set_special,
        "UIADD" => uniform::add::add,
        "UIMAD" => uniform::multiply::multiply_add,
        "UIMAD_WIDE" => uniform::multiply::multiply_add_wide,
        "UIMUL" => uniform::multiply::multiply,
        "ULEA" => uniform::address::scale_and_add,
        "UIABS" => uniform::compare::absolute,
        "UIMNMX" => uniform::compare::minimum_or_maximum,
        "UISETP" => uniform::compare::to_predicates,
        "ULOP3" => uniform::logic::of_words,
        "UPLOP3" => uniform::logic::of_predicates,
        "USHF" => uniform::shift::shift,
        "UPRMT" => uniform::permute::permute,
        "UP2UR" => uniform::predicates::to_register,
        "UR2UP" => uniform::predicates::from_register,
        "UF2FP" => uniform::convert::pack,
        "BFN" => bfn::of_channels,
        _ => return None,
    })
}

/// Returns the erratum that leaves every lane of an instruction undefined under these readings, if
/// any.
fn undefined(question: &Question) -> Option<Erratum> {
    let (reading, setting) = match question.instruction.optype() {
        "ULOP3" | "UPLOP3" | "UPRMT" => (Reading::E013, 1),
        "CS2R" => (Reading::E066, 1),
        "GETREG" | "SETREG" => (Reading::E071, 2),
        "PMTRIG" => (Reading::E075, 2),
        "SWITCH" => (Reading::E076, 2),
        "NOP" | "IBBAR" => (Reading::E077, 2),
        "DEPBAR" => (Reading::E078, 2),
        "USHF" => (Reading::E149, 1),
        "UF2FP" => (Reading::E168, 2),
        _ => return None,
    };
    question.reads(reading, setting).then_some(reading.switch().erratum)
}
