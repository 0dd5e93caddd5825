//! The replacements in the machine code, for instructions that PTX lacks or `ptxas` does not make.
//!
//! The bits are those of compute capability 9.0. An instruction is identified by all of its bits,
//! except registers, prefixes, guard and scheduling. So no other instruction in a file matches.
//! Bits that are not replaced keep their values.

use super::machine::{Bits, NONE, Patch};

/// The bits of the prefixes of the two register operands.
pub(super) const NEGATED_A: u32 = 72;
pub(super) const ABSOLUTE_A: u32 = 73;
pub(super) const ABSOLUTE_B: u32 = 62;
pub(super) const NEGATED_B: u32 = 63;
/// The value of FMUL's scale field, which begins at bit 84, for no scale.
const NO_SCALE: u128 = 4;
/// The bit of `.FTZ`.
const FTZ: u32 = 80;
/// The end of the bits that determine what an instruction does. The bits from there on are for
/// scheduling.
const END: u32 = 105;
/// The pattern of 1/2π without its sign. The assembler multiplies the argument of a sine or cosine
/// by it.
const RADIANS: u128 = 0x3e22_f983;
/// The pattern of 1.0.
const ONE: u128 = 0x3f80_0000;
/// The barrier that FCHK sets when its result is available. `ptxas` uses the lowest barriers first,
/// so it does not use this one.
const BARRIER: u32 = 5;
/// The predicate for a second result. `ptxas` uses the lowest predicates first, so it does not use
/// this one.
const SPARE: u128 = 5;
/// The number of PT.
const TRUE: u128 = 7;

/// Returns the bits of an opcode with two register operands. The second operand has its prefixes in
/// bits 62 and 63.
const fn opcode(value: u128) -> Bits {
    NONE.field(0, 12, value).zeros(40, 62)
}

/// Returns the bits of an opcode with two register operands, and zeros in the place of a third one.
const fn two_operands(value: u128) -> Bits {
    opcode(value).zeros(64, 72)
}

/// Changes FMUL.RZ by 1/2π to FMUL.RZ by 1. The sign of the factor stays.
pub(super) fn turns() -> Patch {
    let factor = |value| NONE.field(32, 31, value);
    let found = factor(RADIANS).field(0, 12, 0x820).zeros(64, 72).zeros(74, 78).field(78, 2, 3);
    let found = found.zeros(FTZ, 84).field(84, 3, NO_SCALE).zeros(87, END);
    Patch { name: "FMUL.RZ", found, replaced: factor(ONE) }
}

/// Modifiers of FMUL.
pub(super) struct FmulModifiers {
    /// The name of the rounding in SASS.
    pub rounding: &'static str,
    /// `.FTZ`
    pub flush: bool,
    /// `.SAT`
    pub saturate: bool,
}

/// Changes FMUL without a scale to FMUL with `scale`, which is a name in SASS. If `is_negated`,
/// also sets the negation of the first operand, which was not set.
pub(super) fn product(modifiers: &FmulModifiers, scale: &str, is_negated: bool) -> Patch {
    let rounding = match modifiers.rounding {
        "RN" => 0,
        "RM" => 1,
        "RP" => 2,
        _ => 3,
    };
    let number = match scale {
        "D8" => 1,
        "D4" => 2,
        "D2" => 3,
        "M2" => 5,
        "M4" => 6,
        "M8" => 7,
        _ => NO_SCALE,
    };
    let found = two_operands(0x220).zeros(74, 77).field(77, 1, modifiers.saturate.into());
    let found = found.field(78, 2, rounding).field(FTZ, 1, modifiers.flush.into());
    let found = found.zeros(81, 84).field(84, 3, NO_SCALE).zeros(87, END);
    let replaced = NONE.field(84, 3, number).flags(&[(NEGATED_A, is_negated)]);
    Patch { name: "FMUL", found, replaced }
}

/// Changes FSEL to FSEL.FTZ. The predicate of FSEL is in bits 87 to 90.
pub(super) fn select_flushed() -> Patch {
    let found = two_operands(0x208).zeros(74, 87).zeros(91, END);
    Patch { name: "FSEL", found, replaced: NONE.field(FTZ, 1, 1) }
}

/// Changes FSETP.GEU to FCHK. Also changes the SEL that converts the predicate of FCHK to a word,
/// so that it waits for the predicate.
///
/// The assembler may invert the comparison, and invert the predicate back in SEL. So the SEL is
/// also changed to select zero for the inverted predicate of FCHK.
pub(super) fn check_division() -> [Patch; 2] {
    let found = two_operands(0x20b).zeros(16, 24).zeros(74, 76).field(76, 4, 0xe).zeros(FTZ, 81);
    let found = found.field(84, 6, 0x3f).zeros(90, END);
    let check = NONE.field(0, 12, 0x302).zeros(74, 81).zeros(84, END);
    // A stall of 4 cycles, the yield bit set, a barrier for the result, no barrier for the
    // operands, and no operand reused.
    let scheduled = check.field(105, 4, 4).field(109, 1, 1).field(110, 3, BARRIER as u128);
    let replaced = scheduled.field(113, 3, 7).field(122, 4, 0);
    let select = NONE.field(0, 12, 0x807).field(24, 40, 0x01ff).zeros(64, 87).zeros(91, END);
    let inverts_and_waits = NONE.field(90, 1, 1).field(116 + BARRIER, 1, 1);
    [
        Patch { name: "FSETP.GEU.AND", found, replaced },
        Patch { name: "SEL", found: select, replaced: inverts_and_waits },
    ]
}

/// Adds the prefixes to the operand of MUFU.RCP64H or MUFU.RSQ64H.
pub(super) fn prefixed_double(is_reciprocal: bool, negated: bool, absolute: bool) -> Patch {
    let (name, number) = if is_reciprocal { ("MUFU.RCP64H", 6) } else { ("MUFU.RSQ64H", 7) };
    let found = two_operands(0x308).zeros(24, 32).zeros(72, 74).field(74, 4, number).zeros(78, END);
    let replaced = NONE.flags(&[(NEGATED_B, negated), (ABSOLUTE_B, absolute)]);
    Patch { name, found, replaced }
}

/// Adds a complement to the operand of POPC.
pub(super) fn complemented_count() -> Patch {
    let found = two_operands(0x309).zeros(24, 32).zeros(72, END);
    Patch { name: "POPC", found, replaced: NONE.field(NEGATED_B, 1, 1) }
}

/// Changes SEL of two registers to another instruction of two registers and a predicate.
fn selecting(replaced: Bits) -> Patch {
    let found = two_operands(0x207).zeros(62, 64).zeros(72, 87).zeros(91, END);
    Patch { name: "SEL", found, replaced }
}

/// Changes SEL to FMNMX with these modifiers and prefixes.
pub(super) fn extreme(flush: bool, nan: bool, prefixes: &[(u32, bool)]) -> Patch {
    selecting(NONE.field(0, 12, 0x209).flags(&[(FTZ, flush), (81, nan)]).flags(prefixes))
}

/// Changes SEL to VIMNMX.
pub(super) fn integer_extreme(is_signed: bool) -> Patch {
    selecting(NONE.field(0, 12, 0x248).field(72, 1, is_signed.into()).field(81, 6, 0x3f))
}

/// Changes FSET.BF to FSET.BF.FTZ.
pub(super) fn set_flushed() -> Patch {
    let found = two_operands(0x20a).zeros(FTZ, 87).zeros(91, END);
    Patch { name: "FSET.BF", found, replaced: NONE.field(FTZ, 1, 1) }
}

/// Makes FSETP write a second predicate. If the first predicate has no destination, FSETP no longer
/// writes it. Also changes the following LOP3 to a SEL, which converts the second predicate to a
/// word.
pub(super) fn second_predicate(has_first: bool) -> [Patch; 2] {
    // In this FSETP, the predicate source is one of the lowest predicates. In the other comparisons
    // of the kernel, it is PT, so they do not match.
    let found = opcode(0x20b).zeros(16, 24).field(84, 3, TRUE).zeros(89, 90).zeros(91, END);
    let second = NONE.field(84, 3, SPARE);
    let replaced = if has_first { second } else { second.field(81, 3, TRUE) };
    let select =
        NONE.field(0, 12, 0x807).field(24, 40, 0x01ff).zeros(64, 87).field(87, 3, SPARE).field(90, 1, 1);
    let logic =
        opcode(0x212).zeros(62, 64).field(72, 8, TABLE).zeros(80, 81).field(81, 3, TRUE).zeros(84, 87);
    let logic = logic.field(87, 4, 0xf).zeros(91, END);
    [
        Patch { name: "FSETP", found, replaced },
        Patch { name: "LOP3", found: logic, replaced: select.zeros(91, END) },
    ]
}

/// The truth table of the LOP3 that is changed to SEL: x ⊕ y ⊕ ¬z, which needs all three operands.
pub(super) const TABLE: u128 = 0x69;
