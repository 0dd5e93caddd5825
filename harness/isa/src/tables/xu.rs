//! XU, the special function unit: MUFU, and the counting and masking of bits (document `000`).

use super::types::{CWMode, FLOSH, FPSat, HSel, IType, MUFUDType, MUFUOp, PModi};
use super::{form, optype, sign, stype};
use crate::enumeration::Modifier;
use crate::row::Data::{Amount, Bits, Float, Index};
use crate::row::FieldType::{CMem, Enum, F32Imm, Pred, Reg, SImm32, UReg};
use crate::row::{AsmFormat, Extra, Field, FormRow, Group, Optype, Rule, field, field_or};

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
    data: &[Float, Float],
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
    extra: Extra::NONE,
};

/// The four forms of an optype with one source, which has a `~` prefix except where it is an immediate.
#[rustfmt::skip]
macro_rules! complemented_source_forms {
    ($optype:literal) => {
        &[
            form(concat!($optype, "_R"), "R", &[stype("R"), field(32, 8, Reg, "rb"), sign(97, "rb.bitnot")], &["rd", "rb"]),
            form(concat!($optype, "_I"), "I", &[stype("I"), field(32, 32, SImm32, "vb")], &["rd", "vb"]),
            form(concat!($optype, "_U"), "U", &[stype("U"), field(32, 6, UReg, "urb"), sign(97, "urb.bitnot")], &["rd", "urb"]),
            form(concat!($optype, "_C"), "C", &[stype("C"), field(32, 22, CMem, "vb"), sign(97, "vb.bitnot")], &["rd", "vb"]),
        ]
    };
}

/// The four forms of an optype whose last source is an amount.
#[rustfmt::skip]
macro_rules! amount_source_forms {
    ($optype:literal) => {
        &[
            form(concat!($optype, "_RR"), "RR", &[stype("RR"), field(32, 8, Reg, "rb")], &["rd", "ra", "rb"]),
            form(concat!($optype, "_RI"), "RI", &[stype("RI"), field(32, 32, SImm32, "vb")], &["rd", "ra", "vb"]),
            form(concat!($optype, "_RU"), "RU", &[stype("RU"), field(32, 6, UReg, "urb")], &["rd", "ra", "urb"]),
            form(concat!($optype, "_RC"), "RC", &[stype("RC"), field(32, 22, CMem, "vb")], &["rd", "ra", "vb"]),
        ]
    };
}

/// `POPC Rd, {~}SrcB`
pub static POPC: Optype = Optype {
    name: "POPC",
    group: &XU,
    fields: &[optype("POPC"), field(16, 8, Reg, "rd")],
    syntax: &[],
    outs: &["rd"],
    data: &[Index, Bits],
    rules: &[],
    forms: complemented_source_forms!("POPC"),
    extra: Extra::NONE,
};

/// `FLO{.SH}{.itype} Rd, {~}SrcB`
#[rustfmt::skip]
pub static FLO: Optype = Optype {
    name: "FLO",
    group: &XU,
    fields: &[
        optype("FLO"),
        field(16, 8, Reg, "rd"),
        field_or(80, 1, Enum(&IType::ENUM), "itype", "S32"),
        field_or(81, 1, Enum(&FLOSH::ENUM), "sh", "NoSH"),
    ],
    syntax: &["sh", "itype"],
    outs: &["rd"],
    data: &[Index, Bits],
    rules: &[],
    forms: complemented_source_forms!("FLO"),
    extra: Extra::NONE,
};

/// `BREV Rd, SrcB`
pub static BREV: Optype = Optype {
    name: "BREV",
    group: &XU,
    fields: &[optype("BREV"), field(16, 8, Reg, "rd")],
    syntax: &[],
    outs: &["rd"],
    data: &[Bits, Bits],
    rules: &[],
    forms: &[
        form("BREV_R", "R", &[stype("R"), field(32, 8, Reg, "rb")], &["rd", "rb"]),
        form("BREV_I", "I", &[stype("I"), field(32, 32, SImm32, "vb")], &["rd", "vb"]),
        form("BREV_U", "U", &[stype("U"), field(32, 6, UReg, "urb")], &["rd", "urb"]),
        form("BREV_C", "C", &[stype("C"), field(32, 22, CMem, "vb")], &["rd", "vb"]),
    ],
    extra: Extra::NONE,
};

/// `BMSK{.cwmode} Rd, Ra, SrcB`
#[rustfmt::skip]
pub static BMSK: Optype = Optype {
    name: "BMSK",
    group: &XU,
    fields: &[
        optype("BMSK"),
        field(16, 8, Reg, "rd"),
        field(24, 8, Reg, "ra"),
        field_or(81, 1, Enum(&CWMode::ENUM), "cwmode", "CLAMP"),
    ],
    syntax: &["cwmode"],
    outs: &["rd"],
    data: &[Bits, Amount, Amount],
    rules: &[],
    forms: amount_source_forms!("BMSK"),
    extra: Extra::NONE,
};

/// `SGXT{.cwmode}{.itype} Rd, Ra, SrcB`
#[rustfmt::skip]
pub static SGXT: Optype = Optype {
    name: "SGXT",
    group: &XU,
    fields: &[
        optype("SGXT"),
        field(16, 8, Reg, "rd"),
        field(24, 8, Reg, "ra"),
        field_or(80, 1, Enum(&IType::ENUM), "itype", "S32"),
        field_or(81, 1, Enum(&CWMode::ENUM), "cwmode", "CLAMP"),
    ],
    syntax: &["cwmode", "itype"],
    outs: &["rd"],
    data: &[Bits, Bits, Amount],
    rules: &[],
    forms: amount_source_forms!("SGXT"),
    extra: Extra::NONE,
};
