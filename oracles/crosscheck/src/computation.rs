//! The computation of an instruction, apart from its operands and the writing of its results.

use assay_isa::{Erratum, Instruction, Readings};

use crate::arithmetic::Arithmetic;
use crate::comparison::Comparison;
use crate::departures::departures;
use crate::integers::Integer;

/// The computation of an instruction, for the optypes that the variants list.
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
    /// Returns the computation of an instruction. Returns `None` for optypes that no variant lists,
    /// such as MUFU. MUFU has separate implementations.
    pub(crate) fn of(instruction: &Instruction, readings: &Readings) -> Option<Computation> {
        match instruction.optype() {
            "FADD" | "FMUL" | "FFMA" => Arithmetic::of(instruction, readings).map(Computation::Arithmetic),
            "FCHK" => Some(Computation::Check),
            _ => Comparison::of(instruction)
                .map(Computation::Comparison)
                .or_else(|| Integer::of(instruction, readings).map(Computation::Integer)),
        }
    }

    /// Returns whether an implementation that follows the errata `followed` is right under the
    /// readings. It is right if each setting that differs from `intended` is in `followed`, or
    /// cannot change the result.
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
