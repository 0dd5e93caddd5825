//! Bitwise operations: ULOP3, UPLOP3, UP2UR and UR2UP. BFN also uses [`Lut`].

use assay_isa::tables::types::{BSel, EXBool};
use assay_isa::{Instruction, Operand, Reading};

use crate::columns::{first, lanes};
use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// Defines ULOP3. The outputs are a word, and the predicate that the word is not zero, combined
/// with the input predicate. No available document defines ULOP3 (E013).
pub(crate) fn of_words<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let lut = Lut::of(k, instruction);
    let and = instruction.modifier("exbool") == Some(EXBool::PAND);
    // The fourth column is the truth table, which `lut` contains already.
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

/// Defines UP2UR: predicates replace those bits of a byte that the mask selects. The columns are
/// the predicates, the register, the mask, and the destination's old value, of which the other
/// bytes may stay (E135).
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

/// Defines UR2UP: each predicate that the mask selects is set to its bit of the byte. The columns
/// are the register, the mask and the old predicates.
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
/// The bits of the predicates with storage: all except UPT.
const STORED: u32 = 0x7f;

/// Returns the position of the lowest bit of the byte that a suffix selects.
fn shift(selected: Option<BSel>) -> u32 {
    8 * selected.map_or(0, |byte| byte as u32)
}

/// A function of three bits. The function is stored as a word for each combination of inputs: all
/// zeros or all ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lut([u32; 8]);

impl Lut {
    /// Creates the function whose value for a, b and c is bit 4a + 2b + c of a table.
    pub(crate) fn new(table: u32) -> Lut {
        Lut(std::array::from_fn(|i| (table >> i & 1).wrapping_neg()))
    }

    /// Returns the function of an instruction. Under E148 = 2 the order of the inputs is reversed:
    /// the first input has the weight 1.
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Lut {
        let Lut(mut words) = Lut::new(instruction.get("lut").unwrap_or_default());
        if k.reading(Reading::E148) == 2 {
            words.swap(0b100, 0b001);
            words.swap(0b110, 0b011);
        }
        Lut(words)
    }

    /// Applies the function to each bit of three words, by a tree of multiplexers.
    #[inline(always)]
    pub(crate) fn look_up(self, a: u32, b: u32, c: u32) -> u32 {
        let choose = |bits: u32, one: u32, zero: u32| zero ^ bits & (one ^ zero);
        let by_c = |i: usize| choose(c, self.0[i + 1], self.0[i]);
        choose(a, choose(b, by_c(6), by_c(4)), choose(b, by_c(2), by_c(0)))
    }
}
