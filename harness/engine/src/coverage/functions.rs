//! Classes of results that MUFU's functions cannot have.

use assay_isa::tables::types::{FPSat, MUFUDType, MUFUOp};
use assay_isa::{Instruction, Reading, Readings};

use super::rule::{BEYOND_UNIT, MINUS_ZERO, NOT_NEGATIVE_QUIET, OTHER_NANS, Rule, SUBNORMALS};
use crate::operands::kinds::FLOATS;

const NOT_PLUS_ZERO: &[&str] = FLOATS.split_at(1).1;
const NEGATIVE: &[&str] = &["-zero", "-subnormal", "-normal", "-infinity"];
const NORMALS: &[&str] = &["+normal", "-normal"];
const ZEROS: &[&str] = &["+zero", "-zero"];
const INFINITIES: &[&str] = &["+infinity", "-infinity"];

/// What an operand of an F64 function cannot be where a result is defined, and what the result then cannot be.
pub(super) fn undefined(mode: &Instruction, readings: &Readings, is_result: bool) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    if mode.modifier("dtype") != Some(MUFUDType::F64) {
        return Vec::new();
    }
    let (low_word, root) = (is(Reading::E040, 1), mode.modifier("mufuop") == Some(MUFUOp::RSQ));
    if is_result {
        return vec![(low_word, NOT_PLUS_ZERO, "the low word of every special value is 0")];
    }
    // Classes are those of the register: a prefix can make a number of either sign of it.
    let plain = mode.form().stype == "I";
    let refuses = root && is(Reading::E041, 2);
    vec![
        (low_word && !refuses, NORMALS, "E040 leaves numbers undefined"),
        (low_word && refuses && plain, &["+normal"], "E040 leaves numbers undefined"),
        (root && !refuses && plain, &["-normal"], "E041 leaves negative numbers undefined"),
    ]
}

/// What the results of a mode cannot be.
pub(super) fn results(mode: &Instruction, readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let dtype = mode.modifier("dtype");
    let f32 = dtype == Some(MUFUDType::F32);
    let saturates = mode.modifier("sat") == Some(FPSat::SAT);
    let unit = ".SAT leaves nothing outside [+0, 1]";
    let mut rules = vec![
        (!f32 || is(Reading::E036, 2), OTHER_NANS, "a NaN result is always the positive quiet one"),
        (f32 && is(Reading::E036, 1), NOT_NEGATIVE_QUIET, "a NaN result is always 0xFFFFFFFF"),
        (saturates, BEYOND_UNIT, unit),
        (saturates, MINUS_ZERO, unit),
    ];
    // Of BF16 only EX2 flushes, and `function` asks nothing about TANH, the other function of that type.
    let flushes = match dtype {
        Some(MUFUDType::F64) => true,
        Some(MUFUDType::F32) => is(Reading::E042, 2) || is(Reading::E042, 3),
        Some(MUFUDType::BF16 | MUFUDType::BF16_V2) => is(Reading::E042, 3),
        _ => false,
    };
    rules.extend(function(mode, readings, saturates, flushes));
    rules
}

fn function(mode: &Instruction, readings: &Readings, saturates: bool, flushes: bool) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let flushed = "subnormal results are flushed";
    let no_subnormal = |why| (true, SUBNORMALS, why);
    let op = mode.modifier("mufuop");
    match op {
        Some(MUFUOp::COS | MUFUOp::SIN) => {
            let bounded = (true, INFINITIES, "sine and cosine lie in [-1, 1]");
            if (op == Some(MUFUOp::SIN)) == is(Reading::E033, 2) {
                return vec![bounded, (flushes, SUBNORMALS, flushed)];
            }
            let far = "no operand is that near to a zero of the cosine";
            let (table, turns) = (is(Reading::E034, 1), is(Reading::E035, 2));
            vec![
                bounded,
                no_subnormal(far),
                (!table && !turns && !saturates, ZEROS, far),
                (!table, MINUS_ZERO, "the cosine of a zero is 1"),
            ]
        }
        Some(MUFUOp::EX2) => {
            vec![(true, NEGATIVE, "a power of 2 is positive"), (flushes, SUBNORMALS, flushed)]
        }
        Some(MUFUOp::LG2) => vec![
            no_subnormal("no operand is that near to 1"),
            (true, MINUS_ZERO, "the only zero is that of 1"),
        ],
        Some(MUFUOp::RCP) => vec![(flushes, SUBNORMALS, flushed)],
        Some(MUFUOp::RSQ) => vec![
            no_subnormal("the square root of no operand is that large"),
            (true, &["-zero", "-normal"], "a square root is positive"),
        ],
        Some(MUFUOp::SQRT) => vec![
            no_subnormal("the square root of no operand is that small"),
            (true, &["-normal", "-infinity"], "a square root is positive"),
        ],
        Some(MUFUOp::TANH) => vec![(true, INFINITIES, "the hyperbolic tangent lies in [-1, 1]")],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::unreachable::reason;
    use super::*;

    #[test]
    fn subnormal_results_that_are_flushed() {
        for (text, from) in [
            ("MUFU.EX2.F32 R0, R1", Some(2)),
            ("MUFU.RCP.F32 R0, R1", Some(2)),
            ("MUFU.TANH.F32 R0, R1", None),
            ("MUFU.EX2.BF16 R0, R1.H0", Some(3)),
            ("MUFU.EX2.BF16_V2 R0, R1", Some(3)),
            ("MUFU.TANH.BF16 R0, R1.H0", None),
            ("MUFU.TANH.BF16_V2 R0, R1", None),
            ("MUFU.EX2.F16 R0, R1.H0", None),
            ("MUFU.EX2.F16_V2 R0, R1", None),
            ("MUFU.RCP.F64 R0, R1", Some(1)),
        ] {
            let mode = assay_isa::asm::parse(text).unwrap();
            for setting in 1..=3 {
                let mut readings = Readings::INTENDED;
                readings.set_from_text(&format!("E042={setting}")).unwrap();
                let flushes = from.is_some_and(|from| setting >= from);
                for class in ["+subnormal", "+subnormal in the high half"] {
                    let none = reason(&mode, &readings, true, class).is_some();
                    assert_eq!(none, flushes, "{text} E042={setting} {class}");
                }
            }
        }
    }
}
