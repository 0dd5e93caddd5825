//! Integer arithmetic (ISA 9.7.1), with optional carries (ISA 9.7.2).

use crate::column::Access;
use crate::lanes::{Lanes, low};

/// A function of integers. A carry, if there is one, is the last operand or the last result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    /// `add`, `add.cc`, `addc` and `addc.cc` of words.
    Add,
    /// `sub` and `sub.cc` of words.
    Subtract,
    /// `add` of double words.
    Add64,
    /// `sub` of double words.
    Subtract64,
    /// `mul`, `mad` and `madc` of words. The result is a word.
    MultiplyAdd { part: ProductPart, signed: bool },
    /// `mul.wide`
    MultiplyWide { signed: bool },
    /// `div.u32`
    Divide,
    /// `rem.u32`
    Remainder,
    /// `min` and `max`
    Extreme { maximum: bool, signed: bool },
    /// `abs.s32`
    Absolute,
    /// `neg.s32`
    Negate,
}

/// The part of a product that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProductPart {
    Low,
    High,
}

impl Integer {
    pub(crate) fn compute(self, lanes: &mut Lanes, access: &Access) {
        match self {
            Self::Add => lanes.words(access, |[a, b, carry]| add(a, b, carry)),
            Self::Subtract => lanes.words(access, |[a, b]| subtract(a, b)),
            Self::Add64 => lanes.apply(access, |[a, b]| [a.wrapping_add(b)]),
            Self::Subtract64 => lanes.apply(access, |[a, b]| [a.wrapping_sub(b)]),
            Self::MultiplyAdd { part, signed } => {
                lanes.words(access, |[a, b, c, carry]| {
                    let product = multiply(a, b, signed);
                    let kept = if part == ProductPart::Low { low(product) } else { low(product >> 32) };
                    add(kept, c, carry)
                });
            }
            Self::MultiplyWide { signed } => {
                lanes.apply(access, |[a, b]| [multiply(low(a), low(b), signed)]);
            }
            Self::Divide => lanes.words(access, |[a, b]| [a.checked_div(b).unwrap_or(u32::MAX)]),
            Self::Remainder => lanes.words(access, |[a, b]| [a.checked_rem(b).unwrap_or(a)]),
            Self::Extreme { maximum, signed } => {
                lanes.words(access, |[a, b]| {
                    let less = if signed { a.cast_signed() < b.cast_signed() } else { a < b };
                    [if less == maximum { b } else { a }]
                });
            }
            Self::Absolute => lanes.words(access, |[a]| [a.cast_signed().unsigned_abs()]),
            Self::Negate => lanes.words(access, |[a]| [a.wrapping_neg()]),
        }
    }
}

/// Returns the sum and its carry-out.
fn add(a: u32, b: u32, carry: u32) -> [u32; 2] {
    let sum = u64::from(a) + u64::from(b) + u64::from(carry);
    [low(sum), low(sum >> 32)]
}

/// Returns the difference and its carry-out. The difference is computed as `a + !b + 1`, so the
/// carry-out is 0 if there was a borrow.
///
/// The ISA only states that the borrow-out is written to `CC.CF`; see the head of the crate.
fn subtract(a: u32, b: u32) -> [u32; 2] {
    add(a, !b, 1)
}

fn multiply(a: u32, b: u32, signed: bool) -> u64 {
    if signed {
        (i64::from(a.cast_signed()) * i64::from(b.cast_signed())).cast_unsigned()
    } else {
        u64::from(a) * u64::from(b)
    }
}
