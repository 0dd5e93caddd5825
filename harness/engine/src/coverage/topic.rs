//! The topic of a bin, by which summaries distinguish bins.

/// The topic of a bin, by which summaries distinguish bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// A modifier value with a class of one operand or result.
    Class,
    /// The guard, an attribute of an operand, the zero register, or a register used twice.
    Fact,
    /// Two modifier values with a class of one operand or result.
    Pair,
    /// A modifier value with classes of two operands.
    Meeting,
    /// A modifier value with a class of an operand and a class of a result.
    Flow,
    /// A modifier value with classes of three operands.
    Triple,
    /// An operand that is the zero register or the register of another operand, with a class of an
    /// operand or result.
    Source,
    /// An operand's field at the first, the middle or the last value that it can have.
    End,
    /// The difference of the exponents of a sum's terms.
    Distance,
    /// The number of bits that the terms of a sum cancel.
    Cancellation,
    /// The place of an exact number between two numbers of the format.
    Rounding,
    /// The place of an exact number at an end of the range.
    Range,
    /// A sum of a power of two and a term of the opposite sign. The term is at most half of the
    /// power's unit in the last place.
    Edge,
    /// Operands in one register, with or without an exact number that leaves the range.
    Repeated,
    /// A modifier value, and a special value of one operand while all others are normal numbers.
    Alone,
    /// An operand at an end of a binade of its format, or of a segment of the function's table.
    Border,
}

impl Topic {
    /// All topics, the plain ones first.
    pub const ALL: [Topic; 16] = [
        Topic::Class,
        Topic::Fact,
        Topic::Pair,
        Topic::Meeting,
        Topic::Flow,
        Topic::Triple,
        Topic::Source,
        Topic::End,
        Topic::Distance,
        Topic::Cancellation,
        Topic::Rounding,
        Topic::Range,
        Topic::Edge,
        Topic::Repeated,
        Topic::Alone,
        Topic::Border,
    ];

    /// Topics of exact numbers with bins for each rounding mode, with and without flushing.
    pub(super) const EXACT: [Topic; 5] =
        [Topic::Distance, Topic::Cancellation, Topic::Rounding, Topic::Range, Topic::Edge];

    /// Returns the name of the topic, as in results.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Class => "class",
            Topic::Fact => "fact",
            Topic::Pair => "pair",
            Topic::Meeting => "meeting",
            Topic::Flow => "flow",
            Topic::Triple => "triple",
            Topic::Source => "source",
            Topic::End => "end",
            Topic::Distance => "distance",
            Topic::Cancellation => "cancellation",
            Topic::Rounding => "rounding",
            Topic::Range => "range",
            Topic::Edge => "edge",
            Topic::Repeated => "repeated",
            Topic::Alone => "alone",
            Topic::Border => "border",
        }
    }

    /// Returns a description of the bins of the topic.
    pub fn about(self) -> &'static str {
        match self {
            Topic::Class => "a modifier value, and a class of one operand or result",
            Topic::Fact => "the guard, an attribute of an operand, the zero register, a register used twice",
            Topic::Pair => "two modifier values, and a class of one operand or result",
            Topic::Meeting => "a modifier value, and classes of two operands",
            Topic::Flow => "a modifier value, a class of an operand, and a class of a result",
            Topic::Triple => "a modifier value, and classes of three operands",
            Topic::Source => {
                "an operand that is the zero register or another one's register, and a class of an operand or result"
            }
            Topic::End => {
                "an operand's register, place in constant memory or narrow literal at the first, the middle or the last that it can hold"
            }
            Topic::Distance => {
                "rounding mode and flushing, how far the exponents of the terms are apart, and whether their signs differ"
            }
            Topic::Cancellation => "rounding mode and flushing, and how many bits the terms cancel",
            Topic::Rounding => {
                "rounding mode and flushing, sign and range of the exact number, and where it lies between two of the format"
            }
            Topic::Range => {
                "rounding mode and flushing, sign of the exact number, and where it lies at the ends of the range"
            }
            Topic::Edge => {
                "rounding mode and flushing, a term that is a power of two, and a term of the other sign that is at most half of its unit"
            }
            Topic::Repeated => "operands in one register, and whether the exact number leaves the range",
            Topic::Alone => {
                "a modifier value, and a special value of one float operand while the other ones are normal numbers"
            }
            Topic::Border => {
                "an operand at an end of a binade of its format, or of a segment of the function's table"
            }
        }
    }
}
