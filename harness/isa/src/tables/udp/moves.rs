//! Loads, moves, selections and conversions.

use super::{UDP, UPP, UPP_NOT, URA, URD, one_source, two_sources, ustype};
use crate::enumeration::Modifier;
use crate::hints::Condition::{All, Field, Not, Reads};
use crate::hints::{Computes, Condition, Hints, no_result};
use crate::readings::Reading::{C006, E092, E168};
use crate::row::Data::{Address, Bits, Float, Halves};
use crate::row::FieldType::{CMem, Enum, SImm7, SImm32, UReg};
use crate::row::{Extra, Optype, Rule, Wide, Words, field, field_or};
use crate::tables::classes::{BEYOND_HALF, OTHER_NANS, SIGNALLING};
use crate::tables::types::{BSel, MEMDType, MOVW};
use crate::tables::{form, optype};

const SIGNED: Condition = Field("dtype", &["S8", "S16"]);
const UNSIGNED: Condition = Field("dtype", &["U8", "U16"]);
const SINGLE: Condition = All(&[Reads(E092, 1), Field("dtype", &["S16", "U16"])]);
const EXTENDED: &str = "what is extended has at most 16 bits";

/// `ULDC{.dtype} URd, c[UImm][URa+SImm]`
pub static ULDC: Optype = Optype {
    name: "ULDC",
    group: &UDP,
    fields: &[
        optype("ULDC"),
        URD,
        field(32, 22, CMem, "vb"),
        field_or(80, 3, Enum(&MEMDType::ENUM), "dtype", "32"),
    ],
    syntax: &["dtype"],
    outs: &["urd"],
    data: &[Bits, Address],
    hints: Hints {
        never: &[&[
            no_result(SIGNED, &["the top bit", "all but the top bit"], EXTENDED),
            no_result(UNSIGNED, BEYOND_HALF, EXTENDED),
            no_result(
                SINGLE,
                &["the top bit", "all but the top bit", "one run", "positive", "negative"],
                "a single bit is extended",
            ),
            no_result(All(&[SINGLE, SIGNED]), &["one bit"], "a single bit is extended"),
        ]],
        ..Hints::NONE
    },
    rules: &[],
    forms: &[form("ULDC_U", "U", &[ustype("U"), URA], &["urd", "C[vb, ura]"])],
    extra: Extra {
        wide: &[Wide { operand: "urd", words: Words::By("dtype", &[("64", 2), ("128", 4)]) }],
        ..Extra::NONE
    },
};

/// `UP2UR{.bsel} URd, UPR, URa, SbMsk`
pub static UP2UR: Optype = Optype {
    name: "UP2UR",
    group: &UDP,
    fields: &[optype("UP2UR"), URD, URA, field_or(79, 2, Enum(&BSel::ENUM), "bsel", "B0")],
    syntax: &["bsel"],
    outs: &["urd"],
    data: &[Bits, Bits, Bits],
    hints: Hints::NONE,
    rules: &[],
    forms: two_sources!("UP2UR", [], [], ["urd", "UPR", "ura"], []),
    extra: Extra { old: &["urd"], ..Extra::NONE },
};

/// `UR2UP UPR, URa{.bsel}, SbMsk`
pub static UR2UP: Optype = Optype {
    name: "UR2UP",
    group: &UDP,
    fields: &[optype("UR2UP"), URA, field_or(79, 2, Enum(&BSel::ENUM), "ura.bsel", "B0")],
    syntax: &[],
    outs: &["UPR"],
    data: &[Bits, Bits],
    hints: Hints::NONE,
    rules: &[],
    forms: two_sources!("UR2UP", [], [], ["UPR", "ura"], []),
    extra: Extra { old: &["UPR"], ..Extra::NONE },
};

/// `USEL URd, URa, SrcB, {!}upp`
pub static USEL: Optype = Optype {
    name: "USEL",
    group: &UDP,
    fields: &[optype("USEL"), URD, URA, UPP, UPP_NOT],
    syntax: &[],
    outs: &["urd"],
    data: &[Bits, Bits, Bits],
    hints: Hints { computes: Computes::Selection, ..Hints::NONE },
    rules: &[],
    forms: two_sources!("USEL", [], [], ["urd", "ura"], ["upp"]),
    extra: Extra::NONE,
};

/// `UMOV{.width} URd, SrcA`
#[rustfmt::skip]
pub static UMOV: Optype = Optype {
    name: "UMOV",
    group: &UDP,
    fields: &[optype("UMOV"), URD],
    syntax: &["width"],
    outs: &["urd"],
    data: &[Bits, Bits],
    hints: Hints::NONE,
    rules: &[Rule::Never { form: "UMOV_I", field: "width", value: "64", erratum: 0 }],
    forms: one_source!("UMOV", [], [], [field_or(80, 1, Enum(&MOVW::ENUM), "width", "32")]),
    extra: Extra {
        wide: &[
            Wide { operand: "urd", words: BY_WIDTH },
            Wide { operand: "urb", words: BY_WIDTH },
            Wide { operand: "vb", words: BY_WIDTH },
        ],
        ..Extra::NONE
    },
};

const BY_WIDTH: Words = Words::By("width", &[("64", 2)]);

/// `SETUGPR UR[URb{+SImm7}], URa`
#[rustfmt::skip]
pub static SETUGPR: Optype = Optype {
    name: "SETUGPR",
    group: &UDP,
    fields: &[optype("SETUGPR"), URA],
    syntax: &[],
    outs: &["UR[urb, uridx]"],
    data: &[Address, Bits],
    hints: Hints::NONE,
    rules: &[],
    forms: &[form(
        "SETUGPR_UIU",
        "UIU",
        &[ustype("UIU"), field(64, 6, UReg, "urb"), field(32, 7, SImm7, "uridx")],
        &["UR[urb, uridx]", "ura"],
    )],
    extra: Extra::NONE,
};

/// `GETUGPR URd, UR[URb{+SImm7}]`
#[rustfmt::skip]
pub static GETUGPR: Optype = Optype {
    name: "GETUGPR",
    group: &UDP,
    fields: &[optype("GETUGPR"), URD],
    syntax: &[],
    outs: &["urd"],
    data: &[Bits, Address],
    hints: Hints::NONE,
    rules: &[],
    forms: &[form(
        "GETUGPR_UI",
        "UI",
        &[ustype("UI"), field(64, 6, UReg, "urb"), field(32, 7, SImm7, "uridx")],
        &["urd", "UR[urb, uridx]"],
    )],
    extra: Extra::NONE,
};

/// `UF2FP URd, URa, SrcB, URc`. The document has the fields, but no assembler syntax.
#[rustfmt::skip]
pub static UF2FP: Optype = Optype {
    name: "UF2FP",
    group: &UDP,
    fields: &[optype("UF2FP"), URD, URA, field(64, 6, UReg, "urc")],
    syntax: &[],
    outs: &["urd"],
    data: &[Halves, Float, Float, Bits],
    hints: Hints {
        undefined: &[Reads(E168, 2)],
        never: &[&[
            no_result(Reads(C006, 3), SIGNALLING, "a NaN result is quiet"),
            no_result(Not(&Reads(C006, 3)), OTHER_NANS, "a NaN result is always the same, and positive"),
        ]],
        ..Hints::NONE
    },
    rules: &[],
    forms: &[
        form("UF2FP_UUU", "UUU", &[ustype("UUU"), field(32, 6, UReg, "urb")], &["urd", "ura", "urb", "urc"]),
        form("UF2FP_UCU", "UCU", &[ustype("UCU"), field(32, 22, CMem, "vb")], &["urd", "ura", "vb", "urc"]),
    ],
    extra: Extra::NONE,
};
