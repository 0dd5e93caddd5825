//! The ends of the range of an operand's field: its first, its middle and its last value.
//!
//! Decoders that truncate a number, and tables that lack an entry, fail at the ends. Uniform draws
//! rarely hit the ends: one offset in 2^15 of a constant bank, one register in 255.

use assay_isa::Instruction;
use assay_isa::legalize::{legalize, words};
use assay_isa::location::{BANK_BYTES, BANKS, PT, RZ, URZ, VARIABLES};
use assay_isa::row::{Field, FieldType};

const NUMBER: [&str; 3] = ["first", "middle", "last"];
const PLACE: [&str; 6] =
    ["first offset", "middle offset", "last offset", "first bank", "middle bank", "last bank"];

/// Names of the ends of a field. Empty if the field has no ends, because its values are drawn by
/// class or evenly.
pub fn names(field: &Field) -> &'static [&'static str] {
    match field.ty {
        FieldType::Reg | FieldType::UReg | FieldType::Pred | FieldType::UPred => &NUMBER,
        FieldType::Variable | FieldType::UImm(..32) => &NUMBER,
        FieldType::CMem => &PLACE,
        _ => &[],
    }
}

/// Returns the value at one end of the field at a position. `end` is the index of the end's name.
/// For a place in constant memory, either the offset or the bank is at its end. The other of the
/// two keeps its value.
pub fn value(instruction: &Instruction, position: usize, end: usize) -> u32 {
    let field = &instruction.form().fields[position];
    // The first register of a wide operand is a multiple of the operand's width, and none of its
    // registers is the zero register.
    let registers = |zero: u8| {
        let words = words(instruction, position);
        (u32::from(zero) / words - 1) * words
    };
    let last = match field.ty {
        FieldType::Reg => registers(RZ),
        FieldType::UReg => registers(URZ),
        FieldType::Pred | FieldType::UPred => u32::from(PT) - 1,
        FieldType::Variable => u32::from(VARIABLES) - 1,
        FieldType::UImm(width @ ..32) => (1 << width) - 1,
        FieldType::CMem => return place(instruction, position, end),
        _ => return instruction.values()[position],
    };
    let bits = [0, last / 2 + 1, last][end];
    legalize(instruction, position, bits)
}

fn place(instruction: &Instruction, position: usize, end: usize) -> u32 {
    let now = instruction.values()[position];
    let (bank, offset) = (now / BANK_BYTES, now % BANK_BYTES);
    let of = |size: u32| [0, size / 2, size - 1][end % 3];
    let bits = match end {
        0..3 => bank * BANK_BYTES + of(BANK_BYTES),
        _ => of(BANKS) * BANK_BYTES + offset,
    };
    legalize(instruction, position, bits)
}

/// Whether the field at a position has the value of one of its ends.
pub fn is_at(instruction: &Instruction, position: usize, end: usize) -> bool {
    instruction.values()[position] == value(instruction, position, end)
}

#[cfg(test)]
mod tests {
    use assay_isa::asm;

    use super::*;

    fn ends_of(text: &str, field: &str) -> Vec<String> {
        let mut instruction = asm::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let position = instruction.form().fields.iter().position(|f| f.name == field).expect("a field");
        let names = names(instruction.form().fields[position]);
        let texts = (0..names.len()).map(|end| {
            instruction.set_at(position, value(&instruction, position, end));
            assert!(is_at(&instruction, position, end), "{text} {field} {}", names[end]);
            asm::print(&instruction)
        });
        texts.collect()
    }

    #[test]
    fn ends_are_the_first_the_middle_and_the_last() {
        assert_eq!(
            ends_of("FADD R1, R2, R3", "rd"),
            ["FADD R0, R2, R3", "FADD R128, R2, R3", "FADD R254, R2, R3"]
        );
        assert_eq!(
            ends_of("FADD R1, R2, c[0x3][0x10]", "vb"),
            [
                "FADD R1, R2, c[0x3][0x0]",
                "FADD R1, R2, c[0x3][0x10000]",
                "FADD R1, R2, c[0x3][0x1fffc]",
                "FADD R1, R2, c[0x0][0x1fffc]",
                "FADD R1, R2, c[0x10][0x1fffc]",
                "FADD R1, R2, c[0x1f][0x1fffc]",
            ]
        );
    }
}
