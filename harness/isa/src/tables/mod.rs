//! The tables: one row an optype, one line a form, in the order of the documents.
//!
//! | file | document |
//! |---|---|
//! | `types` | value lists of the enumerated fields (`inventory.md`, section 3) |
//! | `xu` | `000`: MUFU, POPC, FLO, BREV, BMSK, SGXT |
//! | `misc` | `001`: S2R, CS2R, S2UR, PMTRIG, SETREG, GETREG, SWITCH; NOP, IBBAR, DEPBAR |
//! | `visa` | `002`: BFN |
//! | `udp` | `003`: the uniform datapath, 25 optypes |
//! | `falu` | `004`: FADD, FMUL, FFMA, FMNMX, FSETP, FSET, FSEL, FCHK |

pub mod falu;
pub mod misc;
pub mod types;
pub mod udp;
pub mod visa;
pub mod xu;

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

/// A place where a row departs from the documents as written, and why.
///
/// `isa diff` accepts these differences only while the documents say what is recorded here; a departure that
/// explains nothing is reported, so the list cannot outlive its reasons.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Optype or form.
    pub of: &'static str,
    /// What differs, as `isa diff` names it: `field sat`.
    pub subject: &'static str,
    /// What the documents say there, as `isa diff` shows it; `None` where they have nothing.
    pub documents: Option<&'static str>,
    /// Erratum number.
    pub erratum: u16,
    /// The correction in a few words.
    pub why: &'static str,
}

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

/// Every departure of the rows from the documents.
pub static DEPARTURES: &[Departure] = &[
    Departure {
        of: "MUFU",
        subject: "field sat",
        documents: None,
        erratum: 32,
        why: "the .SAT field is commented out in the document; bit 77 as in F_ARITH",
    },
    Departure {
        of: "MUFU_U",
        subject: "field stype constraint",
        documents: Some("RU"),
        erratum: 47,
        why: "a single uniform source has the code U, as in POPC, FLO and BREV",
    },
    Departure {
        of: "MUFU",
        subject: "exception IllegalBitFieldCombination",
        documents: Some(r#"(dtype=="F64H") and (mufuop!="RCP") and (mufuop!="RSQ")"#),
        erratum: 39,
        why: "the exception list is replaced by the table of legal function and type pairs; it names a type that does not exist (E038)",
    },
    Departure {
        of: "BMSK",
        subject: "field cwmode default",
        documents: Some("C"),
        erratum: 21,
        why: "the default is called C there and CLAMP in the list of modifiers",
    },
    Departure {
        of: "SGXT",
        subject: "field cwmode default",
        documents: Some("C"),
        erratum: 21,
        why: "the default is called C there and CLAMP in the list of modifiers",
    },
];
