//! The known-issues list: each signature that was ever found, and the status that people gave it.
//!
//! A nightly run adds its findings as `new`; people set a status such as `known` or `expected`,
//! with a reason. Each nightly run replays every case of the list, whether a stage found its
//! signature again or not. So a fix, a regression or a flaky case is detected even if no campaign
//! draws the case.
//!
//! | module | contents |
//! |---|---|
//! | `entry` | a signature: its status, and its change in a nightly run |
//! | `evidence` | whether the findings of a run belong to an issue |
//! | `ways` | the ways in which a finding occurs |
//! | `rate` | how often an issue occurs |
//! | `same_cases` | whether an issue occurs in other cases, where the same cases are executed |
//! | `rule` | the status of many signatures at once |
//! | `say` | sets the status of one signature, or of all signatures that match a pattern |
//! | `day` | the day on which a status expires |

mod day;
mod entry;
mod evidence;
mod rate;
mod rule;
mod same_cases;
mod say;
mod ways;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use assay_files::yaml;
use assay_isa::shown::{message, quoted};
use assay_records::write_bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NightlyError;

pub use day::Day;
pub(crate) use entry::is_no_wrong_value;
pub(crate) use entry::optypes;
pub use entry::{Change, Entry, Replayed, Scope, Status};
pub use evidence::Sighting;
pub(crate) use evidence::is_same;
pub use rate::NightRate;
pub use rule::Rule;
pub use same_cases::{FunctionDivergences, FunctionSignatures, SameCases};
pub(crate) use say::some_of;
pub use say::{Statement, StatementError, forget, forget_rules};
pub use ways::{in_lanes, ways};

/// Version of the format.
pub const VERSION: u32 = 1;

/// The file `known-issues.yaml`: the known issues of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownIssues {
    /// Version of the format: 1.
    pub version: u32,
    /// Number of the last nightly run that updated the list.
    #[serde(default)]
    pub noted: u32,
    /// The statuses that were set for globs of signatures, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// The issues, the earliest first.
    pub entries: Vec<Entry>,
    /// The divergences in stages that execute the same cases in each run. The key is subject,
    /// profile, command and function. A key without a function records which cases the stage
    /// executed last.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub same_cases: BTreeMap<String, SameCases>,
}

/// The output of `assay known-issues show`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnownIssuesOutput {
    /// The statuses that were set for globs of signatures.
    pub rules: Vec<Rule>,
    /// The issues.
    pub entries: Vec<Entry>,
}

impl KnownIssues {
    /// Reads the known-issues list. Without a file, returns an empty list.
    pub fn read(path: &Path) -> Result<KnownIssues, NightlyError> {
        let text = match assay_files::read_text(path, yaml::BYTES) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Ok(KnownIssues {
                    version: VERSION,
                    noted: 0,
                    rules: Vec::new(),
                    entries: Vec::new(),
                    same_cases: BTreeMap::new(),
                });
            }
            read => read.map_err(|e| NightlyError::input(path, e.to_string()))?,
        };
        KnownIssues::parse(&text, path)
    }

    /// Reads the text of a known-issues list. `path` appears in errors only.
    pub fn parse(text: &str, path: &Path) -> Result<KnownIssues, NightlyError> {
        yaml::check(text).map_err(|e| NightlyError::input(path, e.to_string()))?;
        let known_issues: KnownIssues =
            serde_yaml::from_str(text).map_err(|e| NightlyError::input(path, message(&e.to_string())))?;
        known_issues.check().map_err(|problem| NightlyError::input(path, problem))?;
        Ok(known_issues)
    }

    fn check(&self) -> Result<(), String> {
        if self.version != VERSION {
            return Err(format!(
                "version {}: this assay reads known-issues lists of version {VERSION}",
                self.version
            ));
        }
        self.rules.iter().try_for_each(Rule::check)?;
        let leaves = |case: &PathBuf| !case.components().all(|part| matches!(part, Component::Normal(_)));
        if let Some(case) =
            self.entries.iter().filter_map(|entry| entry.case.as_ref()).find(|case| leaves(case))
        {
            let case = quoted(&case.display().to_string());
            return Err(format!(
                "the case `{case}` lies outside the campaign's folder; copy it into `findings`"
            ));
        }
        let mut listed = BTreeSet::new();
        for entry in &self.entries {
            entry.check()?;
            if !listed.insert((&entry.signature, &entry.scope)) {
                return Err(format!("`{}` is listed twice for the same scope", quoted(&entry.signature)));
            }
        }
        Ok(())
    }

    /// Writes the list, whole or not at all. Refuses a list that could not be read back.
    pub fn write(&self, path: &Path) -> Result<(), NightlyError> {
        self.check().map_err(|problem| NightlyError::input(path, problem))?;
        Ok(write_bytes(path, self.to_yaml().as_bytes())?)
    }

    /// Returns the text of the file.
    pub fn to_yaml(&self) -> String {
        serde_yaml::to_string(self).expect("a known-issues list can be written")
    }

    /// Accepts the divergences of each function in which these signatures occurred in the last run,
    /// unless another signature of the function is open.
    pub(crate) fn accept_same_cases(&mut self, is_meant: impl Fn(&str) -> bool) {
        for same in self.same_cases.values_mut() {
            if same.last.counts.keys().any(|signature| is_meant(signature)) {
                same.accept(&is_meant);
            }
        }
    }

    /// Returns the entry of a signature for a subject under a profile. If several entries match,
    /// returns the last one, which is the newest.
    pub fn entry(&mut self, signature: &str, subject: &str, profile: &str) -> Option<&mut Entry> {
        let mut entries = self.entries.iter_mut().rev();
        entries.find(|entry| entry.signature == signature && entry.scope.has(subject, profile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(is: Status) -> Entry {
        let scope = Scope::exactly("exec:python3 [x].py", "intended");
        Entry { is, because: Some("E035".into()), ..Entry::new("FADD: value", scope, 1, None) }
    }

    fn rule(signatures: &str, is: Status) -> Rule {
        let scope = Scope { subject: "exec:*".into(), profile: "*".into() };
        Rule { signatures: signatures.into(), is, because: "E035".into(), scope, expires: None }
    }

    #[test]
    fn a_rule_speaks_of_what_nobody_else_speaks_of_for_whom_it_is() {
        let speaks = |rule: Rule, is, subject| rule.speaks_of(&entry(is), subject, "intended");
        assert!(speaks(rule("FADD: *", Status::Known), Status::New, "exec:x"));
        assert!(!speaks(rule("FADD: *", Status::Known), Status::New, "model"));
        assert!(!speaks(rule("FADD:", Status::Known), Status::New, "exec:x"), "the whole signature");
        assert!(!speaks(rule("FADD: *", Status::Fixed), Status::New, "exec:x"));
        for is in [Status::Known, Status::Expected, Status::Fixed, Status::Flaky] {
            assert!(!speaks(rule("FADD: *", Status::Expected), is, "exec:x"), "{is:?}");
        }
    }

    fn day(text: &str) -> Day {
        text.parse().expect("a day")
    }

    #[test]
    fn what_became_of_a_signature_follows_from_what_was_said_and_what_it_did() {
        use Replayed::{Diverged, Held, Mixed};
        let today = day("2026-11-22");
        let unknown = Replayed::Unknown("no such subject".into());
        let not_asked = Some(Change::NotAsked("no such subject".into()));
        let cases = [
            (Status::New, true, Diverged, Some(Change::StillFailing), Status::New),
            (Status::New, false, Diverged, Some(Change::StillFailing), Status::New),
            (Status::New, false, Held, Some(Change::Fixed), Status::Fixed),
            (Status::New, true, Held, Some(Change::StillFailing), Status::New),
            (Status::New, false, Mixed, Some(Change::StillFailing), Status::New),
            (Status::New, true, unknown.clone(), Some(Change::StillFailing), Status::New),
            (Status::New, false, unknown.clone(), not_asked.clone(), Status::New),
            (Status::Known, true, Diverged, Some(Change::Known), Status::Known),
            (Status::Known, false, Held, Some(Change::Fixed), Status::Fixed),
            (Status::Expected, false, Diverged, Some(Change::Expected), Status::Expected),
            (Status::Expected, false, Held, Some(Change::ExpectedHolds), Status::Expected),
            (Status::Expected, false, Mixed, Some(Change::Flaky), Status::Expected),
            (Status::Fixed, false, Held, None, Status::Fixed),
            (Status::Known, true, Held, Some(Change::Flaky), Status::Known),
            (Status::Fixed, true, Diverged, Some(Change::Regressed), Status::Fixed),
            (Status::Fixed, false, Mixed, Some(Change::Regressed), Status::Fixed),
            (Status::Flaky, false, Held, None, Status::Flaky),
            (Status::Flaky, true, Diverged, Some(Change::StillFailing), Status::Flaky),
            (Status::Flaky, true, Mixed, Some(Change::Flaky), Status::Flaky),
        ];
        for (is, seen, replayed, change, after) in cases {
            let mut entry = entry(is);
            let became = entry.change(seen, &replayed, today);
            entry.note(became.as_ref(), 5);
            assert_eq!((became, entry.is), (change, after), "{is:?} {seen} {replayed:?}");
        }
    }

    /// For an issue that shows only by chance, a replay repeats the case until it fails. So its
    /// failure does not indicate another bug.
    #[test]
    fn an_issue_by_chance_stays_flaky() {
        let change = |signature: &str| {
            let entry = Entry { signature: signature.into(), ..entry(Status::Flaky) };
            entry.change(true, &Replayed::Diverged, day("2026-11-22"))
        };
        assert_eq!(change("POPC | only now and then"), Some(Change::Flaky));
        assert_eq!(change("POPC | only from call 7 on"), Some(Change::StillFailing));
        assert_eq!(change("POPC | only in lane 7"), Some(Change::StillFailing));
    }

    /// No replay shows such an issue for sure, so a passing replay does not make the issue fixed.
    #[test]
    fn an_issue_by_chance_is_not_fixed_by_a_replay() {
        for (is, change) in [
            (Status::New, Some(Change::StillFailing)),
            (Status::Known, None),
            (Status::Expected, None),
            (Status::Flaky, None),
        ] {
            let mut entry = Entry { signature: "POPC | never again".into(), ..entry(is) };
            let became = entry.change(false, &Replayed::Held, day("2026-11-22"));
            entry.note(became.as_ref(), 5);
            assert_eq!((became, entry.is), (change, is));
        }
    }

    #[test]
    fn what_is_said_until_a_day_counts_on_that_day_and_not_later() {
        let known = Entry { expires: Some(day("2026-11-22")), ..entry(Status::Known) };
        assert_eq!(known.change(true, &Replayed::Diverged, day("2026-11-22")), Some(Change::Known));
        assert_eq!(known.change(true, &Replayed::Diverged, day("2026-11-23")), Some(Change::Expired));
    }

    #[test]
    fn a_list_is_read_as_it_was_written_and_refused_where_it_says_nothing_or_too_much() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("known-issues.yaml");
        assert_eq!(KnownIssues::read(&path).expect("an empty one").entries, []);
        let mut known_issues = KnownIssues {
            version: VERSION,
            noted: 0,
            rules: Vec::new(),
            entries: vec![entry(Status::Expected)],
            same_cases: BTreeMap::new(),
        };
        known_issues.write(&path).expect("written");
        assert_eq!(KnownIssues::read(&path).expect("read"), known_issues);
        assert!(known_issues.entry("FADD: value", "exec:python3 [x].py", "intended").is_some());
        assert!(known_issues.entry("FADD: value", "exec:python3 x.py", "intended").is_none());
        assert!(known_issues.entry("FADD: value", "exec:python3 [x].py", "literal").is_none());
        let refused = |change: fn(&mut KnownIssues), words: &str| {
            let mut bad = known_issues.clone();
            change(&mut bad);
            let error = bad.write(&path).expect_err(words).to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(|l| l.version = 2, "known-issues lists of version 1");
        refused(|l| l.entries[0].because = None, "without `because`");
        refused(|l| l.entries[0].scope.subject = "[".into(), "the scope `[`");
        refused(|l| l.entries.push(l.entries[0].clone()), "listed twice");
        refused(|l| l.rules.push(rule("* | *", Status::Known)), "would excuse everything");
        refused(|l| l.rules.push(rule("FADD[", Status::Known)), "the rule `FADD[`");
        refused(|l| l.rules.push(rule("FADD*", Status::New)), "known, expected, flaky or fixed");
        refused(
            |l| l.rules.push(Rule { because: String::new(), ..rule("FADD*", Status::Known) }),
            "no reason",
        );
    }
}
