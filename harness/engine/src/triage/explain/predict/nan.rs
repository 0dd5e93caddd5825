//! The predictions of suppositions about NaNs and saturation.

use assay_isa::format::F32;
use assay_isa::hints::Computes;
use assay_isa::{BackendError, Location, Truths};

use super::{Predicted, PredictionTrial, Probe, bits_of};
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::places;
use crate::triage::explain::misread::Change;
use crate::triage::explain::supposition::{ChosenOperand, NanResult, Unsaturated};
use crate::triage::explain::value_slip::flush;

/// The bit that makes a NaN quiet.
const QUIET: u32 = 0x0040_0000;
/// The NaN that the instructions write.
const DEFAULT_NAN: u32 = 0x7fff_ffff;

impl PredictionTrial<'_> {
    /// Predicts that another value is written if the result before saturation is a NaN. If
    /// `invalid`, only in lanes in which no operand is a NaN.
    pub(super) fn nan(
        &mut self,
        probe: &Probe,
        written: NanResult,
        invalid: bool,
    ) -> Result<Predicted, BackendError> {
        let Some(truths) = self.unsaturated(probe)? else { return Ok(Predicted::Unknown) };
        let rewritten = |location, lane: usize, value: u32| {
            if !is_nan_in(&truths, location, lane)
                || invalid && reads(probe, lane).any(|bits| F32.is_nan(bits))
            {
                return value;
            }
            let other = match written {
                NanResult::Bits(bits) => Some(bits),
                NanResult::Operand(nth) => reads(probe, lane).nth(nth),
                NanResult::FirstNan { quiet } => {
                    let first = reads(probe, lane).find(|bits| F32.is_nan(*bits));
                    first.map(|bits| if quiet { bits | QUIET } else { bits })
                }
            };
            other.unwrap_or(value)
        };
        Ok(Predicted::Instead(self.miswritten(probe, rewritten)))
    }

    /// Predicts the result without .SAT, in lanes whose result .SAT supposedly does not change.
    pub(super) fn left_alone(
        &mut self,
        probe: &Probe,
        results: Unsaturated,
    ) -> Result<Predicted, BackendError> {
        if !probe.instruction.flag("sat") {
            return Ok(Predicted::Right);
        }
        let Some(truths) = self.unsaturated(probe)? else { return Ok(Predicted::Unknown) };
        let is_meant = |bits: &u32| match results {
            Unsaturated::Nan => F32.is_nan(*bits),
            Unsaturated::MinusZero => *bits == F32.sign_mask(),
            Unsaturated::Negative => F32.is_negative(*bits) && F32.is_finite(*bits),
            Unsaturated::Large => (F32.one() + 1..=F32.infinity()).contains(bits),
        };
        let rewritten =
            |location, lane, value| bits_of(&truths, location, lane).filter(is_meant).unwrap_or(value);
        Ok(Predicted::Instead(self.miswritten(probe, rewritten)))
    }

    /// Predicts that one operand of a minimum or maximum is the result if an operand is a NaN.
    pub(super) fn beside_nan(&self, probe: &Probe, operand: ChosenOperand, is_raw: bool) -> Predicted {
        let instruction = &probe.instruction;
        if instruction.form().optype.hints.computes != Computes::Extreme {
            return Predicted::Right;
        }
        let rewritten = |_, lane: usize, value: u32| {
            let values = || reads(probe, lane).take(2);
            let has_nan = values().any(|bits| F32.is_nan(bits));
            let chosen = match operand {
                ChosenOperand::First => values().next(),
                ChosenOperand::Second => values().nth(1),
                ChosenOperand::Number => values().find(|bits| !F32.is_nan(*bits)),
            };
            let Some(chosen) = chosen.filter(|_| has_nan) else { return value };
            match F32.is_nan(chosen) {
                _ if is_raw => chosen,
                true => DEFAULT_NAN,
                false if instruction.flag("ftz") => flush(OperandKind::Float(F32), chosen),
                false => chosen,
            }
        };
        Predicted::Instead(self.miswritten(probe, rewritten))
    }

    /// Returns the truth without saturation.
    fn unsaturated(&mut self, probe: &Probe) -> Result<Option<Truths>, BackendError> {
        self.truths_of(probe, &Change::Always { field: "sat", done: "NoSAT" })
    }
}

fn is_nan_in(truths: &Truths, location: Location, lane: usize) -> bool {
    bits_of(truths, location, lane).is_some_and(|bits| F32.is_nan(bits))
}

/// Returns the floats that an instruction reads in a lane, with prefixes applied.
fn reads(probe: &Probe, lane: usize) -> impl Iterator<Item = u32> + '_ {
    probe.instruction.inputs().filter_map(move |operand| {
        let bits = places(operand).into_iter().next()?.value(&probe.batch, lane).unwrap_or_default();
        let bits = if operand.abs { bits & !F32.sign_mask() } else { bits };
        Some(if operand.neg { bits ^ F32.sign_mask() } else { bits })
    })
}
