//! Bitwise operations: ULOP3, UPLOP3, UP2UR and UR2UP. BFN shares the table of three inputs.

use assay_isa::tables::types::{BSel, EXBool};
use assay_isa::{Instruction, Operand, Reading};

use crate::columns::{first, lanes};
use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// ULOP3: the word, and whether it is non-zero, combined with the input predicate. No available document
/// defines it (E013).
pub(crate) fn of_words<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let lut = Lut::of(k, instruction);
    let and = instruction.modifier("exbool") == Some(EXBool::PAND);
    // The table has a column of its own, between the third source and the predicate.
    let semantics = Semantics::columns(move |_, columns, position, results| {
        let lut = lut;
        match position {
            0 => lanes(results, first(columns), |[a, b, c]| lut.look_up(a, b, c)),
            _ => lanes(results, first(columns), |[a, b, c, _, upp]| {
                let any = u32::from(lut.look_up(a, b, c) != 0);
                if and { any & upp } else { any | upp }
            }),
        }
    });
    semantics.undefined(k, Reading::E013, 1)
}

/// Defines UPLOP3.
pub(crate) fn of_predicates<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let lut = Lut::of(k, instruction);
    let semantics = Semantics::columns(move |_, columns, _, results| {
        let lut = lut;
        lanes(results, first(columns), |[a, b, c]| lut.look_up(a, b, c) & 1);
    });
    semantics.undefined(k, Reading::E013, 1)
}

/// UP2UR: predicates replace the bits of a byte that the mask selects. The columns are the
/// predicates, the register, the mask and, if its other bytes stay, the destination (E135).
pub(crate) fn from_predicates<K: Knobs>(_: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let shift = shift(instruction.modifier("bsel"));
    Semantics::columns(move |k: &K, columns, _, results| {
        let shift = shift;
        let read = if k.reading(Reading::C008) == 1 { BYTE } else { STORED };
        let merged = |predicates: u32, x: u32, mask: u32| {
            (mask & predicates & read | !mask & x >> shift & BYTE) << shift
        };
        let others = !(BYTE << shift);
        match k.reading(Reading::E135) {
            1 => lanes(results, first(columns), |[p, x, mask, old]| merged(p, x, mask) | old & others),
            2 => lanes(results, first(columns), |[p, x, mask]| merged(p, x, mask) | x & others),
            _ => lanes(results, first(columns), |[p, x, mask]| merged(p, x, mask)),
        }
    })
}

/// UR2UP: each predicate takes its bit of the byte where the mask selects it. The columns are the
/// register, the mask and the old predicates.
pub(crate) fn to_predicates<K: Knobs>(_: &K, _: &Instruction, inputs: &[Operand]) -> Semantics<K> {
    let shift = shift(inputs[0].byte);
    Semantics::columns(move |k: &K, columns, position, results| {
        let shift = shift;
        let stays = k.reading(Reading::E139) == 2;
        lanes(results, first(columns), |[x, mask, old]| {
            let kept = if stays { old & !mask } else { 0 };
            (x >> shift & mask | kept) >> position & 1
        });
    })
}

const BYTE: u32 = 0xff;
/// The predicates that are stored: all but UPT.
const STORED: u32 = 0x7f;

/// Returns how far the byte that a suffix selects is from the lowest bit.
fn shift(selected: Option<BSel>) -> u32 {
    8 * selected.map_or(0, |byte| byte as u32)
}

/// A function of three bits: a word of zeros or ones for each combination of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lut([u32; 8]);

impl Lut {
    /// Creates the function whose value for a, b and c is bit 4a + 2b + c of a table.
    pub(crate) fn new(table: u32) -> Lut {
        Lut(std::array::from_fn(|i| (table >> i & 1).wrapping_neg()))
    }

    /// Returns the table of an instruction. In the other order the first input counts 1 (E148).
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Lut {
        let Lut(mut words) = Lut::new(instruction.get("lut").unwrap_or_default());
        if k.reading(Reading::E148) == 2 {
            words.swap(0b100, 0b001);
            words.swap(0b110, 0b011);
        }
        Lut(words)
    }

    /// Applies the function to each bit of three words: a tree of multiplexers.
    #[inline(always)]
    pub(crate) fn look_up(self, a: u32, b: u32, c: u32) -> u32 {
        let choose = |bits: u32, one: u32, zero: u32| zero ^ bits & (one ^ zero);
        let by_c = |i: usize| choose(c, self.0[i + 1], self.0[i]);
        choose(a, choose(b, by_c(6), by_c(4)), choose(b, by_c(2), by_c(0)))
    }
}
