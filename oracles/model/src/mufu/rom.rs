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
    /// The hyperbolic tangent's.
    Tanh,
}
