//! The tables of the function unit, by name.

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
}
