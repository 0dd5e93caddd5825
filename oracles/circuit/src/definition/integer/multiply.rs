//! UIMUL, UIMAD and UIMAD.WIDE.

use assay_isa::tables::types::{IExt, IType, LOHI};
use assay_isa::{Operand, Reading};

use super::add::{addend, negated};
use super::carries;
use crate::definition::context::Context;
use crate::graph::Bit;
use crate::word::Word;

fn is_signed(context: &Context) -> bool {
    context.modifier::<IType>("itype") == IType::S32
}

/// Returns the product of two words of 32 bits, by the type of the instruction.
fn product(context: &mut Context, a: &Word, b: &Word) -> Word {
    if is_signed(context) { context.graph.multiply_signed(a, b) } else { context.graph.multiply(a, b) }
}

/// UIMUL: one half of the product.
pub(super) fn multiply(context: &mut Context) {
    let (a, b) = (context.raw(context.source(0)), context.source(1));
    let mut factor = context.raw(b);
    let before = context.reads(Reading::E118, 1);
    if b.neg && before {
        factor = context.graph.negate(&factor);
    }
    let mut result = product(context, &a, &factor);
    if b.neg && !before {
        result = context.graph.negate(&result);
    }
    let low = if context.modifier::<LOHI>("lohi") == LOHI::LO { 0 } else { 32 };
    context.write(context.destination(), &result.slice(low, 32));
}

/// UIMAD: one half of the product, plus an addend.
pub(super) fn multiply_add(context: &mut Context) {
    let (a, b, c) = (context.raw(context.source(0)), context.raw(context.source(1)), context.source(2));
    let is_extended = context.modifier::<IExt>("ext") == IExt::X;
    let carry = if is_extended { context.predicate(context.source(3)) } else { Bit::FALSE };
    let product = product(context, &a, &b);
    let half = product.slice(if is_extended { 32 } else { 0 }, 32);
    let addend_word = with_prefix(context, c, &context.raw(c), is_extended);
    let sum = context.graph.add_carry(&half, &addend_word, carry).0;
    let result = if is_extended && context.reads(Reading::E104, 1) {
        shifted_product(context, &product, &addend_word, carry)
    } else {
        sum
    };
    let destination = context.destination();
    context.write(destination, &result);
    let read_again = context.reads(Reading::E011, 1) && context.is_same(c, destination);
    let raw = if read_again { result } else { context.raw(c) };
    let carry_out = if c.neg && !is_extended {
        carry_of_negated(context, &half.zero_extend(36), &raw, 32)
    } else {
        let word = with_prefix(context, c, &raw, is_extended);
        let (half, word) = (half.zero_extend(36), addend(context, c, &word, 36));
        let total = context.graph.add_carry(&half, &word, carry).0;
        carries(context.graph, &total, 32, context.reads(Reading::E102, 2))
    };
    context.write_predicate(context.operand("upu"), carry_out);
}

/// Returns a word with the prefix of the addend. With `.X`, a prefix is by E105.
fn with_prefix(context: &mut Context, operand: Operand, word: &Word, is_extended: bool) -> Word {
    if !operand.neg {
        return word.clone();
    }
    let complements = is_extended && context.reads(Reading::E105, 2);
    negated(context, word, complements)
}

/// Returns the low word of the product, shifted right by 32, the addend and the carry (E104 = 1).
fn shifted_product(context: &mut Context, product: &Word, addend: &Word, carry: Bit) -> Word {
    let fill = if is_signed(context) { product.sign() } else { Bit::FALSE };
    let base = Word::constant(34, 32);
    let amount = context.graph.add_carry(&addend.zero_extend(34), &base, carry).0;
    context.graph.shift_right(product, &amount, fill).slice(0, 32)
}

/// Returns the carry of a sum of some places with an addend that `-` negates, without `.X` (E103).
/// `other` is the sum without the addend, a signed integer.
fn carry_of_negated(context: &mut Context, other: &Word, raw: &Word, places: usize) -> Bit {
    let width = other.width();
    let total = match context.setting(Reading::E103) {
        1 => context.graph.sub(other, &raw.zero_extend(width)),
        2 => {
            let pattern = context.graph.negate(raw).zero_extend(width);
            context.graph.add(other, &pattern)
        }
        _ => context.graph.add_carry(other, &(!raw).zero_extend(width), Bit::TRUE).0,
    };
    let reading = if places == 32 { Reading::E102 } else { Reading::E112 };
    let reaches = context.reads(reading, 2);
    carries(context.graph, &total, modulus_places(context, places), reaches)
}

/// Returns the places of the modulus: those of the result, or with E114 = 1 none for 64 bits,
/// because 1 shifted by 64 is then 1.
fn modulus_places(context: &Context, places: usize) -> usize {
    if places == 64 && context.reads(Reading::E114, 1) { 0 } else { places }
}

/// UIMAD.WIDE: the whole product plus a wide addend.
pub(super) fn multiply_add_wide(context: &mut Context) {
    let (a, b, c) = (context.raw(context.source(0)), context.raw(context.source(1)), context.source(2));
    let is_extended = context.modifier::<IExt>("ext") == IExt::X;
    let carry = if is_extended { context.predicate(context.source(3)) } else { Bit::FALSE };
    let product = product(context, &a, &b);
    let is_narrow = context.form() == "UIMAD_WIDE_UUC" && context.reads(Reading::E111, 1);
    let raw = if is_narrow { context.raw(c).zero_extend(64) } else { context.raw_pair(c) };
    let word = with_prefix(context, c, &raw, is_extended);
    let mut sum = context.graph.add_carry(&product, &word, carry).0;
    if context.reads(Reading::E114, 1) {
        sum = Word::constant(64, 0);
    }
    let destination = context.destination();
    context.write(destination, &sum.slice(0, if is_narrow { 32 } else { 64 }));
    let raw = read_pair_again(context, c, &raw, &sum, is_narrow);
    let is_integer = is_signed(context) && context.reads(Reading::E113, 1);
    let counted = if is_integer { product.sign_extend(68) } else { product.zero_extend(68) };
    let carry_out = if c.neg && !is_extended {
        carry_of_negated(context, &counted, &raw, 64)
    } else {
        let word = with_prefix(context, c, &raw, is_extended).zero_extend(68);
        let total = context.graph.add_carry(&counted, &word, carry).0;
        carries(context.graph, &total, modulus_places(context, 64), context.reads(Reading::E112, 2))
    };
    context.write_predicate(context.operand("upu"), carry_out);
}

/// Returns the addend as it is after the result was written, with E011 = 1. Only then can it
/// differ: a pair is aligned, so that two pairs are the same or share no register.
fn read_pair_again(context: &Context, c: Operand, raw: &Word, sum: &Word, is_narrow: bool) -> Word {
    let again = context.reads(Reading::E011, 1) && context.is_same(c, context.destination());
    if again && !is_narrow { sum.clone() } else { raw.clone() }
}
