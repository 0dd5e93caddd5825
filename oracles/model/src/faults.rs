//! The table of faults: bugs as people make them, each in one optype, planted through the
//! [knobs](crate::knobs).
//!
//! A campaign that does not find one of them has a gap. Their order is that of the documents.

use std::str::FromStr;

/// A row of the table of faults.
#[derive(Clone, Copy, Debug)]
pub struct FaultInfo {
    /// The fault.
    pub fault: Fault,
    /// Name on the command line.
    pub name: &'static str,
    /// The optype it spoils.
    pub optype: &'static str,
    /// What is wrong, in a sentence.
    pub about: &'static str,
}

macro_rules! faults {
    ($($optype:literal { $($fault:ident $name:literal $about:literal;)+ })+) => {
        /// A fault that can be planted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum Fault { $($(#[doc = $about] $fault),+),+ }

        /// Every fault, in the order of [`Fault`].
        pub static FAULTS: &[FaultInfo] = &[$($(FaultInfo {
            fault: Fault::$fault,
            name: $name,
            optype: $optype,
            about: $about,
        }),+),+];
    };
}

faults! {
    "MUFU" {
        RcpSegmentRom "rcp-segment-rom" "RCP: one bit of C0 is wrong in one of the 128 segments.";
        RcpSlopeRom "rcp-slope-rom" "RCP: one bit of C1 is wrong in one of the 128 segments.";
        RcpSquareDropped "rcp-square-dropped" "RCP: the quadratic term is missing.";
        RcpOffsetTruncated "rcp-offset-truncated" "RCP: only the four leading bits of the offset are used.";
        RcpExponentOffByOne "rcp-exponent-off-by-one" "RCP: the result is half of what it should be.";
        RcpNoDenormal "rcp-no-denormal" "RCP.F32: subnormal results become signed zero.";
        RcpSubnormalInputNotNormalised "rcp-subnormal-input-not-normalised" "RCP.F32: subnormal inputs enter the table without a leading one.";
        RcpZeroSign "rcp-zero-sign" "RCP: -0 gives +Inf.";
        RcpInfinityRow "rcp-infinity-row" "RCP: an infinity gives an infinity.";
        RcpNanPayload "rcp-nan-payload" "RCP: the payload of a NaN is kept.";
        RcpSaturationIgnored "rcp-saturation-ignored" "RCP.F32: .SAT has no effect.";
        RcpSaturationNan "rcp-saturation-nan" "RCP.F32: .SAT lets a NaN through.";
        RcpAbsIgnored "rcp-abs-ignored" "RCP: the absolute value of the operand is not taken.";
        RcpF64SubnormalInput "rcp-f64-subnormal-input" "RCP.F64: a subnormal input is taken for a normal number.";
        RcpF64InfinitySign "rcp-f64-infinity-sign" "RCP.F64: -Inf gives +0.";
    }
    "POPC" {
        PopcSignBitLost "popc-sign-bit-lost" "Only the low 31 bits are counted.";
        PopcHighByteLost "popc-high-byte-lost" "A byte of 0x80 and more counts for nothing.";
        PopcFullNibbleLost "popc-full-nibble-lost" "Four ones in a nibble count for nothing.";
        PopcCountWraps "popc-count-wraps" "The count has five bits, so that 32 is 0.";
        PopcUpperHalf "popc-upper-half" "The low half is counted twice, in place of the high half.";
        PopcComplementIgnored "popc-complement-ignored" "The ~ of the operand has no effect.";
        PopcComplementNegates "popc-complement-negates" "The ~ of the operand gives its negative.";
        PopcZeroRegister "popc-zero-register" "RZ reads all ones, as a register that nobody initialised.";
        PopcPredicateIgnored "popc-predicate-ignored" "The instruction writes although its guard is false.";
    }
    "FLO" {
        FloFromBottom "flo-from-bottom" "The search begins at the lowest bit.";
        FloTopBitUnseen "flo-top-bit-unseen" "The search begins at bit 30.";
        FloLowestBitUnseen "flo-lowest-bit-unseen" "The search ends at bit 1.";
        FloShiftOffByOne "flo-shift-off-by-one" ".SH subtracts from 32.";
        FloNotFoundShifted "flo-not-found-shifted" ".SH gives 32 where no bit is found.";
        FloZeroPosition "flo-zero-position" "Where no bit is found the result is 0.";
        FloPositiveComplemented "flo-positive-complemented" "Under .S32 positive operands are complemented too.";
        FloAbsoluteValue "flo-absolute-value" "Under .S32 the absolute value is searched.";
        FloSignedIgnored "flo-signed-ignored" ".S32 acts as .U32.";
        FloComplementIgnored "flo-complement-ignored" "The ~ of the operand has no effect.";
        FloPredicateNotInverted "flo-predicate-not-inverted" "The ! of the guard has no effect.";
    }
    "BREV" {
        BrevReverses "brev-reverses" "The order of the bits is reversed, as the name has it.";
        BrevNegates "brev-negates" "The result is the negative of the operand.";
        BrevLogicalNot "brev-logical-not" "The result is 1 for 0 and else 0.";
        BrevTopBitKept "brev-top-bit-kept" "The highest bit stays as it is.";
        BrevHighHalfKept "brev-high-half-kept" "The high half stays as it is.";
        BrevBytesSwapped "brev-bytes-swapped" "The bytes of the result are in reverse order.";
        BrevOddBitsKept "brev-odd-bits-kept" "The odd bits stay as they are.";
        BrevImmediateExtended "brev-immediate-extended" "An immediate has 24 bits and a sign.";
        BrevZeroRegister "brev-zero-register" "RZ reads all ones, as a register that nobody initialised.";
        BrevPredicateNotInverted "brev-predicate-not-inverted" "The ! of the guard has no effect.";
    }
    "BMSK" {
        BmskOneTooMany "bmsk-one-too-many" "The mask has a bit more than the amount.";
        BmskPositionWraps "bmsk-position-wraps" ".CLAMP takes the position modulo 32.";
        BmskAmountWraps "bmsk-amount-wraps" ".CLAMP takes the amount modulo 32.";
        BmskModesSwapped "bmsk-modes-swapped" ".CLAMP and .WRAP are exchanged.";
        BmskWrapSixBits "bmsk-wrap-six-bits" ".WRAP keeps six bits of position and amount.";
        BmskEndWraps "bmsk-end-wraps" "The end of the mask is taken modulo 32.";
        BmskFullAmount "bmsk-full-amount" "An amount of 32 and more gives no ones.";
        BmskAmountByte "bmsk-amount-byte" "Only the low byte of the amount counts.";
        BmskImmediateSigned "bmsk-immediate-signed" "An immediate amount with the top bit set is taken modulo 32.";
        BmskOperandsSwapped "bmsk-operands-swapped" "Position and amount are exchanged.";
        BmskPredicateIgnored "bmsk-predicate-ignored" "The instruction writes although its guard is false.";
    }
    "SGXT" {
        SgxtSignBitLow "sgxt-sign-bit-low" "The sign is taken one bit too low.";
        SgxtUnsignedExtended "sgxt-unsigned-extended" ".U32 acts as .S32.";
        SgxtPositiveUncut "sgxt-positive-uncut" "Where the sign is clear, the bits above the width stay.";
        SgxtFullWidth "sgxt-full-width" "A width of 32 gives 0.";
        SgxtClampShort "sgxt-clamp-short" ".CLAMP limits the width to 31.";
        SgxtWrapKeepsFull "sgxt-wrap-keeps-full" ".WRAP keeps a width of 32.";
        SgxtModesSwapped "sgxt-modes-swapped" ".CLAMP and .WRAP are exchanged.";
        SgxtZeroWidth "sgxt-zero-width" "A width of 0 keeps the lowest bit.";
        SgxtWidthSixBits "sgxt-width-six-bits" ".CLAMP looks at six bits of the width.";
        SgxtWidthSigned "sgxt-width-signed" ".CLAMP takes a width with the top bit set for a negative one, which is 0.";
        SgxtPredicateIgnored "sgxt-predicate-ignored" "The instruction writes although its guard is false.";
    }
    "FADD" {
        FaddStickyDropped "fadd-sticky-dropped" "Alignment keeps two bits below the last place and no sticky bit.";
        FaddGuardBitLost "fadd-guard-bit-lost" "Alignment keeps no bit below the last place.";
        FaddTieToOdd "fadd-tie-to-odd" ".RN rounds a tie to odd.";
        FaddShiftWrap "fadd-shift-wrap" "The alignment distance wraps at 32.";
        FaddCancellationSign "fadd-cancellation-sign" "An exact difference of zero is +0 in every rounding mode.";
        FaddInfinityMinusInfinity "fadd-infinity-minus-infinity" "Inf - Inf is the first operand, not NaN.";
        FaddNegBeforeAbs "fadd-neg-before-abs" "The sign is changed before the absolute value is taken.";
        FaddDownTruncates "fadd-down-truncates" ".RM rounds a negative result toward zero.";
        FaddNanPayload "fadd-nan-payload" "The payload of an input NaN is kept.";
        FaddInputNotFlushed "fadd-input-not-flushed" ".FTZ leaves the second operand alone.";
        FaddSaturationNan "fadd-saturation-nan" ".SAT turns NaN into 1.";
        FaddPredicateIgnored "fadd-predicate-ignored" "The instruction writes although its guard is false.";
    }
    "FMUL" {
        FmulStickyDropped "fmul-sticky-dropped" "The product keeps two bits below the last place and no sticky bit.";
        FmulZeroTimesInfinity "fmul-zero-times-infinity" "0 * Inf is zero, not NaN.";
        FmulZeroSign "fmul-zero-sign" "A product of zero loses its sign.";
        FmulScaleOffByOne "fmul-scale-off-by-one" ".M8 and .D8 scale by 4.";
        FmulOverflowToInfinity "fmul-overflow-to-infinity" "Overflow gives Inf where the rounding mode demands the largest number.";
        FmulSubnormalExponent "fmul-subnormal-exponent" "A subnormal operand counts half its value.";
        FmulDenormalTruncated "fmul-denormal-truncated" "A subnormal result is cut off, not rounded.";
        FmulOutputNotFlushed "fmul-output-not-flushed" ".FTZ leaves the result alone.";
        FmulFlushSign "fmul-flush-sign" ".FTZ flushes a negative result to +0.";
        FmulSaturationNegativeZero "fmul-saturation-negative-zero" ".SAT lets -0 through.";
        FmulPredicateNotInverted "fmul-predicate-not-inverted" "The ! of the guard has no effect.";
    }
    "FFMA" {
        FfmaProductRounded "ffma-product-rounded" "The product is rounded before the addition.";
        FfmaProductStickyLost "ffma-product-sticky-lost" "The 20 low bits of the product are missing.";
        FfmaShiftMask "ffma-shift-mask" "The alignment distance loses its lowest bit beyond 24.";
        FfmaFarAddendDropped "ffma-far-addend-dropped" "An addend is ignored once it lies wholly below the product's 24 bits.";
        FfmaAddendNotFlushed "ffma-addend-not-flushed" ".FTZ leaves the addend alone.";
        FfmaInfinityMinusInfinity "ffma-infinity-minus-infinity" "An infinite product less Inf is the product, not NaN.";
        FfmaZeroTimesInfinity "ffma-zero-times-infinity" "0 * Inf + c is c, not NaN.";
        FfmaCancellationSign "ffma-cancellation-sign" "An exact sum of zero takes the sign of the product.";
        FfmaUpTruncates "ffma-up-truncates" ".RP rounds a positive result toward zero.";
        FfmaNegatedAbsolute "ffma-negated-absolute" "The minus before an absolute value is ignored.";
        FfmaImmediateSwapped "ffma-immediate-swapped" "The halves of an immediate are swapped.";
        FfmaZeroRegister "ffma-zero-register" "RZ reads all ones, as a register that nobody initialised.";
        FfmaSaturationInfinity "ffma-saturation-infinity" ".SAT lets +Inf through.";
    }
    "FMNMX" {
        FmnmxZeroOrder "fmnmx-zero-order" "Of two zeros the second wins, whatever their signs.";
        FmnmxIntegerOrder "fmnmx-integer-order" "Operands are compared as integers, which reverses the negative ones.";
        FmnmxNanIgnored "fmnmx-nan-ignored" ".NAN has no effect.";
        FmnmxNanPassed "fmnmx-nan-passed" "A NaN in the second operand is passed on, quieted.";
        FmnmxNanPayload "fmnmx-nan-payload" "A NaN that makes the result NaN keeps its payload, if it is the first operand.";
        FmnmxWinnerNotFlushed "fmnmx-winner-not-flushed" ".FTZ leaves the operand alone that wins over a NaN.";
        FmnmxInputNotFlushed "fmnmx-input-not-flushed" ".FTZ leaves the first operand alone.";
        FmnmxFlushSign "fmnmx-flush-sign" ".FTZ flushes a negative operand to +0.";
        FmnmxSenseReversed "fmnmx-sense-reversed" "The predicate selects the maximum.";
        FmnmxNotIgnored "fmnmx-not-ignored" "The ! of the predicate has no effect.";
        FmnmxNegBeforeAbs "fmnmx-neg-before-abs" "The sign is changed before the absolute value is taken.";
        FmnmxPredicateIgnored "fmnmx-predicate-ignored" "The instruction writes although its guard is false.";
    }
    "FSETP" {
        FsetpNotEqualOfNan "fsetp-not-equal-of-nan" ".NE is true for a NaN, as in C.";
        FsetpUnorderedAsOrdered "fsetp-unordered-as-ordered" "The comparisons with U are false for a NaN.";
        FsetpSecondNanUnseen "fsetp-second-nan-unseen" "A NaN in the second operand counts as a large number.";
        FsetpIntegerOrder "fsetp-integer-order" "Operands are compared as integers, which reverses the negative ones.";
        FsetpZeroOrder "fsetp-zero-order" "-0 is less than +0.";
        FsetpInputNotFlushed "fsetp-input-not-flushed" ".FTZ leaves the second operand alone.";
        FsetpXorAsOr "fsetp-xor-as-or" ".XOR acts as .OR.";
        FsetpNotIgnored "fsetp-not-ignored" "The ! of the input predicate has no effect.";
        FsetpNotComplemented "fsetp-not-complemented" "The second output is computed from the comparison, not from its complement.";
        FsetpComplementedLate "fsetp-complemented-late" "The second output is the complement of the first.";
        FsetpOutputsSwapped "fsetp-outputs-swapped" "The outputs are exchanged.";
        FsetpPredicateNotInverted "fsetp-predicate-not-inverted" "The ! of the guard has no effect.";
    }
    "FSET" {
        FsetMaskOne "fset-mask-one" ".BM writes 1, not all ones.";
        FsetFloatAsInteger "fset-float-as-integer" ".BF writes the integer 1, not 1.0.";
        FsetNanNumSwapped "fset-nan-num-swapped" ".NAN and .NUM are exchanged.";
        FsetUnorderedAsOrdered "fset-unordered-as-ordered" "The comparisons with U are false for a NaN.";
        FsetSignallingUnseen "fset-signalling-unseen" "Only a quiet NaN counts as one.";
        FsetEqualityLost "fset-equality-lost" ".LE and .GE, with and without U, are false for equal operands.";
        FsetZeroOrder "fset-zero-order" "-0 is less than +0.";
        FsetInputNotFlushed "fset-input-not-flushed" ".FTZ leaves the first operand alone.";
        FsetNegBeforeAbs "fset-neg-before-abs" "The sign is changed before the absolute value is taken.";
        FsetNotIgnored "fset-not-ignored" "The ! of the input predicate has no effect.";
        FsetAndForgotten "fset-and-forgotten" ".AND does not look at the input predicate.";
    }
    "FSEL" {
        FselReversed "fsel-reversed" "The second operand is selected where the predicate is true.";
        FselNotIgnored "fsel-not-ignored" "The ! of the predicate has no effect.";
        FselNanCanonical "fsel-nan-canonical" "A NaN becomes 0x7FFFFFFF.";
        FselNanQuieted "fsel-nan-quieted" "A signalling NaN becomes a quiet one.";
        FselNanSign "fsel-nan-sign" "A negative NaN loses its sign.";
        FselInputNotFlushed "fsel-input-not-flushed" ".FTZ leaves the second operand alone.";
        FselFlushSign "fsel-flush-sign" ".FTZ flushes a negative operand to +0.";
        FselNegBeforeAbs "fsel-neg-before-abs" "The sign is changed before the absolute value is taken.";
        FselImmediateSwapped "fsel-immediate-swapped" "The halves of an immediate are swapped.";
        FselPredicateIgnored "fsel-predicate-ignored" "The instruction writes although its guard is false.";
    }
    "FCHK" {
        FchkFirstLow "fchk-first-low" "The lower bound of the first exponent is one too low.";
        FchkFirstHigh "fchk-first-high" "The upper bound of the first exponent is one too low.";
        FchkSecondLow "fchk-second-low" "The lower bound of the second exponent is one too low.";
        FchkSecondHigh "fchk-second-high" "The upper bound of the second exponent is one too high.";
        FchkDifferenceLow "fchk-difference-low" "The lower bound of the difference is one too low.";
        FchkDifferenceHigh "fchk-difference-high" "The upper bound of the difference is one too high.";
        FchkSignInExponent "fchk-sign-in-exponent" "The exponent is taken from the sign bit and the seven bits below it.";
        FchkDifferenceReversed "fchk-difference-reversed" "The first exponent is subtracted from the second.";
        FchkDifferenceWraps "fchk-difference-wraps" "The difference of the exponents has only eight bits.";
        FchkInfinityUnseen "fchk-infinity-unseen" "A first operand that is not finite passes.";
        FchkPredicateIgnored "fchk-predicate-ignored" "The instruction writes although its guard is false.";
    }
}

impl Fault {
    /// Its row of [`FAULTS`].
    pub fn info(self) -> &'static FaultInfo {
        &FAULTS[self as usize]
    }
}

/// A name that no fault has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no fault; names are listed in assay_model::FAULTS, such as fadd-sticky-dropped")]
pub struct UnknownFault(pub String);

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let info = FAULTS.iter().find(|info| info.name == name);
        info.map(|info| info.fault).ok_or_else(|| UnknownFault(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::catalog;

    use super::*;

    #[test]
    fn names_lead_back_to_their_fault() {
        for info in FAULTS {
            assert_eq!(info.name.parse(), Ok(info.fault));
            assert_eq!(info.fault.info().name, info.name);
            assert!(info.about.ends_with('.'), "{}", info.name);
        }
        assert!("fadd".parse::<Fault>().is_err());
    }

    #[test]
    fn every_optype_has_its_share() {
        for optype in catalog().optypes() {
            let share = FAULTS.iter().filter(|info| info.optype == optype.name).count();
            assert!(share >= 8, "{}: {share}", optype.name);
        }
    }
}
