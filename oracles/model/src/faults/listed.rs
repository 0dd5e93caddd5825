//! The faults that are written down by hand.

use assay_isa::tables::types::Optype;

use super::families::Bug;
use super::{Class, FaultInfo, Rom, Table};

macro_rules! faults {
    ($($optype:literal { $($fault:ident $name:literal $about:literal;)+ })+) => {
        /// A fault that can be planted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Fault {
            $($(#[doc = $about] $fault,)+)+
            /// A special row of MUFU gives something else.
            Row(Table, Class),
            /// Only the leading bit of the offset into a segment of this table is used.
            OffsetTruncated(Rom),
            /// The quadratic term is missing where this table is used.
            SquareDropped(Rom),
            /// A bit in this row of a table is wrong.
            RomBit(Rom, u16),
            /// The fault of an optype of XU, by its place among those listed, in its sibling of the uniform datapath.
            Sibling(u16),
            /// What many optypes can have wrong, in one of them.
            Common(Bug, Optype),
        }

        /// The faults that are listed by hand.
        pub(super) static LISTED: &[FaultInfo] = &[$($(FaultInfo {
            fault: Fault::$fault,
            name: $name,
            optype: $optype,
            about: $about,
        }),+),+];
    };
}

faults! {
    "MUFU" {
        RcpExponentOffByOne "rcp-exponent-off-by-one" "RCP: the result is half of what it should be.";
        RcpSubnormalInputNotNormalised "rcp-subnormal-input-not-normalised" "RCP.F32: subnormal inputs have the leading one of a normal number.";
        RsqSubnormalInputNotNormalised "rsq-subnormal-input-not-normalised" "RSQ.F32: subnormal inputs have the leading one of a normal number.";
        SqrtSubnormalInputNotNormalised "sqrt-subnormal-input-not-normalised" "SQRT: subnormal inputs have the leading one of a normal number.";
        Lg2SubnormalInputNotNormalised "lg2-subnormal-input-not-normalised" "LG2: subnormal inputs have the leading one of a normal number.";
        RsqParityIgnored "rsq-parity-ignored" "RSQ: the root of 2 is missing where the exponent is odd.";
        SqrtParityIgnored "sqrt-parity-ignored" "SQRT: the root of 2 is missing where the exponent is odd.";
        CosIsSine "cos-is-sine" ".COS computes the sine.";
        SinIsCosine "sin-is-cosine" ".SIN computes the cosine.";
        CosTurns "cos-turns" "COS: the argument is in turns.";
        SinTurns "sin-turns" "SIN: the argument is in turns.";
        TrigQuadrantOffByOne "trig-quadrant-off-by-one" "SIN, COS: the quadrant before the right one is taken.";
        TrigReductionShort "trig-reduction-short" "SIN, COS: only 16 bits of 2/pi are used.";
        MufuInputFlushed "mufu-input-flushed" "F32: subnormal inputs count as signed zero.";
        MufuOutputFlushed "mufu-output-flushed" "F32: subnormal results become signed zero.";
        MufuOverflowToGreatest "mufu-overflow-to-greatest" "F32: overflow gives the greatest number.";
        MufuNanPayload "mufu-nan-payload" "F32: the payload of a NaN is kept.";
        MufuNanPayloadHigh "mufu-nan-payload-high" "F64: the payload of a NaN is kept.";
        MufuNanPayloadHalf "mufu-nan-payload-half" "16 bits: the payload of a NaN is kept.";
        MufuHighOutputNotFlushed "mufu-high-output-not-flushed" "RCP.F64: subnormal results stay.";
        MufuHalfInputFlushed "mufu-half-input-flushed" "16 bits: subnormal inputs count as signed zero.";
        MufuHalfOutputFlushed "mufu-half-output-flushed" "16 bits: subnormal results become signed zero.";
        MufuHalfIgnored "mufu-half-ignored" "F16, BF16: .H1 reads the low half.";
        MufuUpperHalfKept "mufu-upper-half-kept" "F16, BF16: the upper half of the operand shows in that of the result.";
        MufuHalvesSwapped "mufu-halves-swapped" "F16_V2, BF16_V2: the results are exchanged.";
        MufuNanSpoilsBoth "mufu-nan-spoils-both" "F16_V2, BF16_V2: a NaN in one half makes both results NaN.";
        MufuSaturationIgnored "mufu-saturation-ignored" ".SAT has no effect.";
        MufuSaturationNan "mufu-saturation-nan" ".SAT lets a NaN through.";
        MufuSaturationNegative "mufu-saturation-negative" ".SAT lets negative numbers through.";
        MufuSaturationNegativeZero "mufu-saturation-negative-zero" ".SAT lets -0 through.";
        MufuSaturationInfinity "mufu-saturation-infinity" ".SAT lets +Inf through.";
        MufuAbsIgnored "mufu-abs-ignored" "The absolute value of the operand is not taken.";
        MufuNegIgnored "mufu-neg-ignored" "The sign of the operand is not changed.";
        MufuNegBeforeAbs "mufu-neg-before-abs" "The sign is changed before the absolute value is taken.";
        MufuImmediateSwapped "mufu-immediate-swapped" "The halves of an immediate are swapped.";
        MufuPredicateIgnored "mufu-predicate-ignored" "The instruction writes although its guard is false.";
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
    "SETREG" {
        SetregAddressNext "setreg-address-next" "The special register behind the one addressed is written.";
        SetregAddressWords "setreg-address-words" "The address counts words of four bytes.";
    }
    "GETREG" {
        GetregAddressByte "getreg-address-byte" "Only the low byte of the address counts.";
    }
    "PMTRIG" {
        PmtrigHighByteLost "pmtrig-high-byte-lost" "Only the low byte of the number is reported.";
        PmtrigBytesSwapped "pmtrig-bytes-swapped" "The bytes of the number are exchanged.";
        PmtrigNextNumber "pmtrig-next-number" "The number is one too high.";
        PmtrigAsSwitch "pmtrig-as-switch" "It reports a SWITCH.";
    }
    "SWITCH" {
        SwitchHintHalf "switch-hint-half" "Only the low half of the hint is reported.";
        SwitchHintSigned "switch-hint-signed" "The hint has 31 bits.";
        SwitchAsTrigger "switch-as-trigger" "It reports a PMTRIG.";
    }
    "NOP" {
        NopAsBarrier "nop-as-barrier" "It reports an IBBAR.";
        NopAsTrigger "nop-as-trigger" "It reports a PMTRIG.";
        NopAsSwitch "nop-as-switch" "It reports a SWITCH.";
    }
    "IBBAR" {
        IbbarAsNop "ibbar-as-nop" "It reports a NOP.";
        IbbarAsDepbar "ibbar-as-depbar" "It reports a DEPBAR of scoreboard 0.";
        IbbarAsSwitch "ibbar-as-switch" "It reports a SWITCH.";
    }
    "DEPBAR" {
        DepbarOperandsSwapped "depbar-operands-swapped" "Scoreboard and count are exchanged.";
        DepbarCountShort "depbar-count-short" "The count has six bits.";
        DepbarScoreboardShort "depbar-scoreboard-short" "The scoreboard has two bits.";
        DepbarNextCount "depbar-next-count" "The count is one too high.";
    }
    "ULDC" {
        UldcSignLost "uldc-sign-lost" "A signed type is extended by zeros.";
        UldcZerosSigned "uldc-zeros-signed" "An unsigned type is extended by its sign.";
        UldcAlignmentIgnored "uldc-alignment-ignored" "A misaligned address does not fault.";
        UldcAlignmentWord "uldc-alignment-word" "An address need be no more than a multiple of four.";
        UldcBoundIgnored "uldc-bound-ignored" "An address beyond the bank wraps.";
        UldcBoundEarly "uldc-bound-early" "The last bytes of the bank cannot be read.";
        UldcOffsetUnsigned "uldc-offset-unsigned" "The offset has no sign.";
        UldcBytesSwapped "uldc-bytes-swapped" "The highest byte comes first.";
        UldcLowByteOnly "uldc-low-byte-only" "A byte or a half comes from the low end of its word.";
        UldcHalfCut "uldc-half-cut" ".S16 and .U16 load one byte.";
    }
    "UIADD" {
        UiaddComplementNegates "uiadd-complement-negates" "With .X a ~ negates.";
        UiaddMinusComplements "uiadd-minus-complements" "Without .X a - complements.";
        UiaddCarrySigned "uiadd-carry-signed" "The carry is that of signed integers: an overflow.";
        UiaddCarryInverted "uiadd-carry-inverted" "The carry is a borrow: true where there is none.";
    }
    "UIMAD" {
        UimadSignIgnored "uimad-sign-ignored" ".S32 multiplies as .U32.";
        UimadSignExtended "uimad-sign-extended" ".U32 multiplies as .S32.";
        UimadBorrowOfZero "uimad-borrow-of-zero" "Without .X the carry of a subtraction of 0 is missing.";
        UimadHighIsLow "uimad-high-is-low" ".HI.X adds to the low word of the product.";
        UimadComplementNegates "uimad-complement-negates" "With .X a ~ negates.";
    }
    "UIMAD_WIDE" {
        WideSignIgnored "uimad-wide-sign-ignored" ".S32 multiplies as .U32.";
        WideSignExtended "uimad-wide-sign-extended" ".U32 multiplies as .S32.";
        WideBorrowOfZero "uimad-wide-borrow-of-zero" "Without .X the carry of a subtraction of 0 is missing.";
        WideAddendShort "uimad-wide-addend-short" "Only the low word of the addend is added.";
        WideAddendExtended "uimad-wide-addend-extended" "The high word of the addend is the sign of the low word.";
        WideCarryLost "uimad-wide-carry-lost" "Nothing is carried from the low word into the high word.";
        WideComplementNegates "uimad-wide-complement-negates" "With .X a ~ negates.";
        WideProductShort "uimad-wide-product-short" "Only the low word of the product is added.";
    }
    "UIMUL" {
        UimulSignIgnored "uimul-sign-ignored" ".S32 multiplies as .U32.";
        UimulSignExtended "uimul-sign-extended" ".U32 multiplies as .S32.";
        UimulProductNegated "uimul-product-negated" "A minus negates the product, in 64 bits.";
        UimulHalvesSwapped "uimul-halves-swapped" ".LO and .HI are exchanged.";
    }
    "ULEA" {
        UleaShiftShort "ulea-shift-short" "The shift has four bits.";
        UleaHighShift "ulea-high-shift" ".HI.X shifts by a place less.";
        UleaSignLost "ulea-sign-lost" ".SX32 extends by zeros.";
        UleaHighIgnored "ulea-high-ignored" ".HI.X takes 0 for the high word of the index.";
        UleaComplementShort "ulea-complement-short" "The ~ of .HI.X leaves the high word alone.";
        UleaBorrowOfZero "ulea-borrow-of-zero" "Without .X the carry of a subtraction of 0 is missing.";
        UleaBaseShifted "ulea-base-shifted" "Without .X the sum is scaled, not the index.";
        UleaComplementNegates "ulea-complement-negates" "With .X a ~ negates.";
    }
    "UIABS" {
        UiabsSaturates "uiabs-saturates" "The least integer becomes the greatest.";
        UiabsComplements "uiabs-complements" "A negative integer is complemented.";
        UiabsSignCleared "uiabs-sign-cleared" "Only the sign bit is cleared, as in a float.";
        UiabsNegates "uiabs-negates" "The result is negative.";
    }
    "UIMNMX" {
        UimnmxSenseReversed "uimnmx-sense-reversed" "The predicate selects the maximum.";
        UimnmxSignIgnored "uimnmx-sign-ignored" ".S32 compares as .U32.";
        UimnmxSignSeen "uimnmx-sign-seen" ".U32 compares as .S32.";
        UimnmxSubtracts "uimnmx-subtracts" "Operands are compared by the sign of their difference.";
    }
    "UP2UR" {
        Up2urTopFalse "up2ur-top-false" "The bit above UP6 is false.";
        Up2urByteIgnored "up2ur-byte-ignored" ".B1, .B2 and .B3 act as .B0.";
        Up2urOthersCleared "up2ur-others-cleared" "The bytes that are not selected are 0.";
        Up2urMaskInverted "up2ur-mask-inverted" "The mask selects the bits that stay.";
        Up2urOrderReversed "up2ur-order-reversed" "UP0 is the highest bit.";
        Up2urMaskIgnored "up2ur-mask-ignored" "All predicates are taken.";
        Up2urFromLowByte "up2ur-from-low-byte" "The bits that stay are those of the lowest byte.";
    }
    "UR2UP" {
        Ur2upOthersCleared "ur2up-others-cleared" "The predicates that are not selected become false.";
        Ur2upByteIgnored "ur2up-byte-ignored" ".B1, .B2 and .B3 act as .B0.";
        Ur2upMaskInverted "ur2up-mask-inverted" "The mask selects the predicates that stay.";
        Ur2upOrderReversed "ur2up-order-reversed" "The lowest bit goes to UP6.";
        Ur2upMaskIgnored "ur2up-mask-ignored" "All predicates are written.";
        Ur2upSetsOnly "ur2up-sets-only" "A predicate that is true stays true.";
    }
    "UISETP" {
        UisetpSignIgnored "uisetp-sign-ignored" ".S32 compares as .U32.";
        UisetpSignSeen "uisetp-sign-seen" ".U32 compares as .S32.";
        UisetpExtensionIgnored "uisetp-extension-ignored" ".X has no effect.";
        UisetpExtensionAlways "uisetp-extension-always" "With .X the lower words decide where the operands differ too.";
        UisetpNotComplemented "uisetp-not-complemented" "The second output is computed from the comparison, not from its complement.";
        UisetpComplementedLate "uisetp-complemented-late" "The second output is the complement of the first.";
        UisetpOutputsSwapped "uisetp-outputs-swapped" "The outputs are exchanged.";
        UisetpXorAsOr "uisetp-xor-as-or" ".XOR acts as .OR.";
        UisetpEqualityLost "uisetp-equality-lost" ".LE and .GE are false for equal operands.";
    }
    "USEL" {
        UselReversed "usel-reversed" "The second operand is selected where the predicate is true.";
        UselMerged "usel-merged" "Where the predicate is true the operands are ORed.";
    }
    "ULOP3" {
        Ulop3OrderReversed "ulop3-order-reversed" "The first input counts 1 and the third 4.";
        Ulop3TopRowLost "ulop3-top-row-lost" "Bit 7 of the table counts for 0.";
        Ulop3RowZeroLost "ulop3-row-zero-lost" "Bit 0 of the table counts for 0.";
        Ulop3AndAsOr "ulop3-and-as-or" ".PAND acts as .POR.";
        Ulop3LowBitTested "ulop3-low-bit-tested" "The predicate looks at the lowest bit of the result.";
        Ulop3TableInverted "ulop3-table-inverted" "The table is read from the other end.";
        Ulop3ZeroTested "ulop3-zero-tested" "The predicate is true of a result of 0.";
    }
    "UPLOP3" {
        Uplop3OrderReversed "uplop3-order-reversed" "The first input counts 1 and the third 4.";
        Uplop3TopRowLost "uplop3-top-row-lost" "Bit 7 of the table counts for 0.";
        Uplop3RowZeroLost "uplop3-row-zero-lost" "Bit 0 of the table counts for 0.";
        Uplop3TableInverted "uplop3-table-inverted" "The table is read from the other end.";
        Uplop3ThirdIgnored "uplop3-third-ignored" "The third input counts for false.";
    }
    "USHF" {
        UshfWrapShort "ushf-wrap-short" ".WRAP keeps five bits of an amount of 64.";
        UshfWrapEven "ushf-wrap-even" ".WRAP loses the lowest bit of the amount.";
        UshfClampShort "ushf-clamp-short" ".CLAMP limits the amount to a place less than there are.";
        UshfClampByte "ushf-clamp-byte" ".CLAMP looks at the low byte of the amount.";
        UshfModesSwapped "ushf-modes-swapped" ".CLAMP and .WRAP are exchanged.";
        UshfSignLost "ushf-sign-lost" ".R moves zeros in, whatever the type.";
        UshfSignAlways "ushf-sign-always" ".R moves the sign in, whatever the type.";
        UshfSignOfLow "ushf-sign-of-low" ".R.S32 shifts the first operand alone.";
        UshfFullWidth "ushf-full-width" ".L by 64 places is by none.";
        UshfDirectionReversed "ushf-direction-reversed" ".L and .R are exchanged.";
        UshfHalvesSwapped "ushf-halves-swapped" ".LO and .HI are exchanged.";
        UshfRotates "ushf-rotates" "What leaves the pair on one side comes back on the other.";
        UshfPairSwapped "ushf-pair-swapped" "The first operand is the high word.";
    }
    "UPRMT" {
        UprmtSignIgnored "uprmt-sign-ignored" "Bit 3 of a selector is ignored.";
        UprmtSignFlipsByte "uprmt-sign-flips-byte" "Bit 3 of a selector asks for the complement of the byte.";
        UprmtBackwardForward "uprmt-backward-forward" ".B4E goes forward.";
        UprmtForwardWraps "uprmt-forward-wraps" ".F4E stays within the first operand.";
        UprmtClampsSwapped "uprmt-clamps-swapped" ".ECL and .ECR are exchanged.";
        UprmtHalvesAsBytes "uprmt-halves-as-bytes" ".RC16 acts as .RC8.";
        UprmtSelectorReversed "uprmt-selector-reversed" "The first nibble selects the highest byte.";
        UprmtPairSwapped "uprmt-pair-swapped" "The first operand holds the high bytes.";
        UprmtSelectorShort "uprmt-selector-short" "The mode's selector has one bit.";
    }
    "SETUGPR" {
        SetugprOffsetUnsigned "setugpr-offset-unsigned" "The offset has no sign.";
        SetugprOffsetIgnored "setugpr-offset-ignored" "The offset is ignored.";
        SetugprIndexWraps "setugpr-index-wraps" "An index beyond the registers wraps.";
        SetugprLastRefused "setugpr-last-refused" "An index of 63 faults.";
        SetugprFaultMisnamed "setugpr-fault-misnamed" "The fault is that of an address.";
    }
    "GETUGPR" {
        GetugprOffsetUnsigned "getugpr-offset-unsigned" "The offset has no sign.";
        GetugprOffsetIgnored "getugpr-offset-ignored" "The offset is ignored.";
        GetugprIndexWraps "getugpr-index-wraps" "An index beyond the registers wraps.";
        GetugprLastRefused "getugpr-last-refused" "An index of 63 faults.";
        GetugprFaultMisnamed "getugpr-fault-misnamed" "The fault is that of an address.";
    }
    "UF2FP" {
        Uf2fpTieAway "uf2fp-tie-away" "A tie is rounded away from zero.";
        Uf2fpTruncates "uf2fp-truncates" "What does not fit is cut off.";
        Uf2fpSubnormalFlushed "uf2fp-subnormal-flushed" "A subnormal result is 0.";
        Uf2fpOverflowToGreatest "uf2fp-overflow-to-greatest" "Overflow gives the greatest number.";
        Uf2fpNanQuiet "uf2fp-nan-quiet" "A NaN becomes 0x7E00.";
        Uf2fpNanSign "uf2fp-nan-sign" "A NaN keeps its sign.";
        Uf2fpNanInfinite "uf2fp-nan-infinite" "A NaN becomes an infinity.";
        Uf2fpSignLost "uf2fp-sign-lost" "The sign of a zero is lost.";
    }
    "BFN" {
        BfnOrderReversed "bfn-order-reversed" "The first source counts 4 and the third 1.";
        BfnTopRowLost "bfn-top-row-lost" "Bit 7 of the control byte counts for 0.";
        BfnTableInverted "bfn-table-inverted" "The control byte is read from the other end.";
        BfnMaskIgnored "bfn-mask-ignored" "The dispatch mask is not looked at.";
        BfnPredicateIgnored "bfn-predicate-ignored" "The predicate is not looked at.";
        BfnPredicateNotInverted "bfn-predicate-not-inverted" "The ! of the predicate has no effect.";
        BfnPredicateFromZero "bfn-predicate-from-zero" "The predicate's bits count from the first element.";
        BfnMaskFromZero "bfn-mask-from-zero" "The bits of the dispatch mask count from the first element.";
        BfnMaskBySize "bfn-mask-by-size" "A mask is as far from the one before as there are elements.";
        BfnImmediateUnsigned "bfn-immediate-unsigned" "An immediate of D is extended by zeros.";
        BfnImmediateSigned "bfn-immediate-signed" "An immediate of UD is extended by its sign.";
        BfnWordUncut "bfn-word-uncut" "The bits above the 16 of W and UW are computed too.";
        BfnLastElementMissing "bfn-last-element-missing" "The last of several elements is not written.";
        BfnDisabledZero "bfn-disabled-zero" "A disabled channel is written with 0.";
        BfnSourceScalar "bfn-source-scalar" "The second source is its channel 0 for all elements.";
    }
}
