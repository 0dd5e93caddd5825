//! POPC, FLO, BREV, BMSK and SGXT (document `000`): counting, finding, masking and extending bits.
//!
//! The operands' `~` is already applied. Amounts can be 32, which a 32-bit shift cannot do. So
//! masks are computed in 64 bits and truncated.

use assay_isa::tables::types::{CWMode, FLOSH, IType};
use assay_isa::{Instruction, Operand, Reading, Source};

use crate::float::SIGN;
use crate::gap::Gap;
use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// POPC: the number of ones. Under E049 = 1 the result is undefined unless the operand is 0,
/// because the code's loop shifts an undefined name and never ends.
pub(crate) fn count<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    let gap = (k.reading(Reading::E049) == 1).then(|| Gap::new(Reading::E049, |x, _| x != 0));
    Semantics::unary(|_, x| x.count_ones()).gap(gap)
}

/// Defines FLO.
pub(crate) fn find_leading_one<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = Find::of(k, instruction);
    Semantics::unary(move |k, x| flo(k, m, x)).assigns(move |k, x, _| m.complement(k, x))
}

/// Defines BREV.
pub(crate) fn reverse<K: Knobs>(_: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    Semantics::unary(brev)
}

/// Defines BMSK.
pub(crate) fn mask<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = Mask::of(k, instruction);
    let undefined = bmsk_is_undefined(k, instruction);
    Semantics::binary(move |_, position, amount| bmsk(m, position, amount))
        .gap(undefined.then(|| Gap::new(Reading::E058, |_, _| true)))
}

/// Defines SGXT.
pub(crate) fn extend<K: Knobs>(_: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let m = Extend::of(instruction);
    Semantics::binary(move |k, x, width| sgxt(k, m, x, width))
}

/// FLO's modifiers and readings.
#[derive(Clone, Copy, Debug)]
struct Find {
    /// `.S32`
    signed: bool,
    /// `.SH`
    shift: bool,
    /// The value that FLO searches instead of the operand, if its source is also its destination
    /// and was already overwritten (E011 = 1).
    overwritten: Option<u32>,
}

impl Find {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Find {
        let source = instruction.inputs().next().expect("FLO has a source");
        let same = source.source.location().is_some()
            && instruction.outputs().any(|output| output.source == source.source);
        Find {
            signed: instruction.modifier("itype") == Some(IType::S32),
            shift: instruction.modifier("sh") == Some(FLOSH::SH),
            overwritten: (k.reading(Reading::E011) == 1 && same).then_some(if source.bitnot {
                0
            } else {
                !0
            }),
        }
    }

    /// Returns the complement of an operand if the code assigns it to the operand, else `None`
    /// (E050, E051, E052).
    #[inline(always)]
    fn complement<K: Knobs>(self, k: &K, x: u32) -> Option<u32> {
        let all = k.reading(Reading::E051) == 1;
        let reached = x != 0 || k.reading(Reading::E050) == 1;
        let chosen = self.signed && k.reading(Reading::E052) == 2 && reached;
        (chosen && (all || x & SIGN != 0)).then_some(!x)
    }
}

/// FLO: the position of the highest one, or with `.SH` its distance from bit 31. All ones if no bit
/// is set.
#[inline(always)]
fn flo<K: Knobs>(k: &K, m: Find, x: u32) -> u32 {
    if k.reading(Reading::E050) == 2 && x == 0 {
        return !0;
    }
    let searched = if m.signed && k.reading(Reading::E052) == 1 {
        (x as i32).unsigned_abs()
    } else {
        m.complement(k, x).unwrap_or(x)
    };
    let searched = m.overwritten.unwrap_or(searched);
    let above = searched.leading_zeros();
    match m.shift {
        // 31 − 0xFFFFFFFF = 32 (E053).
        true if searched == 0 && k.reading(Reading::E053) == 1 => 32,
        _ if searched == 0 => !0,
        true => above,
        false => 31 - above,
    }
}

/// BREV: the complement, as the document defines it. Under E056 = 2, BREV reverses the bits, as its
/// name suggests.
#[inline(always)]
fn brev<K: Knobs>(k: &K, x: u32) -> u32 {
    if k.reading(Reading::E056) == 2 { x.reverse_bits() } else { !x }
}

/// BMSK's modifiers and readings.
#[derive(Clone, Copy, Debug)]
struct Mask {
    /// `.WRAP`
    wrap: bool,
    /// Whether an amount with the top bit set is negative, so that `.CLAMP` does not limit it to 32
    /// (E023 = 2).
    signed: bool,
    /// The number of ones in the mask beyond the amount: 1 under E057 = 1, else 0.
    more: u32,
}

impl Mask {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Mask {
        let immediate = instruction.inputs().any(|input| matches!(input.source, Source::Imm(_)));
        let inclusive = k.reading(Reading::E057) == 1;
        Mask {
            wrap: wraps(instruction),
            signed: immediate && k.reading(Reading::E023) == 2 && !inclusive,
            more: u32::from(inclusive),
        }
    }
}

/// Returns whether the result is undefined, because the document's code names a register that the
/// instruction lacks (E058 = 2).
fn bmsk_is_undefined<K: Knobs>(k: &K, instruction: &Instruction) -> bool {
    let unnamed = |source| matches!(source, Source::Imm(_) | Source::Const { .. });
    k.reading(Reading::E058) == 2
        && k.reading(Reading::E057) == 2
        && instruction.inputs().any(|input| unnamed(input.source))
}

fn wraps(instruction: &Instruction) -> bool {
    instruction.modifier("cwmode") == Some(CWMode::WRAP)
}

/// BMSK: `amount` ones from a position upward. Ones beyond bit 31 are cut off.
#[inline(always)]
fn bmsk(m: Mask, position: u32, amount: u32) -> u32 {
    // Values above 32 act like 32, because a register has 32 bits.
    let limited = |x: u32, wrap: bool| if wrap { x & 31 } else { x.min(32) };
    let start = limited(position, m.wrap);
    let signed = m.signed && amount & SIGN != 0;
    let ones = limited(amount, m.wrap || signed) + m.more;
    (((1_u64 << ones) - 1) << start) as u32
}

/// SGXT's modifiers.
#[derive(Clone, Copy, Debug)]
struct Extend {
    /// `.S32`
    signed: bool,
    /// `.WRAP`
    wrap: bool,
}

impl Extend {
    /// Decodes an instruction.
    fn of(instruction: &Instruction) -> Extend {
        let unsigned = instruction.modifier("itype") == Some(IType::U32);
        Extend { signed: !unsigned, wrap: wraps(instruction) }
    }
}

/// SGXT: the low `width` bits of x, extended to 32 bits. 0 for a width of 0.
#[inline(always)]
fn sgxt<K: Knobs>(k: &K, m: Extend, x: u32, width: u32) -> u32 {
    let width = match m.wrap {
        true if k.reading(Reading::E062) == 1 && width == 32 => 32,
        true => width & 31,
        false => width.min(32),
    };
    // On a 32-bit machine the code's shift by 32 is a shift by 0, so its mask is empty (E063).
    let empty = k.reading(Reading::E063) == 1 && m.signed;
    let mask = if empty && width == 32 { 0 } else { ((1_u64 << width) - 1) as u32 };
    let field = x & mask;
    let sign = if m.signed { mask & !(mask >> 1) } else { 0 };
    // If the sign bit is set, the XOR clears it, and the subtraction sets it and all bits above. If
    // it is clear, the XOR sets it and the subtraction clears it again.
    (field ^ sign).wrapping_sub(sign)
}
