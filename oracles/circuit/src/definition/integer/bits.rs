//! POPC, FLO, BREV, BMSK and SGXT, and their likes in the uniform datapath.

use assay_isa::tables::types::{CWMode, FLOSH, IType};
use assay_isa::{Operand, Reading, Source};

use crate::definition::context::Context;
use crate::graph::Bit;
use crate::word::Word;

/// Returns an operand, its `~` applied.
fn complemented(context: &Context, operand: Operand) -> Word {
    let word = context.raw(operand);
    if operand.bitnot { !&word } else { word }
}

/// POPC: the number of ones.
pub(super) fn count(context: &mut Context) {
    let word = complemented(context, context.source(0));
    if context.reads(Reading::E049, 1) {
        // The loop ends only if it does not begin.
        let any = context.graph.any_bit(&word);
        context.undefine(Reading::E049, any);
    }
    let ones = context.graph.count_ones(&word).zero_extend(32);
    context.write(context.destination(), &ones);
}

/// FLO: the place of the most significant 1.
pub(super) fn find(context: &mut Context) {
    let source = context.source(0);
    let word = complemented(context, source);
    let searched = signed_pattern(context, source, &word);
    let searched = if context.reads(Reading::E011, 1) && context.is_same(source, context.destination()) {
        // The destination holds all ones when the search begins, and the prefix complements them.
        Word::repeated(Bit::constant(!source.bitnot), 32)
    } else {
        searched
    };
    let graph = &mut *context.graph;
    let none = graph.is_zero(&searched);
    let zeros = graph.leading_zeros(&searched).zero_extend(32);
    let place = graph.sub(&Word::constant(32, 31), &zeros);
    let ones = Word::constant(32, u32::MAX.into());
    let is_shift = context.modifier::<FLOSH>("sh") == FLOSH::SH;
    // 31 minus all ones is 32 in 32 bits.
    let absent =
        if is_shift && context.reads(Reading::E053, 1) { Word::constant(32, 32) } else { ones.clone() };
    let found = context.graph.select(none, &absent, if is_shift { &zeros } else { &place });
    let zero = context.graph.is_zero(&word);
    let special = Bit::constant(context.reads(Reading::E050, 2));
    let special = context.graph.and(special, zero);
    let result = context.graph.select(special, &ones, &found);
    context.write(context.destination(), &result);
}

/// Returns the pattern that FLO searches (E051, E052), and writes it back under E012.
fn signed_pattern(context: &mut Context, source: Operand, word: &Word) -> Word {
    if context.modifier::<IType>("itype") == IType::U32 {
        return word.clone();
    }
    if context.reads(Reading::E052, 1) {
        return context.graph.negate_if(word, word.sign());
    }
    let applies = if context.reads(Reading::E051, 1) { Bit::TRUE } else { word.sign() };
    let pattern = context.graph.select(applies, &!word, word);
    if context.reads(Reading::E012, 1) && matches!(source.source, Source::Reg(_) | Source::UReg(_)) {
        // The special case of zero assigns nothing if it ends the instruction.
        let ends = Bit::constant(context.reads(Reading::E050, 2));
        let zero = context.graph.is_zero(word);
        let ended = context.graph.and(ends, zero);
        let assigned = context.graph.and(applies, !ended);
        context.write_if(assigned, source, &pattern);
    }
    pattern
}

/// BREV: the complement, or the reverse order (E056).
pub(super) fn reverse(context: &mut Context) {
    let word = context.raw(context.source(0));
    let result = if context.reads(Reading::E056, 1) { !&word } else { word.reversed() };
    context.write(context.destination(), &result);
}

/// BMSK: bit i is 1 if it is at or above the first place, and below the end.
pub(super) fn mask(context: &mut Context) {
    let (a, amount) = (context.raw(context.source(0)), context.source(1));
    let mut b = context.raw(amount);
    let by_code = context.reads(Reading::E057, 2);
    let is_immediate = matches!(amount.source, Source::Imm(_));
    if by_code
        && context.reads(Reading::E058, 2)
        && (is_immediate || matches!(amount.source, Source::Const { .. }))
    {
        context.undefine(Reading::E058, Bit::TRUE);
    }
    let wraps = context.modifier::<CWMode>("cwmode") == CWMode::WRAP;
    // A negative immediate is not beyond 31, so that its low bits count (E023).
    let is_signed = by_code && is_immediate && context.reads(Reading::E023, 2);
    let low = |word: &Word| word.slice(0, 5).zero_extend(34);
    let first = if wraps { low(&a) } else { a.zero_extend(34) };
    b = if wraps || is_signed && b.sign() == Bit::TRUE { low(&b) } else { b.zero_extend(34) };
    let end = context.graph.add(&first, &b);
    // The prose includes the last place.
    let end = context.graph.increment(&end, Bit::constant(!by_code));
    let bits = (0..32).map(|place| {
        let place = Word::constant(34, place);
        let (before, inside) = (context.graph.less(&place, &first), context.graph.less(&place, &end));
        context.graph.and(!before, inside)
    });
    let result = Word::from_bits(bits.collect::<Vec<_>>());
    context.write(context.destination(), &result);
}

/// SGXT: bit i is bit i of the source below the width, and the sign or 0 from there on.
pub(super) fn extend(context: &mut Context) {
    let (a, b) = (context.raw(context.source(0)), context.raw(context.source(1)));
    let width = extended_width(context, &b);
    let is_signed = context.modifier::<IType>("itype") == IType::S32;
    let graph = &mut *context.graph;
    // Bit w − 1 for the width w, and 0 for the width 0.
    let signs = (0..32).map(|place| {
        let is_last = graph.equals(&width, place + 1);
        graph.and(is_last, a.bit(place as usize))
    });
    let signs = signs.collect::<Vec<_>>();
    let sign = graph.any(signs);
    let above = graph.and(sign, Bit::constant(is_signed));
    let bits = (0..32).map(|place| {
        let is_inside = graph.less(&Word::constant(6, place), &width);
        graph.mux(is_inside, a.bit(place as usize), above)
    });
    let mut result = Word::from_bits(bits.collect::<Vec<_>>());
    if is_signed && context.reads(Reading::E063, 1) {
        let is_whole = context.graph.equals(&width, 32);
        result = context.graph.mask(&result, !is_whole);
    }
    context.write(context.destination(), &result);
}

/// Returns the width of SGXT, 0 to 32, in 6 bits.
fn extended_width(context: &mut Context, b: &Word) -> Word {
    let low = b.slice(0, 5).zero_extend(6);
    let whole = Word::constant(6, 32);
    let graph = &mut *context.graph;
    let is_below = graph.is_below(b, 32);
    let is_whole = graph.equals(b, 32);
    match context.modifier::<CWMode>("cwmode") {
        CWMode::CLAMP => context.graph.select(is_below, &low, &whole),
        CWMode::WRAP if context.reads(Reading::E062, 1) => context.graph.select(is_whole, &whole, &low),
        CWMode::WRAP => low,
    }
}
