//! The tables: one row an optype, one line a form, in the order of the documents.
//!
//! | file | document |
//! |---|---|
//! | `departures` | where the rows differ from the documents on purpose, each with its erratum |
//! | `types` | value lists of the enumerated fields (`inventory.md`, section 3) |
//! | `xu` | `000`: MUFU, POPC, FLO, BREV, BMSK, SGXT |
//! | `misc` | `001`: S2R, CS2R, S2UR, PMTRIG, SETREG, GETREG, SWITCH; NOP, IBBAR, DEPBAR |
//! | `visa` | `002`: BFN |
//! | `udp` | `003`: the uniform datapath, 25 optypes |
//! | `falu` | `004`: FADD, FMUL, FFMA, FMNMX, FSETP, FSET, FSEL, FCHK |

mod departures;
pub mod falu;
pub mod misc;
pub mod types;
pub mod udp;
pub mod visa;
pub mod xu;

pub use departures::{DEPARTURES, Departure};

use crate::enumeration::Modifier;
use crate::row::{Field, FieldType, FormRow, Optype, constant, field_or};

/// Every optype with a row, in document order.
pub static ALL: &[&Optype] = &[
    &xu::MUFU,
    &xu::POPC,
    &xu::FLO,
    &xu::BREV,
    &xu::BMSK,
    &xu::SGXT,
    &misc::S2R,
    &misc::CS2R,
    &misc::S2UR,
    &misc::PMTRIG,
    &misc::SETREG,
    &misc::GETREG,
    &misc::SWITCH,
    &misc::NOP,
    &misc::IBBAR,
    &misc::DEPBAR,
    &visa::BFN,
    &udp::moves::ULDC,
    &udp::arithmetic::UIADD,
    &udp::arithmetic::UIMAD,
    &udp::arithmetic::UIMAD_WIDE,
    &udp::arithmetic::UIMUL,
    &udp::arithmetic::ULEA,
    &udp::arithmetic::UIABS,
    &udp::arithmetic::UIMNMX,
    &udp::moves::UP2UR,
    &udp::moves::UR2UP,
    &udp::arithmetic::UISETP,
    &udp::moves::USEL,
    &udp::bits::ULOP3,
    &udp::bits::UPLOP3,
    &udp::bits::USHF,
    &udp::moves::UMOV,
    &udp::bits::UPRMT,
    &udp::bits::UPOPC,
    &udp::bits::UFLO,
    &udp::bits::UBREV,
    &udp::bits::UBMSK,
    &udp::bits::USGXT,
    &udp::moves::SETUGPR,
    &udp::moves::GETUGPR,
    &udp::moves::UF2FP,
    &falu::FADD,
    &falu::FMUL,
    &falu::FFMA,
    &falu::FMNMX,
    &falu::FSETP,
    &falu::FSET,
    &falu::FSEL,
    &falu::FCHK,
];

/// A form: its own name, code, fields and operand order; nothing special about its text.
const fn form(
    name: &'static str,
    stype: &'static str,
    fields: &'static [Field],
    order: &'static [&'static str],
) -> FormRow {
    FormRow { name, stype, fields, order, asm_format: None }
}

/// The field that tells optypes apart.
const fn optype(name: &'static str) -> Field {
    constant(0, 8, FieldType::Enum(&types::Optype::ENUM), "optype", name)
}

/// The field that tells the forms of an optype apart.
const fn stype(name: &'static str) -> Field {
    constant(8, 4, FieldType::Enum(&types::SType::ENUM), "stype", name)
}

/// A one-bit prefix of an operand: negation, absolute value or complement.
const fn sign(lo: u8, name: &'static str) -> Field {
    field_or(lo, 1, FieldType::Enum(&types::SignModi::ENUM), name, "False")
}
