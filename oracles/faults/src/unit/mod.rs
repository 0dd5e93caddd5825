//! Faults around a correct unit. These faults change the readings, the instruction, the operands,
//! the results or the event.
//!
//! The correct unit does not call this module. A fault *inside* a unit, such as a lost carry of the
//! adder, is planted there by [`Knobs::wrong`](assay_model::Knobs::wrong). Wrong rows of MUFU's
//! tables are planted by other knobs.

mod after;
mod before;
mod events;
mod floats;
mod instead;
mod lanes;
mod outputs;
mod relation;
mod rounded;
mod settings;

use assay_isa::Instruction;
use assay_isa::format::{BF16, F16, Format};
use assay_isa::tables::types::{IExt, LEASX32, MEMDType, MUFUDType, SHFDType};

pub(crate) use after::after;
pub(crate) use before::before;
pub(crate) use events::event;
pub(crate) use instead::instead;
pub(crate) use settings::setting;

/// Returns the index of the column that holds the carry in, if the optype has a carry in.
fn carry_in(instruction: &Instruction) -> Option<usize> {
    Some(match instruction.optype() {
        "UIADD" => 2,
        "UIMAD" => 3,
        "UIMAD_WIDE" | "ULEA" => 4,
        _ => return None,
    })
}

/// Returns whether ULEA adds the high word of a scaled pair.
fn is_high_part(instruction: &Instruction) -> bool {
    let (ext, sx32) = (instruction.modifier("ext"), instruction.modifier("sx32"));
    ext == Some(IExt::X) && sx32 != Some(LEASX32::SX32)
}

/// Returns the greatest number of places by which USHF shifts.
fn shift_width(instruction: &Instruction) -> u32 {
    match instruction.modifier("itype") {
        Some(SHFDType::S64 | SHFDType::U64) => 64,
        _ => 32,
    }
}

/// Returns the number of bytes that ULDC loads.
fn bytes_loaded(instruction: &Instruction) -> u32 {
    match instruction.modifier("dtype") {
        Some(MEMDType::S8 | MEMDType::U8) => 1,
        Some(MEMDType::S16 | MEMDType::U16) => 2,
        Some(MEMDType::B64) => 8,
        Some(MEMDType::B128) => 16,
        _ => 4,
    }
}

/// Returns the 16-bit format of MUFU's type, `None` for wider types.
fn half_format(dtype: MUFUDType) -> Option<Format> {
    match dtype {
        MUFUDType::F16 | MUFUDType::F16_V2 => Some(F16),
        MUFUDType::BF16 | MUFUDType::BF16_V2 => Some(BF16),
        MUFUDType::F32 | MUFUDType::F64 => None,
    }
}

/// Returns a word with `change` applied to each half.
fn halves(x: u32, change: impl Fn(u32) -> u32) -> u32 {
    change(x >> 16) << 16 | change(x & 0xffff)
}
