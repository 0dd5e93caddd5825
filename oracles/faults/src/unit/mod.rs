//! Faults around a correct unit: they change the readings, the instruction, the operands, the
//! results or the event.
//!
//! The correct unit does not call this module. A fault *within* a unit, such as a bit of a table or
//! a carry of the adder, is planted there by [`Knobs::wrong`](assay_model::Knobs::wrong).

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

/// Returns the column of the carry in, if the optype has one.
fn carry_in(instruction: &Instruction) -> Option<usize> {
    Some(match instruction.optype() {
        "UIADD" => 2,
        "UIMAD" => 3,
        "UIMAD_WIDE" | "ULEA" => 4,
        _ => return None,
    })
}

/// Returns whether ULEA adds the high word of a scaled index of two words.
fn is_high_part(instruction: &Instruction) -> bool {
    let (ext, sx32) = (instruction.modifier("ext"), instruction.modifier("sx32"));
    ext == Some(IExt::X) && sx32 != Some(LEASX32::SX32)
}

/// Returns the most places by which USHF shifts.
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

/// Returns the format of 16 bits that MUFU's type has in one half or both.
fn half_format(dtype: MUFUDType) -> Option<Format> {
    match dtype {
        MUFUDType::F16 | MUFUDType::F16_V2 => Some(F16),
        MUFUDType::BF16 | MUFUDType::BF16_V2 => Some(BF16),
        MUFUDType::F32 | MUFUDType::F64 => None,
    }
}

/// Changes each half of a word.
fn halves(x: u32, change: impl Fn(u32) -> u32) -> u32 {
    change(x >> 16) << 16 | change(x & 0xffff)
}
