//! Classes of results that no case of a mode can have, each with the reason.
//!
//! Without this list a campaign could never be said to be covered; with a wrong entry it would be said too
//! soon. So an entry that is hit all the same is reported as loudly as a bin that is missed.

use assay_isa::tables::types::{CWMode, FLOSH, FPFtz, FPSat, IType, LOHI, MEMDType, PRMTMode, VisaType};
use assay_isa::{Instruction, Reading, Readings};

use super::functions;
use super::rule::{BEYOND_UNIT, MINUS_ZERO, NOT_NEGATIVE_QUIET, OTHER_NANS, Rule, SUBNORMALS};

const SIGNALLING: &[&str] = &["+signalling NaN", "-signalling NaN"];
/// Neither 0 nor what the prefix ~ makes 0.
const NOT_EMPTY: &[&str] =
    &["the top bit", "all but the top bit", "one bit", "one run", "positive", "negative"];

/// Why no result of a mode is of a class, or no operand where a result is defined, if none is.
pub(super) fn reason(
    mode: &Instruction,
    readings: &Readings,
    is_result: bool,
    class: &str,
) -> Option<&'static str> {
    if let Some(why) = no_case(mode, readings) {
        return Some(why);
    }
    let class = class.trim_end_matches(" in the high half");
    let mut rules = undefined(mode, readings, is_result);
    if is_result {
        rules.extend(results(mode, readings));
    }
    rules.into_iter().find(|(holds, classes, _)| *holds && classes.contains(&class)).map(|(_, _, why)| why)
}

/// Why no case of a mode has a result, if none has.
pub(super) fn no_case(mode: &Instruction, readings: &Readings) -> Option<&'static str> {
    let is = |reading, setting| readings.get(reading) == setting;
    let undefined = match mode.optype() {
        "FFMA" => is(Reading::E177, 1),
        "BMSK" | "UBMSK" => {
            let unnamed = matches!(mode.form().stype, "RI" | "RC" | "UI" | "UC");
            is(Reading::E058, 2) && is(Reading::E057, 2) && unnamed
        }
        "ULOP3" | "UPLOP3" | "UPRMT" => is(Reading::E013, 1),
        "CS2R" => is(Reading::E066, 1),
        "SETREG" | "GETREG" => is(Reading::E071, 2),
        "PMTRIG" => is(Reading::E075, 2),
        "SWITCH" => is(Reading::E076, 2),
        "NOP" | "IBBAR" => is(Reading::E077, 2),
        "DEPBAR" => is(Reading::E078, 2),
        "USHF" => is(Reading::E149, 1),
        "UF2FP" => is(Reading::E168, 2),
        // As often as the byte says: more often than there are elements, or never.
        "BFN" => is(Reading::E081, 1) && (mode.get("mask") != Some(0) || mode.get("size") == Some(0)),
        _ => false,
    };
    undefined.then_some("every case is undefined, or writes nothing")
}

/// What cases without a result leave of operands and results.
fn undefined(mode: &Instruction, readings: &Readings, is_result: bool) -> Vec<Rule> {
    match mode.optype() {
        "POPC" | "UPOPC" => {
            let only_zero = readings.get(Reading::E049) == 1;
            let classes = if is_result { &["1 to 30", "31", "32"][..] } else { NOT_EMPTY };
            vec![(only_zero, classes, "the count of anything but 0 is undefined")]
        }
        "MUFU" => functions::undefined(mode, readings, is_result),
        _ => Vec::new(),
    }
}

fn results(mode: &Instruction, readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let (ftz, sat) = (mode.modifier("ftz") == Some(FPFtz::FTZ), mode.modifier("sat") == Some(FPSat::SAT));
    match mode.optype() {
        "FADD" | "FMUL" | "FFMA" => arithmetic(mode, (ftz, sat), readings),
        "FMNMX" => vec![
            other_nans(readings),
            (ftz && is(Reading::E183, 2), SUBNORMALS, ".FTZ flushes what is chosen from"),
        ],
        "FSEL" => vec![
            (is(Reading::E185, 2), OTHER_NANS, "a NaN result is always 0x7FFFFFFF"),
            (ftz, SUBNORMALS, ".FTZ flushes what is chosen from"),
        ],
        "MUFU" => functions::results(mode, readings),
        "POPC" | "UPOPC" => vec![(true, &["none"], "a count is at most 32")],
        "FLO" | "UFLO" => find(mode, readings),
        "BMSK" | "UBMSK" => vec![
            (true, &["positive", "negative"], "a mask is one run of bits"),
            (wraps(mode) && is(Reading::E057, 2), &["all ones"], "a width modulo 32 is at most 31"),
            (
                wraps(mode) && is(Reading::E057, 1),
                &["zero"],
                "a mask of one bit and more, within the register",
            ),
        ],
        "SGXT" | "USGXT" => extend(mode, readings),
        "UIABS" => vec![
            (true, &["all ones", "negative"], "an absolute value has no sign"),
            (is(Reading::E129, 2), &["the top bit"], "an absolute value has no sign"),
        ],
        "UIMUL" => {
            let high = mode.modifier("lohi") == Some(LOHI::HI);
            let signed = mode.modifier("itype") == Some(IType::S32);
            vec![
                (high && signed, &["the top bit", "all but the top bit"], "no product exceeds 2^62"),
                (high && !signed, &["all ones"], "(2^32 - 1)^2 has the high word 2^32 - 2"),
            ]
        }
        "UF2FP" => vec![match readings.get(Reading::C006) {
            3 => (true, SIGNALLING, "a NaN result is quiet"),
            _ => (true, OTHER_NANS, "a NaN result is always the same, and positive"),
        }],
        "ULDC" => load(mode, readings),
        "UPRMT" => permute(mode, readings),
        "BFN" => vec![(
            matches!(mode.modifier("type"), Some(VisaType::W | VisaType::UW)),
            BEYOND_HALF,
            "a channel has 16 bits",
        )],
        _ => Vec::new(),
    }
}

/// The NaNs that no result of FADD, FMUL, FFMA and FMNMX is (C001, C002).
fn other_nans(readings: &Readings) -> Rule {
    match (readings.get(Reading::C001), readings.get(Reading::C002)) {
        (1, 3) => (true, NOT_NEGATIVE_QUIET, "a NaN result is always 0xFFC00000"),
        (1, _) => (true, OTHER_NANS, "a NaN result is always the same, and positive"),
        _ => (true, SIGNALLING, "a NaN result is quiet"),
    }
}

fn arithmetic(mode: &Instruction, (ftz, sat): (bool, bool), readings: &Readings) -> Vec<Rule> {
    let is = |reading, setting| readings.get(reading) == setting;
    let sum_is_positive = mode.optype() != "FMUL" && is(Reading::E172, 1);
    vec![
        other_nans(readings),
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
    let shifted = mode.modifier("sh") == Some(FLOSH::SH);
    // Of signed numbers the negative ones are complemented, and nothing else comes in the way of that.
    let no_sign = !only_zero_has_none && is(Reading::E051, 2) && is(Reading::E011, 2);
    vec![
        (!subtracts || zero_is_apart && only_zero_has_none, &["32"], "a position is at most 31"),
        (subtracts && !zero_is_apart, &["none"], "31 less what stands for none is 32"),
        (no_sign && !shifted, &["31"], "bit 31 is the sign"),
        (no_sign && shifted, &["0"], "bit 31 is the sign"),
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

fn load(mode: &Instruction, readings: &Readings) -> Vec<Rule> {
    let bit = readings.get(Reading::E092) == 1;
    let dtype: Option<MEMDType> = mode.modifier("dtype");
    let (signed, unsigned) = match dtype {
        Some(MEMDType::S8 | MEMDType::S16) => (true, false),
        Some(MEMDType::U8 | MEMDType::U16) => (false, true),
        _ => (false, false),
    };
    let single = bit && matches!(dtype, Some(MEMDType::S16 | MEMDType::U16));
    vec![
        (signed, &["the top bit", "all but the top bit"], "what is extended has at most 16 bits"),
        (unsigned, BEYOND_HALF, "what is extended has at most 16 bits"),
        (single, NEITHER_ZERO_NOR_ONES, "a single bit is extended"),
        (single && signed, &["one bit"], "a single bit is extended"),
    ]
}

/// What does not fit 16 bits.
const BEYOND_HALF: &[&str] = &["all ones", "the top bit", "all but the top bit", "negative"];
const NEITHER_ZERO_NOR_ONES: &[&str] =
    &["the top bit", "all but the top bit", "one run", "positive", "negative"];

fn permute(mode: &Instruction, readings: &Readings) -> Vec<Rule> {
    let mode: Option<PRMTMode> = mode.modifier("mode");
    let same = mode == Some(PRMTMode::RC8) || mode != Some(PRMTMode::IDX) && readings.get(Reading::E158) == 1;
    let repeated = same || mode == Some(PRMTMode::RC16);
    let odd: &[&str] = &["the top bit", "all but the top bit", "one bit", "one run"];
    vec![(repeated, odd, "a pattern that is repeated")]
}

fn wraps(mode: &Instruction) -> bool {
    mode.modifier("cwmode") == Some(CWMode::WRAP)
}
