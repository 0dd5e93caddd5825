//! The vocabulary of the tables: what a row can say, and the short constructors it says it with.
//!
//! A row holds facts and no semantics. Names, bit positions, widths, types, defaults and operand lists
//! are those of the documents; [`crate::lint`] and the spec crate hold them against each other.

use crate::enumeration::Enumeration;

/// What a bit field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// General register number; 255 is RZ (E010).
    Reg,
    /// Uniform register number; 63 is URZ (E010).
    UReg,
    /// Predicate number; 7 is PT (E010).
    Pred,
    /// Constant bank and byte offset: 17 bits of unsigned offset below 5 bits of bank (E015).
    CMem,
    /// A literal in 32 bits, a float unless the row's [`AsmFormat`] says otherwise.
    F32Imm,
    /// A literal in 32 bits, read and printed without regard to a sign (E023).
    SImm32,
    /// One of a list of names.
    Enum(&'static Enumeration),
}

impl FieldType {
    /// Type name as the documents spell it.
    pub fn name(self) -> &'static str {
        match self {
            FieldType::Reg => "Reg",
            FieldType::UReg => "UReg",
            FieldType::Pred => "Pred",
            FieldType::CMem => "CMem",
            FieldType::F32Imm => "F32Imm",
            FieldType::SImm32 => "SImm32",
            FieldType::Enum(e) => e.name,
        }
    }

    /// Width that the type prescribes, in bits.
    pub fn width(self) -> u8 {
        match self {
            FieldType::Reg => 8,
            FieldType::UReg => 6,
            FieldType::Pred => 3,
            FieldType::CMem => 22,
            FieldType::F32Imm | FieldType::SImm32 => 32,
            FieldType::Enum(e) => e.width,
        }
    }
}

/// One bit field of the 128-bit word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name; a dot separates an operand from its prefix or suffix, as in `rb.neg`.
    pub name: &'static str,
    /// Lowest bit.
    pub lo: u8,
    /// Width in bits.
    pub width: u8,
    /// What it holds.
    pub ty: FieldType,
    /// Value when the text does not mention it; `None` makes it mandatory or 0 (E031).
    pub default: Option<&'static str>,
    /// The one value it must hold: this is what identifies an optype or a form.
    pub constraint: Option<&'static str>,
}

impl Field {
    /// The part before the dot: the operand this field belongs to.
    pub fn operand(&self) -> &'static str {
        self.name.split('.').next().unwrap_or(self.name)
    }

    /// The part after the dot, if this is a prefix or suffix of an operand.
    pub fn attribute(&self) -> Option<&'static str> {
        self.name.split_once('.').map(|(_, attribute)| attribute)
    }

    /// Mask of the field in the word.
    pub const fn mask(&self) -> u128 {
        ((1u128 << self.width) - 1) << self.lo
    }
}

/// A set of optypes that share fields.
#[derive(Debug)]
pub struct Group {
    /// Name as declared.
    pub name: &'static str,
    /// The group it inherits from; `ALL` is the empty root (E029).
    pub parent: Option<&'static Group>,
    /// Fields that every optype of the group has.
    pub fields: &'static [Field],
}

/// A condition on field values beyond their own range.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Only the listed pairs of values of two fields are legal.
    Pairs {
        /// Name of the first field.
        first: &'static str,
        /// Name of the second field.
        second: &'static str,
        /// Each value of the first with the values of the second it may meet.
        legal: &'static [(&'static str, &'static [&'static str])],
        /// The erratum that states it.
        erratum: u16,
    },
    /// A field may leave its default only where another holds one of the values.
    OnlyWith {
        /// A field name, or `.attribute` for that attribute of any operand.
        field: &'static str,
        /// The field that decides.
        other: &'static str,
        /// Values of `other` that permit it.
        values: &'static [&'static str],
        /// The erratum that states it.
        erratum: u16,
    },
}

/// How the assembler writes a literal whose meaning depends on another field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsmFormat {
    /// The literal's field.
    pub field: &'static str,
    /// The field that names its type.
    pub by: &'static str,
}

/// What the 32 bits of an operand stand for: generators choose values by it, and reports classify them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// A float, of the format that the dtype names if there is one.
    Float,
    /// A float of which only the exponent counts.
    Exponent,
    /// A pattern or an integer.
    Bits,
    /// A bit position or a number of bits.
    Amount,
    /// A number of bits found, or the position of one, all ones where there is none.
    Index,
    /// A truth value spread over the register.
    Mask,
}

/// An optype: one row of the tables.
#[derive(Debug)]
pub struct Optype {
    /// Mnemonic.
    pub name: &'static str,
    /// Group it belongs to.
    pub group: &'static Group,
    /// Fields of its own.
    pub fields: &'static [Field],
    /// Modifier fields in the order of the syntax line, which is the order of the canonical text.
    pub syntax: &'static [&'static str],
    /// Operands written.
    pub outs: &'static [&'static str],
    /// What the operands that are no predicates stand for, in the order of the text.
    pub data: &'static [Data],
    /// Conditions on combinations.
    pub rules: &'static [Rule],
    /// Its forms.
    pub forms: &'static [FormRow],
}

/// A form: an optype with its operand sources.
#[derive(Debug)]
pub struct FormRow {
    /// Name, e.g. `FFMA_RRI`.
    pub name: &'static str,
    /// Source type code name, unique within the optype.
    pub stype: &'static str,
    /// Fields of its own.
    pub fields: &'static [Field],
    /// Operands in the order of the text, the guard left out.
    pub order: &'static [&'static str],
    /// Literals whose text depends on another field.
    pub asm_format: Option<AsmFormat>,
}

/// A field that must be written, or is 0 where the mode does not use it.
pub const fn field(lo: u8, width: u8, ty: FieldType, name: &'static str) -> Field {
    Field { name, lo, width, ty, default: None, constraint: None }
}

/// A field with a default.
pub const fn field_or(lo: u8, width: u8, ty: FieldType, name: &'static str, default: &'static str) -> Field {
    Field { name, lo, width, ty, default: Some(default), constraint: None }
}

/// A field that must hold one value.
pub const fn constant(lo: u8, width: u8, ty: FieldType, name: &'static str, value: &'static str) -> Field {
    Field { name, lo, width, ty, default: None, constraint: Some(value) }
}
