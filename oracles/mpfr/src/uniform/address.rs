//! ULEA: an integer times a power of two, added to a base.

use assay_isa::readings::Reading;
use assay_isa::tables::types::LEASX32;
use assay_isa::{BackendError, Truths};

use super::number::{Carry, CarryIn, Number, Prefix, is_extended};
use crate::bits::{WIDTH, WORDS, integer, low_word};
use crate::question::Question;

/// ULEA: adds a base to a scaled word, and computes the carry. With `.HI.X`, adds the base to the
/// high word of a scaled pair.
pub fn scale_and_add(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, c, amount, upp] = question.operands()?;
    let extended = is_extended(question);
    let prefix = Prefix::of(a, extended && question.reads(Reading::E126, 2));
    let index = Number::word(question, a, prefix)?;
    let pair = index.below(question.values(c)?);
    let base = Number::word(question, b, Prefix::None)?;
    let (amount, carry_in) = (question.values(amount)?, CarryIn::of(question, upp)?);
    let extends_sign = question.instruction.modifier("sx32") == Some(LEASX32::SX32);
    let masks_sum = question.reads(Reading::E120, 1);
    let subtracts = !extended && prefix == Prefix::Negated && !masks_sum && question.reads(Reading::E127, 2);

    let scaled = |lane| match amount.get(lane) {
        amount if extended && extends_sign => integer(low_word(index.get(lane)), true) >> (WIDTH - amount),
        amount if extended => pair.get(lane) >> (WIDTH - amount),
        amount if subtracts => index.plain(lane) << amount,
        amount => index.get(lane) << amount,
    };
    let address = |lane| match (scaled(lane), base.get(lane) + carry_in.get(lane)) {
        (scaled, base) if masks_sum => scaled & (WORDS - 1 + base),
        (scaled, base) if subtracts => (WORDS - 1 - i128::from(low_word(scaled))) + base + 1,
        (scaled, base) => i128::from(low_word(scaled)) + base,
    };
    question.answer_to("urd", truths, |lane| low_word(address(lane)));
    let carry = Carry::new(question, Reading::E119, WORDS);
    question.answer_to("upu", truths, |lane| carry.of(address(lane)));
    Ok(())
}
