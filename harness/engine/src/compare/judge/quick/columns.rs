//! Judges whole batches, one part at a time, and sums the errors. The loops are compiled for
//! several instruction sets, and one version is chosen at run time.

use assay_isa::Estimates;
use multiversion::multiversion;

use super::histogram::Histogram;
use super::part::{MEASURED, OPEN, PART, PartErrors, distance, greatest};
use super::sums::{BINS, ErrorSums, HISTOGRAM_ULPS, far_place};
use super::whole::{self, NEAR, PartSums, Patterns, WholePart, units};
use super::{FINE_UNITS, STEPS, Terms, UNITS};

/// Upper limits of the errors and distances of the measured lanes in one part of a batch. In whole
/// units of 2^-32 ulp and, for distances, of 2^-64. Negative infinity if no lane was measured.
#[derive(Clone, Copy, Debug)]
pub struct LaneLimits {
    /// Limit of the errors.
    pub greatest: f64,
    /// Limit of the negated errors.
    pub least: f64,
    /// Limit of the distances, in a metric other than ulp.
    pub distance: f64,
}

impl LaneLimits {
    const NONE: LaneLimits =
        LaneLimits { greatest: f64::NEG_INFINITY, least: f64::NEG_INFINITY, distance: f64::NEG_INFINITY };

    /// Converts limits to whole units: the limit of the errors and of the negated errors in ulp,
    /// and that of the distances.
    #[inline(always)]
    fn of(high: f64, low: f64, distance: f64) -> LaneLimits {
        LaneLimits {
            greatest: (high * UNITS).floor(),
            least: (low * UNITS).ceil(),
            distance: (distance * FINE_UNITS).floor(),
        }
    }

    /// Returns the limit of the errors' magnitudes.
    pub fn magnitude(&self) -> f64 {
        self.greatest.max(self.least)
    }
}

/// The data that is stored for each part of a judged batch. Everything else is computed again on
/// demand.
#[derive(Debug, Default)]
pub struct Columns {
    /// The limits of each part.
    pub tops: Vec<LaneLimits>,
    /// The indices of the parts that have an undecided lane.
    pub open: Vec<usize>,
    /// An error of each part in whole units of 2^-32 ulp, as far as double precision knows it. NaN
    /// if that lane was not measured.
    pub samples: Vec<f64>,
}

/// Returns the lane of a part whose error is a sample. Of 128 parts in a row, each has another.
fn sampled_lane(part: usize) -> usize {
    (part * 45 + 17) % PART
}

/// Whether the error of a lane of a batch is a sample. One lane of each part is.
pub fn is_sampled(lane: usize) -> bool {
    sampled_lane(lane / PART) == lane % PART
}

impl Columns {
    /// Compares results with their truths, and adds up the decisions.
    pub fn judge(&mut self, terms: &Terms, estimates: &Estimates, results: &[u32]) -> ErrorSums {
        self.judge_by::<true>(terms, estimates, results)
    }

    /// Does what [`Columns::judge`] does, but decides every part lane by lane.
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
        self.samples.clear();
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

/// Judges one part again, and measures its distances.
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
    let mut histogram = Histogram::default();
    let mut unmeasured = 0;
    let (mut part, mut patterns) = (PartErrors::BLANK, [0; PART]);
    for first in (0..results.len()).step_by(PART) {
        if WHOLE && let Some((whole, distance)) = decided(terms, estimates, results, first, &mut patterns) {
            columns.tops.push(LaneLimits::of(whole.high, whole.low, distance));
            columns.samples.push(units(patterns[sampled_lane(first / PART)]) as f64);
            add(whole.sums, sums);
            if whole.high.max(whole.low) >= FAR_FROM {
                count_far(&patterns, sums);
            }
            histogram.count(&patterns, whole.high.max(whole.low));
            continue;
        }
        if WHOLE && whole::is_held(terms, estimates, results, first) {
            columns.tops.push(LaneLimits::NONE);
            columns.samples.push(f64::NAN);
            sums.special += PART as u64;
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
        // The last part may be shorter. Its missing lanes have the state `HELD`, so they are
        // subtracted.
        sums.special += states % OPEN - (PART as u64 - PART.min(results.len() - first) as u64);
        if states >= OPEN {
            columns.open.push(first / PART);
        }
        let others = states % OPEN + states / OPEN;
        let sampled = sampled_lane(first / PART);
        columns.samples.push(match part.states[sampled] {
            MEASURED => (part.errors[sampled] * UNITS).floor(),
            _ => f64::NAN,
        });
        if others == PART as u64 {
            columns.tops.push(LaneLimits::NONE);
            continue;
        }
        unmeasured += others;
        columns.tops.push(LaneLimits::of(high, low, distance));
        let mut lanes = PartSums::default();
        for (error, pattern) in part.errors.iter().zip(&mut patterns) {
            *pattern = lanes.add(*error);
        }
        if high.max(low) < NEAR {
            add(lanes, sums)
        } else {
            add_far(&patterns, sums)
        }
        if high.max(low) >= FAR_FROM {
            count_far(&patterns, sums);
        }
        histogram.count(&patterns, high.max(low));
    }
    sums.histogram = histogram.counts();
    // The histogram counted lanes without a measured error as lanes with an error of 0.
    sums.histogram[BINS / 2] -= unmeasured;
}

/// Decides a part as a whole. Returns the decided part, and the greatest possible distance of its
/// lanes in the metric of the terms.
#[inline(always)]
fn decided(
    terms: &Terms,
    estimates: &Estimates,
    results: &[u32],
    first: usize,
    patterns: &mut Patterns,
) -> Option<(WholePart, f64)> {
    let whole = whole::judge(terms, estimates, results, first, patterns)?;
    let distance = distance(terms, whole.magnitudes, whole.high.max(whole.low))?;
    Some((whole, distance))
}

/// Adds the sums of the measured lanes of a part.
#[inline(always)]
fn add(lanes: PartSums, sums: &mut ErrorSums) {
    let [errors, magnitudes, squares] = lanes.totals();
    sums.sum += i128::from(errors);
    sums.sum_magnitude += magnitudes as u128;
    sums.sum_squares += squares as u128;
}

/// Adds the errors of a part. Errors may be `NEAR` ulp or more.
#[cold]
fn add_far(patterns: &Patterns, sums: &mut ErrorSums) {
    for pattern in patterns {
        let units = units(*pattern);
        sums.sum += i128::from(units);
        sums.sum_magnitude += u128::from(units.unsigned_abs());
        sums.sum_squares += u128::from((units >> 16).unsigned_abs()).pow(2);
    }
}

/// The least magnitude in ulp of an error that may be beyond the histogram. It is a unit less than
/// the histogram's range, because a negative error is rounded down and may reach the end of the
/// range.
const FAR_FROM: f64 = HISTOGRAM_ULPS as f64 - 1.0 / UNITS;

/// Counts the errors beyond the histogram.
#[cold]
fn count_far(patterns: &Patterns, sums: &mut ErrorSums) {
    for pattern in patterns {
        if let Some((side, power)) = far_place(units(*pattern)) {
            sums.far[side][power] += 1;
        }
    }
}
