//! XU, the special function unit: MUFU (document `000`).

use super::types::{FPSat, HSel, MUFUDType, MUFUOp, PModi};
use super::{optype, sign, stype};
use crate::enumeration::Modifier;
use crate::row::FieldType::{CMem, Enum, F32Imm, Pred, Reg, UReg};
use crate::row::{AsmFormat, Field, FormRow, Group, Optype, Rule, field, field_or};

/// Guarded by an ordinary predicate.
pub static XU: Group = Group {
    name: "XU",
    parent: None,
    fields: &[field_or(12, 3, Pred, "pg", "PT"), field_or(15, 1, Enum(&PModi::ENUM), "pg.not", "False")],
};

const fn half(name: &'static str) -> Field {
    field(72, 1, Enum(&HSel::ENUM), name)
}

const FLOATS: &[&str] = &["F32", "F16", "F16_V2", "BF16", "BF16_V2"];

/// `MUFU.mufuop.dtype{.SAT} Rd, {-}{|}SrcB{.hsel}{|}`
#[rustfmt::skip]
pub static MUFU: Optype = Optype {
    name: "MUFU",
    group: &XU,
    fields: &[
        optype("MUFU"),
        field(16, 8, Reg, "rd"),
        field_or(77, 1, Enum(&FPSat::ENUM), "sat", "NoSAT"),
        field(78, 3, Enum(&MUFUOp::ENUM), "mufuop"),
        field(81, 3, Enum(&MUFUDType::ENUM), "dtype"),
    ],
    syntax: &["mufuop", "dtype", "sat"],
    outs: &["rd"],
    rules: &[
        Rule::Pairs {
            first: "mufuop",
            second: "dtype",
            legal: &[
                ("COS", &["F32"]),
                ("SIN", &["F32"]),
                ("EX2", FLOATS),
                ("LG2", &["F32"]),
                ("RCP", &["F32", "F64"]),
                ("RSQ", &["F32", "F64"]),
                ("SQRT", &["F32"]),
                ("TANH", FLOATS),
            ],
            erratum: 39,
        },
        Rule::OnlyWith { field: "sat", other: "dtype", values: &["F32"], erratum: 32 },
        Rule::OnlyWith { field: ".neg", other: "dtype", values: &["F32", "F64"], erratum: 46 },
        Rule::OnlyWith { field: ".abs", other: "dtype", values: &["F32", "F64"], erratum: 46 },
        Rule::OnlyWith { field: ".hsel", other: "dtype", values: &["F16", "BF16"], erratum: 48 },
    ],
    forms: &[
        FormRow {
            name: "MUFU_R",
            stype: "R",
            fields: &[stype("R"), field(32, 8, Reg, "rb"), half("rb.hsel"), sign(96, "rb.neg"), sign(97, "rb.abs")],
            order: &["rd", "rb"],
            asm_format: None,
        },
        FormRow {
            name: "MUFU_I",
            stype: "I",
            fields: &[stype("I"), field(32, 32, F32Imm, "vb")],
            order: &["rd", "vb"],
            asm_format: Some(AsmFormat { field: "vb", by: "dtype" }),
        },
        FormRow {
            name: "MUFU_C",
            stype: "C",
            fields: &[stype("C"), field(32, 22, CMem, "vb"), sign(96, "vb.neg"), sign(97, "vb.abs"), half("vb.hsel")],
            order: &["rd", "vb"],
            asm_format: None,
        },
        FormRow {
            name: "MUFU_U",
            stype: "U",
            fields: &[stype("U"), field(32, 6, UReg, "urb"), sign(96, "urb.neg"), sign(97, "urb.abs"), half("urb.hsel")],
            order: &["rd", "urb"],
            asm_format: None,
        },
    ],
};
