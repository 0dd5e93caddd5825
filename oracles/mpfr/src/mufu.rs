//! MUFU.RCP.F32 and MUFU.RCP.F64 (document `000`): the rows of the special values, and 1/x enclosed.
//!
//! The document gives no accuracy (E043), so the truth stays the real number 1/x, cut off after as many
//! bits as the judge asks for. An F64 operand is the high word of a double whose low word is zero (E040).

use std::cmp::Ordering;

use assay_isa::format::{F32, F64_HIGH, Format};
use assay_isa::readings::{Reading, Readings};
use assay_isa::tables::types::{MUFUDType, MUFUOp};
use assay_isa::truth::{Enclosure, Truth, TruthValues};
use assay_isa::{Answer, Batch, Instruction, Real, Truths, VoiceError};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

use crate::operand::{SIGN, guarded, operands};
use crate::register::{QUIET_NAN, Register};

/// The most bits that are worked out: the contract of an oracle asks for no more.
const MOST_BITS: u32 = 120;

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
    /// Which bits of a special row are written; E040 = 1 writes the low word, where all rows hold 0.
    row_mask: u32,
}

impl Reciprocal {
    /// The reciprocal that an instruction means, if it is one.
    fn of(instruction: &Instruction, readings: &Readings) -> Option<Reciprocal> {
        if instruction.modifier("mufuop") != Some(MUFUOp::RCP) {
            return None;
        }
        match instruction.modifier("dtype") {
            Some(MUFUDType::F32) => {
                let flush = readings.get(Reading::E042) == 2;
                Some(Reciprocal {
                    format: F32,
                    flush_input: flush,
                    flush_output: flush,
                    saturate: instruction.flag("sat"),
                    nan: if readings.get(Reading::E036) == 1 { u32::MAX } else { QUIET_NAN },
                    row_mask: u32::MAX,
                })
            }
            Some(MUFUDType::F64) => Some(Reciprocal {
                format: F64_HIGH,
                flush_input: true,
                flush_output: true,
                saturate: false,
                nan: QUIET_NAN,
                row_mask: if readings.get(Reading::E040) == 1 { 0 } else { u32::MAX },
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
        Some(row & self.row_mask)
    }

    /// A special row in [+0, 1]: +Inf is the only one above, all others end at +0.
    fn clamp(&self, row: u32) -> u32 {
        if row == self.format.infinity() { self.format.one() } else { 0 }
    }
}

/// The truth of MUFU; of its pairs only the reciprocals are known here.
pub fn truth(
    instruction: &Instruction,
    batch: &Batch,
    readings: &Readings,
    precision: u32,
    truths: &mut Truths,
) -> Result<Answer, VoiceError> {
    let Some(reciprocal) = Reciprocal::of(instruction, readings) else {
        return Ok(Answer::Unsupported);
    };
    let written = guarded(instruction, batch)?;
    let [operand] = operands(instruction, batch)?;
    let Some(&location) = instruction.writes().first() else {
        return Ok(Answer::Known);
    };
    let mut input = Register::new(reciprocal.format.precision());
    let mut result = Float::new(precision.clamp(1, MOST_BITS));
    let mut real = |bits| match reciprocal.special(bits) {
        Some(row) => Real::Bits(row),
        None => {
            input.load(bits, reciprocal.format, 0);
            Real::Near(enclose(&input, &mut result))
        }
    };
    let values = (0..batch.len()).map(|lane| real(operand.get(lane))).collect();
    let Reciprocal { format, flush_output: flush, saturate, .. } = reciprocal;
    truths.push(Truth { location, values: TruthValues::Reals { format, flush, saturate, values }, written });
    Ok(Answer::Known)
}

/// Encloses 1/x, x being neither zero nor infinite, to as many bits as `result` has.
fn enclose(x: &Float, result: &mut Float) -> Enclosure {
    let direction = result.assign_round(x.recip_ref(), Round::Zero);
    let bits = result.prec();
    // |1/x| = 0.1… · 2^exponent, and the significand is that fraction in whole limbs.
    let exponent = result.get_exp().unwrap_or(0);
    let significand = result.get_significand().map_or(0, |limbs| {
        let vacant = limbs.significant_bits() - bits;
        (*limbs).to_u128_wrapping() >> vacant
    });
    Enclosure {
        negative: result.is_sign_negative(),
        significand,
        exponent: exponent - bits as i32,
        exact: direction == Ordering::Equal,
    }
}

/// The enclosed number in decimal, to `digits` significant digits, which the enclosure must be tight
/// enough for. For display.
pub fn decimal(y: &Enclosure, digits: usize) -> String {
    let magnitude = Float::with_val(128, rug::Integer::from(y.significand)) << y.exponent;
    let signed = if y.negative { -magnitude } else { magnitude };
    signed.to_string_radix(10, Some(digits))
}
