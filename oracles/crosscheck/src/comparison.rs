//! The common part of FMNMX, FSETP, FSET and FSEL: flushing, NaN operands, the input predicate and
//! the representation of truth values.
//!
//! An implementation provides [`Floats`]: the order and the classes of F32 patterns. Each
//! implementation has its own translation of `.cmp` to a relation, so that a mistake in one of them
//! makes them disagree.

use assay_isa::format::F32;
use assay_isa::tables::types::{BVal, FCMPOp, FPFtz, LOPOp, NAN};
use assay_isa::{BackendError, Batch, Effects, Erratum, Instruction};

use crate::arithmetic::QNAN;
use crate::operands::{inputs, predicate, write};

/// Operations on F32 patterns that an implementation provides.
pub(crate) trait Floats {
    /// Returns whether a pattern is a quiet or signalling NaN.
    fn is_nan(x: u32) -> bool;

    /// Returns whether a pattern is a nonzero number below the least normal one in magnitude.
    fn is_subnormal(x: u32) -> bool;

    /// Returns whether a relation is true. The operands may be NaN.
    fn holds(cmp: FCMPOp, a: u32, b: u32) -> bool;

    /// Returns the lesser of two numbers. -0 is less than +0. Neither operand is NaN.
    fn minimum(a: u32, b: u32) -> u32;

    /// Returns the greater of two numbers. -0 is less than +0. Neither operand is NaN.
    fn maximum(a: u32, b: u32) -> u32;
}

/// One FMNMX, FSETP, FSET or FSEL with its modifiers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    kind: ComparisonKind,
    flush: bool,
}

#[derive(Clone, Copy, Debug)]
enum ComparisonKind {
    Extremum { nan_wins: bool },
    Relation { cmp: FCMPOp, lop: LOPOp, truth: u32 },
    Selection,
}

impl Comparison {
    /// Returns the comparison of an instruction, if it is FMNMX, FSETP, FSET or FSEL.
    pub(crate) fn of(instruction: &Instruction) -> Option<Comparison> {
        let relation = |truth| {
            let (cmp, lop) = (instruction.modifier("cmp")?, instruction.modifier("lop")?);
            Some(ComparisonKind::Relation { cmp, lop, truth })
        };
        let kind = match instruction.optype() {
            "FMNMX" => ComparisonKind::Extremum { nan_wins: instruction.modifier("nan") == Some(NAN::NAN) },
            "FSETP" => relation(1)?,
            "FSET" => relation(match instruction.modifier("bval")? {
                BVal::BM => u32::MAX,
                BVal::BF => F32.one(),
            })?,
            "FSEL" => ComparisonKind::Selection,
            _ => return None,
        };
        Some(Comparison { kind, flush: instruction.modifier("ftz") == Some(FPFtz::FTZ) })
    }

    /// Returns whether another setting of an erratum can change the result under these modifiers.
    pub(crate) fn is_touched_by(&self, erratum: Erratum) -> bool {
        const BESIDE_NAN: u16 = Erratum::convention(9).0;
        match (erratum.0, self.kind) {
            (183, ComparisonKind::Extremum { nan_wins }) => self.flush && !nan_wins,
            (BESIDE_NAN, ComparisonKind::Extremum { nan_wins }) => !nan_wins,
            (186, ComparisonKind::Relation { cmp, .. }) => differs_from_c(cmp),
            _ => true,
        }
    }

    /// Executes the instruction with the operations of `F`.
    pub(crate) fn write<F: Floats>(
        &self,
        instruction: &Instruction,
        batch: &Batch,
        effects: &mut Effects,
    ) -> Result<(), BackendError> {
        let (inputs, predicate) = (inputs(instruction, batch)?, predicate(instruction, batch)?);
        write(instruction, batch, effects, |place, lane| {
            let operands = [inputs[0].get(lane), inputs[1].get(lane)];
            self.result::<F>(place, operands, predicate.holds(lane))
        })
    }

    /// Returns the value of an output, for two operands and the input predicate. `place` is the
    /// output's position in the instruction's text.
    fn result<F: Floats>(&self, place: usize, operands: [u32; 2], predicate: bool) -> u32 {
        let flushed = |x| if self.flush && F::is_subnormal(x) { x & F32.sign_mask() } else { x };
        let [a, b] = operands.map(flushed);
        match self.kind {
            ComparisonKind::Extremum { nan_wins } => extremum::<F>(a, b, predicate, nan_wins),
            ComparisonKind::Relation { cmp, lop, truth } => {
                // The second output, pv, gets the result of the complementary comparison.
                let relation = F::holds(cmp, a, b) == (place == 0);
                let combined = match lop {
                    LOPOp::AND => relation && predicate,
                    LOPOp::OR => relation || predicate,
                    LOPOp::XOR => relation != predicate,
                };
                if combined { truth } else { 0 }
            }
            ComparisonKind::Selection if predicate => a,
            ComparisonKind::Selection => b,
        }
    }
}

fn extremum<F: Floats>(a: u32, b: u32, least: bool, nan_wins: bool) -> u32 {
    match (F::is_nan(a), F::is_nan(b)) {
        (false, false) if least => F::minimum(a, b),
        (false, false) => F::maximum(a, b),
        (false, true) if !nan_wins => a,
        (true, false) if !nan_wins => b,
        _ => QNAN,
    }
}

/// Returns whether the comparison is true for a NaN operand where C's comparison would be false, or
/// the reverse (E186). In C all are false except `!=`.
fn differs_from_c(cmp: FCMPOp) -> bool {
    use FCMPOp::{EQU, GEU, GTU, LEU, LTU, NE};
    matches!(cmp, NE | EQU | LTU | LEU | GTU | GEU)
}
