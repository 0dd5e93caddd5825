//! Compares the errors of a run with those of an earlier run. A function must not become less
//! accurate.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stats::accuracy::{Accuracy, NO_BOUND};
use crate::stats::tally::Tally;

/// The greatest errors of an earlier run, by function. A later run must not exceed them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Baseline(BTreeMap<String, Vec<BaselineError>>);

/// A greatest error of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineError {
    /// The metric of the distance: `ulp`, `absolute` or `relative`.
    pub metric: String,
    /// The bound of the distance. Absent for the greatest error in ulp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<String>,
    /// The distance. The unit is 2^-32 ulp for the metric `ulp`, and 2^-64 for the other metrics.
    pub distance: u64,
}

/// The comparison of a run's errors with those of an earlier run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Functions whose errors were compared.
    pub compared: Vec<String>,
    /// Functions with measured errors in this run, but not in the earlier run.
    pub missing: Vec<String>,
    /// The errors that grew.
    pub exceeded: Vec<Excess>,
}

/// An error that is greater than in the earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct Excess {
    /// The function.
    pub function: String,
    /// The metric of the distance: `ulp`, `absolute` or `relative`.
    pub metric: String,
    /// The bound of the distance; absent for the greatest error in ulp.
    pub bound: Option<String>,
    /// The greatest distance of the earlier run. The unit is 2^-32 ulp for the metric `ulp`, and
    /// 2^-64 for the other metrics.
    pub before: u64,
    /// The greatest distance of this run, in the same units.
    pub now: u64,
    /// Bits of the input with this distance.
    pub input: u32,
}

impl Baseline {
    /// Returns the greatest errors of a run.
    pub fn of(earlier: &Tally) -> Baseline {
        let errors = |accuracy| {
            let each = distances(accuracy).into_iter();
            each.map(|((metric, bound), (distance, _))| BaselineError { metric, bound, distance }).collect()
        };
        Baseline(measured(earlier).map(|(name, accuracy)| (name.clone(), errors(accuracy))).collect())
    }

    /// Compares the errors of a run with this baseline. Neither the greatest error in ulp nor the
    /// distance under a bound in another metric may grow.
    pub fn compare(&self, run: &Tally) -> Comparison {
        let mut comparison = Comparison::default();
        for (function, now) in measured(run) {
            match self.0.get(function) {
                None => comparison.missing.push(function.clone()),
                Some(before) => {
                    comparison.compared.push(function.clone());
                    comparison.exceeded.extend(grown(function, before, now));
                }
            }
        }
        comparison
    }
}

fn measured(tally: &Tally) -> impl Iterator<Item = (&String, &Accuracy)> {
    tally.accuracy.iter().filter(|(_, accuracy)| accuracy.measured > 0)
}

/// For each metric and bound: the greatest distance, and the input with that distance.
type Distances = BTreeMap<(String, Option<String>), (u64, u32)>;

fn distances(accuracy: &Accuracy) -> Distances {
    let worst = accuracy.worst().map(|e| (("ulp".to_owned(), None), (e.error.unsigned_abs(), e.input)));
    let bounds = accuracy.bounds.iter().filter(|(bound, usage)| *bound != NO_BOUND && usage.metric != "ulp");
    let farthest = bounds.filter_map(|(bound, usage)| {
        let far = usage.farthest?;
        Some(((usage.metric.clone(), Some(bound.clone())), (far.distance, far.input)))
    });
    worst.into_iter().chain(farthest).collect()
}

/// Returns the distances that grew since the earlier run, for one function.
fn grown(function: &str, before: &[BaselineError], now: &Accuracy) -> Vec<Excess> {
    let grown = distances(now).into_iter().filter_map(|((metric, bound), (now, input))| {
        let before = before.iter().find(|error| (&error.metric, &error.bound) == (&metric, &bound))?.distance;
        (now > before).then(|| Excess { function: function.to_owned(), metric, bound, before, now, input })
    });
    grown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::accuracy::{Extreme, Farthest, Usage};

    fn tally(error: i64, distance: u64) -> Tally {
        let extreme = Some(Extreme { error, input: 7, result: 0 });
        let farthest = Some(Farthest { distance, input: 9, result: 0 });
        let usage = Usage { metric: "absolute".into(), measured: 1, refused: 0, farthest };
        let bounds = [("absolute 2^-20".to_owned(), usage.clone()), (NO_BOUND.to_owned(), usage)].into();
        let accuracy =
            Accuracy { measured: 1, least: extreme, greatest: extreme, bounds, ..Accuracy::default() };
        Tally { accuracy: [("MUFU.SIN.F32".to_owned(), accuracy)].into(), ..Tally::default() }
    }

    #[test]
    fn an_error_that_grew_is_told_and_one_that_did_not_is_none() {
        let excess = |metric: &str, bound: Option<&str>, before, now, input| Excess {
            function: "MUFU.SIN.F32".into(),
            metric: metric.into(),
            bound: bound.map(str::to_owned),
            before,
            now,
            input,
        };
        let table = [
            ((-5, 3), (-5, 3), vec![]),
            ((-5, 3), (4, 2), vec![]),
            ((-5, 3), (6, 3), vec![excess("ulp", None, 5, 6, 7)]),
            ((5, 3), (-6, 3), vec![excess("ulp", None, 5, 6, 7)]),
            ((5, 3), (5, 4), vec![excess("absolute", Some("absolute 2^-20"), 3, 4, 9)]),
        ];
        for (before, now, expected) in table {
            let comparison = Baseline::of(&tally(before.0, before.1)).compare(&tally(now.0, now.1));
            assert_eq!(comparison.compared, ["MUFU.SIN.F32"]);
            assert_eq!(comparison.exceeded, expected, "{before:?} {now:?}");
        }
    }

    #[test]
    fn what_one_run_alone_measured_is_not_compared() {
        let comparison = Baseline::of(&Tally::default()).compare(&tally(1, 1));
        assert_eq!(comparison.missing, ["MUFU.SIN.F32"]);
        assert!(comparison.compared.is_empty());
        assert_eq!(Baseline::of(&tally(1, 1)).compare(&Tally::default()), Comparison::default());
    }
}
