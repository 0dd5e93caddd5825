//! Hard cases of sums of two numbers.

use assay_isa::format::F32;

use super::number::{BITS, GREATEST, LEAST, pattern};
use super::{HardCase, HardClass, Promise, near_tie};

/// Significands of the larger term: even and odd ones at the ends of a binade, and some between.
const LARGER: [u32; 7] = [LEAST, LEAST + 1, LEAST + 2, 0xaa_aaab, 0xd5_5556, GREATEST - 1, GREATEST];

/// The exponent of the unit in the last place of the greatest numbers.
const LAST: i32 = F32.bias() - BITS as i32 + 1;

/// Numbers of bits by which a trace lies below the unit in the last place. They reach the guard and
/// sticky bits, the width of one and of two significands, and the limits of the exponents.
pub const TRACES: [i32; 16] = [2, 3, 4, 5, 22, 23, 24, 25, 26, 27, 31, 47, 48, 60, 100, 149];

/// Every case of FADD; the third operand is unused.
pub fn cases() -> Vec<HardCase> {
    let mut list = Vec::new();
    for exponent in [0, -120, 100, LAST] {
        for larger in LARGER {
            rounded(larger, exponent, &mut list);
        }
    }
    list.extend(at_the_ends());
    list.extend(cancelled());
    list.extend(zeros());
    list
}

/// Adds cases whose second term is a trace, half a unit of the larger term, or nearly half a unit,
/// with either sign.
fn rounded(larger: u32, exponent: i32, list: &mut Vec<HardCase>) {
    for negative in [false, true] {
        // Below a power of two, the unit in the last place is half as large.
        let unit = exponent - i32::from(negative && larger == LEAST);
        let carries = larger == GREATEST && !negative;
        let mut add = |class: HardClass, promise, significand, below: i32| {
            let class = if carries && exponent == LAST { HardClass::Overflow } else { class };
            let terms = pattern(larger, exponent).zip(pattern(significand, unit - below));
            list.extend(terms.map(|(a, b)| {
                let b = if negative { b | F32.sign_mask() } else { b };
                HardCase::new(class, promise, [a, b, 0])
            }));
        };
        for below in TRACES {
            add(HardClass::Sticky, Promise::NearNumber(below as u32), 1, below);
            add(HardClass::Sticky, Promise::NearNumber(below as u32), GREATEST, below + BITS as i32);
        }
        add(if carries { HardClass::Carry } else { HardClass::Tie }, Promise::Tie, 1, 1);
        // Half a unit, plus or minus one unit `below` places down. Each fits in one significand.
        for below in 3..=BITS {
            for (significand, beyond) in [((1 << (below - 1)) - 1, false), ((1 << (below - 1)) + 1, true)] {
                let class = near_tie(larger.is_multiple_of(2), beyond, 25);
                let class = if carries && beyond { HardClass::Carry } else { class };
                add(class, Promise::NearTie(below), significand, below as i32);
            }
        }
        add(HardClass::BrokenTie, Promise::NearTie(BITS + 1), GREATEST, BITS as i32 + 1);
    }
}

/// Adds sums of 2^128, of half a unit less and of a unit less, and sums within a few units of the
/// least normal number.
fn at_the_ends() -> impl Iterator<Item = HardCase> {
    let overflow = [
        (GREATEST - 1, LAST - 1, Promise::Number),
        (GREATEST, LAST - 1, Promise::Tie),
        (LEAST, LAST, Promise::Number),
    ];
    let overflow = overflow.into_iter().filter_map(|(significand, exponent, promise)| {
        Some(HardCase::new(
            HardClass::Overflow,
            promise,
            [pattern(LEAST, LAST)?, pattern(significand, exponent)?, 0],
        ))
    });
    let least = F32.fraction_mask() + 1;
    let sums = [1, 2, 3]
        .into_iter()
        .flat_map(move |n| [[least, n | F32.sign_mask(), 0], [least - n, n, 0], [least - n, n + 1, 0]]);
    overflow.chain(sums.map(|operands| HardCase::new(HardClass::Tininess, Promise::Number, operands)))
}

/// Adds differences of 1 to 24 bits. The terms have equal or neighbouring exponents.
fn cancelled() -> impl Iterator<Item = HardCase> {
    let left = (1..=BITS).flat_map(|bits| [(bits, u32::MAX >> (32 - bits)), (bits, 1 << (bits - 1) | 1)]);
    let minuends =
        left.flat_map(|(bits, left)| [GREATEST, LEAST + 1, 1 << BITS].map(|minuend| (bits, left, minuend)));
    let terms = minuends.filter(|(_, left, minuend)| left < minuend);
    terms.flat_map(|(bits, left, minuend)| {
        [0, F32.grid(), LAST].into_iter().filter_map(move |exponent| {
            let [a, b] = [pattern(minuend, exponent)?, pattern(minuend - left, exponent)?];
            Some(HardCase::new(HardClass::Cancellation, Promise::Leaves(bits), [a, b | F32.sign_mask(), 0]))
        })
    })
}

/// Adds sums of a number and its negation, and of two zeros of equal sign.
fn zeros() -> impl Iterator<Item = HardCase> {
    let least = F32.fraction_mask() + 1;
    let sizes = [0, 1, least - 1, least, least + 1, F32.one() - 1, F32.one(), F32.infinity() - 1];
    let opposed = sizes.into_iter().map(|x| [x, x | F32.sign_mask(), 0]);
    opposed.chain([[0, 0, 0]]).map(|operands| HardCase::new(HardClass::Zero, Promise::Number, operands))
}
