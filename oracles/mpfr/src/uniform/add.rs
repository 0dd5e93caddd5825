//! UIADD: the sum of two integers, with `.X` as part of a longer sum.

use assay_isa::readings::Reading;
use assay_isa::{BackendError, Truths};

use super::number::{Carry, CarryIn, Number, Prefix, is_extended};
use crate::bits::{WORDS, low_word};
use crate::question::Question;

/// UIADD: adds two words modulo 2^32. With `.X`, a carry in is added, and the carry out is
/// computed.
pub fn add(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, upp] = question.operands()?;
    let complements = is_extended(question) && question.reads(Reading::E099, 2);
    let number = |operand| Number::word(question, operand, Prefix::of(operand, complements));
    let (a, b, carry_in) = (number(a)?, number(b)?, CarryIn::of(question, upp)?);
    let result = |lane| low_word(a.get(lane) + b.get(lane) + carry_in.get(lane));
    question.answer_to("urd", truths, result);
    if is_extended(question) {
        let carry = Carry::new(question, Reading::E098, WORDS);
        question.answer_to("upu", truths, |lane| {
            let written = i128::from(result(lane));
            let [a, b] = [a, b].map(|number| number.in_carry(number.plain_after(lane, written)));
            carry.of(a + b + carry_in.get(lane))
        });
    }
    Ok(())
}
