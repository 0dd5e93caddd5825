//! Integer operands of one or two words, their prefixes, and carries.

use assay_isa::readings::Reading;
use assay_isa::tables::types::IExt;
use assay_isa::{BackendError, Operand};

use crate::bits::{WIDTH, WORDS};
use crate::operand::{Input, Values};
use crate::question::Question;

/// The prefix of an integer operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// No prefix.
    None,
    /// `-`: the two's complement.
    Negated,
    /// `~`: the one's complement.
    Complemented,
}

impl Prefix {
    /// Returns the prefix of an operand. The operand's sign bit means a complement if
    /// `complements`, else a negation.
    pub fn of(operand: Operand, complements: bool) -> Prefix {
        match operand.neg {
            true if complements => Prefix::Complemented,
            true => Prefix::Negated,
            false => Prefix::None,
        }
    }
}

/// An integer operand: the pattern in a register or in a pair of registers, with its prefix.
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    low: Values<'a>,
    high: Option<Values<'a>>,
    prefix: Prefix,
    /// Whether the operand is the destination register, and is read again after the write (E011 =
    /// 1).
    is_rewritten: bool,
    /// Whether the operand is a literal that counts as a signed integer in a carry (E100 = 1).
    is_signed_literal: bool,
}

impl<'a> Number<'a> {
    /// Creates an operand of one word.
    pub fn word(
        question: &Question<'a>,
        operand: Operand,
        prefix: Prefix,
    ) -> Result<Number<'a>, BackendError> {
        let destination = question.instruction.operand("urd").source;
        let same = operand.source.location().is_some() && operand.source == destination;
        let literal = matches!(operand.source, assay_isa::Source::Imm(_));
        Ok(Number {
            low: question.values(operand)?,
            high: None,
            prefix,
            is_rewritten: same && question.reads(Reading::E011, 1),
            is_signed_literal: literal && question.reads(Reading::E100, 1),
        })
    }

    /// Adds a second, higher word to the operand.
    pub fn below(self, high: Values<'a>) -> Number<'a> {
        Number { high: Some(high), ..self }
    }

    /// Returns the prefix.
    pub fn prefix(&self) -> Prefix {
        self.prefix
    }

    /// Returns the number of possible patterns.
    #[inline]
    pub fn modulus(&self) -> i128 {
        if self.high.is_some() { WORDS * WORDS } else { WORDS }
    }

    /// Returns the pattern in a lane, without its prefix.
    #[inline]
    pub fn plain(&self, lane: usize) -> i128 {
        let high = self.high.map_or(0, |high| i128::from(high.get(lane)));
        (high << WIDTH) + i128::from(self.low.get(lane))
    }

    /// Returns the pattern without prefix, as it is read after the destination was written with
    /// `written`.
    #[inline]
    pub fn plain_after(&self, lane: usize, written: i128) -> i128 {
        if self.is_rewritten { written } else { self.plain(lane) }
    }

    /// Applies a prefix to a pattern.
    #[inline]
    pub fn through(&self, prefix: Prefix, plain: i128) -> i128 {
        match prefix {
            Prefix::None => plain,
            Prefix::Negated if plain == 0 => 0,
            Prefix::Negated => self.modulus() - plain,
            Prefix::Complemented => self.modulus() - 1 - plain,
        }
    }

    /// Returns the pattern in a lane, with the prefix applied.
    #[inline]
    pub fn get(&self, lane: usize) -> i128 {
        self.through(self.prefix, self.plain(lane))
    }

    /// Returns the summand for a carry. `plain` is the pattern without prefix. A signed literal can
    /// make the summand negative.
    #[inline]
    pub fn in_carry(&self, plain: i128) -> i128 {
        let negative = self.is_signed_literal && plain >= self.modulus() / 2;
        let pattern = self.through(self.prefix, plain);
        if negative { pattern - self.modulus() } else { pattern }
    }
}

/// Returns whether the instruction has `.X`: it is part of a longer computation.
pub fn is_extended(question: &Question) -> bool {
    question.instruction.modifier("ext") == Some(IExt::X)
}

/// The predicate with the carry in. Without `.X` there is none.
#[derive(Clone, Copy, Debug)]
pub struct CarryIn<'a>(Option<Input<'a>>);

impl<'a> CarryIn<'a> {
    /// Creates the carry in from the predicate `upp`.
    pub fn of(question: &Question<'a>, upp: Operand) -> Result<CarryIn<'a>, BackendError> {
        Ok(CarryIn(if is_extended(question) { Some(question.input(upp)?) } else { None }))
    }

    /// Returns 1 if there is a carry in a lane.
    #[inline]
    pub fn get(&self, lane: usize) -> i128 {
        self.0.map_or(0, |upp| i128::from(upp.is_true(lane)))
    }
}

/// The condition for a carry out.
#[derive(Clone, Copy, Debug)]
pub struct Carry {
    least: i128,
}

impl Carry {
    /// Creates the condition that the sum is at least the modulus. With setting 1 of `reading`, the
    /// condition is that the sum exceeds the modulus.
    pub fn new(question: &Question, reading: Reading, modulus: i128) -> Carry {
        Carry { least: modulus + i128::from(question.reads(reading, 1)) }
    }

    /// Returns the carry of a sum: 0 or 1.
    #[inline]
    pub fn of(self, sum: i128) -> u32 {
        u32::from(sum >= self.least)
    }
}
