//! The places within a unit where a mistake can be planted that no hook around the unit can express.

use crate::mufu::rom::Rom;

/// A mistake within a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// RCP: the result is half of what it should be.
    RcpExponentOffByOne,
    /// RCP.F32: subnormal inputs have the leading one of a normal number.
    RcpSubnormalInputNotNormalised,
    /// RSQ.F32: subnormal inputs have the leading one of a normal number.
    RsqSubnormalInputNotNormalised,
    /// SQRT: subnormal inputs have the leading one of a normal number.
    SqrtSubnormalInputNotNormalised,
    /// LG2: subnormal inputs have the leading one of a normal number.
    Lg2SubnormalInputNotNormalised,
    /// RSQ: the root of 2 is missing where the exponent is odd.
    RsqParityIgnored,
    /// SQRT: the root of 2 is missing where the exponent is odd.
    SqrtParityIgnored,
    /// SIN, COS: the quadrant before the right one is taken.
    TrigQuadrantOffByOne,
    /// SIN, COS: only 16 bits of 2/pi are used.
    TrigReductionShort,
    /// RCP.F64: subnormal results stay.
    MufuHighOutputNotFlushed,
    /// Alignment keeps two bits below the last place and no sticky bit.
    FaddStickyDropped,
    /// Alignment keeps no bit below the last place.
    FaddGuardBitLost,
    /// .RN rounds a tie to odd.
    FaddTieToOdd,
    /// The alignment distance wraps at 32.
    FaddShiftWrap,
    /// An exact difference of zero is +0 in every rounding mode.
    FaddCancellationSign,
    /// Inf - Inf is the first operand, not NaN.
    FaddInfinityMinusInfinity,
    /// .RM rounds a negative result toward zero.
    FaddDownTruncates,
    /// The payload of an input NaN is kept.
    FaddNanPayload,
    /// .SAT turns NaN into 1.
    FaddSaturationNan,
    /// The result is rounded to 27 bits and then to 24.
    FaddRoundedTwice,
    /// Only the two leading rounded-off bits count.
    FaddStickyShort,
    /// .RN gives the greatest number where it should give Inf.
    FaddOverflowToGreatest,
    /// A subnormal result becomes zero without .FTZ.
    FaddOutputFlushed,
    /// .SAT lets negative numbers through.
    FaddSaturationNegative,
    /// .SAT lets values above 1 through.
    FaddSaturationAbove,
    /// The product keeps two bits below the last place and no sticky bit.
    FmulStickyDropped,
    /// 0 * Inf is zero, not NaN.
    FmulZeroTimesInfinity,
    /// A product of zero loses its sign.
    FmulZeroSign,
    /// Overflow gives Inf where the rounding mode demands the largest number.
    FmulOverflowToInfinity,
    /// A subnormal operand counts half its value.
    FmulSubnormalExponent,
    /// A subnormal result is cut off, not rounded.
    FmulDenormalTruncated,
    /// .FTZ leaves the result alone.
    FmulOutputNotFlushed,
    /// .FTZ flushes a negative result to +0.
    FmulFlushSign,
    /// The payload of an input NaN is kept.
    FmulNanPayload,
    /// An infinite product loses its sign.
    FmulInfinitySign,
    /// The 20 low bits of the product are missing.
    FfmaProductStickyLost,
    /// The alignment distance loses its lowest bit beyond 24.
    FfmaShiftMask,
    /// An addend is ignored once it lies wholly below the product's 24 bits.
    FfmaFarAddendDropped,
    /// An infinite product less Inf is the product, not NaN.
    FfmaInfinityMinusInfinity,
    /// 0 * Inf + c is c, not NaN.
    FfmaZeroTimesInfinity,
    /// An exact sum of zero takes the sign of the product.
    FfmaCancellationSign,
    /// .RP rounds a positive result toward zero.
    FfmaUpTruncates,
    /// .SAT lets +Inf through.
    FfmaSaturationInfinity,
    /// An address only has to be a multiple of four.
    UldcAlignmentWord,
    /// The highest byte comes first.
    UldcBytesSwapped,
    /// A byte or a half comes from the low end of its word.
    UldcLowByteOnly,
    /// The dispatch mask is ignored.
    BfnMaskIgnored,
    /// The predicate's bits count from the first element.
    BfnPredicateFromZero,
    /// The bits of the dispatch mask count from the first element.
    BfnMaskFromZero,
    /// Consecutive masks are as far apart as there are elements.
    BfnMaskBySize,
    /// The last of several elements is not written.
    BfnLastElementMissing,
    /// A disabled channel is written with 0.
    BfnDisabledZero,
    /// All elements use channel 0 of the second source.
    BfnSourceScalar,
    /// Only the leading bit of the offset into a segment of this table is used.
    OffsetTruncated(Rom),
}
