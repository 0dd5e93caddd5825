//! MISC and IB: special registers, hints and barriers (document `001`).

use super::types::PModi;
use super::{form, optype, stype};
use crate::enumeration::Modifier;
use crate::hints::Condition::{self, Reads};
use crate::hints::Hints;
use crate::readings::Reading::{E066, E071, E075, E076, E077, E078};
use crate::row::Data::{Address, Amount, Bits};
use crate::row::FieldType::{CMem, Enum, Pred, Reg, SReg, UImm, UReg};
use crate::row::{Direction, Extra, Field, Group, Optype, Rule, Wide, Words, field, field_or};

const GUARD: &[Field] =
    &[field_or(12, 3, Pred, "pg", "PT"), field_or(15, 1, Enum(&PModi::ENUM), "pg.not", "False")];

/// Optypes for special registers and hints, guarded by an ordinary predicate.
pub static MISC: Group = Group { name: "MISC", parent: None, fields: GUARD };

/// The instructions of the instruction buffer, guarded by an ordinary predicate too (E079).
pub static IB: Group = Group { name: "IB", parent: None, fields: GUARD };

/// Returns hints that state only this: no case has a result if one of these conditions holds.
const fn undefined(undefined: &'static [Condition]) -> Hints {
    Hints { undefined, ..Hints::NONE }
}

/// `S2R Rd, SRa`
pub static S2R: Optype = Optype {
    name: "S2R",
    group: &MISC,
    fields: &[optype("S2R"), field(16, 8, Reg, "rd")],
    syntax: &[],
    outs: &["rd"],
    data: &[Bits, Bits],
    hints: Hints::NONE,
    rules: &[],
    forms: &[form("S2R_I", "I", &[stype("I"), field(32, 8, SReg, "sreg")], &["rd", "sreg"])],
    extra: Extra::NONE,
};

/// `CS2R Rd, SRa`: copies a pair of special registers to a pair of registers.
pub static CS2R: Optype = Optype {
    name: "CS2R",
    group: &MISC,
    fields: &[optype("CS2R"), field(16, 8, Reg, "rd")],
    syntax: &[],
    outs: &["rd"],
    data: &[Bits, Bits],
    hints: undefined(&[Reads(E066, 1)]),
    rules: &[Rule::PairOfSpecials { erratum: 67 }],
    forms: &[form("CS2R_I", "I", &[stype("I"), field(32, 8, SReg, "sreg")], &["rd", "sreg"])],
    extra: Extra {
        wide: &[
            Wide { operand: "rd", words: Words::Fixed(2) },
            Wide { operand: "sreg", words: Words::Fixed(2) },
        ],
        ..Extra::NONE
    },
};

/// `S2UR URd, SRa`
pub static S2UR: Optype = Optype {
    name: "S2UR",
    group: &MISC,
    fields: &[optype("S2UR"), field(16, 6, UReg, "urd")],
    syntax: &[],
    outs: &["urd"],
    data: &[Bits, Bits],
    hints: Hints::NONE,
    rules: &[Rule::Unguarded { erratum: 69 }, Rule::SameInWarp { erratum: 70 }],
    forms: &[form("S2UR_I", "I", &[stype("I"), field(32, 8, SReg, "sreg")], &["urd", "sreg"])],
    extra: Extra::NONE,
};

/// `PMTRIG vb`. The document has the fields, but no assembler syntax.
pub static PMTRIG: Optype = Optype {
    name: "PMTRIG",
    group: &MISC,
    fields: &[optype("PMTRIG")],
    syntax: &[],
    outs: &[],
    data: &[Bits],
    hints: undefined(&[Reads(E075, 2)]),
    rules: &[],
    forms: &[form("PMTRIG_I", "I", &[stype("I"), field(32, 16, UImm(16), "vb")], &["vb"])],
    extra: Extra::NONE,
};

/// `SETREG SrcAddr, Ra`
#[rustfmt::skip]
pub static SETREG: Optype = Optype {
    name: "SETREG",
    group: &MISC,
    fields: &[optype("SETREG"), field(24, 8, Reg, "ra")],
    syntax: &[],
    outs: &[],
    data: &[Address, Bits],
    hints: undefined(&[Reads(E071, 2)]),
    rules: &[],
    forms: &[
        form("SETREG_RI", "RI", &[stype("RI"), field(32, 32, UImm(32), "regaddr")], &["regaddr", "ra"]),
        form("SETREG_RR", "RR", &[stype("RR"), field(32, 8, Reg, "rb")], &["rb", "ra"]),
        form("SETREG_RU", "RU", &[stype("RU"), field(32, 6, UReg, "urb")], &["urb", "ra"]),
    ],
    extra: Extra { special_space: Some(Direction::Writes), ..Extra::NONE },
};

/// `GETREG Rd, SrcAddr`
#[rustfmt::skip]
pub static GETREG: Optype = Optype {
    name: "GETREG",
    group: &MISC,
    fields: &[optype("GETREG"), field(16, 8, Reg, "rd")],
    syntax: &[],
    outs: &["rd"],
    data: &[Bits, Address],
    hints: undefined(&[Reads(E071, 2)]),
    rules: &[],
    forms: &[
        form("GETREG_I", "I", &[stype("I"), field(32, 32, UImm(32), "regaddr")], &["rd", "regaddr"]),
        form("GETREG_R", "R", &[stype("R"), field(32, 8, Reg, "rb")], &["rd", "rb"]),
        form("GETREG_U", "U", &[stype("U"), field(32, 6, UReg, "urb")], &["rd", "urb"]),
    ],
    extra: Extra { special_space: Some(Direction::Reads), ..Extra::NONE },
};

/// `SWITCH hint`. The document has the fields, but no assembler syntax.
#[rustfmt::skip]
pub static SWITCH: Optype = Optype {
    name: "SWITCH",
    group: &MISC,
    fields: &[optype("SWITCH")],
    syntax: &[],
    outs: &[],
    data: &[Bits],
    hints: undefined(&[Reads(E076, 2)]),
    rules: &[],
    forms: &[
        form("SWITCH_R", "R", &[stype("R"), field(32, 8, Reg, "rb")], &["rb"]),
        form("SWITCH_C", "C", &[stype("C"), field(32, 22, CMem, "vb")], &["vb"]),
        form("SWITCH_I", "I", &[stype("I"), field(32, 32, UImm(32), "hidx")], &["hidx"]),
    ],
    extra: Extra::NONE,
};

/// `NOP`
pub static NOP: Optype = Optype {
    name: "NOP",
    group: &IB,
    fields: &[optype("NOP")],
    syntax: &[],
    outs: &[],
    data: &[],
    hints: undefined(&[Reads(E077, 2)]),
    rules: &[],
    forms: &[form("NOP_X", "X", &[stype("X")], &[])],
    extra: Extra::NONE,
};

/// `IBBAR`
pub static IBBAR: Optype = Optype {
    name: "IBBAR",
    group: &IB,
    fields: &[optype("IBBAR")],
    syntax: &[],
    outs: &[],
    data: &[],
    hints: undefined(&[Reads(E077, 2)]),
    rules: &[],
    forms: &[form("IBBAR_X", "X", &[stype("X")], &[])],
    extra: Extra::NONE,
};

/// `DEPBAR sbid, cnt`. The document has the fields, but no assembler syntax.
pub static DEPBAR: Optype = Optype {
    name: "DEPBAR",
    group: &IB,
    fields: &[optype("DEPBAR")],
    syntax: &[],
    outs: &[],
    data: &[Amount, Amount],
    hints: undefined(&[Reads(E078, 2)]),
    rules: &[],
    forms: &[form(
        "DEPBAR_I",
        "I",
        &[stype("I"), field(32, 3, UImm(3), "sbid"), field(36, 8, UImm(8), "cnt")],
        &["sbid", "cnt"],
    )],
    extra: Extra::NONE,
};
