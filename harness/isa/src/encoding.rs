//! The encoding table: the codes that the documents do not give. A file can replace the table.
//!
//! The provisional table is `numbers.toml` beside this file. A user who knows the real codes
//! supplies a file of the same structure. Every value of an enumerated type needs a code that fits
//! its field and is unique within the type.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::catalog::{Form, catalog};
use crate::enumeration::{Enumeration, Modifier};
use crate::row::{Field, FieldType};
use crate::tables::types;

/// A code for every value of every enumerated type that the tables use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingTable {
    codes: BTreeMap<&'static str, Arc<[u32]>>,
    /// For each form and field, the codes of the field's type. Empty if the type is not enumerated.
    /// Computed once, because every case is encoded and decoded.
    of_fields: Arc<[Vec<Arc<[u32]>>]>,
    /// For each value of a word's first byte: the catalog positions of the forms that have it.
    of_bytes: Arc<[Vec<usize>]>,
    fingerprint: Arc<str>,
}

/// The errors of an encoding table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingTableError {
    /// The text is not TOML, or not tables of integers. The message has line and column.
    #[error("not an encoding table: {0}")]
    Syntax(String),
    /// A section is missing.
    #[error("section [{0}] is missing; it needs a code for each of: {1}")]
    MissingType(&'static str, String),
    /// A section names a type that no field uses.
    #[error("section [{0}] names no enumerated type; remove it")]
    UnknownType(String),
    /// A value has no code.
    #[error("[{0}] gives no code for {1}")]
    MissingValue(&'static str, &'static str),
    /// A section has a value that the type does not have.
    #[error("[{0}] has no value {1}; remove it")]
    UnknownValue(&'static str, String),
    /// A code does not fit the field.
    #[error("[{ty}] {value} = {code:#x} does not fit the field's {width} bits")]
    TooWide {
        /// Type.
        ty: &'static str,
        /// Value.
        value: &'static str,
        /// Its code.
        code: u32,
        /// Width of the field.
        width: u8,
    },
    /// Two values share a code.
    #[error("[{ty}] {first} and {second} share the code {code:#x}")]
    Duplicate {
        /// Type.
        ty: &'static str,
        /// One value.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// Their code.
        code: u32,
    },
}

impl EncodingTable {
    /// The project's provisional table.
    pub fn provisional() -> &'static EncodingTable {
        static TABLE: LazyLock<EncodingTable> = LazyLock::new(|| {
            EncodingTable::from_toml(include_str!("numbers.toml"))
                .expect("a test reads the provisional table")
        });
        &TABLE
    }

    /// Parses a table.
    pub fn from_toml(text: &str) -> Result<EncodingTable, EncodingTableError> {
        let mut sections: BTreeMap<String, BTreeMap<String, u32>> =
            toml::from_str(text).map_err(|e| EncodingTableError::Syntax(e.to_string()))?;
        let mut codes = BTreeMap::new();
        for ty in enumerated_types() {
            let section = sections
                .remove(ty.name)
                .ok_or_else(|| EncodingTableError::MissingType(ty.name, ty.values.join(" ")))?;
            codes.insert(ty.name, Arc::from(read_section(ty, section)?));
        }
        apart(&codes)?;
        match sections.into_keys().next() {
            Some(unknown) => Err(EncodingTableError::UnknownType(unknown)),
            None => Ok(EncodingTable {
                of_fields: of_fields(&codes),
                of_bytes: of_bytes(&codes),
                fingerprint: fingerprint(&codes).into(),
                codes,
            }),
        }
    }

    /// Returns for each field of a form the codes of its type. Empty if the type is not enumerated.
    pub(crate) fn of_fields(&self, form: &Form) -> &[Arc<[u32]>] {
        &self.of_fields[form.index]
    }

    /// Returns the forms of the optype whose code is `byte`, the first byte of a word.
    pub(crate) fn forms(&self, byte: u8) -> impl Iterator<Item = &'static Form> {
        self.of_bytes[usize::from(byte)].iter().map(|index| &catalog().forms[*index])
    }

    /// Returns a short digest of the table: FNV-1a over every type, value and code.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns the code of a value, given by its index in the type's list.
    pub fn code(&self, ty: &Enumeration, index: u32) -> u32 {
        self.codes[ty.name][index as usize]
    }
}

/// Returns every enumerated type that a field of the catalog uses, without repetition.
pub fn enumerated_types() -> Vec<&'static Enumeration> {
    let fields = catalog().forms.iter().flat_map(|f| f.fields.iter());
    let mut types: Vec<&'static Enumeration> = fields
        .filter_map(|f| match f.ty {
            FieldType::Enum(e) => Some(e),
            _ => None,
        })
        .collect();
    types.sort_by_key(|e| e.name);
    types.dedup_by_key(|e| e.name);
    types
}

/// Returns an error if an optype and a vISA opcode share a code. The first byte of a word must
/// distinguish them (E091).
fn apart(codes: &BTreeMap<&'static str, Arc<[u32]>>) -> Result<(), EncodingTableError> {
    let (optypes, opcodes) = (types::Optype::ENUM, types::VisaOpcode::ENUM);
    for (first, code) in optypes.values.iter().zip(codes[optypes.name].iter()) {
        if let Some(i) = codes[opcodes.name].iter().position(|c| c == code) {
            let second = opcodes.values[i];
            return Err(EncodingTableError::Duplicate { ty: optypes.name, first, second, code: *code });
        }
    }
    Ok(())
}

fn fingerprint(codes: &BTreeMap<&'static str, Arc<[u32]>>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for ty in enumerated_types() {
        for (value, code) in ty.values.iter().zip(codes[ty.name].iter()) {
            for byte in format!("{}.{value}={code}\n", ty.name).bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    format!("{hash:016x}")
}

fn of_fields(codes: &BTreeMap<&'static str, Arc<[u32]>>) -> Arc<[Vec<Arc<[u32]>>]> {
    let codes_of = |field: &&Field| match field.ty {
        FieldType::Enum(ty) => Arc::clone(&codes[ty.name]),
        _ => Arc::default(),
    };
    catalog().forms.iter().map(|form| form.fields.iter().map(codes_of).collect()).collect()
}

/// Returns, for each value of the first byte of a word, the forms that have it. Optypes and vISA
/// opcodes both use that byte, with different codes (E091).
fn of_bytes(codes: &BTreeMap<&'static str, Arc<[u32]>>) -> Arc<[Vec<usize>]> {
    let mut forms = vec![Vec::new(); 256];
    for ty in [types::Optype::ENUM, types::VisaOpcode::ENUM] {
        for (name, code) in ty.values.iter().zip(codes[ty.name].iter()) {
            forms[*code as usize].extend(catalog().forms_of(name).map(|form| form.index));
        }
    }
    forms.into()
}

fn read_section(
    ty: &'static Enumeration,
    mut section: BTreeMap<String, u32>,
) -> Result<Vec<u32>, EncodingTableError> {
    let mut codes: Vec<u32> = Vec::new();
    for value in ty.values {
        let code = section.remove(*value).ok_or(EncodingTableError::MissingValue(ty.name, value))?;
        if u64::from(code) >= 1 << ty.width {
            return Err(EncodingTableError::TooWide { ty: ty.name, value, code, width: ty.width });
        }
        if let Some(i) = codes.iter().position(|c| *c == code) {
            return Err(EncodingTableError::Duplicate {
                ty: ty.name,
                first: ty.values[i],
                second: value,
                code,
            });
        }
        codes.push(code);
    }
    match section.into_keys().next() {
        Some(unknown) => Err(EncodingTableError::UnknownValue(ty.name, unknown)),
        None => Ok(codes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("numbers.toml");

    #[test]
    fn the_provisional_table_is_complete() {
        EncodingTable::from_toml(TABLE).unwrap();
    }

    #[test]
    fn defects_are_named() {
        let cases = [
            (TABLE.replace("RZ = 3\n", ""), EncodingTableError::MissingValue("FPRound", "RZ")),
            (
                TABLE.replace("RZ = 3\n", "RZ = 4\n"),
                EncodingTableError::TooWide { ty: "FPRound", value: "RZ", code: 4, width: 2 },
            ),
            (
                TABLE.replace("RZ = 3\n", "RZ = 0\n"),
                EncodingTableError::Duplicate { ty: "FPRound", first: "RN", second: "RZ", code: 0 },
            ),
            (
                TABLE.replace("RZ = 3\n", "RZ = 3\nRA = 1\n"),
                EncodingTableError::UnknownValue("FPRound", "RA".into()),
            ),
            (
                TABLE.replace("BFN = 0x85", "BFN = 0x0D"),
                EncodingTableError::Duplicate { ty: "Optype", first: "NOP", second: "BFN", code: 0x0d },
            ),
            (TABLE.to_owned() + "\n[Nothing]\nA = 1\n", EncodingTableError::UnknownType("Nothing".into())),
        ];
        for (text, error) in cases {
            assert_eq!(EncodingTable::from_toml(&text), Err(error));
        }
        assert!(matches!(EncodingTable::from_toml("[SType\n"), Err(EncodingTableError::Syntax(_))));
        assert!(matches!(EncodingTable::from_toml(""), Err(EncodingTableError::MissingType(..))));
    }
}
