//! Decides a part as a whole. One bound covers the inaccuracy of the errors of all lanes and, if
//! possible, all truths lie in one binade. This takes fewer operations than deciding lane by lane.
//! Most parts of neighbouring inputs can be decided so. Each decision is that of [`super::part`].
//! If a part is not decided as a whole, [`super::part`] judges its lanes.
//!
//! All extremes and sums are computed with integers, so they do not depend on the order of the
//! lanes. So the lanes can be reduced in vector registers.

use assay_isa::Estimates;
use assay_isa::format::F32;

use super::part::{LEAST_NORMAL, OVERFLOW, PART, VANISHING, magnitude, per_ulp};
use super::{FARTHEST, STEPS, Terms, UNITS};

/// Limit of errors in ulp: below it, the sums over a part are exact.
pub const NEAR: f64 = 64.0;
/// A double whose last place has the value 1. The sum of this number and an integer below 2^51 has
/// the integer in its low bits.
pub const ONES: f64 = 1.5 * (1_u64 << 52) as f64;

/// A part of which all lanes are measured.
#[derive(Debug)]
pub struct WholePart {
    /// The least and the greatest magnitude of the truths.
    pub magnitudes: (f64, f64),
    /// Upper limit of the errors, in ulp.
    pub high: f64,
    /// Upper limit of the negated errors, in ulp.
    pub low: f64,
    /// The sums of the errors.
    pub sums: PartSums,
}

/// The errors of a part in units of 2^-32 ulp, rounded down. Each is stored as the bits of the
/// double error + [`ONES`].
pub type Patterns = [u64; PART];

/// Returns the number of units of a pattern.
#[inline(always)]
pub fn units(pattern: u64) -> i64 {
    pattern.wrapping_sub(ONES.to_bits()) as i64
}

/// The sums of the errors of a part, as integers.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartSums {
    /// The errors in units of 2^-32 ulp, each rounded down and added to [`ONES`].
    errors: u64,
    /// The magnitudes of these rounded errors, each added to [`ONES`].
    magnitudes: u64,
    /// The squares of the errors in units of 2^-16 ulp, each rounded down before it is squared.
    squares: u64,
}

impl PartSums {
    /// Adds the error of a lane in ulp, and returns its pattern. The sums are wrong if any error is
    /// [`NEAR`] or more.
    #[inline(always)]
    pub fn add(&mut self, error: f64) -> u64 {
        let units = (error * UNITS).floor();
        let pattern = (units + ONES).to_bits();
        // The low bits of a pattern are the low bits of the integer.
        let coarse = i64::from((pattern >> 16) as i32);
        self.errors = self.errors.wrapping_add(pattern);
        self.magnitudes = self.magnitudes.wrapping_add((units.abs() + ONES).to_bits());
        self.squares = self.squares.wrapping_add((coarse * coarse) as u64);
        pattern
    }

    /// Returns the sums over all lanes of a part: of the errors, their magnitudes and their
    /// squares.
    #[inline(always)]
    pub fn totals(&self) -> [i64; 3] {
        let ones = (PART as u64).wrapping_mul(ONES.to_bits());
        let [errors, magnitudes] = [self.errors, self.magnitudes].map(|sum| sum.wrapping_sub(ones) as i64);
        [errors, magnitudes, self.squares as i64]
    }
}

/// Maps the bits of a double to an integer that is fast to compare. The integers have the order of
/// the doubles, with NaNs at both ends. The function is its own inverse.
#[inline(always)]
fn ordered(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// The least and the greatest of some numbers, [`ordered`].
#[derive(Clone, Copy)]
struct Extremes(i64, i64);

impl Extremes {
    const NONE: Extremes = Extremes(i64::MAX, i64::MIN);

    #[inline(always)]
    fn add(&mut self, number: f64) {
        let place = ordered(number.to_bits() as i64);
        *self = Extremes(self.0.min(place), self.1.max(place));
    }

    #[inline(always)]
    fn numbers(self) -> (f64, f64) {
        let number = |place: i64| f64::from_bits(ordered(place) as u64);
        (number(self.0), number(self.1))
    }
}

/// Extremes and sums over the lanes of a part.
struct Totals {
    /// The patterns of the least and the greatest magnitude of the truths.
    magnitudes: (u64, u64),
    /// The pattern of the greatest magnitude of the deltas, in ulp of the truths.
    delta: u64,
    /// The least and the greatest error, in ulp.
    errors: Extremes,
    /// The pattern of the least distance of an error from a multiple of an eighth of an ulp, in eighths.
    clear: u64,
    sums: PartSums,
    /// Contains the sign bit if the sign of any result differs from that of its truth.
    differ: u64,
}

/// Judges the [`PART`] lanes from lane `first` on, and stores the patterns of their errors. `None`
/// if there are fewer lanes, or if one doubt for all lanes leaves any lane undecided.
#[inline(always)]
pub fn judge(
    terms: &Terms,
    estimates: &Estimates,
    results: &[u32],
    first: usize,
    patterns: &mut Patterns,
) -> Option<WholePart> {
    let (bases, deltas, results) = lanes(terms, estimates, results, first)?;
    let ends = [0, PART - 1].map(|lane| (bases[lane] + deltas[lane]).abs().to_bits());
    // Truths on both sides of a power of two have different units in the last place.
    let scales = [ends[0], ends[1], ends[0].saturating_sub(1), ends[1].saturating_sub(1)].map(per_ulp);
    if scales.iter().all(|scale| *scale == scales[0]) {
        let totals = Totals::of(bases, deltas, results, patterns, |_, _, _| scales[0]);
        // A truth just below a power of two may have been rounded up to it: its binade is then the one below.
        let (least, greatest) = totals.magnitudes;
        let is_in_binade = [least.saturating_sub(1), greatest].map(per_ulp) == [scales[0]; 2];
        return totals.decide(terms, estimates).filter(|_| is_in_binade);
    }
    Totals::of(bases, deltas, results, patterns, |base, delta, value| per_ulp(magnitude(base, delta, value)))
        .decide(terms, estimates)
}

/// Returns bases, deltas and results of the [`PART`] lanes from lane `first` on. `None` if there
/// are fewer lanes, or if lanes must be judged one by one.
#[inline(always)]
fn lanes<'a>(
    terms: &Terms,
    estimates: &'a Estimates,
    results: &'a [u32],
    first: usize,
) -> Option<(&'a [f64; PART], &'a [f64; PART], &'a [u32; PART])> {
    // If the specification gives the bits of some lanes, a part can rarely be decided as a whole.
    // Random lanes often have such bits.
    if estimates.has_rows || estimates.saturate || terms.ends_at_one {
        return None;
    }
    let (bases, deltas) = (&estimates.bases[first..], &estimates.deltas[first..]);
    Some((bases.first_chunk()?, deltas.first_chunk()?, results[first..].first_chunk()?))
}

/// Whether all lanes of a full part certainly hold without a measured error. Each result must be an
/// infinity whose truth overflows, or each must be a zero whose truth is flushed.
#[inline(always)]
pub fn is_held(terms: &Terms, estimates: &Estimates, results: &[u32], first: usize) -> bool {
    let Some((bases, deltas, results)) = lanes(terms, estimates, results, first) else { return false };
    let result = results[0];
    let is_infinite = result & !F32.sign_mask() == F32.infinity();
    let is_zero = result & !F32.sign_mask() == 0 && estimates.flush;
    if !(is_infinite || is_zero) {
        return false;
    }
    let (mut least, mut most, mut differ) = (u64::MAX, 0, 0);
    for ((base, delta), bits) in bases.iter().zip(deltas).zip(results) {
        let value = base + delta;
        let magnitude = value.abs().to_bits();
        least = least.min(magnitude);
        most = most.max(magnitude);
        differ |= u64::from(bits ^ result) | (value.to_bits() ^ u64::from(result) << 32) & 1 << 63;
    }
    let is_beyond = if is_infinite {
        least >= OVERFLOW.to_bits() && most <= f64::INFINITY.to_bits()
    } else {
        most <= VANISHING.to_bits()
    };
    differ == 0 && is_beyond
}

impl Totals {
    /// Returns the totals of the lanes. `scale` returns the number of ulps in 1, from base, delta
    /// and their sum.
    #[inline(always)]
    fn of(
        bases: &[f64; PART],
        deltas: &[f64; PART],
        results: &[u32; PART],
        patterns: &mut Patterns,
        scale: impl Fn(f64, f64, f64) -> f64,
    ) -> Totals {
        let mut totals = Totals {
            magnitudes: (u64::MAX, 0),
            delta: 0,
            errors: Extremes::NONE,
            clear: u64::MAX,
            sums: PartSums::default(),
            differ: 0,
        };
        for (((base, delta), bits), pattern) in bases.iter().zip(deltas).zip(results).zip(patterns) {
            let result = f64::from(f32::from_bits(*bits));
            let value = base + delta;
            let scale = scale(*base, *delta, value);
            // The scale is a power of two, so these values are bit by bit those that judging the
            // lane alone would give.
            let error = ((result - base) - delta) * scale;
            let eighths = error * STEPS;
            let magnitude = value.abs().to_bits();
            totals.magnitudes.0 = totals.magnitudes.0.min(magnitude);
            totals.magnitudes.1 = totals.magnitudes.1.max(magnitude);
            totals.delta = totals.delta.max((delta.abs() * scale).to_bits());
            totals.errors.add(error);
            totals.clear = totals.clear.min((eighths - eighths.round_ties_even()).abs().to_bits());
            *pattern = totals.sums.add(error);
            totals.differ |= result.to_bits() ^ value.to_bits();
        }
        totals
    }

    /// Returns the decided part, if every lane is certainly measured.
    #[inline(always)]
    fn decide(&self, terms: &Terms, estimates: &Estimates) -> Option<WholePart> {
        let magnitudes = (f64::from_bits(self.magnitudes.0), f64::from_bits(self.magnitudes.1));
        // If the error is below NEAR, the result is more than half of the truth, so the result is
        // not flushed.
        let is_kept = !estimates.flush || magnitudes.0 >= 2.0 * LEAST_NORMAL;
        let (least, greatest) = self.errors.numbers();
        // A NaN may be the least or the greatest, because it may have either sign.
        let is_near = [least, greatest].into_iter().all(|error| error.abs() < NEAR);
        let farthest = if -least > greatest { -least } else { greatest };
        let doubt = estimates.slack * f64::from_bits(self.delta) + farthest * (2.0 * f64::EPSILON);
        let is_within = farthest + doubt <= terms.ulp;
        let is_clear = f64::from_bits(self.clear) > STEPS * doubt;
        let has_signs = self.differ >> 63 == 0;
        (is_kept && is_near && is_within && is_clear && has_signs).then_some(WholePart {
            magnitudes,
            high: greatest + doubt,
            low: doubt - least,
            sums: self.sums,
        })
    }
}

const _: () = assert!(NEAR <= FARTHEST && FARTHEST * UNITS <= (1_u64 << 51) as f64);
const _: () = assert!(NEAR * (1_u64 << 16) as f64 <= (1_u64 << 31) as f64);
