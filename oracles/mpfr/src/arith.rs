//! FADD, FMUL and FFMA (document `004`) with the modifiers and the readings E169 to E180.
//!
//! The order is that of the pseudo-code: flush the inputs, scale, operate, round, saturate, choose
//! the NaN, flush the output. Where the readings allow it, a filter performs these steps in f64.
//! Otherwise, and in the tests of the filter, MPFR performs them lane by lane.

use assay_isa::format::F32;
use assay_isa::readings::Reading;
use assay_isa::{BackendError, Erratum, Truths};

use crate::filter::arith::Filter;
use crate::float::{flush, flushed};
use crate::operand::SIGN;
use crate::plan::{Operation, Plan, Scaling, Tiny};
use crate::question::Question;
use crate::unit::{Rounded, Unit};

impl Plan {
    /// Returns an input after the flush by .FTZ.
    #[inline]
    fn input(&self, bits: u32) -> u32 {
        if self.flush_inputs { flush(bits) } else { bits }
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

    /// Returns a sum, in which E172 = 1 makes an exact zero positive. Under other settings an exact
    /// zero keeps MPFR's sign, which follows IEEE 754.
    #[inline]
    fn sign_of_zero(&self, sum: Rounded) -> Rounded {
        if self.zero_is_positive && sum.exactly_zero { Rounded { bits: 0, ..sum } } else { sum }
    }

    /// Returns the output for a rounded result: saturates, chooses a NaN, then flushes.
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
        // A -0 is not subnormal, so it keeps its sign. But a zero to which a tiny result was
        // rounded is flushed.
        match self.flush_result {
            Some(zero) if tiny || F32.is_subnormal(bits) => zero.of(bits),
            _ => bits,
        }
    }

    /// Clamps a result to [+0, 1]. NaN becomes +0.
    fn clamp(&self, bits: u32) -> u32 {
        match bits {
            SIGN if self.keep_negative_zero => SIGN,
            _ if F32.is_nan(bits) || F32.is_negative(bits) => 0,
            // Patterns of positive numbers have the order of the numbers, so the integer minimum
            // can be used.
            _ => bits.min(F32.one()),
        }
    }
}

/// Computes the results of an instruction with this operation, by a filter if one applies.
pub fn truth(
    operation: Operation,
    question: &Question,
    filtered: bool,
    unit: &mut Unit,
    truths: &mut Truths,
) -> Result<(), BackendError> {
    let plan = Plan::new(operation, question.instruction, question.readings());
    let inputs = question.all_inputs()?;
    match Filter::of(operation, &plan).filter(|_| filtered) {
        // Only the result is undefined. The sources are overwritten as usual.
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
        let assigned = plan.flush_inputs && (place < 2 || plan.flush_addend);
        flushed(inputs[place].get(lane)).filter(|_| assigned)
    });
    Ok(())
}

/// Computes the results lane by lane with MPFR.
fn by_mpfr(
    operation: Operation,
    question: &Question,
    plan: &Plan,
    unit: &mut Unit,
    truths: &mut Truths,
) -> Result<(), BackendError> {
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
