//! Comparison and selection (ISA 9.7.5). The comparison operators are in ISA 9.3.1.

use std::cmp::Ordering;

use crate::column::Access;
use crate::float;
use crate::lanes::{Lanes, low};

/// A function that compares or selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    /// `setp` and `set`: compares the first two operands, and combines the outcome with the third
    /// one. The result is `yes` or 0.
    Test { relation: Relation, values: Values, combine: Combine, yes: u32 },
    /// `selp`
    Select,
}

/// How the bits of the operands are interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// Unsigned integers of 32 or 64 bits.
    Unsigned,
    Signed,
    Signed64,
    Float {
        flush: bool,
    },
}

/// The operator that combines a result with a predicate (ISA 9.7.5 and `lop3`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combine {
    And,
    Or,
    Exclusive,
}

impl Combine {
    pub(crate) fn apply(self, a: bool, b: bool) -> bool {
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::Exclusive => a ^ b,
        }
    }
}

/// A set of outcomes. The relation holds if the outcome of the comparison is in the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relation(u8);

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
/// At least one operand is a NaN.
const UNORDERED: u8 = 8;

impl Relation {
    /// The operators of ISA 9.3.1: first those for integers and ordered floats, then the unordered
    /// operators, then those that test for NaN.
    pub(crate) const NAMES: [(&'static str, Self); 14] = [
        ("eq", Self(EQUAL)),
        ("ne", Self(LESS | GREATER)),
        ("lt", Self(LESS)),
        ("le", Self(LESS | EQUAL)),
        ("gt", Self(GREATER)),
        ("ge", Self(GREATER | EQUAL)),
        ("equ", Self(EQUAL | UNORDERED)),
        ("neu", Self(LESS | GREATER | UNORDERED)),
        ("ltu", Self(LESS | UNORDERED)),
        ("leu", Self(LESS | EQUAL | UNORDERED)),
        ("gtu", Self(GREATER | UNORDERED)),
        ("geu", Self(GREATER | EQUAL | UNORDERED)),
        ("num", Self(LESS | EQUAL | GREATER)),
        ("nan", Self(UNORDERED)),
    ];

    /// Returns whether the relation exists only for floats.
    pub(crate) fn is_for_floats(self) -> bool {
        self.0 & UNORDERED != 0 || self.0 == LESS | EQUAL | GREATER
    }

    fn holds(self, outcome: Option<Ordering>) -> bool {
        let outcome = match outcome {
            Some(Ordering::Less) => LESS,
            Some(Ordering::Equal) => EQUAL,
            Some(Ordering::Greater) => GREATER,
            None => UNORDERED,
        };
        self.0 & outcome != 0
    }
}

impl Values {
    fn compare(self, a: u64, b: u64) -> Option<Ordering> {
        match self {
            Self::Unsigned => Some(a.cmp(&b)),
            Self::Signed => Some(low(a).cast_signed().cmp(&low(b).cast_signed())),
            Self::Signed64 => Some(a.cast_signed().cmp(&b.cast_signed())),
            Self::Float { flush } => float::read(low(a), flush).partial_cmp(&float::read(low(b), flush)),
        }
    }
}

impl Compare {
    pub(crate) fn compute(self, lanes: &mut Lanes, access: &Access) {
        match self {
            Self::Test { relation, values, combine, yes } => lanes.apply(access, |[a, b, c]| {
                let holds = combine.apply(relation.holds(values.compare(a, b)), c != 0);
                [if holds { yes.into() } else { 0 }]
            }),
            Self::Select => lanes.apply(access, |[a, b, c]| [if c != 0 { a } else { b }]),
        }
    }
}
