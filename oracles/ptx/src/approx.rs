//! The `.approx` instructions (ISA 9.7.3 and 9.7.4).
//!
//! The ISA bounds the errors of these instructions, and has tables of their results for zeros,
//! subnormals, infinities and NaN. Here, results are exact values that are rounded once, to
//! nearest, ties to even.

use std::cmp::Ordering;

use rug::Float;
use rug::float::Round;

use crate::TURN;
use crate::column::Access;
use crate::float::{Mode, Rounding};
use crate::format::Format;
use crate::lanes::{Lanes, low};

const ONE: u32 = 0x3f80_0000;

/// A function of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Approximation {
    curve: Curve,
    pub(crate) format: Format,
    /// `.ftz`
    flush: bool,
    /// Whether a word holds two operands and results.
    pub(crate) pair: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Curve {
    Exponential,
    Logarithm,
    Reciprocal,
    ReciprocalRoot,
    Root,
    Tangent,
}

use Curve::{Exponential, Logarithm, Reciprocal, ReciprocalRoot, Root, Tangent};
use Format::{Brain, Half, Single, Upper};

impl Approximation {
    /// All supported forms, by their opcodes.
    pub(crate) const NAMES: [(&'static str, Self); 16] = [
        ("ex2.approx.ftz.f32", Self::new(Exponential, Single, true, false)),
        ("ex2.approx.f16", Self::new(Exponential, Half, false, false)),
        ("ex2.approx.f16x2", Self::new(Exponential, Half, false, true)),
        ("ex2.approx.ftz.bf16", Self::new(Exponential, Brain, true, false)),
        ("ex2.approx.ftz.bf16x2", Self::new(Exponential, Brain, true, true)),
        ("lg2.approx.ftz.f32", Self::new(Logarithm, Single, true, false)),
        ("rcp.approx.ftz.f32", Self::new(Reciprocal, Single, true, false)),
        ("rcp.approx.ftz.f64", Self::new(Reciprocal, Upper, true, false)),
        ("rsqrt.approx.ftz.f32", Self::new(ReciprocalRoot, Single, true, false)),
        ("rsqrt.approx.ftz.f64", Self::new(ReciprocalRoot, Upper, true, false)),
        ("sqrt.approx.ftz.f32", Self::new(Root, Single, true, false)),
        ("tanh.approx.f32", Self::new(Tangent, Single, false, false)),
        ("tanh.approx.f16", Self::new(Tangent, Half, false, false)),
        ("tanh.approx.f16x2", Self::new(Tangent, Half, false, true)),
        ("tanh.approx.bf16", Self::new(Tangent, Brain, false, false)),
        ("tanh.approx.bf16x2", Self::new(Tangent, Brain, false, true)),
    ];

    const fn new(curve: Curve, format: Format, flush: bool, pair: bool) -> Self {
        Self { curve, format, flush, pair }
    }

    pub(crate) fn compute(self, lanes: &mut Lanes, access: &Access) {
        match (self.format, self.pair) {
            (_, true) => lanes.apply(access, |[a]| [self.value(a >> 16) << 16 | self.value(a & 0xffff)]),
            // The lower word of the operand is ignored, and the lower word of the result is zero.
            (Upper, _) => lanes.apply(access, |[a]| [self.value(a >> 32) << 32]),
            _ => lanes.apply(access, |[a]| [self.value(a)]),
        }
    }

    fn value(self, bits: u64) -> u64 {
        let flush = |bits| if self.flush { self.format.flushed(bits) } else { bits };
        let operand = self.format.read(flush(bits));
        flush(evaluate(self.format, operand, |number| self.curve.evaluate(number)))
    }
}

/// Returns the value of a function at an operand, rounded to the format. The operand must be a
/// value of the format.
fn evaluate(format: Format, operand: f64, function: impl FnOnce(&mut Float) -> Ordering) -> u64 {
    let mut number = Float::with_val(format.precision(), operand);
    let direction = function(&mut number);
    format.finish(number, direction)
}

impl Curve {
    /// Replaces a number by the value of the function at that number. Returns the direction of the
    /// rounding.
    fn evaluate(self, number: &mut Float) -> Ordering {
        match self {
            Exponential => number.exp2_round(Round::Nearest),
            Logarithm => number.log2_round(Round::Nearest),
            Reciprocal => number.recip_round(Round::Nearest),
            // For -0.0, the ISA's table has -Inf, as IEEE 754 does. MPFR has +Inf.
            ReciprocalRoot if number.is_zero() => number.recip_round(Round::Nearest),
            ReciprocalRoot => number.recip_sqrt_round(Round::Nearest),
            Root => number.sqrt_round(Round::Nearest),
            Tangent => number.tanh_round(Round::Nearest),
        }
    }
}

/// `sin.approx.ftz.f32` and `cos.approx.ftz.f32`. First the operand is multiplied by a factor that
/// converts radians to turns. The product is rounded towards zero. Then the sine or cosine of this
/// number of turns is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    cosine: bool,
    factor: u32,
}

impl Turn {
    /// The functions of radians.
    pub(crate) const RADIANS: [(&'static str, Self); 2] = [
        ("sin.approx.ftz.f32", Self { cosine: false, factor: TURN }),
        ("cos.approx.ftz.f32", Self { cosine: true, factor: TURN }),
    ];

    /// The functions of turns. MUFU has these functions, but PTX does not.
    pub(crate) const TURNS: [(&'static str, Self); 2] = [
        ("sin.turns.ftz.f32", Self { cosine: false, factor: ONE }),
        ("cos.turns.ftz.f32", Self { cosine: true, factor: ONE }),
    ];

    pub(crate) fn compute(self, lanes: &mut Lanes, access: &Access) {
        lanes.words(access, |[a]| [self.value(a)]);
    }

    fn value(self, operand: u32) -> u32 {
        let mode = Mode { rounding: Rounding::Zero, flush: true, saturate: false };
        let turns = f32::from_bits(mode.multiply(operand, self.factor, 0));
        let bits = evaluate(Single, turns.into(), |number| {
            if self.cosine {
                number.cos_u_round(1, Round::Nearest)
            } else {
                number.sin_u_round(1, Round::Nearest)
            }
        });
        let bits = low(Single.flushed(bits));
        if bits << 1 == 0 { self.zero(turns) } else { bits }
    }

    /// Returns a zero with the sign of the result for an argument in turns.
    fn zero(self, turns: f32) -> u32 {
        let of_turn = turns.abs().fract();
        let negative =
            if self.cosine { of_turn == 0.25 } else { (of_turn == 0.5) != turns.is_sign_negative() };
        u32::from(negative) << 31
    }
}
