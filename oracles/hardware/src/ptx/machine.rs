//! Bits of machine code that are replaced: of one instruction, which is found by other bits of it.

use std::fmt;

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
    pub(super) const fn field(self, first: u32, width: u32, value: u128) -> Bits {
        let mask = (1 << width) - 1;
        assert!(value <= mask && self.mask & mask << first == 0);
        Bits { mask: self.mask | mask << first, value: self.value | value << first }
    }

    /// These bits, and zeros from one bit up to another.
    pub(super) const fn zeros(self, first: u32, end: u32) -> Bits {
        self.field(first, end - first, 0)
    }

    /// These bits, and ones at some places.
    pub(super) fn flags(self, places: &[(u32, bool)]) -> Bits {
        let set = places.iter().filter(|(_, is_set)| *is_set);
        set.fold(self, |bits, (place, _)| bits.field(*place, 1, 1))
    }
}

/// No bits.
pub(super) const NONE: Bits = Bits { mask: 0, value: 0 };

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

impl fmt::Display for Bits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#x} of {:#x}", self.value, self.mask)
    }
}

impl fmt::Display for Patch {
    /// For example `FSEL: 0x7208 of 0xffff becomes 0x100000000000000000000 of 0x100000000000000000000`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} becomes {}", self.name, self.found, self.replaced)
    }
}
