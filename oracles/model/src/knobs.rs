//! Knobs: the readings a model follows and the fault planted in it, through one mechanism.
//!
//! Every place where the documents can be read in several ways asks [`Knobs::reading`], every place where
//! a fault can be planted asks [`Knobs::fault`]. For [`Shipping`] both are constants, so nothing of either
//! is left in the compiled code; [`Planted`] decides at run time.
//!
//! A fault belongs to one optype. Its site may lie in code that several share, as the rounder does:
//! [`Knobs::enter`] tells the knobs what is executed, and a fault of another optype stays asleep.

use std::str::FromStr;

use assay_isa::{Reading, Readings};

/// What a model asks at each site.
pub trait Knobs: Send {
    /// The setting to follow.
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        Readings::INTENDED.get(reading)
    }

    /// Whether this fault is planted in the optype at hand.
    fn fault(&self, fault: Fault) -> bool;

    /// Tells that an instruction of `optype` is about to be executed.
    #[inline]
    fn enter(&mut self, _optype: &str) {}
}

/// The sound model under the `intended` readings, fixed at compile time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipping;

impl Knobs for Shipping {
    #[inline]
    fn fault(&self, _fault: Fault) -> bool {
        false
    }
}

/// Any readings, and at most one fault.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planted {
    readings: Readings,
    fault: Option<Fault>,
    awake: Option<Fault>,
}

impl Planted {
    /// Follows `readings`, with `fault` planted if there is one.
    pub fn new(readings: Readings, fault: Option<Fault>) -> Planted {
        Planted { readings, fault, awake: None }
    }
}

impl Knobs for Planted {
    #[inline]
    fn reading(&self, reading: Reading) -> u8 {
        self.readings.get(reading)
    }

    #[inline]
    fn fault(&self, fault: Fault) -> bool {
        self.awake == Some(fault)
    }

    fn enter(&mut self, optype: &str) {
        self.awake = self.fault.filter(|fault| fault.info().optype == optype);
    }
}

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
        for optype in ["MUFU", "FADD", "FMUL", "FFMA"] {
            assert!(FAULTS.iter().filter(|info| info.optype == optype).count() >= 6, "{optype}");
        }
    }

    #[test]
    fn a_fault_sleeps_outside_its_optype() {
        let mut knobs = Planted::new(Readings::INTENDED, Some(Fault::FmulZeroTimesInfinity));
        assert!(!knobs.fault(Fault::FmulZeroTimesInfinity));
        knobs.enter("FMUL");
        assert!(knobs.fault(Fault::FmulZeroTimesInfinity) && !knobs.fault(Fault::FmulZeroSign));
        knobs.enter("FADD");
        assert!(!knobs.fault(Fault::FmulZeroTimesInfinity));
    }
}
