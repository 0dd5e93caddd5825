//! The places within a unit where a mistake can be planted that no hook around the unit can express.

use crate::mufu::rom::Rom;

/// A mistake within a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// SIN, COS: the quadrant before the right one is taken.
    TrigQuadrantOffByOne,
    /// Alignment keeps two bits below the last place and no sticky bit.
    FaddStickyDropped,
    /// Alignment keeps no bit below the last place.
    FaddGuardBitLost,
    /// .RN rounds a tie to odd.
    FaddTieToOdd,
    /// The product keeps two bits below the last place and no sticky bit.
    FmulStickyDropped,
    /// A subnormal result is cut off, not rounded.
    FmulDenormalTruncated,
    /// The 20 low bits of the product are missing.
    FfmaProductStickyLost,
    /// An addend is ignored once it lies wholly below the product's 24 bits.
    FfmaFarAddendDropped,
    /// The dispatch mask is ignored.
    BfnMaskIgnored,
    /// The predicate's bits count from the first element.
    BfnPredicateFromZero,
    /// All elements use channel 0 of the second source.
    BfnSourceScalar,
    /// Only the leading bit of the offset into a segment of this table is used.
    OffsetTruncated(Rom),
}
