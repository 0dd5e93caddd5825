//! The tables of the function unit, by name.

use super::{ex2, lg2, rcp, rsq, sqrt, tanh, trig};

/// A table: the rows that one function's interpolator reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rom {
    /// The reciprocal's.
    Rcp,
    /// The reciprocal square root's.
    Rsq,
    /// The square root's.
    Sqrt,
    /// The power of two's.
    Ex2,
    /// The logarithm's.
    Lg2,
    /// That of sine and cosine.
    Sin,
    /// The hyperbolic tangent's, for operands below ½.
    TanhSmall,
    /// The hyperbolic tangent's, for the others.
    TanhLarge,
}

impl Rom {
    /// Every table.
    pub const ALL: [Rom; 8] =
        [Rom::Rcp, Rom::Rsq, Rom::Sqrt, Rom::Ex2, Rom::Lg2, Rom::Sin, Rom::TanhSmall, Rom::TanhLarge];

    /// Patterns of the functions that read it.
    pub const fn functions(self) -> &'static [&'static str] {
        match self {
            Rom::Rcp => &["MUFU.RCP.*"],
            Rom::Rsq => &["MUFU.RSQ.*"],
            Rom::Sqrt => &["MUFU.SQRT.*"],
            Rom::Ex2 => &["MUFU.EX2.*"],
            Rom::Lg2 => &["MUFU.LG2.*"],
            Rom::Sin => &["MUFU.SIN.*", "MUFU.COS.*"],
            Rom::TanhSmall | Rom::TanhLarge => &["MUFU.TANH.*"],
        }
    }

    /// How many rows it has, one a segment.
    pub const fn segments(self) -> usize {
        match self {
            Rom::Rcp => rcp::SEGMENTS,
            Rom::Rsq => rsq::SEGMENTS,
            Rom::Sqrt => sqrt::SEGMENTS,
            Rom::Ex2 => ex2::SEGMENTS,
            Rom::Lg2 => lg2::SEGMENTS,
            Rom::Sin => trig::SEGMENTS,
            Rom::TanhSmall => tanh::SEGMENTS[0],
            Rom::TanhLarge => tanh::SEGMENTS[1],
        }
    }
}

/// A row with one bit wrong, in another of its coefficients from one segment to the next: a leading bit, but
/// not the first, so that it shows at most operands of the segment and the datapath is not left.
///
/// A coefficient that is small for its column hardly counts, and the next one takes its place.
pub(crate) fn with_wrong_bit(table: &[[u32; 3]], segment: usize) -> [u32; 3] {
    let bits = |coefficient: u32| 32 - coefficient.leading_zeros();
    let mut row = table[segment];
    let counts = |column: &usize| {
        let width = table.iter().map(|row| bits(row[*column])).max().unwrap_or(0);
        bits(row[*column]) + 2 >= width
    };
    let column = (0..3).map(|step| (segment + step) % 3).find(counts).unwrap_or(0);
    // C0 is nearly all of the result: a quarter of it would lead too far.
    let below = if column == 0 { 4 } else { 2 };
    row[column] ^= 1 << bits(row[column]).saturating_sub(below);
    row
}
