//! ULEA.

use assay_isa::tables::types::{IExt, LEASX32};
use assay_isa::{Operand, Reading, Source};

use super::add::negated;
use super::carries;
use crate::definition::context::Context;
use crate::graph::Bit;
use crate::word::Word;

/// Number of bits for the integers of the address: more than the 63 bits of a shifted word.
const WIDE: usize = 68;

/// ULEA: a shifted word, or the high part of a shifted pair, plus a base.
pub(super) fn scaled_address(context: &mut Context) {
    let base = context.raw(context.operand(base_name(context)));
    let Source::Imm(scale) = context.operand("shiftamt").source else {
        unreachable!("the amount of ULEA is an immediate")
    };
    let is_extended = context.modifier::<IExt>("ext") == IExt::X;
    let carry = if is_extended { context.predicate(context.operand("upp")) } else { Bit::FALSE };
    let a = context.operand("ura");
    let by_code = context.reads(Reading::E120, 1);
    let (scaled, correction) = if is_extended {
        (high_part(context, a, scale as usize), Bit::FALSE)
    } else {
        low_part(context, a, scale as usize)
    };
    let base = base.zero_extend(WIDE);
    let address = if by_code {
        // The addition binds tighter than the mask in front of it.
        let ones = Word::constant(WIDE, u32::MAX.into());
        let mask = context.graph.add_carry(&ones, &base, carry).0;
        context.graph.and_words(&scaled, &mask)
    } else {
        let low = scaled.slice(0, 32).zero_extend(WIDE);
        let carry = context.graph.or(carry, correction);
        context.graph.add_carry(&low, &base, carry).0
    };
    context.write(context.destination(), &address.slice(0, 32));
    let reaches = context.reads(Reading::E119, 2);
    let carry = carries(context.graph, &address, 32, reaches);
    context.write_predicate(context.operand("upu"), carry);
}

fn base_name(context: &Context) -> &'static str {
    if context.form() == "ULEA_UUU" { "urb" } else { "vb" }
}

/// Returns URa · 2^scale, and the 1 that completes a complement (E127).
fn low_part(context: &mut Context, a: Operand, scale: usize) -> (Word, Bit) {
    let word = context.raw(a);
    let scaled = |word: &Word| word.zero_extend(WIDE).shifted_left(scale);
    if !a.neg {
        return (scaled(&word), Bit::FALSE);
    }
    if context.reads(Reading::E127, 1) || context.reads(Reading::E120, 1) {
        return (scaled(&context.graph.negate(&word)), Bit::FALSE);
    }
    let complement = !&scaled(&word).slice(0, 32);
    (complement.zero_extend(WIDE), Bit::TRUE)
}

/// Returns the pair URc:URa, or URa with its sign above, shifted right by 32 − scale.
fn high_part(context: &mut Context, a: Operand, scale: usize) -> Word {
    let complements = context.reads(Reading::E126, 2);
    let is_signed = context.modifier::<LEASX32>("sx32") == LEASX32::SX32;
    let mut word = context.raw(a);
    if !is_signed {
        word = word.below(&context.raw(context.operand("urc")));
    }
    if a.neg {
        word = negated(context, &word, complements);
    }
    let above = if is_signed { word.sign() } else { Bit::FALSE };
    word.extend(WIDE, above).shifted_right(32 - scale, above)
}
