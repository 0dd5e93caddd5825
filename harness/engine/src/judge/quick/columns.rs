//! Columns of results held against columns of truths, compiled for each instruction set and chosen at run time.
//!
//! Additions, products and bit operations give the same bits on all of them, and Rust never fuses a product and a sum.

use assay_isa::Estimates;
use assay_isa::format::F32;
use assay_vectors::Metric;
use multiversion::multiversion;

use super::{CAUTION, FARTHEST, STEPS, State, Terms};
use crate::accuracy::{Accuracy, HISTOGRAM_ULPS};

/// How the results of a batch stand to their truths, a value a lane.
#[derive(Debug, Default)]
pub struct Columns {
    /// The errors in ulp of the truth.
    pub errors: Vec<f64>,
    /// The truths, as near as double precision comes.
    pub values: Vec<f64>,
    /// What became of the lanes, as a [`State`].
    pub states: Vec<u32>,
    /// The least and the greatest that the errors of measured lanes may be; of the others NaN.
    pub lows: Vec<f64>,
    /// The greatest.
    pub highs: Vec<f64>,
    /// The least that the distances of measured lanes may be, in a metric other than ulp.
    pub nearest: Vec<f64>,
    /// The greatest.
    pub farthest: Vec<f64>,
    /// The greatest of every 64 lanes: of the errors, of the errors negated, and of the distances.
    pub tops: Vec<[f64; 3]>,
}

/// Lanes that are gone through together: all that is computed of them stays in the nearest cache.
pub const PART: usize = 64;

/// 2^128, beyond which there is only infinity, and a little more.
const OVERFLOW: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0 * (1.0 + CAUTION);
/// The least normal number.
const LEAST_NORMAL: f64 = f32::MIN_POSITIVE as f64;
/// 2^-55
const COARSE: f64 = 1.0 / (1_u64 << 55) as f64;
/// Half of the least subnormal number.
const HALF_UNIT: f64 = LEAST_NORMAL / (1 << 24) as f64;

impl Columns {
    /// Fills in all columns, and sums up. Lanes from `counted` on are there to be compared with.
    pub(super) fn compare(
        &mut self,
        terms: &Terms,
        estimates: &Estimates,
        results: &[u32],
        counted: usize,
    ) -> Accuracy {
        let lanes = results.len();
        for column in [
            &mut self.errors,
            &mut self.values,
            &mut self.lows,
            &mut self.highs,
            &mut self.nearest,
            &mut self.farthest,
        ] {
            column.resize(lanes, 0.0);
        }
        self.states.resize(lanes, 0);
        self.tops.clear();
        let mut accuracy = Accuracy::default();
        every(terms, estimates, results, counted, self, &mut accuracy);
        accuracy.inputs = accuracy.measured + accuracy.special;
        accuracy
    }
}

/// A part of the columns.
struct Lanes<'a> {
    bases: &'a [f64],
    deltas: &'a [f64],
    results: &'a [u32],
    errors: &'a mut [f64],
    values: &'a mut [f64],
    states: &'a mut [u32],
    lows: &'a mut [f64],
    highs: &'a mut [f64],
    nearest: &'a mut [f64],
    farthest: &'a mut [f64],
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn every(
    terms: &Terms,
    estimates: &Estimates,
    results: &[u32],
    counted: usize,
    columns: &mut Columns,
    accuracy: &mut Accuracy,
) {
    let mut counters: Counters = [[0; BINS + 1]; 4];
    let mut first = 0;
    while first < results.len() {
        let here = first..results.len().min(first + PART);
        let mut lanes = Lanes {
            bases: &estimates.bases[here.clone()],
            deltas: &estimates.deltas[here.clone()],
            results: &results[here.clone()],
            errors: &mut columns.errors[here.clone()],
            values: &mut columns.values[here.clone()],
            states: &mut columns.states[here.clone()],
            lows: &mut columns.lows[here.clone()],
            highs: &mut columns.highs[here.clone()],
            nearest: &mut columns.nearest[here.clone()],
            farthest: &mut columns.farthest[here.clone()],
        };
        lanes.compare(estimates.slack, terms.ulp, estimates.saturate);
        let mut farthest = f64::NEG_INFINITY;
        if terms.metric != Metric::Ulp {
            lanes.measure(terms, estimates.slack);
            farthest = greatest(lanes.farthest, 1.0);
        }
        if estimates.has_rows {
            lanes.hold_to_rows(&estimates.rows[here.clone()]);
        }
        if here.end > counted {
            lanes.spare(counted.max(first) - first);
        }
        columns.tops.push([greatest(lanes.highs, 1.0), greatest(lanes.lows, -1.0), farthest]);
        sum(lanes.errors, lanes.states, accuracy, &mut counters);
        first += PART;
    }
    for (bin, count) in accuracy.histogram.iter_mut().enumerate().take(BINS) {
        *count += counters.iter().map(|counter| u64::from(counter[bin])).sum::<u64>();
    }
}

impl Lanes<'_> {
    #[inline(always)]
    fn compare(&mut self, slack: f64, limit: f64, saturate: bool) {
        let truths = self.bases.iter().zip(self.deltas).zip(self.results);
        let lanes = self.errors.iter_mut().zip(self.values.iter_mut()).zip(self.states.iter_mut());
        let ends = self.lows.iter_mut().zip(self.highs.iter_mut());
        for ((((base, delta), bits), ((error, value), state)), (low, high)) in truths.zip(lanes).zip(ends) {
            let lane = compare(*base, *delta, slack, *bits);
            (*error, *value) = (lane.error, lane.value);
            *state = lane.state(*bits, limit, saturate);
            let counts = *state == State::Measured as u32;
            *low = if counts { lane.error - lane.doubt } else { f64::NAN };
            *high = if counts { lane.error + lane.doubt } else { f64::NAN };
        }
    }

    /// Distances in a metric other than ulp, and the lanes that they keep open.
    #[inline(always)]
    fn measure(&mut self, terms: &Terms, slack: f64) {
        let relative = terms.metric == Metric::Relative;
        let truths = self.bases.iter().zip(self.deltas).zip(self.results).zip(self.values.iter());
        let ends = self.lows.iter_mut().zip(self.highs.iter_mut());
        let distances = self.nearest.iter_mut().zip(self.farthest.iter_mut());
        let lanes = truths.zip(self.states.iter_mut()).zip(ends).zip(distances);
        for ((((((base, delta), bits), value), state), (low, high)), (nearest, farthest)) in lanes {
            let gap = ((f64::from(f32::from_bits(*bits)) - base) - delta).abs();
            let magnitude = if relative { value.abs() } else { 1.0 };
            let least = if magnitude < LEAST_NORMAL { LEAST_NORMAL } else { magnitude };
            // The slow path measures relative errors in whole units of 2^-32 ulp, at most 2^-55 of the least number.
            let coarse = if relative { least * COARSE } else { 0.0 };
            let doubt = slack * delta.abs() + gap * (2.0 * f64::EPSILON) + coarse;
            let in_limit = gap + doubt <= terms.distance * magnitude;
            // Half a unit of the subnormal grid is always allowed.
            let in_half = magnitude < LEAST_NORMAL && gap + doubt <= HALF_UNIT * (1.0 - CAUTION);
            let counts = *state == State::Measured as u32;
            let holds = counts && (in_limit | in_half);
            *state = if counts && !holds { State::Open as u32 } else { *state };
            (*low, *high) = if holds { (*low, *high) } else { (f64::NAN, f64::NAN) };
            *nearest = if holds { (gap - doubt) / least } else { f64::NAN };
            *farthest = if holds { (gap + doubt) / least * (1.0 + CAUTION) } else { f64::NAN };
        }
    }

    #[inline(always)]
    fn hold_to_rows(&mut self, rows: &[u32]) {
        for (((base, row), result), state) in
            self.bases.iter().zip(rows).zip(self.results).zip(self.states.iter_mut())
        {
            let held = if row == result { State::Held } else { State::Open } as u32;
            *state = if base.is_nan() { held } else { *state };
        }
    }

    /// Lets lanes from one on not count.
    #[inline(always)]
    fn spare(&mut self, first: usize) {
        self.states[first..].fill(State::Spare as u32);
        for column in [&mut self.lows, &mut self.highs, &mut self.nearest, &mut self.farthest] {
            column[first..].fill(f64::NAN);
        }
    }
}

/// The greatest of the numbers times a sign.
#[inline(always)]
fn greatest(column: &[f64], sign: f64) -> f64 {
    const WIDTH: usize = 8;
    let mut tops = [f64::NEG_INFINITY; WIDTH];
    let (eights, rest) = column.as_chunks::<WIDTH>();
    for eight in eights {
        for place in 0..WIDTH {
            let value = sign * eight[place];
            tops[place] = if value > tops[place] { value } else { tops[place] };
        }
    }
    let rest = rest.iter().map(|value| sign * value);
    tops.into_iter().chain(rest).fold(f64::NEG_INFINITY, |a, b| if b > a { b } else { a })
}

/// A result and its truth.
struct Lane {
    base: f64,
    delta: f64,
    result: f64,
    value: f64,
    /// Pattern of a number in the binade of the truth's magnitude: next to a power of two the sum of base and delta may
    /// have been rounded up to it.
    magnitude: u64,
    error: f64,
    doubt: f64,
}

#[inline(always)]
fn compare(base: f64, delta: f64, slack: f64, bits: u32) -> Lane {
    let result = f64::from(f32::from_bits(bits));
    let value = base + delta;
    let rest = delta - (value - base);
    let nearer = rest != 0.0 && (rest < 0.0) == (value > 0.0);
    let magnitude = value.abs().to_bits().wrapping_sub(u64::from(nearer));
    let field = (magnitude >> 52).max((1023 + F32.emin()) as u64);
    let per_ulp = f64::from_bits((2046 + u64::from(F32.fraction_bits) - field) << 52);
    let error = ((result - base) - delta) * per_ulp;
    let doubt = slack * delta.abs() * per_ulp + error.abs() * (2.0 * f64::EPSILON);
    Lane { base, delta, result, value, magnitude, error, doubt }
}

impl Lane {
    #[inline(always)]
    fn state(&self, bits: u32, limit: f64, saturate: bool) -> u32 {
        let steps = self.error * STEPS;
        let decided = (steps - steps.round_ties_even()).abs() > STEPS * self.doubt;
        let same_sign = u64::from(bits >> 31) == self.value.to_bits() >> 63;
        let allowed = self.error.abs() + self.doubt <= limit;
        let exact = self.delta == 0.0 && self.result == self.base;
        let measured = allowed & (exact | (decided & same_sign));
        let overflows =
            self.value.abs() >= OVERFLOW && bits & !F32.sign_mask() == F32.infinity() && same_sign;
        let state = if measured { State::Measured } else { State::Open } as u32;
        let state = if overflows { State::Held as u32 } else { state };
        if saturate { self.clamped(bits, state) } else { state }
    }

    /// Under .SAT: below zero +0 is right, from one on 1; in between numbers in [+0, 1] are measured.
    #[inline(always)]
    fn clamped(&self, bits: u32, state: u32) -> u32 {
        let unsure = self.base == 0.0 && (self.value - 1.0).abs() <= CAUTION;
        let below = self.value < 0.0;
        let above = !below && self.magnitude >= 1.0_f64.to_bits();
        let held = if below { bits == 0 } else { bits == F32.one() };
        let open = unsure | ((below | above) & !held) | (bits > F32.one());
        match (open, below | above) {
            (true, _) => State::Open as u32,
            (false, true) => State::Held as u32,
            (false, false) => state,
        }
    }
}

/// Errors that a column of 32-bit integers holds in units of 2⁻¹⁶ ulp.
const NEAR: f64 = 64.0;
/// Bins of the histogram.
const BINS: usize = (2 * HISTOGRAM_ULPS) as usize * STEPS as usize;

/// How often each bin occurred, and lanes without one. Four counters for each, for what is counted twice in a row would
/// wait for itself.
type Counters = [[u32; BINS + 1]; 4];

/// Added to a number below 2⁵¹ it leaves the integer in the low bits.
const MAGIC: f64 = 1.5 * (1_u64 << 52) as f64;

/// floor(x · 2^bits) of |x| below 2^(51 - bits).
#[inline(always)]
fn floor(x: f64, bits: u32) -> i64 {
    let scaled = (x * (1_u64 << bits) as f64).floor();
    (scaled + MAGIC).to_bits().wrapping_sub(MAGIC.to_bits()) as i64
}

/// Adds the measured lanes of a part to the sums, and counts those that hold.
#[inline(always)]
fn sum(errors: &[f64], states: &[u32], accuracy: &mut Accuracy, counters: &mut Counters) {
    let (mut measured, mut held, mut rounded, mut faithful, mut far) = (0_u32, 0_u32, 0_u32, 0_u32, 0_u32);
    let (mut sum, mut magnitudes, mut squares) = (0_i64, 0_i64, 0_i64);
    let mut bins = [BINS as u32; PART];
    for ((error, state), bin) in errors.iter().zip(states).zip(&mut bins) {
        let counts = *state == State::Measured as u32;
        let error = if counts { *error } else { 0.0 };
        let near = error.abs() < NEAR;
        measured += u32::from(counts);
        held += u32::from(*state == State::Held as u32);
        rounded += u32::from(counts && error.abs() < 0.5);
        faithful += u32::from(counts && error.abs() < 1.0);
        far += u32::from(!near);
        let units = floor(error, 32);
        sum += units;
        magnitudes += units.abs();
        let coarse = floor(if near { error } else { 0.0 }, 16) as i32;
        squares += i64::from(coarse) * i64::from(coarse);
        let place = (error * STEPS).floor() + (BINS / 2) as f64;
        let place = if place < 0.0 { 0.0 } else { place };
        let place = if place > (BINS - 1) as f64 { (BINS - 1) as f64 } else { place };
        *bin = if counts { (place + MAGIC).to_bits() as u32 } else { BINS as u32 };
    }
    accuracy.measured += u64::from(measured);
    accuracy.special += u64::from(held);
    accuracy.correctly_rounded += u64::from(rounded);
    accuracy.faithful += u64::from(faithful);
    accuracy.sum += i128::from(sum);
    accuracy.sum_magnitude += magnitudes as u128;
    accuracy.sum_squares += squares as u128;
    if far > 0 {
        let lanes = errors.iter().zip(states);
        let beyond = lanes.filter(|(e, s)| **s == State::Measured as u32 && e.abs() >= NEAR);
        let squares = beyond.map(|(error, _)| u128::from(floor(*error, 16).unsigned_abs()).pow(2));
        accuracy.sum_squares += squares.sum::<u128>();
    }
    for four in bins.chunks_exact(4) {
        for (counter, bin) in counters.iter_mut().zip(four) {
            counter[(*bin as usize).min(BINS)] += 1;
        }
    }
}

const _: () = assert!(FARTHEST * (1_u64 << 32) as f64 <= (1_u64 << 51) as f64);
