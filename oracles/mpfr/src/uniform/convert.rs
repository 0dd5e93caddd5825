//! UF2FP: two F32 packed to F16 (E168 = 1, C006).

use assay_isa::format::{F16, F32};
use assay_isa::readings::Reading;
use assay_isa::{BackendError, Truths};
use rug::float::Round;

use crate::question::Question;
use crate::register::Register;

/// Converts F32 to F16 by MPFR, rounded once to nearest, ties to even.
#[derive(Debug)]
struct Conversion {
    operand: Register,
    result: Register,
}

impl Conversion {
    fn new() -> Conversion {
        Conversion { operand: Register::new(F32.precision()), result: Register::new(F16.precision()) }
    }

    fn half(&mut self, bits: u32) -> u32 {
        self.operand.load(bits, F32, 0);
        let direction = self.result.compute(&*self.operand, Round::Nearest);
        // MPFR's significands have the form 0.1…, so its exponents are one greater than those of
        // IEEE 754.
        match self.result.get_exp().map(|exponent| exponent - 1) {
            Some(exponent) if exponent > F16.bias() => {
                F16.infinity() | if self.result.is_sign_negative() { F16.sign_mask() } else { 0 }
            }
            Some(exponent) if exponent < F16.emin() => {
                self.result.subnormalize(F16, direction, Round::Nearest);
                self.result.bits(F16)
            }
            _ => self.result.bits(F16),
        }
    }
}

/// Converts a NaN to F16.
fn nan(rule: u8, bits: u32) -> u32 {
    let quiet = F16.infinity() | 1 << (F16.fraction_bits - 1);
    match rule {
        1 => F16.sign_mask() - 1,
        2 => quiet,
        _ => {
            let sign = if F32.is_negative(bits) { F16.sign_mask() } else { 0 };
            let leading = (bits & F32.fraction_mask()) >> (F32.fraction_bits - F16.fraction_bits);
            sign | quiet | leading
        }
    }
}

/// UF2FP: converts two operands. The first operand becomes the high half, and the second operand
/// the low half. The third operand is ignored.
pub fn pack(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, _] = question.operands()?;
    let (a, b) = (question.values(a)?, question.values(b)?);
    let mut conversion = Conversion::new();
    let rule = question.readings().get(Reading::C006);
    let mut half = |bits| if F32.is_nan(bits) { nan(rule, bits) } else { conversion.half(bits) };
    question.answer(truths, |lane| {
        let (high, low) = (half(a.get(lane)), half(b.get(lane)));
        high << F16.width() | low
    });
    Ok(())
}
