//! The common part of FADD, FMUL and FFMA: flushing, saturation and NaN results.
//!
//! An implementation provides only the rounded operation. This module only operates on bit
//! patterns, so the modes of a float unit do not affect it.

use assay_isa::format::F32;
use assay_isa::readings::Reading;
use assay_isa::tables::types::{FMULScale, FPFtz, FPRound, FPSat};
use assay_isa::{Erratum, Instruction, Readings};

/// The only NaN that these instructions return.
pub(crate) const QNAN: u32 = 0x7fff_ffff;

/// An operation that is computed exactly and then rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// a + b.
    Add,
    /// a·2^scale·b. The scaling is exact.
    Mul {
        /// Exponent of the scale.
        scale: i32,
    },
    /// a·b + c.
    Fma,
}

/// One FADD, FMUL or FFMA with its modifiers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arithmetic {
    /// The operation.
    pub(crate) operation: Operation,
    /// The rounding mode.
    pub(crate) round: FPRound,
    flush: bool,
    saturate: bool,
    keep_negative_zero: bool,
    scaled: bool,
}

impl Arithmetic {
    /// Returns the arithmetic of an instruction, if it is FADD, FMUL or FFMA.
    pub(crate) fn of(instruction: &Instruction, readings: &Readings) -> Option<Arithmetic> {
        let scale = instruction.modifier("scl").unwrap_or(FMULScale::NoScale);
        let operation = match instruction.optype() {
            "FADD" => Operation::Add,
            "FMUL" => Operation::Mul { scale: exponent(scale) },
            "FFMA" => Operation::Fma,
            _ => return None,
        };
        Some(Arithmetic {
            operation,
            round: instruction.modifier("rnd")?,
            flush: instruction.modifier("ftz") == Some(FPFtz::FTZ),
            saturate: instruction.modifier("sat") == Some(FPSat::SAT),
            keep_negative_zero: readings.get(Reading::E170) == 1,
            scaled: scale != FMULScale::NoScale,
        })
    }

    /// Returns whether a setting of an erratum other than the intended one may change the result
    /// under these modifiers.
    pub(crate) fn is_touched_by(&self, erratum: Erratum) -> bool {
        // C010: which numbers .FTZ flushes. C011: which zero replaces a flushed number.
        const FLUSHED: u16 = Erratum::convention(10).0;
        const FLUSHED_RESULT: u16 = Erratum::convention(11).0;
        match erratum.0 {
            169 => self.round == FPRound::RN,
            170 => self.saturate,
            // A sum of F32 numbers is a multiple of the least subnormal. So a sum below the least
            // normal number is exact, and E173 cannot change it.
            173 => self.flush && self.operation != Operation::Add,
            176 => self.scaled,
            178 => self.round != FPRound::RN,
            179 | FLUSHED | FLUSHED_RESULT => self.flush,
            _ => true,
        }
    }

    /// Returns whether the instruction has .FTZ.
    pub(crate) fn flushes(&self) -> bool {
        self.flush
    }

    /// Returns an operand after the flush by .FTZ.
    pub(crate) fn operand(&self, bits: u32) -> u32 {
        if self.flush { flush(bits) } else { bits }
    }

    /// Returns the register value for a rounded result. Under .FTZ, a result that is `tiny` becomes
    /// zero even if its rounded value is not subnormal.
    pub(crate) fn result(&self, rounded: u32, tiny: bool) -> u32 {
        let bits = match (F32.is_nan(rounded), self.saturate) {
            (true, true) => 0,
            (true, false) => QNAN,
            (false, true) if rounded == F32.sign_mask() && self.keep_negative_zero => rounded,
            (false, true) => saturate(rounded),
            (false, false) => rounded,
        };
        match self.flush {
            true if tiny => bits & F32.sign_mask(),
            true => flush(bits),
            false => bits,
        }
    }
}

fn exponent(scale: FMULScale) -> i32 {
    match scale {
        FMULScale::NoScale => 0,
        FMULScale::D2 => -1,
        FMULScale::D4 => -2,
        FMULScale::D8 => -3,
        FMULScale::M2 => 1,
        FMULScale::M4 => 2,
        FMULScale::M8 => 3,
    }
}

/// Returns the number, or a zero of its sign if it is subnormal.
pub(crate) fn flush(bits: u32) -> u32 {
    if F32.is_subnormal(bits) { bits & F32.sign_mask() } else { bits }
}

/// Clamps a number to [+0, 1]. Patterns of positive numbers have the order of the numbers, so the
/// integer minimum can be used.
pub(crate) fn saturate(bits: u32) -> u32 {
    if F32.is_negative(bits) { 0 } else { bits.min(F32.one()) }
}
