//! Relations between the results of a slice: neighbours, mirror images, other binades, and sine
//! with cosine.

use std::ops::Range;

use assay_isa::Estimates;
use assay_isa::format::{F32, Format};
use assay_isa::truth::Symmetry;
use assay_vectors::{Contract, Relation};
use multiversion::multiversion;

use super::{Conformance, Pair, Pairs};
use crate::compare::judge::quick;

/// The results of neighbouring inputs.
pub struct Neighbours<'a> {
    /// The first input.
    pub first: u32,
    /// Distance of an input from the next one.
    pub step: u32,
    /// The results. They may include the result of the input after the last counted input.
    pub results: &'a [u32],
    /// The true values.
    pub estimates: &'a Estimates,
    /// Number of inputs that count.
    pub counted: usize,
}

/// Counts the lanes for which the specification gives the result bits, and the lanes whose result
/// has these bits.
pub fn rows(estimates: &Estimates, results: &[u32], lanes: Range<usize>) -> Conformance {
    let lane = lanes.clone();
    let (inputs, held) = count_rows(&estimates.bases[lane.clone()], &estimates.rows[lane], &results[lanes]);
    Conformance { inputs, held }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn count_rows(bases: &[f64], rows: &[u32], results: &[u32]) -> (u64, u64) {
    // A slice has fewer than 2^32 lanes.
    let (mut inputs, mut held) = (0_u32, 0_u32);
    for ((base, row), result) in bases.iter().zip(rows).zip(results) {
        inputs += u32::from(base.is_nan());
        held += u32::from(base.is_nan() & (row == result));
    }
    (inputs.into(), held.into())
}

/// The number of checked pairs, and the number of pairs that break the relation.
type Count = (u64, u64);

/// The bits in which the results of two related inputs must agree.
#[derive(Clone, Copy)]
enum Common {
    /// All bits but these.
    AllBut(u32),
    /// The fraction, if both results are normal.
    Fraction,
}

impl Neighbours<'_> {
    /// Checks that results do not fall if the truth rises, nor rise if the truth falls. A violation
    /// is an inversion. If it has more than `allowed` steps of the format, it fails the run.
    pub fn monotonic(&self, allowed: Option<u64>, pairs: &mut Pairs) {
        let (seen, broken) = count_monotonic(self);
        pairs.seen += seen;
        if broken == 0 {
            return;
        }
        for (lane, pair) in self.steps(0).enumerate() {
            if self.moves::<true>(&pair).1 {
                let [(.., result), (.., partner_result)] = pair;
                let input = self.first + lane as u32 * self.step;
                let by = steps(F32, result, partner_result);
                pairs.broken(Pair { input, result, partner: input + self.step, partner_result, by });
                pairs.refused += u64::from(allowed.is_some_and(|allowed| by > allowed));
            }
        }
    }

    /// Returns the truth and result of each input from lane `start` on, together with those of the
    /// next input.
    #[inline(always)]
    fn steps(&self, start: usize) -> impl Iterator<Item = [(f64, u32); 2]> {
        let Estimates { bases, deltas, .. } = self.estimates;
        let (bases, deltas, results) = (&bases[start..], &deltas[start..], &self.results[start..]);
        let lanes = bases.iter().zip(deltas).zip(results);
        let next = bases[1..].iter().zip(&deltas[1..]).zip(&results[1..]);
        lanes.zip(next).map(|pair| {
            let (((base, delta), result), ((next_base, next_delta), next_result)) = pair;
            [(base + delta, *result), (next_base + next_delta, *next_result)]
        })
    }

    /// Returns whether a pair counts, and whether its results move against the truth. A pair counts
    /// if the truth surely changes and no result is NaN. With `NANS` false, the caller guarantees
    /// that no result is NaN.
    #[inline(always)]
    fn moves<const NANS: bool>(
        &self,
        [(value, result), (next_value, next_result)]: &[(f64, u32); 2],
    ) -> (bool, bool) {
        let rise = next_value - value;
        let certain = rise.abs() > 2.0 * self.estimates.slack * (value.abs() + next_value.abs());
        let [a, b] = [result, next_result].map(|bits| f64::from(f32::from_bits(*bits)));
        let seen = certain & !(NANS & (a.is_nan() | b.is_nan()));
        // The product below does not underflow: it is at least a step of the format times a certain
        // change of the truth.
        (seen, certain & ((b - a) * rise < 0.0))
    }

    /// Measures how much the error changes from the last counted input to the next.
    pub fn border(&self, pairs: &mut Pairs) {
        let last = self.counted - 1;
        let Some(partner_result) = self.results.get(self.counted).copied() else { return };
        let error = |lane| quick::error(self.estimates, self.results, lane);
        let jump = (error(self.counted) - error(last)).abs();
        if jump.is_finite() {
            pairs.seen += 1;
            let input = self.first + last as u32;
            let by = (jump * (1_u64 << 32) as f64) as u64;
            let result = self.results[last];
            pairs.far(Pair { input, result, partner: input + 1, partner_result, by });
        }
    }

    /// Checks that f(-x) is ±f(x), given the results for the positive inputs.
    pub fn mirror(&self, symmetry: Symmetry, positive: &[u32], pairs: &mut Pairs) {
        let sign = if symmetry == Symmetry::Odd { F32.sign_mask() } else { 0 };
        self.hold(positive, self.first ^ F32.sign_mask(), pairs, Common::AllBut(sign));
    }

    /// Checks that the results have the fractions of `reference`, the results of the inputs from
    /// `start` on.
    pub fn binade(&self, start: u32, reference: &[u32], pairs: &mut Pairs) {
        self.hold(reference, start, pairs, Common::Fraction);
    }

    /// Compares each result with its partner in `others`. Results whose bits the specification
    /// gives are left out.
    fn hold(&self, others: &[u32], start: u32, pairs: &mut Pairs, common: Common) {
        let (seen, broken) = count_common(self, others, common);
        pairs.seen += seen;
        if broken == 0 {
            return;
        }
        for (lane, (mine, theirs)) in self.results[..self.counted].iter().zip(others).enumerate() {
            let (compared, agree) = common.holds(*mine, *theirs);
            if compared && !agree && !self.estimates.bases[lane].is_nan() {
                let (input, partner) = (self.first + lane as u32, start + lane as u32);
                let by = steps(F32, mine & !F32.sign_mask(), theirs & !F32.sign_mask()).max(1);
                pairs.broken(Pair { input, result: *mine, partner, partner_result: *theirs, by });
            }
        }
    }
}

impl Common {
    /// Returns whether two results can be compared, and whether they agree.
    #[inline(always)]
    fn holds(self, mine: u32, theirs: u32) -> (bool, bool) {
        match self {
            Common::AllBut(flipped) => (true, mine == theirs ^ flipped),
            Common::Fraction => {
                let normal = |bits: u32| {
                    let magnitude = bits & !F32.sign_mask();
                    (magnitude > F32.fraction_mask()) & (magnitude < F32.infinity())
                };
                (normal(mine) & normal(theirs), (mine ^ theirs) & F32.fraction_mask() == 0)
            }
        }
    }
}

/// Number of pairs that are compared together.
const STRIP: usize = 128;

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn count_monotonic(neighbours: &Neighbours) -> Count {
    let mut start = 0;
    while is_monotonic(neighbours, start) {
        start += STRIP;
    }
    let (seen, broken) = count_moves(neighbours, start);
    (start as u64 + seen, broken)
}

/// Whether all truths of a strip of pairs surely move in one direction, and no result moves in the
/// other. May be `false` although this is true, because the test is only a quick one.
#[inline(always)]
fn is_monotonic(neighbours: &Neighbours, start: usize) -> bool {
    let Neighbours { results, estimates, .. } = neighbours;
    let strip = start..start + STRIP + 1;
    let (Some(bases), Some(deltas), Some(results)) =
        (estimates.bases.get(strip.clone()), estimates.deltas.get(strip.clone()), results.get(strip))
    else {
        return false;
    };
    let value = |lane: usize| bases[lane] + deltas[lane];
    let falls = value(STRIP) < value(0);
    // Positive numbers and their bit patterns have the same order. NaN patterns are greater.
    let mirror = u64::from(falls) << 63;
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for lane in 0..STRIP {
        let rise = ((value(lane + 1) - value(lane)).to_bits() ^ mirror) as i64;
        least = least.min(rise);
        most = most.max(rise);
    }
    // If all truths move in one direction, the largest magnitude is at an end of the strip.
    let farthest = value(0).abs().max(value(STRIP).abs());
    let certain = 4.0 * (1.0 + f64::EPSILON) * estimates.slack * farthest;
    if least <= certain.to_bits() as i64 || most > f64::INFINITY.to_bits() as i64 {
        return false;
    }
    let (mut steps, mut ends) = ((i32::MAX, i32::MIN), (u32::MAX, 0));
    for lane in 0..STRIP {
        let step = results[lane + 1].wrapping_sub(results[lane]) as i32;
        steps = (steps.0.min(step), steps.1.max(step));
        ends = (ends.0.min(results[lane]), ends.1.max(results[lane]));
    }
    let ends = (ends.0.min(results[STRIP]), ends.1.max(results[STRIP]));
    // The bit patterns of negative numbers have the reverse order.
    let negative = F32.is_negative(ends.0);
    let are_numbers = negative == F32.is_negative(ends.1) && ends.1 & !F32.sign_mask() <= F32.infinity();
    are_numbers && if falls == negative { steps.0 >= 0 } else { steps.1 <= 0 }
}

/// Counts the pairs from lane `start` on.
#[inline(always)]
fn count_moves(neighbours: &Neighbours, start: usize) -> Count {
    let is_nan = |bits: &u32| u32::from(bits & !F32.sign_mask() > F32.infinity());
    match neighbours.results[start..].iter().map(is_nan).sum::<u32>() {
        0 => count_moves_by::<false>(neighbours, start),
        _ => count_moves_by::<true>(neighbours, start),
    }
}

#[inline(always)]
fn count_moves_by<const NANS: bool>(neighbours: &Neighbours, start: usize) -> Count {
    let (mut seen, mut broken) = (0, 0);
    for pair in neighbours.steps(start) {
        let (is_seen, is_broken) = neighbours.moves::<NANS>(&pair);
        seen += u64::from(is_seen);
        broken += u64::from(is_broken);
    }
    (seen, broken)
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn count_common(neighbours: &Neighbours, others: &[u32], common: Common) -> Count {
    // Each case calls the function separately, so that each compiles to a loop without a branch.
    match (common, neighbours.estimates.has_rows) {
        (Common::AllBut(flipped), false) => {
            count_compared::<false>(neighbours, others, |a, b| Common::AllBut(flipped).holds(a, b))
        }
        (Common::Fraction, false) => {
            count_compared::<false>(neighbours, others, |a, b| Common::Fraction.holds(a, b))
        }
        (_, true) => count_compared::<true>(neighbours, others, |a, b| common.holds(a, b)),
    }
}

#[inline(always)]
fn count_compared<const ROWS: bool>(
    neighbours: &Neighbours,
    others: &[u32],
    holds: impl Fn(u32, u32) -> (bool, bool),
) -> Count {
    let lanes = neighbours.results[..neighbours.counted].iter().zip(others).zip(&neighbours.estimates.bases);
    // A slice has fewer than 2^32 lanes.
    let (mut seen, mut broken) = (0_u32, 0_u32);
    for ((mine, theirs), base) in lanes {
        let (compared, agree) = holds(*mine, *theirs);
        let compared = compared & !(ROWS & base.is_nan());
        seen += u32::from(compared);
        broken += u32::from(compared & !agree);
    }
    (seen.into(), broken.into())
}

/// Measures how far sin² x + cos² x is from 1.
pub fn circle(first: u32, sines: &[u32], cosines: &[u32], pairs: &mut Pairs) {
    let (seen, greatest) = farthest_from_circle(sines, cosines);
    pairs.seen += seen;
    let by = (greatest * (1_u64 << 52) as f64) as u64;
    if seen > 0 && pairs.farthest.is_none_or(|far| by >= far.by) {
        let gaps = sines.iter().zip(cosines).map(|(sine, cosine)| gap(*sine, *cosine));
        let lane = gaps.into_iter().position(|gap| gap == greatest).unwrap_or_default();
        let input = first + lane as u32;
        let (result, partner_result) = (sines[lane], cosines[lane]);
        pairs.far(Pair { input, result, partner: input, partner_result, by });
    }
}

/// Returns |sin² x + cos² x - 1|.
#[inline(always)]
fn gap(sine: u32, cosine: u32) -> f64 {
    let [sine, cosine] = [sine, cosine].map(|bits| f64::from(f32::from_bits(bits)));
    (sine * sine + cosine * cosine - 1.0).abs()
}

/// Returns the number of pairs with a finite gap, and the greatest of these gaps.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn farthest_from_circle(sines: &[u32], cosines: &[u32]) -> (u64, f64) {
    const WIDTH: usize = 8;
    let (mut seen, mut tops) = ([0_u64; WIDTH], [0.0_f64; WIDTH]);
    for (sines, cosines) in sines.chunks(WIDTH).zip(cosines.chunks(WIDTH)) {
        let places = tops.iter_mut().zip(&mut seen).zip(sines.iter().zip(cosines));
        for ((top, seen), (sine, cosine)) in places {
            let gap = gap(*sine, *cosine);
            let finite = gap < f64::INFINITY;
            *seen += u64::from(finite);
            *top = if finite & (gap > *top) { gap } else { *top };
        }
    }
    (seen.iter().sum(), tops.into_iter().fold(0.0, f64::max))
}

/// Returns the number of steps of the format between two results.
pub fn steps(format: Format, a: u32, b: u32) -> u64 {
    let place = |bits: u32| {
        let magnitude = i64::from(bits & !format.sign_mask());
        if format.is_negative(bits) { -magnitude } else { magnitude }
    };
    place(a).abs_diff(place(b))
}

/// Whether a contract demands a relation.
pub fn is_required(contract: &Contract, relation: Relation) -> bool {
    matches!(contract, Contract::Bounded { clauses, .. } if clauses.required().has(relation))
}

/// Returns how many steps of the format results may move against the function. `None` if the
/// contract does not demand monotonic results.
pub fn inversion_if_required(contract: &Contract) -> Option<u64> {
    match contract {
        Contract::Bounded { clauses, .. } if clauses.required().has(Relation::Monotonic) => {
            Some(clauses.inversion.into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
