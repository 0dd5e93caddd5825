//! Classes of results that no case of a mode can have, each with the reason.
//!
//! Without this list a campaign could never be said to be covered; with a wrong entry it would be said too
//! soon. So an entry that is hit all the same is reported as loudly as a bin that is missed.

use assay_isa::tables::types::{CWMode, FPFtz, FPSat, IType, MUFUDType};
use assay_isa::{Instruction, Reading, Readings};

const OTHER_NANS: &[&str] = &["+signalling NaN", "-quiet NaN", "-signalling NaN"];
const SUBNORMALS: &[&str] = &["+subnormal", "-subnormal"];
const BEYOND_UNIT: &[&str] = &["+infinity", "+quiet NaN", "-zero", "-subnormal", "-normal", "-infinity"];

/// Why no result of a mode is of a class, if none is.
pub(super) fn reason(mode: &Instruction, readings: &Readings, class: &str) -> Option<&'static str> {
    let rules = rules(mode, readings);
    rules.into_iter().find(|(holds, classes, _)| *holds && classes.contains(&class)).map(|(_, _, why)| why)
}

type Rule = (bool, &'static [&'static str], &'static str);

fn rules(mode: &Instruction, readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let (ftz, sat) = (mode.modifier("ftz") == Some(FPFtz::FTZ), mode.modifier("sat") == Some(FPSat::SAT));
    match mode.optype() {
        "FADD" | "FMUL" | "FFMA" => vec![
            (true, OTHER_NANS, "a NaN result is always 0x7FFFFFFF"),
            (sat, BEYOND_UNIT, ".SAT leaves nothing outside [+0, 1]"),
            (ftz, SUBNORMALS, ".FTZ flushes results"),
        ],
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
        "FLO" => vec![(is(Reading::E053, 2), &["32"], "a position is at most 31")],
        "BMSK" => vec![
            (true, &["positive", "negative"], "a mask is one run of bits"),
            (wraps(mode) && is(Reading::E057, 2), &["all ones"], "a width modulo 32 is at most 31"),
        ],
        "SGXT" if wraps(mode) && is(Reading::E062, 2) => match mode.modifier("itype") {
            Some(IType::U32) => {
                vec![(true, &["all ones", "the top bit", "negative"], "31 bits extended by a zero")]
            }
            _ => vec![(true, &["the top bit", "all but the top bit"], "of 31 bits the highest is copied")],
        },
        _ => Vec::new(),
    }
}

fn mufu(mode: &Instruction, sat: bool, readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let high_word = mode.modifier("dtype") == Some(MUFUDType::F64);
    vec![
        (high_word || is(Reading::E036, 2), OTHER_NANS, "a NaN result is always 0x7FFFFFFF"),
        (sat, BEYOND_UNIT, ".SAT leaves nothing outside [+0, 1]"),
        (high_word || is(Reading::E042, 2), SUBNORMALS, "subnormal results are flushed"),
    ]
}

fn wraps(mode: &Instruction) -> bool {
    mode.modifier("cwmode") == Some(CWMode::WRAP)
}
