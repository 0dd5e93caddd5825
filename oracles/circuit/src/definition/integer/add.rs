//! UIADD and UIABS.

use assay_isa::tables::types::IExt;
use assay_isa::{Operand, Reading, Source};

use super::carries;
use crate::definition::context::Context;
use crate::graph::Bit;
use crate::word::Word;

/// Returns a word with a minus sign applied: the complement if `complements` holds, else the two's
/// complement.
pub(super) fn negated(context: &mut Context, word: &Word, complements: bool) -> Word {
    if complements { !word } else { context.graph.negate(word) }
}

/// Returns an operand with its prefix applied. With `.X`, a prefix is by a reading.
fn prefixed(context: &mut Context, operand: Operand, word: &Word, is_extended: bool) -> Word {
    if !operand.neg {
        return word.clone();
    }
    let complements = is_extended && context.reads(Reading::E099, 2);
    negated(context, word, complements)
}

/// Returns an addend as an integer of some bits: its pattern, or for an immediate under E100 = 1
/// the signed integer.
pub(super) fn addend(context: &Context, operand: Operand, word: &Word, width: usize) -> Word {
    let is_signed = matches!(operand.source, Source::Imm(_)) && context.reads(Reading::E100, 1);
    if is_signed { word.sign_extend(width) } else { word.zero_extend(width) }
}

/// UIADD: the sum, and with `.X` the carries in and out.
pub(super) fn add(context: &mut Context) {
    let (a, b) = (context.source(0), context.source(1));
    let is_extended = context.modifier::<IExt>("ext") == IExt::X;
    let carry = if is_extended { context.predicate(context.source(2)) } else { Bit::FALSE };
    let words = [a, b].map(|operand| prefixed(context, operand, &context.raw(operand), is_extended));
    let (sum, _) = context.graph.add_carry(&words[0], &words[1], carry);
    let destination = context.destination();
    context.write(destination, &sum);
    if !is_extended {
        return;
    }
    // With E011 = 1, a source that is the destination is read again.
    let again = context.reads(Reading::E011, 1);
    let counted = [a, b].map(|operand| {
        let raw =
            if again && context.is_same(operand, destination) { sum.clone() } else { context.raw(operand) };
        let word = prefixed(context, operand, &raw, true);
        addend(context, operand, &word, 36)
    });
    let (total, _) = context.graph.add_carry(&counted[0], &counted[1], carry);
    let reaches = context.reads(Reading::E098, 2);
    let carry = carries(context.graph, &total, 32, reaches);
    context.write_predicate(context.operand("upu"), carry);
}

/// UIABS: the absolute value. A minus sign changes nothing.
pub(super) fn absolute(context: &mut Context) {
    let word = context.raw(context.source(0));
    let mut result = context.graph.negate_if(&word, word.sign());
    if context.reads(Reading::E129, 2) {
        // Only the least integer has an absolute value with the top bit.
        let largest = Word::constant(32, 0x7fff_ffff);
        result = context.graph.select(result.sign(), &largest, &result);
    }
    context.write(context.destination(), &result);
}
