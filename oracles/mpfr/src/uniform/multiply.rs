//! UIMAD, UIMAD_WIDE and UIMUL: products of two words. UIMAD adds a word, and UIMAD_WIDE adds a
//! pair of words.

use assay_isa::readings::Reading;
use assay_isa::tables::types::{IType, LOHI};
use assay_isa::{BackendError, Operand, Truths};

use super::number::{Carry, CarryIn, Number, Prefix, is_extended};
use crate::bits::{WIDTH, WORDS, high_word, integer, low_word};
use crate::operand::Values;
use crate::question::Question;

/// Number of patterns of 64 bits.
const PAIRS: i128 = WORDS * WORDS;

/// The two factors, as integers of the instruction's type.
#[derive(Clone, Copy, Debug)]
struct Factors<'a> {
    a: Values<'a>,
    b: Values<'a>,
    signed: bool,
}

impl<'a> Factors<'a> {
    fn new(question: &Question<'a>, a: Operand, b: Operand) -> Result<Factors<'a>, BackendError> {
        let signed = question.instruction.modifier("itype") == Some(IType::S32);
        Ok(Factors { a: question.values(a)?, b: question.values(b)?, signed })
    }

    #[inline]
    fn product(&self, lane: usize) -> i128 {
        integer(self.a.get(lane), self.signed) * integer(self.b.get(lane), self.signed)
    }
}

/// Returns the prefix of a multiplication's addend (E105).
fn prefix(question: &Question, addend: Operand) -> Prefix {
    Prefix::of(addend, is_extended(question) && question.reads(Reading::E105, 2))
}

/// How the addend is added in the sum that determines the carry. Without `.X`, a minus sign has
/// three readings (E103).
#[derive(Clone, Copy, Debug)]
enum Counted {
    /// The pattern with its prefix applied is added, as an integer.
    AsPattern,
    /// The integer is subtracted.
    Subtracted,
    /// The complement and 1 are added.
    ComplementAndOne,
}

impl Counted {
    fn new(question: &Question, addend: &Number) -> Counted {
        if is_extended(question) || addend.prefix() == Prefix::None {
            return Counted::AsPattern;
        }
        match () {
            () if question.reads(Reading::E103, 1) => Counted::Subtracted,
            () if question.reads(Reading::E103, 2) => Counted::AsPattern,
            () => Counted::ComplementAndOne,
        }
    }

    #[inline]
    fn of(self, addend: &Number, plain: i128) -> i128 {
        match self {
            Counted::AsPattern => addend.in_carry(plain),
            Counted::Subtracted => -plain,
            Counted::ComplementAndOne => addend.through(Prefix::Complemented, plain) + 1,
        }
    }
}

/// UIMAD: adds an addend to the low or high word of the product. With `.HI.X`, a carry in is added
/// too.
pub fn multiply_add(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, c, upp] = question.operands()?;
    let factors = Factors::new(question, a, b)?;
    let addend = Number::word(question, c, prefix(question, c))?;
    let carry_in = CarryIn::of(question, upp)?;
    let high = is_high(question);
    let half = |lane| match factors.product(lane) {
        product if high => i128::from(high_word(product)),
        product => i128::from(low_word(product)),
    };
    let shifts = high && question.reads(Reading::E104, 1);
    let result = |lane| match addend.get(lane) + carry_in.get(lane) {
        // The floor of product / 2^places. From 64 places on, the floor no longer changes.
        added if shifts => low_word(factors.product(lane) >> (i128::from(WIDTH) + added).min(64)),
        added => low_word(half(lane) + added),
    };
    question.answer_to("urd", truths, result);
    let (carry, counted) = (Carry::new(question, Reading::E102, WORDS), Counted::new(question, &addend));
    question.answer_to("upu", truths, |lane| {
        let plain = addend.plain_after(lane, i128::from(result(lane)));
        carry.of(half(lane) + counted.of(&addend, plain) + carry_in.get(lane))
    });
    Ok(())
}

fn is_high(question: &Question) -> bool {
    question.instruction.modifier("lohi") == Some(LOHI::HI)
}

/// UIMAD_WIDE: adds the product and an addend, in 64 bits.
pub fn multiply_add_wide(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, c, upp] = question.operands()?;
    let factors = Factors::new(question, a, b)?;
    let narrow = question.instruction.form().name == "UIMAD_WIDE_UUC" && question.reads(Reading::E111, 1);
    let high = if narrow { Values::Constant(0) } else { Values::of(c, 1, question.batch())? };
    let addend = Number::word(question, c, prefix(question, c))?.below(high);
    let carry_in = CarryIn::of(question, upp)?;
    let no_modulus = question.reads(Reading::E114, 1);
    let result = |lane| {
        if no_modulus {
            0
        } else {
            (factors.product(lane) + addend.get(lane) + carry_in.get(lane)).rem_euclid(PAIRS)
        }
    };
    let destination = question.instruction.operand("urd");
    if let Some(location) = destination.word(0) {
        question.answer_at(location, truths, |lane| low_word(result(lane)));
    }
    if let Some(location) = destination.word(1).filter(|_| !narrow) {
        question.answer_at(location, truths, |lane| high_word(result(lane)));
    }
    let as_integer = question.reads(Reading::E113, 1);
    let counted_product = |lane| match factors.product(lane) {
        product if as_integer => product,
        product => product.rem_euclid(PAIRS),
    };
    let carry = Carry::new(question, Reading::E112, if no_modulus { 1 } else { PAIRS });
    let counted = Counted::new(question, &addend);
    question.answer_to("upu", truths, |lane| {
        let plain = addend.plain_after(lane, result(lane));
        carry.of(counted_product(lane) + counted.of(&addend, plain) + carry_in.get(lane))
    });
    Ok(())
}

/// UIMUL: returns the low or high word of the product.
pub fn multiply(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b] = question.operands()?;
    let factors = Factors::new(question, a, b)?;
    let second = Number::word(question, b, Prefix::of(b, false))?;
    let negates_product = b.neg && question.reads(Reading::E118, 2);
    let product = |lane| {
        if negates_product {
            -factors.product(lane)
        } else {
            integer(factors.a.get(lane), factors.signed) * integer(low_word(second.get(lane)), factors.signed)
        }
    };
    if is_high(question) {
        question.answer(truths, |lane| high_word(product(lane)))
    } else {
        question.answer(truths, |lane| low_word(product(lane)))
    }
    Ok(())
}
