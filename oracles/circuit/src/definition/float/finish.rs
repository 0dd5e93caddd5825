//! What follows the exact result: rounding, special values, `.SAT` and `.FTZ`.

use assay_isa::Reading;
use assay_isa::tables::types::FPSat;

use super::exact::Exact;
use super::format::{Float, Format};
use super::round::{Rounding, round};
use crate::definition::context::Context;
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// A result before it is rounded.
pub(super) struct Unrounded {
    /// The number, if it is finite.
    pub exact: Exact,
    /// The sign of an exact zero.
    pub zero_sign: Bit,
    /// Whether the result is an infinity.
    pub infinite: Bit,
    /// The sign of the infinity.
    pub infinite_sign: Bit,
    /// Whether the result is a NaN.
    pub nan: Bit,
    /// The NaN (C001, C002).
    pub nan_word: Word,
}

/// Rounds a result, applies `.SAT` and `.FTZ`, and returns the word.
pub(super) fn finish(context: &mut Context, result: &Unrounded, rounding: Rounding) -> Word {
    let (word, tiny) = rounded(context, result, rounding);
    let saturates = context.modifier::<FPSat>("sat") == FPSat::SAT;
    let word = if saturates { saturated(context, &word, result.nan) } else { word };
    if !super::flushes(context) || context.reads(Reading::C010, 2) {
        return word;
    }
    let by_grid =
        context.reads(Reading::E173, 1) && (context.reads(Reading::C003, 1) || context.optype() == "FADD");
    let flush = if by_grid {
        Float::new(context.graph, Format::BINARY32, &word).is_subnormal(context.graph)
    } else {
        tiny
    };
    let sign = if context.reads(Reading::C011, 2) { Bit::FALSE } else { word.sign() };
    let zero = Word::constant(31, 0).below(&Word::from_bits([sign]));
    context.graph.select(flush, &zero, &word)
}

/// Returns the float before `.SAT`, and whether it comes from a tiny number (E173, C003).
pub(super) fn rounded(context: &mut Context, result: &Unrounded, rounding: Rounding) -> (Word, Bit) {
    let before = context.reads(Reading::C003, 2) && context.optype() != "FADD";
    let graph = &mut *context.graph;
    let rounded = round(graph, Format::BINARY32, &result.exact, rounding);
    let is_zero = graph.is_zero(&result.exact.magnitude);
    let sign = graph.mux(is_zero, result.zero_sign, result.exact.sign);
    let with_sign = |magnitude: &Word, sign: Bit| magnitude.below(&Word::from_bits([sign]));
    let infinity = with_sign(&Format::BINARY32.infinity(), result.infinite_sign);
    let cases = [(result.nan, result.nan_word.clone()), (result.infinite, infinity)];
    let word = graph.first_of(&cases, &with_sign(&rounded.magnitude, sign));
    let tiny = if before { rounded.tiny_before } else { rounded.tiny_after };
    let special = graph.or(result.nan, result.infinite);
    (word, graph.and(tiny, !special))
}

/// Returns a float limited to [+0, 1]. A NaN becomes +0.
fn saturated(context: &mut Context, word: &Word, nan: Bit) -> Word {
    let keeps_minus_zero = context.reads(Reading::E170, 1);
    let graph = &mut *context.graph;
    let zero = Word::constant(32, 0);
    let one = Word::constant(32, 0x3f80_0000);
    let is_zero = graph.is_zero(&word.slice(0, 31));
    let stays = graph.and(is_zero, Bit::constant(keeps_minus_zero));
    let negative = graph.and(word.sign(), !stays);
    let above = graph.less(&one.slice(0, 31), &word.slice(0, 31));
    graph.first_of(&[(nan, zero.clone()), (negative, zero), (above, one)], word)
}

/// Returns the result that is a NaN: by C001 from the NaN operands, by C002 if there are none.
/// `order` lists the operands in the order in which C001 = 3 looks for signalling NaNs.
pub(super) fn nan_word(context: &mut Context, operands: &[Word], order: &[usize], invalid: Bit) -> Word {
    let pattern = match context.setting(Reading::C002) {
        1 => 0x7fff_ffff,
        2 => 0x7fc0_0000,
        _ => 0xffc0_0000,
    };
    let pattern = Word::constant(32, pattern);
    let setting = context.setting(Reading::C001);
    let graph = &mut *context.graph;
    let floats: Vec<Float> = operands.iter().map(|word| Float::new(graph, Format::BINARY32, word)).collect();
    match setting {
        1 => pattern,
        2 => {
            let cases: Vec<_> =
                operands.iter().zip(&floats).map(|(word, f)| (f.is_nan(graph), quieted(word))).collect();
            graph.first_of(&cases, &pattern)
        }
        _ => {
            let signalling =
                order.iter().map(|at| (floats[*at].is_signalling(graph), quieted(&operands[*at])));
            let signalling: Vec<_> = signalling.collect();
            let any = order.iter().map(|at| (floats[*at].is_nan(graph), quieted(&operands[*at])));
            let any: Vec<_> = any.collect();
            // An infinity times zero counts before a quiet NaN, and after a signalling one.
            let cases = [signalling, vec![(invalid, pattern.clone())], any].concat();
            graph.first_of(&cases, &pattern)
        }
    }
}

/// Returns a NaN with bit 22 set.
fn quieted(word: &Word) -> Word {
    word.slice(0, 22).below(&Word::constant(1, 1)).below(&word.slice(23, 9))
}

/// Returns whether any of some floats is a NaN.
pub(super) fn any_nan(graph: &mut Graph, floats: &[&Float]) -> Bit {
    floats.iter().fold(Bit::FALSE, |any, float| {
        let nan = float.is_nan(graph);
        graph.or(any, nan)
    })
}
