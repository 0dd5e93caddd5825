//! The most extreme errors of a function, and the rules for which errors are kept.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::judge::Measured;
use crate::compare::judge::quick::{StandingRecord, WORST};

/// An extreme error with its input and result. Among equal errors, the smallest input and then the
/// smallest result is kept. So the order in which lanes are counted does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extreme {
    /// The error in units of 2^-32 ulp, rounded down.
    pub error: i64,
    /// Bits of the input.
    pub input: u32,
    /// Bits of the result.
    pub result: u32,
}

impl Extreme {
    /// Returns the error of a measured result.
    pub fn of(measured: &Measured) -> Extreme {
        Extreme { error: measured.error.floor, input: measured.argument, result: measured.result }
    }

    /// Returns an extreme as the record that a new error must exceed, in units of 2^-32 ulp.
    /// `negated` changes the sign, for the least error.
    pub(crate) fn standing_record(best: Option<Extreme>, negated: bool) -> StandingRecord {
        best.map_or(StandingRecord::NONE, |e| {
            let units = e.error as f64;
            StandingRecord { units: if negated { -units } else { units }, input: e.input }
        })
    }
}

/// Returns the lesser of two errors. Of equal errors, returns the one with the smaller input, then
/// the smaller result.
pub fn lesser(a: Option<Extreme>, b: Option<Extreme>) -> Option<Extreme> {
    a.into_iter().chain(b).min_by_key(|e| (e.error, e.input, e.result))
}

/// Returns the greater of two errors. Of equal errors, returns the one with the smaller input, then
/// the smaller result.
pub fn greater(a: Option<Extreme>, b: Option<Extreme>) -> Option<Extreme> {
    a.into_iter().chain(b).max_by_key(|e| (e.error, Reverse(e.input), Reverse(e.result)))
}

/// Keeps the [`WORST`] errors of largest magnitude. Of errors with equal magnitude, it keeps only
/// the one with the smallest input. Otherwise the list would be filled with mirror images of one
/// argument, or with its fraction in other binades.
pub(crate) fn keep_worst(list: &mut Vec<Extreme>) {
    list.sort_by_key(|e| (Reverse(e.error.unsigned_abs()), e.input, e.result));
    list.dedup_by_key(|e| e.error.unsigned_abs());
    list.truncate(WORST);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_have_distinct_errors() {
        let extreme = |error, input| Extreme { error, input, result: 0 };
        let mut list = vec![extreme(-5, 2), extreme(5, 9), extreme(7, 4), extreme(-5, 1), extreme(0, 3)];
        keep_worst(&mut list);
        assert_eq!(list, [extreme(7, 4), extreme(-5, 1), extreme(0, 3)]);
    }

    #[test]
    fn an_extreme_is_a_bar_in_its_units() {
        let extreme = Extreme { error: -7, input: 3, result: 0 };
        assert_eq!(Extreme::standing_record(Some(extreme), false), StandingRecord { units: -7.0, input: 3 });
        assert_eq!(Extreme::standing_record(Some(extreme), true), StandingRecord { units: 7.0, input: 3 });
        assert_eq!(Extreme::standing_record(None, true), StandingRecord::NONE);
    }
}
