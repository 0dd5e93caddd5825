//! Why an answer to a case is right or wrong, in a sentence.

use assay_engine::compare::shown_value::{bit_names, float};
use assay_isa::format::Format;
use assay_isa::{BackendError, Batch, Instruction, Location};
use assay_vectors::Contract;

use super::inspector::{CaseAnswer, Exact, Inspector, Judgement};

/// Explains the verdict on the first implementation of a judgement, which `inspector` formed last.
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
        return Ok(match (verdict, first.ulp) {
            ("exact", _) => "right: every bit is the expected one".to_owned(),
            ("within", Some(ulp)) => {
                format!("right: {ulp:+.6} ulp from the truth, and the bound is {contract}")
            }
            ("unjudged", Some(ulp)) => {
                format!("not judged: {ulp:+.6} ulp from the truth, and no bound holds for this input")
            }
            (other, _) => format!("not judged: {other}"),
        });
    }
    // The answer may have these right, and something else wrong.
    let is_wrong = |exact: &&Exact| of(&first.answer, exact.location) != of(&oracle.answer, exact.location);
    let rounded: Vec<String> = inspector
        .reals(instruction, batch)?
        .iter()
        .filter(is_wrong)
        .map(|exact| rounding(instruction, contract, exact, of(&oracle.answer, exact.location)))
        .collect();
    let because = match (contract, first.ulp, &rounded[..]) {
        (Contract::Bounded { .. }, Some(ulp), list) => {
            let exact = list.iter().map(|text| format!("; {text}"));
            format!("the error is {ulp:+.6} ulp, and the bound is {contract}{}", exact.collect::<String>())
        }
        (_, _, []) => differences(&first.answer, &oracle.answer),
        (_, _, list) => list.join("; "),
    };
    Ok(format!("wrong, {}: {because}", verdict.strip_prefix("diverged: ").unwrap_or(verdict)))
}

/// What an answer is held to, in words.
pub fn bound(contract: &Contract) -> String {
    match contract {
        Contract::BitExact => "every bit, a real result correctly rounded".to_owned(),
        other => other.to_string(),
    }
}

/// What an answer writes to a location.
fn of(answer: &CaseAnswer, location: Location) -> Option<u32> {
    let CaseAnswer::Effect(writes, _) = answer else { return None };
    writes.iter().find(|(place, _)| *place == location).map(|(_, bits)| *bits)
}

/// The numbers on either side of an exact result, and which of them it is rounded to.
fn rounding(instruction: &Instruction, contract: &Contract, exact: &Exact, expected: Option<u32>) -> String {
    let Exact { location, format, .. } = exact;
    let value = exact.decimal();
    let (low, high) = match exact.neighbours()[..] {
        [(only, _)] => return format!("{location} is exactly {}", pattern(*format, only)),
        [low, high] => (low, high),
        _ => return format!("the exact {location} is {value}"),
    };
    let is_tie = exact.value.exact && low.1.abs() == 0.5 && high.1.abs() == 0.5;
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
        "the exact {location} is {value} and {between} {} ({:+.6} ulp) and {} ({:+.6} ulp){how}{taken}",
        pattern(*format, low.0),
        low.1,
        pattern(*format, high.0),
        high.1,
    )
}

/// A pattern with its number.
fn pattern(format: Format, bits: u32) -> String {
    format!("{bits:#0width$x} ({})", float(format, bits), width = 2 + format.width() as usize / 4)
}

/// In what an answer differs from that of the oracle.
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
