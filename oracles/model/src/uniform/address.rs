//! ULEA: the sum of a base and an index scaled by a power of two.

use assay_isa::tables::types::{IExt, LEASX32};
use assay_isa::{Instruction, Operand, Reading};

use super::adder::{MODULUS, carries};
use crate::columns::{first, lanes};
use crate::knobs::Knobs;
use crate::semantics::{Minus, Semantics};

/// Defines ULEA: the address, and the carry.
pub(crate) fn scale_and_add<K: Knobs>(_: &K, instruction: &Instruction, inputs: &[Operand]) -> Semantics<K> {
    let m = Address::of(instruction, inputs);
    // The fourth column is the shift, which `m` contains already.
    Semantics::columns(move |k, columns, position, results| {
        let m = m;
        match position {
            0 => lanes(results, first(columns), |[a, b, high, _, upp]| ulea(k, m, a, b, high, upp) as u32),
            _ => lanes(results, first(columns), |[a, b, high, _, upp]| {
                carries(k, Reading::E119, ulea(k, m, a, b, high, upp), MODULUS)
            }),
        }
    })
    .minus(Minus::Later)
}

/// The part of the scaled index that is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScaledPart {
    /// The low word.
    Low,
    /// The high word of an index of two words.
    High,
    /// The high word of a sign-extended index of one word.
    Extended,
}

/// ULEA's modifiers.
#[derive(Clone, Copy, Debug)]
struct Address {
    part: ScaledPart,
    /// Whether `-` precedes the index, or `~` with `.X`.
    negated: bool,
    shift: u32,
}

impl Address {
    /// Decodes an instruction.
    fn of(instruction: &Instruction, inputs: &[Operand]) -> Address {
        let part = match (instruction.modifier("ext"), instruction.modifier("sx32")) {
            (Some(IExt::X), Some(LEASX32::SX32)) => ScaledPart::Extended,
            (Some(IExt::X), _) => ScaledPart::High,
            _ => ScaledPart::Low,
        };
        let shift = instruction.get("shiftamt").unwrap_or_default() & 31;
        Address { part, negated: inputs[0].neg, shift }
    }

    /// Returns the scaled index as an unbounded integer, and an amount that is added to the sum.
    #[inline(always)]
    fn scaled<K: Knobs>(self, k: &K, index: u32, high: u32) -> (i64, i64) {
        let complements = k.reading(Reading::E126) == 2;
        match self.part {
            ScaledPart::Low => self.low(k, index),
            ScaledPart::High => {
                let pair = u64::from(high) << 32 | u64::from(index);
                let pair = match (self.negated, complements) {
                    (false, _) => pair,
                    (true, true) => !pair,
                    (true, false) => pair.wrapping_neg(),
                };
                ((pair >> (32 - self.shift)) as i64, 0)
            }
            ScaledPart::Extended => {
                let index = match (self.negated, complements) {
                    (false, _) => index,
                    (true, true) => !index,
                    (true, false) => index.wrapping_neg(),
                };
                (i64::from(index as i32) >> (32 - self.shift), 0)
            }
        }
    }

    /// Returns the scaled index in modes without `.X`, and an amount that is added to the sum. A
    /// subtracted index is represented by its complement and 1, so that the carry shows a borrow
    /// (E127).
    #[inline(always)]
    fn low<K: Knobs>(self, k: &K, index: u32) -> (i64, i64) {
        let shifted = |index: u32| i64::from(index) << self.shift;
        let early = k.reading(Reading::E127) == 1 || k.reading(Reading::E120) == 1;
        match (self.negated, early) {
            (false, _) => (shifted(index), 0),
            (true, true) => (shifted(index.wrapping_neg()), 0),
            (true, false) => (!shifted(index), 1),
        }
    }
}

#[inline(always)]
fn ulea<K: Knobs>(k: &K, m: Address, index: u32, base: u32, high: u32, carry_in: u32) -> i64 {
    let (scaled, carry) = m.scaled(k, index, high);
    let (base, word) = (i64::from(base) + i64::from(carry_in), MODULUS - 1);
    match k.reading(Reading::E120) {
        1 => scaled & (word + base),
        _ => (scaled & word) + base + carry,
    }
}
