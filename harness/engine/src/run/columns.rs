//! Judges a drawn batch of a function of one float by columns. For this, the lanes of a copy of the
//! batch are sorted by argument.

use std::ops::Range;

use assay_isa::format::F32;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{BackendError, Batch, Estimates, Location, asm};
use assay_vectors::{Bound, Contract};

use super::batch_at::BatchAt;
use super::path::{GivenBatch, JudgePath, Progress, Work};
use crate::compare::comparator::{Comparator, pick};
use crate::compare::counts::Counts;
use crate::compare::judge::rules::value;
use crate::run::exhaustive::examine::{BatchExaminer, BatchToExamine, runs};
use crate::stats::accuracy::Accuracy;
use crate::stats::tally::Tally;

/// Minimum number of lanes of a batch that is judged by columns. Before its first estimate, an
/// oracle verifies its estimates. This takes longer than a run of short batches.
const LEAST: usize = 256;

/// Runs batches by columns. Keeps its memory from batch to batch.
#[derive(Default)]
pub(super) struct SortedBatch {
    /// For each lane, its operand in the upper half and its index in the lower half, ascending.
    order: Vec<u64>,
    /// The batch in the order of `order`.
    sorted: Batch,
    /// The lanes that execute, in the order of `order`, by their index in the batch.
    lanes: Vec<usize>,
    /// A batch of the lanes that execute.
    executed: Batch,
    examiner: BatchExaminer,
    values: Vec<u32>,
}

impl SortedBatch {
    /// Judges the lanes that execute, range by range.
    fn examine(
        &mut self,
        comparator: &mut Comparator,
        at: BatchAt<'_>,
        batch: &Batch,
        tally: &mut Tally,
    ) -> Result<(), BackendError> {
        let BatchAt { instruction, contract, first, before, .. } = at;
        let Contract::Bounded { bounds, .. } = contract else { return Ok(()) };
        let SortedBatch { lanes, executed, examiner, .. } = self;
        pick(batch, lanes, executed);
        let idle = (batch.len() - lanes.len()) as u64;
        if idle > 0 {
            tally.count(instruction, Counts { exact: idle, ..Counts::default() });
        }
        let ranges = ranges(&examiner.estimates.arguments, bounds);
        let largest = (0..ranges.len()).max_by_key(|nth| ranges[*nth].len());
        let (function, batch) = (&asm::mnemonic(instruction), &*executed);
        let known = before.and_then(|before| before.accuracy.get(function));
        let index = &|place: usize| first + lanes[place] as u64;
        for (nth, lanes) in ranges.into_iter().enumerate() {
            let checked = (at.check.is_made() && Some(nth) == largest).then_some(at.index);
            let asked =
                BatchToExamine { contract, instruction, function, batch, lanes, known, index, checked };
            let standing = |accuracy: &Accuracy| accuracy.standing_records_beside(known);
            let Some(examined) = examiner.examine(comparator, &asked, standing, tally)? else {
                unreachable!("the arguments of a range ascend and have one sign");
            };
            if at.check.is_counted() {
                tally.canaries.merge(&examined.checks);
            }
        }
        Ok(())
    }

    /// Sorts the lanes of a batch by its only column that is not a predicate. Returns `false`
    /// unless there is exactly one such column. Without such a column, the argument is an
    /// immediate. It is the same for all lanes, so the judge of enclosures measures it only once.
    fn sort(&mut self, batch: &Batch) -> bool {
        let SortedBatch { order, sorted, .. } = self;
        let mut operands = batch.locations().iter().filter(|location| !location.is_predicate());
        let (Some(operand), None) = (operands.next(), operands.next()) else { return false };
        let column = batch.column(*operand).unwrap_or_default();
        order.clear();
        order.extend((0..).zip(column).map(|(lane, bits): (u64, _)| u64::from(*bits) << 32 | lane));
        order.sort_unstable();
        sorted.reset(batch.word(), batch.locations(), batch.len());
        for (index, location) in batch.locations().iter().enumerate() {
            let column = batch.column(*location).unwrap_or_default();
            let lanes = sorted.column_mut(index).iter_mut().zip(&*order);
            lanes.for_each(|(bits, key)| *bits = column[lane_of(*key)]);
        }
        true
    }
}

impl JudgePath for SortedBatch {
    fn judge<'a>(
        &'a mut self,
        comparator: &'a mut Comparator,
        at: BatchAt<'_>,
        GivenBatch { batch, work }: GivenBatch<'a>,
        tally: &mut Tally,
    ) -> Result<Progress<'a>, BackendError> {
        let Work::Copies(copies) = work else { return Ok(Progress::Open(work)) };
        let is_bounded = matches!(at.contract, Contract::Bounded { .. });
        if !is_bounded || batch.len() < LEAST || !self.sort(batch) {
            return Ok(Progress::Open(work));
        }
        let estimates = &mut self.examiner.estimates;
        if !comparator.oracle.estimate(at.instruction, &self.sorted, estimates)? {
            return Ok(Progress::Open(work));
        }
        let Some(location) = estimates.location.filter(|_| !estimates.arguments.is_empty()) else {
            return Ok(Progress::Open(work));
        };
        let others = comparator.answer_copies(batch, copies)?;
        let places = (0..).zip(&self.order).filter(|(place, _)| estimates.executed.contains(*place));
        self.lanes.clear();
        self.lanes.extend(places.map(|(_, key)| lane_of(*key)));
        let is_plain = others.as_ref().is_some_and(Vec::is_empty);
        if !is_plain || !comparator.keep_lanes(location, &self.lanes, &mut self.values) {
            return Ok(Progress::Open(Work::Executed(others)));
        }
        self.examine(comparator, at, batch, tally)?;
        comparator.truths.reset(batch.len());
        comparator.truths.push(nearest(&self.examiner.estimates, location, batch.len()));
        Ok(Progress::Counted(&comparator.truths, &self.sorted))
    }
}

/// Returns the lane of an entry of `order`.
fn lane_of(key: u64) -> usize {
    (key & 0xffff_ffff) as usize
}

/// Returns ranges of lanes. In each range, all arguments have one sign, and certainly the same
/// bound. Arguments equal to an end of an interval form a separate range.
fn ranges(arguments: &[u32], bounds: &[Bound]) -> Vec<Range<usize>> {
    let ends: Vec<f64> = bounds
        .iter()
        .filter_map(|bound| bound.interval.as_ref())
        .flat_map(|interval| interval.ends())
        .collect();
    let place = |argument: u32| {
        let number = value(F32, argument);
        let passed = ends.iter().map(|end| u32::from(number >= *end) + u32::from(number > *end)).sum::<u32>();
        (F32.is_negative(argument), passed)
    };
    // If the operand has an absolute value, the arguments ascend twice: first those of positive
    // operands, then those of negative operands.
    runs(arguments, |a, b| a <= b && place(*a) == place(*b))
}

/// Returns the correctly rounded results of the lanes that execute, as a truth for the classes that
/// coverage counts.
fn nearest(estimates: &Estimates, location: Location, lanes: usize) -> Truth {
    let mut next = 0..estimates.arguments.len();
    let mut result = |lane: usize| {
        if estimates.executed.contains(lane) {
            next.next().map_or(0, |place| nearest_bits(estimates, place))
        } else {
            0
        }
    };
    let values = TruthValues::Bits((0..lanes).map(&mut result).collect());
    Truth { location, values, written: estimates.executed.clone() }
}

/// Returns the correctly rounded result of a truth.
fn nearest_bits(estimates: &Estimates, place: usize) -> u32 {
    let (base, delta) = (estimates.bases[place], estimates.deltas[place]);
    if base.is_nan() {
        return estimates.rows[place];
    }
    let bits = (to_odd(base, delta) as f32).to_bits();
    match bits {
        _ if estimates.saturate && F32.is_negative(bits) => 0,
        _ if estimates.saturate => bits.min(F32.one()),
        _ if estimates.flush && F32.is_subnormal(bits) => bits & F32.sign_mask(),
        _ => bits,
    }
}

/// Returns a sum rounded to odd. The returned double rounds to the same F32 as the exact sum.
/// `base` must be the greater term.
fn to_odd(base: f64, delta: f64) -> f64 {
    let sum = base + delta;
    let rest = delta - (sum - base);
    let bits = sum.to_bits();
    match rest {
        0.0 => sum,
        _ if bits & 1 == 1 => sum,
        _ if (rest > 0.0) == (sum > 0.0) => f64::from_bits(bits + 1),
        _ => f64::from_bits(bits - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_one_sign_and_one_bound() {
        let bounds: Vec<Bound> =
            ["1 ulp on [-1, 1]", "absolute 2^-20 on [-4, 4]"].map(|text| text.parse().expect(text)).into();
        let numbers = [0.0, 0.5, 1.0, 1.0, 1.5, 4.0, 5.0, f32::INFINITY, -0.0, -0.5, -1.0, -2.0, -9.0];
        let arguments = numbers.map(f32::to_bits);
        let found = ranges(&arguments, &bounds);
        assert_eq!(found, [0..2, 2..4, 4..5, 5..6, 6..8, 8..10, 10..11, 11..12, 12..13]);
        assert_eq!(ranges(&arguments, &[]), [0..8, 8..13]);
        assert_eq!(ranges(&[1, 5, 2, 2, 9], &[]), [0..2, 2..5]);
    }

    #[test]
    fn a_sum_is_rounded_once() {
        let half = f64::from(f32::EPSILON) / 2.0;
        let tiny = 2.0_f64.powi(-70);
        for (base, delta, expected) in [
            (1.0, half, 1.0_f32),
            (1.0, half + tiny, 1.0 + f32::EPSILON),
            (1.0, half * (1.0 + f64::EPSILON), 1.0 + f32::EPSILON),
            (1.0, -tiny, 1.0),
            (0.0, 0.75, 0.75),
            (-1.0, -half * (1.0 + f64::EPSILON), -1.0 - f32::EPSILON),
        ] {
            assert_eq!(to_odd(base, delta) as f32, expected, "{base} + {delta}");
        }
    }
}
