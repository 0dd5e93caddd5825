//! POPC, FLO, BREV, BMSK and SGXT (document `000`): counting, finding, masking and extending bits.
//!
//! Operands come with their `~` applied. Amounts reach 32, where a 32-bit shift has no meaning, so masks
//! are made in 64 bits and cut.

use assay_isa::tables::types::{CWMode, FLOSH, IType};
use assay_isa::{Instruction, Reading, Source};

use crate::faults::Fault;
use crate::float::SIGN;
use crate::knobs::Knobs;

/// POPC: the number of ones.
#[inline(always)]
pub(crate) fn popc<K: Knobs>(k: &K, mut x: u32) -> u32 {
    if k.fault(Fault::PopcSignBitLost) {
        x &= !SIGN;
    }
    if k.fault(Fault::PopcUpperHalf) {
        x = x & 0xffff | x << 16;
    }
    if k.fault(Fault::PopcHighByteLost) {
        x &= !((x >> 7 & 0x0101_0101) * 0xff);
    }
    if k.fault(Fault::PopcFullNibbleLost) {
        x &= !((x & x >> 1 & x >> 2 & x >> 3 & 0x1111_1111) * 0xf);
    }
    let count = x.count_ones();
    if k.fault(Fault::PopcCountWraps) { count & 31 } else { count }
}

/// What FLO's modifiers and readings ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Find {
    /// `.S32`
    signed: bool,
    /// `.SH`
    shift: bool,
    /// What the search sees whatever the operand is: the destination, which has been written (E011 = 1).
    overwritten: Option<u32>,
}

impl Find {
    /// What an instruction asks for.
    pub(crate) fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Find {
        let source = instruction.inputs().next().expect("FLO has a source");
        let same = source.source.location().is_some()
            && instruction.outputs().any(|output| output.source == source.source);
        Find {
            signed: instruction.modifier("itype") == Some(IType::S32) && !k.fault(Fault::FloSignedIgnored),
            shift: instruction.modifier("sh") == Some(FLOSH::SH),
            overwritten: (k.reading(Reading::E011) == 1 && same).then_some(match source.bitnot {
                true => 0,
                false => !0,
            }),
        }
    }

    /// The complement that the code assigns to the operand, where it does (E050, E051, E052).
    #[inline(always)]
    pub(crate) fn complement<K: Knobs>(self, k: &K, x: u32) -> Option<u32> {
        let all = k.reading(Reading::E051) == 1 || k.fault(Fault::FloPositiveComplemented);
        let reached = x != 0 || k.reading(Reading::E050) == 1;
        let chosen = self.signed && k.reading(Reading::E052) == 2 && reached;
        (chosen && (all || x & SIGN != 0)).then_some(!x)
    }
}

/// FLO: the position of the highest one, or with `.SH` its distance from bit 31; all ones if there is none.
#[inline(always)]
pub(crate) fn flo<K: Knobs>(k: &K, m: Find, x: u32) -> u32 {
    let not_found = if k.fault(Fault::FloZeroPosition) { 0 } else { !0 };
    if k.reading(Reading::E050) == 2 && x == 0 && !k.fault(Fault::FloNotFoundShifted) {
        return not_found;
    }
    let absolute = k.reading(Reading::E052) == 1 || k.fault(Fault::FloAbsoluteValue);
    let mut searched = match m.signed && absolute {
        true => (x as i32).unsigned_abs(),
        false => m.complement(k, x).unwrap_or(x),
    };
    searched = m.overwritten.unwrap_or(searched);
    if k.fault(Fault::FloTopBitUnseen) {
        searched &= !SIGN;
    }
    if k.fault(Fault::FloLowestBitUnseen) {
        searched &= !1;
    }
    if k.fault(Fault::FloFromBottom) {
        searched &= searched.wrapping_neg();
    }
    let above = searched.leading_zeros();
    let shifted = if k.fault(Fault::FloShiftOffByOne) { above + 1 } else { above };
    if searched == 0 {
        // 31 − 0xFFFFFFFF = 32 (E053).
        let literal = k.reading(Reading::E053) == 1 || k.fault(Fault::FloNotFoundShifted);
        if m.shift && literal { 32 } else { not_found }
    } else if m.shift {
        shifted
    } else {
        31 - above
    }
}

/// BREV: the complement, as the document has it; E056 = 2 goes by the name.
#[inline(always)]
pub(crate) fn brev<K: Knobs>(k: &K, x: u32) -> u32 {
    if k.reading(Reading::E056) == 2 || k.fault(Fault::BrevReverses) {
        x.reverse_bits()
    } else if k.fault(Fault::BrevNegates) {
        x.wrapping_neg()
    } else if k.fault(Fault::BrevLogicalNot) {
        u32::from(x == 0)
    } else if k.fault(Fault::BrevTopBitKept) {
        x ^ !SIGN
    } else if k.fault(Fault::BrevHighHalfKept) {
        x ^ 0xffff
    } else if k.fault(Fault::BrevOddBitsKept) {
        x ^ 0x5555_5555
    } else if k.fault(Fault::BrevBytesSwapped) {
        (!x).swap_bytes()
    } else {
        !x
    }
}

/// What BMSK's modifiers and readings ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mask {
    /// `.WRAP`
    wrap: bool,
    /// An amount with the top bit set is below 32 (E023 = 2).
    signed: bool,
    /// As many more ones than the amount (E057 = 1).
    more: u32,
}

impl Mask {
    /// What an instruction asks for.
    pub(crate) fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Mask {
        let immediate = instruction.inputs().any(|input| matches!(input.source, Source::Imm(_)));
        let inclusive = k.reading(Reading::E057) == 1;
        Mask {
            wrap: wraps(instruction) != k.fault(Fault::BmskModesSwapped),
            signed: immediate
                && (k.reading(Reading::E023) == 2 && !inclusive || k.fault(Fault::BmskImmediateSigned)),
            more: u32::from(inclusive || k.fault(Fault::BmskOneTooMany)),
        }
    }
}

/// Whether an instruction has no value, because its code names a register that it lacks (E058 = 2).
pub(crate) fn bmsk_is_undefined<K: Knobs>(k: &K, instruction: &Instruction) -> bool {
    let unnamed = |source| matches!(source, Source::Imm(_) | Source::Const { .. });
    k.reading(Reading::E058) == 2
        && k.reading(Reading::E057) == 2
        && instruction.inputs().any(|input| unnamed(input.source))
}

fn wraps(instruction: &Instruction) -> bool {
    instruction.modifier("cwmode") == Some(CWMode::WRAP)
}

/// BMSK: as many ones as the amount says from a position upward, as far as there are bits.
#[inline(always)]
pub(crate) fn bmsk<K: Knobs>(k: &K, m: Mask, position: u32, amount: u32) -> u32 {
    let (position, amount) = match k.fault(Fault::BmskOperandsSwapped) {
        true => (amount, position),
        false => (position, amount),
    };
    let amount = if k.fault(Fault::BmskAmountByte) { amount & 0xff } else { amount };
    // Beyond 32 nothing changes: no bit is left to start from or to end at.
    let modulus_mask = if k.fault(Fault::BmskWrapSixBits) { 63 } else { 31 };
    let limited = |x: u32, wrap: bool| if wrap { (x & modulus_mask).min(32) } else { x.min(32) };
    let start = limited(position, m.wrap || k.fault(Fault::BmskPositionWraps));
    let signed = m.signed && amount & SIGN != 0;
    let mut ones = limited(amount, m.wrap || signed || k.fault(Fault::BmskAmountWraps)) + m.more;
    if k.fault(Fault::BmskFullAmount) && ones == 32 {
        ones = 0;
    }
    if k.fault(Fault::BmskEndWraps) && start < 32 && start + ones > 32 {
        return ((1_u64 << (start + ones - 32)) - 1) as u32 ^ !0 << start;
    }
    (((1_u64 << ones) - 1) << start) as u32
}

/// What SGXT's modifiers ask for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extend {
    /// `.S32`
    signed: bool,
    /// `.WRAP`
    wrap: bool,
}

impl Extend {
    /// What an instruction asks for.
    pub(crate) fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Extend {
        let unsigned = instruction.modifier("itype") == Some(IType::U32);
        Extend {
            signed: !unsigned || k.fault(Fault::SgxtUnsignedExtended),
            wrap: wraps(instruction) != k.fault(Fault::SgxtModesSwapped),
        }
    }
}

/// SGXT: the low bits of x, as many as the width says, extended to 32; 0 for a width of 0.
#[inline(always)]
pub(crate) fn sgxt<K: Knobs>(k: &K, m: Extend, x: u32, width: u32) -> u32 {
    let width = effective_width(k, m, width);
    // The code's shift by 32 is one by 0 on a 32-bit machine, so that its mask is empty (E063).
    let empty = k.reading(Reading::E063) == 1 && m.signed || k.fault(Fault::SgxtFullWidth);
    let mask = if empty && width == 32 { 0 } else { ((1_u64 << width) - 1) as u32 };
    let field = x & mask;
    let sign = if m.signed { mask & !(mask >> 1) } else { 0 };
    if k.fault(Fault::SgxtSignBitLow) && m.signed {
        return if field & sign >> 1 != 0 { field | !mask } else { field };
    }
    if k.fault(Fault::SgxtPositiveUncut) && field & sign == 0 && m.signed {
        return x;
    }
    // Turns a set sign bit over and borrows from all those above it.
    (field ^ sign).wrapping_sub(sign)
}

#[inline(always)]
fn effective_width<K: Knobs>(k: &K, m: Extend, width: u32) -> u32 {
    if m.wrap {
        let kept = k.reading(Reading::E062) == 1 || k.fault(Fault::SgxtWrapKeepsFull);
        return if kept && width == 32 { 32 } else { width & 31 };
    }
    let width = if k.fault(Fault::SgxtWidthSixBits) { width & 63 } else { width };
    if k.fault(Fault::SgxtWidthSigned) && width & SIGN != 0 {
        0
    } else if k.fault(Fault::SgxtZeroWidth) && width == 0 {
        1
    } else {
        width.min(if k.fault(Fault::SgxtClampShort) { 31 } else { 32 })
    }
}
