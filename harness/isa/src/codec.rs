//! Encoding and decoding of the 128-bit word, from the rows alone.
//!
//! The word is little-endian; bits that no field names must be 0 (E006), except 112..=127, which carry
//! scheduling and are kept as they are (E007). A reserved code is an illegal encoding (E017).

use crate::catalog::{Form, catalog};
use crate::encoding::EncodingTable;
use crate::enumeration::Modifier;
use crate::instruction::Instruction;
use crate::legality::{self, Violation};
use crate::row::{Field, FieldType};
use crate::tables::types;

/// The field that distinguishes the forms of an optype.
const STYPE: &str = "stype";

/// Lowest bit of the scheduling field.
pub const SCHEDULE_LO: u32 = 112;

/// Why a word is no legal instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Bits 0..=7 hold no known optype.
    #[error("{word:#034x}: bits 0..=7 hold {code:#04x}, which is no optype in the encoding table")]
    UnknownOptype {
        /// The word.
        word: u128,
        /// The code found.
        code: u32,
    },
    /// The optype has no such form, or no row yet.
    #[error("{word:#034x}: {optype} has no form with the source type {stype} in bits 8..=11")]
    UnknownForm {
        /// The word.
        word: u128,
        /// The optype.
        optype: &'static str,
        /// The source type found.
        stype: &'static str,
    },
    /// A field holds a code without a value.
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
    /// Bits are set that the form does not name.
    #[error("{word:#034x}: {form} names no field for the set bits {bits:#x} (E006)")]
    UnnamedBits {
        /// The word.
        word: u128,
        /// The form.
        form: &'static str,
        /// The offending bits.
        bits: u128,
    },
    /// The fields are legal one by one and not together.
    #[error("{word:#034x}: {violation}")]
    Illegal {
        /// The word.
        word: u128,
        /// The rule it breaks.
        violation: Violation,
    },
}

/// The word of an instruction.
pub fn encode(instruction: &Instruction, numbers: &EncodingTable) -> u128 {
    let fields = instruction.form().fields.iter().zip(instruction.values());
    let word = fields.fold(0, |word, (field, value)| word | place(field, *value, numbers));
    word | u128::from(instruction.schedule) << SCHEDULE_LO
}

fn place(field: &Field, value: u32, numbers: &EncodingTable) -> u128 {
    let code = match field.ty {
        FieldType::Enum(e) => numbers.code(e, value),
        _ => value,
    };
    u128::from(code) << field.lo
}

/// The instruction that a word encodes. The error names the illegal field.
pub fn decode(word: u128, numbers: &EncodingTable) -> Result<Instruction, DecodeError> {
    let form = find_form(word, numbers)?;
    let unnamed = word & !form.named_bits() & ((1 << SCHEDULE_LO) - 1);
    if unnamed != 0 {
        return Err(DecodeError::UnnamedBits { word, form: form.name, bits: unnamed });
    }
    let mut instruction = Instruction::new(form);
    instruction.schedule = (word >> SCHEDULE_LO) as u16;
    for (position, field) in form.fields.iter().enumerate() {
        let code = bits(word, field.lo, field.width);
        let value = match field.ty {
            FieldType::Enum(e) => numbers.index(e, code).ok_or(DecodeError::Reserved {
                word,
                form: form.name,
                field: field.name,
                lo: field.lo,
                code,
            })?,
            _ => code,
        };
        instruction.set_at(position, value);
    }
    legality::check(&instruction).map_err(|violation| DecodeError::Illegal { word, violation })?;
    Ok(instruction)
}

fn find_form(word: u128, numbers: &EncodingTable) -> Result<&'static Form, DecodeError> {
    // vISA's opcodes share the first byte with the optypes, and no code of it (E091).
    const SPACES: [crate::enumeration::Enumeration; 2] = [types::Optype::ENUM, types::VisaOpcode::ENUM];
    let code = bits(word, 0, 8);
    let mut names = SPACES.iter().filter_map(|e| Some(e.values[numbers.index(e, code)? as usize]));
    let optype = names.next().ok_or(DecodeError::UnknownOptype { word, code })?;
    let mut forms = catalog().forms_of(optype);
    // The forms of an optype share the type of their codes: it is that of the datapath.
    let first = forms.next().ok_or(DecodeError::UnknownOptype { word, code })?;
    let Some(&Field { lo, width, ty: FieldType::Enum(types), .. }) = first.field(STYPE) else {
        return Ok(first);
    };
    let code = bits(word, lo, width);
    let reserved = DecodeError::Reserved { word, form: optype, field: STYPE, lo, code };
    let stype = types.values[numbers.index(types, code).ok_or(reserved)? as usize];
    let form = std::iter::once(first).chain(forms).find(|f| f.stype == stype);
    form.ok_or(DecodeError::UnknownForm { word, optype, stype })
}

fn bits(word: u128, lo: u8, width: u8) -> u32 {
    ((word >> lo) & ((1 << width) - 1)) as u32
}
