//! The real functions that MUFU approximates, and their values by MPFR.

use std::cmp::Ordering;

use assay_isa::truth::{Symmetry, Traits};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

/// The unit of the argument of sine and cosine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Angle {
    /// Radians.
    Radians,
    /// Whole turns.
    Turns,
}

/// The real function that an instruction computes, which the readings can make differ from the
/// instruction's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// cos x or cos 2πx.
    Cosine(Angle),
    /// sin x or sin 2πx.
    Sine(Angle),
    /// 2^x.
    PowerOfTwo,
    /// log₂ x.
    Logarithm,
    /// 1/x.
    Reciprocal,
    /// 1/√x.
    ReciprocalRoot,
    /// √x.
    Root,
    /// tanh x.
    Tangent,
}

impl Function {
    /// Returns the properties of the function's values: symmetry, period, and whether its zeros
    /// have signs.
    pub(crate) fn traits(self, zeros: ZeroSign) -> Traits {
        let symmetry = match self {
            Function::Sine(_) | Function::Reciprocal | Function::Tangent => Some(Symmetry::Odd),
            Function::Cosine(_) => Some(Symmetry::Even),
            _ => None,
        };
        let period = match self {
            Function::Reciprocal => Some(1),
            Function::ReciprocalRoot | Function::Root => Some(2),
            _ => None,
        };
        let signed_zeros = symmetry == Some(Symmetry::Odd) || self.has_negative_zero(zeros, 0.25).is_some();
        Traits { symmetry, period, signed_zeros }
    }

    /// Returns whether the zero of the function at an argument is negative, or `None` if that zero has no sign.
    #[inline(always)]
    pub(crate) fn has_negative_zero(self, zeros: ZeroSign, argument: f64) -> Option<bool> {
        let of_turn = || argument.abs().fract();
        match (self, zeros) {
            // IEEE 754-2019, sinPi.
            (Function::Sine(_), ZeroSign::OfArgument) => Some(argument < 0.0),
            // Just beyond a half turn, sin 2πx is negative. Just beyond a quarter turn, cos 2πx is
            // negative.
            (Function::Sine(_), ZeroSign::OfNext) => Some((of_turn() == 0.5) != (argument < 0.0)),
            (Function::Cosine(_), ZeroSign::OfNext) => Some(of_turn() == 0.25),
            _ => None,
        }
    }
}

/// The sign of an exact zero of sine and cosine in turns (C007).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroSign {
    /// A zero of the sine has the sign of the argument. A zero of the cosine has no sign.
    OfArgument,
    /// A zero has the sign of the value just beyond the magnitude of the argument.
    OfNext,
}

/// Sets `y` to a function of `x`, rounded toward zero. Returns how `y` compares to the exact value.
pub fn apply(function: Function, x: &Float, y: &mut Float) -> Ordering {
    match function {
        Function::Cosine(Angle::Radians) => y.assign_round(x.cos_ref(), Round::Zero),
        Function::Cosine(Angle::Turns) => y.assign_round(x.cos_u_ref(1), Round::Zero),
        Function::Sine(Angle::Radians) => y.assign_round(x.sin_ref(), Round::Zero),
        Function::Sine(Angle::Turns) => y.assign_round(x.sin_u_ref(1), Round::Zero),
        Function::PowerOfTwo => y.assign_round(x.exp2_ref(), Round::Zero),
        Function::Logarithm => y.assign_round(x.log2_ref(), Round::Zero),
        Function::Reciprocal => y.assign_round(x.recip_ref(), Round::Zero),
        Function::ReciprocalRoot => y.assign_round(x.recip_sqrt_ref(), Round::Zero),
        Function::Root => y.assign_round(x.sqrt_ref(), Round::Zero),
        Function::Tangent => y.assign_round(x.tanh_ref(), Round::Zero),
    }
}
