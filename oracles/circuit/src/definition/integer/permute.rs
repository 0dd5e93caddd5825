//! ULOP3, UPLOP3 and UPRMT.

use assay_isa::tables::types::{EXBool, PRMTMode};
use assay_isa::{Reading, Source};

use crate::definition::context::Context;
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// Returns the bit of a truth table that three signals select. The first counts 4, or 1 if
/// `reversed` holds.
pub(super) fn look_up(graph: &mut Graph, table: &Word, [a, b, c]: [Bit; 3], reversed: bool) -> Bit {
    let index = if reversed { [a, b, c] } else { [c, b, a] };
    let mut level = table.bits().to_vec();
    for digit in index {
        level = level.chunks(2).map(|pair| graph.mux(digit, pair[1], pair[0])).collect();
    }
    level[0]
}

/// Returns the truth table of the instruction.
fn table(context: &Context) -> Word {
    let Source::Imm(table) = context.operand("lut").source else { unreachable!("the table is an immediate") };
    Word::constant(8, table.into())
}

/// ULOP3: three words by a truth table, and whether the result is not 0.
pub(super) fn logic(context: &mut Context) {
    if context.reads(Reading::E013, 1) {
        context.undefine(Reading::E013, Bit::TRUE);
    }
    let words = [0, 1, 2].map(|place| context.raw(context.source(place)));
    let (table, reversed) = (table(context), context.reads(Reading::E148, 2));
    let bits = (0..32).map(|place| {
        let inputs = [0, 1, 2].map(|word: usize| words[word].bit(place));
        look_up(context.graph, &table, inputs, reversed)
    });
    let result = Word::from_bits(bits.collect::<Vec<_>>());
    context.write(context.destination(), &result);
    let any = context.graph.any_bit(&result);
    let predicate = context.predicate(context.operand("upp"));
    let combined = match context.modifier::<EXBool>("exbool") {
        EXBool::PAND => context.graph.and(any, predicate),
        EXBool::POR => context.graph.or(any, predicate),
    };
    context.write_predicate(context.operand("upu"), combined);
}

/// UPLOP3: three predicates by a truth table.
pub(super) fn predicate_logic(context: &mut Context) {
    if context.reads(Reading::E013, 1) {
        context.undefine(Reading::E013, Bit::TRUE);
    }
    let inputs = [0, 1, 2].map(|place| context.predicate(context.source(place)));
    let (table, reversed) = (table(context), context.reads(Reading::E148, 2));
    let result = look_up(context.graph, &table, inputs, reversed);
    context.write_predicate(context.operand("upu"), result);
}

/// UPRMT: four bytes of eight.
pub(super) fn permute(context: &mut Context) {
    if context.reads(Reading::E013, 1) {
        context.undefine(Reading::E013, Bit::TRUE);
    }
    let [a, mut b, mut selector] = [0, 1, 2].map(|place| context.raw(context.source(place)));
    if context.reads(Reading::E160, 2) {
        (b, selector) = (selector, b);
    }
    let pair = if context.reads(Reading::E159, 1) {
        let sign = Word::repeated(a.sign(), 32);
        a.below(&context.graph.or_words(&b, &sign))
    } else {
        a.below(&b)
    };
    let mode = context.modifier::<PRMTMode>("mode");
    let mut result = Word::constant(0, 0);
    for place in 0..4 {
        let (index, replicates) = selected(context, mode, &selector, place);
        let byte =
            context.graph.shift_right(&pair, &Word::constant(3, 0).below(&index), Bit::FALSE).slice(0, 8);
        let sign = Word::repeated(byte.sign(), 8);
        result = result.below(&context.graph.select(replicates, &sign, &byte));
    }
    context.write(context.destination(), &result);
}

/// Returns the index of the byte for a place, in 3 bits, and whether its sign is replicated.
fn selected(context: &mut Context, mode: PRMTMode, selector: &Word, place: usize) -> (Word, Bit) {
    let control = selector.slice(0, 2).zero_extend(3);
    if mode == PRMTMode::IDX {
        let nibble = selector.slice(4 * place, 4);
        let replicates = context.graph.and(nibble.sign(), Bit::constant(context.reads(Reading::E157, 2)));
        return (nibble.slice(0, 3), replicates);
    }
    if context.reads(Reading::E158, 1) {
        return (control, Bit::FALSE);
    }
    let graph = &mut *context.graph;
    let own = Word::constant(3, place as u64);
    let is_beyond = graph.less(&own, &control);
    let index = match mode {
        PRMTMode::IDX | PRMTMode::RC8 => control,
        PRMTMode::F4E => graph.add(&control, &own),
        PRMTMode::B4E => graph.sub(&control, &own),
        PRMTMode::ECL => graph.select(is_beyond, &control, &own),
        PRMTMode::ECR => graph.select(is_beyond, &own, &control),
        // Twice the low bit of the control, plus the low bit of the place.
        PRMTMode::RC16 => Word::from_bits([own.bit(0), control.bit(0), Bit::FALSE]),
    };
    (index, Bit::FALSE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::testing::{all_pairs, check_pairs};

    #[test]
    fn each_table_is_looked_up_whatever_it_is() {
        // The table is 8 free bits, and the inputs are 3.
        for reversed in [false, true] {
            let make = |graph: &mut Graph, table: &Word, inputs: &Word| {
                let inputs = [2, 1, 0].map(|place| inputs.bit(place));
                Word::from_bits([look_up(graph, table, inputs, reversed)])
            };
            let expected = |table: u64, inputs: u64| {
                let turned = inputs >> 2 & 1 | inputs & 2 | inputs << 2 & 4;
                table >> if reversed { turned } else { inputs } & 1
            };
            check_pairs((8, 3), &all_pairs((8, 3)), make, expected);
        }
    }
}
