//! Comparison and selection (ISA 9.7.5, and 9.3.1 on the operators).

use std::cmp::Ordering;

use crate::column::Access;
use crate::float;
use crate::lanes::{Lanes, low};

/// A function that compares or selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    /// `setp` and `set`: `yes` or 0, as the relation of the first two operands, combined with the third.
    Test { relation: Relation, values: Values, combine: Combine, yes: u32 },
    /// `selp`
    Select,
}

/// How to read the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// Of either size.
    Unsigned,
    Signed,
    Signed64,
    Float {
        flush: bool,
    },
}

/// How a result is combined with a predicate (ISA 9.7.5 and `lop3`).
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

/// A set of outcomes: the relation holds if the comparison comes out as one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relation(u8);

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
/// One operand is a NaN, or both are.
const UNORDERED: u8 = 8;

impl Relation {
    /// ISA 9.3.1: operators for integers, and for floating-point numbers ordered, unordered and about NaN.
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

    /// Whether integers have no such relation.
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
