//! FMNMX, FSETP, FSET, FSEL and FCHK.
//!
//! Source: document 004; E183 and E184 for FMNMX, E185 for FSEL, E186 for the comparisons, E189 for
//! FCHK.

use core::cmp::Ordering;

use crate::arith::flushed;
use crate::fault::{Active, Fault};
use crate::float::{NAN, ONE, SIGN, is_nan, is_negative, is_subnormal, is_zero};
use crate::instruction::Modifiers;

/// FMNMX: returns the minimum if `minimum` is true, and else the maximum. −0 is less than +0
/// (E184).
pub(crate) fn minmax(m: &Modifiers, a: u32, b: u32, minimum: bool, active: Active) -> u32 {
    if is_nan(a) || is_nan(b) {
        let other = if is_nan(a) { b } else { a };
        return match other {
            _ if active.has(Fault::MinmaxReturnsFirst) && !m.nan => a,
            _ if active.has(Fault::MinmaxNanIgnored) && !is_nan(other) => other,
            _ if m.nan || is_nan(other) => NAN,
            _ if m.ftz && !active.has(Fault::MinmaxNanNotFlushed) => flushed(other, active),
            _ => other,
        };
    }
    let (a, b) = if m.ftz && !active.has(Fault::MinmaxNotFlushed) {
        (flushed(a, active), flushed(b, active))
    } else {
        (a, b)
    };
    if is_zero(a) && is_zero(b) && active.has(Fault::MinmaxZeroOrder) {
        return b;
    }
    let negatives = is_negative(a) && is_negative(b) && active.has(Fault::MinmaxNegativeOrder);
    if (key(a) < key(b)) == (minimum != negatives) { a } else { b }
}

/// Returns a key that orders bit patterns like their values, with −0 below +0.
fn key(bits: u32) -> i64 {
    let magnitude = i64::from(bits & !SIGN);
    if is_negative(bits) { -magnitude - 1 } else { magnitude }
}

/// Compares two floats. The code of `.cmp` selects the comparison (FSETP, modifiers).
pub(crate) fn float_test(m: &Modifiers, a: u32, b: u32, active: Active) -> bool {
    let (a, b) = if m.ftz && !active.has(Fault::CompareNotFlushed) {
        (flushed(a, active), if active.has(Fault::CompareFlushesFirst) { b } else { flushed(b, active) })
    } else {
        (a, b)
    };
    let unordered = is_nan(a) || is_nan(b);
    match m.compare {
        12 => unordered != active.has(Fault::NanTestInverted),
        13 if active.has(Fault::NumLooksAtFirst) => !is_nan(a),
        13 => !unordered,
        1 if unordered && active.has(Fault::OrderedNotEqualTrue) => true,
        code if unordered => code >= 6 && !active.has(Fault::UnorderedFalse),
        code => {
            if active.has(Fault::LargestNotEqualItself) && a == b && a & !SIGN == 0x7f7f_ffff {
                return holds(code % 6, Ordering::Less, active);
            }
            holds(code % 6, float_order(a, b, active), active)
        }
    }
}

fn float_order(a: u32, b: u32, active: Active) -> Ordering {
    if is_zero(a) && is_zero(b) && !active.has(Fault::ZerosDiffer) {
        return Ordering::Equal;
    }
    let order = key(a).cmp(&key(b));
    if active.has(Fault::NegativesReversed) && is_negative(a) && is_negative(b) {
        return order.reverse();
    }
    order
}

/// Whether EQ, NE, LT, LE, GT or GE holds. Codes count in this order.
pub(crate) fn holds(code: u32, order: Ordering, active: Active) -> bool {
    match code {
        0 => order == Ordering::Equal,
        1 => order != Ordering::Equal,
        2 => order == Ordering::Less,
        3 => order != Ordering::Greater,
        4 => order == Ordering::Greater,
        _ if active.has(Fault::GreaterEqualIsGreater) => order == Ordering::Greater,
        _ => order != Ordering::Less,
    }
}

/// Combines the result of a comparison with a predicate. Codes 0 to 2 mean AND, OR and XOR.
pub(crate) fn combined(code: u32, test: bool, p: bool, active: Active) -> bool {
    match code {
        0 => test && p,
        1 if active.has(Fault::OrMeansXor) => test != p,
        1 => test || p,
        _ if active.has(Fault::XorMeansOr) => test || p,
        _ => test != p,
    }
}

/// Returns both outputs of FSETP or UISETP.
pub(crate) fn outputs(m: &Modifiers, test: bool, p: bool, active: Active) -> (bool, bool) {
    let first = combined(m.boolean, test, p, active);
    let second = match m.boolean {
        _ if active.has(Fault::SecondIsNotFirst) => !first,
        2 if active.has(Fault::SecondXorKeepsTest) => first,
        _ => combined(m.boolean, !test, p, active),
    };
    (first, second)
}

/// FSET: returns a truth value as 32 bits.
pub(crate) fn set(m: &Modifiers, truth: bool, active: Active) -> u32 {
    match truth {
        false => 0,
        true if m.one && active.has(Fault::SetOneIsInteger) => 1,
        true if m.one => ONE,
        true => u32::MAX,
    }
}

/// FSEL: returns `a` if `first` is true, and else `b`. `.FTZ` flushes the result, but a NaN stays
/// unchanged (E185).
pub(crate) fn select(m: &Modifiers, a: u32, b: u32, first: bool, active: Active) -> u32 {
    let bits = if first != active.has(Fault::SelectSwapped) { a } else { b };
    match bits {
        _ if active.has(Fault::SelectQuietsNan) && is_nan(bits) => bits | 0x0040_0000,
        _ if active.has(Fault::SelectFlushesAlways) && is_subnormal(bits) => bits & SIGN,
        _ if m.ftz => flushed(bits, active),
        _ => bits,
    }
}

/// FCHK: returns whether a division needs its slow path. The exponent is in bits 30 to 23 (E189).
pub(crate) fn check(a: u32, b: u32, active: Active) -> bool {
    let exponent = |bits: u32| {
        if active.has(Fault::CheckReadsHighByte) {
            (bits >> 24) as i32 - 127
        } else {
            ((bits >> 23) & 0xff) as i32 - 127
        }
    };
    let (ea, eb) = (exponent(a), exponent(b));
    let far = if active.has(Fault::CheckDifferenceOffByOne) { 128 } else { 127 };
    let special = ea >= 128 && !active.has(Fault::CheckMissesInfinity);
    let small = if active.has(Fault::CheckMissesSubnormalDivisor) { -127 } else { -126 };
    ea <= -103 || special || eb <= small || eb >= 125 || ea - eb <= -125 || ea - eb >= far
}
