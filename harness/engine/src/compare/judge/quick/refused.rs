//! Finds results that are certainly beyond their bound.
//!
//! Without this module, each wrong result would need a computation in high precision, and a subject
//! may be wrong everywhere. For nearly all wrong results, double precision can decide that they
//! diverge and in which bins their errors are counted.

use assay_isa::Estimates;
use assay_vectors::Metric;

use super::part::{COARSE, LEAST_NORMAL, Lane, OVERFLOW};
use super::records::MeasuredLane;
use super::{CAUTION, FINE_UNITS, JudgedBatch, StandingRecords, UNITS, bin, far_place};
use crate::compare::judge::FARTHEST_UNITS;

/// A lane whose result is beyond its bound.
#[derive(Clone, Copy, Debug)]
pub struct RefusedLane {
    /// The error in whole units of 2^-32 ulp. Its last digits may be wrong.
    pub units: i64,
    /// The bounds of its error and of its distance.
    pub(super) measured: MeasuredLane,
}

impl RefusedLane {
    /// Returns the lane.
    pub fn lane(&self) -> usize {
        self.measured.lane
    }
}

impl JudgedBatch<'_> {
    /// Splits undecided lanes into those whose results are certainly beyond their bound, and the
    /// others.
    pub fn refused(&self, open: Vec<usize>) -> (Vec<RefusedLane>, Vec<usize>) {
        let mut others = open;
        let mut refused = Vec::new();
        // Under .SAT a clamped result is right although its error is beyond the bound.
        if self.terms.bound.is_some() && !self.estimates.saturate {
            others.retain(|lane| match self.refusal(*lane) {
                Some(one) => {
                    refused.push(one);
                    false
                }
                None => true,
            });
        }
        (refused, others)
    }

    /// Returns the refused lanes that may hold a record.
    pub fn refused_records(&self, refused: &[RefusedLane], standing: &StandingRecords) -> Vec<usize> {
        self.leading(refused.iter().map(|one| one.measured).collect(), standing)
    }

    /// Returns the refused lane. `None` unless its result is certainly beyond the bound, and double
    /// precision decides in which bin its error is counted.
    fn refusal(&self, lane: usize) -> Option<RefusedLane> {
        let Estimates { bases, deltas, slack, .. } = self.estimates;
        let (base, delta, bits) = (bases[lane], deltas[lane], self.results[lane]);
        let one = Lane::of(base, delta, *slack, bits);
        if !is_plain(&one) {
            return None;
        }
        let gap = ((one.result - base) - delta).abs();
        let distance = match self.terms.metric {
            Metric::Ulp => (one.error.abs() - one.doubt, one.error.abs() + one.doubt),
            Metric::Absolute => {
                let doubt = slack * delta.abs() + gap * (2.0 * f64::EPSILON);
                (gap - doubt, gap + doubt)
            }
            Metric::Relative => {
                let doubt = slack * delta.abs() + gap * (2.0 * f64::EPSILON) + one.value.abs() * COARSE;
                let share = |distance: f64| distance / one.value.abs();
                (share(gap - doubt) * (1.0 - CAUTION), share(gap + doubt) * (1.0 + CAUTION))
            }
        };
        // A bound may be less than half an ulp. Refused results must be more than half an ulp off,
        // so that none of them is correctly rounded.
        let is_refused = distance.0 > self.terms.refused && one.error.abs() - one.doubt > 0.5;
        let units = |error: f64| ((error * UNITS).floor() as i64).max(-FARTHEST_UNITS);
        let (least, most) = (units(one.error - one.doubt), units(one.error + one.doubt));
        let is_counted = bin(least) == bin(most) && far_place(least) == far_place(most);
        // All distances of 1 or more count as equal.
        let fine = |distance: f64| (distance * FINE_UNITS).floor().min(FINE_UNITS);
        (is_refused && is_counted).then(|| RefusedLane {
            units: units(one.error),
            measured: MeasuredLane {
                lane,
                floor: (least as f64, most as f64),
                distance: (fine(distance.0), fine(distance.1)),
            },
        })
    }
}

/// Whether only the bound decides about a result. The result must have the sign of the truth.
/// Result and truth must lie in the range where neither flushing nor overflow decides.
fn is_plain(lane: &Lane) -> bool {
    let (result, value) = (lane.result.abs(), lane.value.abs());
    let most = OVERFLOW / 2.0;
    // A truth of at least the least normal number is not flushed, so a zero is judged by its error.
    let is_plain = result == 0.0 || (LEAST_NORMAL..most).contains(&result);
    let least_value = LEAST_NORMAL * (1.0 + CAUTION);
    lane.result.is_sign_negative() == lane.value.is_sign_negative()
        && (least_value..most).contains(&value)
        && is_plain
}
