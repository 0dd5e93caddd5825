//! The list of faults, by family. Each line declares a fault.
//!
//! Each fault is a mistake that a design team could make. A line has the name in Rust, the name on
//! the command line, the affected optypes, the reach and a description.

use crate::fault_class::{Family, Reach};

/// The facts about a fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultInfo {
    /// The fault.
    pub fault: Fault,
    /// The fault's name in `ASSAY_INDEPENDENT_FAULT`.
    pub name: &'static str,
    /// The part of the device that has the fault.
    pub family: Family,
    /// Optypes that show the fault, separated by spaces. Other optypes may show the fault, too.
    pub optypes: &'static str,
    /// How many inputs show the fault.
    pub reach: Reach,
    /// The mistake, in one sentence.
    pub about: &'static str,
}

macro_rules! faults {
    ($($family:ident { $($fault:ident $name:literal $optypes:literal $reach:ident $about:literal;)* })*) => {
        /// A mistake of a device. The documentation of each variant is the sentence in its
        /// [`FaultInfo`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Fault { $($(#[doc = $about] $fault,)*)* }

        impl Fault {
            /// Every fault, by family.
            pub const ALL: &'static [FaultInfo] = &[$($(FaultInfo {
                fault: Fault::$fault,
                name: $name,
                family: Family::$family,
                optypes: $optypes,
                reach: Reach::$reach,
                about: $about,
            },)*)*];
        }
    };
}

faults! {
    Decoder {
        RegisterASevenBits "register-a-seven-bits" "FADD FMUL FFMA" Common "The number of the first general source loses its top bit.";
        RegisterBSixBits "register-b-six-bits" "FADD FSETP POPC" Common "The number of the general source at bit 32 has six bits.";
        RegisterCFiveBits "register-c-five-bits" "FFMA" Common "The number of the general source at bit 64 has five bits.";
        DestinationSevenBits "destination-seven-bits" "FADD MUFU SGXT" Common "The number of the general destination loses its top bit.";
        UniformBFiveBits "uniform-b-five-bits" "UIADD ULOP3 FADD" Common "The number of the uniform source at bit 32 loses its top bit.";
        BankFourBits "bank-four-bits" "FADD UIADD" Common "The bank of a constant loses its top bit.";
        OffsetSixteenBits "offset-sixteen-bits" "FMUL UISETP" Common "The offset of a constant loses bit 16.";
        OffsetTwelveBits "offset-twelve-bits" "FFMA UIMAD" Common "The offset of a constant has twelve bits.";
        PredicateInTwoBits "predicate-in-two-bits" "FSEL FSETP USEL" Common "The number of an input predicate has two bits.";
        PredicateOutTwoBits "predicate-out-two-bits" "FSETP UISETP" Common "The number of the first output predicate has two bits.";
        GuardTwoBits "guard-two-bits" "FADD POPC USEL" Common "The number of the guard has two bits.";
        GuardIgnored "guard-ignored" "FADD POPC UIADD" Common "A lane whose guard is false executes.";
        GuardNotIgnored "guard-not-ignored" "FMUL FLO USHF" Common "The negation of the guard is ignored.";
        RzUninitialised "rz-uninitialised" "FADD FMNMX BREV" Common "RZ at bit 32 reads as an uninitialised register.";
        UrzUninitialised "urz-uninitialised" "UIMAD ULOP3" Common "URZ at bit 64 reads as an uninitialised register.";
        TrueReadsFalse "true-reads-false" "FSEL FSETP USEL" Common "PT as an input reads false.";
        R254IsRz "r254-is-rz" "FADD FFMA" Common "R254 reads as RZ.";
        Ur62IsUrz "ur-62-is-urz" "UIADD USHF" Common "UR62 reads as URZ.";
        P6IsTrue "p6-is-true" "FSEL UISETP" Common "Predicate 6 reads as true.";
        FtzIgnored "ftz-ignored" "FADD FMUL FSETP" Common "The modifier .FTZ is ignored.";
        SatFieldMoved "sat-field-moved" "FADD FFMA" Common "The modifier .SAT is read from bit 75.";
        DirectionsSwapped "directions-swapped" "FADD FMUL FFMA" Common "The modes .RP and .RM are swapped.";
        RoundingIgnored "rounding-ignored" "FADD FMUL FFMA" Common "Every rounding mode is .RN.";
        NegateAIgnored "negate-a-ignored" "FADD FMUL FSETP" Common "The sign prefix of the first float source is ignored.";
        AbsoluteBIgnored "absolute-b-ignored" "FADD FFMA FMNMX" Common "The bars of the float source at bit 32 are ignored.";
        NegateBeforeAbsolute "negate-before-absolute" "FADD FMUL FSEL" Common "The absolute value is taken after the sign prefix.";
        ThirdPrefixesSwapped "third-prefixes-swapped" "FFMA" Common "The sign prefix and the bars of the source at bit 64 are swapped.";
        InvertIgnored "invert-ignored" "POPC FLO UPOPC" Common "The complement prefix of a source is ignored.";
        NotIgnored "not-ignored" "FSEL FSETP USEL UPLOP3" Common "The negation of an input predicate is ignored.";
        CarryNotIgnored "carry-not-ignored" "UIADD UIMAD_WIDE" Common "The negation of the carry in is ignored.";
        RriAsRir "rri-as-rir" "FFMA" Common "The form RRI takes the literal for the second factor.";
        UniformReadsGeneral "uniform-reads-general" "FADD FSETP" Common "A uniform source of a float instruction reads the general register of that number.";
        ScaleTwoBits "scale-two-bits" "FMUL" Common "The scale of FMUL loses its top bit.";
        TableSevenBits "table-seven-bits" "ULOP3 UPLOP3" Common "The table of a logic instruction loses its top bit.";
        GreaterEqualIsGreater "greater-equal-is-greater" "FSETP FSET UISETP" Common "The comparison GE is decoded as GT.";
        OrMeansXor "or-means-xor" "FSETP UISETP" Common "The combination .OR is decoded as .XOR.";
        XorMeansOr "xor-means-or" "FSET UISETP" Common "The combination .XOR is decoded as .OR.";
    }
    Literal {
        LiteralUpperHalfLost "literal-upper-half-lost" "FADD FMUL FSETP" Common "A float literal keeps its low half only.";
        LiteralLowerHalfLost "literal-lower-half-lost" "FADD FFMA FMUL" Common "A float literal keeps its high half only.";
        LiteralThirteenBitsLost "literal-thirteen-bits-lost" "FMUL FMNMX" Common "A float literal has a fraction of ten bits.";
        LiteralMinusZeroLost "literal-minus-zero-lost" "FADD FMUL" Rare "The float literal -0 becomes +0.";
        LiteralBytesSwapped "literal-bytes-swapped" "UIADD UMOV UISETP" Common "The bytes of an integer literal are reversed.";
        LiteralSignFrom16 "literal-sign-from-16" "UIADD USEL" Common "An integer literal is sign extended from 16 bits.";
        LiteralSignFrom24 "literal-sign-from-24" "UIMUL UISETP" Common "An integer literal is sign extended from 24 bits.";
        LiteralTwentyBits "literal-twenty-bits" "UIMAD ULEA ULOP3" Common "An integer literal between two registers has 20 bits.";
        ShiftLiteralFiveBits "shift-literal-five-bits" "USHF" Common "A literal shift amount of USHF has five bits.";
        ScalingFourBits "scaling-four-bits" "ULEA" Common "The scaling of ULEA loses its top bit.";
        WidthLiteralSigned "width-literal-signed" "BMSK UBMSK" Rare "A literal width of BMSK with bit 31 is negative and is not clamped.";
        LiteralHalfFromTop "literal-half-from-top" "MUFU" Common "A 16-bit literal of MUFU is taken from the upper half.";
        LiteralPairSwapped "literal-pair-swapped" "MUFU" Common "The halves of a paired literal of MUFU are swapped.";
    }
    Operand {
        AddendDropped "addend-dropped" "FFMA" Common "The addend of FFMA_RUR reads 0.";
        ShiftOperandsSwapped "shift-operands-swapped" "USHF" Common "USHF_UUC swaps the amount and the upper word.";
        PermuteOperandsSwapped "permute-operands-swapped" "UPRMT" Common "UPRMT_UCU swaps its first two sources.";
        SharedRegisterMisread "shared-register-misread" "FFMA" Common "Where the addend of FFMA_RRR is the first factor's register, it reads the second factor.";
        FirstReadTwice "first-read-twice" "FFMA" Common "The addend of FFMA_RCR reads the first factor.";
        SelectFirstTwice "select-first-twice" "USEL" Common "USEL_UU reads its first source twice.";
        SharedRegisterSharesPrefixes "shared-register-shares-prefixes" "FADD FMUL FSETP" Common "Where both sources are one register, the first one's prefixes apply to both.";
        PairHighIsLow "pair-high-is-low" "UIMAD_WIDE UMOV" Common "The upper word of a register pair reads the lower one.";
        ConstantPairHighZero "constant-pair-high-zero" "UIMAD_WIDE UMOV" Common "The upper word of a 64-bit constant reads 0.";
        CarryAfterWrite "carry-after-write" "UIADD" Common "UIADD.X computes its carry after its destination overwrote the first source.";
        HighWordAfterLow "high-word-after-low" "UIMAD_WIDE" Common "UIMAD.WIDE computes its high word after its low word overwrote the first factor.";
        FirstOfTwoWritesCounts "first-of-two-writes-counts" "FSETP UISETP" Common "Of two writes to one predicate the first counts.";
        FalseGuardWritesZero "false-guard-writes-zero" "FADD POPC USEL" Common "A lane whose guard is false writes 0 to the register.";
        FalseGuardClearsPredicates "false-guard-clears-predicates" "FSETP UISETP" Common "A lane whose guard is false clears the output predicates.";
        SecondNeedsFirst "second-needs-first" "FSETP UISETP" Common "The second predicate is not written where the first is PT.";
        LowProductCarryNotWritten "low-product-carry-not-written" "UIMAD" Common "UIMAD without .X does not write its carry.";
        HighWordNotWritten "high-word-not-written" "UIMAD_WIDE" Common "UIMAD_WIDE_UUC does not write the high word.";
        DiscardedPredicateWritten "discarded-predicate-written" "FSETP" Common "FSETP writes P6 where its second predicate is PT.";
        MoveWritesPair "move-writes-pair" "UMOV" Common "UMOV.32 clears the register after its destination.";
    }
    Float {
        SubnormalHiddenBit "subnormal-hidden-bit" "FADD FMUL FFMA" Common "A subnormal operand has a hidden bit.";
        SubnormalExponentLow "subnormal-exponent-low" "FADD FMUL FFMA" Common "A subnormal operand has the exponent -127.";
        SubnormalAddendZero "subnormal-addend-zero" "FFMA" Common "A subnormal addend of FFMA counts as zero without .FTZ.";
        CancellationLosesBits "cancellation-loses-bits" "FADD FFMA" Common "A cancellation of 20 bits or more clears four low bits.";
        AlignmentSaturates "alignment-saturates" "FADD FFMA" Common "An addend 25 or more binades smaller vanishes and leaves no sticky bit.";
        AlignmentModulo64 "alignment-modulo-64" "FADD FFMA" Common "The alignment shift is taken modulo 64.";
        AddLosesSticky "add-loses-sticky" "FADD FFMA" Common "A sum keeps 27 bits of the smaller addend and no sticky bit.";
        OneGuardBit "one-guard-bit" "FADD" Rare "A sum has one guard bit and a sticky bit, and no round bit.";
        SubnormalRoundedTwice "subnormal-rounded-twice" "FMUL FFMA" Rare "A subnormal result is rounded to 24 bits first.";
        CarryOutLost "carry-out-lost" "FADD FFMA" Rare "A carry out of the significand by rounding does not reach the exponent.";
        TinyCarryLost "tiny-carry-lost" "FMUL FFMA" Rare "A subnormal result that rounds up to the least normal number stays subnormal.";
        SubnormalResultZero "subnormal-result-zero" "FMUL FADD" Common "A subnormal result becomes zero without .FTZ.";
        UpMeansAway "up-means-away" "FADD FMUL FFMA" Common "The mode .RP rounds negative results away from zero.";
        DownTruncates "down-truncates" "FADD FMUL FFMA" Common "The mode .RM truncates.";
        ZeroMeansNearest "zero-means-nearest" "FADD FMUL FFMA" Common "The mode .RZ rounds to nearest.";
        TiesAway "ties-away" "FADD FMUL" Common "A tie rounds away from zero.";
        TiesTowardZero "ties-toward-zero" "FADD FMUL" Common "A tie rounds toward zero.";
        NegativeTiesAway "negative-ties-away" "FADD FMUL" Common "A tie of a negative result rounds away from zero.";
        TiesToOdd "ties-to-odd" "FADD FMUL" Common "A tie rounds to odd.";
        NearestOverflowsToLargest "nearest-overflows-to-largest" "FADD FMUL" Common "An overflow under .RN gives the largest number.";
        UpOverflowsToMinusInfinity "up-overflows-to-minus-infinity" "FADD FMUL" Common "A negative overflow under .RP gives minus infinity.";
        ZeroOverflowsToInfinity "zero-overflows-to-infinity" "FADD FMUL FFMA" Common "An overflow under .RZ gives infinity.";
        LargestBinadeInfinite "largest-binade-infinite" "FADD" Common "A first addend in the largest binade counts as infinite.";
        LowPartialProductLost "low-partial-product-lost" "FMUL" Common "The product of the low twelve bits of both significands is lost.";
        ProductThroughTwentySevenBits "product-through-twenty-seven-bits" "FMUL" Rare "A product is rounded to 27 bits first.";
        ScaleInverted "scale-inverted" "FMUL" Common "FMUL multiplies where it must divide by its scale.";
        ScaledRounded "scaled-rounded" "FMUL" Common "The scaled operand of FMUL is rounded to F32.";
        FusedProductRounded "fused-product-rounded" "FFMA" Common "The product of FFMA is rounded before the sum.";
        FusedThroughDouble "fused-through-double" "FFMA" Rare "The sum of FFMA is rounded to 53 bits first.";
        ProductLosesSticky "product-loses-sticky" "FFMA" Common "The product of FFMA keeps 28 bits and no sticky bit.";
    }
    Special {
        FlushedInputLosesSign "flushed-input-loses-sign" "FADD FMUL FSEL" Common "An operand that .FTZ flushes becomes +0.";
        InputsNotFlushed "inputs-not-flushed" "FADD FMUL FFMA" Common "The modifier .FTZ does not flush operands.";
        OnlyFirstFlushed "only-first-flushed" "FADD FMUL FFMA" Common "The modifier .FTZ flushes the first operand only.";
        AddendNotFlushed "addend-not-flushed" "FFMA" Common "The modifier .FTZ does not flush the addend of FFMA.";
        ProductFlushed "product-flushed" "FFMA" Rare "FFMA.FTZ flushes a tiny product before the sum.";
        FlushBeforeRounding "flush-before-rounding" "FMUL FFMA" Rare "The modifier .FTZ looks at the result before it is rounded.";
        OutputNotFlushed "output-not-flushed" "FADD FMUL" Common "The modifier .FTZ does not flush the result.";
        FlushedResultLosesSign "flushed-result-loses-sign" "FADD FMUL" Common "A result that .FTZ flushes becomes +0.";
        SatKeepsNan "sat-keeps-nan" "FADD FMUL FFMA" Common "The modifier .SAT keeps a NaN.";
        SatOfNanIsOne "sat-of-nan-is-one" "FADD FMUL FFMA" Common "The modifier .SAT makes 1 of a NaN.";
        SatKeepsMinusZero "sat-keeps-minus-zero" "FADD FMUL" Common "The modifier .SAT keeps -0.";
        SatPassesNegative "sat-passes-negative" "FADD FMUL" Common "The modifier .SAT passes negative finite results.";
        SatLimitIsTwo "sat-limit-is-two" "FADD FMUL" Common "The modifier .SAT passes results below 2.";
        SignallingNanIsInfinity "signalling-nan-is-infinity" "FADD FMUL FFMA" Common "A signalling NaN counts as an infinity.";
        NanPayloadKept "nan-payload-kept" "FADD FMUL FFMA" Common "The result is the first NaN operand, made quiet.";
        NanSignKept "nan-sign-kept" "FADD FMUL FFMA" Common "The NaN result has the sign of the first NaN operand.";
        DefaultNanOfIeee "default-nan-of-ieee" "FADD FMUL FFMA" Common "An invalid operation gives 0x7FC00000.";
        InfinityLessInfinity "infinity-less-infinity" "FADD FFMA" Common "Infinity less infinity is the first infinity.";
        ZeroTimesInfinity "zero-times-infinity" "FMUL FFMA" Common "Zero times infinity counts as zero.";
        InfiniteProductUnsigned "infinite-product-unsigned" "FMUL" Common "An infinite product is positive.";
        ZeroProductUnsigned "zero-product-unsigned" "FMUL" Common "A zero product is positive.";
        FusedZeroProductUnsigned "fused-zero-product-unsigned" "FFMA" Common "A zero product of FFMA is positive in the sum.";
        MinusZerosAddToZero "minus-zeros-add-to-zero" "FADD FFMA" Common "The sum of two negative zeros is +0.";
        DownCancelsToZero "down-cancels-to-zero" "FADD FFMA" Common "An exact cancellation under .RM is +0.";
        NearestCancelsToMinusZero "nearest-cancels-to-minus-zero" "FADD FFMA" Common "An exact cancellation under .RN is -0.";
        ZeroCancelsToMinusZero "zero-cancels-to-minus-zero" "FADD FFMA" Common "An exact cancellation under .RZ is -0.";
        UpCancelsToMinusZero "up-cancels-to-minus-zero" "FADD FFMA" Common "An exact cancellation under .RP is -0.";
    }
    Comparison {
        MinmaxReturnsFirst "minmax-returns-first" "FMNMX" Common "FMNMX with a NaN returns its first operand.";
        MinmaxNanIgnored "minmax-nan-ignored" "FMNMX" Common "FMNMX.NAN returns the operand that is no NaN.";
        MinmaxNanNotFlushed "minmax-nan-not-flushed" "FMNMX" Common "FMNMX.FTZ does not flush an operand that wins over a NaN.";
        MinmaxNotFlushed "minmax-not-flushed" "FMNMX" Common "FMNMX.FTZ does not flush two numbers.";
        MinmaxZeroOrder "minmax-zero-order" "FMNMX" Common "FMNMX returns its second operand for two zeros.";
        MinmaxNegativeOrder "minmax-negative-order" "FMNMX" Common "FMNMX compares two negative numbers by magnitude.";
        CompareNotFlushed "compare-not-flushed" "FSETP FSET" Common "FSETP.FTZ does not flush operands.";
        CompareFlushesFirst "compare-flushes-first" "FSETP FSET" Common "FSETP.FTZ flushes the first operand only.";
        NanTestInverted "nan-test-inverted" "FSETP" Common "The comparison .NAN is true for two numbers.";
        NumLooksAtFirst "num-looks-at-first" "FSETP" Common "The comparison .NUM looks at the first operand only.";
        OrderedNotEqualTrue "ordered-not-equal-true" "FSETP FSET" Common "The ordered comparison NE is true with a NaN.";
        UnorderedFalse "unordered-false" "FSETP FSET" Common "Unordered comparisons are false with a NaN.";
        ZerosDiffer "zeros-differ" "FSETP FSET" Common "A comparison tells -0 from +0.";
        NegativesReversed "negatives-reversed" "FSETP FSET" Common "A comparison of two negative floats is reversed.";
        SecondIsNotFirst "second-is-not-first" "FSETP UISETP" Common "The second predicate is the negation of the first.";
        SecondXorKeepsTest "second-xor-keeps-test" "FSETP UISETP" Common "The second predicate of .XOR is the first.";
        SetOneIsInteger "set-one-is-integer" "FSET" Common "FSET.BF writes the integer 1.";
        SelectSwapped "select-swapped" "FSEL" Common "FSEL selects the other operand.";
        SelectQuietsNan "select-quiets-nan" "FSEL" Common "FSEL makes a signalling NaN quiet.";
        SelectFlushesAlways "select-flushes-always" "FSEL" Common "FSEL flushes subnormal operands without .FTZ.";
        CheckReadsHighByte "check-reads-high-byte" "FCHK" Common "FCHK takes bits 31 to 24 for the exponent.";
        CheckMissesInfinity "check-misses-infinity" "FCHK" Common "FCHK does not fire for an infinite or NaN dividend.";
        CheckMissesSubnormalDivisor "check-misses-subnormal-divisor" "FCHK" Common "FCHK does not fire for a divisor with exponent -126.";
        CheckDifferenceOffByOne "check-difference-off-by-one" "FCHK" Common "FCHK fires from an exponent difference of 128 on.";
        LessIsAlwaysSigned "less-is-always-signed" "UISETP" Common "UISETP.LT.U32 compares signed numbers.";
        ComparesUnsigned "compares-unsigned" "UISETP" Common "UISETP.S32 compares unsigned numbers.";
        ChainIgnored "chain-ignored" "UISETP" Common "UISETP.X ignores the predicate of the lower words.";
        ChainOnlyForEqual "chain-only-for-equal" "UISETP" Common "UISETP.X looks at the predicate of the lower words under EQ and NE only.";
        MinmaxAlwaysSigned "minmax-always-signed" "UIMNMX" Common "UIMNMX.U32 compares signed numbers.";
    }
    Integer {
        CarryMustExceed "carry-must-exceed" "UIADD UIMAD ULEA" Common "A 32-bit sum carries only above 2^32.";
        ExtendedPrefixNegates "extended-prefix-negates" "UIADD UIMAD" Common "A prefix under .X is the two's complement.";
        NegationWithoutOne "negation-without-one" "UIADD" Common "UIADD negates by the complement alone.";
        CarryInLostAtAllOnes "carry-in-lost-at-all-ones" "UIADD" Rare "UIADD.X loses the carry in where the first addend is all ones.";
        CarryFromSigns "carry-from-signs" "UIADD" Common "The carry of UIADD.X is that of both top bits.";
        SecondFactorUnsigned "second-factor-unsigned" "UIMAD UIMUL" Common "The second factor of a signed product is unsigned.";
        NegatedZeroDoesNotCarry "negated-zero-does-not-carry" "UIMAD" Rare "UIMAD less 0 does not carry.";
        LowProductNeverCarries "low-product-never-carries" "UIMAD" Common "UIMAD without .X never carries.";
        HighProductUnsigned "high-product-unsigned" "UIMAD" Common "UIMAD.HI.X.S32 multiplies unsigned factors.";
        HighProductLosesCarryIn "high-product-loses-carry-in" "UIMAD" Common "UIMAD.HI.X ignores the carry in.";
        WideProductUnsigned "wide-product-unsigned" "UIMAD_WIDE" Common "UIMAD.WIDE.S32 multiplies unsigned factors.";
        WideLosesCarryIn "wide-loses-carry-in" "UIMAD_WIDE" Common "UIMAD.WIDE.X ignores the carry in.";
        WideCarryBetweenWordsLost "wide-carry-between-words-lost" "UIMAD_WIDE" Common "The sum of UIMAD.WIDE loses the carry into its high word.";
        WideCarryMustExceed "wide-carry-must-exceed" "UIMAD_WIDE" Rare "UIMAD.WIDE carries only above 2^64.";
        WideSignedNeverCarries "wide-signed-never-carries" "UIMAD_WIDE" Common "UIMAD.WIDE with a negative product never carries.";
        ProductNegatedAfterwards "product-negated-afterwards" "UIMUL" Rare "UIMUL negates the product in place of its factor.";
        NegatedScaledZero "negated-scaled-zero" "ULEA" Rare "ULEA with a negated first source does not carry for a scaled 0.";
        AddressZeroExtended "address-zero-extended" "ULEA" Common "ULEA.HI.X.SX32 extends its first source with zeros.";
        ComplementMissesUpperWord "complement-misses-upper-word" "ULEA" Common "The complement of ULEA.HI.X misses the upper word.";
        ScaleByOneShiftsNothing "scale-by-one-shifts-nothing" "ULEA" Common "ULEA.HI.X with scaling 0 returns the low word.";
        MinimumMagnitudeSaturates "minimum-magnitude-saturates" "UIABS" Common "UIABS of the least integer is the largest.";
        CountMissesTopBit "count-misses-top-bit" "POPC UPOPC" Common "POPC does not count bit 31.";
        CountFiveBits "count-five-bits" "POPC UPOPC" Common "POPC of all ones is 0.";
        LeadingOneOfZero "leading-one-of-zero" "FLO UFLO" Common "FLO of 0 is 0.";
        LeadingOneOfMagnitude "leading-one-of-magnitude" "FLO UFLO" Common "FLO.S32 searches the absolute value.";
        LeadingOneComplementsAll "leading-one-complements-all" "FLO UFLO" Common "FLO.S32 complements positive operands too.";
        DistanceOfLowestOne "distance-of-lowest-one" "FLO UFLO" Common "FLO.SH counts the zeros below the lowest one.";
        DistanceOfNothing "distance-of-nothing" "FLO UFLO" Common "FLO.SH without a one is 32.";
        UniformReversal "uniform-reversal" "UBREV" Common "UBREV reverses the order of the bits.";
        MaskWrapsFromOnly "mask-wraps-from-only" "BMSK UBMSK" Common "BMSK.WRAP does not wrap the width.";
        EmptyMaskIsFull "empty-mask-is-full" "BMSK UBMSK" Common "BMSK of width 0 has all ones above its start.";
        MaskEndInclusive "mask-end-inclusive" "BMSK UBMSK" Common "BMSK has one more one at the end.";
        MaskEndWraps "mask-end-wraps" "BMSK UBMSK" Common "The end of BMSK wraps to bit 0.";
        WrapKeepsThirtyTwo "wrap-keeps-thirty-two" "SGXT USGXT" Common "SGXT.WRAP keeps a width of 32.";
        WidthTakenModulo64 "width-taken-modulo-64" "SGXT USGXT" Common "SGXT.CLAMP takes the width modulo 64.";
        ZeroWidthPasses "zero-width-passes" "SGXT USGXT" Common "SGXT of width 0 returns its operand.";
        FullWidthIsZero "full-width-is-zero" "SGXT USGXT" Common "SGXT.S32 of width 32 is 0.";
        SignBitOneAbove "sign-bit-one-above" "SGXT USGXT" Common "SGXT.S32 takes the bit above the width for the sign.";
        TableOrderReversed "table-order-reversed" "ULOP3" Common "The table of ULOP3 counts its first source lowest.";
        ZeroTestLowHalf "zero-test-low-half" "ULOP3" Common "The predicate of ULOP3 tests the low half of the result.";
        AndIgnoresPredicate "and-ignores-predicate" "ULOP3" Common "ULOP3.PAND ignores the input predicate.";
        PredicateTableOrder "predicate-table-order" "UPLOP3" Common "The table of UPLOP3 swaps its last two sources.";
        WideShiftsClampAt32 "wide-shifts-clamp-at-32" "USHF" Common "USHF.S64 and USHF.U64 limit the amount to 32.";
        WrapKeepsWidth "wrap-keeps-width" "USHF" Common "USHF.WRAP keeps an amount equal to the width.";
        WrapModulo64 "wrap-modulo-64" "USHF" Common "USHF.WRAP of 32-bit types takes the amount modulo 64.";
        ClampUsesLowByte "clamp-uses-low-byte" "USHF" Common "USHF.CLAMP looks at the low byte of the amount.";
        RightSignFromLowWord "right-sign-from-low-word" "USHF" Common "USHF.R.S32 shifts the sign extended low word.";
        LeftBy64Stays "left-by-64-stays" "USHF" Common "USHF.L by 64 places shifts nothing.";
        WideRightUnsigned "wide-right-unsigned" "USHF" Common "USHF.R.S64 moves zeros in.";
        HighIgnoredOnRight "high-ignored-on-right" "USHF" Common "USHF.R.HI returns the low word.";
        SelectorSignIgnored "selector-sign-ignored" "UPRMT" Common "UPRMT.IDX ignores bit 3 of a selector.";
        BackwardModulo4 "backward-modulo-4" "UPRMT" Common "UPRMT.B4E counts modulo 4.";
        HalfTakenTwoBits "half-taken-two-bits" "UPRMT" Common "UPRMT.RC16 takes two bits of the selector.";
        EdgesSwapped "edges-swapped" "UPRMT" Common "UPRMT swaps .ECL and .ECR.";
        EighthPredicateZero "eighth-predicate-zero" "UP2UR" Common "Bit 7 of the packed predicates is 0.";
        OtherBytesZero "other-bytes-zero" "UP2UR" Common "UP2UR clears the other bytes.";
        UnpackTakesByte0 "unpack-takes-byte-0" "UR2UP" Common "UR2UP always takes byte 0.";
        UnselectedCleared "unselected-cleared" "UR2UP" Common "UR2UP clears the predicates that the mask does not select.";
        PackTiesAway "pack-ties-away" "UF2FP" Common "UF2FP rounds ties away from zero.";
        PackTruncates "pack-truncates" "UF2FP" Common "UF2FP truncates.";
        PackOverflowsToLargest "pack-overflows-to-largest" "UF2FP" Common "UF2FP makes the largest number of an overflow.";
        PackedNanIeee "packed-nan-ieee" "UF2FP" Common "UF2FP writes the NaN 0x7E00.";
        PackFlushesSubnormals "pack-flushes-subnormals" "UF2FP" Common "UF2FP flushes subnormal results.";
        PackSwapped "pack-swapped" "UF2FP" Common "UF2FP swaps the halves.";
    }
    Function {
        FunctionSatIgnored "function-sat-ignored" "MUFU" Common "MUFU ignores .SAT.";
        FunctionSatKeepsNan "function-sat-keeps-nan" "MUFU" Common "MUFU.SAT keeps a NaN.";
        FunctionSatKeepsMinusZero "function-sat-keeps-minus-zero" "MUFU" Common "MUFU.SAT keeps -0.";
        BrainFloatReadAsHalf "brain-float-read-as-half" "MUFU" Common "A single BF16 operand of MUFU is read as F16.";
        HalfSelectIgnored "half-select-ignored" "MUFU" Common "MUFU ignores the suffix .H1.";
        UpperHalfKept "upper-half-kept" "MUFU" Common "A 16-bit result of MUFU keeps the upper half of the source.";
        HighHalfFromLow "high-half-from-low" "MUFU" Common "The upper result of a pair is computed from the lower half.";
        NanSpreadsOverPair "nan-spreads-over-pair" "MUFU" Common "A NaN in one half makes both halves NaN.";
        SmallPowerOverflow "small-power-overflow" "MUFU" Rare "EX2 of F16 overflows from 15 on.";
        SmallPowerTruncates "small-power-truncates" "MUFU" Common "EX2 of a 16-bit value drops argument bits below 1/8.";
        SmallTangentSaturates "small-tangent-saturates" "MUFU" Common "TANH of a 16-bit value saturates beyond 1.5.";
        DoubleSubnormalRoot "double-subnormal-root" "MUFU" Common "RSQ.F64 of a subnormal operand is NaN.";
        DoubleRootOfNegative "double-root-of-negative" "MUFU" Common "RSQ.F64 of a negative number takes the magnitude.";
        DoubleReciprocalElevenBits "double-reciprocal-eleven-bits" "MUFU" Common "RCP.F64 has eleven bits of fraction.";
        DoubleRootOddExponent "double-root-odd-exponent" "MUFU" Common "RSQ.F64 is 40 units off in one of eight binades.";
        QuietNanAllOnes "quiet-nan-all-ones" "MUFU" Common "The F32 NaN of MUFU is 0xFFFFFFFF.";
        ReciprocalOfInfinityUnsigned "reciprocal-of-infinity-unsigned" "MUFU" Common "RCP of minus infinity is +0.";
        CosineOfZeroIsZero "cosine-of-zero-is-zero" "MUFU" Common "COS of a zero is that zero.";
        LogarithmOfZeroLargest "logarithm-of-zero-largest" "MUFU" Common "LG2 of 0 is minus the largest number.";
        ReciprocalOfZeroUnsigned "reciprocal-of-zero-unsigned" "MUFU" Common "RCP of -0 is plus infinity.";
        InverseRootOfMinusZero "inverse-root-of-minus-zero" "MUFU" Common "RSQ of -0 is NaN.";
        RootOfZeroUnsigned "root-of-zero-unsigned" "MUFU" Common "SQRT of -0 is +0.";
        TangentOfZeroUnsigned "tangent-of-zero-unsigned" "MUFU" Common "TANH of -0 is +0.";
        RootOfNegativeSubnormal "root-of-negative-subnormal" "MUFU" Common "SQRT of a negative subnormal number is -0.";
        LogarithmOfMagnitude "logarithm-of-magnitude" "MUFU" Common "LG2 of a negative number takes the magnitude.";
        SineAndCosineSwapped "sine-and-cosine-swapped" "MUFU" Common "SIN and COS are swapped.";
        ShortPi "short-pi" "MUFU" Common "The reduction of an angle uses five digits of 2 pi.";
        LargeAnglesCoarse "large-angles-coarse" "MUFU" Common "Angles beyond 64 are rounded to 1/512.";
        SineNearPiIsZero "sine-near-pi-is-zero" "MUFU" Rare "SIN within 1/4096 of a multiple of pi is 0.";
        PeakExceedsOne "peak-exceeds-one" "MUFU" Common "SIN and COS exceed 1 at their peaks.";
        ThirdQuadrantSign "third-quadrant-sign" "MUFU" Common "SIN is positive in the third quadrant.";
        PowerOverflowsToLargest "power-overflows-to-largest" "MUFU" Common "EX2 gives the largest number for an overflow.";
        PowerFlushesResult "power-flushes-result" "MUFU" Common "EX2 flushes a subnormal result.";
        PowerSegment "power-segment" "MUFU" Rare "EX2 is 300 ulp off where six fraction bits of its argument are 41.";
        PowerOfNegative "power-of-negative" "MUFU" Common "EX2 is 300 ulp off below -100.";
        LogarithmNearOneCoarse "logarithm-near-one-coarse" "MUFU" Common "LG2 near 1 is rounded to 2^-18.";
        LogarithmOfSubnormal "logarithm-of-subnormal" "MUFU" Common "LG2 of a subnormal number is minus infinity.";
        LogarithmLargeExponent "logarithm-large-exponent" "MUFU" Common "LG2 is 300 ulp off from 2^64 on.";
        ReciprocalOfSubnormal "reciprocal-of-subnormal" "MUFU" Common "RCP of a subnormal number is infinite.";
        ReciprocalBinade "reciprocal-binade" "MUFU" Common "RCP is 300 ulp off between 2^10 and 2^11.";
        ReciprocalSegment "reciprocal-segment" "MUFU" Common "RCP is 300 ulp off where seven fraction bits are 0x35.";
        ReciprocalFlushesResult "reciprocal-flushes-result" "MUFU" Common "RCP flushes a subnormal result.";
        ReciprocalMissingStep "reciprocal-missing-step" "MUFU" Common "RCP lacks a step and is up to four ulp off.";
        InverseRootOddSegment "inverse-root-odd-segment" "MUFU" Rare "RSQ is 300 ulp off in a segment of every second binade.";
        InverseRootOfSubnormal "inverse-root-of-subnormal" "MUFU" Common "RSQ of a subnormal number is infinite.";
        InverseRootTopBinade "inverse-root-top-binade" "MUFU" Common "RSQ is 300 ulp off in the largest binade.";
        RootOfSubnormal "root-of-subnormal" "MUFU" Common "SQRT of a subnormal number is 0.";
        RootOddExponent "root-odd-exponent" "MUFU" Common "SQRT is 300 ulp off in one binade.";
        TangentSaturates "tangent-saturates" "MUFU" Common "TANH saturates beyond 3.";
        TangentLinear "tangent-linear" "MUFU" Common "TANH is its argument below 1/4.";
        TangentUnsigned "tangent-unsigned" "MUFU" Common "TANH beyond 4 is positive.";
    }
    Batch {
        LargeBatchFlushes "large-batch-flushes" "FADD FMUL" Common "Batches of more than 512 lanes flush as under .FTZ.";
        FtzLeaks "ftz-leaks" "FADD FMUL" Common "The batch after one with .FTZ flushes too.";
        LateBatchesFlush "late-batches-flush" "FADD FMUL" Rare "From batch 10,001 on .FTZ is always on.";
        SingleLaneIgnoresFtz "single-lane-ignores-ftz" "FADD FMUL" Rare "A batch of one lane ignores .FTZ.";
        OptypeChangeKeepsSat "optype-change-keeps-sat" "FADD FMUL" Common "The first batch of another optype saturates if the last batch did.";
        HandlesShareSat "handles-share-sat" "FADD FMUL" Rare "A handle saturates if another handle's last batch did.";
        ThousandthBatchTruncates "thousandth-batch-truncates" "FADD FMUL FFMA" Rare "Every thousandth batch rounds toward zero.";
        ThreadsShareRounding "threads-share-rounding" "FADD FMUL FFMA" Rare "Devices on several threads share one rounding mode.";
        LastLaneRepeats "last-lane-repeats" "FADD POPC USEL" Common "The last lane reads the operands of the lane before.";
        WarpEndRepeats "warp-end-repeats" "FADD FLO USEL" Common "Lane 31 of every 32 reads the operands of lane 30.";
        GuardMaskSixtyFour "guard-mask-sixty-four" "FADD POPC" Rare "The guards of the first 64 lanes repeat.";
        UniformGuardOfFirstLane "uniform-guard-of-first-lane" "UIADD USEL" Common "A uniform guard of lane 0 decides for all lanes.";
        LanesFrom1024Wrap "lanes-from-1024-wrap" "FADD UIADD" Rare "From lane 1024 on the second operand is that of the lane 1024 below.";
        UniformOfFirstLane "uniform-of-first-lane" "FADD FSETP" Common "A uniform source of a general instruction reads lane 0.";
        ConstantCacheStale "constant-cache-stale" "FADD UIADD" Common "Lane 0 reads a constant as the batch before read it.";
        TailLanesTieAway "tail-lanes-tie-away" "FADD FMUL" Rare "The lanes after the last full group of four round ties away.";
        RoundingLeaks "rounding-leaks" "FADD FMUL FFMA" Common "Lane 0 rounds in the mode of the batch before.";
        EqualNeighbourShares "equal-neighbour-shares" "FADD UIADD" Common "A lane with the first operand of its neighbour takes the neighbour's result.";
        LaneSeventeenTakesNeighbour "lane-seventeen-takes-neighbour" "FADD POPC" Common "Lane 17 of every 64 takes the result of lane 16.";
        PartialWarpLosesCarry "partial-warp-loses-carry" "UIADD UIMAD FSETP" Common "The lanes of a partial warp clear the first output predicate.";
        LastLaneNotWritten "last-lane-not-written" "FADD POPC USEL" Common "The last lane of a batch writes nothing.";
    }
    Value {
        OneMissed "one-missed" "FADD" Common "A sum of exactly 1 is one ulp too small.";
        PiOneUp "pi-one-up" "FMUL" Rare "A product whose first factor is pi is one ulp too large.";
        SegmentOff "segment-off" "FMUL" Rare "A product is off where twelve fraction bits of the second factor are 0xA5C.";
        CountOfAlternating "count-of-alternating" "POPC UPOPC" Rare "POPC of 0x55555555 is 8.";
        EqualOperandsLoseCarry "equal-operands-lose-carry" "UIADD" Common "UIADD.X of equal addends does not carry.";
        AllOnesSquareWrong "all-ones-square-wrong" "UIMAD UIMAD_WIDE UIMUL" Rare "The unsigned square of all ones has a wrong high word.";
        SquareOfMinimum "square-of-minimum" "UIMAD UIMAD_WIDE UIMUL" Rare "The signed square of the least integer is negative.";
        MultiplierRecodesPattern "multiplier-recodes-pattern" "UIMUL" Rare "A product with 0x00010001 has bit 32 inverted.";
        ParityTableOptimised "parity-table-optimised" "ULOP3" Rare "The table 0x96 ignores the third source.";
        SixtyThreePlaces "sixty-three-places" "USHF" Common "USHF by 63 places shifts by 31.";
        LargestNotEqualItself "largest-not-equal-itself" "FSETP FSET" Common "A comparison of the largest number with itself finds it less.";
        SineOfOnePattern "sine-of-one-pattern" "MUFU" Sweep "SIN of 0x3F860A92 is 300 ulp off.";
        PowerOfSixtyFour "power-of-sixty-four" "MUFU" Sweep "EX2 of 64 is 300 ulp off.";
        LogarithmOfOneLess "logarithm-of-one-less" "MUFU" Sweep "LG2 of 0x3F7FFFFF is 16 times too large.";
        ReciprocalOfOnePattern "reciprocal-of-one-pattern" "MUFU" Sweep "RCP of 0x3FB504F3 is two ulp off.";
        RootOfAllOnesFraction "root-of-all-ones-fraction" "MUFU" Sweep "SQRT is two ulp off where the fraction is all ones.";
        TangentOfOnePattern "tangent-of-one-pattern" "MUFU" Sweep "TANH of 0x3F0F5C29 has a wrong bit 17.";
    }
}
