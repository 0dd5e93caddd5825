//! The table of faults: bugs as people make them, each in one optype, planted through the
//! [knobs](crate::knobs).
//!
//! A campaign that does not find one of them has a gap. Their order is that of the documents; those that are
//! made from the tables of MUFU come last.

use std::str::FromStr;
use std::sync::LazyLock;

use crate::mufu;
pub use crate::mufu::{Class, Rom, Table};

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
        }

        /// The faults that are listed by hand.
        static LISTED: &[FaultInfo] = &[$($(FaultInfo {
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
}

/// Every fault.
pub static FAULTS: LazyLock<Vec<FaultInfo>> = LazyLock::new(|| {
    LISTED.iter().copied().chain(special_rows()).chain(Rom::ALL.into_iter().flat_map(interpolators)).collect()
});

/// A fault for each special row of MUFU.
fn special_rows() -> impl Iterator<Item = FaultInfo> {
    let all = Table::ALL.into_iter().flat_map(|table| Class::ALL.map(|class| (table, class)));
    all.filter(|(table, class)| mufu::exists(*table, *class)).map(|(table, class)| {
        let name = format!("{}-row-{}", hyphenated(table), hyphenated(class));
        made(Fault::Row(table, class), name, mufu::mistake(table, class))
    })
}

/// The faults of an interpolator, a bit in each row of its table among them.
fn interpolators(rom: Rom) -> impl Iterator<Item = FaultInfo> {
    let name = hyphenated(rom);
    let make = move |fault: Fault, suffix: &str, about: &str| {
        made(fault, format!("{name}-{suffix}"), format!("{}: {about}.", name.to_uppercase()))
    };
    let offset =
        make(Fault::OffsetTruncated(rom), "offset-truncated", "only the leading bit of the offset is used");
    let square = make(Fault::SquareDropped(rom), "square-dropped", "the quadratic term is missing");
    let bit = move |segment| {
        let about = format!("a bit is wrong in the row of segment {segment}");
        make(Fault::RomBit(rom, segment), &format!("rom-{segment}"), &about)
    };
    [offset, square].into_iter().chain((0..rom.segments() as u16).map(bit))
}

/// A row for a fault of MUFU that is made and not listed. The table is built once and never dropped, so its
/// texts may as well be leaked.
fn made(fault: Fault, name: String, about: String) -> FaultInfo {
    FaultInfo { fault, name: name.leak(), optype: "MUFU", about: about.leak() }
}

/// The name of a variant as it is written on the command line: `NegativeZero` as `negative-zero`.
fn hyphenated(variant: impl std::fmt::Debug) -> String {
    let mut text = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

impl FaultInfo {
    /// Patterns of the functions that the fault can show in: those of its table, or all of its optype.
    pub fn functions(&'static self) -> &'static [&'static str] {
        match &self.fault {
            Fault::OffsetTruncated(rom) | Fault::SquareDropped(rom) | Fault::RomBit(rom, _) => {
                rom.functions()
            }
            _ => std::slice::from_ref(&self.optype),
        }
    }

    /// What it is counted under: its table, or its optype.
    pub fn group(&self) -> String {
        match self.fault {
            Fault::RomBit(rom, _) => format!("{}-rom", hyphenated(rom)),
            _ => self.optype.to_owned(),
        }
    }
}

impl Fault {
    /// Its row of [`FAULTS`].
    pub fn info(self) -> &'static FaultInfo {
        FAULTS.iter().find(|info| info.fault == self).expect("every fault has a row")
    }
}

/// A name that no fault has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no fault; `assay mutants list` has the names, such as fadd-sticky-dropped")]
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
        for info in FAULTS.iter() {
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
