//! FALU, the float unit: arithmetic, minimum and maximum, comparison, selection (document `004`).

use super::classes::{
    FTZ, IN_UNIT, MINUS_ZERO, NOT_NEGATIVE_QUIET, OTHER_NANS, SAT, SATURATED, SIGNALLING, SUBNORMALS,
};
use super::types::{BVal, FCMPOp, FMULScale, FPFtz, FPRound, FPSat, LOPOp, NAN, PModi};
use super::{form, optype, sign, stype};
use crate::enumeration::Modifier;
use crate::hints::Condition::{All, Any, Field as Holds, Not, Reads};
use crate::hints::{Computes, Condition, ExcludedValues, Hints, Operation, no_result};
use crate::readings::Reading::{C001, C002, C004, C009, C010, C011, E170, E172, E177, E183, E185};
use crate::row::Data::{Exponent, Float, Mask};
use crate::row::FieldType::{CMem, Enum, F32Imm, Pred, Reg, UReg};
use crate::row::{Extra, Field, Group, Optype, field, field_or};

/// Optypes of the float unit, guarded by an ordinary predicate.
pub static FALU: Group = Group {
    name: "FALU",
    parent: None,
    fields: &[field_or(12, 3, Pred, "pg", "PT"), field_or(15, 1, Enum(&PModi::ENUM), "pg.not", "False")],
};

/// Optypes with rounded arithmetic.
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

/// The classes of NaN that no result has (C001, C002).
const NANS: &[ExcludedValues] = &[
    no_result(
        All(&[Reads(C001, 1), Reads(C002, 3)]),
        NOT_NEGATIVE_QUIET,
        "a NaN result is always 0xFFC00000",
    ),
    no_result(
        All(&[Reads(C001, 1), Not(&Reads(C002, 3))]),
        OTHER_NANS,
        "a NaN result is always the same, and positive",
    ),
    no_result(Not(&Reads(C001, 1)), SIGNALLING, "a NaN result is quiet"),
];
/// Whether `.FTZ` flushes results (C010).
const FLUSHES_RESULTS: Condition = All(&[FTZ, Not(&Reads(C010, 2))]);
const FLUSHED: &[ExcludedValues] = &[no_result(FLUSHES_RESULTS, SUBNORMALS, ".FTZ flushes results")];
const NO_MINUS_ZERO_OF_PRODUCT: ExcludedValues = no_result(All(&[SAT, Reads(E170, 2)]), MINUS_ZERO, IN_UNIT);
const NO_MINUS_ZERO_OF_SUM: ExcludedValues =
    no_result(All(&[SAT, Any(&[Reads(E170, 2), Reads(E172, 1)])]), MINUS_ZERO, IN_UNIT);
/// No sum is -0 under these readings. Only an exact zero is rounded to zero, and it becomes +0
/// (E172). No result is flushed to -0 (C010, C011).
const NO_MINUS_ZERO: ExcludedValues = no_result(
    All(&[Any(&[Not(&FLUSHES_RESULTS), Reads(C011, 2)]), Reads(E172, 1)]),
    MINUS_ZERO,
    "a sum of zero is +0",
);
/// Whether FMNMX can return a NaN operand unchanged (C009).
const PASSES_NAN: Condition =
    All(&[Not(&Holds("nan", &["NAN"])), Not(&Reads(C009, 1)), Not(&Reads(C009, 2))]);
/// The classes of NaN that FMNMX does not return.
const NANS_OF_EXTREME: &[ExcludedValues] = &[
    no_result(
        All(&[Not(&PASSES_NAN), Reads(C001, 1), Reads(C002, 3)]),
        NOT_NEGATIVE_QUIET,
        "a NaN result is always 0xFFC00000",
    ),
    no_result(
        All(&[Not(&PASSES_NAN), Reads(C001, 1), Not(&Reads(C002, 3))]),
        OTHER_NANS,
        "a NaN result is always the same, and positive",
    ),
    no_result(
        Any(&[Reads(C004, 2), All(&[Not(&PASSES_NAN), Not(&Reads(C001, 1))])]),
        SIGNALLING,
        "a NaN result is quiet",
    ),
];

/// The four forms of an optype. Its last float operand is a register, a uniform register, an
/// immediate or a constant. The first list has the operands before the last float operand, the
/// second the operands after it.
#[rustfmt::skip]
macro_rules! float_source_forms {
    ($optype:literal, [$($before:literal),+], [$($after:literal),*]) => {
        &[
            form(concat!($optype, "_RR"), "RR", &[stype("RR"), field(32, 8, Reg, "rb"), sign(96, "rb.neg"), sign(97, "rb.abs")], &[$($before,)+ "rb" $(, $after)*]),
            form(concat!($optype, "_RU"), "RU", &[stype("RU"), field(32, 6, UReg, "urb"), sign(96, "urb.neg"), sign(97, "urb.abs")], &[$($before,)+ "urb" $(, $after)*]),
            form(concat!($optype, "_RI"), "RI", &[stype("RI"), field(32, 32, F32Imm, "vb")], &[$($before,)+ "vb" $(, $after)*]),
            form(concat!($optype, "_RC"), "RC", &[stype("RC"), field(32, 22, CMem, "vb"), sign(96, "vb.neg"), sign(97, "vb.abs")], &[$($before,)+ "vb" $(, $after)*]),
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
    data: &[Float, Float, Float],
    hints: Hints {
        computes: Computes::Rounded(Operation::Sum),
        never: &[NANS, &[SATURATED, NO_MINUS_ZERO_OF_SUM], FLUSHED, &[NO_MINUS_ZERO]],
        ..Hints::NONE
    },
    rules: &[],
    forms: float_source_forms!("FADD", ["rd", "ra"], []),
    extra: Extra::NONE,
};

/// `FMUL{.FTZ}{.SAT}{.rnd}{.scl} Rd, {-}{|}Ra{|}, {-}{|}SrcB{|}`
pub static FMUL: Optype = Optype {
    name: "FMUL",
    group: &F_ARITH,
    fields: &[optype("FMUL"), field_or(80, 3, Enum(&FMULScale::ENUM), "scl", "NoScale")],
    syntax: &["ftz", "sat", "rnd", "scl"],
    outs: &["rd"],
    data: &[Float, Float, Float],
    hints: Hints {
        computes: Computes::Rounded(Operation::Product),
        never: &[NANS, &[SATURATED, NO_MINUS_ZERO_OF_PRODUCT], FLUSHED],
        ..Hints::NONE
    },
    rules: &[],
    forms: float_source_forms!("FMUL", ["rd", "ra"], []),
    extra: Extra::NONE,
};

/// `FFMA{.FTZ}{.SAT}{.rnd} Rd, {-}{|}Ra{|}, {-}{|}SrcB{|}, {-}{|}SrcC{|}`
///
/// At most one of SrcB and SrcC is not an ordinary register. That source, or SrcB if both are
/// registers, starts at bit 32, with its prefixes at bits 96 and 97. The other source starts at bit
/// 64, with its prefixes at bits 74 and 75.
#[rustfmt::skip]
pub static FFMA: Optype = Optype {
    name: "FFMA",
    group: &F_ARITH,
    fields: &[optype("FFMA")],
    syntax: &["ftz", "sat", "rnd"],
    outs: &["rd"],
    data: &[Float, Float, Float, Float],
    hints: Hints {
        computes: Computes::Rounded(Operation::Fused),
        undefined: &[Reads(E177, 1)],
        never: &[NANS, &[SATURATED, NO_MINUS_ZERO_OF_SUM], FLUSHED],
        ..Hints::NONE
    },
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
    extra: Extra::NONE,
};

/// Returns the field for `.FTZ`. Optypes of [`F_ARITH`] inherit it from their group instead.
const fn ftz() -> Field {
    field_or(76, 1, Enum(&FPFtz::ENUM), "ftz", "NoFTZ")
}

/// `FMNMX{.FTZ}{.NAN} Rd, {-}{|}Ra{|}, {-}{|}SrcB{|}, {!}pp`
#[rustfmt::skip]
pub static FMNMX: Optype = Optype {
    name: "FMNMX",
    group: &FALU,
    fields: &[
        optype("FMNMX"),
        field(16, 8, Reg, "rd"),
        field(98, 3, Pred, "pp"), field_or(101, 1, Enum(&PModi::ENUM), "pp.not", "False"),
        field(24, 8, Reg, "ra"), sign(72, "ra.neg"), sign(73, "ra.abs"),
        ftz(),
        field_or(83, 1, Enum(&NAN::ENUM), "nan", "NoNAN"),
    ],
    syntax: &["ftz", "nan"],
    outs: &["rd"],
    data: &[Float, Float, Float],
    hints: Hints {
        computes: Computes::Extreme,
        never: &[NANS_OF_EXTREME, &[no_result(All(&[FTZ, Reads(E183, 2)]), SUBNORMALS, ".FTZ flushes what is chosen from")]],
        ..Hints::NONE
    },
    rules: &[],
    forms: float_source_forms!("FMNMX", ["rd", "ra"], ["pp"]),
    extra: Extra::NONE,
};

/// `FSETP{.FTZ}.cmp.lop pu, {pv,} {-}{|}Ra{|}, {-}{|}SrcB{|}{, {!}pp}`
#[rustfmt::skip]
pub static FSETP: Optype = Optype {
    name: "FSETP",
    group: &FALU,
    fields: &[
        optype("FSETP"),
        field_or(98, 3, Pred, "pp", "PT"), field_or(101, 1, Enum(&PModi::ENUM), "pp.not", "False"),
        field(106, 3, Pred, "pu"),
        field_or(109, 3, Pred, "pv", "PT"),
        ftz(),
        field(24, 8, Reg, "ra"), sign(72, "ra.neg"), sign(73, "ra.abs"),
        field(84, 2, Enum(&LOPOp::ENUM), "lop"),
        field(86, 4, Enum(&FCMPOp::ENUM), "cmp"),
    ],
    syntax: &["ftz", "cmp", "lop"],
    outs: &["pu", "pv"],
    data: &[Float, Float],
    hints: Hints { computes: Computes::Comparison, ..Hints::NONE },
    rules: &[],
    forms: float_source_forms!("FSETP", ["pu", "pv", "ra"], ["pp"]),
    extra: Extra::NONE,
};

/// `FSET{.FTZ}.cmp.lop{.bval} Rd, {-}{|}Ra{|}, {-}{|}SrcB{|}{, {!}pp}` (E188)
#[rustfmt::skip]
pub static FSET: Optype = Optype {
    name: "FSET",
    group: &FALU,
    fields: &[
        optype("FSET"),
        field_or(98, 3, Pred, "pp", "PT"), field_or(101, 1, Enum(&PModi::ENUM), "pp.not", "False"),
        ftz(),
        field(16, 8, Reg, "rd"),
        field(24, 8, Reg, "ra"), sign(72, "ra.neg"), sign(73, "ra.abs"),
        field(84, 2, Enum(&LOPOp::ENUM), "lop"),
        field(86, 4, Enum(&FCMPOp::ENUM), "cmp"),
        field_or(90, 1, Enum(&BVal::ENUM), "bval", "BM"),
    ],
    syntax: &["ftz", "cmp", "lop", "bval"],
    outs: &["rd"],
    data: &[Mask, Float, Float],
    hints: Hints { computes: Computes::Comparison, ..Hints::NONE },
    rules: &[],
    forms: float_source_forms!("FSET", ["rd", "ra"], ["pp"]),
    extra: Extra::NONE,
};

/// `FSEL{.FTZ} Rd, {-}{|}Ra{|}, {-}{|}SrcB{|}{, {!}pp}` (E188)
#[rustfmt::skip]
pub static FSEL: Optype = Optype {
    name: "FSEL",
    group: &FALU,
    fields: &[
        optype("FSEL"),
        field_or(98, 3, Pred, "pp", "PT"), field_or(101, 1, Enum(&PModi::ENUM), "pp.not", "False"),
        field(16, 8, Reg, "rd"),
        field(24, 8, Reg, "ra"), sign(72, "ra.neg"), sign(73, "ra.abs"),
        ftz(),
    ],
    syntax: &["ftz"],
    outs: &["rd"],
    data: &[Float, Float, Float],
    hints: Hints {
        computes: Computes::Selection,
        never: &[&[
            no_result(Reads(E185, 2), OTHER_NANS, "a NaN result is always 0x7FFFFFFF"),
            no_result(FTZ, SUBNORMALS, ".FTZ flushes what is chosen from"),
        ]],
        ..Hints::NONE
    },
    rules: &[],
    forms: float_source_forms!("FSEL", ["rd", "ra"], ["pp"]),
    extra: Extra::NONE,
};

/// `FCHK pu, {-}{|}Ra{|}, {-}{|}SrcB{|}`
pub static FCHK: Optype = Optype {
    name: "FCHK",
    group: &FALU,
    fields: &[
        optype("FCHK"),
        field(106, 3, Pred, "pu"),
        field(24, 8, Reg, "ra"),
        sign(72, "ra.neg"),
        sign(73, "ra.abs"),
    ],
    syntax: &[],
    outs: &["pu"],
    data: &[Exponent, Exponent],
    hints: Hints::NONE,
    rules: &[],
    forms: float_source_forms!("FCHK", ["pu", "ra"], []),
    extra: Extra::NONE,
};
