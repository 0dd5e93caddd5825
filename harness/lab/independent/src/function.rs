//! The functions of MUFU in F32. Special rows come from the tables, all other results from the
//! host's F64.
//!
//! Source: the tables of document 000; E034 to E036 and E042; the bounds of profile `intended`.

use core::f64::consts::PI;

use crate::fault::{Active, Fault};
use crate::float::{INFINITY, LARGEST, NAN, ONE, SIGN, is_infinite, is_nan, is_subnormal, is_zero};

/// Codes of the functions.
pub(crate) const COS: u32 = 0;
pub(crate) const SIN: u32 = 1;
pub(crate) const EX2: u32 = 2;
pub(crate) const LG2: u32 = 3;
pub(crate) const RCP: u32 = 4;
pub(crate) const RSQ: u32 = 5;
pub(crate) const SQRT: u32 = 6;

/// The error of a wrong table entry, in units in the last place.
const TABLE_ERROR: u32 = 300;

/// Computes a function of an F32 value.
pub(crate) fn single(function: u32, bits: u32, active: Active) -> u32 {
    let quiet = if active.has(Fault::QuietNanAllOnes) { u32::MAX } else { NAN };
    if is_nan(bits) {
        return quiet;
    }
    let result = special(function, bits, active).unwrap_or_else(|| ordinary(function, bits, active));
    if is_nan(result) { quiet } else { result }
}

/// Returns the result of a special row of the tables: infinities, zeros, and negative numbers.
/// `None` for other inputs.
fn special(function: u32, bits: u32, active: Active) -> Option<u32> {
    let sign = bits & SIGN;
    if is_infinite(bits) {
        return Some(match function {
            COS | SIN => NAN,
            EX2 if sign != 0 => 0,
            RCP if active.has(Fault::ReciprocalOfInfinityUnsigned) => 0,
            RCP => sign,
            LG2 | RSQ | SQRT if sign != 0 => NAN,
            RSQ => 0,
            EX2 | LG2 | SQRT => INFINITY,
            _ => sign | ONE,
        });
    }
    if is_zero(bits) {
        return Some(match function {
            COS if active.has(Fault::CosineOfZeroIsZero) => bits,
            COS | EX2 => ONE,
            LG2 if active.has(Fault::LogarithmOfZeroLargest) => SIGN | LARGEST,
            LG2 => SIGN | INFINITY,
            RCP if active.has(Fault::ReciprocalOfZeroUnsigned) => INFINITY,
            RSQ if sign != 0 && active.has(Fault::InverseRootOfMinusZero) => NAN,
            RCP | RSQ => sign | INFINITY,
            SQRT if active.has(Fault::RootOfZeroUnsigned) => 0,
            _ if function > SQRT && active.has(Fault::TangentOfZeroUnsigned) => 0,
            _ => bits,
        });
    }
    if sign == 0 || !matches!(function, LG2 | RSQ | SQRT) {
        return None;
    }
    if function == SQRT && is_subnormal(bits) && active.has(Fault::RootOfNegativeSubnormal) {
        return Some(SIGN);
    }
    if function == LG2 && active.has(Fault::LogarithmOfMagnitude) {
        return None;
    }
    Some(NAN)
}

/// Computes a result that the tables do not list.
fn ordinary(function: u32, bits: u32, active: Active) -> u32 {
    let x = f64::from(f32::from_bits(bits));
    match function {
        COS | SIN => circle(function, bits, x, active),
        EX2 => power(bits, x, active),
        LG2 => logarithm(bits, x, active),
        RCP => reciprocal(bits, x, active),
        RSQ => inverse_root(bits, x, active),
        SQRT => root(bits, x, active),
        _ => tangent(bits, x, active),
    }
}

fn rounded(value: f64) -> u32 {
    (value as f32).to_bits()
}

/// Adds the error of a wrong table entry to a normal result. Results near overflow stay unchanged.
fn off(bits: u32) -> u32 {
    let magnitude = bits & !SIGN;
    if (0x0080_0000..LARGEST - TABLE_ERROR).contains(&magnitude) { bits + TABLE_ERROR } else { bits }
}

fn circle(function: u32, bits: u32, x: f64, active: Active) -> u32 {
    let sine = (function == SIN) != active.has(Fault::SineAndCosineSwapped);
    let turns = (x / (2.0 * PI)).round();
    let x = match x.abs() {
        _ if active.has(Fault::ShortPi) => x - turns * (62_831.0 / 10_000.0),
        size if active.has(Fault::LargeAnglesCoarse) && size > 64.0 => (x * 512.0).round() / 512.0,
        _ => x,
    };
    let value = if sine { x.sin() } else { x.cos() };
    if sine && active.has(Fault::SineNearPiIsZero) && x.abs() > 1.0 && value.abs() < 1.0 / 4096.0 {
        return if value < 0.0 { SIGN } else { 0 };
    }
    if active.has(Fault::PeakExceedsOne) && value.abs() > 0.9999 {
        return rounded(value * 1.0002);
    }
    if active.has(Fault::ThirdQuadrantSign) && sine && (PI..1.5 * PI).contains(&x) {
        return rounded(-value);
    }
    if active.has(Fault::SineOfOnePattern) && sine && bits == 0x3f86_0a92 {
        return off(rounded(value));
    }
    rounded(value)
}

fn power(bits: u32, x: f64, active: Active) -> u32 {
    let result = rounded(x.exp2());
    match result {
        INFINITY if active.has(Fault::PowerOverflowsToLargest) => LARGEST,
        _ if active.has(Fault::PowerFlushesResult) && is_subnormal(result) => 0,
        _ if active.has(Fault::PowerSegment) && ((x - x.floor()) * 64.0) as u32 == 41 => off(result),
        _ if active.has(Fault::PowerOfNegative) && x < -100.0 => off(result),
        _ if active.has(Fault::PowerOfSixtyFour) && bits == 0x4280_0000 => off(result),
        _ => result,
    }
}

fn logarithm(bits: u32, x: f64, active: Active) -> u32 {
    let result = rounded(x.abs().log2());
    if active.has(Fault::LogarithmNearOneCoarse) && (x - 1.0).abs() < 0.125 {
        return rounded((x.log2() * 262_144.0).round() / 262_144.0);
    }
    if active.has(Fault::LogarithmOfSubnormal) && is_subnormal(bits) {
        return SIGN | INFINITY;
    }
    if active.has(Fault::LogarithmOfOneLess) && bits == 0x3f7f_ffff {
        return 0xb5b8_aa3b;
    }
    if active.has(Fault::LogarithmLargeExponent) && x > 1.8e19 { off(result) } else { result }
}

fn reciprocal(bits: u32, x: f64, active: Active) -> u32 {
    let result = rounded(x.recip());
    let fraction = bits & 0x007f_ffff;
    match (bits >> 23) & 0xff {
        0 if active.has(Fault::ReciprocalOfSubnormal) => (bits & SIGN) | INFINITY,
        137 if active.has(Fault::ReciprocalBinade) => off(result),
        _ if active.has(Fault::ReciprocalSegment) && fraction >> 16 == 0x35 => off(result),
        _ if active.has(Fault::ReciprocalOfOnePattern) && bits == 0x3fb5_04f3 => result + 2,
        _ if active.has(Fault::ReciprocalFlushesResult) && is_subnormal(result) => bits & SIGN,
        _ if active.has(Fault::ReciprocalMissingStep) => rounded(x.recip() * (1.0 + 2.5e-7)),
        _ => result,
    }
}

fn inverse_root(bits: u32, x: f64, active: Active) -> u32 {
    let result = rounded(x.sqrt().recip());
    let field = (bits >> 23) & 0xff;
    let fraction = bits & 0x007f_ffff;
    match field {
        _ if active.has(Fault::InverseRootOddSegment) && field & 1 == 1 && fraction >> 17 == 0x2a => {
            off(result)
        }
        0 if active.has(Fault::InverseRootOfSubnormal) => INFINITY,
        254 if active.has(Fault::InverseRootTopBinade) => off(result),
        _ => result,
    }
}

fn root(bits: u32, x: f64, active: Active) -> u32 {
    let result = rounded(x.sqrt());
    match bits & 0x007f_ffff {
        0x007f_ffff if active.has(Fault::RootOfAllOnesFraction) => result + 2,
        _ if active.has(Fault::RootOfSubnormal) && is_subnormal(bits) => 0,
        _ if active.has(Fault::RootOddExponent) && bits >> 23 == 0x85 => off(result),
        _ => result,
    }
}

fn tangent(bits: u32, x: f64, active: Active) -> u32 {
    let result = rounded(x.tanh());
    match x.abs() {
        size if active.has(Fault::TangentSaturates) && size > 3.0 => (bits & SIGN) | ONE,
        size if active.has(Fault::TangentLinear) && size < 0.25 => bits,
        size if active.has(Fault::TangentUnsigned) && size > 4.0 => result & !SIGN,
        _ if active.has(Fault::TangentOfOnePattern) && bits == 0x3f0f_5c29 => result + 0x2_0000,
        _ => result,
    }
}
