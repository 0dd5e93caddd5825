//! Where an operand register holds numbers of the 16-bit types.

use assay_isa::tables::types::{HSel, MUFUDType};

/// Where the operand register of an instruction holds its 16-bit numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Packing {
    /// One number, whose lowest bit is at this bit position. The upper half of the result is 0.
    One(u32),
    /// One number in each half.
    Both,
}

impl Packing {
    /// Returns the packing for a 16-bit type and the operand's suffix, such as `.H1`. The lower half
    /// is used without a suffix, so also for an immediate (E044).
    pub(super) fn of(dtype: MUFUDType, half: Option<HSel>) -> Packing {
        match dtype {
            MUFUDType::F16_V2 | MUFUDType::BF16_V2 => Packing::Both,
            _ => Packing::One(if half == Some(HSel::H1) { 16 } else { 0 }),
        }
    }

    /// Applies a function, which uses the low half of its argument, to the numbers in the operand
    /// register. Returns the result register.
    pub(super) fn apply(self, function: fn(u32) -> u32, register: u32) -> u32 {
        match self {
            Packing::One(shift) => function(register >> shift),
            Packing::Both => function(register >> 16) << 16 | function(register),
        }
    }
}
