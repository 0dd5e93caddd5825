//! The vocabulary of the tables: the facts of a row, and their short constructors.
//!
//! A row holds facts and no semantics. Names, bit positions, widths, types, defaults and operand lists are those of the
//! documents; [`crate::lint`] and the documents crate compare them.

use crate::enumeration::Enumeration;
use crate::hints::Hints;
use crate::location::{NO_FLAGS, PT, RZ, URZ};

/// The operand that no text names: the channels that vISA dispatched.
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
    /// Constant bank and byte offset: 17 bits of unsigned offset below 5 bits of bank (E015).
    CMem,
    /// Special register code (E003).
    SReg,
    /// A literal in 32 bits, a float unless the row's [`AsmFormat`] gives another kind.
    F32Imm,
    /// A literal in 32 bits, read and printed without regard to a sign (E023).
    SImm32,
    /// An offset in 7 bits of two's complement.
    SImm7,
    /// A literal without a sign in 3, 5, 8, 16 or 32 bits.
    UImm(u8),
    /// A vISA predicate; 15 is none.
    Flags,
    /// A vISA variable.
    Variable,
    /// A vISA variable, or below a set bit 16 a literal of 16 bits.
    VecOperand,
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

    /// Width that the type prescribes, in bits.
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

    /// Whether it names a predicate of either kind.
    pub fn is_predicate(self) -> bool {
        matches!(self, FieldType::Pred | FieldType::UPred)
    }

    /// Whether it holds a literal.
    pub fn is_literal(self) -> bool {
        matches!(self, FieldType::F32Imm | FieldType::SImm32 | FieldType::SImm7 | FieldType::UImm(_))
    }

    /// The name without storage that a register or predicate can hold, with its number (E010).
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
    /// Name; a dot separates an operand from its prefix or suffix, as in `rb.neg`.
    pub name: &'static str,
    /// Lowest bit.
    pub lo: u8,
    /// Width in bits.
    pub width: u8,
    /// The type of its contents.
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
    /// An operand that only some modes have: elsewhere it is no part of the text and rests at its default.
    Present {
        /// The operand.
        operand: &'static str,
        /// The field that decides.
        by: &'static str,
        /// Values of `by` under which the instruction has the operand.
        values: &'static [&'static str],
        /// The erratum that states it.
        erratum: u16,
    },
    /// A field that may hold anything but one value.
    Never {
        /// The form; every form of the optype if empty.
        form: &'static str,
        /// The field, which a form may lack.
        field: &'static str,
        /// The value.
        value: &'static str,
        /// The erratum that states it, or 0 where the documents have an exception for it.
        erratum: u16,
    },
    /// The guard must be PT.
    Unguarded {
        /// The erratum that states it.
        erratum: u16,
    },
    /// A special register operand must be one of those with a high half of its own, which it is read with.
    PairOfSpecials {
        /// The erratum that states it.
        erratum: u16,
    },
    /// The channels of the execution mask must exist: its first and the execution size do not exceed 32.
    ChannelsExist {
        /// The erratum that states it.
        erratum: u16,
    },
    /// A special register operand must hold the same value in every thread of a warp.
    SameInWarp {
        /// The erratum that states it.
        erratum: u16,
    },
}

/// The text of a literal whose meaning depends on another field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsmFormat {
    /// The literal's field.
    pub field: &'static str,
    /// The field that names its type.
    pub by: &'static str,
}

/// An operand that is wider than a register: so many words, the lowest first, in registers that follow each other
/// (E020).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The operand.
    pub operand: &'static str,
    /// Its words: the same in every mode, or by the value of a field and 1 for the values that are not listed.
    pub words: Words,
}

/// Number of words of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Always so many.
    Fixed(u8),
    /// By the value of a field.
    By(&'static str, &'static [(&'static str, u8)]),
}

/// What the 32 bits of an operand stand for: generators choose values by it, and reports classify them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// A float, of the format that the dtype names if there is one.
    Float,
    /// A float whose exponent alone counts.
    Exponent,
    /// A pattern or an integer.
    Bits,
    /// A bit position or a number of bits.
    Amount,
    /// A number of bits found, or the position of one; all ones if there is none.
    Index,
    /// A truth value spread over the register.
    Mask,
    /// Where something is: an address, or an index that is added to an offset.
    Address,
    /// Two floats of 16 bits, one in each half.
    Halves,
    /// A bit for each channel.
    Channels,
    /// Selectors of bytes, a nibble each.
    Selector,
    /// A truth table, one bit for each combination of inputs.
    Table,
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
    /// What steers generation, coverage and explanation, and no verdict.
    pub hints: Hints,
    /// Conditions on combinations.
    pub rules: &'static [Rule],
    /// Its forms.
    pub forms: &'static [FormRow],
    /// What few optypes have.
    pub extra: Extra,
}

impl Optype {
    /// Whether a guard decides if it executes: not in vISA, where predication is by channel, nor where it must be PT.
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

    /// The mnemonic: the name, unless that cannot be written (E115).
    pub fn mnemonic(&self) -> &'static str {
        self.extra.mnemonic.unwrap_or(self.name)
    }
}

/// What few optypes have.
#[derive(Debug)]
pub struct Extra {
    /// The mnemonic where it is not the name (E115).
    pub mnemonic: Option<&'static str>,
    /// Operands wider than a register.
    pub wide: &'static [Wide],
    /// Written operands whose old value can decide about the new one: they are read as well (E135, E138).
    pub old: &'static [&'static str],
    /// Operands with a default that must be written all the same.
    pub explicit: &'static [&'static str],
    /// The field and its value under which a `neg` bit is spelled `~` (E009).
    pub complement: Option<(&'static str, &'static str)>,
    /// Whether a minus sign before an operand is accepted and dropped: it would change nothing (E128).
    pub sign_dropped: bool,
    /// Whether it reads or writes the special register whose address is in an operand (E071).
    pub special_space: Option<Direction>,
}

/// What becomes of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It is read.
    Reads,
    /// It is written.
    Writes,
}

impl Extra {
    /// Nothing of it.
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
