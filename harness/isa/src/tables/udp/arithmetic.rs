//! Sums, products, addresses, extremes and comparisons of integers.

use super::{
    CARRY_IN, CARRY_OUT, UDP, UPP, UPP_NOT, URA, URD, one_source, three_source_form, two_sources, ustype,
};
use crate::enumeration::Modifier;
use crate::hints::Condition::{All, Always, Field as With, Not, Reads};
use crate::hints::{Computes, Condition, Hints, IntegerOperation, no_result};
use crate::readings::Reading::E129;
use crate::row::Data::{Amount, Bits};
use crate::row::FieldType::{CMem, Enum, SImm32, UImm, UPred, UReg};
use crate::row::{Extra, Field, Optype, Rule, Wide, Words, field, field_or};
use crate::tables::types::{BoolOp, CompOp, IExt, IType, LEASX32, LOHI, PModi};
use crate::tables::{form, optype, sign};

const EXT: Field = field_or(76, 1, Enum(&IExt::ENUM), "ext", "NoX");
const ITYPE: Field = field_or(77, 1, Enum(&IType::ENUM), "itype", "S32");
const LOHI: Field = field_or(75, 1, Enum(&LOHI::ENUM), "lohi", "LO");

/// Only modes with `.X` have a carry in.
const CARRY_IN_WITH_X: Rule = Rule::Present { operand: "upp", by: "ext", values: &["X"], erratum: 101 };

/// `.HI` requires `.X`, and `.LO` excludes `.X`.
const HI_WITH_X: Rule =
    Rule::Pairs { first: "lohi", second: "ext", legal: &[("LO", &["NoX"]), ("HI", &["X"])], erratum: 106 };

/// With `.X` the `neg` bit means a complement, and is written `~`.
const EXTENDED: Extra = Extra { complement: Some(("ext", "X")), ..Extra::NONE };

/// Returns the hint that an optype is a sum or a product of integers.
const fn integers(operation: IntegerOperation) -> Hints {
    Hints { computes: Computes::Integer(operation), ..Hints::NONE }
}

/// `UIADD{.X} URd{, upu}, {-}URa, {-}SrcB{, {!}upp}`; only with `.X` it has the predicates, and `~`
/// instead of `-`
#[rustfmt::skip]
pub static UIADD: Optype = Optype {
    name: "UIADD",
    group: &UDP,
    fields: &[optype("UIADD"), URD, URA, sign(72, "ura.neg"), EXT, CARRY_IN[0], CARRY_IN[1], CARRY_OUT],
    syntax: &["ext"],
    outs: &["urd", "upu"],
    data: &[Bits, Bits, Bits],
    hints: integers(IntegerOperation::Sum),
    rules: &[CARRY_IN_WITH_X, Rule::Present { operand: "upu", by: "ext", values: &["X"], erratum: 101 }],
    forms: two_sources!("UIADD", [sign(97, "urb.neg")], [sign(97, "vb.neg")], ["urd", "upu", "ura"], ["upp"]),
    extra: EXTENDED,
};

/// `UIMAD{.itype} URd{, upu}, URa, SrcB, {-}SrcC` and `UIMAD.HI.X{.itype} URd{, upu}, URa, SrcB, {~}SrcC{, {!}upp}`
#[rustfmt::skip]
pub static UIMAD: Optype = Optype {
    name: "UIMAD",
    group: &UDP,
    fields: &[optype("UIMAD"), URD, URA, LOHI, EXT, ITYPE, CARRY_IN[0], CARRY_IN[1], CARRY_OUT],
    syntax: &["lohi", "ext", "itype"],
    outs: &["urd", "upu"],
    data: &[Bits, Bits, Bits, Bits],
    hints: integers(IntegerOperation::Fused),
    rules: &[HI_WITH_X, CARRY_IN_WITH_X],
    forms: &[
        three_source_form!("UIMAD", UUU, ["urd", "upu", "ura"], ["upp"], sign(74, "urc.neg")),
        three_source_form!("UIMAD", UUI, ["urd", "upu", "ura"], ["upp"]),
        three_source_form!("UIMAD", UIU, ["urd", "upu", "ura"], ["upp"], sign(74, "urc.neg")),
        three_source_form!("UIMAD", UUC, ["urd", "upu", "ura"], ["upp"], sign(97, "vc.neg")),
        three_source_form!("UIMAD", UCU, ["urd", "upu", "ura"], ["upp"], sign(74, "urc.neg")),
    ],
    extra: EXTENDED,
};

/// `UIMAD.WIDE{.X}{.itype} URd{, upu}, URa, SrcB, {-}SrcC{, {!}upp}`: the addend and the result have 64 bits
#[rustfmt::skip]
pub static UIMAD_WIDE: Optype = Optype {
    name: "UIMAD_WIDE",
    group: &UDP,
    fields: &[optype("UIMAD_WIDE"), URD, URA, EXT, ITYPE, CARRY_IN[0], CARRY_IN[1], CARRY_OUT],
    syntax: &["ext", "itype"],
    outs: &["urd", "upu"],
    data: &[Bits, Bits, Bits, Bits],
    hints: integers(IntegerOperation::WideFused),
    rules: &[CARRY_IN_WITH_X],
    forms: &[
        three_source_form!("UIMAD_WIDE", UUU, ["urd", "upu", "ura"], ["upp"], sign(74, "urc.neg")),
        three_source_form!("UIMAD_WIDE", UIU, ["urd", "upu", "ura"], ["upp"], sign(74, "urc.neg")),
        three_source_form!("UIMAD_WIDE", UUC, ["urd", "upu", "ura"], ["upp"], sign(97, "vc.neg")),
        three_source_form!("UIMAD_WIDE", UCU, ["urd", "upu", "ura"], ["upp"], sign(74, "urc.neg")),
    ],
    extra: Extra {
        mnemonic: Some("UIMAD.WIDE"),
        wide: &[
            Wide { operand: "urd", words: Words::Fixed(2) },
            Wide { operand: "urc", words: Words::Fixed(2) },
            Wide { operand: "vc", words: Words::Fixed(2) },
        ],
        ..EXTENDED
    },
};

const HIGH: Condition = With("lohi", &["HI"]);
const SIGNED: Condition = With("itype", &["S32"]);

/// `UIMUL{.lohi}{.itype} URd, URa, {-}SrcB`
pub static UIMUL: Optype = Optype {
    name: "UIMUL",
    group: &UDP,
    fields: &[optype("UIMUL"), URD, URA, LOHI, ITYPE],
    syntax: &["lohi", "itype"],
    outs: &["urd"],
    data: &[Bits, Bits, Bits],
    hints: Hints {
        never: &[&[
            no_result(
                All(&[HIGH, SIGNED]),
                &["the top bit", "all but the top bit"],
                "no product exceeds 2^62",
            ),
            no_result(All(&[HIGH, Not(&SIGNED)]), &["all ones"], "(2^32 - 1)^2 has the high word 2^32 - 2"),
        ]],
        ..integers(IntegerOperation::Product)
    },
    rules: &[],
    forms: two_sources!("UIMUL", [sign(97, "urb.neg")], [sign(97, "vb.neg")], ["urd", "ura"], []),
    extra: Extra::NONE,
};

/// `ULEA URd{, upu}, {-}URa, SrcB, UImm5`, `ULEA.HI.X URd{, upu}, {~}URa, SrcB, URc, UImm5{, {!}upp}` and
/// `ULEA.HI.X.SX32 URd{, upu}, {~}URa, SrcB, UImm5{, {!}upp}`
#[rustfmt::skip]
pub static ULEA: Optype = Optype {
    name: "ULEA",
    group: &UDP,
    fields: &[
        optype("ULEA"),
        URD,
        URA,
        sign(72, "ura.neg"),
        LOHI,
        EXT,
        field_or(80, 1, Enum(&LEASX32::ENUM), "sx32", "NoSX32"),
        field(82, 5, UImm(5), "shiftamt"),
        CARRY_IN[0],
        CARRY_IN[1],
        CARRY_OUT,
    ],
    syntax: &["lohi", "ext", "sx32"],
    outs: &["urd", "upu"],
    data: &[Bits, Bits, Bits, Bits, Amount],
    hints: integers(IntegerOperation::ShiftedSum),
    rules: &[
        HI_WITH_X,
        Rule::Pairs { first: "sx32", second: "ext", legal: &[("NoSX32", &["NoX", "X"]), ("SX32", &["X"])], erratum: 106 },
        CARRY_IN_WITH_X,
        Rule::Present { operand: "urc", by: "ext", values: &["X"], erratum: 125 },
        Rule::Present { operand: "urc", by: "sx32", values: &["NoSX32"], erratum: 125 },
        Rule::Never { form: "", field: "urb.neg", value: "True", erratum: 124 },
        Rule::Never { form: "", field: "vb.neg", value: "True", erratum: 124 },
    ],
    forms: &[
        form("ULEA_UUU", "UUU", &[ustype("UUU"), field(32, 6, UReg, "urb"), HIGH_WORD, sign(97, "urb.neg")], &["urd", "upu", "ura", "urb", "urc", "shiftamt", "upp"]),
        form("ULEA_UIU", "UIU", &[ustype("UIU"), field(32, 32, SImm32, "vb"), HIGH_WORD], &["urd", "upu", "ura", "vb", "urc", "shiftamt", "upp"]),
        form("ULEA_UCU", "UCU", &[ustype("UCU"), field(32, 22, CMem, "vb"), HIGH_WORD, sign(97, "vb.neg")], &["urd", "upu", "ura", "vb", "urc", "shiftamt", "upp"]),
    ],
    extra: Extra { explicit: &["urc"], ..EXTENDED },
};

/// The high word of ULEA's first operand. Only some modes have this operand.
const HIGH_WORD: Field = field_or(64, 6, UReg, "urc", "URZ");

/// `UIABS URd, {-}SrcB`: the sign changes nothing, and has no bit
#[rustfmt::skip]
pub static UIABS: Optype = Optype {
    name: "UIABS",
    group: &UDP,
    fields: &[optype("UIABS"), URD],
    syntax: &[],
    outs: &["urd"],
    data: &[Bits, Bits],
    hints: Hints {
        never: &[&[
            no_result(Always, &["all ones", "negative"], "an absolute value has no sign"),
            no_result(Reads(E129, 2), &["the top bit"], "an absolute value has no sign"),
        ]],
        ..Hints::NONE
    },
    rules: &[],
    forms: one_source!("UIABS", [], [], []),
    extra: Extra { sign_dropped: true, ..Extra::NONE },
};

/// `UIMNMX{.itype} URd, {-}URa, {-}SrcB, {!}upp`
#[rustfmt::skip]
pub static UIMNMX: Optype = Optype {
    name: "UIMNMX",
    group: &UDP,
    fields: &[optype("UIMNMX"), URD, URA, sign(72, "ura.neg"), ITYPE, UPP, UPP_NOT],
    syntax: &["itype"],
    outs: &["urd"],
    data: &[Bits, Bits, Bits],
    hints: Hints { computes: Computes::Extreme, ..Hints::NONE },
    rules: &[],
    forms: two_sources!("UIMNMX", [sign(97, "urb.neg")], [sign(97, "vb.neg")], ["urd", "ura"], ["upp"]),
    extra: Extra::NONE,
};

/// `UISETP.compop.boolop{.itype}{.X} upu{, upv}, URa, SrcB, {!}upp{, {!}upq}`; only with `.X` it
/// has upq, which must then be written (E144)
#[rustfmt::skip]
pub static UISETP: Optype = Optype {
    name: "UISETP",
    group: &UDP,
    fields: &[
        optype("UISETP"),
        URA,
        EXT,
        ITYPE,
        field(79, 3, Enum(&CompOp::ENUM), "compop"),
        field(82, 2, Enum(&BoolOp::ENUM), "boolop"),
        UPP,
        UPP_NOT,
        field_or(102, 3, UPred, "upq", "UPT"),
        field_or(105, 1, Enum(&PModi::ENUM), "upq.not", "False"),
        field(106, 3, UPred, "upu"),
        field_or(109, 3, UPred, "upv", "UPT"),
    ],
    syntax: &["compop", "boolop", "itype", "ext"],
    outs: &["upu", "upv"],
    data: &[Bits, Bits],
    hints: Hints { computes: Computes::Comparison, ..Hints::NONE },
    rules: &[Rule::Present { operand: "upq", by: "ext", values: &["X"], erratum: 101 }],
    forms: two_sources!("UISETP", [], [], ["upu", "upv", "ura"], ["upp", "upq"]),
    extra: Extra { explicit: &["upq"], ..Extra::NONE },
};
