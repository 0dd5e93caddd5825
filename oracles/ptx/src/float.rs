//! Arithmetic of singles (ISA 9.7.3), computed exactly and rounded once.
//!
//! The product of two singles is exact as a double. The error of a sum of two doubles is a double
//! too (Knuth's two-sum). If this error is not zero, the sum is inexact, and is rounded to odd: the
//! last of its 53 bits stands for all bits that were cut off. When the sum rounded to odd is
//! rounded to the 24 bits of a single, the result is that of the exact sum. This holds in every
//! rounding direction, and also for subnormal results (Boldo and Melquiond, 2008).
//!
//! With `.ftz`, subnormal inputs and results become zeros of the same sign. A result counts as
//! subnormal if it is below the least normal number when rounded to 24 bits with an unbounded
//! exponent. With `.sat`, results are clamped to \[+0.0, 1.0\], and a NaN becomes +0.0. Any other
//! NaN result of arithmetic is the canonical 0x7fffffff: payloads are not preserved.

use crate::column::Access;
use crate::format::Format;
use crate::lanes::{Lanes, low};

/// The canonical NaN.
pub(crate) const NAN: u32 = 0x7fff_ffff;

/// A function of singles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Float {
    /// `add`
    Add(Mode),
    /// `mul`. `scale` is the exponent of the power of two by which a machine instruction scales the
    /// product.
    Multiply { mode: Mode, scale: i8 },
    /// `fma`
    Fuse(Mode),
    /// `min` and `max`
    Extreme { maximum: bool, flush: bool, nan: bool },
    /// `abs`
    Absolute,
    /// `neg`
    Negate,
    /// `cvt.rn.f16x2.f32`
    Halves,
}

/// The modifiers of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) rounding: Rounding,
    /// `.ftz`
    pub(crate) flush: bool,
    /// `.sat`
    pub(crate) saturate: bool,
}

/// A direction of rounding (ISA 9.7.3, `.rn`, `.rz`, `.rm` and `.rp`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Nearest,
    Zero,
    Down,
    Up,
}

impl Float {
    pub(crate) fn compute(self, lanes: &mut Lanes, access: &Access) {
        match self {
            Self::Add(mode) => lanes.words(access, |[a, b]| [mode.fuse(a, 1.0_f32.to_bits(), b)]),
            Self::Multiply { mode, scale } => {
                lanes.words(access, |[a, b]| [mode.multiply(a, b, scale)]);
            }
            Self::Fuse(mode) => lanes.words(access, |[a, b, c]| [mode.fuse(a, b, c)]),
            Self::Extreme { maximum, flush, nan } => {
                lanes.words(access, |[a, b]| [extreme(maximum, flush, nan, a, b)]);
            }
            Self::Absolute => lanes.words(access, |[a]| [a & 0x7fff_ffff]),
            Self::Negate => lanes.words(access, |[a]| [a ^ 0x8000_0000]),
            Self::Halves => lanes.words(access, |[a, b]| {
                let [upper, lower] = [a, b].map(|bits| low(Format::Half.round(f32::from_bits(bits).into())));
                [upper << 16 | lower]
            }),
        }
    }
}

/// Returns the value of an operand. With `flush`, a subnormal becomes a zero of its sign.
pub(crate) fn read(bits: u32, flush: bool) -> f32 {
    let value = f32::from_bits(bits);
    if flush { flushed(value) } else { value }
}

fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}

impl Mode {
    /// Returns the result of `mul`, times 2 to the power of `scale`. The product of two singles and
    /// the scaled product are exact as doubles.
    pub(crate) fn multiply(self, a: u32, b: u32, scale: i8) -> u32 {
        let [a, b] = [a, b].map(|bits| f64::from(read(bits, self.flush)));
        self.finish(a * b * f64::from(scale).exp2())
    }

    /// Returns the result of `fma`. `add` also uses this function, with 1 as a factor.
    fn fuse(self, a: u32, b: u32, c: u32) -> u32 {
        let [a, b, c] = [a, b, c].map(|bits| f64::from(read(bits, self.flush)));
        self.finish(self.rounding.sum(a * b, c))
    }

    /// Returns the result for a double that is exact or rounded to odd.
    fn finish(self, value: f64) -> u32 {
        let flush = self.flush && self.rounding.is_tiny(value);
        let result = if flush { 0.0_f32.copysign(value as f32) } else { self.rounding.round(value) };
        match (self.saturate, result) {
            (true, result) if result > 0.0 => result.min(1.0).to_bits(),
            (true, _) => 0,
            (false, result) if result.is_nan() => NAN,
            (false, result) => result.to_bits(),
        }
    }
}

impl Rounding {
    /// Returns the sum of two doubles, rounded to odd. Both doubles are singles or products of
    /// singles, so nothing overflows or underflows.
    fn sum(self, a: f64, b: f64) -> f64 {
        let sum = a + b;
        if sum == 0.0 {
            // IEEE 754, 6.3: if zeros of different signs are added, or x and -x, the rounding
            // direction determines the sign.
            let negative = if self == Self::Down {
                [a, b].iter().any(|x| x.is_sign_negative())
            } else {
                sum.is_sign_negative()
            };
            return if negative { -0.0 } else { 0.0 };
        }
        let back = sum - a;
        let error = (a - (sum - back)) + (b - back);
        // If an infinity or a NaN makes the error NaN, the sum is right too.
        let exact = error == 0.0 || !sum.is_finite();
        if exact || sum.to_bits() & 1 == 1 {
            sum
        } else if error > 0.0 {
            sum.next_up()
        } else {
            sum.next_down()
        }
    }

    /// Returns whether a double is below the least normal single when rounded to 24 bits with an
    /// unbounded exponent. The double is exact or rounded to odd. The double is first multiplied by
    /// a power of two, so that a single can represent all 24 bits.
    fn is_tiny(self, value: f64) -> bool {
        let lift = f64::from(1_u32 << 31);
        self.round(value * lift).abs() < f32::MIN_POSITIVE * lift as f32
    }

    /// Rounds a double that is exact or rounded to odd to a single.
    fn round(self, value: f64) -> f32 {
        let nearest = value as f32;
        let (above, below) = (f64::from(nearest) > value, f64::from(nearest) < value);
        match self {
            Self::Down if above => nearest.next_down(),
            Self::Up if below => nearest.next_up(),
            Self::Zero if above && value > 0.0 => nearest.next_down(),
            Self::Zero if below && value < 0.0 => nearest.next_up(),
            _ => nearest,
        }
    }
}

/// Returns the result of `min` or `max`. A number is selected over a NaN, unless `.NaN` is given.
/// +0.0 is greater than -0.0.
fn extreme(maximum: bool, flush: bool, nan: bool, a: u32, b: u32) -> u32 {
    let [x, y] = [a, b].map(|bits| read(bits, flush));
    let chosen = match (x.is_nan(), y.is_nan()) {
        (true, true) => return NAN,
        (true, false) | (false, true) if nan => return NAN,
        (true, false) => y,
        (false, true) => x,
        (false, false) if x.total_cmp(&y).is_lt() == maximum => y,
        (false, false) => x,
    };
    chosen.to_bits()
}
