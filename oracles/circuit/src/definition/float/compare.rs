//! FSETP, FSET, FSEL and FCHK.

use assay_isa::Reading;
use assay_isa::tables::types::{BVal, FCMPOp, LOPOp};

use super::extreme::less_numbers;
use super::finish::any_nan;
use super::format::{Float, Format};
use super::{flushed, flushes, prefixed};
use crate::definition::context::Context;
use crate::definition::integer::{combine, read_again};
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// Returns both operands, prefixes applied, and flushed with `.FTZ`.
fn operands(context: &mut Context) -> [Word; 2] {
    [0, 1].map(|place| {
        let operand = context.source(place);
        let word = prefixed(context, operand);
        if flushes(context) { flushed(context, operand, &word, Bit::TRUE) } else { word }
    })
}

/// Returns the comparison of two floats.
fn comparison(context: &mut Context, [a, b]: &[Word; 2]) -> Bit {
    let as_c = context.reads(Reading::E186, 1);
    let operation = context.modifier::<FCMPOp>("cmp");
    let graph = &mut *context.graph;
    let floats = [a, b].map(|word| Float::new(graph, Format::BINARY32, word));
    let nan = any_nan(graph, &[&floats[0], &floats[1]]);
    let (below, above) = (less_numbers(graph, a, b), less_numbers(graph, b, a));
    let equal = graph.and(!below, !above);
    let numbers = match operation {
        FCMPOp::EQ | FCMPOp::EQU => equal,
        FCMPOp::NE | FCMPOp::NEU => !equal,
        FCMPOp::LT | FCMPOp::LTU => below,
        FCMPOp::LE | FCMPOp::LEU => !above,
        FCMPOp::GT | FCMPOp::GTU => above,
        FCMPOp::GE | FCMPOp::GEU => !below,
        FCMPOp::NAN => Bit::FALSE,
        FCMPOp::NUM => Bit::TRUE,
    };
    let with_nan = match operation {
        FCMPOp::NAN => true,
        FCMPOp::NUM => false,
        FCMPOp::NE | FCMPOp::NEU if as_c => true,
        _ if as_c => false,
        FCMPOp::EQ | FCMPOp::NE | FCMPOp::LT | FCMPOp::LE | FCMPOp::GT | FCMPOp::GE => false,
        _ => true,
    };
    graph.mux(nan, Bit::constant(with_nan), numbers)
}

fn operation(context: &Context) -> &'static str {
    match context.modifier::<LOPOp>("lop") {
        LOPOp::AND => "AND",
        LOPOp::OR => "OR",
        LOPOp::XOR => "XOR",
    }
}

/// FSETP: the comparison and its opposite, each combined with a predicate.
pub(super) fn set_predicates(context: &mut Context) {
    let words = operands(context);
    let truth = comparison(context, &words);
    let (pp, pu) = (context.operand("pp"), context.operand("pu"));
    let before = context.predicate(pp);
    let operation = operation(context);
    let first = combine(context.graph, operation, truth, before);
    context.write_predicate(pu, first);
    let again = read_again(context, pp, pu, first);
    let second = combine(context.graph, operation, !truth, again);
    context.write_predicate(context.operand("pv"), second);
}

/// FSET: the comparison, combined with a predicate, as a mask or as a float.
pub(super) fn set_register(context: &mut Context) {
    let words = operands(context);
    let truth = comparison(context, &words);
    let predicate = context.predicate(context.operand("pp"));
    let operation = operation(context);
    let holds = combine(context.graph, operation, truth, predicate);
    let one = match context.modifier::<BVal>("bval") {
        BVal::BM => 0xffff_ffff,
        BVal::BF => 0x3f80_0000,
    };
    let result = context.graph.mask(&Word::constant(32, one), holds);
    context.write(context.destination(), &result);
}

/// FSEL: the first operand if the predicate is true, else the second.
pub(super) fn select(context: &mut Context) {
    let [a, b] = operands(context);
    let chosen = context.predicate(context.operand("pp"));
    let mut result = context.graph.select(chosen, &a, &b);
    if context.reads(Reading::E185, 2) {
        let nan = Float::new(context.graph, Format::BINARY32, &result).is_nan(context.graph);
        result = context.graph.select(nan, &Word::constant(32, 0x7fff_ffff), &result);
    }
    context.write(context.destination(), &result);
}

/// FCHK: whether the exponents of a division need care.
pub(super) fn check_division(context: &mut Context) {
    let low = if context.reads(Reading::E189, 1) { 24 } else { 23 };
    let exponents = [0, 1].map(|place| prefixed(context, context.source(place)).slice(low, 8));
    // Biased exponents: their difference is that of the exponents.
    let [a, b] = exponents.map(|exponent| exponent.zero_extend(12));
    let graph = &mut *context.graph;
    let difference = graph.sub(&a, &b);
    let tests = [
        at_most(graph, &a, 127 - 103),
        !at_most(graph, &a, 127 + 127),
        at_most(graph, &b, 127 - 126),
        !at_most(graph, &b, 127 + 124),
        at_most(graph, &difference, -125),
        !at_most(graph, &difference, 126),
    ];
    let result = graph.any(tests);
    context.write_predicate(context.operand("pu"), result);
}

/// Whether a signed word is at most a number.
fn at_most(graph: &mut Graph, word: &Word, most: i64) -> Bit {
    let most = Word::constant(word.width(), most as u64);
    !graph.less_signed(&most, word)
}
