//! One part of a batch: results compared with their truths, lane by lane, without a branch.
//!
//! Additions, products, quotients and bit operations give the same bits on every instruction set, and Rust never fuses a
//! product and a sum.

use assay_isa::Estimates;
use assay_isa::format::F32;
use assay_vectors::Metric;

use super::{CAUTION, FINE_UNITS, STEPS, Terms};

/// Lanes that are gone through together: all that is computed of them stays in the nearest cache.
pub const PART: usize = 128;

/// A lane holds, and its error is measured.
pub const MEASURED: u64 = 0;
/// It holds, and there is nothing to measure. A sum of states counts these in its low half.
pub const HELD: u64 = 1;
/// It is not decided. A sum of states counts these in its high half.
pub const OPEN: u64 = 1 << 32;

/// How the results of a part stand to their truths, a value a lane.
#[derive(Clone, Copy, Debug)]
pub struct PartErrors {
    /// The errors of measured lanes in ulp of the truth; of the others 0.
    pub errors: [f64; PART],
    /// How far off these may be; of the others 0.
    pub doubts: [f64; PART],
    /// The outcome of the lanes.
    pub states: [u64; PART],
    /// The magnitudes of the truths; NaN if the specification gives the bits of some, but not of all.
    pub magnitudes: [f64; PART],
    /// The least that the distances of measured lanes may be, in a metric other than ulp: see [`PartErrors::measure`].
    pub nearest: [f64; PART],
    /// The greatest; of the other lanes 0.
    pub farthest: [f64; PART],
}

/// What the results of a part are compared with.
struct PartTruths<'a> {
    bases: &'a [f64],
    deltas: &'a [f64],
    rows: &'a [u32],
    results: &'a [u32],
}

impl<'a> PartTruths<'a> {
    #[inline(always)]
    fn of(estimates: &'a Estimates, results: &'a [u32], first: usize) -> PartTruths<'a> {
        let here = first..results.len().min(first + PART);
        PartTruths {
            bases: &estimates.bases[here.clone()],
            deltas: &estimates.deltas[here.clone()],
            rows: &estimates.rows[here.clone()],
            results: &results[here],
        }
    }
}

/// 2^128, beyond which there is only infinity, and a little more.
pub const OVERFLOW: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0 * (1.0 + CAUTION);
/// The least normal number.
pub const LEAST_NORMAL: f64 = f32::MIN_POSITIVE as f64;
/// 2^-55
pub const COARSE: f64 = 1.0 / (1_u64 << 55) as f64;
/// Half of the least subnormal number.
const HALF_UNIT: f64 = LEAST_NORMAL / (1 << 24) as f64;
/// Truths up to this are smaller than the least normal number by more than rounding can change.
pub const VANISHING: f64 = LEAST_NORMAL - 2.0 * HALF_UNIT;

impl PartErrors {
    /// A part before anything is known of it.
    pub const BLANK: PartErrors = PartErrors {
        errors: [0.0; PART],
        doubts: [0.0; PART],
        states: [HELD; PART],
        magnitudes: [0.0; PART],
        nearest: [0.0; PART],
        farthest: [0.0; PART],
    };

    /// Judges the lanes from one on, [`PART`] of them or the remaining ones, by their errors in ulp.
    #[inline(always)]
    pub fn judge(&mut self, terms: &Terms, estimates: &Estimates, results: &[u32], first: usize) {
        let given = PartTruths::of(estimates, results, first);
        if given.results.len() < PART {
            *self = PartErrors::BLANK;
        }
        let rows = given.bases.iter().map(|base| usize::from(base.is_nan())).sum::<usize>();
        if rows == given.bases.len() {
            (self.errors, self.doubts, self.magnitudes) = ([0.0; PART], [0.0; PART], [1.0; PART]);
            return self.hold_to_rows(&given);
        }
        let (slack, limit) = (estimates.slack, terms.ulp);
        let signed = estimates.traits.signed_zeros;
        if estimates.saturate {
            self.compare(&given, slack, |lane| lane.clamped(limit, signed));
        } else if estimates.flush {
            self.compare(&given, slack, |lane| lane.flushed(limit, signed));
        } else {
            self.compare(&given, slack, |lane| if lane.is_decided(limit) { MEASURED } else { OPEN });
            // The other lanes are rare, and have a pass of their own.
            if self.states.iter().sum::<u64>() > 0 {
                self.compare(&given, slack, |lane| lane.state(limit, signed));
            }
        }
        // One maximum a part, for a test of each lane costs as much as its verdict.
        let greatest = |most: u32, bits: &u32| most.max(bits & !F32.sign_mask());
        if terms.ends_at_one && given.results.iter().fold(0, greatest) > F32.one() {
            self.open_beyond_one(&given);
        }
        if rows > 0 {
            self.hold_to_rows(&given);
            // Not all of them have one.
            self.magnitudes = [f64::NAN; PART];
        }
    }

    /// The greatest possible distance of the measured lanes in the metric of the terms, from the greatest error: see [`distance`].
    #[inline(always)]
    pub fn distance(&self, terms: &Terms, most: f64) -> Option<f64> {
        let least = -greatest(|lane| -self.magnitudes[lane]);
        distance(terms, (least, greatest(|lane| self.magnitudes[lane])), most)
    }

    /// Measures the distances of the lanes from one on that were judged, and opens those that may be beyond the limit.
    #[inline(always)]
    pub fn measure(&mut self, terms: &Terms, estimates: &Estimates, results: &[u32], first: usize) {
        let given = PartTruths::of(estimates, results, first);
        match terms.metric {
            Metric::Ulp => {}
            Metric::Absolute => self.distances::<false>(&given, estimates.slack, terms.distance),
            Metric::Relative => self.distances::<true>(&given, estimates.slack, terms.distance),
        }
    }

    /// Marks the measured lanes whose results are greater than 1 as open.
    #[cold]
    fn open_beyond_one(&mut self, given: &PartTruths) {
        for (lane, bits) in given.results.iter().enumerate() {
            if self.states[lane] == MEASURED && bits & !F32.sign_mask() > F32.one() {
                (self.states[lane], self.errors[lane], self.doubts[lane]) = (OPEN, 0.0, 0.0);
            }
        }
    }

    /// Judges the lanes whose bits the specification gives: those without a base.
    #[inline(always)]
    fn hold_to_rows(&mut self, given: &PartTruths) {
        let lanes = given.bases.iter().zip(given.rows).zip(given.results).zip(&mut self.states);
        for (((base, row), result), state) in lanes {
            let held = if row == result { HELD } else { OPEN };
            let mask = if base.is_nan() { u64::MAX } else { 0 };
            *state = held & mask | *state & !mask;
        }
    }

    #[inline(always)]
    fn compare(&mut self, given: &PartTruths, slack: f64, judge: impl Fn(&Lane) -> u64) {
        let truths = given.bases.iter().zip(given.deltas).zip(given.results);
        let lanes = self.errors.iter_mut().zip(&mut self.doubts).zip(&mut self.states);
        let lanes = lanes.zip(&mut self.magnitudes);
        for (((base, delta), bits), (((error, doubt), state), magnitude)) in truths.zip(lanes) {
            let lane = Lane::of(*base, *delta, slack, *bits);
            *magnitude = lane.value.abs();
            *state = judge(&lane);
            let counts = *state == MEASURED;
            *error = if counts { lane.error } else { 0.0 };
            *doubt = if counts { lane.doubt } else { 0.0 };
        }
    }

    #[inline(always)]
    fn distances<const RELATIVE: bool>(&mut self, given: &PartTruths, slack: f64, limit: f64) {
        let truths = given.bases.iter().zip(given.deltas).zip(given.results);
        let lanes = self.errors.iter_mut().zip(&mut self.doubts).zip(&mut self.states);
        let distances = self.nearest.iter_mut().zip(&mut self.farthest);
        for ((((base, delta), bits), ((error, off), state)), (nearest, farthest)) in
            truths.zip(lanes).zip(distances)
        {
            let gap = ((f64::from(f32::from_bits(*bits)) - base) - delta).abs();
            let magnitude = if RELATIVE { (base + delta).abs() } else { 1.0 };
            let least = if magnitude < LEAST_NORMAL { LEAST_NORMAL } else { magnitude };
            // The slow path measures relative errors in whole units of 2^-32 ulp, at most 2^-55 of the least number. Others it
            // rounds down in units of 2^-64, and by one more if the truth is not exact.
            let coarse = if RELATIVE { least * COARSE } else { 1.0 / FINE_UNITS };
            let doubt = slack * delta.abs() + gap * (2.0 * f64::EPSILON) + coarse;
            let in_limit = gap + doubt <= limit * magnitude;
            // Half a unit of the subnormal grid is always allowed.
            let in_half = (magnitude < LEAST_NORMAL) & (gap + doubt <= HALF_UNIT * (1.0 - CAUTION));
            let keeps_open = (*state == MEASURED) & !(in_limit | in_half);
            // Rare writes may be slow.
            *state |= if keeps_open { OPEN } else { MEASURED };
            let counts = *state == MEASURED;
            *error = if counts { *error } else { 0.0 };
            *off = if counts { *off } else { 0.0 };
            let per_least = if RELATIVE { 1.0 / least } else { 1.0 };
            *nearest = (gap - doubt) * per_least * (1.0 - CAUTION);
            *farthest = if counts { (gap + doubt) * per_least * (1.0 + CAUTION) } else { 0.0 };
        }
    }
}

/// The greatest possible distance in the metric of the terms, from the greatest error in ulp and the least and the greatest
/// magnitude of the truths. `None` if it may be beyond the limit, or if no statement holds for all magnitudes together.
#[inline(always)]
pub fn distance(terms: &Terms, (smallest, largest): (f64, f64), most: f64) -> Option<f64> {
    let least = match terms.metric {
        Metric::Ulp => return Some(f64::NEG_INFINITY),
        Metric::Absolute => 1.0,
        Metric::Relative => smallest,
    };
    // Neighbours have nearly one magnitude, so taking the worst of each loses little.
    let distance = (most / per_ulp(largest.to_bits()) / least + COARSE) * (1.0 + CAUTION);
    let is_sure = largest.is_finite() && least >= LEAST_NORMAL && distance <= terms.distance;
    is_sure.then_some(distance)
}

/// Ulps in 1 at a magnitude, given as a pattern.
#[inline(always)]
pub fn per_ulp(magnitude: u64) -> f64 {
    let field = (magnitude >> 52).max((1023 + F32.emin()) as u64);
    f64::from_bits((2046 + u64::from(F32.fraction_bits) - field) << 52)
}

/// The greatest number of a part's lanes.
#[inline(always)]
pub fn greatest(number: impl Fn(usize) -> f64) -> f64 {
    let mut column = [0.0; PART];
    for (lane, value) in column.iter_mut().enumerate() {
        *value = number(lane);
    }
    // Half against half, for a register holds many.
    let mut left = &mut column[..];
    while left.len() > 1 {
        let (low, high) = left.split_at_mut(left.len() / 2);
        for (a, b) in low.iter_mut().zip(high) {
            *a = if *b > *a { *b } else { *a };
        }
        left = low;
    }
    left[0]
}

/// The pattern of a number in the binade of a truth's magnitude, from base, delta and their sum: next to a power of two the sum
/// may have been rounded up to it.
#[inline(always)]
pub fn magnitude(base: f64, delta: f64, value: f64) -> u64 {
    let rest = delta - (value - base);
    // A product of numbers of F32's range and their roundings does not underflow.
    let nearer = rest * value < 0.0;
    let magnitude = value.abs().to_bits();
    if nearer { magnitude - 1 } else { magnitude }
}

/// The error of one result in ulp of its truth; NaN if the result may have been flushed.
pub fn error(estimates: &Estimates, results: &[u32], lane: usize) -> f64 {
    if estimates.flush && results[lane] & !F32.sign_mask() == 0 {
        return f64::NAN;
    }
    Lane::of(estimates.bases[lane], estimates.deltas[lane], estimates.slack, results[lane]).error
}

/// A result and its truth.
pub struct Lane {
    base: f64,
    /// The result.
    pub result: f64,
    /// The truth, to the nearest double.
    pub value: f64,
    /// See [`magnitude`].
    magnitude: u64,
    /// The error in ulp of the truth.
    pub error: f64,
    /// How far off the error may be.
    pub doubt: f64,
}

/// The bit of a number that is its sign.
const SIGN: u64 = 1 << 63;

impl Lane {
    /// A result with its truth: see [`Estimates`].
    #[inline(always)]
    pub fn of(base: f64, delta: f64, slack: f64, bits: u32) -> Lane {
        let result = f64::from(f32::from_bits(bits));
        let value = base + delta;
        let magnitude = magnitude(base, delta, value);
        let per_ulp = per_ulp(magnitude);
        let error = ((result - base) - delta) * per_ulp;
        let doubt = slack * delta.abs() * per_ulp + error.abs() * (2.0 * f64::EPSILON);
        Lane { base, result, value, magnitude, error, doubt }
    }

    /// Whether the error is within the limit, on the truth's side of zero, and lies in a bin for certain. Comparisons are
    /// few, for each costs as much as an operation.
    #[inline(always)]
    fn is_decided(&self, limit: f64) -> bool {
        let steps = self.error * STEPS;
        let clear = (steps - steps.round_ties_even()).abs() - STEPS * self.doubt;
        // Negative where the signs differ.
        let signs = (self.result.to_bits() ^ self.value.to_bits()) & SIGN;
        (f64::from_bits(clear.to_bits() | signs) > 0.0) & (self.most() <= limit)
    }

    /// What the error may be at most.
    #[inline(always)]
    fn most(&self) -> f64 {
        self.error.abs() + self.doubt
    }

    #[inline(always)]
    fn state(&self, limit: f64, signed: bool) -> u64 {
        let signs = (self.result.to_bits() ^ self.value.to_bits()) & SIGN;
        let is_exact = (self.most() == 0.0) & (limit >= 0.0) & (!signed | (signs == 0));
        let is_measured = self.is_decided(limit) | is_exact;
        let overflows = (self.value.abs() >= OVERFLOW) & (self.result == f64::INFINITY.copysign(self.value));
        let state = if is_measured { MEASURED } else { OPEN };
        if overflows { HELD } else { state }
    }

    /// Lanes in which subnormal results become zeros. A zero is right if the truth is smaller than the least normal
    /// number by more than rounding can change. An exact zero has no sign unless zeros are `signed`. Nearer to the
    /// least normal number the bound decides.
    #[inline(always)]
    fn flushed(&self, limit: f64, signed: bool) -> u64 {
        let magnitude = self.value.abs();
        let signs = (self.result.to_bits() ^ self.value.to_bits()) & SIGN;
        let vanishes = (magnitude <= VANISHING) & (signs == 0) | !signed & (magnitude == 0.0);
        let state = if (self.result == 0.0) & vanishes { HELD } else { OPEN };
        if self.result.abs() >= LEAST_NORMAL { self.state(limit, signed) } else { state }
    }

    /// Under .SAT: below zero +0 is right, from one on 1; in between numbers in [+0, 1] are measured.
    #[inline(always)]
    fn clamped(&self, limit: f64, signed: bool) -> u64 {
        let unsure = (self.base == 0.0) & ((self.value - 1.0).abs() <= CAUTION);
        let below = self.value < 0.0;
        let above = !below & (self.magnitude >= 1.0_f64.to_bits());
        let bits = self.result.to_bits();
        let held = if below { bits == 0 } else { bits == 1.0_f64.to_bits() };
        let open = unsure | ((below | above) & !held) | (bits > 1.0_f64.to_bits());
        let state = if below | above { HELD } else { self.state(limit, signed) };
        if open { OPEN } else { state }
    }
}
