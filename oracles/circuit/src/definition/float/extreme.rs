//! FMNMX.

use assay_isa::Reading;
use assay_isa::tables::types::NAN;

use super::finish::nan_word;
use super::format::{Float, Format};
use super::{flushed, flushes, prefixed};
use crate::definition::context::Context;
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// FMNMX: the minimum if the predicate is true, else the maximum.
pub(super) fn extreme(context: &mut Context) {
    let sources = [context.source(0), context.source(1)];
    let raw = sources.map(|operand| prefixed(context, operand));
    let floats = [0, 1].map(|place: usize| Float::new(context.graph, Format::BINARY32, &raw[place]));
    let nans = [0, 1].map(|place: usize| floats[place].is_nan(context.graph));
    let minimum = context.predicate(context.source(2));
    let any_nan = context.graph.or(nans[0], nans[1]);
    // Beside a NaN, a number is flushed by E183.
    let flush = match (flushes(context), context.reads(Reading::E183, 1)) {
        (false, _) => Bit::FALSE,
        (true, true) => !any_nan,
        (true, false) => Bit::TRUE,
    };
    let words = [0, 1].map(|place: usize| flushed(context, sources[place], &raw[place], flush));
    let number = extreme_of_numbers(context, &words, minimum);
    let (is_nan, beside_nan) = with_nan(context, &floats, nans, &words, minimum);
    let nan_word = nan_word(context, &raw, &[0, 1], Bit::FALSE);
    let cases = [(is_nan, nan_word), (any_nan, beside_nan)];
    let result = context.graph.first_of(&cases, &number);
    context.write(context.destination(), &result);
}

/// Whether a < b, of two floats that are no NaN. Zeros are equal.
pub(super) fn less_numbers(graph: &mut Graph, a: &Word, b: &Word) -> Bit {
    let (a_magnitude, b_magnitude) = (a.slice(0, 31), b.slice(0, 31));
    let (below, above) = (graph.less(&a_magnitude, &b_magnitude), graph.less(&b_magnitude, &a_magnitude));
    let any = graph.or_words(&a_magnitude, &b_magnitude);
    let any = graph.any_bit(&any);
    let same_sign = graph.mux(a.sign(), above, below);
    let unlike = graph.xor(a.sign(), b.sign());
    // Of unlike signs, the negative number is smaller, unless both are zeros.
    let opposed = graph.and(a.sign(), any);
    graph.mux(unlike, opposed, same_sign)
}

/// Returns the extreme of two numbers.
fn extreme_of_numbers(context: &mut Context, [a, b]: &[Word; 2], minimum: Bit) -> Word {
    let by_c = context.reads(Reading::E184, 1);
    let first_zero = context.reads(Reading::C005, 2);
    let graph = &mut *context.graph;
    let (less, greater) = (less_numbers(graph, a, b), less_numbers(graph, b, a));
    let mut takes_first = graph.mux(minimum, less, greater);
    let magnitudes = graph.or_words(&a.slice(0, 31), &b.slice(0, 31));
    let zeros = graph.is_zero(&magnitudes);
    let unlike = graph.xor(a.sign(), b.sign());
    let unlike_zeros = graph.and(zeros, unlike);
    if first_zero {
        takes_first = graph.or(takes_first, unlike_zeros);
    } else if !by_c {
        // The minimum is the negative zero, and the maximum the positive one.
        let wanted = graph.xor(a.sign(), !minimum);
        takes_first = graph.mux(unlike_zeros, wanted, takes_first);
    }
    graph.select(takes_first, a, b)
}

/// Returns whether the result is a NaN by C001 and C002, and the result beside a NaN otherwise.
fn with_nan(
    context: &mut Context,
    floats: &[Float; 2],
    nans: [Bit; 2],
    [a, b]: &[Word; 2],
    minimum: Bit,
) -> (Bit, Word) {
    let setting = context.setting(Reading::C009);
    let always = context.modifier::<NAN>("nan") == NAN::NAN || setting == 2;
    let signalling_counts = context.reads(Reading::C004, 2);
    let graph = &mut *context.graph;
    let any = graph.or(nans[0], nans[1]);
    let both = graph.and(nans[0], nans[1]);
    let signalling = [floats[0].is_signalling(graph), floats[1].is_signalling(graph)];
    let signalling = graph.or(signalling[0], signalling[1]);
    let demanded = graph.and(signalling, Bit::constant(signalling_counts));
    let is_nan = match (always, setting) {
        (true, _) => any,
        (false, 1) => graph.or(both, demanded),
        (false, _) => demanded,
    };
    let takes_first = match setting {
        3 => Bit::TRUE,
        4 => Bit::FALSE,
        5 => !minimum,
        _ => nans[1],
    };
    (is_nan, graph.select(takes_first, a, b))
}
