//! Logic, shifts, permutes, counts and masks.

use super::{CARRY_OUT, UDP, UPP, UPP_NOT, URA, URD, one_source, three_source_form, two_sources, ustype};
use crate::enumeration::Modifier;
use crate::hints::Condition::{All, Any, Field as With, Not, Reads};
use crate::hints::{Computes, Hints, no_result};
use crate::readings::Reading::{E013, E149, E158};
use crate::row::Data::{Amount, Bits, Index, Selector, Table};
use crate::row::FieldType::{CMem, Enum, SImm32, UImm, UPred, UReg};
use crate::row::{Extra, Field, Optype, field, field_or};
use crate::tables::types::{CWMode, EXBool, FLOSH, IType, LOHI, PModi, PRMTMode, SHFDType, SHFDir};
use crate::tables::{form, optype, sign, xu};

/// The truth table of a function of three inputs.
const LUT: Field = field(82, 8, UImm(8), "lut");

const fn not(lo: u8, name: &'static str) -> Field {
    field_or(lo, 1, Enum(&PModi::ENUM), name, "False")
}

/// `ULOP3{.exbool} {upu, }URd, URa, SrcB, URc, UImm8Lut, {!}upp`
#[rustfmt::skip]
pub static ULOP3: Optype = Optype {
    name: "ULOP3",
    group: &UDP,
    fields: &[
        optype("ULOP3"),
        URD,
        URA,
        field_or(79, 2, Enum(&EXBool::ENUM), "exbool", "POR"),
        LUT,
        UPP,
        UPP_NOT,
        CARRY_OUT,
    ],
    syntax: &["exbool"],
    outs: &["urd", "upu"],
    data: &[Bits, Bits, Bits, Bits, Table],
    hints: Hints { computes: Computes::Logic, undefined: &[Reads(E013, 1)], ..Hints::NONE },
    rules: &[],
    forms: &[
        three_source_form!("ULOP3", UUU, ["upu", "urd", "ura"], ["lut", "upp"]),
        three_source_form!("ULOP3", UIU, ["upu", "urd", "ura"], ["lut", "upp"]),
        three_source_form!("ULOP3", UCU, ["upu", "urd", "ura"], ["lut", "upp"]),
    ],
    extra: Extra::NONE,
};

/// `UPLOP3 upu, {!}upa, {!}upb, {!}upc, UImm8Lut`
#[rustfmt::skip]
pub static UPLOP3: Optype = Optype {
    name: "UPLOP3",
    group: &UDP,
    fields: &[
        optype("UPLOP3"),
        field(24, 3, UPred, "upa"),
        not(27, "upa.not"),
        field(32, 3, UPred, "upb"),
        not(35, "upb.not"),
        field(64, 3, UPred, "upc"),
        not(67, "upc.not"),
        LUT,
        field(106, 3, UPred, "upu"),
    ],
    syntax: &[],
    outs: &["upu"],
    data: &[Table],
    hints: Hints { computes: Computes::Logic, undefined: &[Reads(E013, 1)], ..Hints::NONE },
    rules: &[],
    forms: &[form("UPLOP3_X", "X", &[ustype("X")], &["upu", "upa", "upb", "upc", "lut"])],
    extra: Extra::NONE,
};

/// `USHF.direction{.lohi}{.cwmod}{.itype} URd, URa, SrcB, SrcC`
#[rustfmt::skip]
pub static USHF: Optype = Optype {
    name: "USHF",
    group: &UDP,
    fields: &[
        optype("USHF"),
        URD,
        URA,
        field_or(75, 1, Enum(&LOHI::ENUM), "lohi", "LO"),
        field_or(77, 2, Enum(&SHFDType::ENUM), "itype", "S32"),
        field_or(80, 1, Enum(&CWMode::ENUM), "cwmod", "CLAMP"),
        field(81, 1, Enum(&SHFDir::ENUM), "direction"),
    ],
    syntax: &["direction", "lohi", "cwmod", "itype"],
    outs: &["urd"],
    data: &[Bits, Bits, Amount, Bits],
    hints: Hints { undefined: &[Reads(E149, 1)], ..Hints::NONE },
    rules: &[],
    forms: &[
        three_source_form!("USHF", UUU, ["urd", "ura"], []),
        three_source_form!("USHF", UIU, ["urd", "ura"], []),
        three_source_form!("USHF", UUI, ["urd", "ura"], []),
        three_source_form!("USHF", UUC, ["urd", "ura"], []),
        three_source_form!("USHF", UCU, ["urd", "ura"], []),
    ],
    extra: Extra::NONE,
};

/// `UPRMT{.mode} URd, URa, SrcB, SrcC`
#[rustfmt::skip]
pub static UPRMT: Optype = Optype {
    name: "UPRMT",
    group: &UDP,
    fields: &[optype("UPRMT"), URD, URA, field_or(76, 3, Enum(&PRMTMode::ENUM), "mode", "IDX")],
    syntax: &["mode"],
    outs: &["urd"],
    data: &[Bits, Bits, Bits, Selector],
    hints: Hints {
        undefined: &[Reads(E013, 1)],
        never: &[&[no_result(
            Any(&[With("mode", &["RC8", "RC16"]), All(&[Not(&With("mode", &["IDX"])), Reads(E158, 1)])]),
            &["the top bit", "all but the top bit", "one bit", "one run"],
            "a pattern that is repeated",
        )]],
        ..Hints::NONE
    },
    rules: &[],
    forms: &[
        three_source_form!("UPRMT", UUU, ["urd", "ura"], []),
        three_source_form!("UPRMT", UUI, ["urd", "ura"], []),
        three_source_form!("UPRMT", UIU, ["urd", "ura"], []),
        three_source_form!("UPRMT", UUC, ["urd", "ura"], []),
        three_source_form!("UPRMT", UCU, ["urd", "ura"], []),
    ],
    extra: Extra::NONE,
};

/// `UPOPC URd, {~}SrcB`
#[rustfmt::skip]
pub static UPOPC: Optype = Optype {
    name: "UPOPC",
    group: &UDP,
    fields: &[optype("UPOPC"), URD],
    syntax: &[],
    outs: &["urd"],
    data: &[Index, Bits],
    hints: xu::COUNT,
    rules: &[],
    forms: one_source!("UPOPC", [sign(97, "urb.bitnot")], [sign(97, "vb.bitnot")], []),
    extra: Extra::NONE,
};

/// `UFLO{.SH}{.itype} URd, {~}SrcB`
#[rustfmt::skip]
pub static UFLO: Optype = Optype {
    name: "UFLO",
    group: &UDP,
    fields: &[
        optype("UFLO"),
        URD,
        field_or(80, 1, Enum(&IType::ENUM), "itype", "S32"),
        field_or(81, 1, Enum(&FLOSH::ENUM), "sh", "NoSH"),
    ],
    syntax: &["sh", "itype"],
    outs: &["urd"],
    data: &[Index, Bits],
    hints: xu::FIND,
    rules: &[],
    forms: one_source!("UFLO", [sign(97, "urb.bitnot")], [sign(97, "vb.bitnot")], []),
    extra: Extra::NONE,
};

/// `UBREV URd, SrcB`
#[rustfmt::skip]
pub static UBREV: Optype = Optype {
    name: "UBREV",
    group: &UDP,
    fields: &[optype("UBREV"), URD],
    syntax: &[],
    outs: &["urd"],
    data: &[Bits, Bits],
    hints: Hints::NONE,
    rules: &[],
    forms: one_source!("UBREV", [], [], []),
    extra: Extra::NONE,
};

/// `UBMSK{.cwmode} URd, URa, SrcB`
pub static UBMSK: Optype = Optype {
    name: "UBMSK",
    group: &UDP,
    fields: &[optype("UBMSK"), URD, URA, field_or(81, 1, Enum(&CWMode::ENUM), "cwmode", "CLAMP")],
    syntax: &["cwmode"],
    outs: &["urd"],
    data: &[Bits, Amount, Amount],
    hints: xu::MASK,
    rules: &[],
    forms: two_sources!("UBMSK", [], [], ["urd", "ura"], []),
    extra: Extra::NONE,
};

/// `USGXT{.cwmode}{.itype} URd, URa, SrcB`
#[rustfmt::skip]
pub static USGXT: Optype = Optype {
    name: "USGXT",
    group: &UDP,
    fields: &[
        optype("USGXT"),
        URD,
        URA,
        field_or(80, 1, Enum(&IType::ENUM), "itype", "S32"),
        field_or(81, 1, Enum(&CWMode::ENUM), "cwmode", "CLAMP"),
    ],
    syntax: &["cwmode", "itype"],
    outs: &["urd"],
    data: &[Bits, Bits, Amount],
    hints: xu::EXTEND,
    rules: &[],
    forms: two_sources!("USGXT", [], [], ["urd", "ura"], []),
    extra: Extra::NONE,
};
