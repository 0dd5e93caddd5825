//! UF2FP.

use assay_isa::Reading;
use assay_isa::tables::types::FPRound;

use super::format::{Float, Format};
use super::round::{Rounding, round};
use crate::definition::context::Context;
use crate::graph::Bit;
use crate::word::Word;

/// UF2FP: two floats rounded to binary16, the first in the high half.
pub(super) fn pack_halves(context: &mut Context) {
    if context.reads(Reading::E168, 2) {
        context.undefine(Reading::E168, Bit::TRUE);
    }
    let [high, low] = [0, 1].map(|place| half(context, &context.raw(context.source(place))));
    context.write(context.destination(), &low.below(&high));
}

/// Returns a binary32 number rounded to binary16, to nearest even.
fn half(context: &mut Context, word: &Word) -> Word {
    let setting = context.setting(Reading::C006);
    let graph = &mut *context.graph;
    let float = Float::new(graph, Format::BINARY32, word);
    let value = float.value(graph);
    let rounding = Rounding { mode: FPRound::RN, ties_away: false };
    let rounded = round(graph, Format::BINARY16, &value, rounding).magnitude;
    let with_sign = |magnitude: &Word| magnitude.below(&Word::from_bits([float.sign]));
    let nan_word = match setting {
        1 => Word::constant(16, 0x7fff),
        2 => Word::constant(16, 0x7e00),
        _ => {
            let leading = float.fraction().slice(13, 9).below(&Word::constant(1, 1));
            with_sign(&leading.below(&Word::repeated(Bit::TRUE, 5)))
        }
    };
    let (nan, infinite) = (float.is_nan(graph), float.is_infinite(graph));
    let cases = [(nan, nan_word), (infinite, with_sign(&Format::BINARY16.infinity()))];
    graph.first_of(&cases, &with_sign(&rounded))
}
