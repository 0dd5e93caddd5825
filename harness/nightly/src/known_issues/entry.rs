//! A signature in the known-issues list: its status, and its change in a nightly run.

use std::collections::BTreeSet;
use std::path::PathBuf;

use assay_engine::stats::judged::matcher;
use assay_engine::triage::circumstance::is_by_chance;
use assay_isa::catalog;
use assay_isa::shown::quoted;
use assay_vectors::FindingCondition;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::day::Day;
use super::rate::NightRate;
use super::ways::ways;

/// A known issue: a signature with its status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The signature, which identifies a bug.
    pub signature: String,
    /// The status.
    pub is: Status,
    /// The reason: an erratum, a ticket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The subjects and profiles for which the status holds.
    pub scope: Scope,
    /// The last day on which the status holds, such as 2027-01-31.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Day>,
    /// Number of the first nightly run that found the signature.
    pub first: u32,
    /// Number of the last nightly run in which the issue occurred.
    pub last: u32,
    /// Path of a case that shows the issue, relative to the folder of the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<PathBuf>,
    /// Path of a newer case that shows the issue, if `case` passes. It replaces `case` when a
    /// status is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_case: Option<PathBuf>,
    /// Accepted kinds of failure of the case, besides the kind in its finding.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub failures: BTreeSet<String>,
    /// The kind of failure of the case in the last run, if this kind is not accepted yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_failure: Option<String>,
    /// The ways in which the issue occurred. A way is a function with a kind of error, a class of
    /// an operand, or a class of the result. For a check of a device, a way describes a failure.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty", deserialize_with = "read_ways")]
    pub keys: BTreeSet<String>,
    /// New ways: the issue occurred in them only after its status was set. They may be another bug.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty", deserialize_with = "read_ways")]
    pub new_keys: BTreeSet<String>,
    /// The conditions under which the issue occurred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<FindingCondition>,
    /// The conditions of cases that do not belong to the issue, found by nightly runs. They are not
    /// accepted yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_conditions: Vec<FindingCondition>,
    /// The optypes with cases of the last nightly run for which no known and no new condition
    /// holds. Also optypes of which the run did not keep all new cases. When these cases are
    /// accepted, the conditions of these optypes are removed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unconditional: BTreeSet<String>,
    /// Up to eight cases and ways of the last nightly run that do not belong to the issue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strays: Vec<String>,
    /// How often the issue occurred in the last nightly runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<NightRate>,
    /// Number of the first nightly run whose rate counts as known. Rates of earlier runs are not
    /// compared.
    #[serde(default, skip_serializing_if = "is_first")]
    pub rates_from: u32,
}

fn is_first(night: &u32) -> bool {
    *night == 0
}

/// Reads ways. Earlier versions wrote keys, from which the ways are derived.
fn read_ways<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeSet<String>, D::Error> {
    let keys = BTreeSet::<String>::deserialize(deserializer)?;
    Ok(keys.iter().flat_map(|key| ways(key)).collect())
}

/// The status of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// No status was set. Also a fixed issue that occurred again, after a rule was set for it.
    New,
    /// A known bug that is not fixed yet.
    Known,
    /// A divergence that must occur, for a reason. If it no longer occurs, the entry is obsolete.
    Expected,
    /// A bug that is fixed.
    Fixed,
    /// A bug that occurs in some runs only.
    Flaky,
}

impl Status {
    /// Returns the name of the status in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Status::New => "new",
            Status::Known => "known",
            Status::Expected => "expected",
            Status::Fixed => "fixed",
            Status::Flaky => "flaky",
        }
    }
}

/// The scope of a status, as globs. `*` matches everything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The subject.
    pub subject: String,
    /// The profile.
    pub profile: String,
}

impl Scope {
    /// Returns the scope of exactly one subject and one profile.
    pub fn exactly(subject: &str, profile: &str) -> Scope {
        Scope { subject: globset::escape(subject), profile: globset::escape(profile) }
    }

    /// Returns whether the scope covers a subject under a profile.
    pub fn has(&self, subject: &str, profile: &str) -> bool {
        let matches = |glob: &str, text: &str| matcher(glob).is_ok_and(|glob| glob.is_match(text));
        matches(&self.subject, subject) && matches(&self.profile, profile)
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        for glob in [&self.subject, &self.profile] {
            matcher(glob).map_err(|problem| format!("the scope {problem}"))?;
        }
        Ok(())
    }
}

/// The outcome of replaying a case several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// The case diverged each time.
    Diverged,
    /// The case diverged, at least once with another kind of failure than in its finding. The value
    /// is the other kind.
    DivergedElse(String),
    /// The case passed each time.
    Held,
    /// The case diverged sometimes and passed sometimes.
    Mixed,
    /// The case could not be replayed. The value is the reason.
    Unknown(String),
}

/// The change of an issue in a nightly run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The issue occurred for the first time.
    New,
    /// The issue occurred again, and has no set status. Also a flaky issue that failed in every
    /// replay, and a new issue that shows only by chance and did not show.
    StillFailing,
    /// The status is fixed, and the issue occurred.
    Regressed,
    /// The status is known, and the issue occurred.
    Known,
    /// The status is expected, and the issue occurred.
    Expected,
    /// The issue has cases or ways that do not belong to it. Its status is known, expected or
    /// flaky.
    Widened(String),
    /// The issue occurred more often than before, and chance does not explain it. Its status is
    /// known, expected or flaky.
    Grown(String),
    /// The status is expected, and the issue did not occur.
    ExpectedHolds,
    /// The issue occurred, and the last day of its status has passed.
    Expired,
    /// The issue occurred only in some replays, or in a stage but not in the replays. Or its status
    /// is flaky, and it occurred.
    Flaky,
    /// The issue occurred in earlier runs, and did not occur in this run.
    Fixed,
    /// No stage found the issue, and it is unknown whether it is fixed. Its case could not be
    /// replayed, or its stage did not finish. The value is the reason.
    NotAsked(String),
}

impl Change {
    /// Returns the change, but [`Change::New`] for an issue that this run found first.
    pub(crate) fn in_night(self, first: u32, night: u32) -> Change {
        if self == Change::StillFailing && first == night { Change::New } else { self }
    }

    /// Returns a few words that describe the change, for pages and messages.
    pub fn words(&self) -> &'static str {
        match self {
            Change::New => "new",
            Change::StillFailing => "still failing",
            Change::Regressed => "back again",
            Change::Known => "known",
            Change::Expected => "expected",
            Change::Widened(_) => "known, and shows in a new way",
            Change::Grown(_) => "known, and shows more often",
            Change::ExpectedHolds => "expected to fail, and holds",
            Change::Expired => "expired",
            Change::Flaky => "flaky",
            Change::Fixed => "fixed",
            Change::NotAsked(_) => "not replayed",
        }
    }
}

/// Whether a kind of error, or a symptom, is not a wrong value: a failure of the device, a missing
/// write, or an unexpected write.
pub(crate) fn is_no_wrong_value(error: &str) -> bool {
    const BEGINNINGS: [&str; 7] = [
        "device ",
        "reference ",
        "declined",
        "wrote to its inputs",
        "called undefined",
        "not written",
        "unexpected",
    ];
    BEGINNINGS.iter().any(|beginning| error.starts_with(beginning))
}

/// Returns the optypes of a signature and its ways. Each begins with the name of an optype.
pub(crate) fn optypes<'a>(signature: &'a str, ways: impl Iterator<Item = &'a String>) -> BTreeSet<&'a str> {
    let ways = ways.map(String::as_str);
    ways.chain([signature]).filter_map(|text| text.split(['.', ':', ' ', ',']).next()).collect()
}

impl Entry {
    /// Returns a new issue, which nightly run `night` found first.
    pub fn new(signature: &str, scope: Scope, night: u32, case: Option<PathBuf>) -> Entry {
        Entry {
            signature: signature.to_owned(),
            is: Status::New,
            because: None,
            scope,
            expires: None,
            first: night,
            last: night,
            case,
            new_case: None,
            failures: BTreeSet::new(),
            new_failure: None,
            keys: BTreeSet::new(),
            new_keys: BTreeSet::new(),
            conditions: Vec::new(),
            new_conditions: Vec::new(),
            unconditional: BTreeSet::new(),
            strays: Vec::new(),
            rates: Vec::new(),
            rates_from: 0,
        }
    }

    /// Returns the change of the issue. `seen` is whether a stage found it. `None` if the issue did
    /// not occur and is fixed, flaky, or known or expected but shows only by chance.
    pub fn change(&self, seen: bool, replayed: &Replayed, today: Day) -> Option<Change> {
        let is_over = self.expires.is_some_and(|day| day < today);
        let fails = match (seen, replayed) {
            // Only a set status excuses an issue.
            (_, Replayed::Mixed) | (true, Replayed::Held)
                if matches!(self.is, Status::New | Status::Fixed) =>
            {
                true
            }
            (_, Replayed::Mixed) | (true, Replayed::Held) => {
                let is_expired = is_over && self.is == Status::Flaky;
                return Some(if is_expired { Change::Expired } else { Change::Flaky });
            }
            (true, _) | (false, Replayed::Diverged | Replayed::DivergedElse(_)) => true,
            (false, Replayed::Held) => false,
            (false, Replayed::Unknown(why)) => return Some(Change::NotAsked(why.clone())),
        };
        Some(match (self.is, fails) {
            (Status::Fixed, false) | (Status::Flaky, false) => return None,
            // Replays may miss an issue that shows only by chance, so passing replays do not prove
            // it fixed.
            (Status::New, false) if self.is_by_chance() => Change::StillFailing,
            (Status::Known | Status::Expected, false) if self.is_by_chance() => return None,
            (Status::Known | Status::Expected | Status::Flaky, true) if is_over => Change::Expired,
            (Status::New, true) => Change::StillFailing,
            (Status::Fixed, true) => Change::Regressed,
            (Status::Known, true) => Change::Known,
            (Status::Expected, true) => Change::Expected,
            // A flaky issue that fails in every replay is no longer flaky: it may be another bug.
            // Issues that show only by chance are excluded, because their replay repeats the case
            // until it fails.
            (Status::Flaky, true) if *replayed == Replayed::Diverged && !self.is_by_chance() => {
                Change::StillFailing
            }
            (Status::Flaky, true) => Change::Flaky,
            (Status::Expected, false) => Change::ExpectedHolds,
            (Status::New | Status::Known, false) => Change::Fixed,
        })
    }

    /// Whether a known issue has no explanation of its results, such as a crash. Then its case must
    /// distinguish it from another bug with the same symptom or in the same lanes. Its condition can
    /// hold for both bugs.
    pub fn is_known_by_its_case(&self) -> bool {
        matches!(self.is, Status::Known | Status::Expected) && self.is_named_by_its_symptom()
    }

    /// Whether the signature ends with a symptom: a failure of the device, or an output and an error.
    /// Lanes and a condition say where results are wrong, and not how.
    fn is_named_by_its_symptom(&self) -> bool {
        let last = self.signature.rsplit(" | ").next().unwrap_or_default();
        let is_of_output = || {
            let outputs = catalog().forms.iter().flat_map(|form| form.optype.outs.iter());
            last.split_once(": ").is_some_and(|(name, _)| outputs.into_iter().any(|output| *output == name))
        };
        let is_place = ["only in ", "only from lane ", "only below lane ", "where "];
        is_no_wrong_value(last) || is_of_output() || is_place.iter().any(|words| last.starts_with(words))
    }

    /// Returns the optypes in which the issue occurred.
    pub fn optypes(&self) -> BTreeSet<&str> {
        optypes(&self.signature, self.keys.iter())
    }

    fn is_by_chance(&self) -> bool {
        self.signature.split(" | ").any(is_by_chance)
    }

    /// Updates the status and the last run of the issue after a change in run `night`.
    pub fn note(&mut self, change: Option<&Change>, night: u32) {
        match change {
            None | Some(Change::NotAsked(_) | Change::ExpectedHolds) => return,
            Some(Change::Fixed) => {
                self.is = Status::Fixed;
                return;
            }
            // The status of a fixed issue stays fixed, so that no rule excuses it until a status is
            // set anew.
            Some(_) => {}
        }
        self.last = night;
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        let Entry { signature, is, because, scope, .. } = self;
        if matches!(is, Status::Known | Status::Expected) && because.is_none() {
            let is = is.name();
            let signature = quoted(signature);
            return Err(format!("`{signature}` is {is} without `because`; name an erratum or a ticket"));
        }
        scope.check().map_err(|problem| format!("`{}`: {problem}", quoted(signature)))
    }
}
