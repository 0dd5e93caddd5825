//! UP2UR and UR2UP.

use assay_isa::tables::types::BSel;
use assay_isa::{Operand, Reading};

use crate::definition::context::Context;
use crate::word::Word;

/// Returns the least significant bit of a byte of a word.
fn low_bit(byte: BSel) -> usize {
    8 * byte as usize
}

/// UP2UR: a byte of the predicates and of a register, chosen bit by bit.
pub(super) fn to_register(context: &mut Context) {
    let predicates = context.uniform_predicates(context.source(0));
    let (a, choice) = (context.raw(context.source(1)), context.raw(context.source(2)).slice(0, 8));
    let low = low_bit(context.modifier("bsel"));
    let byte = choose(context, &choice, &predicates, &a.slice(low, 8));
    let rest = match context.setting(Reading::E135) {
        1 => context.raw(context.destination()),
        2 => a,
        _ => Word::constant(32, 0),
    };
    let result = rest.slice(0, low).below(&byte).below(&rest.slice(low + 8, 24 - low));
    context.write(context.destination(), &result);
}

/// UR2UP: the predicates from a byte of a register, those that are chosen.
pub(super) fn from_register(context: &mut Context) {
    let source: Operand = context.source(0);
    let low = low_bit(source.byte.unwrap_or(BSel::B0));
    let (a, choice) = (context.raw(source), context.raw(context.source(1)).slice(0, 8));
    let predicates = context.operand("UPR");
    let old = match context.setting(Reading::E139) {
        1 => Word::constant(8, 0),
        _ => context.uniform_predicates(predicates),
    };
    let new = choose(context, &choice, &a.slice(low, 8), &old);
    for (location, bit) in predicates.locations().zip(new.bits()) {
        context.write_location(crate::graph::Bit::TRUE, location, Word::from_bits([*bit]));
    }
}

/// Returns the bits of `then` where the choice is 1, else those of `otherwise`.
fn choose(context: &mut Context, choice: &Word, then: &Word, otherwise: &Word) -> Word {
    let pairs = then.bits().iter().zip(otherwise.bits());
    let bits = choice.bits().iter().zip(pairs).map(|(choice, (t, o))| context.graph.mux(*choice, *t, *o));
    Word::from_bits(bits.collect::<Vec<_>>())
}
