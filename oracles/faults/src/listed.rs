//! The faults that are listed by hand.

use assay_isa::tables::types::Optype;

use assay_model::{Class, Rom, SpecialTable};

use super::bug::Bug;
use super::families::Family;
use super::field_fault::FieldFault;
use super::operand_fault::OperandFault;

/// An entry of the table of faults.
#[derive(Clone, Copy, Debug)]
pub struct FaultInfo {
    /// The fault.
    pub fault: Fault,
    /// The fault's name on the command line.
    pub name: &'static str,
    /// The optype that it affects.
    pub optype: &'static str,
    /// The kind of mistake.
    pub family: Family,
    /// A sentence that describes the mistake.
    pub about: &'static str,
}

macro_rules! faults {
    ($($optype:literal { $($fault:ident $name:literal $family:ident $about:literal;)+ })+) => {
        /// A fault that can be planted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Fault {
            $($(#[doc = $about] $fault,)+)+
            /// The special row for this class, in this table of MUFU, has a wrong result.
            Row(SpecialTable, Class),
            /// MUFU uses only the leading bit of the offset into a segment of this table.
            OffsetTruncated(Rom),
            /// MUFU omits the quadratic term when it uses this table.
            SquareDropped(Rom),
            /// One bit is wrong in this row of this table.
            RomBit(Rom, u16),
            /// A listed fault of another optype, by its position in the list. The given optype
            /// shares the faulty code.
            Shared(u16, Optype),
            /// A fault in the operand that an optype reads at this position.
            Operand(Optype, u8, OperandFault),
            /// A field of a form is decoded wrongly.
            Field(FieldFault),
            /// A bug that many optypes can have, in one of them.
            Common(Bug, Optype),
        }

        /// The faults that are listed by hand.
        pub(super) static LISTED: &[FaultInfo] = &[$($(FaultInfo {
            fault: Fault::$fault,
            name: $name,
            optype: $optype,
            family: Family::$family,
            about: $about,
        }),+),+];
    };
}

faults! {
    "MUFU" {
        RcpExponentOffByOne "rcp-exponent-off-by-one" Exponent "RCP.F32: the result is half of what it should be.";
        RcpSubnormalInputNotNormalised "rcp-subnormal-input-not-normalised" Subnormal "RCP.F32: subnormal inputs have the leading one of a normal number.";
        RsqSubnormalInputNotNormalised "rsq-subnormal-input-not-normalised" Subnormal "RSQ.F32: subnormal inputs have the leading one of a normal number.";
        SqrtSubnormalInputNotNormalised "sqrt-subnormal-input-not-normalised" Subnormal "SQRT.F32: subnormal inputs have the leading one of a normal number.";
        Lg2SubnormalInputNotNormalised "lg2-subnormal-input-not-normalised" Subnormal "LG2.F32: subnormal inputs have the leading one of a normal number.";
        RsqParityIgnored "rsq-parity-ignored" Exponent "RSQ.F32: the root of 2 is missing where the exponent of a normal number is odd.";
        SqrtParityIgnored "sqrt-parity-ignored" Exponent "SQRT.F32: the root of 2 is missing where the exponent of a normal number is odd.";
        CosIsSine "cos-is-sine" Reduction ".COS computes the sine.";
        SinIsCosine "sin-is-cosine" Reduction ".SIN computes the cosine.";
        CosTurns "cos-turns" Reduction "COS: the argument is in turns.";
        SinTurns "sin-turns" Reduction "SIN: the argument is in turns.";
        TrigQuadrantOffByOne "trig-quadrant-off-by-one" Reduction "SIN, COS: the quadrant before the right one is taken.";
        MufuInputFlushed "mufu-input-flushed" Flush "F32: subnormal inputs count as signed zero.";
        MufuOutputFlushed "mufu-output-flushed" Flush "F32: subnormal results become signed zero.";
        MufuOverflowToGreatest "mufu-overflow-to-greatest" Overflow "F32: overflow gives the greatest number.";
        MufuNanPayload "mufu-nan-payload" Nan "F32: the payload of a NaN is kept.";
        MufuNanPayloadHigh "mufu-nan-payload-high" Nan "F64: the payload of a NaN is kept.";
        MufuNanPayloadHalf "mufu-nan-payload-half" Nan "16 bits: the payload of a NaN is kept.";
        MufuHighOutputNotFlushed "mufu-high-output-not-flushed" Flush "RCP.F64: subnormal results are not flushed.";
        MufuHalfInputFlushed "mufu-half-input-flushed" Flush "16 bits: subnormal inputs count as signed zero.";
        MufuHalfOutputFlushed "mufu-half-output-flushed" Flush "16 bits: subnormal results become signed zero.";
        MufuHalfIgnored "mufu-half-ignored" HalfSelect "F16, BF16: .H1 reads the low half.";
        MufuUpperHalfKept "mufu-upper-half-kept" HalfSelect "F16, BF16: the upper half of the operand shows in that of the result.";
        MufuHalvesSwapped "mufu-halves-swapped" Lane "F16_V2, BF16_V2: the results are exchanged.";
        MufuNanSpoilsBoth "mufu-nan-spoils-both" Lane "F16_V2, BF16_V2: a NaN in one half makes both results NaN.";
        MufuSaturationIgnored "mufu-saturation-ignored" Saturation ".SAT has no effect.";
        MufuSaturationNan "mufu-saturation-nan" Saturation ".SAT lets a NaN through.";
        MufuSaturationNegative "mufu-saturation-negative" Saturation ".SAT lets negative numbers through.";
        MufuSaturationNegativeZero "mufu-saturation-negative-zero" Saturation ".SAT lets -0 through.";
        MufuSaturationInfinity "mufu-saturation-infinity" Saturation ".SAT lets +Inf through.";
        MufuAbsIgnored "mufu-abs-ignored" Prefix "The absolute value of the operand is not taken.";
        MufuNegIgnored "mufu-neg-ignored" Prefix "The sign of the operand is not changed.";
        MufuNegBeforeAbs "mufu-neg-before-abs" Prefix "The sign is changed before the absolute value is taken.";
        MufuImmediateSwapped "mufu-immediate-swapped" Immediate "The halves of an immediate are swapped.";
        MufuPredicateIgnored "mufu-predicate-ignored" Guard "The instruction writes although its guard is false.";
    }
    "POPC" {
        PopcSignBitLost "popc-sign-bit-lost" Bits "Only the low 31 bits are counted.";
        PopcHighByteLost "popc-high-byte-lost" Bits "A byte of 0x80 and more is not counted.";
        PopcFullNibbleLost "popc-full-nibble-lost" Bits "Four ones in a nibble are not counted.";
        PopcCountWraps "popc-count-wraps" Bits "The count has five bits, so that 32 is 0.";
        PopcUpperHalf "popc-upper-half" Bits "The low half is counted twice, in place of the high half.";
        PopcComplementIgnored "popc-complement-ignored" Prefix "The ~ of the operand has no effect.";
        PopcComplementNegates "popc-complement-negates" Prefix "The ~ of the operand gives its negative.";
        PopcZeroRegister "popc-zero-register" Register "RZ reads all ones, as an uninitialised register.";
        PopcPredicateIgnored "popc-predicate-ignored" Guard "The instruction writes although its guard is false.";
    }
    "FLO" {
        FloFromBottom "flo-from-bottom" LeadingOne "The search begins at the lowest bit.";
        FloTopBitUnseen "flo-top-bit-unseen" LeadingOne "The search begins at bit 30.";
        FloLowestBitUnseen "flo-lowest-bit-unseen" LeadingOne "The search ends at bit 1.";
        FloShiftOffByOne "flo-shift-off-by-one" LeadingOne ".SH subtracts from 32.";
        FloNotFoundShifted "flo-not-found-shifted" LeadingOne ".SH gives 32 where no bit is found.";
        FloZeroPosition "flo-zero-position" LeadingOne "Where no bit is found the result is 0.";
        FloPositiveComplemented "flo-positive-complemented" LeadingOne "Under .S32 positive operands are complemented too.";
        FloAbsoluteValue "flo-absolute-value" LeadingOne "Under .S32 the absolute value is searched.";
        FloSignedIgnored "flo-signed-ignored" LeadingOne ".S32 acts as .U32.";
        FloComplementIgnored "flo-complement-ignored" Prefix "The ~ of the operand has no effect.";
        FloPredicateNotInverted "flo-predicate-not-inverted" Guard "The ! of the guard has no effect.";
    }
    "BREV" {
        BrevReverses "brev-reverses" Bits "The order of the bits is reversed, as the name suggests.";
        BrevNegates "brev-negates" Bits "The result is the negative of the operand.";
        BrevLogicalNot "brev-logical-not" Bits "The result is 1 for 0 and else 0.";
        BrevTopBitKept "brev-top-bit-kept" Bits "The highest bit stays as it is.";
        BrevHighHalfKept "brev-high-half-kept" Bits "The high half stays as it is.";
        BrevBytesSwapped "brev-bytes-swapped" ByteOrder "The bytes of the result are in reverse order.";
        BrevOddBitsKept "brev-odd-bits-kept" Bits "The odd bits stay as they are.";
        BrevImmediateExtended "brev-immediate-extended" Immediate "An immediate has 24 bits and a sign.";
        BrevZeroRegister "brev-zero-register" Register "RZ reads all ones, as an uninitialised register.";
        BrevPredicateNotInverted "brev-predicate-not-inverted" Guard "The ! of the guard has no effect.";
    }
    "BMSK" {
        BmskOneTooMany "bmsk-one-too-many" Mask "The mask has a bit more than the amount.";
        BmskPositionWraps "bmsk-position-wraps" Shift ".CLAMP takes the position modulo 32.";
        BmskAmountWraps "bmsk-amount-wraps" Shift ".CLAMP takes the amount modulo 32.";
        BmskModesSwapped "bmsk-modes-swapped" Shift ".CLAMP and .WRAP are exchanged.";
        BmskWrapSixBits "bmsk-wrap-six-bits" Shift ".WRAP keeps six bits of position and amount.";
        BmskEndWraps "bmsk-end-wraps" Mask "The end of the mask is taken modulo 32.";
        BmskFullAmount "bmsk-full-amount" Width "An amount of 32 and more gives no ones.";
        BmskAmountByte "bmsk-amount-byte" Shift "Only the low byte of the amount counts.";
        BmskImmediateSigned "bmsk-immediate-signed" Immediate "An immediate amount with the top bit set is taken modulo 32.";
        BmskOperandsSwapped "bmsk-operands-swapped" OperandOrder "Position and amount are exchanged.";
        BmskPredicateIgnored "bmsk-predicate-ignored" Guard "The instruction writes although its guard is false.";
    }
    "SGXT" {
        SgxtSignBitLow "sgxt-sign-bit-low" Width "The sign is taken one bit too low.";
        SgxtUnsignedExtended "sgxt-unsigned-extended" Width ".U32 acts as .S32.";
        SgxtPositiveUncut "sgxt-positive-uncut" Width "Where the sign is clear, the bits above the width stay.";
        SgxtFullWidth "sgxt-full-width" Width "A width of 32 gives 0.";
        SgxtClampShort "sgxt-clamp-short" Shift ".CLAMP limits the width to 31.";
        SgxtWrapKeepsFull "sgxt-wrap-keeps-full" Shift ".WRAP keeps a width of 32.";
        SgxtModesSwapped "sgxt-modes-swapped" Shift ".CLAMP and .WRAP are exchanged.";
        SgxtZeroWidth "sgxt-zero-width" Width "A width of 0 keeps the lowest bit.";
        SgxtWidthSixBits "sgxt-width-six-bits" Width ".CLAMP uses six bits of the width.";
        SgxtWidthSigned "sgxt-width-signed" Width ".CLAMP takes a width with the top bit set for a negative one, which is 0.";
        SgxtPredicateIgnored "sgxt-predicate-ignored" Guard "The instruction writes although its guard is false.";
    }
    "FADD" {
        FaddStickyDropped "fadd-sticky-dropped" Rounding "Alignment keeps two bits below the last place and no sticky bit.";
        FaddGuardBitLost "fadd-guard-bit-lost" Rounding "Alignment keeps no bit below the last place.";
        FaddTieToOdd "fadd-tie-to-odd" Rounding ".RN rounds a tie to odd.";
        FaddCancellationSign "fadd-cancellation-sign" ZeroSign "An exact sum of zero of terms of both signs is +0 in every rounding mode.";
        FaddInfinityMinusInfinity "fadd-infinity-minus-infinity" Nan "Inf - Inf is the first operand, not NaN.";
        FaddNegBeforeAbs "fadd-neg-before-abs" Prefix "The sign is changed before the absolute value is taken.";
        FaddDownTruncates "fadd-down-truncates" Rounding ".RM acts as .RZ.";
        FaddNanPayload "fadd-nan-payload" Nan "The payload of an input NaN is kept.";
        FaddInputNotFlushed "fadd-input-not-flushed" Flush ".FTZ does not flush the second operand.";
        FaddSaturationNan "fadd-saturation-nan" Saturation ".SAT turns NaN into 1.";
        FaddPredicateIgnored "fadd-predicate-ignored" Guard "The instruction writes although its guard is false.";
        FaddTieAway "fadd-tie-away" Rounding "A tie is rounded away from zero.";
        FaddOverflowToGreatest "fadd-overflow-to-greatest" Overflow ".RN gives the greatest number where it should give Inf.";
        FaddTinyBeforeRounding "fadd-tiny-before-rounding" Tininess ".FTZ flushes what is subnormal before it is rounded.";
        FaddTinyUnbounded "fadd-tiny-unbounded" Tininess ".FTZ flushes what would be subnormal if it were rounded with an unbounded exponent.";
        FaddOutputFlushed "fadd-output-flushed" Flush "A subnormal result becomes zero without .FTZ.";
        FaddSaturationNegative "fadd-saturation-negative" Saturation ".SAT lets negative numbers through.";
        FaddSaturationAbove "fadd-saturation-above" Saturation ".SAT lets values above 1 through.";
    }
    "FMUL" {
        FmulStickyDropped "fmul-sticky-dropped" Rounding "The product keeps two bits below the last place and no sticky bit.";
        FmulZeroTimesInfinity "fmul-zero-times-infinity" Nan "0 * Inf is zero, not NaN.";
        FmulZeroSign "fmul-zero-sign" ZeroSign "A product of zero loses its sign.";
        FmulScaleOffByOne "fmul-scale-off-by-one" Scale ".M8 and .D8 scale by 4.";
        FmulOverflowToInfinity "fmul-overflow-to-infinity" Overflow ".RZ, .RM and .RP give Inf where they should give the greatest number.";
        FmulSubnormalExponent "fmul-subnormal-exponent" Subnormal "A subnormal operand counts half its value, cut off.";
        FmulDenormalTruncated "fmul-denormal-truncated" Subnormal "A subnormal result is cut off, not rounded.";
        FmulOutputNotFlushed "fmul-output-not-flushed" Flush ".FTZ does not flush the result.";
        FmulFlushSign "fmul-flush-sign" Flush ".FTZ flushes a negative result to +0.";
        FmulSaturationNegativeZero "fmul-saturation-negative-zero" Saturation ".SAT lets -0 through.";
        FmulPredicateNotInverted "fmul-predicate-not-inverted" Guard "The ! of the guard has no effect.";
        FmulNanPayload "fmul-nan-payload" Nan "The payload of an input NaN is kept.";
        FmulInfinitySign "fmul-infinity-sign" Nan "An infinite product loses its sign.";
        FmulScaleRounded "fmul-scale-rounded" Scale "The scaled operand is rounded before it is multiplied.";
        FmulScaleFlushed "fmul-scale-flushed" Scale "The scaled operand is rounded, and .FTZ flushes it.";
    }
    "FFMA" {
        FfmaProductRounded "ffma-product-rounded" Fusion "The product is rounded before the addition.";
        FfmaProductStickyLost "ffma-product-sticky-lost" Rounding "The 20 low bits of the product are missing.";
        FfmaFarAddendDropped "ffma-far-addend-dropped" Rounding "An addend is ignored once it lies wholly below the product's 24 bits.";
        FfmaAddendNotFlushed "ffma-addend-not-flushed" Flush ".FTZ does not flush the addend.";
        FfmaInfinityMinusInfinity "ffma-infinity-minus-infinity" Nan "An infinite product less Inf is the product, not NaN.";
        FfmaZeroTimesInfinity "ffma-zero-times-infinity" Nan "0 * Inf + c is c, not NaN.";
        FfmaCancellationSign "ffma-cancellation-sign" ZeroSign "An exact sum of zero takes the sign of the product.";
        FfmaUpTruncates "ffma-up-truncates" Rounding ".RP acts as .RZ.";
        FfmaNegatedAbsolute "ffma-negated-absolute" Prefix "The minus before an absolute value is ignored.";
        FfmaImmediateSwapped "ffma-immediate-swapped" Immediate "The halves of an immediate are swapped.";
        FfmaZeroRegister "ffma-zero-register" Register "RZ reads all ones, as an uninitialised register.";
        FfmaSaturationInfinity "ffma-saturation-infinity" Saturation ".SAT lets +Inf through.";
    }
    "FMNMX" {
        FmnmxZeroOrder "fmnmx-zero-order" Comparison "Of two zeros the second wins, whatever their signs.";
        FmnmxIntegerOrder "fmnmx-integer-order" Comparison "Operands are compared as integers, which reverses the negative ones.";
        FmnmxNanIgnored "fmnmx-nan-ignored" Nan ".NAN has no effect.";
        FmnmxNanPassed "fmnmx-nan-passed" Nan "A NaN in the second operand is passed on, quieted.";
        FmnmxNanPayload "fmnmx-nan-payload" Nan "A NaN that makes the result NaN keeps its payload, if it is the first operand.";
        FmnmxWinnerNotFlushed "fmnmx-winner-not-flushed" Flush ".FTZ does not flush the operand that wins over a NaN.";
        FmnmxInputNotFlushed "fmnmx-input-not-flushed" Flush ".FTZ does not flush the first operand.";
        FmnmxFlushSign "fmnmx-flush-sign" Flush ".FTZ flushes a negative operand to +0.";
        FmnmxSenseReversed "fmnmx-sense-reversed" Predicate "The predicate selects the maximum.";
        FmnmxNotIgnored "fmnmx-not-ignored" Predicate "The ! of the predicate has no effect.";
        FmnmxNegBeforeAbs "fmnmx-neg-before-abs" Prefix "The sign is changed before the absolute value is taken.";
        FmnmxPredicateIgnored "fmnmx-predicate-ignored" Guard "The instruction writes although its guard is false.";
    }
    "FSETP" {
        FsetpNotEqualOfNan "fsetp-not-equal-of-nan" Comparison ".NE is true for a NaN, as in C.";
        FsetpUnorderedAsOrdered "fsetp-unordered-as-ordered" Comparison "The comparisons with U are false for a NaN.";
        FsetpSecondNanUnseen "fsetp-second-nan-unseen" Comparison "A NaN in the second operand counts as a large number.";
        FsetpIntegerOrder "fsetp-integer-order" Comparison "Operands are compared as integers, which reverses the negative ones.";
        FsetpZeroOrder "fsetp-zero-order" Comparison "-0 is less than +0.";
        FsetpInputNotFlushed "fsetp-input-not-flushed" Flush ".FTZ does not flush the second operand.";
        FsetpXorAsOr "fsetp-xor-as-or" Predicate ".XOR acts as .OR.";
        FsetpNotIgnored "fsetp-not-ignored" Predicate "The ! of the input predicate has no effect.";
        FsetpNotComplemented "fsetp-not-complemented" Predicate "The second output is computed from the comparison, not from its complement.";
        FsetpComplementedLate "fsetp-complemented-late" Predicate "The second output is the complement of the first.";
        FsetpOutputsSwapped "fsetp-outputs-swapped" Predicate "The outputs are exchanged.";
        FsetpPredicateNotInverted "fsetp-predicate-not-inverted" Guard "The ! of the guard has no effect.";
    }
    "FSET" {
        FsetMaskOne "fset-mask-one" Predicate ".BM writes 1, not all ones.";
        FsetFloatAsInteger "fset-float-as-integer" Predicate ".BF writes the integer 1, not 1.0.";
        FsetNanNumSwapped "fset-nan-num-swapped" Comparison ".NAN and .NUM are exchanged.";
        FsetUnorderedAsOrdered "fset-unordered-as-ordered" Comparison "The comparisons with U are false for a NaN.";
        FsetSignallingUnseen "fset-signalling-unseen" Comparison "Only a quiet NaN counts as NaN.";
        FsetEqualityLost "fset-equality-lost" Comparison ".LE and .GE, with and without U, are false for equal operands.";
        FsetZeroOrder "fset-zero-order" Comparison "-0 is less than +0.";
        FsetInputNotFlushed "fset-input-not-flushed" Flush ".FTZ does not flush the first operand.";
        FsetNegBeforeAbs "fset-neg-before-abs" Prefix "The sign is changed before the absolute value is taken.";
        FsetNotIgnored "fset-not-ignored" Predicate "The ! of the input predicate has no effect.";
        FsetAndForgotten "fset-and-forgotten" Predicate ".AND ignores the input predicate.";
    }
    "FSEL" {
        FselReversed "fsel-reversed" Predicate "The second operand is selected where the predicate is true.";
        FselNotIgnored "fsel-not-ignored" Predicate "The ! of the predicate has no effect.";
        FselNanCanonical "fsel-nan-canonical" Nan "A NaN becomes 0x7FFFFFFF.";
        FselNanQuieted "fsel-nan-quieted" Nan "A signalling NaN becomes a quiet one.";
        FselNanSign "fsel-nan-sign" Nan "A negative NaN loses its sign.";
        FselInputNotFlushed "fsel-input-not-flushed" Flush ".FTZ does not flush the second operand.";
        FselFlushSign "fsel-flush-sign" Flush ".FTZ flushes a negative operand to +0.";
        FselNegBeforeAbs "fsel-neg-before-abs" Prefix "The sign is changed before the absolute value is taken.";
        FselImmediateSwapped "fsel-immediate-swapped" Immediate "The halves of an immediate are swapped.";
        FselPredicateIgnored "fsel-predicate-ignored" Guard "The instruction writes although its guard is false.";
    }
    "FCHK" {
        FchkFirstLow "fchk-first-low" Comparison "The lower bound of the first exponent is one too low.";
        FchkFirstHigh "fchk-first-high" Comparison "The upper bound of the first exponent is one too low.";
        FchkSecondLow "fchk-second-low" Comparison "The lower bound of the second exponent is one too low.";
        FchkSecondHigh "fchk-second-high" Comparison "The upper bound of the second exponent is one too high.";
        FchkDifferenceLow "fchk-difference-low" Comparison "The lower bound of the difference is one too low.";
        FchkDifferenceHigh "fchk-difference-high" Comparison "The upper bound of the difference is one too high.";
        FchkSignInExponent "fchk-sign-in-exponent" Comparison "The exponent is taken from the sign bit and the seven bits below it.";
        FchkDifferenceReversed "fchk-difference-reversed" Comparison "The first exponent is subtracted from the second.";
        FchkDifferenceWraps "fchk-difference-wraps" Comparison "The difference of the exponents has only eight bits.";
        FchkInfinityUnseen "fchk-infinity-unseen" Comparison "A first operand that is not finite passes.";
        FchkPredicateIgnored "fchk-predicate-ignored" Guard "The instruction writes although its guard is false.";
    }
    "SETREG" {
        SetregAddressNext "setreg-address-next" Address "The special register behind the one addressed is written.";
        SetregAddressWords "setreg-address-words" Address "The address counts words of four bytes.";
    }
    "GETREG" {
        GetregAddressByte "getreg-address-byte" Address "Only the low byte of the address counts.";
    }
    "PMTRIG" {
        PmtrigHighByteLost "pmtrig-high-byte-lost" Reduction "Only the low byte of the number is reported.";
        PmtrigBytesSwapped "pmtrig-bytes-swapped" Reduction "The bytes of the number are exchanged.";
        PmtrigNextNumber "pmtrig-next-number" Reduction "The number is one too high.";
        PmtrigAsSwitch "pmtrig-as-switch" Reduction "It reports a SWITCH.";
    }
    "SWITCH" {
        SwitchHintHalf "switch-hint-half" Event "Only the low half of the hint is reported.";
        SwitchHintSigned "switch-hint-signed" Event "The hint has 31 bits.";
        SwitchAsTrigger "switch-as-trigger" Event "It reports a PMTRIG.";
    }
    "NOP" {
        NopAsBarrier "nop-as-barrier" Event "It reports an IBBAR.";
        NopAsTrigger "nop-as-trigger" Event "It reports a PMTRIG.";
        NopAsSwitch "nop-as-switch" Event "It reports a SWITCH.";
    }
    "IBBAR" {
        IbbarAsNop "ibbar-as-nop" Event "It reports a NOP.";
        IbbarAsDepbar "ibbar-as-depbar" Event "It reports a DEPBAR of scoreboard 0.";
        IbbarAsSwitch "ibbar-as-switch" Event "It reports a SWITCH.";
    }
    "DEPBAR" {
        DepbarOperandsSwapped "depbar-operands-swapped" OperandOrder "Scoreboard and count are exchanged.";
        DepbarCountShort "depbar-count-short" Event "The count has six bits.";
        DepbarScoreboardShort "depbar-scoreboard-short" Event "The scoreboard has two bits.";
        DepbarNextCount "depbar-next-count" Event "The count is one too high.";
    }
    "ULDC" {
        UldcSignLost "uldc-sign-lost" Signedness "A signed type is extended by zeros.";
        UldcZerosSigned "uldc-zeros-signed" Signedness "An unsigned type is extended by its sign.";
        UldcAlignmentIgnored "uldc-alignment-ignored" Constant "A misaligned address does not fault.";
        UldcBoundIgnored "uldc-bound-ignored" Constant "An address beyond the bank wraps.";
        UldcBoundEarly "uldc-bound-early" Constant "The last bytes of the bank cannot be read.";
        UldcOffsetUnsigned "uldc-offset-unsigned" Constant "The offset has no sign.";
        UldcLowByteOnly "uldc-low-byte-only" ByteOrder "A byte or a half comes from the low end of its word.";
        UldcHalfCut "uldc-half-cut" Bits ".S16 and .U16 load one byte.";
    }
    "UIADD" {
        UiaddComplementNegates "uiadd-complement-negates" Prefix "With .X a ~ negates.";
        UiaddMinusComplements "uiadd-minus-complements" Prefix "Without .X a - complements.";
        UiaddCarrySigned "uiadd-carry-signed" Signedness "The carry is that of signed integers: an overflow.";
        UiaddCarryInverted "uiadd-carry-inverted" Carry "The carry is a borrow: true where there is none.";
    }
    "UIMAD" {
        UimadSignIgnored "uimad-sign-ignored" Signedness ".S32 multiplies as .U32.";
        UimadSignExtended "uimad-sign-extended" Signedness ".U32 multiplies as .S32.";
        UimadBorrowOfZero "uimad-borrow-of-zero" Borrow "Without .X the carry of a subtraction of 0 is missing.";
        UimadHighIsLow "uimad-high-is-low" Halves ".HI.X adds to the low word of the product.";
        UimadComplementNegates "uimad-complement-negates" Prefix "With .X a ~ negates.";
    }
    "UIMAD_WIDE" {
        WideSignIgnored "uimad-wide-sign-ignored" Signedness ".S32 multiplies as .U32.";
        WideSignExtended "uimad-wide-sign-extended" Signedness ".U32 multiplies as .S32.";
        WideBorrowOfZero "uimad-wide-borrow-of-zero" Borrow "Without .X the carry of a subtraction of 0 is missing.";
        WideAddendShort "uimad-wide-addend-short" Product "Only the low word of the addend is added.";
        WideAddendExtended "uimad-wide-addend-extended" Signedness "The high word of the addend is the sign of the low word.";
        WideCarryLost "uimad-wide-carry-lost" Carry "Nothing is carried from the low word into the high word.";
        WideComplementNegates "uimad-wide-complement-negates" Prefix "With .X a ~ negates.";
        WideProductShort "uimad-wide-product-short" Product "Only the low word of the product is added.";
    }
    "UIMUL" {
        UimulSignIgnored "uimul-sign-ignored" Signedness ".S32 multiplies as .U32.";
        UimulSignExtended "uimul-sign-extended" Signedness ".U32 multiplies as .S32.";
        UimulProductNegated "uimul-product-negated" Prefix "A minus negates the product, in 64 bits.";
        UimulHalvesSwapped "uimul-halves-swapped" Halves ".LO and .HI are exchanged.";
    }
    "ULEA" {
        UleaShiftShort "ulea-shift-short" Shift "The shift has four bits.";
        UleaHighShift "ulea-high-shift" Shift ".HI.X shifts by one place less.";
        UleaSignLost "ulea-sign-lost" Signedness ".SX32 extends by zeros.";
        UleaHighIgnored "ulea-high-ignored" Halves ".HI.X takes 0 for the high word of the index.";
        UleaComplementShort "ulea-complement-short" Prefix "The ~ of .HI.X does not change the high word.";
        UleaBorrowOfZero "ulea-borrow-of-zero" Borrow "Without .X the carry of a subtraction of 0 is missing.";
        UleaBaseShifted "ulea-base-shifted" Scale "Without .X the sum is scaled, not the index.";
        UleaComplementNegates "ulea-complement-negates" Prefix "With .X a ~ negates.";
    }
    "UIABS" {
        UiabsSaturates "uiabs-saturates" Bits "The least integer becomes the greatest.";
        UiabsComplements "uiabs-complements" Bits "A negative integer is complemented.";
        UiabsSignCleared "uiabs-sign-cleared" Bits "Only the sign bit is cleared, as in a float.";
        UiabsNegates "uiabs-negates" Bits "The result is negative.";
    }
    "UIMNMX" {
        UimnmxSenseReversed "uimnmx-sense-reversed" Predicate "The predicate selects the maximum.";
        UimnmxSignIgnored "uimnmx-sign-ignored" Comparison ".S32 compares as .U32.";
        UimnmxSignSeen "uimnmx-sign-seen" Comparison ".U32 compares as .S32.";
        UimnmxSubtracts "uimnmx-subtracts" Comparison "Operands are compared by the sign of their difference.";
    }
    "UP2UR" {
        Up2urTopFalse "up2ur-top-false" Predicate "The bit above UP6 is false.";
        Up2urByteIgnored "up2ur-byte-ignored" HalfSelect ".B1, .B2 and .B3 act as .B0.";
        Up2urOthersCleared "up2ur-others-cleared" Predicate "The bytes that are not selected are 0.";
        Up2urMaskInverted "up2ur-mask-inverted" Predicate "The mask selects the bits that stay.";
        Up2urOrderReversed "up2ur-order-reversed" Predicate "UP0 is the highest bit.";
        Up2urMaskIgnored "up2ur-mask-ignored" Predicate "All predicates are taken.";
        Up2urFromLowByte "up2ur-from-low-byte" HalfSelect "The bits that stay are those of the lowest byte.";
    }
    "UR2UP" {
        Ur2upOthersCleared "ur2up-others-cleared" Predicate "The predicates that are not selected become false.";
        Ur2upByteIgnored "ur2up-byte-ignored" HalfSelect ".B1, .B2 and .B3 act as .B0.";
        Ur2upMaskInverted "ur2up-mask-inverted" Predicate "The mask selects the predicates that stay.";
        Ur2upOrderReversed "ur2up-order-reversed" Predicate "The lowest bit goes to UP6.";
        Ur2upMaskIgnored "ur2up-mask-ignored" Predicate "All predicates are written.";
        Ur2upSetsOnly "ur2up-sets-only" Predicate "A predicate that is true stays true.";
    }
    "UISETP" {
        UisetpSignIgnored "uisetp-sign-ignored" Signedness ".S32 compares as .U32.";
        UisetpSignSeen "uisetp-sign-seen" Signedness ".U32 compares as .S32.";
        UisetpExtensionIgnored "uisetp-extension-ignored" Comparison ".X has no effect.";
        UisetpExtensionAlways "uisetp-extension-always" Comparison "With .X the lower words decide even where the operands differ.";
        UisetpNotComplemented "uisetp-not-complemented" Predicate "The second output is computed from the comparison, not from its complement.";
        UisetpComplementedLate "uisetp-complemented-late" Predicate "The second output is the complement of the first.";
        UisetpOutputsSwapped "uisetp-outputs-swapped" Predicate "The outputs are exchanged.";
        UisetpXorAsOr "uisetp-xor-as-or" Predicate ".XOR acts as .OR.";
        UisetpEqualityLost "uisetp-equality-lost" Comparison ".LE and .GE are false for equal operands.";
    }
    "USEL" {
        UselReversed "usel-reversed" Predicate "The second operand is selected where the predicate is true.";
        UselMerged "usel-merged" Predicate "Where the predicate is true the operands are ORed.";
    }
    "ULOP3" {
        Ulop3OrderReversed "ulop3-order-reversed" Lut "The first input counts 1 and the third 4.";
        Ulop3TopRowLost "ulop3-top-row-lost" Lut "Bit 7 of the table counts as 0.";
        Ulop3RowZeroLost "ulop3-row-zero-lost" Lut "Bit 0 of the table counts as 0.";
        Ulop3AndAsOr "ulop3-and-as-or" Predicate ".PAND acts as .POR.";
        Ulop3LowBitTested "ulop3-low-bit-tested" Predicate "The predicate tests the lowest bit of the result.";
        Ulop3TableInverted "ulop3-table-inverted" Lut "The table is read from the other end.";
        Ulop3ZeroTested "ulop3-zero-tested" Predicate "The predicate is true of a result of 0.";
    }
    "UPLOP3" {
        Uplop3OrderReversed "uplop3-order-reversed" Lut "The first input counts 1 and the third 4.";
        Uplop3TopRowLost "uplop3-top-row-lost" Lut "Bit 7 of the table counts as 0.";
        Uplop3RowZeroLost "uplop3-row-zero-lost" Lut "Bit 0 of the table counts as 0.";
        Uplop3TableInverted "uplop3-table-inverted" Lut "The table is read from the other end.";
        Uplop3ThirdIgnored "uplop3-third-ignored" Lut "The third input counts as false.";
    }
    "USHF" {
        UshfWrapShort "ushf-wrap-short" Shift ".WRAP keeps five bits of an amount of 64.";
        UshfWrapEven "ushf-wrap-even" Shift ".WRAP loses the lowest bit of the amount.";
        UshfClampShort "ushf-clamp-short" Shift ".CLAMP limits the amount to one place less than the width.";
        UshfClampByte "ushf-clamp-byte" Shift ".CLAMP uses the low byte of the amount.";
        UshfModesSwapped "ushf-modes-swapped" Shift ".CLAMP and .WRAP are exchanged.";
        UshfSignLost "ushf-sign-lost" Funnel ".R moves zeros in, whatever the type.";
        UshfSignAlways "ushf-sign-always" Funnel ".R moves the sign in, whatever the type.";
        UshfSignOfLow "ushf-sign-of-low" Funnel ".R.S32 shifts the first operand alone.";
        UshfFullWidth "ushf-full-width" Shift ".L by 64 places does not shift.";
        UshfDirectionReversed "ushf-direction-reversed" Funnel ".L and .R are exchanged.";
        UshfHalvesSwapped "ushf-halves-swapped" Halves ".LO and .HI are exchanged.";
        UshfRotates "ushf-rotates" Funnel "Bits shifted out of the pair on one side come in on the other.";
        UshfPairSwapped "ushf-pair-swapped" OperandOrder "The first operand is the high word.";
    }
    "UPRMT" {
        UprmtSignIgnored "uprmt-sign-ignored" SignReplication "Bit 3 of a selector is ignored.";
        UprmtSignFlipsByte "uprmt-sign-flips-byte" SignReplication "Bit 3 of a selector asks for the complement of the byte.";
        UprmtBackwardForward "uprmt-backward-forward" Selector ".B4E goes forward.";
        UprmtForwardWraps "uprmt-forward-wraps" Selector ".F4E stays within the first operand.";
        UprmtClampsSwapped "uprmt-clamps-swapped" Selector ".ECL and .ECR are exchanged.";
        UprmtHalvesAsBytes "uprmt-halves-as-bytes" Selector ".RC16 acts as .RC8.";
        UprmtSelectorReversed "uprmt-selector-reversed" Selector "The first nibble selects the highest byte.";
        UprmtPairSwapped "uprmt-pair-swapped" OperandOrder "The first operand holds the high bytes.";
        UprmtSelectorShort "uprmt-selector-short" Selector "The mode's selector has one bit.";
    }
    "SETUGPR" {
        SetugprOffsetUnsigned "setugpr-offset-unsigned" Address "The offset has no sign.";
        SetugprOffsetIgnored "setugpr-offset-ignored" Address "The offset is ignored.";
        SetugprIndexWraps "setugpr-index-wraps" Address "An index beyond the registers wraps.";
        SetugprLastRefused "setugpr-last-refused" Address "An index of 63 faults.";
        SetugprFaultMisnamed "setugpr-fault-misnamed" Address "The fault is an address fault.";
    }
    "GETUGPR" {
        GetugprOffsetUnsigned "getugpr-offset-unsigned" Address "The offset has no sign.";
        GetugprOffsetIgnored "getugpr-offset-ignored" Address "The offset is ignored.";
        GetugprIndexWraps "getugpr-index-wraps" Address "An index beyond the registers wraps.";
        GetugprLastRefused "getugpr-last-refused" Address "An index of 63 faults.";
        GetugprFaultMisnamed "getugpr-fault-misnamed" Address "The fault is an address fault.";
    }
    "UF2FP" {
        Uf2fpTieAway "uf2fp-tie-away" Rounding "A tie is rounded away from zero.";
        Uf2fpTruncates "uf2fp-truncates" Rounding "Bits that do not fit are cut off.";
        Uf2fpSubnormalFlushed "uf2fp-subnormal-flushed" Subnormal "A subnormal result is 0.";
        Uf2fpOverflowToGreatest "uf2fp-overflow-to-greatest" Overflow "Overflow gives the greatest number.";
        Uf2fpNanQuiet "uf2fp-nan-quiet" Nan "A NaN becomes 0x7E00.";
        Uf2fpNanSign "uf2fp-nan-sign" Nan "A NaN keeps its sign.";
        Uf2fpNanInfinite "uf2fp-nan-infinite" Nan "A NaN becomes an infinity.";
        Uf2fpSignLost "uf2fp-sign-lost" ZeroSign "The sign of a zero is lost.";
    }
    "BFN" {
        BfnOrderReversed "bfn-order-reversed" Lut "The first source counts 4 and the third 1.";
        BfnTopRowLost "bfn-top-row-lost" Lut "Bit 7 of the control byte counts as 0.";
        BfnTableInverted "bfn-table-inverted" Lut "The control byte is read from the other end.";
        BfnMaskIgnored "bfn-mask-ignored" Predicate "The dispatch mask is ignored.";
        BfnPredicateIgnored "bfn-predicate-ignored" Predicate "The predicate is ignored.";
        BfnPredicateNotInverted "bfn-predicate-not-inverted" Predicate "The ! of the predicate has no effect.";
        BfnPredicateFromZero "bfn-predicate-from-zero" Predicate "The predicate's bits count from the first element.";
        BfnImmediateUnsigned "bfn-immediate-unsigned" Immediate "An immediate of D is extended by zeros.";
        BfnImmediateSigned "bfn-immediate-signed" Immediate "An immediate of UD is extended by its sign.";
        BfnWordUncut "bfn-word-uncut" Bits "The bits above the 16 of W and UW are computed too.";
        BfnMaskFromZero "bfn-mask-from-zero" Predicate "The bits of the dispatch mask count from the first element.";
        BfnLastElementMissing "bfn-last-element-missing" Bits "The last of several elements is not written.";
        BfnDisabledZero "bfn-disabled-zero" Bits "A disabled channel is written with 0.";
        BfnSourceScalar "bfn-source-scalar" Bits "All elements use channel 0 of the second source.";
    }
}
