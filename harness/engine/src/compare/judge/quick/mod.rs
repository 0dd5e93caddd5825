//! Verdicts on whole columns, from truths in double precision.
//!
//! The truth is known to within a proved bound, and so is the error of a result. If that interval of errors contains no
//! multiple of an eighth of an ulp, all that a sweep counts is decided: whether the result is correctly rounded,
//! whether it is faithful, and the bin of the histogram. If the interval also lies below the contract's limit, the
//! result is within the limit; if the interval lies beyond the limit, the result is refused. All other lanes stay open:
//! [`super::judge`] decides them, from enclosures. It also looks at the lanes that may hold a record, because a record is
//! stored to the last unit. The two judges agree on everything except the last digits of the sums.

mod columns;
mod histogram;
mod part;
mod records;
mod refused;
mod sums;
#[cfg(test)]
mod tests;
mod whole;

use assay_isa::format::F32;
use assay_vectors::{Bound, Contract, Limit, Metric, Range};

use super::rules::value;
pub use columns::Columns;
pub use part::{error, per_ulp};
pub use records::{Decision, JudgedBatch, StandingRecord, StandingRecords, WORST};
pub use refused::RefusedLane;
pub use sums::{BINS, ErrorSums, FAR, HISTOGRAM_ULPS, bin, far_place};

/// Errors are filed by eighths of an ulp.
const STEPS: f64 = 8.0;
/// Units of the errors in an ulp.
const UNITS: f64 = (1_u64 << 32) as f64;
/// Units of the distances in other metrics in 1.
const FINE_UNITS: f64 = UNITS * UNITS;
/// An error from here on is for the slow path: its units no longer fit the integers of a column.
const FARTHEST: f64 = (1 << 19) as f64;

/// What all lanes of a batch are held to.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Which of the contract's bounds holds for all of them, if one does.
    pub bound: Option<usize>,
    /// How distances are measured: by that bound, or by the last.
    pub metric: Metric,
    /// A distance in ulp that is surely allowed.
    pub ulp: f64,
    /// A distance in the metric, if that is another, that is surely allowed.
    pub distance: f64,
    /// A distance in the metric from which on results are surely refused, if their distances are greater.
    pub refused: f64,
    /// Whether only magnitudes up to 1 are surely allowed.
    pub ends_at_one: bool,
}

impl Terms {
    /// The terms of a contract for ascending arguments of one sign. `None` if the contract demands bits, or if signs
    /// differ. If the terms differ between arguments, no lane is decided.
    pub fn of(contract: &Contract, arguments: &[u32]) -> Option<Terms> {
        let Contract::Bounded { bounds, clauses } = contract else { return None };
        let (first, last) = (*arguments.first()?, *arguments.last()?);
        let (a, b) = (value(F32, first), value(F32, last));
        let differ = |bound: &Bound| bound.interval.as_ref().is_some_and(|i| i.divides(a.min(b), a.max(b)));
        if F32.is_negative(first) != F32.is_negative(last) {
            return None;
        }
        if bounds.iter().any(differ) {
            return Some(Terms {
                bound: None,
                metric: Metric::Ulp,
                ulp: -1.0,
                distance: 0.0,
                refused: f64::INFINITY,
                ends_at_one: false,
            });
        }
        let index = bounds.iter().position(|bound| bound.covers(a));
        let Some(bound) = index.map(|index| &bounds[index]) else {
            let metric = bounds.last().map_or(Metric::Ulp, |bound| bound.metric);
            let ends_at_one = clauses.facts.range == Range::Unit;
            let (distance, refused) = (f64::INFINITY, f64::INFINITY);
            return Some(Terms { bound: None, metric, ulp: FARTHEST, distance, refused, ends_at_one });
        };
        // The margin also covers what `number` cuts off.
        let refused = number(bound.limit) * (1.0 + 4.0 * CAUTION);
        let limit = number(bound.limit) * if bound.is_strict { 1.0 - CAUTION } else { 1.0 };
        let (ulp, distance) = match bound.metric {
            Metric::Ulp => (limit.min(FARTHEST), f64::INFINITY),
            Metric::Absolute | Metric::Relative => (FARTHEST, limit * (1.0 - CAUTION)),
        };
        Some(Terms { bound: index, metric: bound.metric, ulp, distance, refused, ends_at_one: false })
    }
}

/// Relative safety margin of a distance: far more than all roundings of its computation.
const CAUTION: f64 = 1.0 / (1 << 30) as f64;

/// A limit, cut off.
fn number(limit: Limit) -> f64 {
    // 53 bits of the 64.
    (limit.significand >> 11) as f64 * 2.0_f64.powi(limit.exponent + 11)
}
