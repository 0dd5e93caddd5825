//! UPRMT: selects four bytes out of eight.

use assay_isa::tables::types::PRMTMode;
use assay_isa::{Instruction, Operand, Reading};

use crate::columns::{first, lanes};
use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// Defines UPRMT. No available document does (E013). E160 decides which of the last two operands is
/// the selector.
pub(crate) fn permute<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = Permute::of(instruction);
    let semantics = Semantics::columns(move |k: &K, columns, _, results| {
        let m = m;
        let [a, b, c] = first(columns);
        let operands = if k.reading(Reading::E160) == 2 { [a, c, b] } else { [a, b, c] };
        match m.mode {
            PRMTMode::IDX => lanes(results, operands, |[a, b, s]| by_nibbles(k, pair(k, a, b), s)),
            _ => lanes(results, operands, |[a, b, s]| by_mode(k, m, pair(k, a, b), s)),
        }
    });
    semantics.undefined(k, Reading::E013, 1)
}

/// UPRMT's mode.
#[derive(Clone, Copy, Debug)]
struct Permute {
    mode: PRMTMode,
}

impl Permute {
    /// Decodes an instruction.
    fn of(instruction: &Instruction) -> Permute {
        Permute { mode: instruction.modifier("mode").unwrap_or(PRMTMode::IDX) }
    }

    /// Returns the number of the byte for position i, in modes other than `.IDX`. These modes have
    /// one selector for all positions.
    #[inline(always)]
    fn byte<K: Knobs>(self, k: &K, selector: u32, i: u32) -> u32 {
        let c = selector & 3;
        if k.reading(Reading::E158) == 1 {
            return c;
        }
        match self.mode {
            PRMTMode::F4E => c + i,
            PRMTMode::B4E => c.wrapping_sub(i) & 7,
            PRMTMode::IDX | PRMTMode::RC8 => c,
            PRMTMode::ECL => c.max(i),
            PRMTMode::ECR => c.min(i),
            PRMTMode::RC16 => 2 * (c & 1) + (i & 1),
        }
    }
}

/// Joins two words to eight bytes. Under E159 = 1 the first operand is sign-extended, as in C, so
/// that a negative one sets all bits of the second operand.
#[inline(always)]
fn pair<K: Knobs>(k: &K, a: u32, b: u32) -> u64 {
    let low = match k.reading(Reading::E159) {
        1 => i64::from(a as i32) as u64,
        _ => u64::from(a),
    };
    u64::from(b) << 32 | low
}

/// Returns a byte for each nibble of the selector. Bit 3 of a nibble replaces the selected byte by
/// eight copies of its sign bit (E157).
#[inline(always)]
fn by_nibbles<K: Knobs>(k: &K, pair: u64, selector: u32) -> u32 {
    let byte = |i: u32| {
        let nibble = selector >> (4 * i) & 15;
        let byte = (pair >> (8 * (nibble & 7))) as u8;
        let sign = (byte as i8 >> 7) as u8;
        let replicated = nibble & 8 != 0 && k.reading(Reading::E157) != 1;
        u32::from(if replicated { sign } else { byte }) << (8 * i)
    };
    byte(0) | byte(1) | byte(2) | byte(3)
}

#[inline(always)]
fn by_mode<K: Knobs>(k: &K, m: Permute, pair: u64, selector: u32) -> u32 {
    let byte = |i: u32| u32::from((pair >> (8 * m.byte(k, selector, i))) as u8) << (8 * i);
    byte(0) | byte(1) | byte(2) | byte(3)
}
