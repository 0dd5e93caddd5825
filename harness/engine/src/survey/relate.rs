//! How the results of a slice stand to their neighbours, their mirror images, other binades and the cosine.

use assay_isa::Estimates;
use assay_isa::format::F32;
use assay_isa::truth::Symmetry;

use super::{Pair, Pairs, Relation};
use crate::judge::quick::Columns;

/// The results of neighbouring inputs.
pub struct Neighbours<'a> {
    /// The first input.
    pub first: u32,
    /// The results, that of the input beyond included.
    pub results: &'a [u32],
    /// The truths.
    pub estimates: &'a Estimates,
    /// How the results stand to these.
    pub columns: &'a Columns,
    /// How many inputs count.
    pub counted: usize,
}

/// The relation that a symmetry makes.
pub fn of_symmetry(symmetry: Symmetry) -> Relation {
    match symmetry {
        Symmetry::Even => Relation::Even,
        Symmetry::Odd => Relation::Odd,
    }
}

impl Neighbours<'_> {
    /// Results do not fall where the truth rises, nor rise where it falls.
    pub fn monotonic(&self, pairs: &mut Pairs) {
        let slack = 2.0 * self.estimates.slack;
        let beyond = self.columns.values[1..].iter().zip(&self.results[1..]);
        let pairs_of = self.columns.values.iter().zip(self.results).zip(beyond);
        let judge = |value: f64, result: u32, next_value: f64, next_result: u32| {
            let rise = next_value - value;
            let certain = rise.abs() > slack * (value.abs() + next_value.abs());
            let [a, b] = [result, next_result].map(|bits| f64::from(f32::from_bits(bits)));
            let seen = certain & !a.is_nan() & !b.is_nan();
            (seen, seen & (if rise > 0.0 { b < a } else { b > a }))
        };
        let (mut seen, mut broken) = (0_u64, 0_u64);
        for ((value, result), (next_value, next_result)) in pairs_of.clone() {
            let (is_seen, is_broken) = judge(*value, *result, *next_value, *next_result);
            seen += u64::from(is_seen);
            broken += u64::from(is_broken);
        }
        pairs.seen += seen;
        if broken > 0 {
            for (input, ((value, result), (next_value, next_result))) in (self.first..).zip(pairs_of) {
                if judge(*value, *result, *next_value, *next_result).1 {
                    let (result, partner_result) = (*result, *next_result);
                    let by = steps(result, partner_result);
                    pairs.broken(Pair { input, result, partner: input + 1, partner_result, by });
                }
            }
        }
    }

    /// How much the error changes to the input beyond.
    pub fn border(&self, pairs: &mut Pairs) {
        let last = self.counted - 1;
        let Some(partner_result) = self.results.get(self.counted).copied() else { return };
        let jump = (self.columns.errors[self.counted] - self.columns.errors[last]).abs();
        if jump.is_finite() {
            pairs.seen += 1;
            let input = self.first + last as u32;
            let by = (jump * (1_u64 << 32) as f64) as u64;
            let result = self.results[last];
            pairs.far(Pair { input, result, partner: input + 1, partner_result, by });
        }
    }

    /// f(-x) is ±f(x), given the results for the positive inputs.
    pub fn mirror(&self, symmetry: Symmetry, positive: &[u32], pairs: &mut Pairs) {
        let flip = if symmetry == Symmetry::Odd { F32.sign_mask() } else { 0 };
        self.hold(positive, self.first ^ F32.sign_mask(), pairs, |mine, theirs| {
            (true, mine == theirs ^ flip)
        });
    }

    /// The fraction is that of the inputs from `start` on, whose results are given.
    pub fn binade(&self, start: u32, reference: &[u32], pairs: &mut Pairs) {
        let normal = |bits: u32| (1..255).contains(&F32.exponent_field(bits));
        self.hold(reference, start, pairs, |mine, theirs| {
            let same = (mine ^ theirs) & F32.fraction_mask() == 0;
            (normal(mine) & normal(theirs), same)
        });
    }

    /// Holds each result of a number against another: whether they are compared, and whether they agree.
    fn hold(&self, others: &[u32], start: u32, pairs: &mut Pairs, judge: impl Fn(u32, u32) -> (bool, bool)) {
        let lanes = self.results[..self.counted].iter().zip(others).zip(&self.estimates.bases);
        let (mut seen, mut broken) = (0_u64, 0_u64);
        for ((mine, theirs), base) in lanes.clone() {
            let (compared, agree) = judge(*mine, *theirs);
            let compared = compared & !base.is_nan();
            seen += u64::from(compared);
            broken += u64::from(compared & !agree);
        }
        pairs.seen += seen;
        if broken > 0 {
            for (lane, ((mine, theirs), base)) in (0..).zip(lanes) {
                let (compared, agree) = judge(*mine, *theirs);
                if compared && !agree && !base.is_nan() {
                    let (input, partner) = (self.first + lane, start + lane);
                    let by = steps(mine & !F32.sign_mask(), theirs & !F32.sign_mask()).max(1);
                    pairs.broken(Pair { input, result: *mine, partner, partner_result: *theirs, by });
                }
            }
        }
    }
}

/// How far the sum of the squares of sine and cosine is from 1.
pub fn circle(first: u32, sines: &[u32], cosines: &[u32], pairs: &mut Pairs) {
    let square = |bits: u32| {
        let x = f64::from(f32::from_bits(bits));
        x * x
    };
    let mut seen = 0_u64;
    let mut greatest = 0.0_f64;
    let gap = |sine: u32, cosine: u32| (square(sine) + square(cosine) - 1.0).abs();
    for (sine, cosine) in sines.iter().zip(cosines) {
        let gap = gap(*sine, *cosine);
        seen += u64::from(gap.is_finite());
        greatest = if gap.is_finite() && gap > greatest { gap } else { greatest };
    }
    pairs.seen += seen;
    let by = |gap: f64| (gap * (1_u64 << 52) as f64) as u64;
    if seen > 0 && pairs.farthest.is_none_or(|far| by(greatest) >= far.by) {
        let lane = sines.iter().zip(cosines).position(|(s, c)| gap(*s, *c) == greatest).unwrap_or_default();
        let input = first + lane as u32;
        let (result, partner_result) = (sines[lane], cosines[lane]);
        pairs.far(Pair { input, result, partner: input, partner_result, by: by(greatest) });
    }
}

/// Steps of the format between two results.
fn steps(a: u32, b: u32) -> u64 {
    let place = |bits: u32| {
        let magnitude = i64::from(bits & !F32.sign_mask());
        if F32.is_negative(bits) { -magnitude } else { magnitude }
    };
    place(a).abs_diff(place(b))
}
