//! FADD, FMUL and FFMA.

use assay_isa::Reading;
use assay_isa::tables::types::{FMULScale, FPRound};

use super::exact::{Exact, UNIT, exact_product, exact_sum};
use super::finish::{Unrounded, any_nan, finish, nan_word, rounded};
use super::format::{Float, Format};
use super::round::Rounding;
use super::{flushed, flushes, prefixed};
use crate::definition::context::Context;
use crate::graph::Bit;
use crate::word::Word;

/// Largest difference of the units of two binary32 numbers.
const REACH_OF_SUM: usize = 253;
/// Largest difference of the units of a product and a binary32 number: −298 and 104.
const REACH_OF_FUSED: usize = 402;

/// Returns a source with prefixes. With `.FTZ`, a subnormal one is flushed if `flushable` holds.
fn operand(context: &mut Context, place: usize, flushable: bool) -> Word {
    let operand = context.source(place);
    let word = prefixed(context, operand);
    let flush = flushes(context) && flushable && !context.reads(Reading::C010, 3);
    if flush { flushed(context, operand, &word, Bit::TRUE) } else { word }
}

fn rounding(context: &Context) -> Rounding {
    let ties_away = context.reads(Reading::E169, 1);
    Rounding { mode: context.modifier::<FPRound>("rnd"), ties_away }
}

/// Returns the sign of an exact sum of zero (E172).
fn zero_sign_of_sum(context: &mut Context, a: Bit, b: Bit, mode: FPRound) -> Bit {
    if context.reads(Reading::E172, 1) {
        return Bit::FALSE;
    }
    // Zeros of one sign keep it. Any other sum of zero is negative only toward −infinity.
    let unlike = context.graph.xor(a, b);
    context.graph.mux(unlike, Bit::constant(mode == FPRound::RM), a)
}

/// FADD: the sum, rounded once.
pub(super) fn add(context: &mut Context) {
    let words = [operand(context, 0, true), operand(context, 1, true)];
    let rounding = rounding(context);
    let nan_word = nan_word(context, &words, &[0, 1], Bit::FALSE);
    let result = sum_of_floats(context, &words[0], &words[1], rounding.mode, nan_word);
    let word = finish(context, &result, rounding);
    context.write(context.destination(), &word);
}

/// Returns the sum of two floats.
fn sum_of_floats(context: &mut Context, a: &Word, b: &Word, mode: FPRound, nan_word: Word) -> Unrounded {
    let [a, b] = [a, b].map(|word| Float::new(context.graph, Format::BINARY32, word));
    let zero_sign = zero_sign_of_sum(context, a.sign, b.sign, mode);
    let graph = &mut *context.graph;
    let (x, y) = (a.value(graph), b.value(graph));
    let exact = exact_sum(graph, &x, &y, REACH_OF_SUM, context.steps);
    let infinite = (a.is_infinite(graph), b.is_infinite(graph));
    let unlike = graph.xor(a.sign, b.sign);
    let invalid = graph.all([infinite.0, infinite.1, unlike]);
    let nan = any_nan(graph, &[&a, &b]);
    Unrounded {
        exact,
        zero_sign,
        infinite: graph.or(infinite.0, infinite.1),
        infinite_sign: graph.mux(infinite.0, a.sign, b.sign),
        nan: graph.or(nan, invalid),
        nan_word,
    }
}

/// FMUL: the scaled product, rounded once.
pub(super) fn multiply(context: &mut Context) {
    let words = [operand(context, 0, true), operand(context, 1, true)];
    let rounding = rounding(context);
    let nan_word = nan_word(context, &words, &[0, 1], Bit::FALSE);
    let (a, power) = scaled(context, &words[0], rounding);
    let result = product_of_floats(context, &a, &words[1], power, nan_word);
    let word = finish(context, &result, rounding);
    context.write(context.destination(), &word);
}

/// Returns the product of two floats and a power of two.
fn product_of_floats(context: &mut Context, a: &Word, b: &Word, power: i64, nan_word: Word) -> Unrounded {
    let graph = &mut *context.graph;
    let [a, b] = [a, b].map(|word| Float::new(graph, Format::BINARY32, word));
    let (x, y) = (a.value(graph), b.value(graph));
    let product = exact_product(graph, &x, &y, context.steps);
    let unit = graph.add(&product.unit, &Word::constant(UNIT, power as u64));
    let infinite = [a.is_infinite(graph), b.is_infinite(graph)];
    let zero = [a.is_zero(graph), b.is_zero(graph)];
    let invalid = [graph.and(infinite[0], zero[1]), graph.and(infinite[1], zero[0])];
    let nan = any_nan(graph, &[&a, &b]);
    Unrounded {
        zero_sign: product.sign,
        infinite_sign: product.sign,
        exact: Exact { unit, ..product },
        infinite: graph.any(infinite),
        nan: graph.any([nan, invalid[0], invalid[1]]),
        nan_word,
    }
}

/// Returns FMUL's first operand, and the power of two by which it is still to be multiplied. It is
/// not rounded under E176 = 1.
fn scaled(context: &mut Context, a: &Word, rounding: Rounding) -> (Word, i64) {
    let power = match context.modifier::<FMULScale>("scl") {
        FMULScale::NoScale => 0,
        FMULScale::D2 => -1,
        FMULScale::D4 => -2,
        FMULScale::D8 => -3,
        FMULScale::M2 => 1,
        FMULScale::M4 => 2,
        FMULScale::M8 => 3,
    };
    if power == 0 || context.reads(Reading::E176, 1) {
        return (a.clone(), power);
    }
    // A product with 1, so that infinities and NaN stay what they are.
    let one = Word::constant(32, 0x3f80_0000);
    let result = product_of_floats(context, a, &one, power, a.clone());
    let word = rounded(context, &result, rounding).0;
    if !context.reads(Reading::E176, 3) || !flushes(context) || context.reads(Reading::C010, 3) {
        return (word, 0);
    }
    let graph = &mut *context.graph;
    let subnormal = Float::new(graph, Format::BINARY32, &word).is_subnormal(graph);
    let zero = Word::constant(31, 0).below(&Word::from_bits([word.sign()]));
    (graph.select(subnormal, &zero, &word), 0)
}

/// FFMA: the exact product and the addend, rounded once.
pub(super) fn multiply_add(context: &mut Context) {
    if context.reads(Reading::E177, 1) {
        context.undefine(Reading::E177, Bit::TRUE);
    }
    let flushes_addend = context.reads(Reading::E179, 2);
    let words = [operand(context, 0, true), operand(context, 1, true), operand(context, 2, flushes_addend)];
    let mut rounding = rounding(context);
    if context.reads(Reading::E178, 1) {
        rounding.mode = FPRound::RN;
    }
    let product = product_of_floats(context, &words[0], &words[1], 0, Word::constant(32, 0x7fff_ffff));
    let invalid = {
        let floats = [0, 1].map(|place: usize| Float::new(context.graph, Format::BINARY32, &words[place]));
        let nan = any_nan(context.graph, &[&floats[0], &floats[1]]);
        context.graph.and(product.nan, !nan)
    };
    let nan_word = nan_word(context, &words, &[2, 0, 1], invalid);
    let result = if context.reads(Reading::E180, 1) {
        let (product, _) = rounded(context, &product, rounding);
        sum_of_floats(context, &product, &words[2], rounding.mode, nan_word)
    } else {
        fused_sum(context, product, &words[2], rounding.mode, nan_word)
    };
    let word = finish(context, &result, rounding);
    context.write(context.destination(), &word);
}

/// Returns the sum of an exact product and a float.
fn fused_sum(
    context: &mut Context,
    product: Unrounded,
    c: &Word,
    mode: FPRound,
    nan_word: Word,
) -> Unrounded {
    let c = Float::new(context.graph, Format::BINARY32, c);
    let zero_sign = zero_sign_of_sum(context, product.exact.sign, c.sign, mode);
    let graph = &mut *context.graph;
    let addend = c.value(graph);
    let exact = exact_sum(graph, &product.exact, &addend, REACH_OF_FUSED, context.steps);
    let (c_infinite, c_nan) = (c.is_infinite(graph), c.is_nan(graph));
    let unlike = graph.xor(product.infinite_sign, c.sign);
    let opposed = graph.all([product.infinite, c_infinite, unlike]);
    Unrounded {
        exact,
        zero_sign,
        infinite: graph.or(product.infinite, c_infinite),
        infinite_sign: graph.mux(product.infinite, product.infinite_sign, c.sign),
        nan: graph.any([product.nan, c_nan, opposed]),
        nan_word,
    }
}
