//! USHF and UMOV.

use assay_isa::Reading;
use assay_isa::tables::types::{CWMode, LOHI, MOVW, SHFDType, SHFDir};

use crate::definition::context::Context;
use crate::graph::Bit;
use crate::word::Word;

/// USHF: one half of a shifted pair.
pub(super) fn funnel(context: &mut Context) {
    if context.reads(Reading::E149, 1) {
        context.undefine(Reading::E149, Bit::TRUE);
    }
    let [a, b, c] = [0, 1, 2].map(|place| context.raw(context.source(place)));
    let (ty, direction) = (context.modifier::<SHFDType>("itype"), context.modifier::<SHFDir>("direction"));
    let width = if matches!(ty, SHFDType::S64 | SHFDType::U64) { 64 } else { 32 };
    let is_signed = matches!(ty, SHFDType::S32 | SHFDType::S64);
    let amount = amount(context, &b, width);
    let shifted = match direction {
        SHFDir::L => {
            let shifted = context.graph.shift_left(&a.below(&c), &amount);
            let whole = Bit::constant(context.reads(Reading::E153, 1));
            let is_whole = context.graph.equals(&amount, 64);
            let stays = context.graph.and(whole, is_whole);
            context.graph.select(stays, &a.below(&c), &shifted)
        }
        SHFDir::R => {
            let own_sign = ty == SHFDType::S32 && context.reads(Reading::E152, 2);
            let pair = if own_sign { a.sign_extend(64) } else { a.below(&c) };
            let fill = if is_signed { pair.sign() } else { Bit::FALSE };
            context.graph.shift_right(&pair, &amount, fill)
        }
    };
    let low = if context.modifier::<LOHI>("lohi") == LOHI::LO { 0 } else { 32 };
    context.write(context.destination(), &shifted.slice(low, 32));
}

/// Returns the number of places, up to the width, in 7 bits.
fn amount(context: &mut Context, b: &Word, width: u64) -> Word {
    let whole = Word::constant(7, width);
    let remainder = b.slice(0, width.ilog2() as usize).zero_extend(7);
    let is_below = context.graph.is_below(b, width);
    let is_whole = context.graph.equals(b, width);
    match context.modifier::<CWMode>("cwmod") {
        CWMode::CLAMP => context.graph.select(is_below, &remainder, &whole),
        CWMode::WRAP if context.reads(Reading::E151, 1) => context.graph.select(is_whole, &whole, &remainder),
        CWMode::WRAP => remainder,
    }
}

/// UMOV: a copy of one or two words.
pub(super) fn copy(context: &mut Context) {
    let source = context.source(0);
    let word = match context.modifier::<MOVW>("width") {
        MOVW::B32 => context.raw(source),
        MOVW::B64 => context.raw_pair(source),
    };
    context.write(context.destination(), &word);
}
