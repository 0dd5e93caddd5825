//! The types of the tables: the facts of a row, and short constructors.
//!
//! A row holds facts and no semantics. Names, bit positions, widths, types, defaults and operand
//! lists are from the documents. The documents crate compares them with the documents, and
//! [`crate::lint`] checks their consistency.

use crate::enumeration::Enumeration;
use crate::hints::Hints;
use crate::location::{NO_FLAGS, PT, RZ, URZ};

/// The operand that is not in the text: the channels that vISA dispatched.
pub const DISPATCH_MASK: &str = "EM";

/// The contents of a bit field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// General register number; 255 is RZ (E010).
    Reg,
    /// Uniform register number; 63 is URZ (E010).
    UReg,
    /// Predicate number; 7 is PT (E010).
    Pred,
    /// Uniform predicate number; 7 is UPT (E010).
    UPred,
    /// Constant bank and byte offset. The low 17 bits are the unsigned offset, the high 5 bits the
    /// bank (E015).
    CMem,
    /// Special register code (E003).
    SReg,
    /// A 32-bit literal: a float, unless the row's [`AsmFormat`] gives another kind.
    F32Imm,
    /// A 32-bit integer literal, parsed and printed as unsigned (E023). A minus sign is accepted.
    SImm32,
    /// A 7-bit offset in two's complement.
    SImm7,
    /// An unsigned literal of 3, 5, 8, 16 or 32 bits.
    UImm(u8),
    /// A vISA predicate; 15 means none.
    Flags,
    /// A vISA variable.
    Variable,
    /// A vISA variable, or if bit 16 is set, a 16-bit literal in the bits below.
    VecOperand,
    /// One of a list of names.
    Enum(&'static Enumeration),
}

impl FieldType {
    /// Returns the type's name in the documents.
    pub fn name(self) -> &'static str {
        match self {
            FieldType::Reg => "Reg",
            FieldType::UReg => "UReg",
            FieldType::Pred => "Pred",
            FieldType::UPred => "UPred",
            FieldType::CMem => "CMem",
            FieldType::SReg => "SReg",
            FieldType::F32Imm => "F32Imm",
            FieldType::SImm32 => "SImm32",
            FieldType::SImm7 => "SImm7",
            FieldType::UImm(3) => "UImm3",
            FieldType::UImm(5) => "UImm5",
            FieldType::UImm(8) => "UImm8",
            FieldType::UImm(16) => "UImm16",
            FieldType::UImm(_) => "UImm32",
            FieldType::Flags => "Pred",
            FieldType::Variable => "general",
            FieldType::VecOperand => "vec_operand",
            FieldType::Enum(e) => e.name,
        }
    }

    /// Returns the width of a field of this type, in bits.
    pub fn width(self) -> u8 {
        match self {
            FieldType::Reg => 8,
            FieldType::UReg => 6,
            FieldType::Pred | FieldType::UPred => 3,
            FieldType::CMem => 22,
            FieldType::SReg => 8,
            FieldType::F32Imm | FieldType::SImm32 => 32,
            FieldType::SImm7 => 7,
            FieldType::UImm(width) => width,
            FieldType::Flags => 4,
            FieldType::Variable => 5,
            FieldType::VecOperand => 17,
            FieldType::Enum(e) => e.width,
        }
    }

    /// Whether the field holds the number of an ordinary or uniform predicate. False for vISA
    /// predicates.
    pub fn is_predicate(self) -> bool {
        matches!(self, FieldType::Pred | FieldType::UPred)
    }

    /// Whether the field holds a literal.
    pub fn is_literal(self) -> bool {
        matches!(self, FieldType::F32Imm | FieldType::SImm32 | FieldType::SImm7 | FieldType::UImm(_))
    }

    /// Returns the name and the number of the register or predicate without storage, such as RZ and
    /// 255 (E010). `None` for other types.
    pub fn idle(self) -> Option<(&'static str, u32)> {
        match self {
            FieldType::Reg => Some(("RZ", RZ.into())),
            FieldType::UReg => Some(("URZ", URZ.into())),
            FieldType::Pred => Some(("PT", PT.into())),
            FieldType::Flags => Some(("none", NO_FLAGS.into())),
            FieldType::UPred => Some(("UPT", PT.into())),
            _ => None,
        }
    }
}

/// One bit field of the 128-bit word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name. A dot separates an operand from its prefix or suffix, as in `rb.neg`.
    pub name: &'static str,
    /// Lowest bit.
    pub lo: u8,
    /// Width in bits.
    pub width: u8,
    /// The type of the field's contents.
    pub ty: FieldType,
    /// Value if the text omits the field. If there is no default, the text must have the field. In
    /// modes that do not use the field, it is 0 (E031).
    pub default: Option<&'static str>,
    /// The only legal value, if there is only one. Fields with one legal value identify the optype
    /// and the form.
    pub constraint: Option<&'static str>,
}

impl Field {
    /// Returns the part of the name before the dot: the operand that the field belongs to.
    pub fn operand(&self) -> &'static str {
        self.name.split('.').next().unwrap_or(self.name)
    }

    /// Returns the part of the name after the dot, if the field is a prefix or suffix of an
    /// operand.
    pub fn attribute(&self) -> Option<&'static str> {
        self.name.split_once('.').map(|(_, attribute)| attribute)
    }

    /// Returns the mask of the field in the word.
    pub const fn mask(&self) -> u128 {
        ((1u128 << self.width) - 1) << self.lo
    }
}

/// A set of optypes that share fields.
#[derive(Debug)]
pub struct Group {
    /// Name in the documents.
    pub name: &'static str,
    /// The group from which this group inherits. The documents' empty root `ALL` (E029) is `None`.
    pub parent: Option<&'static Group>,
    /// Fields that every optype of the group has.
    pub fields: &'static [Field],
}

/// A rule that restricts field values beyond the range of each field.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Only the listed pairs of values of two fields are legal.
    Pairs {
        /// Name of the first field.
        first: &'static str,
        /// Name of the second field.
        second: &'static str,
        /// Each value of the first field, with the legal values of the second.
        legal: &'static [(&'static str, &'static [&'static str])],
        /// The erratum that states the rule.
        erratum: u16,
    },
    /// A field may differ from its default only if another field holds one of the values.
    OnlyWith {
        /// A field name, or `.attribute` for this attribute of every operand.
        field: &'static str,
        /// The field whose value decides.
        other: &'static str,
        /// Values of `other` with which the field may differ.
        values: &'static [&'static str],
        /// The erratum that states the rule.
        erratum: u16,
    },
    /// An operand that only some modes have. In other modes it is not in the text and keeps its
    /// default.
    Present {
        /// The operand.
        operand: &'static str,
        /// The field whose value decides.
        by: &'static str,
        /// Values of `by` with which the instruction has the operand.
        values: &'static [&'static str],
        /// The erratum that states the rule.
        erratum: u16,
    },
    /// A field that must not hold one value.
    Never {
        /// The form; every form of the optype if empty.
        form: &'static str,
        /// The field. A form without the field obeys the rule.
        field: &'static str,
        /// The value.
        value: &'static str,
        /// The erratum that states the rule, or 0 if the documents state it as an exception.
        erratum: u16,
    },
    /// The guard must be PT.
    Unguarded {
        /// The erratum that states the rule.
        erratum: u16,
    },
    /// A special register operand must be the low half of a pair. The instruction reads both
    /// halves.
    PairOfSpecials {
        /// The erratum that states the rule.
        erratum: u16,
    },
    /// The channels of the execution mask must exist: first channel plus execution size is at most
    /// 32.
    ChannelsExist {
        /// The erratum that states the rule.
        erratum: u16,
    },
    /// A special register operand must hold the same value in every thread of a warp.
    SameInWarp {
        /// The erratum that states the rule.
        erratum: u16,
    },
}

/// A literal whose text depends on another field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsmFormat {
    /// The literal's field.
    pub field: &'static str,
    /// The field that names the literal's type.
    pub by: &'static str,
}

/// An operand that is wider than a register. Its words are in consecutive registers, the lowest
/// first (E020).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The operand.
    pub operand: &'static str,
    /// The number of words.
    pub words: Words,
}

/// Number of words of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// The same number in every mode.
    Fixed(u8),
    /// A number for each listed value of a field. It is 1 for other values.
    By(&'static str, &'static [(&'static str, u8)]),
}

/// The kind of data in an operand. Generators choose values by it, and reports classify values by
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// A float. The dtype gives its format, if the mode has a dtype.
    Float,
    /// A float of which only the exponent matters.
    Exponent,
    /// A bit pattern or an integer.
    Bits,
    /// A bit position or a number of bits.
    Amount,
    /// A count of bits, or the position of a bit. All ones if no bit was found.
    Index,
    /// A truth value that fills the register: all ones or 0, or as a float 1.0 or 0.
    Mask,
    /// An address, or an index to which an offset is added.
    Address,
    /// Two floats of 16 bits, one in each half.
    Halves,
    /// One bit for each channel.
    Channels,
    /// Byte selectors, one nibble for each.
    Selector,
    /// A truth table, one bit for each combination of inputs.
    Table,
}

/// An optype: one row of the tables.
#[derive(Debug)]
pub struct Optype {
    /// Name in the tables. It is also the mnemonic, unless `extra` has another.
    pub name: &'static str,
    /// Group of the optype.
    pub group: &'static Group,
    /// Fields of its own.
    pub fields: &'static [Field],
    /// Modifier fields in the order of the syntax line, which is the order of the canonical text.
    pub syntax: &'static [&'static str],
    /// Names of the operands written.
    pub outs: &'static [&'static str],
    /// The kind of data of each operand that is not a predicate, in the order of the text.
    pub data: &'static [Data],
    /// Facts that steer generation, coverage and explanation. No verdict depends on them.
    pub hints: Hints,
    /// Rules about combinations of field values.
    pub rules: &'static [Rule],
    /// The forms of the optype.
    pub forms: &'static [FormRow],
    /// Properties that only few optypes have.
    pub extra: Extra,
}

impl Optype {
    /// Whether a guard decides if the instruction executes. False for vISA, which predicates by
    /// channel, and if the guard must be PT.
    pub(crate) const fn is_guarded(&self) -> bool {
        let (mut group, mut place) = (self.group, 0);
        while let Some(parent) = group.parent {
            group = parent;
        }
        while place < self.rules.len() {
            if matches!(self.rules[place], Rule::Unguarded { .. }) {
                return false;
            }
            place += 1;
        }
        !group.fields.is_empty()
    }

    /// Returns the mnemonic: the name, or another text if the name cannot be written (E115).
    pub fn mnemonic(&self) -> &'static str {
        self.extra.mnemonic.unwrap_or(self.name)
    }
}

/// Properties that only few optypes have.
#[derive(Debug)]
pub struct Extra {
    /// The mnemonic, if it differs from the name (E115).
    pub mnemonic: Option<&'static str>,
    /// Operands wider than a register.
    pub wide: &'static [Wide],
    /// Written operands whose old value can affect the new value. The instruction reads them, too
    /// (E135, E138).
    pub old: &'static [&'static str],
    /// Operands that the text must contain although they have a default.
    pub explicit: &'static [&'static str],
    /// The field and its value under which a `neg` bit is spelled `~` (E009).
    pub complement: Option<(&'static str, &'static str)>,
    /// Whether a minus sign before an operand is accepted and dropped: it would change nothing (E128).
    pub sign_dropped: bool,
    /// Whether the instruction reads or writes a special register by its address, if it does either
    /// (E071).
    pub special_space: Option<Direction>,
}

/// The direction of an access to special registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The access reads.
    Reads,
    /// The access writes.
    Writes,
}

impl Extra {
    /// None of these properties.
    pub const NONE: Extra = Extra {
        mnemonic: None,
        wide: &[],
        old: &[],
        explicit: &[],
        complement: None,
        sign_dropped: false,
        special_space: None,
    };
}

/// A form: an optype with its operand sources.
#[derive(Debug)]
pub struct FormRow {
    /// Name, e.g. `FFMA_RRI`.
    pub name: &'static str,
    /// Name of the source type, such as `RRI`. It is unique within the optype.
    pub stype: &'static str,
    /// Fields of its own.
    pub fields: &'static [Field],
    /// Operands in the order of the text, without the guard.
    pub order: &'static [&'static str],
    /// The literal whose text depends on another field, if any.
    pub asm_format: Option<AsmFormat>,
}

/// Returns a field without a default. The text must have the field. In modes that do not use the
/// field, it is 0.
pub const fn field(lo: u8, width: u8, ty: FieldType, name: &'static str) -> Field {
    Field { name, lo, width, ty, default: None, constraint: None }
}

/// Returns a field with a default.
pub const fn field_or(lo: u8, width: u8, ty: FieldType, name: &'static str, default: &'static str) -> Field {
    Field { name, lo, width, ty, default: Some(default), constraint: None }
}

/// Returns a field with only one legal value.
pub const fn constant(lo: u8, width: u8, ty: FieldType, name: &'static str, value: &'static str) -> Field {
    Field { name, lo, width, ty, default: None, constraint: Some(value) }
}
