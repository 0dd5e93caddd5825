//! CORE-MATH, the correctly rounded mathematical library, as an implementation for MUFU.
//!
//! MUFU results are judged against a bound, so a device need not return the results of CORE-MATH,
//! which are the best possible. CORE-MATH has no reciprocal or square root by name. Instead, the
//! powers x^-1 and x^0.5 are used, which are correctly rounded. The types of 16 bits are left out:
//! CORE-MATH's functions for them need an unstable compiler, and rounding the 32-bit results again
//! would not be correct rounding.

use assay_isa::codec::decode;
use assay_isa::format::{F32, F64_HIGH};
use assay_isa::readings::Reading;
use assay_isa::tables::types::{FPSat, MUFUDType, MUFUOp};
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Erratum, Instruction, Readings, Subject,
};

use crate::arithmetic::{QNAN, flush, saturate};
use crate::departures::departures;
use crate::operands::{inputs, write};

/// Correctly rounded MUFU: every function of F32 by CORE-MATH, and RCP and RSQ of F64 by integers.
///
/// It follows every setting of E033 (which of .SIN and .COS is the sine), E034 (the cosine of a
/// zero), E035 (radians or turns), E036 (the NaN of F32), E042 (subnormals) and C007 (zeros in
/// turns). For F32, the settings 2 and 3 of E042 are equal. Unsupported are F64 under E040 = 1 (the
/// low word), RSQ.F64 under E041 = 1 (negative numbers undefined), and the types of 16 bits.
#[derive(Clone, Debug)]
pub struct CoreMath {
    numbers: EncodingTable,
    readings: Readings,
}

impl CoreMath {
    /// Creates the implementation with an encoding table and readings.
    pub fn new(numbers: EncodingTable, readings: Readings) -> CoreMath {
        CoreMath { numbers, readings }
    }

    /// Returns whether the readings have a setting that can change the instruction's result and
    /// that this implementation does not follow.
    fn is_unsettled(&self, instruction: &Instruction, function: MUFUOp, dtype: MUFUDType) -> bool {
        let double = dtype == MUFUDType::F64;
        departures(&self.readings, instruction).any(|erratum| match erratum {
            Erratum(33 | 34 | 35 | 36 | 42) => false,
            other if other == Erratum::convention(7) => false,
            // E037 is about packed operands, which this implementation does not support.
            Erratum(37) => false,
            Erratum(40) => double,
            Erratum(41) => double && function == MUFUOp::RSQ,
            _ => true,
        })
    }

    /// Returns the function of the instruction, if this implementation supports it.
    fn function(&self, instruction: &Instruction) -> Option<Box<dyn Fn(u32) -> u32>> {
        let (function, dtype) = (instruction.modifier("mufuop")?, instruction.modifier("dtype")?);
        if self.is_unsettled(instruction, function, dtype) {
            return None;
        }
        match (function, dtype) {
            (_, MUFUDType::F32) => {
                let clamp = instruction.modifier("sat") == Some(FPSat::SAT);
                let single = Single::of(function, clamp, &self.readings);
                Some(Box::new(move |x| single.apply(x)))
            }
            (MUFUOp::RCP, MUFUDType::F64) => Some(Box::new(reciprocal_f64_high)),
            (MUFUOp::RSQ, MUFUDType::F64) => Some(Box::new(reciprocal_root_f64_high)),
            _ => None,
        }
    }
}

impl Subject for CoreMath {
    fn name(&self) -> &str {
        "core-math"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
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

/// A function of F32, with the special cases that the instruction and the readings add.
#[derive(Clone, Copy, Debug)]
struct Single {
    function: fn(f32) -> f32,
    /// Whether the result for a zero operand is that zero instead of the function's value
    /// (E034 = 1).
    keeps_zeros: bool,
    flush: bool,
    clamp: bool,
    nan: u32,
}

impl Single {
    fn of(function: MUFUOp, clamp: bool, readings: &Readings) -> Single {
        let function = match (function, readings.get(Reading::E033)) {
            (MUFUOp::COS, 1) => MUFUOp::SIN,
            (MUFUOp::SIN, 1) => MUFUOp::COS,
            _ => function,
        };
        let turns = readings.get(Reading::E035) == 2;
        let of_next = readings.get(Reading::C007) == 2;
        Single {
            function: match function {
                MUFUOp::COS if turns && of_next => {
                    |x| with_sign_of_next(core_math::cospif(2.0 * (x % 1.0)), x.abs().fract() == 0.25)
                }
                MUFUOp::SIN if turns && of_next => |x| {
                    let is_beyond_half = x.abs().fract() == 0.5;
                    with_sign_of_next(
                        core_math::sinpif(2.0 * (x % 1.0)),
                        is_beyond_half != x.is_sign_negative(),
                    )
                },
                MUFUOp::COS if turns => |x| core_math::cospif(2.0 * (x % 1.0)),
                MUFUOp::COS => core_math::cosf,
                MUFUOp::SIN if turns => |x| core_math::sinpif(2.0 * (x % 1.0)),
                MUFUOp::SIN => core_math::sinf,
                MUFUOp::EX2 => core_math::exp2f,
                MUFUOp::LG2 => core_math::log2f,
                MUFUOp::RCP => |x| core_math::powf(x, -1.0),
                MUFUOp::RSQ => core_math::rsqrtf,
                MUFUOp::SQRT => root,
                MUFUOp::TANH => core_math::tanhf,
            },
            keeps_zeros: function == MUFUOp::COS && readings.get(Reading::E034) == 1,
            // The tanh of a subnormal number rounds to that number. E042 requires this result, so
            // TANH does not flush.
            flush: matches!(readings.get(Reading::E042), 2 | 3) && function != MUFUOp::TANH,
            clamp,
            nan: if readings.get(Reading::E036) == 1 { u32::MAX } else { QNAN },
        }
    }

    fn apply(&self, x: u32) -> u32 {
        let x = if self.flush { flush(x) } else { x };
        let is_kept = self.keeps_zeros && x & !F32.sign_mask() == 0;
        let y = if is_kept { x } else { (self.function)(f32::from_bits(x)).to_bits() };
        let y = if self.flush { flush(y) } else { y };
        match (F32.is_nan(y), self.clamp) {
            (true, true) => 0,
            (true, false) => self.nan,
            (false, true) => saturate(y),
            (false, false) => y,
        }
    }
}

/// Returns `y`. A zero `y` gets the sign of the function's value just beyond the magnitude of the
/// argument (C007).
fn with_sign_of_next(y: f32, next_is_negative: bool) -> f32 {
    match y {
        0.0 if next_is_negative => -0.0,
        0.0 => 0.0,
        _ => y,
    }
}

/// Returns the square root, computed as the power x^0.5 except for -0 and -Inf. Their powers would
/// be +0 and +Inf.
fn root(x: f32) -> f32 {
    match x {
        0.0 => x,
        f32::NEG_INFINITY => f32::NAN,
        _ => core_math::powf(x, 0.5),
    }
}

/// The implicit leading bit of a high word's significand.
const HIDDEN: u64 = 1 << F64_HIGH.fraction_bits;

/// Returns RCP or RSQ of a NaN, an infinity, a zero, or a subnormal number, which is flushed.
/// Returns `None` if the high word is a normal number.
fn special_f64_high(h: u32) -> Option<u32> {
    let sign = h & F64_HIGH.sign_mask();
    match h ^ sign {
        _ if F64_HIGH.is_nan(h) => Some(QNAN),
        magnitude if magnitude == F64_HIGH.infinity() => Some(sign),
        _ if F64_HIGH.exponent_field(h) == 0 => Some(sign | F64_HIGH.infinity()),
        _ => None,
    }
}

/// Returns m and E of a normal high word: |h| = m·2^(E-20) with 2^20 <= m < 2^21.
fn parts_f64_high(h: u32) -> (u64, i32) {
    let m = HIDDEN | u64::from(h & F64_HIGH.fraction_mask());
    (m, F64_HIGH.exponent_field(h) as i32 - F64_HIGH.bias())
}

/// Returns 1/h, rounded to nearest to the 21 significant bits of a high word. Flushes subnormal
/// operands and results.
///
/// For m = 2^20, 1/|h| is 2^-E. For any other m it is (2^41/m)·2^(-E-21), with a quotient of 21
/// bits. The quotient is never half-way between two integers, since 2^42 has no odd divisor but 1.
/// The quotient stays below 2^21 - 1, so rounding never carries. So a result below the least normal
/// number stays below it when the quotient is rounded first.
fn reciprocal_f64_high(h: u32) -> u32 {
    if let Some(row) = special_f64_high(h) {
        return row;
    }
    let sign = h & F64_HIGH.sign_mask();
    let (m, exponent) = parts_f64_high(h);
    let (quotient, exponent) = match m {
        HIDDEN => (HIDDEN, -exponent),
        _ => (((HIDDEN << 22) / m).div_ceil(2), -exponent - 1),
    };
    if exponent < F64_HIGH.emin() {
        return sign;
    }
    sign | pattern_f64_high(quotient, exponent)
}

/// Returns 1/√h, rounded to nearest to the 21 significant bits of a high word. Flushes subnormal
/// operands.
///
/// With an even E, 2^20 <= m < 2^22. Then 1/√h is √(2^64/m)·2^(-E/2-22), with a root of 22 bits, or
/// 23 for m = 2^20. Half of the root is never half-way between two integers, since no odd square
/// but 1 divides 2^64. A result is never subnormal.
fn reciprocal_root_f64_high(h: u32) -> u32 {
    if F64_HIGH.is_negative(h) && F64_HIGH.exponent_field(h) != 0 {
        return QNAN;
    }
    if let Some(row) = special_f64_high(h) {
        return row;
    }
    let (m, exponent) = parts_f64_high(h);
    let odd = exponent & 1;
    let root = ((1u128 << 64) / u128::from(m << odd)).isqrt() as u64;
    pattern_f64_high(root.div_ceil(2), -(exponent - odd) / 2 - 1)
}

/// Returns the pattern of significand·2^(exponent-20). A significand of 2^21 carries into the
/// exponent.
fn pattern_f64_high(significand: u64, exponent: i32) -> u32 {
    let field = (exponent + F64_HIGH.bias()) as u32;
    (field << F64_HIGH.fraction_bits) + (significand - HIDDEN) as u32
}
