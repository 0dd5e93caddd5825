//! MUFU.RCP.F32 and MUFU.RCP.F64 (document `000`): the rows of the special values, and 1/x enclosed.
//!
//! The document gives no accuracy (E043), so the truth stays the real number 1/x, cut off after as many
//! bits as the judge asks for. An F64 operand is the high word of a double whose low word is zero (E040).

use assay_isa::format::{F32, F64_HIGH, Format};
use assay_isa::readings::Reading;
use assay_isa::tables::types::{MUFUDType, MUFUOp};
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Answer, Erratum, Real, Truths, VoiceError};
use rug::float::Round;
use rug::ops::AssignRound;

use crate::enclosure::{enclose, with_precision};
use crate::float::QUIET_NAN;
use crate::operand::SIGN;
use crate::question::Question;
use crate::register::Register;

/// One of the two reciprocals.
#[derive(Clone, Copy, Debug)]
struct Reciprocal {
    format: Format,
    /// Whether subnormal inputs count as zeros.
    flush_input: bool,
    /// Whether subnormal results become zeros.
    flush_output: bool,
    saturate: bool,
    nan: u32,
    /// E040 = 1: the low word of a special row is written. All rows hold 0 there.
    low_half: bool,
}

impl Reciprocal {
    /// The reciprocal that an instruction means, if it is one.
    fn of(question: &Question) -> Option<Reciprocal> {
        let instruction = question.instruction;
        if instruction.modifier("mufuop") != Some(MUFUOp::RCP) {
            return None;
        }
        match instruction.modifier("dtype") {
            Some(MUFUDType::F32) => {
                let flush = question.reads(Reading::E042, 2);
                Some(Reciprocal {
                    format: F32,
                    flush_input: flush,
                    flush_output: flush,
                    saturate: instruction.flag("sat"),
                    nan: if question.reads(Reading::E036, 1) { u32::MAX } else { QUIET_NAN },
                    low_half: false,
                })
            }
            Some(MUFUDType::F64) => Some(Reciprocal {
                format: F64_HIGH,
                flush_input: true,
                flush_output: true,
                saturate: false,
                nan: QUIET_NAN,
                low_half: question.reads(Reading::E040, 1),
            }),
            _ => None,
        }
    }

    /// The special row that a pattern falls under, as the bits to be written.
    fn special(&self, bits: u32) -> Option<u32> {
        let magnitude = bits & !SIGN;
        let row = if self.format.is_nan(bits) {
            self.nan
        } else if magnitude == self.format.infinity() {
            bits & SIGN
        } else if magnitude == 0 || (self.flush_input && self.format.is_subnormal(bits)) {
            bits & SIGN | self.format.infinity()
        } else {
            return None;
        };
        let row = if self.saturate { self.clamp(row) } else { row };
        Some(if self.low_half { 0 } else { row })
    }

    /// A special row in [+0, 1]: +Inf is the only one above, all others end at +0.
    fn clamp(&self, row: u32) -> u32 {
        if row == self.format.infinity() { self.format.one() } else { 0 }
    }
}

/// The truth of MUFU; of its pairs only the reciprocals are known here.
pub fn truth(question: &Question, precision: u32, truths: &mut Truths) -> Result<Answer, VoiceError> {
    let Some(reciprocal) = Reciprocal::of(question) else {
        return Ok(Answer::Unsupported);
    };
    let [operand] = question.inputs()?;
    if reciprocal.low_half {
        let is_number = |lane| reciprocal.special(operand.get(lane)).is_none();
        question.undefine(truths, Erratum(40), is_number);
    }
    let Some(&location) = question.instruction.writes().first() else {
        return Ok(Answer::Known);
    };
    let mut input = Register::new(reciprocal.format.precision());
    let mut result = with_precision(precision);
    let mut real = |bits| match reciprocal.special(bits) {
        Some(row) => Real::Bits(row),
        None => {
            input.load(bits, reciprocal.format, 0);
            let direction = result.assign_round(input.recip_ref(), Round::Zero);
            Real::Near(enclose(&result, direction))
        }
    };
    let values = (0..question.len()).map(|lane| real(operand.get(lane))).collect();
    let Reciprocal { format, flush_output: flush, saturate, .. } = reciprocal;
    let values = TruthValues::Reals { format, flush, saturate, values };
    truths.push(Truth { location, values, written: question.executed().clone() });
    Ok(Answer::Known)
}
