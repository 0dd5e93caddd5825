//! Floating-point units as hardware builds them, for proofs: FADD and FMUL to nearest even, without
//! flushing and saturation.
//!
//! They share no structure with the definitions: significands of fixed width are aligned to the
//! right with guard, round and sticky bits, and normalised to the left.

use assay_circuit::graph::{Bit, Graph};
use assay_circuit::word::Word;

/// The parts of a float: sign, effective exponent of 10 bits, significand of 24 bits.
struct Parts {
    sign: Bit,
    exponent: Word,
    significand: Word,
    special: Bit,
    fraction_is_zero: Bit,
}

fn split(graph: &mut Graph, word: &Word) -> Parts {
    let field = word.slice(23, 8);
    let normal = graph.any_bit(&field);
    let lowest = Word::from_bits([!normal]);
    let lowest = lowest.zero_extend(10);
    Parts {
        sign: word.bit(31),
        exponent: graph.or_words(&field.zero_extend(10), &lowest),
        significand: word.slice(0, 23).below(&Word::from_bits([normal])),
        special: graph.all_bits(&field),
        fraction_is_zero: graph.is_zero(&word.slice(0, 23)),
    }
}

const NAN: u64 = 0x7fff_ffff;

fn infinity(sign: Bit) -> Word {
    Word::constant(31, 0x7f80_0000).below(&Word::from_bits([sign]))
}

/// Rounds 27 bits, the last three of them guard, round and sticky, and packs the float. `exponent`
/// is that of a significand with its leading bit at place 26. A significand without that bit is
/// subnormal.
fn pack(graph: &mut Graph, sign: Bit, exponent: &Word, significand: &Word) -> Word {
    let rest = graph.or(significand.bit(0), significand.bit(1));
    let beyond = graph.or(rest, significand.bit(3));
    let up = graph.and(significand.bit(2), beyond);
    let rounded = graph.increment(&significand.slice(3, 24).zero_extend(25), up);
    let carry = rounded.bit(24);
    let normal = graph.or(carry, rounded.bit(23));
    let raised = graph.increment(exponent, carry);
    let field = graph.mask(&raised, normal);
    let is_in_range = graph.is_below(&field, 255);
    let packed = rounded.slice(0, 23).below(&field.slice(0, 8)).below(&Word::from_bits([sign]));
    graph.select(is_in_range, &packed, &infinity(sign))
}

/// A mistake in the adder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddFault {
    /// None.
    None,
    /// A carry is lost for one pair of significands.
    RareCarry,
    /// Bits that are shifted out of the smaller operand are forgotten.
    NoSticky,
    /// A subnormal sum is normalised.
    NoLimit,
}

/// FADD to nearest even, with a fault or without.
pub fn add(graph: &mut Graph, a: &Word, b: &Word, fault: AddFault) -> Word {
    let swap = graph.less(&a.slice(0, 31), &b.slice(0, 31));
    let (high, low) = (graph.select(swap, b, a), graph.select(swap, a, b));
    let (x, y) = (split(graph, &high), split(graph, &low));
    let distance = graph.sub(&x.exponent, &y.exponent);
    let extended = |word: &Word| Word::constant(3, 0).below(word).zero_extend(28);
    let (aligned, lost) = graph.shift_right_sticky(&extended(&y.significand), &distance);
    let lost = if fault == AddFault::NoSticky { Bit::FALSE } else { lost };
    let sticky = graph.or(aligned.bit(0), lost);
    let aligned = Word::from_bits([sticky]).below(&aligned.slice(1, 27));
    let subtracts = graph.xor(x.sign, y.sign);
    let flipped =
        Word::from_bits(aligned.bits().iter().map(|bit| graph.xor(*bit, subtracts)).collect::<Vec<_>>());
    let (sum, _) = graph.add_carry(&extended(&x.significand), &flipped, subtracts);
    // A carry moves the sum right by one place.
    let mut carry = sum.bit(27);
    if fault == AddFault::RareCarry {
        let pair = [graph.equals(&x.significand, 0xf5_a3c9), graph.equals(&y.significand, 0xd2_4e17)];
        let rare = graph.and(pair[0], pair[1]);
        carry = graph.and(carry, !rare);
    }
    let sticky = graph.or(sum.bit(0), sum.bit(1));
    let halved = Word::from_bits([sticky]).below(&sum.slice(2, 26));
    // Otherwise it moves left, but not below the least exponent.
    let zeros = graph.leading_zeros(&sum.slice(0, 27)).zero_extend(10);
    let room = graph.sub(&x.exponent, &Word::constant(10, 1));
    let limited = if fault == AddFault::NoLimit { Bit::FALSE } else { graph.less(&room, &zeros) };
    let places = graph.select(limited, &room, &zeros);
    let moved = graph.shift_left(&sum.slice(0, 27), &places.slice(0, 5));
    let significand = graph.select(carry, &halved, &moved);
    let one_more = graph.increment(&x.exponent, Bit::TRUE);
    let less = graph.sub(&x.exponent, &places);
    let exponent = graph.select(carry, &one_more, &less);
    let is_zero = graph.is_zero(&sum);
    let sign = graph.mux(is_zero, Bit::FALSE, x.sign);
    // Two zeros, or numbers, of one sign keep it.
    let sign = graph.mux(subtracts, sign, x.sign);
    let number = pack(graph, sign, &exponent, &significand);
    let (x_nan, y_nan) =
        (graph.and(x.special, !x.fraction_is_zero), graph.and(y.special, !y.fraction_is_zero));
    let opposed = graph.all([x.special, y.special, subtracts]);
    let nan = graph.any([x_nan, y_nan, opposed]);
    graph.first_of(&[(nan, Word::constant(32, NAN)), (x.special, infinity(x.sign))], &number)
}

/// FMUL to nearest even. `multiply` returns the product of the significands.
pub fn multiply(
    graph: &mut Graph,
    a: &Word,
    b: &Word,
    multiply: impl Fn(&mut Graph, &Word, &Word) -> Word,
) -> Word {
    let (x, y) = (split(graph, a), split(graph, b));
    let sign = graph.xor(x.sign, y.sign);
    let product = multiply(graph, &x.significand, &y.significand);
    // The leading bit of a product of normal numbers is at place 47 or 46. With it at 47, the
    // exponent is ea + eb - 126.
    let zeros = graph.leading_zeros(&product).zero_extend(12);
    let sum = graph.add(&x.exponent.zero_extend(12), &y.exponent.zero_extend(12));
    let top = graph.sub(&sum, &Word::constant(12, 126));
    let normalised = graph.shift_left(&product, &zeros.slice(0, 6));
    let exponent = graph.sub(&top, &zeros);
    // A result below the least exponent moves right.
    let one = Word::constant(12, 1);
    let is_low = graph.less_signed(&exponent, &one);
    let deficit = graph.sub(&one, &exponent);
    let deficit = graph.mask(&deficit, is_low);
    let (moved, lost) = graph.shift_right_sticky(&normalised, &deficit.slice(0, 11));
    let rest = graph.any_bit(&moved.slice(0, 22));
    let sticky = graph.or(rest, lost);
    let significand = Word::from_bits([sticky]).below(&moved.slice(22, 26));
    let exponent = graph.select(is_low, &one, &exponent);
    let number = pack(graph, sign, &exponent, &significand);
    let zero = [graph.is_zero(&x.significand), graph.is_zero(&y.significand)];
    let nans = [graph.and(x.special, !x.fraction_is_zero), graph.and(y.special, !y.fraction_is_zero)];
    let invalid = [graph.and(x.special, zero[1]), graph.and(y.special, zero[0])];
    let nan = graph.any([nans[0], nans[1], invalid[0], invalid[1]]);
    let infinite = graph.or(x.special, y.special);
    let signed_zero = Word::constant(31, 0).below(&Word::from_bits([sign]));
    let is_zero = graph.or(zero[0], zero[1]);
    let cases = [(nan, Word::constant(32, NAN)), (infinite, infinity(sign)), (is_zero, signed_zero)];
    graph.first_of(&cases, &number)
}
