//! The eight functions of F32.
//!
//! An operand is a normal number, a zero, an infinity or a NaN. Subnormal operands count as zeros,
//! except for TANH. For a normal operand, a function derives a fraction, interpolates, and adds the
//! exponent.

use assay_isa::format::F32;

use super::interpolator::Interpolator;
use super::tables;
use crate::arithmetic::QNAN;

const SIGN: u32 = F32.sign_mask();
const INFINITY: u32 = F32.infinity();
const ONE: u32 = F32.one();
/// The implicit leading bit of a significand.
const HIDDEN: u32 = 1 << F32.fraction_bits;
const FRACTION: u32 = F32.fraction_mask();

/// 2/(1.m) in units of 2^-23.
const RCP: Interpolator =
    Interpolator { rows: &tables::RCP, offset_bits: 16, shifts: [13, 0, 0], rounding: 0x47e7, cut: 15 };
/// 2/√(1.m) in units of 2^-23.
const RSQ_EVEN: Interpolator =
    Interpolator { rows: &tables::RSQ_EVEN, offset_bits: 17, shifts: [14, 0, 2], rounding: 0x7fff, cut: 16 };
/// 2/√(2·1.m) in units of 2^-23.
const RSQ_ODD: Interpolator = Interpolator { rows: &tables::RSQ_ODD, ..RSQ_EVEN };
/// √(1.m) in units of 2^-23.
const SQRT_EVEN: Interpolator =
    Interpolator { rows: &tables::SQRT_EVEN, offset_bits: 17, shifts: [15, 0, 1], rounding: 0x7fff, cut: 17 };
/// √(2·1.m) in units of 2^-23.
const SQRT_ODD: Interpolator = Interpolator { rows: &tables::SQRT_ODD, shifts: [15, 1, 1], ..SQRT_EVEN };
/// 2^f in units of 2^-23.
const EX2: Interpolator =
    Interpolator { rows: &tables::EX2, offset_bits: 17, shifts: [13, 0, 0], rounding: 0x77e2, cut: 15 };
/// log2(1.m) in units of 2^-36.
const LG2: Interpolator =
    Interpolator { rows: &tables::LG2, offset_bits: 17, shifts: [12, 0, 1], rounding: 0x3345, cut: 2 };
/// sin(π/2·f) in units of 2^-37.
const SINE: Interpolator =
    Interpolator { rows: &tables::SINE, offset_bits: 17, shifts: [11, 0, 0], rounding: 0, cut: 0 };
/// tanh |x| in units of 2^-40.
const TANH: Interpolator =
    Interpolator { rows: &tables::TANH, offset_bits: 17, shifts: [16, 0, 0], rounding: 0, cut: 0 };

/// The classes of operands that the unit distinguishes before it computes.
enum Operand {
    /// A zero or a subnormal number.
    Zero,
    Infinity,
    Nan,
    /// The number ±2^exponent · (1 + fraction·2^-23).
    Normal {
        exponent: i32,
        fraction: u32,
    },
}

impl Operand {
    fn of(bits: u32) -> Operand {
        let fraction = bits & FRACTION;
        match F32.exponent_field(bits) as i32 {
            0 => Operand::Zero,
            255 if fraction == 0 => Operand::Infinity,
            255 => Operand::Nan,
            field => Operand::Normal { exponent: field - F32.bias(), fraction },
        }
    }

    /// Returns the operand of a function that has no values for negative numbers. Every negative
    /// number except -0 counts as a NaN.
    fn of_root(bits: u32) -> Operand {
        match Operand::of(bits) {
            Operand::Zero => Operand::Zero,
            _ if bits & SIGN != 0 => Operand::Nan,
            other => other,
        }
    }
}

/// Returns 1/x.
pub(super) fn reciprocal(bits: u32) -> u32 {
    let sign = bits & SIGN;
    match Operand::of(bits) {
        Operand::Zero => sign | INFINITY,
        Operand::Infinity => sign,
        Operand::Nan => QNAN,
        Operand::Normal { exponent, fraction } => {
            sign | number(-exponent - 1, reciprocal_significand(fraction))
        }
    }
}

/// Returns 2/(1 + fraction·2^-23) in units of 2^-23. The result is at most 2^24.
pub(super) fn reciprocal_significand(fraction: u32) -> u32 {
    RCP.at(fraction) as u32
}

/// Returns 1/√x.
pub(super) fn root_reciprocal(bits: u32) -> u32 {
    match Operand::of_root(bits) {
        Operand::Zero => bits & SIGN | INFINITY,
        Operand::Infinity => 0,
        Operand::Nan => QNAN,
        Operand::Normal { exponent, fraction } => {
            number(-(exponent >> 1) - 1, root_reciprocal_significand(exponent & 1 == 1, fraction))
        }
    }
}

/// Returns 2/√(1 + fraction·2^-23) in units of 2^-23. If the exponent is odd, returns 2/√(2·(1 +
/// fraction·2^-23)).
///
/// The result is at most 2^24. For an even exponent and a fraction of 0, the exact result 2 is
/// returned, since the table alone would give slightly less.
pub(super) fn root_reciprocal_significand(odd: bool, fraction: u32) -> u32 {
    match (odd, fraction) {
        (false, 0) => 2 * HIDDEN,
        (false, _) => RSQ_EVEN.at(fraction) as u32,
        (true, _) => RSQ_ODD.at(fraction) as u32,
    }
}

/// Returns √x. The root has tables of its own. It is not computed as x times 1/√x.
pub(super) fn root(bits: u32) -> u32 {
    match Operand::of_root(bits) {
        Operand::Zero => bits & SIGN,
        Operand::Infinity => INFINITY,
        Operand::Nan => QNAN,
        Operand::Normal { exponent, fraction } => {
            let table = if exponent & 1 == 1 { SQRT_ODD } else { SQRT_EVEN };
            number(exponent >> 1, table.at(fraction) as u32)
        }
    }
}

/// Returns 2^x. The argument is truncated to 23 fraction bits.
///
/// For a negative argument with a nonzero fraction, the bits are complemented, not negated. So the
/// fraction that is looked up is one unit less.
pub(super) fn power(bits: u32) -> u32 {
    let negative = bits & SIGN != 0;
    match Operand::of(bits) {
        Operand::Nan => QNAN,
        Operand::Normal { exponent: ..8, .. } | Operand::Zero => {
            let magnitude = fixed_point(bits, 23) as i32;
            let argument = match (negative, magnitude as u32 & FRACTION) {
                (false, _) => magnitude,
                (true, 0) => -magnitude,
                (true, _) => !magnitude,
            };
            number(argument >> 23, EX2.at(argument as u32 & FRACTION) as u32)
        }
        _ if negative => 0,
        _ => INFINITY,
    }
}

/// Returns log2 x, cut off to 24 significant bits. Before the cut, the sum of exponent and
/// logarithm has 36 fraction bits.
pub(super) fn logarithm(bits: u32) -> u32 {
    match Operand::of_root(bits) {
        Operand::Zero => SIGN | INFINITY,
        Operand::Infinity => INFINITY,
        Operand::Nan => QNAN,
        Operand::Normal { exponent: 0, fraction: 0 } => 0,
        Operand::Normal { exponent, fraction } => {
            let sum = LG2.at(fraction) + (i64::from(exponent) << 36);
            if sum < 0 { SIGN | normalised(!sum, 36) } else { normalised(sum, 36) }
        }
    }
}

/// Returns the sine of x turns. A zero has the sign of the exact sine just beyond |x|: -0 for 1/2,
/// +0 for -1/2.
pub(super) fn sine(bits: u32) -> u32 {
    if bits & INFINITY == INFINITY { QNAN } else { bits & SIGN ^ sine_from(bits, 0) }
}

/// Returns the cosine of x turns. A zero has the sign of the exact cosine just beyond |x|: -0
/// for 1/4.
pub(super) fn cosine(bits: u32) -> u32 {
    if bits & INFINITY == INFINITY { QNAN } else { sine_from(bits, 1) }
}

/// Returns the sine of |x| turns plus `quarters` quarter turns, cut off to 24 significant bits.
///
/// |x| is cut off after 25 bits below the point. In a quarter where the absolute value falls, the
/// fraction is complemented, not negated. So the fraction that is looked up is one unit less.
fn sine_from(bits: u32, quarters: u32) -> u32 {
    let argument = fixed_point(bits, 25) as u32;
    let quarter = (argument >> 23) + quarters;
    let fraction = if quarter & 1 == 1 { !argument } else { argument } & FRACTION;
    (quarter & 2) << 30 | normalised(SINE.at(fraction), 37)
}

/// For each binade from 2^-8 on: the number of low bits of a fraction that TANH drops, and the
/// first row of the binade.
const TANH_BINADES: [(u32, u32); 11] =
    [(6, 0), (6, 1), (6, 2), (5, 3), (5, 5), (4, 7), (4, 11), (4, 15), (3, 19), (2, 27), (3, 43)];

/// Returns tanh x, cut off to 24 significant bits. Below 2^-8 in magnitude it is x. From 8 on it is
/// ±1.
pub(super) fn tangent(bits: u32) -> u32 {
    let sign = bits & SIGN;
    match Operand::of(bits) {
        Operand::Nan => QNAN,
        Operand::Zero | Operand::Normal { exponent: ..-8, .. } => bits,
        Operand::Normal { exponent: exponent @ ..3, fraction } => {
            let (dropped, first_row) = TANH_BINADES[(exponent + 8) as usize];
            let argument = (first_row << TANH.offset_bits) + (fraction >> dropped);
            sign | normalised(TANH.at(argument), 40)
        }
        _ => sign | ONE,
    }
}

/// Returns |x| in units of 2^-bits, cut off to an integer. Bits above the 64th are lost. A
/// subnormal number counts as zero.
fn fixed_point(x: u32, bits: u32) -> u64 {
    let Operand::Normal { exponent, fraction } = Operand::of(x) else { return 0 };
    let significand = u64::from(HIDDEN | fraction);
    let shift = exponent - F32.fraction_bits as i32 + bits as i32;
    let shifted = match shift {
        0.. => significand.checked_shl(shift as u32),
        _ => significand.checked_shr(shift.unsigned_abs()),
    };
    shifted.unwrap_or(0)
}

/// Returns the pattern of significand·2^(exponent-23). The significand is from 2^23 to 2^24. Below
/// the least normal number the result is 0, and above the largest number it is infinity.
fn number(exponent: i32, significand: u32) -> u32 {
    // A significand of 2^24 carries into the exponent.
    let bits = (i64::from(exponent + F32.bias()) << F32.fraction_bits) + i64::from(significand - HIDDEN);
    if bits < i64::from(HIDDEN) { 0 } else { bits.min(i64::from(INFINITY)) as u32 }
}

/// Returns magnitude·2^-bits, cut off to 24 significant bits. The magnitude must not be negative.
fn normalised(magnitude: i64, bits: i32) -> u32 {
    let Some(leading) = magnitude.checked_ilog2() else { return 0 };
    let cut = leading as i32 - F32.fraction_bits as i32;
    let significand = if cut < 0 { magnitude << -cut } else { magnitude >> cut };
    number(leading as i32 - bits, significand as u32)
}
