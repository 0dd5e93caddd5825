//! The faults that lie within a unit of the model.

use assay_model::Site;

use super::Fault;

macro_rules! sites {
    ($($name:ident)+) => {
        /// Returns the place within a unit where a fault lies; none for one that is planted around it.
        pub(crate) fn site(fault: Fault) -> Option<Site> {
            Some(match fault {
                $(Fault::$name => Site::$name,)+
                Fault::OffsetTruncated(rom) => Site::OffsetTruncated(rom),
                _ => return None,
            })
        }
    };
}

sites! {
    RcpExponentOffByOne
    RcpSubnormalInputNotNormalised
    RsqSubnormalInputNotNormalised
    SqrtSubnormalInputNotNormalised
    Lg2SubnormalInputNotNormalised
    RsqParityIgnored
    SqrtParityIgnored
    TrigQuadrantOffByOne
    TrigReductionShort
    MufuHighOutputNotFlushed
    FaddStickyDropped
    FaddGuardBitLost
    FaddTieToOdd
    FaddShiftWrap
    FaddCancellationSign
    FaddInfinityMinusInfinity
    FaddDownTruncates
    FaddNanPayload
    FaddSaturationNan
    FaddRoundedTwice
    FaddStickyShort
    FaddOverflowToGreatest
    FaddOutputFlushed
    FaddSaturationNegative
    FaddSaturationAbove
    FmulStickyDropped
    FmulZeroTimesInfinity
    FmulZeroSign
    FmulOverflowToInfinity
    FmulSubnormalExponent
    FmulDenormalTruncated
    FmulOutputNotFlushed
    FmulFlushSign
    FmulNanPayload
    FmulInfinitySign
    FfmaProductStickyLost
    FfmaShiftMask
    FfmaFarAddendDropped
    FfmaInfinityMinusInfinity
    FfmaZeroTimesInfinity
    FfmaCancellationSign
    FfmaUpTruncates
    FfmaSaturationInfinity
    UldcAlignmentWord
    UldcBytesSwapped
    UldcLowByteOnly
    BfnMaskIgnored
    BfnPredicateFromZero
    BfnMaskFromZero
    BfnMaskBySize
    BfnLastElementMissing
    BfnDisabledZero
    BfnSourceScalar
}
