//! XU, the special function unit: MUFU, and the counting and masking of bits (document `000`).

use super::classes::{IN_UNIT, MINUS_ZERO, NOT_NEGATIVE_QUIET, OTHER_NANS, SAT, SATURATED, SUBNORMALS, WRAP};
use super::types::{CWMode, FLOSH, FPSat, HSel, IType, MUFUDType, MUFUOp, PModi};
use super::{form, optype, sign, stype};
use crate::enumeration::Modifier;
use crate::hints::Condition::{All, Always, Any, Field as With, Not, Reads, Sources};
use crate::hints::{Computes, Condition, ExcludedValues, Hints, Segments, no_operand, no_result};
use crate::readings::Reading::{
    C007, E011, E033, E034, E035, E036, E040, E041, E042, E049, E050, E051, E052, E053, E057, E058, E062,
    E063,
};
use crate::row::Data::{Amount, Bits, Float, Index};
use crate::row::FieldType::{CMem, Enum, F32Imm, Pred, Reg, SImm32, UReg};
use crate::row::{AsmFormat, Extra, Field, FormRow, Group, Optype, Rule, field, field_or};

/// Optypes of the special function unit, guarded by an ordinary predicate.
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
    hints: Hints {
        computes: Computes::Function,
        undefined: &[],
        never: &[UNDEFINED_OF_F64, RESULTS, OF_FUNCTIONS],
        segments: SEGMENTS,
    },
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

/// The segments of Oberman and Siu (ARITH 2005): 2^7 for a reciprocal, and 2^6 for each other
/// function. For sine and cosine, the segments divide a quadrant, for angles in radians or in
/// turns. Near 0, tanh x is close to x, so the segments of TANH have equal length there. The
/// results of EX2 enter a new binade at each whole number.
const SEGMENTS: &[(Condition, Segments)] = &[
    (With("mufuop", &["RCP"]), Segments::Fraction(7)),
    (With("mufuop", &["RSQ", "SQRT", "LG2", "TANH"]), Segments::Fraction(6)),
    (With("mufuop", &["EX2"]), Segments::Multiples(-6)),
    (With("mufuop", &["EX2"]), Segments::Multiples(0)),
    (With("mufuop", &["TANH"]), Segments::Multiples(-7)),
    (With("mufuop", &["SIN", "COS"]), Segments::Angles(-7)),
    (With("mufuop", &["SIN", "COS"]), Segments::Multiples(-8)),
];

const F32: Condition = With("dtype", &["F32"]);
const F64: Condition = With("dtype", &["F64"]);
const F64_IMMEDIATE: Condition = All(&[F64, Sources(&["I"])]);
const ROOT: Condition = With("mufuop", &["RSQ"]);
/// Holds if RSQ.F64 of a negative number is the quiet NaN (E041).
const REFUSES: Condition = All(&[ROOT, Reads(E041, 2)]);

/// The classes that operands and results of F64 functions do not have if the result is defined. The
/// class of an operand is determined before its prefixes apply. The prefixes can change the sign.
const UNDEFINED_OF_F64: &[ExcludedValues] = &[
    no_result(
        All(&[F64, Reads(E040, 1)]),
        &[
            "+subnormal",
            "+normal",
            "+infinity",
            "+quiet NaN",
            "+signalling NaN",
            "-zero",
            "-subnormal",
            "-normal",
            "-infinity",
            "-quiet NaN",
            "-signalling NaN",
        ],
        "the low word of every special value is 0",
    ),
    no_operand(
        All(&[F64, Reads(E040, 1), Not(&REFUSES)]),
        &["+normal", "-normal"],
        "E040 leaves numbers undefined",
    ),
    no_operand(All(&[F64_IMMEDIATE, Reads(E040, 1), REFUSES]), &["+normal"], "E040 leaves numbers undefined"),
    no_operand(
        All(&[F64_IMMEDIATE, ROOT, Not(&Reads(E041, 2))]),
        &["-normal"],
        "E041 leaves negative numbers undefined",
    ),
];

/// The classes that no result of any function has.
const RESULTS: &[ExcludedValues] = &[
    no_result(Any(&[Not(&F32), Reads(E036, 2)]), OTHER_NANS, "a NaN result is always the positive quiet one"),
    no_result(All(&[F32, Reads(E036, 1)]), NOT_NEGATIVE_QUIET, "a NaN result is always 0xFFFFFFFF"),
    SATURATED,
    no_result(SAT, MINUS_ZERO, IN_UNIT),
];

/// Whether subnormal results are flushed. In BF16 only EX2 flushes. Hints of TANH, the only other
/// BF16 function, do not use this condition.
const FLUSHES: Condition = Any(&[
    F64,
    All(&[F32, Not(&Reads(E042, 1))]),
    All(&[With("dtype", &["BF16", "BF16_V2"]), Reads(E042, 3)]),
]);
const SINE: Condition = Any(&[
    All(&[With("mufuop", &["SIN"]), Reads(E033, 2)]),
    All(&[With("mufuop", &["COS"]), Not(&Reads(E033, 2))]),
]);
const COSINE: Condition = All(&[With("mufuop", &["SIN", "COS"]), Not(&SINE)]);
const FAR: &str = "no operand is that near to a zero of the cosine";

/// The classes that no result of certain functions has.
const OF_FUNCTIONS: &[ExcludedValues] = &[
    no_result(With("mufuop", &["SIN", "COS"]), INFINITIES, "sine and cosine lie in [-1, 1]"),
    no_result(COSINE, SUBNORMALS, FAR),
    no_result(
        All(&[COSINE, Not(&Reads(E034, 1)), Not(&Reads(E035, 2)), Not(&SAT)]),
        &["+zero", "-zero"],
        FAR,
    ),
    no_result(
        All(&[COSINE, Not(&Reads(E034, 1)), Not(&All(&[Reads(E035, 2), Reads(C007, 2)]))]),
        MINUS_ZERO,
        "the cosine of a zero is 1, and its zeros are positive",
    ),
    no_result(
        With("mufuop", &["EX2"]),
        &["-zero", "-subnormal", "-normal", "-infinity"],
        "a power of 2 is positive",
    ),
    no_result(
        All(&[FLUSHES, Any(&[SINE, With("mufuop", &["EX2", "RCP"])])]),
        SUBNORMALS,
        "subnormal results are flushed",
    ),
    no_result(With("mufuop", &["LG2"]), SUBNORMALS, "no operand is that near to 1"),
    no_result(With("mufuop", &["LG2"]), MINUS_ZERO, "the only zero is that of 1"),
    no_result(ROOT, SUBNORMALS, "the square root of no operand is that large"),
    no_result(ROOT, &["-zero", "-normal"], "a square root is positive"),
    no_result(With("mufuop", &["SQRT"]), SUBNORMALS, "the square root of no operand is that small"),
    no_result(With("mufuop", &["SQRT"]), &["-normal", "-infinity"], "a square root is positive"),
    no_result(With("mufuop", &["TANH"]), INFINITIES, "the hyperbolic tangent lies in [-1, 1]"),
];
const INFINITIES: &[&str] = &["+infinity", "-infinity"];

/// The four forms of an optype with one source. The source has a `~` prefix unless it is an
/// immediate.
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

const NOT_ZERO: &str = "the count of anything but 0 is undefined";

/// The hints of an optype that counts bits.
pub(super) const COUNT: Hints = Hints {
    never: &[&[
        no_result(Reads(E049, 1), &["1 to 30", "31", "32"], NOT_ZERO),
        // None of these classes contains 0, or all ones, which the prefix `~` turns into 0.
        no_operand(
            Reads(E049, 1),
            &["the top bit", "all but the top bit", "one bit", "one run", "positive", "negative"],
            NOT_ZERO,
        ),
        no_result(Always, &["none"], "a count is at most 32"),
    ]],
    ..Hints::NONE
};

const SHIFTED: Condition = With("sh", &["SH"]);
/// Whether 0 is the only operand without a leading one.
const ONLY_ZERO: Condition = Any(&[With("itype", &["U32"]), Reads(E052, 1)]);
/// Whether the result for "no bit found" is subtracted from 31 (E053).
const SUBTRACTS: Condition = All(&[SHIFTED, Reads(E053, 1)]);
/// Whether only negative operands are complemented before the search. Needs a signed type, E051 =
/// 2, E052 = 2, and E011 = 2 (the search reads the original operand).
const NO_SIGN: Condition = All(&[Not(&ONLY_ZERO), Reads(E051, 2), Reads(E011, 2)]);

/// The hints of an optype that searches for the leading one.
pub(super) const FIND: Hints = Hints {
    never: &[&[
        no_result(
            Any(&[Not(&SUBTRACTS), All(&[Reads(E050, 2), ONLY_ZERO])]),
            &["32"],
            "a position is at most 31",
        ),
        no_result(All(&[SUBTRACTS, Not(&Reads(E050, 2))]), &["none"], "31 less what stands for none is 32"),
        no_result(All(&[NO_SIGN, Not(&SHIFTED)]), &["31"], "bit 31 is the sign"),
        no_result(All(&[NO_SIGN, SHIFTED]), &["0"], "bit 31 is the sign"),
    ]],
    ..Hints::NONE
};

/// The hints of an optype that makes a mask.
pub(super) const MASK: Hints = Hints {
    undefined: &[All(&[Reads(E058, 2), Reads(E057, 2), Sources(&["RI", "RC", "UI", "UC"])])],
    never: &[&[
        no_result(Always, &["positive", "negative"], "a mask is one run of bits"),
        no_result(All(&[WRAP, Reads(E057, 2)]), &["all ones"], "a width modulo 32 is at most 31"),
        no_result(All(&[WRAP, Reads(E057, 1)]), &["zero"], "a mask of one bit and more, within the register"),
    ]],
    ..Hints::NONE
};

const UNSIGNED: Condition = With("itype", &["U32"]);
/// Whether a width is at most 31.
const WRAPS: Condition = All(&[WRAP, Reads(E062, 2)]);

/// The hints of a sign extension.
pub(super) const EXTEND: Hints = Hints {
    never: &[&[
        no_result(
            All(&[UNSIGNED, WRAPS]),
            &["all ones", "the top bit", "negative"],
            "31 bits extended by a zero",
        ),
        no_result(
            All(&[Not(&UNSIGNED), Any(&[WRAPS, Reads(E063, 1)])]),
            &["the top bit", "all but the top bit"],
            "of 31 bits the highest is copied",
        ),
    ]],
    ..Hints::NONE
};

/// `POPC Rd, {~}SrcB`
pub static POPC: Optype = Optype {
    name: "POPC",
    group: &XU,
    fields: &[optype("POPC"), field(16, 8, Reg, "rd")],
    syntax: &[],
    outs: &["rd"],
    data: &[Index, Bits],
    hints: COUNT,
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
    hints: FIND,
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
    hints: Hints::NONE,
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
    hints: MASK,
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
    hints: EXTEND,
    rules: &[],
    forms: amount_source_forms!("SGXT"),
    extra: Extra::NONE,
};
