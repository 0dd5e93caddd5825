//! FMNMX, FSETP, FSET, FSEL and FCHK by exact fractions: the slow reference.

use assay_isa::Instruction;
use assay_isa::format::F32;
use assay_isa::readings::{Reading, Readings};
use assay_isa::tables::types::{BVal, FCMPOp, LOPOp};
use rug::Rational;
use rug::ops::Pow;

use super::{LaneOutcome, flushed};
use crate::float::QUIET_NAN;

/// Evaluates an instruction on a predicate and two operands with their prefixes applied.
pub fn evaluate(instruction: &Instruction, readings: &Readings, operands: [u32; 2], pp: bool) -> LaneOutcome {
    let is = |reading: Reading, setting| readings.get(reading) == setting;
    let unordered = operands.iter().any(|bits| value(*bits).is_none());
    let ftz =
        instruction.flag("ftz") && !(instruction.optype() == "FMNMX" && unordered && is(Reading::E183, 1));
    let assigned = operands.map(|bits| (ftz && flushed(bits) != bits).then(|| flushed(bits)));
    let [a, b] = [0, 1].map(|i| assigned[i].unwrap_or(operands[i]));
    let logic = |t: bool| match instruction.modifier("lop") {
        Some(LOPOp::AND) => t & pp,
        Some(LOPOp::OR) => t | pp,
        _ => t ^ pp,
    };
    let outputs = match instruction.optype() {
        "FMNMX" => match extreme([a, b], pp, instruction.flag("nan"), readings) {
            Some(chosen) => vec![chosen],
            None => vec![super::arith::nan(readings, &[a, b])],
        },
        "FSEL" => match if pp { a } else { b } {
            nan if value(nan).is_none() && is(Reading::E185, 2) => vec![QUIET_NAN],
            selected => vec![selected],
        },
        "FCHK" => vec![u32::from(needs_slow_path([a, b].map(|bits| exponent(bits, is(Reading::E189, 1)))))],
        optype => {
            let comparison = instruction.modifier("cmp").unwrap();
            let t = compares(comparison, [a, b], is(Reading::E186, 1));
            match (optype, instruction.modifier("bval")) {
                ("FSETP", _) => vec![logic(t).into(), logic(!t).into()],
                (_, Some(BVal::BF)) if logic(t) => vec![F32.one()],
                _ if logic(t) => vec![u32::MAX],
                _ => vec![0],
            }
        }
    };
    LaneOutcome { outputs, assigned: assigned.to_vec() }
}

/// Returns the number of a pattern. Infinities are greater than all others in magnitude.
fn value(bits: u32) -> Option<Rational> {
    let float = f32::from_bits(bits);
    let beyond = || Rational::from(if float > 0.0 { 1 } else { -1 }) * Rational::from(2).pow(200);
    Rational::from_f32(float).or_else(|| float.is_infinite().then(beyond))
}

/// Returns the chosen operand, `None` if the result is NaN.
fn extreme([a, b]: [u32; 2], minimum: bool, nan_wins: bool, readings: &Readings) -> Option<u32> {
    let signals = |bits| value(bits).is_none() && bits & 0x0040_0000 == 0;
    let nan_wins = nan_wins || readings.get(Reading::C004) == 2 && (signals(a) || signals(b));
    let as_in_c = readings.get(Reading::E184) == 1;
    Some(match (value(a), value(b)) {
        (None, _) | (_, None) if nan_wins => return None,
        (None, _) | (_, None) => return unordered([a, b], minimum, readings.get(Reading::C009)),
        (Some(x), Some(y)) if x == y && readings.get(Reading::C005) == 2 => a,
        (Some(x), Some(y)) if x == y && !as_in_c => {
            // Only zeros can be equal and have different patterns: the negative one is the minimum.
            let negative = |bits: &u32| bits >> 31 == 1;
            if negative(&a) == minimum { a } else { b }
        }
        (Some(x), Some(y)) if minimum => {
            if x < y {
                a
            } else {
                b
            }
        }
        (Some(x), Some(y)) => {
            if x > y {
                a
            } else {
                b
            }
        }
    })
}

/// Returns the operand that C009 takes where one is a NaN, `None` if the result is NaN.
fn unordered([a, b]: [u32; 2], minimum: bool, setting: u8) -> Option<u32> {
    match (setting, [a, b].map(|bits| value(bits).is_none())) {
        (1, [true, true]) | (2, _) => None,
        (1, [true, false]) => Some(b),
        (1 | 3, _) => Some(a),
        (5, _) if !minimum => Some(a),
        _ => Some(b),
    }
}

fn compares(comparison: FCMPOp, [a, b]: [u32; 2], as_in_c: bool) -> bool {
    let (Some(x), Some(y)) = (value(a), value(b)) else {
        return match format!("{comparison:?}").as_str() {
            "NAN" => true,
            "NUM" => false,
            "NE" | "NEU" if as_in_c => true,
            name => name.ends_with('U') && !as_in_c,
        };
    };
    match comparison {
        FCMPOp::EQ | FCMPOp::EQU => x == y,
        FCMPOp::NE | FCMPOp::NEU => x != y,
        FCMPOp::LT | FCMPOp::LTU => x < y,
        FCMPOp::LE | FCMPOp::LEU => x <= y,
        FCMPOp::GT | FCMPOp::GTU => x > y,
        FCMPOp::GE | FCMPOp::GEU => x >= y,
        FCMPOp::NAN => false,
        FCMPOp::NUM => true,
    }
}

/// Returns the exponent. Of a normal number it is that of the greatest power of two not above it.
/// Zeros and subnormals are one below the least, infinities and NaN one above the largest. E189 = 1
/// takes the first byte.
fn exponent(bits: u32, first_byte: bool) -> i32 {
    if first_byte {
        return i32::from(bits.to_be_bytes()[0]) - 127;
    }
    if !f32::from_bits(bits).is_finite() {
        return 128;
    }
    let size = value(bits).unwrap().abs();
    (-126..=127).rev().find(|e| Rational::from(2).pow(*e) <= size).unwrap_or(-127)
}

fn needs_slow_path([ea, eb]: [i32; 2]) -> bool {
    let safe = (-102..=127).contains(&ea) && (-125..=124).contains(&eb) && (-124..=126).contains(&(ea - eb));
    !safe
}
