//! Statistics of 16-bit functions: errors by place, and inversions. The results of these functions
//! are judged one by one, by the judge of enclosures.

use std::cmp::Ordering;

use assay_isa::format::Format;
use assay_isa::truth::{Enclosure, TruthValues};
use assay_isa::{Effects, Truths};
use assay_vectors::Contract;

use super::relate::{inversion_if_required, steps};
use super::{ExhaustiveStats, Pair, Pairs, Range, keys};
use crate::compare::judge::{Measured, real, rules};
use crate::stats::extreme::{Extreme, keep_worst};

impl ExhaustiveStats {
    /// Counts measured results that were judged one by one.
    pub(crate) fn count_measured(&mut self, format: Format, measured: &[Measured]) {
        self.undecided += measured.len() as u64;
        for one in measured {
            let (binade, segment) = keys(format, one.argument & format.mask());
            let extreme = Some(Extreme::of(one));
            let correctly_rounded = u64::from(one.error.correctly_rounded);
            let range = Range { measured: 1, correctly_rounded, least: extreme, greatest: extreme };
            self.binades.entry(binade).or_default().merge(&range);
            self.segments.entry(segment).or_default().merge(&range);
        }
        self.worst.extend(measured.iter().map(Extreme::of));
        keep_worst(&mut self.worst);
    }
}

/// Counts the pairs of neighbouring arguments in a batch, and the inversions: pairs whose results
/// move against the truth. If the contract demands monotonic results, an inversion by more steps of
/// the format than it allows fails the run.
pub(crate) fn monotonic(contract: &Contract, truths: &Truths, effects: &Effects, pairs: &mut Pairs) {
    let allowed = inversion_if_required(contract);
    for truth in truths.columns() {
        let TruthValues::Reals { format, packed, arguments, values, .. } = &truth.values else {
            continue;
        };
        // Returns the result of the argument at a place. A lane has `packed` arguments and results.
        let result = |place: usize| {
            let word = effects.value(truth.location, place / packed)?;
            Some(word >> (place % packed * format.width() as usize) & format.mask())
        };
        for place in 0..arguments.len().saturating_sub(*packed) {
            let next = place + packed;
            let (input, partner) = (arguments[place], arguments[next]);
            let truths = [place, next].map(|place| rules::number(&values[place]));
            let ([Some(a), Some(b)], true) = (truths, input + 1 == partner) else { continue };
            let (Some(rise), Some(result), Some(partner_result)) =
                (certain_order(&a, &b), result(place), result(next))
            else {
                continue;
            };
            let [low, high] = [result, partner_result].map(|bits| rules::value(*format, bits));
            let Some(moved) = high.partial_cmp(&low) else { continue };
            pairs.seen += 1;
            // `rise` compares the truths in order, and `moved` the results in reverse. If they are
            // equal, the results move against the truth.
            if moved == rise {
                let by = steps(*format, result, partner_result);
                pairs.broken(Pair { input, result, partner, partner_result, by });
                pairs.refused += u64::from(allowed.is_some_and(|allowed| by > allowed));
            }
        }
    }
}

/// Returns the order of two real numbers, if their enclosures decide it. Returns `None` for equal
/// numbers.
fn certain_order(a: &Enclosure, b: &Enclosure) -> Option<Ordering> {
    let sign = |y: &Enclosure| match (y.significand, y.negative) {
        (0, _) => 0,
        (_, true) => -1,
        (_, false) => 1,
    };
    match (sign(a), sign(b)) {
        (1, 1) => magnitudes(a, b),
        (-1, -1) => magnitudes(b, a),
        (a, b) => Some(a.cmp(&b)).filter(|order| order.is_ne()),
    }
}

/// Returns the order of two nonzero magnitudes, if their enclosures decide it.
fn magnitudes(a: &Enclosure, b: &Enclosure) -> Option<Ordering> {
    let normal = |y: &Enclosure| (real::top(y), y.significand << y.significand.leading_zeros());
    // If two enclosures have the same precision and different leading bits, they share at most one
    // end.
    let order = normal(a).cmp(&normal(b));
    let is_apart = a.significand.leading_zeros() == b.significand.leading_zeros() || a.exact && b.exact;
    Some(order).filter(|order| order.is_ne() && is_apart)
}
