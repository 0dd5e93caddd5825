//! Whole batches, a part at a time: summed up, compiled for each instruction set and chosen at run time.

use assay_isa::Estimates;
use assay_vectors::Metric;
use multiversion::multiversion;

use super::part::{MEASURED, OPEN, PART, Part};
use super::{FARTHEST, FINE_UNITS, STEPS, Terms, UNITS};
use crate::accuracy::{Accuracy, HISTOGRAM_ULPS};

/// The most that the measured lanes of a part may be worth, in whole units; less than any number if none was measured.
#[derive(Clone, Copy, Debug)]
pub struct Tops {
    /// The error.
    pub greatest: f64,
    /// The error negated.
    pub least: f64,
    /// The distance, in a metric other than ulp.
    pub distance: f64,
}

impl Tops {
    const NONE: Tops =
        Tops { greatest: f64::NEG_INFINITY, least: f64::NEG_INFINITY, distance: f64::NEG_INFINITY };

    /// The error's magnitude.
    pub fn magnitude(&self) -> f64 {
        self.greatest.max(self.least)
    }
}

/// What is kept of the parts of a batch; the rest is computed again where it is asked for.
#[derive(Debug, Default)]
pub struct Columns {
    /// The most that a lane of each part may be worth, in whole units.
    pub tops: Vec<Tops>,
    /// The parts in which a lane is not decided.
    pub open: Vec<usize>,
}

impl Columns {
    /// Compares results with their truths, and sums up what that decides.
    pub fn judge(&mut self, terms: &Terms, estimates: &Estimates, results: &[u32]) -> Accuracy {
        self.tops.clear();
        self.open.clear();
        let mut accuracy = Accuracy::default();
        every(terms, estimates, results, self, &mut accuracy);
        let within = |bins: usize| accuracy.histogram[BINS / 2 - bins..BINS / 2 + bins].iter().sum::<u64>();
        // An error on the border of a bin is not decided, unless it is 0.
        let ulp = STEPS as usize;
        (accuracy.correctly_rounded, accuracy.faithful) = (within(ulp / 2), within(ulp));
        accuracy.measured = accuracy.histogram.iter().sum();
        accuracy.inputs = accuracy.measured + accuracy.special;
        accuracy
    }
}

/// One part, judged again.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn again(terms: &Terms, estimates: &Estimates, results: &[u32], part: usize, judged: &mut Part) {
    judged.judge(terms, estimates, results, part * PART);
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn every(
    terms: &Terms,
    estimates: &Estimates,
    results: &[u32],
    columns: &mut Columns,
    accuracy: &mut Accuracy,
) {
    let mut counters: Counters = [[0; 2 * BINS]; 4];
    let mut part = Part::BLANK;
    for first in (0..results.len()).step_by(PART) {
        part.judge(terms, estimates, results, first);
        let lanes = PART.min(results.len() - first) as u64;
        let states: u64 = part.states.iter().sum();
        // What is missing of the last part is blank.
        accuracy.special += states % OPEN - (PART as u64 - lanes);
        if states >= OPEN {
            columns.open.push(first / PART);
        }
        if states % OPEN + states / OPEN == PART as u64 {
            columns.tops.push(Tops::NONE);
            continue;
        }
        let high = greatest(&part, |lane| part.errors[lane] + part.doubts[lane]);
        let low = greatest(&part, |lane| part.doubts[lane] - part.errors[lane]);
        let distance = match terms.metric {
            Metric::Ulp => f64::NEG_INFINITY,
            Metric::Absolute | Metric::Relative => greatest(&part, |lane| part.farthest[lane]),
        };
        columns.tops.push(Tops {
            greatest: (high * UNITS).floor(),
            least: (low * UNITS).ceil(),
            distance: (distance * FINE_UNITS).floor(),
        });
        match high.max(low) < NEAR {
            true => sum(&part, accuracy),
            false => sum_far(&part, accuracy),
        }
        count(&part, &mut counters);
    }
    for (bin, count) in accuracy.histogram.iter_mut().enumerate() {
        *count += counters.iter().map(|counter| u64::from(counter[bin])).sum::<u64>();
    }
}

/// The greatest number of a measured lane.
#[inline(always)]
fn greatest(part: &Part, number: impl Fn(usize) -> f64) -> f64 {
    let mut column = [0.0; PART];
    for (lane, value) in column.iter_mut().enumerate() {
        *value = if part.states[lane] == MEASURED { number(lane) } else { f64::NEG_INFINITY };
    }
    // As many side by side as the widest registers hold.
    const WIDTH: usize = 8;
    let mut tops = [f64::NEG_INFINITY; WIDTH];
    for eight in column.as_chunks::<WIDTH>().0 {
        for place in 0..WIDTH {
            tops[place] = if eight[place] > tops[place] { eight[place] } else { tops[place] };
        }
    }
    tops.into_iter().fold(f64::NEG_INFINITY, |a, b| if b > a { b } else { a })
}

/// Errors below this, in units of 2⁻¹⁶ ulp, have squares whose sums over a part are exact.
const NEAR: f64 = 64.0;
/// Units of the squares.
const COARSE: f64 = (1_u64 << 16) as f64;

/// An integer below 2⁵¹: added to a number in whose binade the unit is 1, it is left in the low bits.
#[inline(always)]
fn integer(x: f64) -> i64 {
    const ONES: f64 = 1.5 * (1_u64 << 52) as f64;
    (x + ONES).to_bits().wrapping_sub(ONES.to_bits()) as i64
}

/// Adds the errors of measured lanes to the sums.
#[inline(always)]
fn sum(part: &Part, accuracy: &mut Accuracy) {
    let (mut sum, mut magnitudes, mut squares) = (0_i64, 0_i64, 0_i64);
    for (error, state) in part.errors.iter().zip(&part.states) {
        let error = if *state == MEASURED { *error } else { 0.0 };
        let units = (error * UNITS).floor();
        sum += integer(units);
        magnitudes += integer(units.abs());
        let coarse = (error * COARSE).floor();
        squares += integer(coarse * coarse);
    }
    accuracy.sum += i128::from(sum);
    accuracy.sum_magnitude += magnitudes as u128;
    accuracy.sum_squares += squares as u128;
}

/// The same of errors up to the farthest.
#[cold]
fn sum_far(part: &Part, accuracy: &mut Accuracy) {
    let measured = part.errors.iter().zip(part.states).filter(|(_, state)| *state == MEASURED);
    for (error, _) in measured {
        let units = (error * UNITS).floor() as i128;
        accuracy.sum += units;
        accuracy.sum_magnitude += units.unsigned_abs();
        let coarse = (error * COARSE).floor() as i128;
        accuracy.sum_squares += coarse.unsigned_abs().pow(2);
    }
}

/// Bins of the histogram.
const BINS: usize = (2 * HISTOGRAM_ULPS) as usize * STEPS as usize;

/// How often each bin occurred, and from the last bin on lanes without one. Four counters for each, for what is counted
/// twice in a row would wait for itself.
type Counters = [[u32; 2 * BINS]; 4];

/// Counts the bins of measured lanes.
#[inline(always)]
fn count(part: &Part, counters: &mut Counters) {
    let mut bins = [0_i64; PART];
    for ((error, state), bin) in part.errors.iter().zip(&part.states).zip(&mut bins) {
        let place = (error * STEPS).floor() + (BINS / 2) as f64;
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < (BINS - 1) as f64 { place } else { (BINS - 1) as f64 };
        let place = if *state == MEASURED { place } else { BINS as f64 };
        *bin = integer(place);
    }
    for four in bins.as_chunks::<4>().0 {
        for (counter, bin) in counters.iter_mut().zip(four) {
            counter[*bin as usize % (2 * BINS)] += 1;
        }
    }
}

const _: () = assert!(BINS.is_power_of_two() && FARTHEST * UNITS <= (1_u64 << 51) as f64);
