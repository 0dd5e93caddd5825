//! UIMNMX, UISETP and USEL.

use assay_isa::tables::types::{BoolOp, CompOp, IExt, IType};
use assay_isa::{Operand, Reading};

use super::combine;
use crate::definition::context::Context;
use crate::graph::Bit;
use crate::word::Word;

/// Whether a < b by the type of the instruction.
fn less(context: &mut Context, a: &Word, b: &Word) -> Bit {
    match context.modifier::<IType>("itype") {
        IType::S32 => context.graph.less_signed(a, b),
        IType::U32 => context.graph.less(a, b),
    }
}

/// UIMNMX: the smaller operand if the predicate is true, else the larger one.
pub(super) fn extreme(context: &mut Context) {
    let [a, b] = [0, 1].map(|place| {
        let operand = context.source(place);
        let word = context.raw(operand);
        if operand.neg { context.graph.negate(&word) } else { word }
    });
    let minimum = context.predicate(context.source(2));
    if context.reads(Reading::E134, 1) {
        // The two orders differ exactly if the signs do.
        let unlike = context.graph.xor(a.sign(), b.sign());
        context.undefine(Reading::E134, unlike);
    }
    let is_less = less(context, &a, &b);
    let takes_first = context.graph.xor(is_less, !minimum);
    let result = context.graph.select(takes_first, &a, &b);
    context.write(context.destination(), &result);
}

/// UISETP: a comparison and its opposite, each combined with a predicate.
pub(super) fn compare(context: &mut Context) {
    let (a, b) = (context.raw(context.source(0)), context.raw(context.source(1)));
    let equal = context.graph.equal(&a, &b);
    let (below, above) = (less(context, &a, &b), less(context, &b, &a));
    let decided = match context.modifier::<CompOp>("compop") {
        CompOp::EQ => equal,
        CompOp::NE => !equal,
        CompOp::LT => below,
        CompOp::LE => !above,
        CompOp::GT => above,
        CompOp::GE => !below,
    };
    let (upp, upq) = (context.operand("upp"), context.operand("upq"));
    let is_extended = context.modifier::<IExt>("ext") == IExt::X;
    let lower = context.predicate(upq);
    let truth = |context: &mut Context, lower: Bit| {
        if is_extended { context.graph.mux(equal, lower, decided) } else { decided }
    };
    let (first, combined_with) = (truth(context, lower), context.predicate(upp));
    let operation = operation(context);
    let upu = context.operand("upu");
    let written = combine(context.graph, operation, first, combined_with);
    context.write_predicate(upu, written);
    // With E011 = 1, a predicate that was just written is read again.
    let lower = read_again(context, upq, upu, written);
    let (second, combined_with) = (truth(context, lower), read_again(context, upp, upu, written));
    let opposite = combine(context.graph, operation, !second, combined_with);
    context.write_predicate(context.operand("upv"), opposite);
}

fn operation(context: &Context) -> &'static str {
    match context.modifier::<BoolOp>("boolop") {
        BoolOp::AND => "AND",
        BoolOp::OR => "OR",
        BoolOp::XOR => "XOR",
    }
}

/// Returns a predicate after another one was written, with E011 = 1, else the value from before.
pub(in crate::definition) fn read_again(
    context: &Context,
    operand: Operand,
    written: Operand,
    value: Bit,
) -> Bit {
    if context.reads(Reading::E011, 1) && context.is_same(operand, written) {
        return value.complement_if(operand.not);
    }
    context.predicate(operand)
}

/// USEL: the first operand if the predicate is true, else the second.
pub(super) fn select(context: &mut Context) {
    let (a, b) = (context.raw(context.source(0)), context.raw(context.source(1)));
    let chosen = context.predicate(context.source(2));
    let result = context.graph.select(chosen, &a, &b);
    context.write(context.destination(), &result);
}
