//! FALU, the float unit: FADD, FMUL, FFMA (document `004`).

use super::types::{FMULScale, FPFtz, FPRound, FPSat, PModi};
use super::{optype, sign, stype};
use crate::enumeration::Modifier;
use crate::row::FieldType::{CMem, Enum, F32Imm, Pred, Reg, UReg};
use crate::row::{Field, FormRow, Group, Optype, field, field_or};

/// Guarded by an ordinary predicate.
pub static FALU: Group = Group {
    name: "FALU",
    parent: None,
    fields: &[field_or(12, 3, Pred, "pg", "PT"), field_or(15, 1, Enum(&PModi::ENUM), "pg.not", "False")],
};

/// Rounded arithmetic.
pub static F_ARITH: Group = Group {
    name: "F_ARITH",
    parent: Some(&FALU),
    fields: &[
        field(16, 8, Reg, "rd"),
        field(24, 8, Reg, "ra"),
        sign(72, "ra.neg"),
        sign(73, "ra.abs"),
        field_or(76, 1, Enum(&FPFtz::ENUM), "ftz", "NoFTZ"),
        field_or(77, 1, Enum(&FPSat::ENUM), "sat", "NoSAT"),
        field_or(78, 2, Enum(&FPRound::ENUM), "rnd", "RN"),
    ],
};

/// A form of this file: its own name, code, fields and operand order; nothing special about its text.
const fn form(
    name: &'static str,
    stype: &'static str,
    fields: &'static [Field],
    order: &'static [&'static str],
) -> FormRow {
    FormRow { name, stype, fields, order, asm_format: None }
}

/// The four forms of an optype whose last float operand comes from a register, a uniform register, an
/// immediate or a constant; `$before` are the operands written ahead of it.
#[rustfmt::skip]
macro_rules! float_source_forms {
    ($optype:literal, $($before:literal),+) => {
        &[
            form(concat!($optype, "_RR"), "RR", &[stype("RR"), field(32, 8, Reg, "rb"), sign(96, "rb.neg"), sign(97, "rb.abs")], &[$($before),+, "rb"]),
            form(concat!($optype, "_RU"), "RU", &[stype("RU"), field(32, 6, UReg, "urb"), sign(96, "urb.neg"), sign(97, "urb.abs")], &[$($before),+, "urb"]),
            form(concat!($optype, "_RI"), "RI", &[stype("RI"), field(32, 32, F32Imm, "vb")], &[$($before),+, "vb"]),
            form(concat!($optype, "_RC"), "RC", &[stype("RC"), field(32, 22, CMem, "vb"), sign(96, "vb.neg"), sign(97, "vb.abs")], &[$($before),+, "vb"]),
        ]
    };
}

/// `FADD{.FTZ}{.SAT}{.rnd} Rd, {-}{|}Ra{|}, {-}{|}SrcB{|}`
pub static FADD: Optype = Optype {
    name: "FADD",
    group: &F_ARITH,
    fields: &[optype("FADD")],
    syntax: &["ftz", "sat", "rnd"],
    outs: &["rd"],
    rules: &[],
    forms: float_source_forms!("FADD", "rd", "ra"),
};

/// `FMUL{.FTZ}{.SAT}{.rnd}{.scl} Rd, {-}{|}Ra{|}, {-}{|}SrcB{|}`
pub static FMUL: Optype = Optype {
    name: "FMUL",
    group: &F_ARITH,
    fields: &[optype("FMUL"), field_or(80, 3, Enum(&FMULScale::ENUM), "scl", "NoScale")],
    syntax: &["ftz", "sat", "rnd", "scl"],
    outs: &["rd"],
    rules: &[],
    forms: float_source_forms!("FMUL", "rd", "ra"),
};

/// `FFMA{.FTZ}{.SAT}{.rnd} Rd, {-}{|}Ra{|}, {-}{|}SrcB{|}, {-}{|}SrcC{|}`
///
/// The operand that is not an ordinary register takes bits 32 and up with its prefix at 96 and 97; the
/// register beside it moves to bit 64 with its prefix at 74 and 75.
#[rustfmt::skip]
pub static FFMA: Optype = Optype {
    name: "FFMA",
    group: &F_ARITH,
    fields: &[optype("FFMA")],
    syntax: &["ftz", "sat", "rnd"],
    outs: &["rd"],
    rules: &[],
    forms: &[
        form(
            "FFMA_RRR",
            "RRR",
            &[stype("RRR"), field(32, 8, Reg, "rb"), field(64, 8, Reg, "rc"), sign(96, "rb.neg"), sign(97, "rb.abs"), sign(74, "rc.neg"), sign(75, "rc.abs")],
            &["rd", "ra", "rb", "rc"],
        ),
        form(
            "FFMA_RRI",
            "RRI",
            &[stype("RRI"), field(32, 32, F32Imm, "vc"), field(64, 8, Reg, "rb"), sign(74, "rb.neg"), sign(75, "rb.abs")],
            &["rd", "ra", "rb", "vc"],
        ),
        form(
            "FFMA_RIR",
            "RIR",
            &[stype("RIR"), field(32, 32, F32Imm, "vb"), field(64, 8, Reg, "rc"), sign(74, "rc.neg"), sign(75, "rc.abs")],
            &["rd", "ra", "vb", "rc"],
        ),
        form(
            "FFMA_RRU",
            "RRU",
            &[stype("RRU"), field(32, 6, UReg, "urc"), field(64, 8, Reg, "rb"), sign(96, "urc.neg"), sign(97, "urc.abs"), sign(74, "rb.neg"), sign(75, "rb.abs")],
            &["rd", "ra", "rb", "urc"],
        ),
        form(
            "FFMA_RUR",
            "RUR",
            &[stype("RUR"), field(32, 6, UReg, "urb"), field(64, 8, Reg, "rc"), sign(96, "urb.neg"), sign(97, "urb.abs"), sign(74, "rc.neg"), sign(75, "rc.abs")],
            &["rd", "ra", "urb", "rc"],
        ),
        form(
            "FFMA_RRC",
            "RRC",
            &[stype("RRC"), field(32, 22, CMem, "vc"), field(64, 8, Reg, "rb"), sign(96, "vc.neg"), sign(97, "vc.abs"), sign(74, "rb.neg"), sign(75, "rb.abs")],
            &["rd", "ra", "rb", "vc"],
        ),
        form(
            "FFMA_RCR",
            "RCR",
            &[stype("RCR"), field(32, 22, CMem, "vb"), field(64, 8, Reg, "rc"), sign(96, "vb.neg"), sign(97, "vb.abs"), sign(74, "rc.neg"), sign(75, "rc.abs")],
            &["rd", "ra", "vb", "rc"],
        ),
    ],
};
