//! Faults in an operand that an instruction reads.

use super::families::Family;

/// The fault of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandFault {
    /// The operand and the next one are exchanged.
    Exchanged,
    /// `-` has no effect.
    NegIgnored,
    /// `|` has no effect.
    AbsIgnored,
    /// The sign is changed before the absolute value is taken, so `-` has no effect on an operand
    /// with `|`.
    NegBeforeAbs,
    /// `~` has no effect.
    ComplementIgnored,
    /// `!` has no effect.
    NotIgnored,
    /// A name without storage reads all ones. As a predicate, it reads false.
    Idle,
    /// The halves of a literal are swapped.
    LiteralSwapped,
    /// `.FTZ` does not flush the operand.
    NotFlushed,
    /// The operand is flushed even without `.FTZ`.
    Flushed,
    /// A subnormal is flushed to +0.
    FlushSign,
    /// The operand's words are in reverse order.
    WordsSwapped,
    /// The operand's high word reads 0.
    HighWordLost,
    /// This bit of the operand reads 0.
    BitLost(u8),
}

impl OperandFault {
    pub(crate) fn name(self) -> String {
        match self {
            OperandFault::Exchanged => "exchanged".into(),
            OperandFault::NegIgnored => "neg-ignored".into(),
            OperandFault::AbsIgnored => "abs-ignored".into(),
            OperandFault::NegBeforeAbs => "neg-before-abs".into(),
            OperandFault::ComplementIgnored => "complement-ignored".into(),
            OperandFault::NotIgnored => "not-ignored".into(),
            OperandFault::Idle => "idle-set".into(),
            OperandFault::LiteralSwapped => "literal-swapped".into(),
            OperandFault::NotFlushed => "not-flushed".into(),
            OperandFault::Flushed => "flushed".into(),
            OperandFault::FlushSign => "flush-sign".into(),
            OperandFault::WordsSwapped => "words-swapped".into(),
            OperandFault::HighWordLost => "high-word-lost".into(),
            OperandFault::BitLost(bit) => format!("bit-{bit}-lost"),
        }
    }

    pub(crate) fn about(self) -> String {
        match self {
            OperandFault::Exchanged => "and the next are exchanged".into(),
            OperandFault::NegIgnored => "ignores its -".into(),
            OperandFault::AbsIgnored => "ignores its |".into(),
            OperandFault::NegBeforeAbs => "has its sign changed before the absolute value is taken".into(),
            OperandFault::ComplementIgnored => "ignores its ~".into(),
            OperandFault::NotIgnored => "ignores its !".into(),
            OperandFault::Idle => "reads all ones from RZ or URZ, or false from PT or UPT".into(),
            OperandFault::LiteralSwapped => "has the halves of a literal swapped".into(),
            OperandFault::NotFlushed => "is not flushed by .FTZ".into(),
            OperandFault::Flushed => "is flushed without .FTZ".into(),
            OperandFault::FlushSign => "is flushed to +0".into(),
            OperandFault::WordsSwapped => "has its words in reverse order".into(),
            OperandFault::HighWordLost => "reads 0 in its high word".into(),
            OperandFault::BitLost(bit) => format!("reads 0 in bit {bit}"),
        }
    }

    pub(crate) fn family(self) -> Family {
        match self {
            OperandFault::Exchanged => Family::OperandOrder,
            OperandFault::NegIgnored
            | OperandFault::AbsIgnored
            | OperandFault::NegBeforeAbs
            | OperandFault::ComplementIgnored => Family::Prefix,
            OperandFault::NotIgnored => Family::Predicate,
            OperandFault::Idle => Family::Register,
            OperandFault::LiteralSwapped => Family::Immediate,
            OperandFault::NotFlushed | OperandFault::Flushed | OperandFault::FlushSign => Family::Flush,
            OperandFault::WordsSwapped | OperandFault::HighWordLost => Family::Pair,
            OperandFault::BitLost(_) => Family::OperandBit,
        }
    }
}
