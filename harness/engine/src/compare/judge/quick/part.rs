//! Compares the results of one part of a batch with their truths, lane by lane and without
//! branches.
//!
//! Additions, products, quotients and bit operations give the same bits on every instruction set, and Rust never fuses a
//! product and a sum.

use assay_isa::Estimates;
use assay_isa::format::F32;
use assay_vectors::Metric;

use super::{CAUTION, FINE_UNITS, STEPS, Terms};

/// Number of lanes of a part. All values that are computed for a part fit in the first-level cache.
pub const PART: usize = 128;

/// The state of a lane that holds, with a measured error.
pub const MEASURED: u64 = 0;
/// The state of a lane that holds without a measured error. A sum of states counts such lanes in
/// its low half.
pub const HELD: u64 = 1;
/// The state of a lane that is not decided. A sum of states counts such lanes in its high half.
pub const OPEN: u64 = 1 << 32;

/// The errors and states of a part, one value per lane.
#[derive(Clone, Copy, Debug)]
pub struct PartErrors {
    /// The errors of measured lanes in ulp of the truth; 0 in other lanes.
    pub errors: [f64; PART],
    /// The greatest possible differences between `errors` and the exact errors; 0 in lanes that are
    /// not measured.
    pub doubts: [f64; PART],
    /// The states: [`MEASURED`], [`HELD`] or [`OPEN`].
    pub states: [u64; PART],
    /// The magnitudes of the truths. If the specification gives the bits of some lanes, all are
    /// NaN. If it gives the bits of all lanes, all are 1.
    pub magnitudes: [f64; PART],
    /// Lower bounds of the distances of measured lanes, in a metric other than ulp: see
    /// [`PartErrors::measure`].
    pub nearest: [f64; PART],
    /// Upper bounds of the distances of measured lanes; 0 in other lanes.
    pub farthest: [f64; PART],
}

/// The results of a part and their truths.
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

/// A little more than 2^128. For truths of this magnitude or more, the result is infinity.
pub const OVERFLOW: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0 * (1.0 + CAUTION);
/// The least normal number.
pub const LEAST_NORMAL: f64 = f32::MIN_POSITIVE as f64;
/// 2^-55: a unit of 2^-32 ulp, relative to the least number of a binade.
pub const COARSE: f64 = 1.0 / (1_u64 << 55) as f64;
/// Half of the least subnormal number.
const HALF_UNIT: f64 = LEAST_NORMAL / (1 << 24) as f64;
/// The greatest subnormal number. A truth of at most this magnitude cannot round to a normal
/// number.
pub const VANISHING: f64 = LEAST_NORMAL - 2.0 * HALF_UNIT;

impl PartErrors {
    /// A part before it is judged: all states are [`HELD`], and all numbers are 0.
    pub const BLANK: PartErrors = PartErrors {
        errors: [0.0; PART],
        doubts: [0.0; PART],
        states: [HELD; PART],
        magnitudes: [0.0; PART],
        nearest: [0.0; PART],
        farthest: [0.0; PART],
    };

    /// Judges [`PART`] lanes from lane `first` on, or the remaining lanes, by their errors in ulp.
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
            // Few parts still have open lanes here. Only these parts need the second pass, which
            // decides more cases.
            if self.states.iter().sum::<u64>() > 0 {
                self.compare(&given, slack, |lane| lane.state(limit, signed));
            }
        }
        // Takes one maximum per part, because a comparison in each lane would double the cost.
        let greatest = |most: u32, bits: &u32| most.max(bits & !F32.sign_mask());
        if terms.ends_at_one && given.results.iter().fold(0, greatest) > F32.one() {
            self.open_beyond_one(&given);
        }
        if rows > 0 {
            self.hold_to_rows(&given);
            // Not all lanes have a magnitude.
            self.magnitudes = [f64::NAN; PART];
        }
    }

    /// Returns the greatest possible distance of the measured lanes in the metric of the terms.
    /// `most` is the greatest error in ulp: see [`distance`].
    #[inline(always)]
    pub fn distance(&self, terms: &Terms, most: f64) -> Option<f64> {
        let least = -greatest(|lane| -self.magnitudes[lane]);
        distance(terms, (least, greatest(|lane| self.magnitudes[lane])), most)
    }

    /// Measures the distances of the judged lanes from lane `first` on, in a metric other than ulp.
    /// If the distance of a lane may be beyond the limit, the lane becomes open.
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

    /// Judges the lanes whose result bits the specification gives. The base of such a lane is NaN.
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
            // The slow path measures relative errors in whole units of 2^-32 ulp. Such a unit is at
            // most 2^-55 of the magnitude, or of the least normal number. It rounds other distances
            // down to whole units of 2^-64. If the truth is not exact, they may be one more unit
            // too low.
            let coarse = if RELATIVE { least * COARSE } else { 1.0 / FINE_UNITS };
            let doubt = slack * delta.abs() + gap * (2.0 * f64::EPSILON) + coarse;
            let in_limit = gap + doubt <= limit * magnitude;
            // Half a unit of the subnormal grid is always allowed.
            let in_half = (magnitude < LEAST_NORMAL) & (gap + doubt <= HALF_UNIT * (1.0 - CAUTION));
            let keeps_open = (*state == MEASURED) & !(in_limit | in_half);
            // A lane is rarely marked open, so this write may be slow.
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

/// Returns the greatest possible distance in the metric of the terms. Takes the least and the
/// greatest magnitude of the truths, and the greatest error in ulp. `None` if the distance may be
/// beyond the limit, or if the magnitudes give no limit of the distance. Negative infinity if the
/// metric is ulp.
#[inline(always)]
pub fn distance(terms: &Terms, (smallest, largest): (f64, f64), most: f64) -> Option<f64> {
    let least = match terms.metric {
        Metric::Ulp => return Some(f64::NEG_INFINITY),
        Metric::Absolute => 1.0,
        Metric::Relative => smallest,
    };
    // The magnitudes of neighbours are nearly equal, so the greatest possible distance is hardly
    // greater than the real one.
    let distance = (most / per_ulp(largest.to_bits()) / least + COARSE) * (1.0 + CAUTION);
    let is_sure = largest.is_finite() && least >= LEAST_NORMAL && distance <= terms.distance;
    is_sure.then_some(distance)
}

/// Returns the number of ulps in 1 at a magnitude, which is given as the bits of a double.
#[inline(always)]
pub fn per_ulp(magnitude: u64) -> f64 {
    let field = (magnitude >> 52).max((1023 + F32.emin()) as u64);
    f64::from_bits((2046 + u64::from(F32.fraction_bits) - field) << 52)
}

/// Returns the greatest value of `number` over the lanes of a part.
#[inline(always)]
pub fn greatest(number: impl Fn(usize) -> f64) -> f64 {
    let mut column = [0.0; PART];
    for (lane, value) in column.iter_mut().enumerate() {
        *value = number(lane);
    }
    // Compares one half of the values with the other, because a vector register holds many values.
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

/// Returns the bits of a double in the binade of the exact base + delta. `value` is the rounded
/// sum: it may be a power of two although the exact sum is just below.
#[inline(always)]
pub fn magnitude(base: f64, delta: f64, value: f64) -> u64 {
    let rest = delta - (value - base);
    // `value` is in the range of F32, and `rest` is its rounding error, so their product does not
    // underflow.
    let nearer = rest * value < 0.0;
    let magnitude = value.abs().to_bits();
    if nearer { magnitude - 1 } else { magnitude }
}

/// Returns the error of one result in ulp of its truth. NaN if results are flushed and the result
/// is a zero.
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
    /// The greatest possible difference between `error` and the exact error.
    pub doubt: f64,
}

/// The sign bit of a double.
const SIGN: u64 = 1 << 63;

impl Lane {
    /// Compares a result with its truth: see [`Estimates`].
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

    /// Whether the error is certainly within the limit and in one bin, and the result has the sign
    /// of the truth. Combines the conditions, because each comparison costs as much as an
    /// arithmetic operation.
    #[inline(always)]
    fn is_decided(&self, limit: f64) -> bool {
        let steps = self.error * STEPS;
        let clear = (steps - steps.round_ties_even()).abs() - STEPS * self.doubt;
        // Negative where the signs differ.
        let signs = (self.result.to_bits() ^ self.value.to_bits()) & SIGN;
        (f64::from_bits(clear.to_bits() | signs) > 0.0) & (self.most() <= limit)
    }

    /// Returns the greatest possible magnitude of the error.
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

    /// Returns the state of a lane in which subnormal results become zeros. A zero is right if the
    /// truth cannot round to a normal number. If the truth is zero, its sign counts only if zeros
    /// are `signed`. If the truth may round to the least normal number, the bound decides about a
    /// zero, so the lane stays open.
    #[inline(always)]
    fn flushed(&self, limit: f64, signed: bool) -> u64 {
        let magnitude = self.value.abs();
        let signs = (self.result.to_bits() ^ self.value.to_bits()) & SIGN;
        let vanishes = (magnitude <= VANISHING) & (signs == 0) | !signed & (magnitude == 0.0);
        let state = if (self.result == 0.0) & vanishes { HELD } else { OPEN };
        if self.result.abs() >= LEAST_NORMAL { self.state(limit, signed) } else { state }
    }

    /// Returns the state of a lane under .SAT. The result must be +0 for a truth below 0, and 1 for
    /// a truth of at least 1. For truths from 0 to 1, results in [+0, 1] are measured.
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
