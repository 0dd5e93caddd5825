//! Whether a known issue shows in other cases than before, in a stage that executes the same cases
//! in each run.
//!
//! A campaign with another seed draws other cases, so chance decides how often an issue shows.
//! `rate` judges such campaigns. A sweep, and a campaign with the same seed, execute the same cases
//! each night. For these, chance plays no role: a new divergence is another bug, or the known bug
//! has grown.

use std::collections::{BTreeMap, BTreeSet};

use assay_engine::stats::divergences::{LEAST_HASHES, hashes_from_text, hashes_to_text};
use assay_isa::shown::plural;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rate::CHANCE;
use super::say::some_of;

/// The divergences of a function in a stage, over the nightly runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SameCases {
    /// Identifies the executed cases: the seed of a campaign, and the number of cases.
    pub of: String,
    /// The divergences that are accepted. Absent until a run had only known and expected issues, or
    /// a status was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<FunctionDivergences>,
    /// The divergences of the last run.
    pub last: FunctionDivergences,
    /// The signatures that may have caused the divergences of the last run that are not accepted.
    /// These divergences are accepted once each of these signatures has a status.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub open: BTreeSet<String>,
}

/// The divergences of a function in one run of a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionDivergences {
    /// A hash of the case index assigns each divergence to a part. This field has the number of
    /// divergences in each part, separated by blanks. If a part of a later run has a greater
    /// number, the later run has a new divergence.
    pub parts: String,
    /// The smallest of these hashes, in hexadecimal, separated by blanks. If a later run has an
    /// unlisted hash below the greatest listed hash, the later run has a new divergence. Absent in
    /// lists of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub least: String,
    /// Numbers of divergences by signature.
    pub counts: BTreeMap<String, u64>,
}

impl FunctionDivergences {
    /// Returns divergences from the numbers by part, the smallest hashes and the counts by
    /// signature.
    pub fn new(parts: &[u64], least: &BTreeSet<u64>, counts: BTreeMap<String, u64>) -> FunctionDivergences {
        let parts: Vec<String> = parts.iter().map(u64::to_string).collect();
        FunctionDivergences { parts: parts.join(" "), least: hashes_to_text(least), counts }
    }

    fn numbers(&self) -> Vec<u64> {
        self.parts.split(' ').filter_map(|number| number.parse().ok()).collect()
    }

    /// Counts the divergences that an earlier run certainly did not have.
    fn beyond(&self, before: &FunctionDivergences) -> Beyond {
        let (now, old) = (self.numbers(), before.numbers());
        let more = |(place, part): (usize, &u64)| part.saturating_sub(old.get(place).copied().unwrap_or(0));
        let by_parts: u64 = now.iter().enumerate().map(more).sum();
        let [hashes, listed] = [self, before].map(|it| hashes_from_text(&it.least));
        let is_partial = listed.len() >= LEAST_HASHES;
        let greatest = listed.last().copied().unwrap_or(0);
        let is_old = listed.is_empty() && old.iter().any(|part| *part > 0);
        let is_beyond = |hash: &&u64| !is_old && !listed.contains(hash) && (!is_partial || **hash < greatest);
        let unlisted = hashes.iter().filter(is_beyond).count() as u64;
        let share = if is_partial { greatest as f64 / u64::MAX as f64 } else { 1.0 };
        Beyond { by_parts, unlisted, share }
    }

    fn of(&self, signature: &str) -> u64 {
        self.counts.get(signature).copied().unwrap_or(0)
    }
}

/// Counts of divergences of a run that an earlier run certainly did not have. There may be more
/// such divergences.
struct Beyond {
    /// Their number by the parts.
    by_parts: u64,
    /// Number of hashes that the earlier run does not list.
    unlisted: u64,
    /// The share of all possible hashes that are below the greatest listed hash, 0 to 1.
    share: f64,
}

impl Beyond {
    /// Returns the minimum number of new divergences.
    fn least(&self) -> u64 {
        self.by_parts.max(self.unlisted)
    }

    /// Whether `others` divergences can account for all new divergences. Hashes are uniform, so the
    /// number of hashes below a limit is about a Poisson variable. The test uses Chernoff's bound
    /// of its tail.
    fn is_explained_by(&self, others: u64) -> bool {
        let (expected, seen) = (others as f64 * self.share, self.unlisted as f64);
        let is_likely = seen <= expected || seen * (seen / expected).ln() - seen + expected < -CHANCE.ln();
        self.least() <= others && is_likely
    }
}

/// The signatures of a function in a run.
#[derive(Clone, Debug, Default)]
pub struct FunctionSignatures<'a> {
    /// The known and expected signatures.
    pub excused: BTreeSet<&'a str>,
    /// The flaky signatures, which may diverge in any of the cases.
    pub flaky: BTreeSet<&'a str>,
    /// The other signatures.
    pub open: BTreeSet<&'a str>,
}

/// Number of standard deviations by which a signature may grow because a flaky signature takes or
/// returns cases.
const DEVIATIONS: f64 = 6.0;

impl SameCases {
    /// Compares the divergences of a run with the accepted divergences. Returns the excused
    /// signatures that have grown or may have grown, each with a text.
    ///
    /// `is_again` says whether the stage executes the cases of an earlier run. If it does, a
    /// divergence that was never accepted is not excused.
    ///
    /// A run that has flaky or open signatures does not accept its divergences. They are accepted
    /// only when a status is set.
    pub fn note(
        &mut self,
        (stage, of, is_again): (&str, String, bool),
        now: FunctionDivergences,
        signatures: &FunctionSignatures<'_>,
    ) -> Vec<(String, String)> {
        if self.of != of {
            *self = SameCases { of, ..SameCases::default() };
        }
        let before = match self.accepted.take() {
            Some(accepted) => accepted,
            None if is_again => FunctionDivergences::default(),
            None => now.clone(),
        };
        self.last = now;
        let unanswered = std::mem::take(&mut self.open);
        let FunctionSignatures { excused, flaky, open } = signatures;
        let beyond = self.last.beyond(&before);
        if beyond.least() == 0 {
            let is_told = flaky.is_empty() && open.is_empty();
            self.accepted = Some(if is_told { self.last.clone() } else { before });
            return Vec::new();
        }
        let of_flaky: u64 = flaky.iter().map(|signature| self.last.of(signature)).sum();
        // A case can show a flaky signature in one run and another signature in the next. If this
        // happens at random, the numbers change by a few standard deviations.
        let taken = flaky.iter().map(|signature| before.of(signature)).sum::<u64>().max(of_flaky);
        let slack = (DEVIATIONS * (taken as f64).sqrt()) as u64;
        let more = |signature: &str| self.last.of(signature) > before.of(signature) + slack;
        let text = |signature: &str| match (more(signature), before.of(signature)) {
            (true, 0) => {
                let count = plural(self.last.of(signature), "divergence", "divergences");
                format!("{count} in stage {stage} that no earlier run of the same cases had")
            }
            (true, old) => {
                let new = self.last.of(signature);
                format!("grew from {old} to {new} divergences over the same cases of stage {stage}")
            }
            (false, _) if open.is_empty() => {
                format!("diverges in cases of stage {stage} that did not diverge before")
            }
            (false, _) => {
                let others: Vec<&str> = open.iter().copied().collect();
                format!(
                    "may diverge in cases of stage {stage} that did not diverge before: the same function has {}",
                    some_of(&others)
                )
            }
        };
        let growth: u64 =
            excused.iter().map(|it| self.last.of(it).saturating_sub(before.of(it))).sum::<u64>() + of_flaky;
        // If growth and flaky signatures do not account for all new divergences, the divergences
        // can belong to any signature. A signature that was reported before and still has no status
        // stays open.
        let is_told = |signature: &&str| {
            !beyond.is_explained_by(growth)
                || !open.is_empty()
                || more(signature)
                || unanswered.contains(*signature)
        };
        let told: Vec<&str> = excused.iter().copied().filter(is_told).collect();
        self.open = told.iter().chain(open).map(|signature| (*signature).to_owned()).collect();
        let told = told.into_iter().map(|signature| (signature.to_owned(), text(signature))).collect();
        self.accepted = Some(before);
        told
    }

    /// Notes that some signatures got a status. Accepts the divergences of the last run if no other
    /// signature is open.
    pub(super) fn accept(&mut self, is_meant: impl Fn(&str) -> bool) {
        self.open.retain(|signature| !is_meant(signature));
        if !self.open.is_empty() {
            return;
        }
        let mut accepted = self.last.clone();
        // Cases that showed a flaky signature in this run may show another signature in the next
        // run.
        for (signature, old) in self.accepted.iter().flat_map(|before| &before.counts) {
            if let Some(count) = accepted.counts.get_mut(signature) {
                *count = (*count).max(*old);
            }
        }
        self.accepted = Some(accepted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUE: &str = "POPC | rd: wrong value";
    const OTHER: &str = "POPC | not written";

    fn run(parts: &[u64], least: &[u64], counts: &[(&str, u64)]) -> FunctionDivergences {
        let counts = counts.iter().map(|(signature, count)| ((*signature).to_owned(), *count)).collect();
        FunctionDivergences::new(parts, &least.iter().copied().collect(), counts)
    }

    fn excused<'a>(signatures: &[&'a str]) -> FunctionSignatures<'a> {
        FunctionSignatures { excused: signatures.iter().copied().collect(), ..FunctionSignatures::default() }
    }

    fn open<'a>(signatures: FunctionSignatures<'a>, open: &'a str) -> FunctionSignatures<'a> {
        FunctionSignatures { open: [open].into(), ..signatures }
    }

    /// Returns the reported signatures of a run of a sweep, each with its text.
    fn sweep(
        same: &mut SameCases,
        now: FunctionDivergences,
        signatures: &FunctionSignatures<'_>,
    ) -> Vec<(String, String)> {
        same.note(("sweep", "9 cases".to_owned(), true), now, signatures)
    }

    fn texts(told: Vec<(String, String)>) -> Vec<String> {
        told.into_iter().map(|(_, text)| text).collect()
    }

    /// A sweep whose issue was new, and then known.
    fn known(parts: &[u64], least: &[u64], count: u64) -> SameCases {
        let mut same = SameCases::default();
        let new = open(FunctionSignatures::default(), ISSUE);
        assert_eq!(sweep(&mut same, run(parts, least, &[(ISSUE, count)]), &new), []);
        same.accept(|signature| signature == ISSUE);
        same
    }

    #[test]
    fn a_divergence_that_was_not_there_is_growth_until_it_is_accepted() {
        let mut same = known(&[3, 0], &[1, 2, 3], 3);
        let known = excused(&[ISSUE]);
        for _ in 0..2 {
            assert_eq!(sweep(&mut same, run(&[3, 0], &[1, 2, 3], &[(ISSUE, 3)]), &known), []);
        }
        for _ in 0..2 {
            let told = sweep(&mut same, run(&[3, 2], &[1, 2, 3, 4, 5], &[(ISSUE, 5)]), &known);
            assert_eq!(texts(told), ["grew from 3 to 5 divergences over the same cases of stage sweep"]);
        }
        same.accept(|signature| signature == ISSUE);
        assert_eq!(sweep(&mut same, run(&[3, 2], &[1, 2, 3, 4, 5], &[(ISSUE, 5)]), &known), []);
    }

    #[test]
    fn a_sweep_that_had_no_divergence_excuses_none() {
        let (mut same, known) = (SameCases::default(), excused(&[ISSUE]));
        let told = sweep(&mut same, run(&[3], &[1, 2, 3], &[(ISSUE, 3)]), &known);
        assert_eq!(texts(told), ["3 divergences in stage sweep that no earlier run of the same cases had"]);
        same.accept(|signature| signature == ISSUE);
        assert_eq!(sweep(&mut same, run(&[], &[], &[]), &FunctionSignatures::default()), []);
        assert_eq!(
            sweep(&mut same, run(&[3], &[1, 2, 3], &[(ISSUE, 3)]), &known).len(),
            1,
            "0 is remembered"
        );
    }

    #[test]
    fn other_divergences_in_the_place_of_the_known_ones_are_told() {
        let text = "diverges in cases of stage sweep that did not diverge before";
        for (parts, least, count) in [([0, 2], &[8, 9][..], 2), ([1, 0], &[9], 1)] {
            let mut same = known(&[3, 0], &[1, 2, 3], 3);
            let told = sweep(&mut same, run(&parts, least, &[(ISSUE, count)]), &excused(&[ISSUE]));
            assert_eq!(texts(told), [text], "{parts:?}");
        }
    }

    /// Of many divergences only the smallest hashes are kept. A greater hash does not show a new
    /// divergence.
    #[test]
    fn hashes_beyond_the_kept_ones_say_nothing() {
        let kept: Vec<u64> = (0..LEAST_HASHES as u64).map(|nth| nth * 10).collect();
        for (hashes, is_told) in [(&[10, 20][..], false), (&[10, 9_999_999], false), (&[10, 15], true)] {
            let mut same = known(&[5000], &kept, 5000);
            let told = sweep(&mut same, run(&[2], hashes, &[(ISSUE, 2)]), &excused(&[ISSUE]));
            assert_eq!(!told.is_empty(), is_told, "{hashes:?}");
        }
    }

    #[test]
    fn fewer_divergences_are_what_the_next_run_is_compared_with() {
        let mut same = known(&[3, 4], &[1, 2, 3], 7);
        let known = excused(&[ISSUE]);
        assert_eq!(sweep(&mut same, run(&[3, 0], &[1, 2, 3], &[(ISSUE, 3)]), &known), []);
        assert_eq!(sweep(&mut same, run(&[3, 1], &[1, 2, 3], &[(ISSUE, 4)]), &known).len(), 1);
    }

    /// Divergences that came with a new signature may also belong to the known signature. Both must
    /// get a status.
    #[test]
    fn beside_a_new_signature_the_known_one_is_not_accepted_by_the_new_one() {
        let mut same = known(&[3, 0], &[1, 2, 3], 3);
        let both = run(&[3, 4], &[7, 8, 9], &[(ISSUE, 3), (OTHER, 4)]);
        let told = sweep(&mut same, both.clone(), &open(excused(&[ISSUE]), OTHER));
        assert!(told[0].1.starts_with("may diverge in cases of stage sweep"), "{told:?}");
        same.accept(|signature| signature == OTHER);
        let known = excused(&[ISSUE, OTHER]);
        for _ in 0..2 {
            assert_eq!(sweep(&mut same, both.clone(), &known).len(), 2);
            same.accept(|signature| signature == OTHER);
        }
        same.accept(|signature| signature == ISSUE);
        assert_eq!(sweep(&mut same, both, &known), []);
    }

    #[test]
    fn a_status_of_one_signature_does_not_accept_the_growth_of_another() {
        let mut same = known(&[7, 0], &[1], 3);
        let known = excused(&[ISSUE, OTHER]);
        let grown = run(&[7, 2], &[1, 2], &[(ISSUE, 5), (OTHER, 4)]);
        assert_eq!(sweep(&mut same, grown.clone(), &known).len(), 2);
        same.accept(|signature| signature == OTHER);
        assert_eq!(sweep(&mut same, grown, &known).len(), 2, "the known one still has more");
    }

    #[test]
    fn a_flaky_signature_explains_no_more_than_it_has() {
        for (of_flaky, is_told) in [(4, false), (3, true)] {
            let mut same = known(&[3, 0], &[1, 2, 3], 3);
            let signatures = FunctionSignatures { flaky: [OTHER].into(), ..excused(&[ISSUE]) };
            let now = run(&[0, 4], &[5, 6], &[(ISSUE, 3), (OTHER, of_flaky)]);
            assert_eq!(!sweep(&mut same, now, &signatures).is_empty(), is_told, "{of_flaky}");
        }
        // A flaky signature with few divergences has hardly any of the smallest hashes.
        let kept: Vec<u64> = (0..LEAST_HASHES as u64).map(|nth| nth << 40).collect();
        for (new, is_told) in [(1, false), (8, true)] {
            let mut same = known(&[9000], &kept, 9000);
            let signatures = FunctionSignatures { flaky: [OTHER].into(), ..excused(&[ISSUE]) };
            let least: Vec<u64> = (0..new).map(|nth| (nth << 40) + 1).collect();
            let now = run(&[4000], &least, &[(ISSUE, 4000), (OTHER, 100)]);
            assert_eq!(!sweep(&mut same, now, &signatures).is_empty(), is_told, "{new}");
        }
    }

    #[test]
    fn a_flaky_signature_can_take_cases_and_give_them_back() {
        let mut same = known(&[30, 1], &[1, 2], 31);
        let signatures = FunctionSignatures { flaky: [OTHER].into(), ..excused(&[ISSUE]) };
        for count in [31, 30, 32, 31] {
            let now = run(&[30, 2], &[1, 2], &[(ISSUE, count), (OTHER, 2)]);
            assert_eq!(sweep(&mut same, now, &signatures), [], "{count}");
        }
    }

    #[test]
    fn a_flaky_signature_does_not_hide_much_growth() {
        for (count, is_told) in [(9_500, false), (11_000, true)] {
            let mut same = known(&[9000], &[], 9000);
            let signatures = FunctionSignatures { flaky: [OTHER].into(), ..excused(&[ISSUE]) };
            let now = run(&[19_000], &[], &[(ISSUE, count), (OTHER, 10_000)]);
            assert_eq!(!sweep(&mut same, now, &signatures).is_empty(), is_told, "{count}");
        }
    }

    #[test]
    fn another_seed_of_a_campaign_is_not_compared() {
        let mut same = SameCases::default();
        let known = excused(&[ISSUE]);
        let mut night = |seed: &str, count: u64| {
            let now = run(&[count], &[], &[(ISSUE, count)]);
            same.note(("cases", format!("seed {seed}"), false), now, &known).len()
        };
        assert_eq!([night("1", 3), night("2", 9), night("2", 9), night("2", 10)], [0, 0, 0, 1]);
    }

    /// The function did not diverge in the earlier run of the same seed, so there is no record of it.
    #[test]
    fn a_function_that_did_not_diverge_with_the_same_seed_is_compared_with_nothing() {
        for (is_again, told) in [(false, 0), (true, 1)] {
            let now = run(&[3], &[1, 2, 3], &[(ISSUE, 3)]);
            let about = ("cases", "seed 1".to_owned(), is_again);
            let count = SameCases::default().note(about, now, &excused(&[ISSUE])).len();
            assert_eq!(count, told, "{is_again}");
        }
    }
}
