//! A decoded instruction: operands, modifiers and outputs, without bit positions.

use crate::codes::OptypeInfo;
use crate::float::Rounding;
use crate::location::Location;

/// Where the 32 bits or the truth value of an operand come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A constant value: a literal, a zero register, or PT.
    Value(u32),
    /// A location whose values come with the batch.
    Place(Location),
}

/// A source operand with its prefixes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) source: Source,
    /// The high word of a 64-bit operand (E020).
    pub(crate) high: Option<Source>,
    /// The prefix `-`, which means `~` under `.X` (E099, E105).
    pub(crate) negate: bool,
    pub(crate) absolute: bool,
    /// The prefix `~` of POPC and FLO.
    pub(crate) invert: bool,
    pub(crate) literal: bool,
}

impl Operand {
    pub(crate) const NONE: Operand = Operand {
        source: Source::Value(0),
        high: None,
        negate: false,
        absolute: false,
        invert: false,
        literal: false,
    };
}

/// A predicate operand with its `!`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Predicate {
    pub(crate) source: Source,
    pub(crate) not: bool,
}

impl Predicate {
    pub(crate) const TRUE: Predicate = Predicate { source: Source::Value(1), not: false };
}

/// The part of a result that an output receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultPart {
    Low,
    High,
    /// `pu` or `upu`.
    First,
    /// `pv` or `upv`.
    Second,
    /// A predicate bit that UR2UP writes.
    Bit(u8),
}

/// The modifiers. Absent modifiers are 0 or false. Codes are as in the word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Modifiers {
    pub(crate) ftz: bool,
    pub(crate) sat: bool,
    pub(crate) rounding: Rounding,
    /// `.scl` of FMUL: 0 means none, and 1 to 6 mean D2, D4, D8, M2, M4, M8.
    pub(crate) scale: u32,
    /// `.X`.
    pub(crate) extended: bool,
    /// `.HI`.
    pub(crate) high: bool,
    /// `.U32`.
    pub(crate) unsigned: bool,
    /// `.NAN` of FMNMX.
    pub(crate) nan: bool,
    /// `.BF` of FSET.
    pub(crate) one: bool,
    /// `.cmp` or `.compop`.
    pub(crate) compare: u32,
    /// `.lop` or `.boolop`.
    pub(crate) boolean: u32,
    /// `.SH` of FLO.
    pub(crate) distance: bool,
    /// `.WRAP`.
    pub(crate) wrap: bool,
    /// `.itype` of USHF: S32, U32, S64, U64.
    pub(crate) shift_type: u32,
    /// `.R` of USHF.
    pub(crate) right: bool,
    /// The truth table of ULOP3 and UPLOP3.
    pub(crate) table: u32,
    /// `.POR` of ULOP3.
    pub(crate) or: bool,
    /// The scaling of ULEA.
    pub(crate) shift: u32,
    /// `.SX32` of ULEA.
    pub(crate) sign_extended: bool,
    /// `.mode` of UPRMT.
    pub(crate) mode: u32,
    /// `.bsel`.
    pub(crate) byte: u32,
    /// `.64` of UMOV.
    pub(crate) wide: bool,
    /// `.mufuop`.
    pub(crate) function: u32,
    /// `.dtype` of MUFU.
    pub(crate) dtype: u32,
    /// `.H1` of MUFU.
    pub(crate) upper: bool,
}

/// A decoded instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) info: &'static OptypeInfo,
    pub(crate) form: &'static str,
    pub(crate) guard: Predicate,
    pub(crate) a: Operand,
    pub(crate) b: Operand,
    pub(crate) c: Operand,
    /// `pp`, `upp`, or `upa` of UPLOP3.
    pub(crate) p: Predicate,
    /// `upq`, or `upb` of UPLOP3.
    pub(crate) q: Predicate,
    /// `upc` of UPLOP3.
    pub(crate) r: Predicate,
    /// Whether the instruction reads UP0 to UP6 as a byte.
    pub(crate) packs: bool,
    pub(crate) m: Modifiers,
    /// The written locations, in order. If two writes have the same location, the last one counts.
    pub(crate) outputs: Vec<(Location, ResultPart)>,
}
