//! Whether a known issue shows in other cases than before, in a stage that executes the same cases
//! in each run.
//!
//! A campaign with another seed draws other cases, and chance decides how often an issue shows:
//! `rate` judges that. A sweep, and a campaign with the same seed, execute the same cases each night.
//! Then chance decides nothing: a divergence that was not there before is another bug, or the bug has
//! grown.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The divergences of a function in a stage, over the nightly runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SameCases {
    /// What the stage executed: its command, the seed of a campaign, the number of cases.
    pub of: String,
    /// The divergences that are accepted. Absent until a run had known and expected issues alone, or
    /// a status was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<FunctionDivergences>,
    /// The divergences of the last run.
    pub last: FunctionDivergences,
}

/// The divergences of a function in one run of a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionDivergences {
    /// Numbers of divergences by a hash of the index of their case, with blanks between the numbers.
    /// If a later run has a greater number in some place, it has a divergence that this run has not.
    pub parts: String,
    /// Numbers of divergences by signature.
    pub counts: BTreeMap<String, u64>,
}

impl FunctionDivergences {
    /// Returns the divergences with some parts and counts.
    pub fn new(parts: &[u64], counts: BTreeMap<String, u64>) -> FunctionDivergences {
        let parts: Vec<String> = parts.iter().map(u64::to_string).collect();
        FunctionDivergences { parts: parts.join(" "), counts }
    }

    /// Whether some divergence is certainly not among those of an earlier run.
    fn exceed(&self, before: &FunctionDivergences) -> bool {
        let numbers = |it: &FunctionDivergences| -> Vec<u64> {
            it.parts.split(' ').filter_map(|number| number.parse().ok()).collect()
        };
        let (now, before) = (numbers(self), numbers(before));
        now.iter().enumerate().any(|(place, part)| before.get(place).is_none_or(|old| part > old))
    }
}

impl SameCases {
    /// Takes the divergences of a run. Returns the signatures that have grown, each with a text.
    ///
    /// `excused` are the signatures of the function that are known or expected. `has_others` says
    /// whether the function has other signatures in this run. Their divergences are not accepted by a
    /// run, but by setting a status.
    pub fn note(
        &mut self,
        (stage, of): (&str, String),
        now: FunctionDivergences,
        excused: &BTreeSet<&str>,
        has_others: bool,
    ) -> Vec<(String, String)> {
        if self.of != of {
            *self = SameCases { of, accepted: None, last: now.clone() };
        }
        let before = self.accepted.clone().unwrap_or_else(|| self.last.clone());
        self.last = now;
        if !self.last.exceed(&before) {
            if !has_others {
                self.accepted = Some(self.last.clone());
            }
            return Vec::new();
        }
        self.accepted = Some(before.clone());
        let counts =
            |signature: &str| [&before, &self.last].map(|it| it.counts.get(signature).copied().unwrap_or(0));
        let has_grown = |signature: &&&str| {
            let [old, new] = counts(signature);
            new > old
        };
        let grown: Vec<&&str> = excused.iter().filter(has_grown).collect();
        let text = |signature: &str| {
            let [old, new] = counts(signature);
            if new > old {
                format!("grew from {old} to {new} divergences over the same cases of stage {stage}")
            } else {
                format!("diverges in cases of stage {stage} that did not diverge before")
            }
        };
        // Without other signatures the new divergences belong to one of the excused signatures.
        let all = excused.iter().filter(|_| grown.is_empty() && !has_others);
        grown.iter().copied().chain(all).map(|it| ((*it).to_owned(), text(it))).collect()
    }

    /// Accepts the divergences of the last run.
    pub fn accept(&mut self) {
        self.accepted = Some(self.last.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUE: &str = "POPC | rd: wrong value";

    fn run(parts: &[u64], count: u64) -> FunctionDivergences {
        FunctionDivergences::new(parts, BTreeMap::from([(ISSUE.to_owned(), count)]))
    }

    fn night(same: &mut SameCases, now: FunctionDivergences, has_others: bool) -> Vec<String> {
        let excused = BTreeSet::from([ISSUE]);
        let grown = same.note(("sweep", "sweep popc".to_owned()), now, &excused, has_others);
        grown.into_iter().map(|(_, text)| text).collect()
    }

    /// The first run with the issue, in which it is new.
    fn first(parts: &[u64], count: u64) -> SameCases {
        let mut same = SameCases::default();
        let none = BTreeSet::new();
        assert_eq!(same.note(("sweep", "sweep popc".to_owned()), run(parts, count), &none, true), []);
        same
    }

    #[test]
    fn a_divergence_that_was_not_there_is_growth_until_it_is_accepted() {
        let mut same = first(&[3, 0], 3);
        same.accept();
        for _ in 0..2 {
            assert_eq!(night(&mut same, run(&[3, 0], 3), false), [""; 0]);
        }
        for _ in 0..2 {
            let text = "grew from 3 to 5 divergences over the same cases of stage sweep";
            assert_eq!(night(&mut same, run(&[3, 2], 5), false), [text]);
        }
        same.accept();
        assert_eq!(night(&mut same, run(&[3, 2], 5), false), [""; 0]);
    }

    #[test]
    fn other_divergences_in_the_place_of_the_known_ones_are_told() {
        let mut same = first(&[3, 0], 3);
        let text = "diverges in cases of stage sweep that did not diverge before";
        assert_eq!(night(&mut same, run(&[0, 2], 2), false), [text]);
    }

    #[test]
    fn fewer_divergences_are_what_the_next_run_is_compared_with() {
        let mut same = first(&[3, 4], 7);
        assert_eq!(night(&mut same, run(&[3, 0], 3), false), [""; 0]);
        assert_eq!(night(&mut same, run(&[3, 1], 4), false).len(), 1);
    }

    #[test]
    fn what_another_signature_adds_is_not_put_down_to_the_known_one() {
        let mut same = first(&[3, 0], 3);
        assert_eq!(night(&mut same, run(&[3, 4], 3), true), [""; 0]);
        assert_eq!(night(&mut same, run(&[3, 5], 4), true).len(), 1, "unless it has grown, too");
        // Nothing was accepted meanwhile.
        assert_eq!(night(&mut same, run(&[3, 4], 3), false).len(), 1);
    }

    #[test]
    fn other_cases_are_not_compared() {
        let mut same = first(&[3, 0], 3);
        let excused = BTreeSet::from([ISSUE]);
        assert_eq!(
            same.note(("sweep", "sweep popc --tier full".to_owned()), run(&[9, 9], 18), &excused, false),
            []
        );
    }
}
