//! Exact sums and products of integers times powers of two.

use crate::definition::Steps;
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// Number of bits of an exponent: signed, from −2048 to 2047. The exponents of products of binary32
/// numbers, and of their leading bits, lie between −600 and 700.
pub const UNIT: usize = 12;

/// The number (−1)^sign · magnitude · 2^unit. Any width of the magnitude will do.
#[derive(Clone, Debug)]
pub struct Exact {
    /// 1 if the number is negative.
    pub sign: Bit,
    /// The magnitude, unsigned.
    pub magnitude: Word,
    /// The exponent of the least significant bit, signed, in [`UNIT`] bits.
    pub unit: Word,
}

/// Returns the product.
pub fn exact_product(graph: &mut Graph, a: &Exact, b: &Exact, steps: &mut dyn Steps) -> Exact {
    Exact {
        sign: graph.xor(a.sign, b.sign),
        magnitude: steps.product(graph, &a.magnitude, &b.magnitude),
        unit: graph.add(&a.unit, &b.unit),
    }
}

/// Returns the sum. `reach` is the largest difference of the units that can occur.
///
/// The number with the larger unit is shifted left until the units are equal, so that no bit is
/// lost. The sign of a sum of 0 is 0.
pub fn exact_sum(graph: &mut Graph, a: &Exact, b: &Exact, reach: usize, steps: &mut dyn Steps) -> Exact {
    let width = a.magnitude.width().max(b.magnitude.width());
    let swap = graph.less_signed(&a.unit, &b.unit);
    let mut choose = |x: &Exact, y: &Exact| Exact {
        sign: graph.mux(swap, x.sign, y.sign),
        magnitude: graph.select(swap, &x.magnitude.zero_extend(width), &y.magnitude.zero_extend(width)),
        unit: graph.select(swap, &x.unit, &y.unit),
    };
    let (high, low) = (choose(b, a), choose(a, b));
    let distance = graph.sub(&high.unit, &low.unit);
    steps.distance(graph, &distance);
    // One bit for the carry and one for the sign.
    let width = width + reach + 2;
    let digits = crate::word::count::number_of_bits(reach);
    let shifted = graph.shift_left(&high.magnitude.zero_extend(width), &distance.slice(0, digits));
    let high_value = graph.negate_if(&shifted, high.sign);
    let low_value = graph.negate_if(&low.magnitude.zero_extend(width), low.sign);
    let sum = graph.add(&high_value, &low_value);
    Exact {
        sign: sum.sign(),
        magnitude: graph.negate_if(&sum, sum.sign()).slice(0, width - 1),
        unit: low.unit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Whole;
    use crate::word::testing::{all_pairs, check_pairs};

    /// Reads a number from 6 bits: a sign, a unit from 0 to 3, and a magnitude from 0 to 7.
    fn number(graph: &mut Graph, word: &Word) -> Exact {
        let base = Word::constant(UNIT, (-5i64) as u64);
        Exact {
            sign: word.bit(0),
            magnitude: word.slice(3, 3),
            unit: graph.add(&word.slice(1, 2).zero_extend(UNIT), &base),
        }
    }

    fn value(word: u64) -> i64 {
        let magnitude = (word >> 3) as i64 * (1 << (word >> 1 & 3));
        if word & 1 == 1 { -magnitude } else { magnitude }
    }

    #[test]
    fn sums_and_products_are_exact() {
        // The results are shown as integers times 2^-5 and 2^-10.
        let show = |graph: &mut Graph, exact: &Exact, base: i64| {
            let shift = graph.sub(&exact.unit, &Word::constant(UNIT, base as u64));
            let shifted = graph.shift_left(&exact.magnitude.zero_extend(16), &shift);
            graph.negate_if(&shifted, exact.sign)
        };
        let sum = |graph: &mut Graph, a: &Word, b: &Word| {
            let (a, b) = (number(graph, a), number(graph, b));
            let sum = exact_sum(graph, &a, &b, 3, &mut Whole);
            show(graph, &sum, -5)
        };
        let product = |graph: &mut Graph, a: &Word, b: &Word| {
            let (a, b) = (number(graph, a), number(graph, b));
            let product = exact_product(graph, &a, &b, &mut Whole);
            show(graph, &product, -10)
        };
        let pairs = all_pairs((6, 6));
        check_pairs((6, 6), &pairs, sum, |a, b| (value(a) + value(b)) as u64 & 0xffff);
        check_pairs((6, 6), &pairs, product, |a, b| (value(a) * value(b)) as u64 & 0xffff);
    }
}
