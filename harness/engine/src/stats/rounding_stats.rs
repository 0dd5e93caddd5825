//! Rounding statistics of float sums and products: rounding errors, ties, cancellation, flushing
//! and clamping.
//!
//! They compare the unrounded number of the oracle with the result of the subject. Verdicts are
//! about the bits of results. These statistics show whether a run contained operands that make
//! rounding hard. Computing them costs more than the rest of a run, so only one batch in [`EVERY`]
//! is counted. The report states this share.

use assay_isa::format::F32;
use assay_isa::hints::Operation;
use assay_isa::tables::types::{FPFtz, FPSat};
use assay_isa::truth::{Enclosure, Unrounded};
use assay_isa::{Batch, Instruction, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::comparator::Judged;
use crate::compare::judge::ONE_ULP;
use crate::compare::judge::real::{error, top};
use crate::generate::splitmix::is_taken;
use crate::operands::operand_kinds::OperandKind;

/// One batch in `EVERY` is counted.
pub const EVERY: u64 = 16;

/// Whether a batch is counted.
pub(crate) fn is_counted(batch: u64) -> bool {
    is_taken(batch, EVERY, 1)
}

/// Number of bins for rounding errors: sixteenths of an ulp from -1 to 1.
pub const ERROR_BINS: usize = 32;
/// Number of bins for cancelled bits: one bin for each number of bits, from 0. The last bin also
/// counts all greater numbers.
pub const DEPTHS: usize = 50;
/// Exponent differences are counted in bins of eight, from -`REACH` to `REACH`. The first and the
/// last bin also count all differences beyond.
pub const REACH: i32 = 64;
const DIFFERENCES: usize = (2 * REACH / 8) as usize;

/// Rounding statistics of one function. The rounding mode and flags are part of the function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundingStats {
    /// Number of counted cases: those in which the subject wrote a result.
    pub cases: u64,
    /// Number of cases without a number to round, because of a NaN, an infinite operand or an exact
    /// zero.
    pub special: u64,
    /// Number of results too large for the format, before or after rounding.
    pub overflowed: u64,
    /// Number of unrounded results below the least normal number.
    pub tiny: u64,
    /// Number of unrounded results that the format represents exactly.
    pub representable: u64,
    /// Number of unrounded results halfway between two numbers of the format.
    pub ties: u64,
    /// Number of cases in which `.FTZ` flushed an input.
    pub inputs_flushed: u64,
    /// Number of results that `.FTZ` flushed after rounding.
    pub results_flushed: u64,
    /// Number of results that `.SAT` raised to 0.
    pub raised: u64,
    /// Number of results that `.SAT` lowered to 1.
    pub lowered: u64,
    /// Histogram of the rounding errors of results that were not flushed or clamped and did not
    /// overflow: 32 bins from -1 to 1 ulp.
    pub errors: Vec<u64>,
    /// Number of sums by the number of cancelled leading bits. This is the exponent of the larger
    /// term minus that of the sum. The last bin also counts all greater numbers.
    pub cancelled: Vec<u64>,
    /// Number of sums by exponent difference, in bins of eight: the exponent of the product (or
    /// first term) minus that of the addend.
    pub differences: Vec<u64>,
    /// Number of results by class, in the order of the float classes.
    pub results: Vec<u64>,
}

impl Default for RoundingStats {
    fn default() -> Self {
        RoundingStats {
            cases: 0,
            special: 0,
            overflowed: 0,
            tiny: 0,
            representable: 0,
            ties: 0,
            inputs_flushed: 0,
            results_flushed: 0,
            raised: 0,
            lowered: 0,
            errors: vec![0; ERROR_BINS],
            cancelled: vec![0; DEPTHS],
            differences: vec![0; DIFFERENCES],
            results: vec![0; OperandKind::Float(F32).classes().len()],
        }
    }
}

/// Whether an instruction is a sum or product, so that it has rounding statistics. Under some
/// readings, the oracle has no unrounded numbers for it.
pub fn applies_to(instruction: &Instruction) -> bool {
    instruction.form().optype.hints.operation().is_some()
}

impl RoundingStats {
    /// Adds other statistics of the same function.
    pub fn merge(&mut self, other: &RoundingStats) {
        for (mine, theirs) in [
            (&mut self.cases, other.cases),
            (&mut self.special, other.special),
            (&mut self.overflowed, other.overflowed),
            (&mut self.tiny, other.tiny),
            (&mut self.representable, other.representable),
            (&mut self.ties, other.ties),
            (&mut self.inputs_flushed, other.inputs_flushed),
            (&mut self.results_flushed, other.results_flushed),
            (&mut self.raised, other.raised),
            (&mut self.lowered, other.lowered),
        ] {
            *mine += theirs;
        }
        for (mine, theirs) in [
            (&mut self.errors, &other.errors),
            (&mut self.cancelled, &other.cancelled),
            (&mut self.differences, &other.differences),
            (&mut self.results, &other.results),
        ] {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
    }

    /// Counts a judged batch, given its unrounded numbers.
    pub fn count(
        &mut self,
        instruction: &Instruction,
        judged: Judged<'_>,
        batch: &Batch,
        exact: &[Unrounded],
    ) {
        let Some(output) = instruction.writes().first().copied() else { return };
        let ftz = instruction.modifier("ftz") == Some(FPFtz::FTZ);
        let sat = instruction.modifier("sat") == Some(FPSat::SAT);
        let operands = Operands::of(instruction, batch);
        let operation = instruction.form().optype.hints.operation();
        for (lane, number) in exact.iter().enumerate().take(batch.len()) {
            let Some(result) = judged.effects.value(output, lane) else { continue };
            self.cases += 1;
            self.results[OperandKind::Float(F32).class_of(result)] += 1;
            let mut values = operands.lane(lane);
            let values = &mut values[..operands.count];
            self.inputs_flushed += u64::from(ftz && values.iter().any(|bits| F32.is_subnormal(*bits)));
            values.iter_mut().filter(|bits| ftz && F32.is_subnormal(**bits)).for_each(|bits| *bits = 0);
            match number {
                Unrounded::Special => self.special += 1,
                Unrounded::Number(y) => {
                    self.number(y, result, ftz, sat);
                    if operation != Some(Operation::Product) {
                        self.sum(y, values);
                    }
                }
            }
        }
    }

    fn number(&mut self, y: &Enclosure, result: u32, ftz: bool, sat: bool) {
        let error = error(F32, result & !F32.sign_mask() | if y.negative { F32.sign_mask() } else { 0 }, y);
        let is_tiny = top(y) < F32.emin();
        self.tiny += u64::from(is_tiny);
        if sat && y.negative {
            self.raised += 1;
        } else if sat && top(y) >= 0 {
            self.lowered += u64::from(top(y) > 0 || error.floor != 0 || !error.exact);
        } else if ftz && is_tiny && result & !F32.sign_mask() == 0 {
            self.results_flushed += 1;
        } else if top(y) > F32.bias() || !F32.is_finite(result) {
            self.overflowed += 1;
        } else {
            let bin = error.floor.div_euclid(ONE_ULP / 16) + ERROR_BINS as i64 / 2;
            self.errors[bin.clamp(0, ERROR_BINS as i64 - 1) as usize] += 1;
            self.representable += u64::from(error.exact && error.floor == 0);
            self.ties += u64::from(error.exact && error.floor.unsigned_abs() == ONE_ULP as u64 / 2);
        }
    }

    /// Counts the cancelled bits and the exponent difference of a sum. A sum with a zero term is
    /// left out, because zero has no exponent.
    fn sum(&mut self, y: &Enclosure, values: &[u32]) {
        let first = match values {
            [a, _] => exponent(*a),
            [a, b, _] => product_exponent(*a, *b),
            _ => None,
        };
        let (Some(first), Some(addend)) = (first, values.last().and_then(|bits| exponent(*bits))) else {
            return;
        };
        let lost = (first.max(addend) - top(y)).clamp(0, DEPTHS as i32 - 1);
        self.cancelled[lost as usize] += 1;
        let difference = (first - addend).div_euclid(8) + DIFFERENCES as i32 / 2;
        self.differences[difference.clamp(0, DIFFERENCES as i32 - 1) as usize] += 1;
    }
}

/// The operands of a batch, without prefixes, because signs do not matter here.
struct Operands<'a> {
    columns: [Option<&'a [u32]>; 3],
    literals: [u32; 3],
    count: usize,
}

impl<'a> Operands<'a> {
    fn of(instruction: &Instruction, batch: &'a Batch) -> Operands<'a> {
        let mut operands = Operands { columns: [None; 3], literals: [0; 3], count: 0 };
        for (i, operand) in instruction.inputs().enumerate().take(3) {
            operands.count = i + 1;
            match operand.source {
                Source::Imm(bits) => operands.literals[i] = bits,
                source => operands.columns[i] = source.location().and_then(|l| batch.column(l)),
            }
        }
        operands
    }

    fn lane(&self, lane: usize) -> [u32; 3] {
        std::array::from_fn(|i| self.columns[i].map_or(self.literals[i], |column| column[lane]))
    }
}

/// Returns floor(log2 |x|) of a finite number, or `None` for zero and other values.
fn exponent(bits: u32) -> Option<i32> {
    let magnitude = bits & !F32.sign_mask();
    match F32.exponent_field(bits) {
        _ if magnitude == 0 || !F32.is_finite(bits) => None,
        0 => Some(F32.grid() + 31 - magnitude.leading_zeros() as i32),
        field => Some(field as i32 - F32.bias()),
    }
}

/// Returns the exponent of a product. The product of the significands may carry into the next
/// binade.
fn product_exponent(a: u32, b: u32) -> Option<i32> {
    let significand = |bits: u32, exponent: i32| {
        let shift = exponent.max(F32.emin()) - exponent;
        let hidden = if F32.exponent_field(bits) == 0 { 0 } else { 1u64 << F32.fraction_bits };
        (u64::from(bits & F32.fraction_mask()) | hidden) << shift
    };
    let (x, y) = (exponent(a)?, exponent(b)?);
    let carries = significand(a, x) * significand(b, y) >= 1 << (2 * F32.fraction_bits + 1);
    Some(x + y + i32::from(carries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_products_are_those_of_the_numbers() {
        for (a, b) in [
            (1.5f32, 1.5f32),
            (1.0, 1.0),
            (1.9999999, 1.0000001),
            (f32::from_bits(3), 3.0),
            (f32::from_bits(0x007f_ffff), 1.5),
            (f32::MIN_POSITIVE, f32::MIN_POSITIVE),
            (f32::MAX, -f32::MAX),
        ] {
            let product = (f64::from(a) * f64::from(b)).abs().log2().floor() as i32;
            assert_eq!(product_exponent(a.to_bits(), b.to_bits()), Some(product), "{a} {b}");
        }
        assert_eq!(product_exponent(0, 0x3f80_0000), None);
        assert_eq!(exponent(0x7f80_0000), None);
        assert_eq!(exponent(1), Some(-149));
    }

    #[test]
    fn numbers_are_told_apart() {
        let y = |significand: u128, exponent: i32| {
            let shift = significand.leading_zeros();
            Enclosure {
                negative: false,
                significand: significand << shift,
                exponent: exponent - shift as i32,
                exact: true,
            }
        };
        let mut d = RoundingStats::default();
        d.number(&y(1, 0), 0x3f80_0000, false, false);
        // 1 + 2^-24 is the midpoint of 1 and its neighbour.
        d.number(&y((1 << 24) + 1, -24), 0x3f80_0000, false, false);
        d.number(&y(3, -151), 1, false, false);
        d.number(&y(1, -140), 0, true, false);
        d.number(&y(3, 0), 0x3f80_0000, false, true);
        d.number(&y(1, 128), 0x7f7f_ffff, false, false);
        assert_eq!((d.representable, d.ties, d.tiny), (1, 1, 2));
        assert_eq!((d.results_flushed, d.lowered, d.overflowed), (1, 1, 1));
        assert_eq!(d.errors.iter().sum::<u64>(), 3);
        // The result is 2^-149, a quarter of the least subnormal above 3·2^-151.
        assert_eq!(d.errors[ERROR_BINS / 2 + 4], 1);
        assert_eq!(d.errors[ERROR_BINS / 2 - 8], 1);
        d.sum(&y(1, -20), &[0x3f80_0000, 0x3f80_0000, 0xbf7f_fff0]);
        assert_eq!((d.cancelled[20], d.differences[DIFFERENCES / 2]), (1, 1));
    }

    #[test]
    fn rounding_stats_add_up() {
        let mut a = RoundingStats { cases: 2, ties: 1, ..RoundingStats::default() };
        a.errors[3] = 5;
        let mut b = a.clone();
        b.merge(&a);
        assert_eq!((b.cases, b.ties, b.errors[3]), (4, 2, 10));
    }
}
