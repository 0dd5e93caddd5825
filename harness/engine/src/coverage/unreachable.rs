//! Classes of results that no case of a mode can have, each with the reason.
//!
//! Without this list a campaign could never be said to be covered; with a wrong entry it would be said too
//! soon. So an entry that is hit all the same is reported as loudly as a bin that is missed.

use assay_isa::tables::types::{CWMode, FLOSH, FPFtz, FPSat, IType, MUFUDType};
use assay_isa::{Instruction, Reading, Readings};

const OTHER_NANS: &[&str] = &["+signalling NaN", "-quiet NaN", "-signalling NaN"];
const NOT_ALL_ONES: &[&str] = &["+quiet NaN", "+signalling NaN", "-signalling NaN"];
const SUBNORMALS: &[&str] = &["+subnormal", "-subnormal"];
const BEYOND_UNIT: &[&str] = &["+infinity", "+quiet NaN", "-quiet NaN", "-subnormal", "-normal", "-infinity"];
const MINUS_ZERO: &[&str] = &["-zero"];

/// Why no result of a mode is of a class, or no operand where a result is defined, if none is.
pub(super) fn reason(
    mode: &Instruction,
    readings: &Readings,
    is_result: bool,
    class: &str,
) -> Option<&'static str> {
    let rules = if is_result { rules(mode, readings) } else { Vec::new() };
    rules.into_iter().find(|(holds, classes, _)| *holds && classes.contains(&class)).map(|(_, _, why)| why)
}

type Rule = (bool, &'static [&'static str], &'static str);

fn rules(mode: &Instruction, readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let (ftz, sat) = (mode.modifier("ftz") == Some(FPFtz::FTZ), mode.modifier("sat") == Some(FPSat::SAT));
    match mode.optype() {
        "FADD" | "FMUL" | "FFMA" => arithmetic(mode, (ftz, sat), readings),
        "FMNMX" => vec![
            (true, OTHER_NANS, "a NaN result is always 0x7FFFFFFF"),
            (ftz && is(Reading::E183, 2), SUBNORMALS, ".FTZ flushes what is chosen from"),
        ],
        "FSEL" => vec![
            (is(Reading::E185, 2), OTHER_NANS, "a NaN result is always 0x7FFFFFFF"),
            (ftz, SUBNORMALS, ".FTZ flushes what is chosen from"),
        ],
        "MUFU" => mufu(mode, sat, readings),
        "POPC" => vec![(true, &["none"], "a count is at most 32")],
        "FLO" => find(mode, readings),
        "BMSK" => vec![
            (true, &["positive", "negative"], "a mask is one run of bits"),
            (wraps(mode) && is(Reading::E057, 2), &["all ones"], "a width modulo 32 is at most 31"),
            (
                wraps(mode) && is(Reading::E057, 1),
                &["zero"],
                "a mask of one bit and more, within the register",
            ),
        ],
        "SGXT" => extend(mode, readings),
        _ => Vec::new(),
    }
}

fn arithmetic(mode: &Instruction, (ftz, sat): (bool, bool), readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let sum_is_positive = mode.optype() != "FMUL" && is(Reading::E172, 1);
    vec![
        (true, OTHER_NANS, "a NaN result is always 0x7FFFFFFF"),
        (sat, BEYOND_UNIT, ".SAT leaves nothing outside [+0, 1]"),
        (sat && (is(Reading::E170, 2) || sum_is_positive), MINUS_ZERO, ".SAT leaves nothing outside [+0, 1]"),
        (ftz, SUBNORMALS, ".FTZ flushes results"),
        // Nothing but a sum of exactly zero is rounded to zero, and nothing is flushed.
        (mode.optype() == "FADD" && !ftz && sum_is_positive, MINUS_ZERO, "a sum of zero is +0"),
    ]
}

fn find(mode: &Instruction, readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let subtracts = mode.modifier("sh") == Some(FLOSH::SH) && is(Reading::E053, 1);
    let only_zero_has_none = mode.modifier("itype") == Some(IType::U32) || is(Reading::E052, 1);
    let zero_is_apart = is(Reading::E050, 2);
    vec![
        (!subtracts || zero_is_apart && only_zero_has_none, &["32"], "a position is at most 31"),
        (subtracts && !zero_is_apart, &["none"], "31 less what stands for none is 32"),
    ]
}

fn extend(mode: &Instruction, readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let wraps = wraps(mode) && is(Reading::E062, 2);
    match mode.modifier("itype") {
        Some(IType::U32) => {
            vec![(wraps, &["all ones", "the top bit", "negative"], "31 bits extended by a zero")]
        }
        _ => vec![(
            wraps || is(Reading::E063, 1),
            &["the top bit", "all but the top bit"],
            "of 31 bits the highest is copied",
        )],
    }
}

fn mufu(mode: &Instruction, sat: bool, readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let high_word = mode.modifier("dtype") == Some(MUFUDType::F64);
    vec![
        (high_word || is(Reading::E036, 2), OTHER_NANS, "a NaN result is always 0x7FFFFFFF"),
        (!high_word && is(Reading::E036, 1), NOT_ALL_ONES, "a NaN result is always 0xFFFFFFFF"),
        (sat, BEYOND_UNIT, ".SAT leaves nothing outside [+0, 1]"),
        (sat, MINUS_ZERO, ".SAT leaves nothing outside [+0, 1]"),
        (high_word || is(Reading::E042, 2), SUBNORMALS, "subnormal results are flushed"),
    ]
}

fn wraps(mode: &Instruction) -> bool {
    mode.modifier("cwmode") == Some(CWMode::WRAP)
}
