//! UIABS, UIMNMX and UISETP: integers in their order.

use assay_isa::readings::Reading;
use assay_isa::tables::types::{BoolOp, CompOp, IType};
use assay_isa::{BackendError, Erratum, Location, Truths};

use super::number::{Number, Prefix, is_extended};
use crate::bits::{WORDS, integer, low_word};
use crate::question::Question;

/// UIABS: the absolute value.
pub fn absolute(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [value] = question.operands()?;
    let value = question.values(value)?;
    let greatest = if question.reads(Reading::E129, 2) { WORDS / 2 - 1 } else { WORDS / 2 };
    question.answer(truths, |lane| low_word(integer(value.get(lane), true).abs().min(greatest)));
    Ok(())
}

/// UIMNMX: returns the lesser operand where the predicate is true, the greater where it is false.
pub fn minimum_or_maximum(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, upp] = question.operands()?;
    let number = |operand| Number::word(question, operand, Prefix::of(operand, false));
    let (a, b, minimum) = (number(a)?, number(b)?, question.input(upp)?);
    let both = |lane: usize, signed| [a, b].map(|number| integer(low_word(number.get(lane)), signed));
    let order = |lane, signed| {
        let [a, b] = both(lane, signed);
        a.cmp(&b)
    };
    if question.reads(Reading::E134, 1) {
        question.undefine(truths, Erratum(134), |lane| order(lane, true) != order(lane, false));
    }
    let signed = is_signed(question);
    question.answer(truths, |lane| {
        let [a, b] = both(lane, signed);
        low_word(if minimum.is_true(lane) { a.min(b) } else { a.max(b) })
    });
    Ok(())
}

fn is_signed(question: &Question) -> bool {
    question.instruction.modifier("itype") == Some(IType::S32)
}

fn holds(comparison: CompOp, a: i128, b: i128) -> bool {
    match comparison {
        CompOp::EQ => a == b,
        CompOp::NE => a != b,
        CompOp::LT => a < b,
        CompOp::LE => a <= b,
        CompOp::GT => a > b,
        CompOp::GE => a >= b,
    }
}

fn combine(logic: BoolOp, a: bool, b: bool) -> bool {
    match logic {
        BoolOp::AND => a && b,
        BoolOp::OR => a || b,
        BoolOp::XOR => a != b,
    }
}

/// UISETP: combines the comparison with a predicate, and its complement with the predicate. With
/// `.X`, if the words are equal, a second predicate decides: the result of comparing the lower
/// words.
pub fn to_predicates(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, upp, upq] = question.operands()?;
    let (a, b, upp, upq) =
        (question.values(a)?, question.values(b)?, question.input(upp)?, question.input(upq)?);
    let comparison = question.instruction.modifier("compop").expect("a comparison has a kind");
    let logic = question.instruction.modifier("boolop").expect("a comparison names its logic");
    let (signed, extended) = (is_signed(question), is_extended(question));
    // `None`: the lower words decide.
    let compared = |lane| {
        let [a, b] = [a, b].map(|values| integer(values.get(lane), signed));
        (a != b || !extended).then(|| holds(comparison, a, b))
    };
    let direct = |lane| {
        let compared = compared(lane).unwrap_or_else(|| upq.is_true(lane));
        combine(logic, compared, upp.is_true(lane))
    };
    let [upu, upv] = outputs(question);
    // E011 = 1: the second statement reads the predicates after the first statement wrote one.
    let read_again = question.reads(Reading::E011, 1);
    let after = |predicate: &crate::operand::Input, lane| match predicate.source.location() {
        Some(location) if read_again && Some(location) == upu => predicate.prefixed(direct(lane).into()) != 0,
        _ => predicate.is_true(lane),
    };
    let contrary = |lane| {
        let compared = compared(lane).unwrap_or_else(|| after(&upq, lane));
        combine(logic, !compared, after(&upp, lane))
    };
    // If both outputs are the same predicate, only the second write counts.
    if let Some(upu) = upu.filter(|_| upu != upv) {
        question.answer_at(upu, truths, |lane| direct(lane).into());
    }
    if let Some(upv) = upv {
        question.answer_at(upv, truths, |lane| contrary(lane).into());
    }
    Ok(())
}

fn outputs(question: &Question) -> [Option<Location>; 2] {
    ["upu", "upv"].map(|name| question.instruction.operand(name).source.location())
}
