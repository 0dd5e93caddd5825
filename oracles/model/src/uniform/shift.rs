//! USHF: the funnel shifter.

use assay_isa::tables::types::{CWMode, LOHI, SHFDType, SHFDir};
use assay_isa::{Instruction, Operand, Reading};

use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// Defines USHF. The document's code does not define the amount (E149).
pub(crate) fn shift<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = Shift::of(k, instruction);
    Semantics::ternary(move |k, a, b, c| ushf(k, m, a, b, c)).undefined(k, Reading::E149, 1)
}

/// USHF's modifiers.
#[derive(Clone, Copy, Debug)]
struct Shift {
    right: bool,
    high: bool,
    wrap: bool,
    /// The greatest number of places: 32 or 64.
    width: u32,
    /// Whether copies of the sign are shifted in from the left.
    signed: bool,
    /// Whether the pair is the sign-extended first operand (E152 = 2).
    alone: bool,
}

impl Shift {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Shift {
        let itype = instruction.modifier("itype").unwrap_or(SHFDType::S32);
        let right = instruction.modifier("direction") == Some(SHFDir::R);
        let high = instruction.modifier("lohi") == Some(LOHI::HI);
        let wrap = instruction.modifier("cwmod") == Some(CWMode::WRAP);
        let alone = k.reading(Reading::E152) == 2;
        Shift {
            right,
            high,
            wrap,
            width: if matches!(itype, SHFDType::S64 | SHFDType::U64) { 64 } else { 32 },
            signed: matches!(itype, SHFDType::S32 | SHFDType::S64),
            alone: alone && right && itype == SHFDType::S32,
        }
    }

    /// Returns the number of places: the amount, limited to the width or modulo the width.
    #[inline(always)]
    fn places<K: Knobs>(self, k: &K, amount: u32) -> u32 {
        let full = k.reading(Reading::E151) == 1 && amount == self.width;
        if self.wrap && !full { amount & (self.width - 1) } else { amount.min(self.width) }
    }
}

/// USHF: the selected word of the shifted pair c:a.
#[inline(always)]
fn ushf<K: Knobs>(k: &K, m: Shift, a: u32, amount: u32, c: u32) -> u32 {
    let places = m.places(k, amount);
    let pair = if m.alone { i64::from(a as i32) as u64 } else { u64::from(c) << 32 | u64::from(a) };
    let shifted = if m.right { right(m, pair, places) } else { left(k, pair, places) };
    if m.high { (shifted >> 32) as u32 } else { shifted as u32 }
}

#[inline(always)]
fn right(m: Shift, pair: u64, places: u32) -> u64 {
    let moved_in = if m.signed { (pair as i64 >> 63) as u64 } else { 0 };
    if places == 64 { moved_in } else { ((u128::from(moved_in) << 64 | u128::from(pair)) >> places) as u64 }
}

/// Shifts left. Under E153 = 1 a shift by 64 places has no effect, as on a 64-bit machine.
#[inline(always)]
fn left<K: Knobs>(k: &K, pair: u64, places: u32) -> u64 {
    let lost = places == 64 && k.reading(Reading::E153) == 2;
    if lost { 0 } else { pair << (places & 63) }
}
