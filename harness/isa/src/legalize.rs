//! Turns arbitrary bits into a legal value of a field. Generators and tests fill instructions with
//! it.

use crate::instruction::{Instruction, initial};
use crate::legality;
use crate::location::{BANK_BYTES, BANKS, SRZ, VARIABLES, special_registers};
use crate::row::{Field, FieldType};

/// Returns a legal value for the field at a position, given the instruction's modifiers.
///
/// The value is `bits`, reduced to the field's range. The first register or the constant offset of
/// a wide operand is rounded down to a multiple of the operand's size. A field that the rules fix
/// keeps its default.
pub fn legalize(instruction: &Instruction, position: usize, bits: u32) -> u32 {
    let form = instruction.form();
    let field = &form.fields[position];
    if field.constraint.is_some() || !legality::permits(instruction, field.name) {
        return initial(field);
    }
    let words = words(instruction, position);
    match field.ty {
        FieldType::Enum(e) => bits % e.values.len() as u32,
        FieldType::Reg | FieldType::UReg => register(field, bits, words),
        FieldType::VecOperand if bits >> 16 & 1 == 1 => bits & 0x1_ffff,
        FieldType::VecOperand => bits % u32::from(VARIABLES),
        FieldType::SReg => special(instruction, bits),
        FieldType::CMem if form.owners[position].is_some_and(|(_, parts)| parts == 2) => {
            bits % (BANKS * BANK_BYTES)
        }
        FieldType::CMem => bits % (BANKS * BANK_BYTES) / (4 * words) * (4 * words),
        _ => (u64::from(bits) & ((1 << field.width) - 1)) as u32,
    }
}

/// Returns the number of words of the operand that the field at a position holds. 1 if the field
/// holds no operand, or only a part of one.
pub fn words(instruction: &Instruction, position: usize) -> u32 {
    match instruction.form().owners[position] {
        Some((name, 1)) => u32::from(instruction.operand(name).words),
        _ => 1,
    }
}

/// Returns the number of the first register of an operand, chosen by `bits`. Returns the zero
/// register if a wide operand would include it.
fn register(field: &Field, bits: u32, words: u32) -> u32 {
    let zero = (1 << field.width) - 1;
    let first = (bits & zero) / words * words;
    if words > 1 && first + words > zero { zero } else { first }
}

/// Returns the code of a special register that the instruction may read, chosen by `bits`.
fn special(instruction: &Instruction, bits: u32) -> u32 {
    let rules = instruction.form().optype.rules;
    let is_legal =
        |code: &u8| *code == SRZ || rules.iter().all(|rule| legality::refuses_special(rule, *code).is_none());
    let codes: Vec<u8> = (0..special_registers().len() as u8).chain([SRZ]).filter(is_legal).collect();
    u32::from(codes[bits as usize % codes.len()])
}
