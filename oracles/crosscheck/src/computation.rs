//! What an instruction computes, apart from its operands and the writing of its results.

use assay_isa::{Erratum, Instruction, Readings};

use crate::arithmetic::Arithmetic;
use crate::comparison::Comparison;
use crate::departures::departures;
use crate::integers::Integer;

/// A computation that the arithmetic of some implementation covers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Computation {
    /// FADD, FMUL, FFMA.
    Arithmetic(Arithmetic),
    /// FMNMX, FSETP, FSET, FSEL.
    Comparison(Comparison),
    /// FCHK.
    Check,
    /// POPC, FLO, BREV, BMSK, SGXT.
    Integer(Integer),
}

impl Computation {
    /// Returns the computation of an instruction. `None` for optypes that no variant lists. MUFU is
    /// one of them: it has implementations of its own.
    pub(crate) fn of(instruction: &Instruction, readings: &Readings) -> Option<Computation> {
        match instruction.optype() {
            "FADD" | "FMUL" | "FFMA" => Arithmetic::of(instruction, readings).map(Computation::Arithmetic),
            "FCHK" => Some(Computation::Check),
            _ => Comparison::of(instruction)
                .map(Computation::Comparison)
                .or_else(|| Integer::of(instruction, readings).map(Computation::Integer)),
        }
    }

    /// Returns whether the implementation's result is right under the readings. That is so if each
    /// setting that differs from `intended` is in `followed`, or cannot change the result.
    pub(crate) fn is_settled(
        &self,
        instruction: &Instruction,
        readings: &Readings,
        followed: &[Erratum],
    ) -> bool {
        departures(readings, instruction).all(|e| followed.contains(&e) || !self.is_touched_by(e))
    }

    /// Returns whether another setting of an erratum can change the result under these modifiers.
    fn is_touched_by(&self, erratum: Erratum) -> bool {
        match self {
            Computation::Arithmetic(arithmetic) => arithmetic.is_touched_by(erratum),
            Computation::Comparison(comparison) => comparison.is_touched_by(erratum),
            Computation::Check => true,
            Computation::Integer(integer) => integer.is_touched_by(erratum),
        }
    }
}
