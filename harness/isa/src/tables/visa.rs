//! vISA: BFN, an instruction of another instruction set, in a separate encoding space (document
//! `002`, E091).
//!
//! The document gives the order of the bytes, and the codes of size and mask. The document gives no
//! layout of operands, so the layout here is provisional. Sources are variables or 16-bit literals.
//! Indirect sources cannot be encoded, because the document only names them.

use super::classes::BEYOND_HALF;
use super::form;
use super::types::{ChannelMask, ExecSize, PModi, VisaOpcode, VisaType};
use crate::enumeration::Modifier;
use crate::hints::Condition::{All, Any, Field, Not, Reads};
use crate::hints::{Hints, no_result};
use crate::readings::Reading::E081;
use crate::row::Data::{Bits, Channels, Table};
use crate::row::FieldType::{Enum, Flags, UImm, Variable, VecOperand};
use crate::row::{DISPATCH_MASK, Extra, Group, Optype, Rule, Wide, Words, constant, field, field_or};

/// vISA has no guard, because it predicates by channel.
pub static VISA: Group = Group { name: "VISA", parent: None, fields: &[] };

const BY_SIZE: Words = Words::By("size", &[("2", 2), ("4", 4), ("8", 8), ("16", 16), ("32", 32)]);

const fn wide(operand: &'static str) -> Wide {
    Wide { operand, words: BY_SIZE }
}

/// `[(<P>)] BFN.x<ctrl>.<type> (<mask>, <size>) <dst> <src0> <src1> <src2>`
pub static BFN: Optype = Optype {
    name: "BFN",
    group: &VISA,
    fields: &[
        constant(0, 8, Enum(&VisaOpcode::ENUM), "opcode", "BFN"),
        field(8, 3, Enum(&ExecSize::ENUM), "size"),
        field_or(12, 4, Enum(&ChannelMask::ENUM), "mask", "M1"),
        field_or(16, 4, Flags, "pred", "none"),
        field_or(31, 1, Enum(&PModi::ENUM), "pred.not", "False"),
        field(32, 5, Variable, "dst"),
        field(40, 17, VecOperand, "src0"),
        field(57, 17, VecOperand, "src1"),
        field(74, 17, VecOperand, "src2"),
        field(96, 8, UImm(8), "ctrl"),
        field(104, 2, Enum(&VisaType::ENUM), "type"),
    ],
    syntax: &["type", "mask", "size"],
    outs: &["dst"],
    data: &[Channels, Bits, Bits, Bits, Bits, Table, Channels],
    hints: Hints {
        // With E081 = 1, the loop count is the whole byte that holds size and mask. In these modes
        // the count exceeds the number of elements, or is zero.
        undefined: &[All(&[Reads(E081, 1), Any(&[Not(&Field("mask", &["M1"])), Field("size", &["1"])])])],
        never: &[&[no_result(Field("type", &["W", "UW"]), BEYOND_HALF, "a channel has 16 bits")]],
        ..Hints::NONE
    },
    rules: &[Rule::ChannelsExist { erratum: 85 }],
    forms: &[form("BFN", "", &[], &["pred", "dst", "src0", "src1", "src2", "ctrl", DISPATCH_MASK])],
    extra: Extra { wide: &[wide("dst"), wide("src0"), wide("src1"), wide("src2")], ..Extra::NONE },
};
