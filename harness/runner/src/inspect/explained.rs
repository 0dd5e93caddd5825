//! Why an answer to a case is right or wrong, in a sentence.

use assay_engine::compare::judge::allowed::{AllowedResult, allowed_results};
use assay_engine::compare::shown_value::{bit_names, float};
use assay_isa::format::Format;
use assay_isa::{BackendError, Batch, Instruction, Location};
use assay_vectors::{Allowed, Bound, Contract, Metric, Span};

use super::inspector::{CaseAnswer, Exact, Inspector, Judgement};

/// Explains the verdict on the first implementation of a judgement. `inspector` must have made this
/// judgement last.
///
/// # Errors
///
/// The oracle fails.
pub fn explain(
    inspector: &mut Inspector,
    contract: &Contract,
    (instruction, batch): (&Instruction, &Batch),
    judgement: &Judgement,
) -> Result<String, BackendError> {
    let [first, .., oracle] = &judgement.answers[..] else { return Ok(String::new()) };
    let verdict = judgement.verdict();
    if !first.diverged {
        return Ok(match (verdict, first.error) {
            ("exact", _) => "right: every bit is the expected one".to_owned(),
            ("within", Some(error)) => {
                format!("right: {error} ulp from the truth, and the bound is {contract}")
            }
            ("unjudged", Some(error)) => {
                format!("not judged: {error} ulp from the truth, and no bound holds for this input")
            }
            (other, _) => format!("not judged: {other}"),
        });
    }
    // Only wrong locations are explained, because some of the real results may be right.
    let is_wrong = |exact: &&Exact| of(&first.answer, exact.location) != of(&oracle.answer, exact.location);
    let rounded: Vec<String> = inspector
        .reals(instruction, batch)?
        .iter()
        .filter(is_wrong)
        .map(|exact| because_of(instruction, contract, exact, of(&oracle.answer, exact.location)))
        .collect();
    let because = match (contract, first.error, &rounded[..]) {
        (Contract::Bounded { .. }, Some(error), list) => {
            let exact = list.iter().map(|text| format!("; {text}"));
            format!("the error is {error} ulp, and the bound is {contract}{}", exact.collect::<String>())
        }
        (_, _, []) => differences(&first.answer, &oracle.answer),
        (_, _, list) => list.join("; "),
    };
    Ok(format!("wrong, {}: {because}", verdict.strip_prefix("diverged: ").unwrap_or(verdict)))
}

/// Returns the contract of an answer in words.
pub fn bound(instruction: &Instruction, contract: &Contract) -> String {
    match contract {
        Contract::BitExact if instruction.get("rnd").is_some() => {
            "every bit, a real result correctly rounded".to_owned()
        }
        Contract::BitExact => EXACT.to_owned(),
        other => other.to_string(),
    }
}

/// The contract of an instruction without a rounding mode, in words.
const EXACT: &str = "exact";

/// Describes the bound for the last case of `inspector`, and the values that the bound allows.
/// Returns one line for each real result, or a single line if the contract has no bounds.
pub fn admitted(inspector: &Inspector, instruction: &Instruction) -> Vec<String> {
    let contract = &inspector.contract(instruction);
    let mut lines = Vec::new();
    for truth in inspector.truths.columns().iter().filter(|truth| truth.written.contains(0)) {
        if !matches!(contract, Contract::Bounded { .. }) {
            break;
        }
        let results = allowed_results(contract, truth, 0);
        let is_packed = results.len() > 1;
        for AllowedResult { format, shift, bound, values } in results {
            let part = match (is_packed, shift) {
                (false, _) => "",
                (true, 0) => " low half",
                (true, _) => " high half",
            };
            let words = bound.map_or("no bound holds for this input".to_owned(), in_words);
            let spans = values.iter().flat_map(Allowed::as_spans);
            let spans: Vec<String> = spans.map(|it| span(format, it)).collect();
            let values = if spans.is_empty() { String::new() } else { format!(": {}", spans.join(" or ")) };
            lines.push(format!("bound: {}{part}, {words}{values}", truth.location));
        }
    }
    let text = bound(instruction, contract);
    match lines.is_empty() {
        true if text == EXACT => vec![format!("contract: {text}")],
        true => vec![format!("bound: {text}")],
        false => lines,
    }
}

/// Describes a bound, such as `at most 2 ulp`.
fn in_words(bound: &Bound) -> String {
    let written = bound.written.trim_start_matches('<');
    let most = if bound.is_strict { "less than" } else { "at most" };
    let on = bound.interval.as_ref().map_or(String::new(), |interval| format!(" on {interval}"));
    match bound.metric {
        Metric::Ulp => format!("{most} {written} ulp{on}"),
        metric => format!("{most} {written} {}{on}", metric.name()),
    }
}

/// Prints a span of patterns, from the lowest number to the highest.
fn span(format: Format, Span { low, high }: &Span) -> String {
    match (low == high, format.is_negative(*low)) {
        (true, _) => pattern(format, *low),
        (false, false) => format!("{} to {}", pattern(format, *low), pattern(format, *high)),
        (false, true) => format!("{} to {}", pattern(format, *high), pattern(format, *low)),
    }
}

/// Returns the bits that an answer writes to a location.
fn of(answer: &CaseAnswer, location: Location) -> Option<u32> {
    let CaseAnswer::Effect(writes, _) = answer else { return None };
    writes.iter().find(|(place, _)| *place == location).map(|(_, bits)| *bits)
}

/// Explains how the expected bits follow from an exact result: by rounding, or because a modifier
/// replaces the value.
fn because_of(
    instruction: &Instruction,
    contract: &Contract,
    exact: &Exact,
    expected: Option<u32>,
) -> String {
    let Exact { location, format, .. } = exact;
    let Some(bits) = expected else { return format!("{location} must stay as it is") };
    // The register of a packed result also holds other results, so its bits are not shown.
    if exact.is_packed {
        return rounding(instruction, contract, exact, None);
    }
    let neighbours = exact.neighbours();
    let nearer = neighbours.iter().map(|(bits, _)| bits & !format.sign_mask()).min().unwrap_or_default();
    let has = |modifier: &str| instruction.get(modifier) == Some(1);
    let is_above_one = nearer >= format.one() && !(neighbours.len() == 1 && nearer == format.one());
    let is_limited = if exact.value.negative { bits == 0 } else { bits == format.one() && is_above_one };
    let is_small = nearer < 1 << format.fraction_bits;
    let by = match bits & !format.sign_mask() == 0 {
        _ if has("sat") && is_limited => ".SAT limits it to",
        true if has("ftz") && is_small => ".FTZ flushes it to",
        _ if neighbours.iter().any(|(neighbour, _)| *neighbour == bits) => {
            return rounding(instruction, contract, exact, expected);
        }
        true => "a subnormal result is flushed to",
        false => "the result must be",
    };
    let value = match neighbours[..] {
        [(only, _)] => pattern(*format, only),
        _ => exact.decimal(),
    };
    format!("the exact {location} is {value}; {by} {}", pattern(*format, bits))
}

/// Describes the two numbers on either side of an exact result, and which of them is the rounded
/// result.
fn rounding(instruction: &Instruction, contract: &Contract, exact: &Exact, expected: Option<u32>) -> String {
    let Exact { location, format, .. } = exact;
    let value = exact.decimal();
    let (low, high) = match exact.neighbours()[..] {
        [(only, _)] => return format!("{location} is exactly {}", pattern(*format, only)),
        [low, high] => (low, high),
        _ => return format!("the exact {location} is {value}"),
    };
    let is_tie = exact.value.exact && low.1.ulp().abs() == 0.5 && high.1.ulp().abs() == 0.5;
    let between = if is_tie { "lies halfway between" } else { "lies between" };
    let how = match instruction.get("rnd").map(|_| instruction.value_name("rnd")) {
        Some("RP") => "RP takes the upper one",
        Some("RM") => "RM takes the lower one",
        Some("RZ") => "RZ takes the one nearer to zero",
        _ if is_tie => "round to nearest takes the even one",
        _ => "round to nearest takes the nearer one",
    };
    let how = if *contract == Contract::BitExact { format!("; {how}") } else { String::new() };
    let taken = expected
        .filter(|_| !how.is_empty())
        .map_or(String::new(), |bits| format!(": {}", pattern(*format, bits)));
    format!(
        "the exact {location} is {value} and {between} {} ({} ulp) and {} ({} ulp){how}{taken}",
        pattern(*format, low.0),
        low.1,
        pattern(*format, high.0),
        high.1,
    )
}

/// Prints a pattern, and the number that the pattern encodes.
fn pattern(format: Format, bits: u32) -> String {
    format!("{bits:#0width$x} ({})", float(format, bits), width = 2 + format.width() as usize / 4)
}

/// Describes how an answer differs from the oracle's answer.
fn differences(answer: &CaseAnswer, oracle: &CaseAnswer) -> String {
    let (CaseAnswer::Effect(actual, event), CaseAnswer::Effect(expected, due)) = (answer, oracle) else {
        return "the oracle and the answer are of different kinds".to_owned();
    };
    let mut parts: Vec<String> = Vec::new();
    for (location, due) in expected {
        match of(answer, *location) {
            None => parts.push(format!("{location} must be written: {due:#010x}")),
            Some(bits) if bits == *due => {}
            Some(bits) if location.is_predicate() => {
                parts.push(format!("{location} must be {} and is {}", *due != 0, bits != 0));
            }
            Some(bits) => parts.push(format!(
                "{location} must be {due:#010x} and is {bits:#010x}, which differs in {}",
                bit_names(bits ^ due)
            )),
        }
    }
    let others = actual.iter().filter(|(location, _)| of(oracle, *location).is_none());
    parts.extend(others.map(|(location, _)| format!("{location} must stay as it is")));
    if event != due {
        let text =
            |event: &Option<assay_isa::Event>| event.map_or("no event".to_owned(), |event| event.to_string());
        parts.push(format!("the event must be {} and is {}", text(due), text(event)));
    }
    parts.join("; ")
}
