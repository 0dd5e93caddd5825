//! Verdicts on whole columns, from truths in double precision.
//!
//! The truth is known to within a proved bound, and so is the error of a result. So the error lies
//! in a known interval. If the interval contains no multiple of an eighth of an ulp, it decides all
//! that a sweep counts: whether the result is correctly rounded or faithful, and its bin of the
//! histogram. If the interval also lies below the contract's limit, the result is within the limit.
//! If the interval lies beyond the limit, the result is refused. All other lanes stay open:
//! [`super::judge`] decides them, from enclosures. That judge also measures the lanes that may hold
//! a record, because a record must be exact to one unit. Both judges give the same results, except
//! for the last digits of the sums of errors.

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
pub use columns::{Columns, is_sampled};
pub use part::{PART, error, per_ulp};
pub use records::{Decision, JudgedBatch, StandingRecord, StandingRecords, WORST};
pub use refused::RefusedLane;
pub use sums::{BINS, ErrorSums, FAR, HISTOGRAM_ULPS, bin, far_place};

/// Number of histogram bins per ulp.
const STEPS: f64 = 8.0;
/// Number of error units per ulp.
const UNITS: f64 = (1_u64 << 32) as f64;
/// Number of distance units per 1, in metrics other than ulp.
const FINE_UNITS: f64 = UNITS * UNITS;
/// Errors of more than this many ulp are left to the slow path, because in units of 2^-32 ulp they
/// do not fit the integers of a column.
const FARTHEST: f64 = (1 << 19) as f64;

/// The contract of a batch, with its limits as floats for the judge of columns. It applies to all
/// lanes.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Index of the contract's bound that applies to all lanes, if one does.
    pub bound: Option<usize>,
    /// The metric of distances. Without a bound, the metric of the contract's last bound.
    pub metric: Metric,
    /// Errors of up to this many ulp are certainly allowed.
    pub ulp: f64,
    /// Distances up to this are certainly allowed, in a metric other than ulp.
    pub distance: f64,
    /// Results at a greater distance than this, in the metric, are certainly refused.
    pub refused: f64,
    /// Whether results of a magnitude above 1 are left to the slow path.
    pub ends_at_one: bool,
}

impl Terms {
    /// Returns the terms of a contract for ascending arguments of one sign. `None` if the contract
    /// demands bits, or if signs differ. If different bounds apply to the arguments, the terms
    /// decide no lane.
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

/// Relative safety margin of a distance. It is far greater than all rounding errors of the
/// computation.
const CAUTION: f64 = 1.0 / (1 << 30) as f64;

/// Returns a limit, truncated to 53 of its 64 bits.
fn number(limit: Limit) -> f64 {
    // Keeps 53 of 64 bits.
    (limit.significand >> 11) as f64 * 2.0_f64.powi(limit.exponent + 11)
}
