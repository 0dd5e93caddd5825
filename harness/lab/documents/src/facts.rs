//! The facts as plain data. Documents and tables are both converted to facts, and then compared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::Location;

/// All facts about an instruction set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Every form, fully resolved.
    pub forms: Vec<FormFacts>,
    /// The bit-field types with listed values.
    #[serde(default)]
    pub types: Vec<TypeFacts>,
    /// The instructions that are operand streams.
    #[serde(default)]
    pub streams: Vec<StreamFacts>,
    /// The modifiers of each optype, as the syntax writes them.
    #[serde(default)]
    pub spellings: Vec<SpellingFacts>,
}

/// A form with everything that it inherits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormFacts {
    /// Name of the form: `FFMA_RRI`.
    pub form: String,
    /// Name of the form's optype: `FFMA`.
    pub optype: String,
    /// Name of the optype's group: `F_ARITH`.
    pub group: String,
    /// The facts of the form, its optype and its groups.
    #[serde(flatten)]
    pub body: Body,
    /// Position of the form's definition.
    #[serde(skip)]
    pub at: Location,
}

impl FormFacts {
    /// Returns the type and the required value of the field `stype`: `("SType", "RRI")`.
    pub fn stype(&self) -> Option<(&str, &str)> {
        let field = self.body.fields.iter().find(|field| field.name == "stype")?;
        Some((&field.ty, field.constraint.as_deref()?))
    }
}

/// The facts in the body of a definition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Body {
    /// Fields. In a resolved form, sorted by bit position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldFacts>,
    /// `InList`: operands read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ins: Vec<String>,
    /// `OutList`: operands written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outs: Vec<String>,
    /// `Order`: the operands in the order of the assembler text, such as `rd` or `C[vb, ura]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// `Bitwidth`: maps an operand to an expression. White space is reduced to single blanks.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub bitwidths: BTreeMap<String, String>,
    /// `AsmFormat`: maps an operand or its attribute to an expression. White space is reduced to
    /// single blanks.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub asm_formats: BTreeMap<String, String>,
    /// Illegal encodings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<ExceptionFacts>,
}

/// A field of the instruction word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldFacts {
    /// Name of the field: `rb`, or `rb.neg`.
    pub name: String,
    /// Lowest bit of the field.
    pub lo: u8,
    /// Width in bits.
    pub width: u8,
    /// Name of the bit-field type.
    pub ty: String,
    /// The value if the assembler text leaves the field out (`= X`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The only legal value (`== X`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// Position of the declaration.
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

/// An illegal encoding. The message is prose of the document, so it is not kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExceptionFacts {
    /// The kind of error: `IllegalBitFieldValue`.
    pub kind: String,
    /// The condition, with white space reduced as in [`Body::bitwidths`]: `width=="64"`.
    pub condition: String,
}

/// A bit-field type with listed values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeFacts {
    /// Name of the type.
    pub name: String,
    /// Width in bits.
    pub width: u8,
    /// The values, in order.
    pub values: Vec<ValueFacts>,
    /// Position of the definition.
    #[serde(skip)]
    pub at: Location,
}

/// A named value of a bit-field type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueFacts {
    /// Name of the value.
    pub name: String,
    /// The number as written, or else one more than the previous value. The first value defaults to
    /// 0.
    pub value: u64,
}

/// An instruction that is encoded as an opcode and a stream of operands, not as an instruction
/// word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamFacts {
    /// Name of the instruction: `BFN`.
    pub name: String,
    /// The opcode at the start of the stream.
    pub opcode: u64,
    /// The parts after the opcode, in order.
    pub fields: Vec<StreamFieldFacts>,
    /// The data types that the instruction supports.
    pub types: Vec<String>,
    /// Whether sources may have a modifier, if the document states it.
    pub source_modifier: Option<bool>,
    /// The words of the assembler text.
    pub text: Vec<String>,
    /// Position of the definition.
    #[serde(skip)]
    pub at: Location,
}

/// A part of an operand stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamFieldFacts {
    /// Name of the part: `Src0`.
    pub name: String,
    /// Type of the part: `vec_operand`.
    pub ty: String,
    /// The operand classes that are allowed here, if the part is an operand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The groups of bits with listed values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<BitsFacts>,
}

/// A group of bits in a part of an operand stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitsFacts {
    /// The highest bit.
    pub hi: u8,
    /// The lowest bit.
    pub lo: u8,
    /// The values that have a meaning.
    pub values: Vec<ValueFacts>,
}

/// The modifiers of an optype, as the syntax writes them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpellingFacts {
    /// The optype.
    pub optype: String,
    /// The value lists of the optype's modifiers.
    pub lists: Vec<ListFacts>,
    /// Modifiers that are written as words, without a value list: `X`.
    pub words: Vec<String>,
    /// Position of the optype's definition.
    #[serde(skip)]
    pub at: Location,
}

/// The value list of a modifier.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListFacts {
    /// Name of the modifier: `mode`.
    pub modifier: String,
    /// The values, in order.
    pub values: Vec<String>,
    /// The value that applies when the modifier is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starred: Option<String>,
}
