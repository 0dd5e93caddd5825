//! The names of the function unit's tables.

/// A ROM table: the rows that one function's interpolator reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rom {
    /// The table of the reciprocal.
    Rcp,
    /// The table of the reciprocal square root.
    Rsq,
    /// The table of the square root.
    Sqrt,
    /// The table of the power of two.
    Ex2,
    /// The table of the logarithm.
    Lg2,
    /// The table of sine and cosine.
    Sin,
    /// The table of the hyperbolic tangent for operands below ½.
    TanhSmall,
    /// The table of the hyperbolic tangent for the other operands.
    TanhLarge,
}

impl Rom {
    /// Every table.
    pub const ALL: [Rom; 8] =
        [Rom::Rcp, Rom::Rsq, Rom::Sqrt, Rom::Ex2, Rom::Lg2, Rom::Sin, Rom::TanhSmall, Rom::TanhLarge];

    /// Returns name patterns of the functions that read the table.
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
