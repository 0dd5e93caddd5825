//! The rounding of an exact number to a float.

use assay_isa::tables::types::FPRound;

use super::exact::{Exact, UNIT};
use super::format::Format;
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// A rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounding {
    /// The direction.
    pub mode: FPRound,
    /// Whether `RN` rounds a tie away from zero, and not to even (E169).
    pub ties_away: bool,
}

/// A rounded number.
#[derive(Clone, Debug)]
pub struct Rounded {
    /// The float without its sign. Overflow gives infinity or the largest number.
    pub magnitude: Word,
    /// Whether the exact number is not 0 and below the least normal number.
    pub tiny_before: Bit,
    /// Whether the number is not 0 and below the least normal number after it is rounded to the
    /// precision of the format with an unbounded exponent.
    pub tiny_after: Bit,
}

/// Rounds a number.
///
/// The result is a multiple of 2^q. The exponent q is that of the last bit of the precision, but
/// not below the least exponent of the format. So a subnormal number needs no other treatment.
pub fn round(graph: &mut Graph, format: Format, exact: &Exact, rounding: Rounding) -> Rounded {
    let fraction = format.fraction;
    let width = exact.magnitude.width();
    // e is the exponent of the leading bit.
    let zeros = graph.leading_zeros(&exact.magnitude).zero_extend(UNIT);
    let place = graph.sub(&Word::constant(UNIT, width as u64 - 1), &zeros);
    let leading = graph.add(&place, &exact.unit);
    let last = graph.sub(&leading, &Word::constant(UNIT, fraction as u64));
    let least = Word::constant(UNIT, format.least_exponent() as u64);
    let is_below = graph.less_signed(&last, &least);
    let quantum = graph.select(is_below, &least, &last);
    // The magnitude is shifted right by q − unit, which is not below −fraction. Zeros below the
    // magnitude make the amount non-negative and keep two more bits of the result.
    let amount = graph.sub(&quantum, &exact.unit);
    let amount = graph.add(&amount, &Word::constant(UNIT, fraction as u64)).slice(0, UNIT - 1);
    let padded = Word::constant(fraction + 2, 0).below(&exact.magnitude);
    let (shifted, lost) = graph.shift_right_sticky(&padded, &amount);
    let shifted = shifted.zero_extend(fraction + 3);
    let kept = shifted.slice(2, fraction + 1);
    let inexact = graph.any([shifted.bit(0), lost]);
    let up = rounds_up(graph, exact.sign, kept.bit(0), shifted.bit(1), inexact, rounding);
    let is_zero = graph.is_zero(&exact.magnitude);
    let tiny_before = graph.and(is_below, !is_zero);
    let becomes_normal = tops_out(graph, &shifted, lost, exact.sign, &last, rounding, format);
    let magnitude = encode(graph, format, &kept, &quantum, up, (exact.sign, rounding));
    Rounded {
        magnitude: graph.mask(&magnitude, !is_zero),
        tiny_before,
        tiny_after: graph.and(tiny_before, !becomes_normal),
    }
}

/// Whether a number with this last bit is rounded away from zero. `half` is the first lost bit, and
/// `rest` states whether any other lost bit is 1.
fn rounds_up(graph: &mut Graph, sign: Bit, last: Bit, half: Bit, rest: Bit, rounding: Rounding) -> Bit {
    let inexact = graph.or(half, rest);
    match rounding.mode {
        FPRound::RZ => Bit::FALSE,
        FPRound::RP => graph.and(inexact, !sign),
        FPRound::RM => graph.and(inexact, sign),
        FPRound::RN if rounding.ties_away => half,
        FPRound::RN => {
            let beyond = graph.or(rest, last);
            graph.and(half, beyond)
        }
    }
}

/// Whether a number just below the least normal one reaches it when it is rounded to the whole
/// precision: it has the leading exponent of one less, all ones, and is rounded up.
fn tops_out(
    graph: &mut Graph,
    shifted: &Word,
    lost: Bit,
    sign: Bit,
    last: &Word,
    rounding: Rounding,
    format: Format,
) -> Bit {
    // One more bit than on the grid of the format belongs to the number.
    let kept = shifted.slice(1, format.fraction + 1);
    let up = rounds_up(graph, sign, kept.bit(0), shifted.bit(0), lost, rounding);
    let ones = graph.all_bits(&kept);
    let is_next = graph.equals(last, (format.least_exponent() - 1) as u64 & ((1 << UNIT) - 1));
    graph.all([ones, up, is_next])
}

/// Returns the float of kept + up times 2^quantum. A carry moves into the exponent by itself.
fn encode(
    graph: &mut Graph,
    format: Format,
    kept: &Word,
    quantum: &Word,
    up: Bit,
    (sign, rounding): (Bit, Rounding),
) -> Word {
    let least = Word::constant(UNIT, format.least_exponent() as u64);
    let steps = graph.sub(quantum, &least);
    let base = Word::constant(format.fraction, 0).below(&steps);
    let width = base.width();
    let code = graph.add_carry(&base, &kept.zero_extend(width), up).0;
    let infinity = format.infinity();
    let overflows = !graph.less(&code, &infinity.zero_extend(width));
    // The largest number is one below infinity.
    let largest = graph.add(&infinity, &Word::repeated(Bit::TRUE, infinity.width()));
    let to_infinity = match rounding.mode {
        FPRound::RN => Bit::TRUE,
        FPRound::RZ => Bit::FALSE,
        FPRound::RP => !sign,
        FPRound::RM => sign,
    };
    let beyond = graph.select(to_infinity, &infinity, &largest);
    graph.select(overflows, &beyond, &code.slice(0, format.magnitude_bits()))
}
