//! Bits of machine code that are replaced: of one instruction, which is found by other bits of it.
//!
//! They are those of compute capability 9.0. An instruction is found by all of its bits but registers, prefixes and what
//! schedules it, so that nothing else in a file looks like it. Its prefixes stay.

/// Bits of an instruction: their places, and their values. Bit 0 is the lowest of the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    /// 1 where a bit counts.
    pub mask: u128,
    /// The bits that count; 0 where none does.
    pub value: u128,
}

impl Bits {
    /// Whether an instruction has these bits.
    pub fn are_in(&self, instruction: u128) -> bool {
        instruction & self.mask == self.value
    }

    /// The instruction with these bits.
    pub fn put_in(&self, instruction: u128) -> u128 {
        instruction & !self.mask | self.value
    }

    /// These bits, and a field of so many from a place on.
    const fn field(self, first: u32, width: u32, value: u128) -> Bits {
        let mask = (1 << width) - 1;
        assert!(value <= mask && self.mask & mask << first == 0);
        Bits { mask: self.mask | mask << first, value: self.value | value << first }
    }
}

/// A replacement in one instruction of the machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patch {
    /// The mnemonic of the instruction as the assembler makes it.
    pub name: &'static str,
    /// The bits that it is found by.
    pub found: Bits,
    /// The bits that it gets.
    pub replaced: Bits,
}

const NONE: Bits = Bits { mask: 0, value: 0 };
/// The scale of FMUL, from bit 84 on, where it has none.
const NO_SCALE: u128 = 4;
/// The bit of `.FTZ`.
const FTZ: u32 = 80;
/// The end of what an instruction does; what schedules it follows.
const END: u32 = 105;
/// 1/2π, by which the assembler multiplies the argument of a sine or cosine, and one, both without a sign.
const RADIANS: u128 = 0x3e22_f983;
const ONE: u128 = 0x3f80_0000;
/// A barrier that FCHK sets when its result is there. `ptxas` takes the lowest ones first.
const BARRIER: u32 = 5;

/// Zeros from one bit up to another.
const fn zeros(bits: Bits, first: u32, end: u32) -> Bits {
    bits.field(first, end - first, 0)
}

/// An opcode of two register operands, the second with prefixes in bits 62 and 63.
const fn opcode(value: u128) -> Bits {
    zeros(zeros(NONE.field(0, 16, value), 40, 62), 64, 72)
}

/// FMUL.RZ by 1/2π, made one by 1. The sign of the factor stays.
pub(super) fn turns() -> Patch {
    let factor = |value| NONE.field(32, 31, value);
    let modifiers = zeros(factor(RADIANS).field(0, 16, 0x7820), 64, 72).field(74, 4, 0).field(78, 2, 3);
    let found = zeros(modifiers.field(FTZ, 4, 0).field(84, 3, NO_SCALE), 87, END);
    Patch { name: "FMUL.RZ", found, replaced: factor(ONE) }
}

/// Modifiers of FMUL.
pub(super) struct FmulModifiers {
    /// As SASS names it.
    pub rounding: &'static str,
    /// `.FTZ`
    pub flush: bool,
    /// `.SAT`
    pub saturate: bool,
}

/// FMUL without a scale, given one by its name in SASS.
pub(super) fn scale(modifiers: &FmulModifiers, scale: &str) -> Patch {
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
        _ => 7,
    };
    let scale = |number| NONE.field(84, 3, number);
    let found = opcode(0x7220).field(74, 3, 0).field(77, 1, modifiers.saturate.into());
    let found = found.field(78, 2, rounding).field(FTZ, 1, modifiers.flush.into());
    let found = zeros(found.field(81, 3, 0).field(84, 3, NO_SCALE), 87, END);
    Patch { name: "FMUL", found, replaced: scale(number) }
}

/// FSEL, made FSEL.FTZ. Its predicate is in bits 87 to 90.
pub(super) fn select_flushed() -> Patch {
    let found = zeros(zeros(opcode(0x7208), 74, 87), 91, END);
    Patch { name: "FSEL", found, replaced: NONE.field(FTZ, 1, 1) }
}

/// FSETP.GEU, made FCHK, and the SEL that makes a word of its predicate, made to wait for it.
///
/// The assembler may invert a comparison where SEL inverts the predicate back. So SEL is made to take the predicate as FCHK
/// writes it: the opposite of the predicate selects zero.
pub(super) fn check_division() -> [Patch; 2] {
    let modifiers = zeros(opcode(0x720b), 16, 24).field(74, 2, 0).field(76, 4, 0xe).field(FTZ, 1, 0);
    let found = zeros(modifiers.field(84, 6, 0x3f), 90, END);
    let check = zeros(zeros(NONE.field(0, 16, 0x7302), 74, 81), 84, END);
    // A stall of 4 cycles, the yield bit set, the barrier for the result, none for the operands, no operand reused.
    let scheduled = check.field(105, 4, 4).field(109, 1, 1).field(110, 3, BARRIER as u128);
    let replaced = scheduled.field(113, 3, 7).field(122, 4, 0);
    let select = NONE.field(0, 16, 0x7807).field(24, 40, 0x01ff);
    let select = zeros(zeros(select, 64, 87), 91, END);
    let inverts_and_waits = NONE.field(90, 1, 1).field(116 + BARRIER, 1, 1);
    [
        Patch { name: "FSETP.GEU.AND", found, replaced },
        Patch { name: "SEL", found: select, replaced: inverts_and_waits },
    ]
}
