//! The computation of an instruction, without its operands and results.

use assay_isa::{Erratum, Instruction, Readings};

use crate::arithmetic::Arithmetic;
use crate::comparison::Comparison;
use crate::departures::departures;
use crate::integers::Integer;

/// A computation for which some implementation has foreign arithmetic.
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
    /// Returns the computation of an instruction, `None` for MUFU, which has an implementation of its own.
    pub(crate) fn of(instruction: &Instruction, readings: &Readings) -> Option<Computation> {
        match instruction.optype() {
            "FADD" | "FMUL" | "FFMA" => Arithmetic::of(instruction, readings).map(Computation::Arithmetic),
            "FCHK" => Some(Computation::Check),
            _ => Comparison::of(instruction)
                .map(Computation::Comparison)
                .or_else(|| Integer::of(instruction, readings).map(Computation::Integer)),
        }
    }

    /// Returns whether the readings depart from `intended` only in `followed` errata that matter here.
    pub(crate) fn is_settled(
        &self,
        instruction: &Instruction,
        readings: &Readings,
        followed: &[Erratum],
    ) -> bool {
        departures(readings, instruction).all(|e| followed.contains(&e) || !self.is_touched_by(e))
    }

    /// Returns whether an erratum that reaches the instruction can change the result under its modifiers.
    fn is_touched_by(&self, erratum: Erratum) -> bool {
        match self {
            Computation::Arithmetic(arithmetic) => arithmetic.is_touched_by(erratum),
            Computation::Comparison(comparison) => comparison.is_touched_by(erratum),
            Computation::Check => true,
            Computation::Integer(integer) => integer.is_touched_by(erratum),
        }
    }
}
