//! Faults in the result of FADD, FMUL and FFMA. For these faults the unit gets the instruction
//! without `.SAT`, and this module saturates the faulty result.

use assay_isa::tables::types::{FPFtz, FPRound, FPSat};

use assay_model::Computed;

use super::lanes::each;
use crate::Fault;
use crate::binary32::{INFINITY, ONE, SIGN, flush, is_nan, saturate};

/// Returns whether a fault lies in the result of FADD, FMUL and FFMA.
pub(super) fn is_of_sums(fault: Fault) -> bool {
    use Fault::*;
    matches!(
        fault,
        FaddSaturationNan
            | FaddSaturationNegative
            | FaddSaturationAbove
            | FfmaSaturationInfinity
            | FaddInfinityMinusInfinity
            | FfmaInfinityMinusInfinity
            | FmulZeroTimesInfinity
            | FfmaZeroTimesInfinity
            | FmulZeroSign
            | FmulInfinitySign
            | FaddCancellationSign
            | FfmaCancellationSign
            | FaddOverflowToGreatest
            | FmulOverflowToInfinity
            | FaddOutputFlushed
            | FmulFlushSign
    )
}

/// Changes the results for a fault.
pub(super) fn after(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    if !is_of_sums(fault) {
        return;
    }
    let instruction = computed.instruction;
    let saturates = instruction.modifier("sat") == Some(FPSat::SAT);
    let flushes = instruction.modifier("ftz") == Some(FPFtz::FTZ);
    let rounding = instruction.modifier("rnd").unwrap_or(FPRound::RN);
    each(computed, results, |result, operands| {
        let kept = match fault {
            Fault::FaddSaturationNan if saturates && is_nan(result) => return ONE,
            Fault::FaddSaturationNegative => result > SIGN && !is_nan(result),
            Fault::FaddSaturationAbove => result & SIGN == 0 && !is_nan(result),
            Fault::FfmaSaturationInfinity => result == INFINITY,
            _ => false,
        };
        let result = match fault {
            Fault::FaddOutputFlushed => flush(result),
            Fault::FmulFlushSign if flushes && result == SIGN => 0,
            _ => Terms::of(instruction.optype(), operands).result(fault, rounding, result),
        };
        if saturates && !kept { saturate(result) } else { result }
    });
}

/// The terms of a sum. Both terms are exact: a product of two binary32 numbers has 48 bits, and its
/// exponent fits.
struct Terms {
    /// The first operand of FADD, the product of FMUL and FFMA.
    first: f64,
    /// The sign of the first term, even if the term is a NaN.
    sign: u32,
    /// Whether the first term is the product of zero and infinity.
    is_invalid: bool,
    /// The second operand of FADD, the addend of FFMA.
    second: Option<u32>,
}

impl Terms {
    fn of(optype: &str, [a, b, c]: [u32; 3]) -> Terms {
        if optype == "FADD" {
            return Terms { first: number(a), sign: a & SIGN, is_invalid: false, second: Some(b) };
        }
        let first = number(a) * number(b);
        let is_invalid = first.is_nan() && !is_nan(a) && !is_nan(b);
        Terms { first, sign: (a ^ b) & SIGN, is_invalid, second: Some(c).filter(|_| optype == "FFMA") }
    }

    /// Returns the faulty result in place of the correct one.
    fn result(&self, fault: Fault, rounding: FPRound, correct: u32) -> u32 {
        let second = self.second.map_or(0.0, number);
        let cancels = self.first + second == 0.0;
        let magnitude = correct & !SIGN;
        match fault {
            Fault::FaddInfinityMinusInfinity | Fault::FfmaInfinityMinusInfinity
                if self.first.is_infinite() && second.is_infinite() =>
            {
                self.sign | INFINITY
            }
            Fault::FmulZeroTimesInfinity | Fault::FfmaZeroTimesInfinity if self.is_invalid => {
                match self.second {
                    Some(addend) if is_nan(addend) => correct,
                    Some(addend) => addend,
                    None => self.sign,
                }
            }
            Fault::FmulZeroSign if self.first == 0.0 => 0,
            Fault::FmulInfinitySign if self.first.is_infinite() && second.is_finite() => INFINITY,
            Fault::FaddCancellationSign if cancels && second.is_sign_positive() == (self.sign != 0) => 0,
            Fault::FfmaCancellationSign if cancels => self.sign,
            Fault::FaddOverflowToGreatest
                if rounding == FPRound::RN && magnitude == INFINITY && (self.first + second).is_finite() =>
            {
                correct - 1
            }
            Fault::FmulOverflowToInfinity if rounding != FPRound::RN && magnitude == INFINITY - 1 => {
                correct + 1
            }
            _ => correct,
        }
    }
}

/// Returns the value of a pattern, exactly.
fn number(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}
