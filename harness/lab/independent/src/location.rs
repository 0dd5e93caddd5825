//! Locations of 32 bits or a truth value, numbered as in the C interface.

/// A location that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C)]
pub struct Location {
    /// The space: a constant of this type.
    pub space: u32,
    /// The number of the location in its space.
    pub index: u32,
}

impl Location {
    /// Space of the general registers.
    pub const R: u32 = 0;
    /// Space of the uniform registers.
    pub const UR: u32 = 1;
    /// Space of the predicates.
    pub const P: u32 = 2;
    /// Space of the uniform predicates.
    pub const UP: u32 = 3;
    /// Space of constant memory. The index is the bank times 2^17, plus the byte offset.
    pub const CONSTANT: u32 = 4;

    /// Returns the general register with this number.
    pub const fn r(index: u32) -> Location {
        Location { space: Location::R, index }
    }

    /// Returns the uniform register with this number.
    pub const fn ur(index: u32) -> Location {
        Location { space: Location::UR, index }
    }

    /// Returns the predicate with this number.
    pub const fn p(index: u32) -> Location {
        Location { space: Location::P, index }
    }

    /// Returns the uniform predicate with this number.
    pub const fn up(index: u32) -> Location {
        Location { space: Location::UP, index }
    }

    /// Returns the word of constant memory at a bank and a byte offset.
    pub const fn constant(bank: u32, offset: u32) -> Location {
        Location { space: Location::CONSTANT, index: (bank << 17) | (offset & 0x1_ffff) }
    }
}
