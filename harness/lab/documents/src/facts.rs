//! The facts, as plain data: what documents and tables are both brought to, and compared as.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Location;

/// Everything known of an instruction set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Every form, fully resolved.
    pub forms: Vec<FormFacts>,
    /// The bit-field types whose values are listed.
    #[serde(default)]
    pub types: Vec<TypeFacts>,
    /// The instructions that are streams of operands.
    #[serde(default)]
    pub streams: Vec<StreamFacts>,
    /// How the modifiers of each optype are spelled.
    #[serde(default)]
    pub spellings: Vec<SpellingFacts>,
}

/// One form with everything it inherits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormFacts {
    /// Its name: `FFMA_RRI`.
    pub form: String,
    /// Its optype: `FFMA`.
    pub optype: String,
    /// The group of its optype: `F_ARITH`.
    pub group: String,
    /// Its facts and those of its optype and groups.
    #[serde(flatten)]
    pub body: Body,
    /// Where it is defined.
    #[serde(skip)]
    pub at: Location,
}

impl FormFacts {
    /// The type and value that the field `stype` must have: `("SType", "RRI")`.
    pub fn stype(&self) -> Option<(&str, &str)> {
        let field = self.body.fields.iter().find(|field| field.name == "stype")?;
        Some((&field.ty, field.constraint.as_deref()?))
    }
}

/// The text of a definition below its head.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Body {
    /// Fields; in a resolved form by bit position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldFacts>,
    /// `InList`: operands read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ins: Vec<String>,
    /// `OutList`: operands written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outs: Vec<String>,
    /// `Order`: operands as the assembler text orders them, such as `rd` or `C[vb, ura]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// `Bitwidth`: operand to expression, white space in it brought to single blanks.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub bitwidths: BTreeMap<String, String>,
    /// `AsmFormat`: operand or operand modifier to expression, spaced likewise.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub asm_formats: BTreeMap<String, String>,
    /// Encodings that are errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<ExceptionFacts>,
}

/// One field of the instruction word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldFacts {
    /// Its name: `rb`, or `rb.neg`.
    pub name: String,
    /// Its lowest bit.
    pub lo: u8,
    /// Its width in bits.
    pub width: u8,
    /// Its bit-field type.
    pub ty: String,
    /// The value it takes when the text leaves it out (`= X`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The only value it may have (`== X`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// Where it is declared.
    #[serde(skip)]
    pub at: Location,
}

impl FieldFacts {
    /// Whether the two fields have a bit in common.
    pub(crate) fn overlaps(&self, other: &FieldFacts) -> bool {
        let end = |field: &FieldFacts| u16::from(field.lo) + u16::from(field.width);
        u16::from(self.lo) < end(other) && u16::from(other.lo) < end(self)
    }
}

/// An encoding that is an error. The message is the document's own sentence, so it is not kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExceptionFacts {
    /// Which error: `IllegalBitFieldValue`.
    pub kind: String,
    /// When, spaced as [`Body::bitwidths`] are: `width=="64"`.
    pub condition: String,
}

/// A bit-field type whose values are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeFacts {
    /// Its name.
    pub name: String,
    /// Its width in bits.
    pub width: u8,
    /// Its values, in order.
    pub values: Vec<ValueFacts>,
    /// Where it is defined.
    #[serde(skip)]
    pub at: Location,
}

/// A named value of a bit-field type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueFacts {
    /// Its name.
    pub name: String,
    /// Its number: as written, else one more than the value before it, the first being 0.
    pub value: u64,
}

/// An instruction that is encoded as a stream of operands after a number, in a space of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamFacts {
    /// Its name: `BFN`.
    pub name: String,
    /// The number that begins it.
    pub opcode: u64,
    /// The fields after the number, in order.
    pub fields: Vec<StreamFieldFacts>,
    /// The types of operands that it works on.
    pub types: Vec<String>,
    /// Whether sources may carry a modifier, if the document states it.
    pub source_modifier: Option<bool>,
    /// The words of its assembler text.
    pub text: Vec<String>,
    /// Where it is defined.
    #[serde(skip)]
    pub at: Location,
}

/// One part of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamFieldFacts {
    /// Its name: `Src0`.
    pub name: String,
    /// Its type: `vec_operand`.
    pub ty: String,
    /// The classes of operands that may stand there, if it is an operand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The groups of bits whose values are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<BitsFacts>,
}

/// A group of bits of a part of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitsFacts {
    /// The highest bit.
    pub hi: u8,
    /// The lowest bit.
    pub lo: u8,
    /// The values that have a meaning.
    pub values: Vec<ValueFacts>,
}

/// How the modifiers of an optype are spelled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpellingFacts {
    /// The optype.
    pub optype: String,
    /// Its lists of values.
    pub lists: Vec<ListFacts>,
    /// Values that are written as they are, without a list: `X`.
    pub words: Vec<String>,
    /// Where the optype is defined.
    #[serde(skip)]
    pub at: Location,
}

/// The values of one modifier.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListFacts {
    /// The modifier: `mode`.
    pub modifier: String,
    /// Its values, in order.
    pub values: Vec<String>,
    /// The value that leaving it out means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starred: Option<String>,
}
