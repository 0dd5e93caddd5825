//! Moves, logic, shifts and the other functions of bits (ISA 9.7.1, 9.7.7 and 9.7.8).

use crate::column::Access;
use crate::compare::Combine;
use crate::lanes::{Lanes, low};

/// A function of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    /// `mov`, `cvta`, `ld.param`, and `cvt` to a wider unsigned type.
    Copy,
    /// `mov d, {a, b}`. `a` becomes the lower bits.
    Pack { bits: u32 },
    /// `mov {d, e}, a`. `d` gets the lower bits.
    Unpack { bits: u32 },
    /// `not.b32`
    Not,
    /// `!p`
    NotPredicate,
    /// `and.b32`
    And,
    /// `shl`
    ShiftLeft { width: u32 },
    /// `shr`
    ShiftRight { width: u32, signed: bool },
    /// `shf`
    Funnel { left: bool, wrap: bool },
    /// `lop3.b32 d, a, b, c, immLut`
    Lookup,
    /// `lop3.BoolOp.b32 d|p, a, b, c, immLut, q`
    LookupTest(Combine),
    /// `prmt`
    Permute(Permute),
    /// `bfind`
    Find { shift: bool, signed: bool },
    /// `bmsk`
    Mask { wrap: bool },
    /// `szext`
    Extend { wrap: bool, signed: bool },
    /// `popc`
    Count,
    /// `brev`
    Reverse,
}

impl Logic {
    pub(crate) fn compute(self, lanes: &mut Lanes, access: &Access) {
        match self {
            Self::Copy => lanes.apply(access, |[a]| [a]),
            Self::Pack { bits } => lanes.apply(access, |[a, b]| [a | b << bits]),
            Self::Unpack { bits } => lanes.apply(access, |[a]| [a & !(u64::MAX << bits), a >> bits]),
            Self::Not => lanes.words(access, |[a]| [!a]),
            Self::NotPredicate => lanes.words(access, |[p]| [p ^ 1]),
            Self::And => lanes.words(access, |[a, b]| [a & b]),
            Self::ShiftLeft { width } => lanes.apply(access, |[a, b]| [shift_left(width, a, b)]),
            Self::ShiftRight { width, signed } => {
                lanes.apply(access, |[a, b]| [shift_right(width, signed, a, b)]);
            }
            Self::Funnel { left, wrap } => lanes.words(access, |[a, b, c]| [funnel(left, wrap, a, b, c)]),
            Self::Lookup => lanes.words(access, |[a, b, c, table]| [lookup(a, b, c, table)]),
            Self::LookupTest(combine) => lanes.words(access, |[a, b, c, table, q]| {
                let found = lookup(a, b, c, table);
                [found, combine.apply(found != 0, q != 0).into()]
            }),
            Self::Permute(mode) => lanes.words(access, |[a, b, c]| [mode.apply(a, b, c)]),
            Self::Find { shift, signed } => lanes.words(access, |[a]| [find(shift, signed, a)]),
            Self::Mask { wrap } => lanes.words(access, |[a, b]| [mask(wrap, a, b)]),
            Self::Extend { wrap, signed } => lanes.words(access, |[a, b]| [extend(wrap, signed, a, b)]),
            Self::Count => lanes.words(access, |[a]| [a.count_ones()]),
            Self::Reverse => lanes.words(access, |[a]| [a.reverse_bits()]),
        }
    }
}

/// Returns the result of `shl`. An amount of at least the width shifts all bits out.
fn shift_left(width: u32, a: u64, amount: u64) -> u64 {
    if amount >= u64::from(width) { 0 } else { (a << amount) & (u64::MAX >> (64 - width)) }
}

/// Returns the result of `shr`. An amount of at least the width shifts all bits out, so that only
/// zeros remain, or copies of the sign if `signed`.
fn shift_right(width: u32, signed: bool, a: u64, amount: u64) -> u64 {
    let unused = 64 - width;
    let amount = amount.min(u64::from(width));
    if signed {
        let extended = (a << unused).cast_signed() >> unused;
        (extended >> amount.min(63)).cast_unsigned() & (u64::MAX >> unused)
    } else if amount == 64 {
        0
    } else {
        a >> amount
    }
}

/// Returns the result of `shf`. The shifted pair has `b` as its upper word and `a` as its lower
/// word. A left shift returns the upper word of the shifted pair, a right shift the lower one.
fn funnel(left: bool, wrap: bool, a: u32, b: u32, amount: u32) -> u32 {
    let amount = if wrap { amount & 31 } else { amount.min(32) };
    let both = u64::from(b) << 32 | u64::from(a);
    if left { low((both << amount) >> 32) } else { low(both >> amount) }
}

/// Returns the result of `lop3`. At each position, the bits of `a`, `b` and `c` are the index of a
/// bit of the table. `a` gives the highest bit of the index.
fn lookup(a: u32, b: u32, c: u32, table: u32) -> u32 {
    let choose = |bit: u32, operand: u32| if bit != 0 { operand } else { !operand };
    let term = |index: u32| choose(index & 4, a) & choose(index & 2, b) & choose(index & 1, c);
    (0..8).filter(|index| table >> index & 1 != 0).map(term).fold(0, |found, term| found | term)
}

/// The way in which `prmt` selects bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permute {
    /// By four selectors of four bits. The highest bit of a selector replicates the sign of the
    /// byte.
    Generic,
    /// By a table. The lower two bits of `c` select a row of the table. The row lists the source
    /// bytes, for the lowest result byte first.
    Table([[u32; 4]; 4]),
}

impl Permute {
    /// The modes and their tables in the ISA.
    pub(crate) const NAMES: [(&'static str, Self); 6] = [
        ("f4e", Self::Table([[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]])),
        ("b4e", Self::Table([[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]])),
        ("rc8", Self::Table([[0; 4], [1; 4], [2; 4], [3; 4]])),
        ("ecl", Self::Table([[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]])),
        ("ecr", Self::Table([[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]])),
        ("rc16", Self::Table([[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]])),
    ];

    fn apply(self, a: u32, b: u32, c: u32) -> u32 {
        let bytes = u64::from(b) << 32 | u64::from(a);
        let selectors = match self {
            Self::Generic => [c & 15, c >> 4 & 15, c >> 8 & 15, c >> 12 & 15],
            Self::Table(rows) => rows[(c & 3) as usize],
        };
        let byte = |selector: u32| {
            let byte = low(bytes >> (8 * (selector & 7))) & 0xff;
            let sign = if byte >> 7 != 0 { 0xff } else { 0 };
            if selector & 8 != 0 { sign } else { byte }
        };
        selectors.iter().rev().fold(0, |word, &selector| word << 8 | byte(selector))
    }
}

/// Returns the result of `bfind`: the position of the highest bit that differs from the sign. With
/// `shift`, returns the distance of that bit from the top bit.
fn find(shift: bool, signed: bool, a: u32) -> u32 {
    let a = if signed && a.cast_signed() < 0 { !a } else { a };
    match (a, shift) {
        (0, _) => u32::MAX,
        (_, true) => a.leading_zeros(),
        (_, false) => 31 - a.leading_zeros(),
    }
}

/// Returns the result of `bmsk`: `b` ones from bit `a` upward, cut off above bit 31.
fn mask(wrap: bool, a: u32, b: u32) -> u32 {
    let [from, count] = [a, b].map(|amount| if wrap { amount & 31 } else { amount.min(32) });
    low(((1_u64 << count) - 1) << from)
}

/// Returns the result of `szext`: the lower `b` bits, extended by zeros, or by their highest bit if
/// `signed`.
fn extend(wrap: bool, signed: bool, a: u32, b: u32) -> u32 {
    let count = if wrap { b & 31 } else { b.min(32) };
    match (32 - count, signed) {
        (32, _) => 0,
        (unused, true) => ((a << unused).cast_signed() >> unused).cast_unsigned(),
        (unused, false) => a << unused >> unused,
    }
}
