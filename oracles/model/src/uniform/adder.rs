//! The adder: UIADD, and the carry of all sums of the uniform datapath.

use assay_isa::tables::types::IExt;
use assay_isa::{Instruction, Operand, Reading, Source};

use crate::columns::{first, lanes};
use crate::knobs::Knobs;
use crate::semantics::{Minus, Semantics};

/// The least value that does not fit in a word.
pub(super) const MODULUS: i64 = 1 << 32;

/// Returns the carry. It is 1 if the sum is at least the modulus, or under setting 1 of `erratum`
/// if the sum exceeds the modulus, as in the code.
#[inline(always)]
pub(super) fn carries<K: Knobs, T: PartialOrd>(k: &K, erratum: Reading, sum: T, modulus: T) -> u32 {
    let exceeds = k.reading(erratum) == 1;
    u32::from(if exceeds { sum > modulus } else { sum >= modulus })
}

/// Returns whether an operand is an immediate that counts as negative in the carry, so that its
/// value is 2^32 less (E100 = 1).
pub(super) fn is_negative_immediate<K: Knobs>(k: &K, operand: Operand) -> bool {
    k.reading(Reading::E100) == 1 && matches!(operand.source, Source::Imm(bits) if bits >> 31 == 1)
}

/// Returns whether an operand is also the destination, and is read again after the write (E011 =
/// 1).
pub(super) fn is_read_again<K: Knobs>(k: &K, instruction: &Instruction, operand: Operand) -> bool {
    let destination = instruction.operand("urd").source;
    k.reading(Reading::E011) == 1 && operand.source == destination && destination.location().is_some()
}

/// Defines UIADD: the sum, and the carry. With `.X` a prefix is a complement (E099).
pub(crate) fn add<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> Semantics<K> {
    let complements = instruction.modifier("ext") == Some(IExt::X) && k.reading(Reading::E099) == 2;
    let minus = if complements { Minus::Complement } else { Minus::Negative };
    let m = Addition::of(k, instruction, inputs, minus);
    let semantics = Semantics::columns(move |k, columns, position, results| {
        let m = m;
        match position {
            0 => lanes(results, first(columns), |[a, b, upp]| sum(a, b, upp) as u32),
            _ => lanes(results, first(columns), |[a, b, upp]| carry(k, m, a, b, upp)),
        }
    });
    semantics.minus(minus)
}

/// UIADD's settings.
#[derive(Clone, Copy, Debug)]
struct Addition {
    /// The prefix of each source that is read again after the write.
    again: [Option<Minus>; 2],
    /// Whether the second source counts 2^32 less in the carry.
    borrows: bool,
}

impl Addition {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand], minus: Minus) -> Addition {
        let again = |operand: Operand| {
            let minus = if operand.neg { minus } else { Minus::Later };
            is_read_again(k, instruction, operand).then_some(minus)
        };
        Addition { again: [again(inputs[0]), again(inputs[1])], borrows: is_negative_immediate(k, inputs[1]) }
    }
}

#[inline(always)]
fn sum(a: u32, b: u32, carry_in: u32) -> i64 {
    i64::from(a) + i64::from(b) + i64::from(carry_in)
}

#[inline(always)]
fn carry<K: Knobs>(k: &K, m: Addition, a: u32, b: u32, carry_in: u32) -> u32 {
    let written = sum(a, b, carry_in) as u32;
    let [a, b] = [(a, m.again[0]), (b, m.again[1])]
        .map(|(before, again)| again.map_or(before, |minus| minus.of_integer(written)));
    let borrowed = if m.borrows { MODULUS } else { 0 };
    carries(k, Reading::E098, sum(a, b, carry_in) - borrowed, MODULUS)
}
