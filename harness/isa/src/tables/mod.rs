//! The tables: one row for each optype, one line for each form, in the order of the documents.
//!
//! | file | document |
//! |---|---|
//! | `departures` | where the rows differ from the documents on purpose, each with its erratum |
//! | `classes` | conditions and value classes that the hints of several rows share |
//! | `list`, `rows` | the optypes, each with the module of its row; the rows themselves |
//! | `types` | value lists of the enumerated fields (`inventory.md`, section 3) |
//! | `xu` | `000`: special functions; counting and masking of bits |
//! | `misc` | `001`: special registers, hints and barriers |
//! | `visa` | `002`: vISA |
//! | `udp` | `003`: the uniform datapath |
//! | `falu` | `004`: the float unit |

mod classes;
mod departures;
pub mod falu;
mod list;
pub mod misc;
mod rows;
pub mod types;
pub mod udp;
pub mod visa;
pub mod xu;

pub use departures::{DEPARTURES, Departure};
pub use rows::{ALL, GUARDED};

use crate::enumeration::Modifier;
use crate::row::{Field, FieldType, FormRow, constant, field_or};

/// Returns a form without an assembler format.
const fn form(
    name: &'static str,
    stype: &'static str,
    fields: &'static [Field],
    order: &'static [&'static str],
) -> FormRow {
    FormRow { name, stype, fields, order, asm_format: None }
}

/// Returns the field that distinguishes optypes.
const fn optype(name: &'static str) -> Field {
    constant(0, 8, FieldType::Enum(&types::Optype::ENUM), "optype", name)
}

/// Returns the field that distinguishes the forms of an optype.
const fn stype(name: &'static str) -> Field {
    constant(8, 4, FieldType::Enum(&types::SType::ENUM), "stype", name)
}

/// Returns the field of a one-bit prefix: negation, absolute value or complement.
const fn sign(lo: u8, name: &'static str) -> Field {
    field_or(lo, 1, FieldType::Enum(&types::SignModi::ENUM), name, "False")
}
