//! Replacement of bits in machine code. A replacement changes one instruction, which is found by
//! bits that are not replaced.

use std::fmt;

/// Some bits of an instruction, with their values. Bit 0 is the lowest bit of the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    /// A mask with a 1 for each bit that belongs to the set.
    pub mask: u128,
    /// The values of these bits. The other bits are 0.
    pub value: u128,
}

impl Bits {
    /// Returns whether an instruction has these bits.
    pub fn are_in(&self, instruction: u128) -> bool {
        instruction & self.mask == self.value
    }

    /// Returns an instruction after the values of these bits are written into it.
    pub fn put_in(&self, instruction: u128) -> u128 {
        instruction & !self.mask | self.value
    }

    /// Returns these bits together with a field of `width` bits, whose lowest bit is bit `first`.
    pub(super) const fn field(self, first: u32, width: u32, value: u128) -> Bits {
        let mask = (1 << width) - 1;
        assert!(value <= mask && self.mask & mask << first == 0);
        Bits { mask: self.mask | mask << first, value: self.value | value << first }
    }

    /// Returns these bits together with zeros from bit `first` to bit `end` - 1.
    pub(super) const fn zeros(self, first: u32, end: u32) -> Bits {
        self.field(first, end - first, 0)
    }

    /// Returns these bits together with a one at each place whose flag is true.
    pub(super) fn flags(self, places: &[(u32, bool)]) -> Bits {
        let set = places.iter().filter(|(_, is_set)| *is_set);
        set.fold(self, |bits, (place, _)| bits.field(*place, 1, 1))
    }
}

/// The empty set of bits.
pub(super) const NONE: Bits = Bits { mask: 0, value: 0 };

/// A replacement of bits in one instruction of the machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patch {
    /// The mnemonic of the instruction, as the assembler writes it.
    pub name: &'static str,
    /// The bits that identify the instruction.
    pub found: Bits,
    /// The new values of the replaced bits.
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
