//! CORE-MATH, the correctly rounded mathematical library, as a voice for MUFU.
//!
//! MUFU results are judged against a bound, so this voice is not what a device must answer: it is the
//! best answer there is. It speaks for RCP alone so far. CORE-MATH has no reciprocal by that name; the
//! power x^-1 is one, correctly rounded and with the special rows of the specification.

use assay_isa::codec::decode;
use assay_isa::format::{F32, F64_HIGH};
use assay_isa::readings::Reading;
use assay_isa::tables::types::{FPSat, MUFUDType, MUFUOp};
use assay_isa::{Answer, Batch, Effects, Erratum, Instruction, Numbers, Readings, Subject, VoiceError};

use crate::arithmetic::{QNAN, flush, saturate};
use crate::departures::departures;
use crate::operands::{inputs, write};

/// Correctly rounded MUFU.RCP.F32 (CORE-MATH's `powf`) and MUFU.RCP.F64 (integer division).
///
/// Beyond `intended` it follows E036 = 1 (the F32 NaN is 0xFFFFFFFF) and E042 = 2 (F32 subnormals are
/// flushed). RCP.F64 under E040 = 1 (the low word) is unsupported, as is every other function.
#[derive(Clone, Debug)]
pub struct CoreMath {
    numbers: Numbers,
    readings: Readings,
}

impl CoreMath {
    /// The voice under a numbering and a reading.
    pub fn new(numbers: Numbers, readings: Readings) -> CoreMath {
        CoreMath { numbers, readings }
    }

    /// Whether the readings touch an instruction in a way that this voice does not follow.
    fn is_unsettled(&self, instruction: &Instruction, dtype: MUFUDType) -> bool {
        departures(&self.readings, instruction).any(|erratum| match erratum {
            Erratum(36 | 42) => false,
            Erratum(40) => dtype == MUFUDType::F64,
            _ => true,
        })
    }

    /// What the instruction computes, if this voice knows it.
    fn function(&self, instruction: &Instruction) -> Option<Box<dyn Fn(u32) -> u32>> {
        let (function, dtype) = (instruction.modifier("mufuop")?, instruction.modifier("dtype")?);
        if self.is_unsettled(instruction, dtype) {
            return None;
        }
        let clamp = instruction.modifier("sat") == Some(FPSat::SAT);
        let nan = if self.readings.get(Reading::E036) == 1 { u32::MAX } else { QNAN };
        let flushed = self.readings.get(Reading::E042) == 2;
        match (function, dtype) {
            (MUFUOp::RCP, MUFUDType::F32) => Some(Box::new(move |x| {
                let y = if flushed { flush(reciprocal_f32(flush(x))) } else { reciprocal_f32(x) };
                match (F32.is_nan(y), clamp) {
                    (true, true) => 0,
                    (true, false) => nan,
                    (false, true) => saturate(y),
                    (false, false) => y,
                }
            })),
            (MUFUOp::RCP, MUFUDType::F64) => Some(Box::new(reciprocal_f64_high)),
            _ => None,
        }
    }
}

impl Subject for CoreMath {
    fn name(&self) -> &str {
        "core-math"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        effects.reset(batch.len());
        let instruction = decode(batch.word(), &self.numbers)?;
        let Some(function) = self.function(&instruction) else {
            return Ok(Answer::Unsupported);
        };
        let inputs = inputs(&instruction, batch)?;
        write(&instruction, batch, effects, |_, lane| function(inputs[0].get(lane)))?;
        Ok(Answer::Known)
    }
}

/// 1/x to nearest even, subnormals honoured; any NaN for a NaN.
///
/// Equal to IEEE division at every one of the 2^32 inputs, checked once; the tests check a sample.
fn reciprocal_f32(x: u32) -> u32 {
    core_math::powf(f32::from_bits(x), -1.0).to_bits()
}

/// 1/h to the 21 significant bits of a high word, to nearest; subnormals flushed on both sides.
///
/// With |h| = m·2^(E-20) and 2^20 <= m < 2^21, 1/|h| is 2^-E for m = 2^20 and otherwise (2^41/m)·2^(-E-21)
/// with a quotient of 21 bits. It is never half-way between two integers, since 2^42 has no odd divisor
/// but 1, and it stays below 2^21 - 1, so rounding never carries. A subnormal quotient lies on the grid or
/// below its largest member, so rounding it first would not make it normal.
fn reciprocal_f64_high(h: u32) -> u32 {
    const HIDDEN: u64 = 1 << F64_HIGH.fraction_bits;
    let sign = h & F64_HIGH.sign_mask();
    let magnitude = h ^ sign;
    if F64_HIGH.is_nan(h) {
        return QNAN;
    }
    if magnitude == F64_HIGH.infinity() {
        return sign;
    }
    let biased = F64_HIGH.exponent_field(h) as i32;
    if biased == 0 {
        return sign | F64_HIGH.infinity();
    }
    let m = HIDDEN | u64::from(h & F64_HIGH.fraction_mask());
    let (quotient, biased) = match m {
        HIDDEN => (HIDDEN, 2 * F64_HIGH.bias() - biased),
        _ => (((HIDDEN << 22) / m).div_ceil(2), 2 * F64_HIGH.bias() - biased - 1),
    };
    if biased < 1 {
        return sign;
    }
    sign | (biased as u32) << F64_HIGH.fraction_bits | (quotient - HIDDEN) as u32
}
