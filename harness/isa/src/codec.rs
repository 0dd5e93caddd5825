//! Encodes and decodes the 128-bit word, by the rows and an encoding table.
//!
//! The word is little-endian. Bits without a field must be 0 (E006). Bits 112..=127 hold scheduling
//! and may have any value (E007). A reserved code is an illegal encoding (E017).

use crate::catalog::Form;
use crate::encoding::EncodingTable;
use crate::instruction::Instruction;
use crate::legality::{self, Violation};
use crate::row::FieldType;

/// The field that distinguishes the forms of an optype.
const STYPE: &str = "stype";

/// Lowest bit of the scheduling field.
pub const SCHEDULE_LO: u32 = 112;

/// Why a word is not a legal instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Bits 0..=7 do not encode a known optype.
    #[error("{word:#034x}: bits 0..=7 hold {code:#04x}, which is no optype in the encoding table")]
    UnknownOptype {
        /// The word.
        word: u128,
        /// The code found.
        code: u32,
    },
    /// The optype has no form with this source type.
    #[error("{word:#034x}: {optype} has no form with the source type {stype} in bits 8..=11")]
    UnknownForm {
        /// The word.
        word: u128,
        /// The optype.
        optype: &'static str,
        /// The source type found.
        stype: &'static str,
    },
    /// A field holds a reserved code: no value of the field's type has this code.
    #[error("{word:#034x}: {form} field {field} at bit {lo} holds the reserved code {code:#x} (E017)")]
    Reserved {
        /// The word.
        word: u128,
        /// The form.
        form: &'static str,
        /// The field.
        field: &'static str,
        /// Its lowest bit.
        lo: u8,
        /// The code found.
        code: u32,
    },
    /// Bits are set that belong to no field of the form.
    #[error("{word:#034x}: {form} names no field for the set bits {bits:#x} (E006)")]
    UnnamedBits {
        /// The word.
        word: u128,
        /// The form.
        form: &'static str,
        /// The offending bits.
        bits: u128,
    },
    /// Each field is legal alone, but the combination is not.
    #[error("{word:#034x}: {violation}")]
    Illegal {
        /// The word.
        word: u128,
        /// The rule it breaks.
        violation: Violation,
    },
}

/// Returns the word of an instruction.
pub fn encode(instruction: &Instruction, numbers: &EncodingTable) -> u128 {
    let form = instruction.form();
    let mut word = u128::from(instruction.schedule) << SCHEDULE_LO;
    for ((field, codes), value) in form.fields.iter().zip(numbers.of_fields(form)).zip(instruction.values()) {
        let code = if codes.is_empty() { *value } else { codes[*value as usize] };
        word |= u128::from(code) << field.lo;
    }
    word
}

/// Returns the instruction that a word encodes. The error names the illegal bits or the broken
/// rule.
pub fn decode(word: u128, numbers: &EncodingTable) -> Result<Instruction, DecodeError> {
    let form = find_form(word, numbers)?;
    let unnamed = word & !form.named_bits() & ((1 << SCHEDULE_LO) - 1);
    if unnamed != 0 {
        return Err(DecodeError::UnnamedBits { word, form: form.name, bits: unnamed });
    }
    let mut instruction = Instruction::new(form);
    instruction.schedule = (word >> SCHEDULE_LO) as u16;
    for (position, (field, codes)) in form.fields.iter().zip(numbers.of_fields(form)).enumerate() {
        let code = bits(word, field.lo, field.width);
        let value = if codes.is_empty() { Some(code) } else { index(codes, code) };
        let reserved = DecodeError::Reserved { word, form: form.name, field: field.name, lo: field.lo, code };
        instruction.set_at(position, value.ok_or(reserved)?);
    }
    legality::check(&instruction).map_err(|violation| DecodeError::Illegal { word, violation })?;
    Ok(instruction)
}

fn find_form(word: u128, numbers: &EncodingTable) -> Result<&'static Form, DecodeError> {
    let mut forms = numbers.forms(word as u8);
    let first = forms.next().ok_or(DecodeError::UnknownOptype { word, code: bits(word, 0, 8) })?;
    // The field `stype` has the same enumerated type in all forms of an optype.
    let Some(position) = first.position(STYPE) else { return Ok(first) };
    let (optype, field) = (first.optype.name, first.fields[position]);
    let FieldType::Enum(types) = field.ty else { return Ok(first) };
    let code = bits(word, field.lo, field.width);
    let reserved = DecodeError::Reserved { word, form: optype, field: STYPE, lo: field.lo, code };
    let stype = types.values[index(&numbers.of_fields(first)[position], code).ok_or(reserved)? as usize];
    let form = std::iter::once(first).chain(forms).find(|form| form.stype == stype);
    form.ok_or(DecodeError::UnknownForm { word, optype, stype })
}

/// Returns the index of the value with a code. `None` if the code is reserved.
fn index(codes: &[u32], code: u32) -> Option<u32> {
    codes.iter().position(|known| *known == code).map(|index| index as u32)
}

fn bits(word: u128, lo: u8, width: u8) -> u32 {
    ((word >> lo) & ((1 << width) - 1)) as u32
}
