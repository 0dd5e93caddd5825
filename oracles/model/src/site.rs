//! Sites within a unit at which a mistake can be planted. Hooks around a unit cannot plant these
//! mistakes.

use crate::mufu::rom::Rom;

/// A mistake within a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// SIN, COS: the number of the quadrant is 1 too low.
    TrigQuadrantOffByOne,
    /// Alignment keeps two bits below the last place and no sticky bit.
    FaddStickyDropped,
    /// Alignment keeps no bit below the last place.
    FaddGuardBitLost,
    /// .RN rounds a tie to odd.
    FaddTieToOdd,
    /// The product keeps two bits below the last place and no sticky bit.
    FmulStickyDropped,
    /// A subnormal result is truncated, not rounded.
    FmulDenormalTruncated,
    /// The 20 low bits of the product are missing.
    FfmaProductStickyLost,
    /// An addend is ignored if its exponent is more than 24 below the product's.
    FfmaFarAddendDropped,
    /// The dispatch mask is ignored.
    BfnMaskIgnored,
    /// The bits of the predicate are counted from the first element, instead of from its channel.
    BfnPredicateFromZero,
    /// The bits of the dispatch mask are counted from the first element, instead of from its
    /// channel.
    BfnMaskFromZero,
    /// The last of several elements is not written.
    BfnLastElementMissing,
    /// A disabled channel is written with 0.
    BfnDisabledZero,
    /// All elements use channel 0 of the second source.
    BfnSourceScalar,
    /// Only the leading bit of the offset into a segment of this table is used.
    OffsetTruncated(Rom),
}
