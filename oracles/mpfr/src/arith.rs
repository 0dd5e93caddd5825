//! FADD, FMUL and FFMA (document `004`) with the modifiers and the readings E169 to E180.
//!
//! The order is that of the pseudo-code: flush the inputs, scale, operate, round, saturate, canonical
//! NaN, flush the output. A filter does this in f64 where it covers the readings; what it does not cover, and the
//! reference that it is held against, MPFR does lane by lane.

use assay_isa::format::F32;
use assay_isa::readings::{Reading, Readings};
use assay_isa::tables::types::{FMULScale, FPRound};
use assay_isa::{Erratum, Instruction, Truths, VoiceError};
use rug::float::Round;

use crate::filter::arith::Filter;
use crate::float::{flush, flushed};
use crate::nan::NanRule;
use crate::operand::SIGN;
use crate::question::Question;
use crate::unit::{Rounded, Rounding, Unit};

/// What is done to lanes of an instruction, as the modifiers and the readings have it.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub rounding: Rounding,
    pub flush: bool,
    pub saturate: bool,
    /// E170 = 1.
    pub keep_negative_zero: bool,
    /// E172 = 1, for a sum.
    pub zero_is_positive: bool,
    /// E173 and C003.
    pub tiny: Tiny,
    /// C001 and C002.
    pub nan: NanRule,
    pub scaling: Scaling,
    /// E179 = 2.
    pub flush_addend: bool,
    /// E180 = 1.
    pub round_product: bool,
}

/// Which results .FTZ flushes beside those that are subnormal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiny {
    /// None.
    Subnormal,
    /// Those below the normal numbers when rounded without a bound on the exponent (E173 = 2).
    Unbounded,
    /// Those below the normal numbers before they are rounded (C003 = 2).
    Exact,
}

/// The scale of FMUL's first operand (E176).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// By that power of two, exactly.
    Exact(i32),
    /// By that power of two, rounded to F32; `flush` what becomes subnormal.
    Rounded { scale: i32, flush: bool },
}

impl Plan {
    /// The plan for an instruction of that operation.
    pub fn new(operation: Operation, instruction: &Instruction, readings: &Readings) -> Plan {
        let flush = instruction.flag("ftz");
        let scale = instruction.modifier("scl").map_or(0, power_of_two);
        Plan {
            rounding: rounding(operation, instruction, readings),
            flush,
            saturate: instruction.flag("sat"),
            keep_negative_zero: readings.get(Reading::E170) == 1,
            zero_is_positive: readings.get(Reading::E172) == 1,
            tiny: match (readings.get(Reading::C003), readings.get(Reading::E173)) {
                (2, _) if operation != Operation::Add => Tiny::Exact,
                (_, 2) => Tiny::Unbounded,
                _ => Tiny::Subnormal,
            },
            nan: NanRule::new(readings),
            scaling: match readings.get(Reading::E176) {
                2 | 3 if scale != 0 => {
                    Scaling::Rounded { scale, flush: flush && readings.get(Reading::E176) == 3 }
                }
                _ => Scaling::Exact(scale),
            },
            flush_addend: readings.get(Reading::E179) == 2,
            round_product: readings.get(Reading::E180) == 1,
        }
    }

    /// An input under .FTZ.
    #[inline]
    fn input(&self, bits: u32) -> u32 {
        if self.flush { flush(bits) } else { bits }
    }

    fn add(&self, unit: &mut Unit, a: u32, b: u32) -> u32 {
        let (a, b) = (self.input(a), self.input(b));
        let sum = unit.add(a, b);
        self.finish(self.sign_of_zero(sum), &[a, b])
    }

    fn multiply(&self, unit: &mut Unit, a: u32, b: u32) -> u32 {
        let (a, b) = (self.input(a), self.input(b));
        let (scaled, scale) = match self.scaling {
            Scaling::Exact(scale) => (a, scale),
            Scaling::Rounded { scale, flush: false } => (unit.scale(a, scale).bits, 0),
            Scaling::Rounded { scale, flush: true } => (flush(unit.scale(a, scale).bits), 0),
        };
        self.finish(unit.multiply(scaled, scale, b), &[a, b])
    }

    fn multiply_add(&self, unit: &mut Unit, a: u32, b: u32, c: u32) -> u32 {
        let (a, b) = (self.input(a), self.input(b));
        let c = if self.flush_addend { self.input(c) } else { c };
        let sum = if self.round_product {
            let product = unit.multiply(a, 0, b).bits;
            unit.add(product, c)
        } else {
            unit.multiply_add(a, b, c)
        };
        self.finish(self.sign_of_zero(sum), &[a, b, c])
    }

    /// The sign of an exact sum of zero (E172); MPFR gives that of IEEE 754.
    #[inline]
    fn sign_of_zero(&self, sum: Rounded) -> Rounded {
        if self.zero_is_positive && sum.exactly_zero { Rounded { bits: 0, ..sum } } else { sum }
    }

    /// Saturation, the choice of a NaN, then the flush of the output.
    #[inline]
    fn finish(&self, rounded: Rounded, operands: &[u32]) -> u32 {
        let bits = if self.saturate { self.clamp(rounded.bits) } else { rounded.bits };
        if F32.is_nan(bits) {
            return self.nan.of(operands);
        }
        let tiny = match self.tiny {
            Tiny::Subnormal => false,
            Tiny::Unbounded => rounded.tiny,
            Tiny::Exact => rounded.below,
        };
        match self.flush {
            true if tiny => bits & SIGN,
            true => flush(bits),
            false => bits,
        }
    }

    /// To [+0, 1], NaN to +0.
    fn clamp(&self, bits: u32) -> u32 {
        match bits {
            SIGN if self.keep_negative_zero => SIGN,
            _ if F32.is_nan(bits) || F32.is_negative(bits) => 0,
            // Patterns of positive numbers are ordered as the numbers are.
            _ => bits.min(F32.one()),
        }
    }
}

/// The rounding of an instruction. Reading E178 = 1 takes `.rnd` to have no effect on FFMA at all.
fn rounding(operation: Operation, instruction: &Instruction, readings: &Readings) -> Rounding {
    let ignored = operation == Operation::MultiplyAdd && readings.get(Reading::E178) == 1;
    match instruction.modifier("rnd") {
        Some(FPRound::RP) if !ignored => Rounding::Directed(Round::Up),
        Some(FPRound::RM) if !ignored => Rounding::Directed(Round::Down),
        Some(FPRound::RZ) if !ignored => Rounding::Directed(Round::Zero),
        _ if readings.get(Reading::E169) == 1 => Rounding::HalfAway,
        _ => Rounding::Directed(Round::Nearest),
    }
}

/// The power of two that a scale multiplies by.
pub fn power_of_two(scale: FMULScale) -> i32 {
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

/// What the optypes of this file compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// FADD.
    Add,
    /// FMUL.
    Multiply,
    /// FFMA.
    MultiplyAdd,
}

impl Operation {
    /// The operation of an instruction, if this file knows it.
    pub fn of(instruction: &Instruction) -> Option<Operation> {
        match instruction.optype() {
            "FADD" => Some(Operation::Add),
            "FMUL" => Some(Operation::Multiply),
            "FFMA" => Some(Operation::MultiplyAdd),
            _ => None,
        }
    }
}

/// The truth of an instruction that does this operation, by a filter if there may be one.
pub fn truth(
    operation: Operation,
    question: &Question,
    filtered: bool,
    unit: &mut Unit,
    truths: &mut Truths,
) -> Result<(), VoiceError> {
    let plan = Plan::new(operation, question.instruction, question.readings());
    let inputs = question.all_inputs()?;
    match Filter::of(operation, &plan).filter(|_| filtered) {
        // The result alone is undefined: the sources are still overwritten.
        _ if operation == Operation::MultiplyAdd && question.reads(Reading::E177, 1) => {
            question.undefine(truths, Erratum(177), |_| true);
        }
        Some(filter) => {
            question.answer_all(truths, |results| filter.fill(&inputs, results));
            truths.mark_filtered();
        }
        None => by_mpfr(operation, question, &plan, unit, truths)?,
    }
    question.overwrite(&inputs, truths, |place, lane| {
        let assigned = plan.flush && (place < 2 || plan.flush_addend);
        flushed(inputs[place].get(lane)).filter(|_| assigned)
    });
    Ok(())
}

/// The results lane by lane.
fn by_mpfr(
    operation: Operation,
    question: &Question,
    plan: &Plan,
    unit: &mut Unit,
    truths: &mut Truths,
) -> Result<(), VoiceError> {
    if unit.rounding() != plan.rounding {
        *unit = Unit::new(plan.rounding);
    }
    match operation {
        Operation::Add => {
            let [a, b] = question.inputs()?;
            question.answer(truths, |i| plan.add(unit, a.get(i), b.get(i)));
        }
        Operation::Multiply => {
            let [a, b] = question.inputs()?;
            question.answer(truths, |i| plan.multiply(unit, a.get(i), b.get(i)));
        }
        Operation::MultiplyAdd => {
            let [a, b, c] = question.inputs()?;
            question.answer(truths, |i| plan.multiply_add(unit, a.get(i), b.get(i), c.get(i)));
        }
    }
    Ok(())
}
