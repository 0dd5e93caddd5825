//! Compares the figures of a nightly run with those of an earlier run: coverage, errors and speed.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::facts::{Covered, StageFacts};

/// The changes since another nightly run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NightlyChange {
    /// Number of the other run.
    pub night: u32,
    /// Start time of the other run.
    pub began: String,
    /// Coverage by stage, before and now.
    pub coverage: BTreeMap<String, [Covered; 2]>,
    /// The largest error in ulp by stage and function, before and now. Only for functions with the
    /// same number of inputs in both runs.
    pub max_ulp: BTreeMap<String, [f64; 2]>,
    /// For errors that the other run did not measure: the number of the earlier run that measured
    /// them, by stage and function.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measured_in: BTreeMap<String, u32>,
    /// The mean error magnitude in ulp by stage and function, before and now. Only for functions
    /// with the same number of inputs in both runs.
    pub mean_ulp: BTreeMap<String, [f64; 2]>,
    /// Cases per second by stage, before and now.
    pub rates: BTreeMap<String, [f64; 2]>,
}

/// An earlier nightly run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Number of the run.
    pub night: u32,
    /// Exit status of the run.
    pub status: u8,
    /// Number of signatures that occurred in the run.
    pub failing: u64,
    /// Cases per second by stage.
    pub rates: BTreeMap<String, f64>,
}

impl NightlyChange {
    /// Returns the changes of the figures of some stages since run `night`, which began at `began`.
    pub(crate) fn between(
        (night, began): (u32, &str),
        before: &[StageFacts],
        now: &[StageFacts],
    ) -> NightlyChange {
        let mut change = NightlyChange { night, began: began.to_owned(), ..NightlyChange::default() };
        for stage in now {
            change.add_errors(before, stage);
            // Only stages with equal commands are compared, because another command executes other
            // cases. The names of the stages may differ.
            let of_command = before.iter().filter(|old| old.command == stage.command);
            let Some(old) = of_command.min_by_key(|old| old.name != stage.name) else { continue };
            let name = || stage.name.clone();
            if let (Some(a), Some(b)) = (old.coverage, stage.coverage) {
                change.coverage.insert(name(), [a, b]);
            }
            if let (Some(a), Some(b)) = (old.rate(), stage.rate()) {
                change.rates.insert(name(), [a, b]);
            }
        }
        change
    }

    /// Adds the errors of functions that a stage and a stage of an earlier run measured. Both
    /// stages must have the same subject and rules, and the same number of inputs of the function.
    fn add_errors(&mut self, before: &[StageFacts], stage: &StageFacts) {
        let suffix = stage.setting.suffix();
        let mut old: Vec<_> = before.iter().filter(|old| old.setting.suffix() == suffix).collect();
        old.sort_by_key(|old| old.name != stage.name);
        for (function, b) in &stage.functions {
            let mut measured = old.iter().filter_map(|old| old.functions.get(function));
            let Some(a) = measured.find(|a| a.inputs == b.inputs) else { continue };
            let key = format!("{} {function}", stage.name);
            self.max_ulp.insert(key.clone(), [a.max_ulp, b.max_ulp]);
            self.mean_ulp.insert(key, [a.mean_ulp, b.mean_ulp]);
        }
    }

    /// Adds the coverage and the errors that this change lacks from a change since an earlier run.
    pub(crate) fn add_missing(&mut self, earlier: NightlyChange) {
        let NightlyChange { night, coverage, max_ulp, mean_ulp, .. } = earlier;
        for (name, pair) in coverage {
            self.coverage.entry(name).or_insert(pair);
        }
        for (function, pair) in max_ulp {
            if !self.max_ulp.contains_key(&function) {
                self.measured_in.insert(function.clone(), night);
                self.max_ulp.insert(function, pair);
            }
        }
        for (function, pair) in mean_ulp {
            self.mean_ulp.entry(function).or_insert(pair);
        }
    }
}
