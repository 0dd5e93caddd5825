//! Whole batches, a part at a time: summed up, compiled for each instruction set and chosen at run time.

use assay_isa::Estimates;
use multiversion::multiversion;

use super::part::{OPEN, PART, PartErrors, distance, greatest};
use super::sums::{BINS, ErrorSums, HISTOGRAM_ULPS, far_place};
use super::whole::{self, COARSE_UNITS, NEAR, ONES, PartSums, WholePart};
use super::{FINE_UNITS, STEPS, Terms, UNITS};

/// The most that the measured lanes of a part may be worth, in whole units; less than any number if none was measured.
#[derive(Clone, Copy, Debug)]
pub struct LaneLimits {
    /// The error.
    pub greatest: f64,
    /// The error negated.
    pub least: f64,
    /// The distance, in a metric other than ulp.
    pub distance: f64,
}

impl LaneLimits {
    const NONE: LaneLimits =
        LaneLimits { greatest: f64::NEG_INFINITY, least: f64::NEG_INFINITY, distance: f64::NEG_INFINITY };

    /// What lanes may be worth by their errors in ulp, by these negated, and by their distances.
    #[inline(always)]
    fn of(high: f64, low: f64, distance: f64) -> LaneLimits {
        LaneLimits {
            greatest: (high * UNITS).floor(),
            least: (low * UNITS).ceil(),
            distance: (distance * FINE_UNITS).floor(),
        }
    }

    /// The error's magnitude.
    pub fn magnitude(&self) -> f64 {
        self.greatest.max(self.least)
    }
}

/// The stored results of the parts of a batch. All other results are computed again on demand.
#[derive(Debug, Default)]
pub struct Columns {
    /// The most that a lane of each part may be worth, in whole units.
    pub tops: Vec<LaneLimits>,
    /// The parts that have an undecided lane.
    pub open: Vec<usize>,
}

impl Columns {
    /// Compares results with their truths, and adds up the decisions.
    pub fn judge(&mut self, terms: &Terms, estimates: &Estimates, results: &[u32]) -> ErrorSums {
        self.judge_by::<true>(terms, estimates, results)
    }

    /// The same without parts that are decided as a whole.
    #[cfg(test)]
    pub fn judge_lanes(&mut self, terms: &Terms, estimates: &Estimates, results: &[u32]) -> ErrorSums {
        self.judge_by::<false>(terms, estimates, results)
    }

    fn judge_by<const WHOLE: bool>(
        &mut self,
        terms: &Terms,
        estimates: &Estimates,
        results: &[u32],
    ) -> ErrorSums {
        self.tops.clear();
        self.open.clear();
        let mut sums = ErrorSums::default();
        every::<WHOLE>(terms, estimates, results, self, &mut sums);
        let within = |bins: usize| sums.histogram[BINS / 2 - bins..BINS / 2 + bins].iter().sum::<u64>();
        // An error on the border of a bin is not decided, unless it is 0.
        let ulp = STEPS as usize;
        (sums.correctly_rounded, sums.faithful) = (within(ulp / 2), within(ulp));
        sums.measured = sums.histogram.iter().sum();
        sums.inputs = sums.measured + sums.special;
        sums
    }
}

/// One part, judged again.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn again(terms: &Terms, estimates: &Estimates, results: &[u32], part: usize, judged: &mut PartErrors) {
    judged.judge(terms, estimates, results, part * PART);
    judged.measure(terms, estimates, results, part * PART);
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn every<const WHOLE: bool>(
    terms: &Terms,
    estimates: &Estimates,
    results: &[u32],
    columns: &mut Columns,
    sums: &mut ErrorSums,
) {
    let mut counters: Counters = [[0; BINS]; 4];
    let mut unmeasured = 0;
    let (mut part, mut steps) = (PartErrors::BLANK, [0.0; PART]);
    for first in (0..results.len()).step_by(PART) {
        if WHOLE && let Some((whole, distance)) = decided(terms, estimates, results, first, &mut steps) {
            columns.tops.push(LaneLimits::of(whole.high, whole.low, distance));
            add(whole.sums, sums);
            if whole.high.max(whole.low) >= FAR_FROM {
                // The errors themselves are not kept: they are seldom needed.
                part.judge(terms, estimates, results, first);
                count_far(&part, sums);
            }
            count(&steps, &mut counters);
            continue;
        }
        part.judge(terms, estimates, results, first);
        let most = |part: &PartErrors| {
            let high = greatest(|lane| part.errors[lane] + part.doubts[lane]);
            let low = greatest(|lane| part.doubts[lane] - part.errors[lane]);
            (high, low)
        };
        let (mut high, mut low) = most(&part);
        let distance = part.distance(terms, high.max(low)).unwrap_or_else(|| {
            part.measure(terms, estimates, results, first);
            (high, low) = most(&part);
            greatest(|lane| part.farthest[lane])
        });
        let states: u64 = part.states.iter().sum();
        // The missing lanes of the last part are blank.
        sums.special += states % OPEN - (PART as u64 - PART.min(results.len() - first) as u64);
        if states >= OPEN {
            columns.open.push(first / PART);
        }
        let others = states % OPEN + states / OPEN;
        if others == PART as u64 {
            columns.tops.push(LaneLimits::NONE);
            continue;
        }
        unmeasured += others;
        columns.tops.push(LaneLimits::of(high, low, distance));
        match high.max(low) < NEAR {
            true => sum(&part, sums),
            false => sum_far(&part, sums),
        }
        if high.max(low) >= FAR_FROM {
            count_far(&part, sums);
        }
        for (error, step) in part.errors.iter().zip(&mut steps) {
            *step = (error * STEPS).floor();
        }
        count(&steps, &mut counters);
    }
    for (bin, count) in sums.histogram.iter_mut().enumerate() {
        let place = (bin + BINS / 2) % BINS;
        *count += counters.iter().map(|counter| u64::from(counter[place])).sum::<u64>();
    }
    // Lanes that were not measured stood there with an error of 0.
    sums.histogram[BINS / 2] -= unmeasured;
}

/// A part that is decided as a whole, and the greatest possible distance of its lanes in the metric of the terms.
#[inline(always)]
fn decided(
    terms: &Terms,
    estimates: &Estimates,
    results: &[u32],
    first: usize,
    steps: &mut [f64; PART],
) -> Option<(WholePart, f64)> {
    let whole = whole::judge(terms, estimates, results, first, steps)?;
    let distance = distance(terms, whole.magnitudes, whole.high.max(whole.low))?;
    Some((whole, distance))
}

/// Adds the errors of measured lanes to the sums.
#[inline(always)]
fn sum(part: &PartErrors, sums: &mut ErrorSums) {
    let mut lanes = PartSums::default();
    for error in &part.errors {
        lanes.add(*error);
    }
    add(lanes, sums);
}

#[inline(always)]
fn add(lanes: PartSums, sums: &mut ErrorSums) {
    let [errors, magnitudes, squares] = lanes.totals();
    sums.sum += i128::from(errors);
    sums.sum_magnitude += magnitudes as u128;
    sums.sum_squares += squares as u128;
}

/// The same of errors up to the farthest.
#[cold]
fn sum_far(part: &PartErrors, sums: &mut ErrorSums) {
    for error in &part.errors {
        let units = (error * UNITS).floor() as i128;
        sums.sum += units;
        sums.sum_magnitude += units.unsigned_abs();
        let coarse = (error * COARSE_UNITS).floor() as i128;
        sums.sum_squares += coarse.unsigned_abs().pow(2);
    }
}

/// An error beyond the histogram is at least so many ulp off: below zero it is rounded down to the last one.
const FAR_FROM: f64 = HISTOGRAM_ULPS as f64 - 1.0 / UNITS;

/// Counts the errors beyond the histogram.
#[cold]
fn count_far(part: &PartErrors, sums: &mut ErrorSums) {
    for error in &part.errors {
        if let Some((side, power)) = far_place((error * UNITS).floor() as i64) {
            sums.far[side][power] += 1;
        }
    }
}

/// The count of each bin; negative errors follow the others. Each bin has four counters, because two increments in a
/// row of one counter would wait for each other.
type Counters = [[u32; BINS]; 4];

/// Counts the bins of all lanes, given in eighths of an ulp, rounded down.
#[inline(always)]
fn count(steps: &[f64; PART], counters: &mut Counters) {
    const LEAST: f64 = -((BINS / 2) as f64);
    const MOST: f64 = (BINS / 2 - 1) as f64;
    let mut bins = [0_u64; PART];
    for (step, bin) in steps.iter().zip(&mut bins) {
        let place = if *step > LEAST { *step } else { LEAST };
        let place = if place < MOST { place } else { MOST };
        *bin = (place + ONES).to_bits();
    }
    for four in bins.as_chunks::<4>().0 {
        for (counter, bin) in counters.iter_mut().zip(four) {
            counter[*bin as usize % BINS] += 1;
        }
    }
}

const _: () = assert!(BINS.is_power_of_two());
