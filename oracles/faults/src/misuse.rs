//! What an instruction can do wrong with an operand that it reads.

use super::families::Family;

/// What is wrong with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misuse {
    /// It and the next are exchanged.
    Exchanged,
    /// `-` has no effect.
    NegIgnored,
    /// `|` has no effect.
    AbsIgnored,
    /// The sign is changed before the absolute value is taken.
    NegBeforeAbs,
    /// `~` has no effect.
    ComplementIgnored,
    /// `!` has no effect.
    NotIgnored,
    /// The name without storage reads all ones, or false.
    Idle,
    /// The halves of a literal are swapped.
    LiteralSwapped,
    /// `.FTZ` leaves it alone.
    NotFlushed,
    /// It is flushed without `.FTZ`.
    Flushed,
    /// A subnormal is flushed to +0.
    FlushSign,
    /// Its words are in reverse order.
    WordsSwapped,
    /// Only its low word is read.
    HighWordLost,
    /// This bit reads 0.
    BitLost(u8),
}

impl Misuse {
    pub(crate) fn name(self) -> String {
        match self {
            Misuse::Exchanged => "exchanged".into(),
            Misuse::NegIgnored => "neg-ignored".into(),
            Misuse::AbsIgnored => "abs-ignored".into(),
            Misuse::NegBeforeAbs => "neg-before-abs".into(),
            Misuse::ComplementIgnored => "complement-ignored".into(),
            Misuse::NotIgnored => "not-ignored".into(),
            Misuse::Idle => "idle-set".into(),
            Misuse::LiteralSwapped => "literal-swapped".into(),
            Misuse::NotFlushed => "not-flushed".into(),
            Misuse::Flushed => "flushed".into(),
            Misuse::FlushSign => "flush-sign".into(),
            Misuse::WordsSwapped => "words-swapped".into(),
            Misuse::HighWordLost => "high-word-lost".into(),
            Misuse::BitLost(bit) => format!("bit-{bit}-lost"),
        }
    }

    pub(crate) fn about(self) -> String {
        match self {
            Misuse::Exchanged => "and the next are exchanged".into(),
            Misuse::NegIgnored => "ignores its -".into(),
            Misuse::AbsIgnored => "ignores its |".into(),
            Misuse::NegBeforeAbs => "has its sign changed before the absolute value is taken".into(),
            Misuse::ComplementIgnored => "ignores its ~".into(),
            Misuse::NotIgnored => "ignores its !".into(),
            Misuse::Idle => "reads all ones from RZ or URZ, or false from PT or UPT".into(),
            Misuse::LiteralSwapped => "has the halves of a literal swapped".into(),
            Misuse::NotFlushed => "is left alone by .FTZ".into(),
            Misuse::Flushed => "is flushed without .FTZ".into(),
            Misuse::FlushSign => "is flushed to +0".into(),
            Misuse::WordsSwapped => "has its words in reverse order".into(),
            Misuse::HighWordLost => "reads 0 in its high word".into(),
            Misuse::BitLost(bit) => format!("reads 0 in bit {bit}"),
        }
    }

    pub(crate) fn family(self) -> Family {
        match self {
            Misuse::Exchanged => Family::OperandOrder,
            Misuse::NegIgnored | Misuse::AbsIgnored | Misuse::NegBeforeAbs | Misuse::ComplementIgnored => {
                Family::Prefix
            }
            Misuse::NotIgnored => Family::Predicate,
            Misuse::Idle => Family::Register,
            Misuse::LiteralSwapped => Family::Immediate,
            Misuse::NotFlushed | Misuse::Flushed | Misuse::FlushSign => Family::Flush,
            Misuse::WordsSwapped | Misuse::HighWordLost => Family::Pair,
            Misuse::BitLost(_) => Family::OperandBit,
        }
    }
}
