//! Computes FADD, FMUL and FFMA in f64, with results that are right to the bit. The code has no
//! branches and no rounding test, because only the last step rounds.
//!
//! *Exact before.* F32 numbers are multiples of 2^-149, lie below 2^128 and have 24 bits. So a
//! product has 48 bits, lies below 2^256 and is a multiple of 2^-298. FMUL's scale of up to three
//! binades keeps it exact: every nonzero product is a normal number of f64. The sum of a product
//! and a third number is rounded to odd (`odd`). It is large enough for the grid of f64, and too
//! small to overflow.
//!
//! *Then rounded once.* `as f32` rounds an f64 to nearest, ties to even, with subnormals and
//! infinity as in IEEE 754. This result differs from that of a directed rounding by at most one
//! pattern, and comparing the result with the f64 shows which one is right. A sum rounded to odd
//! compares to any number of F32 as the exact sum does. It also compares to the limits below as the
//! exact sum does, because they have at most 25 bits.

use std::borrow::Cow;

use assay_isa::format::F32;
use multiversion::multiversion;
use rug::float::Round;

use super::odd;
use crate::float::QUIET_NAN;
use crate::operand::{Input, SIGN};
use crate::plan::{FlushedResult, Operation, Plan, Scaling, Tiny};
use crate::unit::Rounding;

/// The sign bit of an f64.
const SIGN_OF_F64: u64 = 1 << 63;
/// The bounds if nothing is flushed: no number lies strictly between them.
const KEPT: (f64, f64) = (0.0, 0.0);

/// An operation with its modifiers and readings, as numbers that apply to all lanes.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    operation: Operation,
    /// The power of two that multiplies the first factor.
    scale: f64,
    /// A mask that is applied to subnormal inputs other than FFMA's addend: it keeps the number, or
    /// only its sign.
    subnormal: u32,
    /// The mask that is applied to a subnormal addend of FFMA.
    subnormal_addend: u32,
    /// A sign bit for rounding down, else 0. To round down, inputs are negated, the sum is rounded
    /// up, and the result is negated.
    negated: u32,
    /// A sign bit for rounding toward zero, else 0. To round toward zero, the negated magnitude is
    /// rounded up.
    mirrored: u64,
    /// All ones if results round up.
    up: u32,
    /// A mask that is applied to an exact sum of zero: it keeps the zero's sign, or makes the zero
    /// positive.
    zero: u32,
    /// The greatest pattern that is not clamped to +0, as an unsigned integer.
    highest: u32,
    /// The pattern of the largest result.
    largest: i32,
    /// The result if the computation gives NaN.
    nan: u32,
    /// Numbers strictly between these bounds are flushed.
    flushed: (f64, f64),
}

impl Filter {
    /// Returns the filter of an operation. Returns `None` in three cases: ties go away from zero,
    /// an intermediate result is rounded, or the pattern of a NaN or of a flushed zero depends on
    /// more than the result.
    pub fn of(operation: Operation, plan: &Plan) -> Option<Filter> {
        let Rounding::Directed(round) = plan.rounding else { return None };
        let Scaling::Exact(scale) = plan.scaling else { return None };
        if operation == Operation::MultiplyAdd && plan.round_product {
            return None;
        }
        if !plan.nan.is_one() && !plan.saturate {
            return None;
        }
        if plan.flush_result == Some(FlushedResult::Positive) {
            return None;
        }
        let kept = |flush: bool| if flush { SIGN } else { u32::MAX };
        let sum = operation != Operation::Multiply;
        Some(Filter {
            operation,
            scale: power_of_two(scale),
            subnormal: kept(plan.flush_inputs),
            subnormal_addend: kept(plan.flush_inputs && plan.flush_addend),
            negated: if round == Round::Down { SIGN } else { 0 },
            mirrored: if round == Round::Zero { SIGN_OF_F64 } else { 0 },
            up: if round == Round::Nearest { 0 } else { u32::MAX },
            zero: if sum && plan.zero_is_positive { 0 } else { u32::MAX },
            highest: match (plan.saturate, plan.keep_negative_zero) {
                (true, true) => SIGN,
                (true, false) => SIGN - 1,
                (false, _) => u32::MAX,
            },
            largest: if plan.saturate { F32.one() as i32 } else { i32::MAX },
            nan: if plan.saturate { 0 } else { plan.nan.pattern },
            flushed: if plan.flush_result.is_some() { flushed(round, plan.tiny) } else { KEPT },
        })
    }

    /// Fills in the results of the lanes. `inputs` has one entry for each operand of the operation.
    pub fn fill(&self, inputs: &[Input], results: &mut [u32]) {
        if self.is_plain() {
            self.fill_as::<true>(inputs, results)
        } else {
            self.fill_as::<false>(inputs, results)
        }
    }

    fn fill_as<const PLAIN: bool>(&self, inputs: &[Input], results: &mut [u32]) {
        let lanes = results.len();
        let column = |place: usize, subnormal, negated| {
            let input = inputs[place];
            Column { input, values: input.column(lanes), subnormal, negated }
        };
        let a = column(0, self.subnormal, self.negated);
        match self.operation {
            Operation::Add => {
                let b = column(1, self.subnormal, self.negated);
                add::<PLAIN>(self, &a, &b, results);
            }
            Operation::Multiply => {
                let b = column(1, self.subnormal, 0);
                multiply::<PLAIN>(self, &a, &b, results);
            }
            Operation::MultiplyAdd => {
                let b = column(1, self.subnormal, 0);
                let c = column(2, self.subnormal_addend, self.negated);
                multiply_add::<PLAIN>(self, &a, &b, &c, results);
            }
        }
    }

    /// Returns whether results are only rounded to nearest, without flushing or clamping. This is
    /// the most frequent case, and needs only half of the work.
    fn is_plain(&self) -> bool {
        self.up == 0
            && self.subnormal == u32::MAX
            && self.highest == u32::MAX
            && self.zero == u32::MAX
            && self.nan == QUIET_NAN
            && self.flushed == KEPT
    }

    /// Returns the result for a number that is exact or rounded to odd, as a pattern.
    #[inline(always)]
    fn finish<const PLAIN: bool>(&self, exact: f64) -> u32 {
        if PLAIN {
            return if exact.is_nan() { QUIET_NAN } else { (exact as f32).to_bits() };
        }
        let mirrored = !exact.to_bits() & self.mirrored;
        let below = f64::from_bits(exact.to_bits() ^ mirrored);
        let nearest = below as f32;
        let short = if f64::from(nearest) < below { self.up } else { 0 };
        // The next greater number has the pattern plus 1 if the number is positive, and the pattern
        // minus 1 if the number is negative.
        let step = 1 | (nearest.to_bits() as i32 >> 31) as u32;
        let rounded = nearest.to_bits().wrapping_add(step & short);
        let bits = rounded ^ (mirrored >> 32) as u32 ^ self.negated;
        let bits = if exact == 0.0 { bits & self.zero } else { bits };
        let bits = if bits > self.highest { 0 } else { bits };
        let bits = (bits as i32).min(self.largest) as u32;
        let bits = if exact.is_nan() { self.nan } else { bits };
        let is_flushed = self.flushed.0 < exact && exact < self.flushed.1;
        if is_flushed { bits & SIGN } else { bits }
    }
}

/// Returns the bounds between which .FTZ flushes an exact number. Under E173 = 2 the number is
/// first rounded with an unbounded exponent, on a grid that is twice as fine just below the least
/// normal number. C003 = 2 does not round it. Rounding down uses the bounds of rounding up, because
/// the numbers are negated.
fn flushed(round: Round, tiny: Tiny) -> (f64, f64) {
    let least_normal = power_of_two(F32.emin());
    let last = least_normal - power_of_two(F32.grid() - i32::from(tiny == Tiny::Unbounded));
    match round {
        _ if tiny == Tiny::Exact => (-least_normal, least_normal),
        Round::Nearest => {
            let tie = (last + least_normal) / 2.0;
            (-tie, tie)
        }
        Round::Zero => (-least_normal, least_normal),
        _ => (-least_normal, last.next_up()),
    }
}

/// Returns 2^`exponent`, which must be a normal number of f64.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((f64::MAX_EXP - 1 + exponent) as u64) << (f64::MANTISSA_DIGITS - 1))
}

/// An operand in all lanes, with the changes to each value after its prefixes are applied.
struct Column<'a> {
    input: Input<'a>,
    /// The values without prefixes.
    values: Cow<'a, [u32]>,
    /// The mask for a subnormal number.
    subnormal: u32,
    /// A sign bit if the value is negated, else 0.
    negated: u32,
}

impl Column<'_> {
    /// Returns the number for a value of the column.
    #[inline(always)]
    fn number<const PLAIN: bool>(&self, value: u32) -> f64 {
        let bits = self.input.prefixed(value);
        if PLAIN {
            return f64::from(f32::from_bits(bits));
        }
        let bits = if bits & F32.infinity() == 0 { bits & self.subnormal } else { bits };
        f64::from(f32::from_bits(bits ^ self.negated))
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
fn add<const PLAIN: bool>(filter: &Filter, a: &Column, b: &Column, results: &mut [u32]) {
    for ((result, x), y) in results.iter_mut().zip(&*a.values).zip(&*b.values) {
        let sum = odd::sum(a.number::<PLAIN>(*x), b.number::<PLAIN>(*y));
        *result = filter.finish::<PLAIN>(sum);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
fn multiply<const PLAIN: bool>(filter: &Filter, a: &Column, b: &Column, results: &mut [u32]) {
    for ((result, x), y) in results.iter_mut().zip(&*a.values).zip(&*b.values) {
        let product = a.number::<PLAIN>(*x) * filter.scale * b.number::<PLAIN>(*y);
        *result = filter.finish::<PLAIN>(product);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
fn multiply_add<const PLAIN: bool>(filter: &Filter, a: &Column, b: &Column, c: &Column, results: &mut [u32]) {
    for (((result, x), y), z) in results.iter_mut().zip(&*a.values).zip(&*b.values).zip(&*c.values) {
        let product = a.number::<PLAIN>(*x) * b.number::<PLAIN>(*y);
        *result = filter.finish::<PLAIN>(odd::sum(product, c.number::<PLAIN>(*z)));
    }
}
