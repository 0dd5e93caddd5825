//! The report of a nightly run: its comparison with the run before and with a baseline, and its
//! verdict.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_isa::number::telling_decimals;
use assay_isa::shown::{plural, quoted};
use assay_records::ResultError;
use assay_records::devices::Devices;
use assay_vectors::FindingCondition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NightlyError;
use crate::facts::{Covered, StageFacts};
use crate::figures::{History, NightlyChange};
use crate::folder::Folder;
use crate::known_issues::{Change, Entry, NightRate, Scope};
use crate::modes::{LackingModes, lacking_text};
use crate::plan::{NightPlan, Policy};
use crate::setting::{DEFAULT_PROFILE, StageSetting};
use crate::state::{NightState, Stage};

/// Version of the format.
pub const VERSION: u32 = 2;
/// Maximum number of earlier nightly runs in the trend.
const TREND: usize = 30;

/// `nightly.json`: the report of a nightly run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NightlyReport {
    /// Version of the format: 2.
    pub version: u32,
    /// Name of the plan.
    pub name: String,
    /// Number of the nightly run.
    pub night: u32,
    /// Start time in UTC, by the clock of the machine.
    pub began: String,
    /// The build of assay.
    pub build: String,
    /// The subject.
    pub subject: String,
    /// Name of the profile.
    pub profile: String,
    /// Seed of the campaigns.
    pub seed: u64,
    /// The verdict on the run.
    pub verdict: Verdict,
    /// The folder in which the run was started. The paths of its command lines begin there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_in: Option<PathBuf>,
    /// The folder of the nightly runs, as the command line has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The signatures to report.
    pub signatures: Vec<SignatureLine>,
    /// The signatures that were fixed in an earlier run, and did not show in this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed_before: Vec<FixedLine>,
    /// The open issues that this run did not test, because no stage has their subject under their
    /// rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untested: Vec<UntestedLine>,
    /// The stages.
    pub stages: Vec<StageFacts>,
    /// Modes that the plan demands but the subject does not support, by optype.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undelivered_modes: BTreeMap<String, LackingModes>,
    /// Modes that the plan demands and the subject supports, and that no stage executed, by optype.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undrawn_modes: BTreeMap<String, LackingModes>,
    /// Number of modes of the subject that have a case in a campaign or a sweep. Null if no stage
    /// is a campaign or a sweep of the subject, because only their results record modes.
    #[serde(default)]
    pub executed_modes: Option<u64>,
    /// Modes that the subject supports, and that no campaign and no sweep executed, by optype. Absent
    /// if `executed_modes` is null.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unexecuted_modes: BTreeMap<String, LackingModes>,
    /// Modes that the subject supported in the run before but does not support in this run, by
    /// optype.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lost_modes: BTreeMap<String, LackingModes>,
    /// The files that changed during the run: files of devices, profiles, encoding tables, and the
    /// known-issues list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_files: Vec<String>,
    /// Profiles and encoding tables that changed since the run before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_rules: Vec<String>,
    /// The rules that excuse every finding of some optypes, and the signatures that rules cover,
    /// one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excused: Vec<String>,
    /// The devices of the subject: names, versions, declared modes, and digests of their files.
    #[serde(default, skip_serializing_if = "Devices::is_empty")]
    pub devices: Devices,
    /// The changes since the run before.
    pub last: Option<NightlyChange>,
    /// The changes since the baseline.
    pub baseline: Option<NightlyChange>,
    /// The earlier runs, the earliest first.
    pub trend: Vec<History>,
}

/// The output of `assay nightly`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NightlyOutput {
    /// The report of the nightly run.
    pub nightly: NightlyReport,
    /// Paths of the written pages.
    pub pages: Vec<PathBuf>,
}

/// The output of `assay status`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatusOutput {
    /// Whether the nightly run is running.
    pub running: bool,
    /// The state of the nightly run.
    pub state: NightState,
    /// The verdict of a finished nightly run. Some stages can have failed, but only because of
    /// known issues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// The verdict on a nightly run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// The exit status: 0 if the policy is met, 1 if not, 3 if a stage failed to do its work.
    pub status: u8,
    /// The reasons why the status is not 0, one sentence each.
    pub reasons: Vec<String>,
    /// The reasons that concern the whole run: changed files, missing modes, or no judged case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub general: Vec<String>,
    /// The reasons about figures: coverage, errors or speed became worse than the policy allows.
    pub worse: Vec<String>,
}

/// A signature that was fixed in an earlier run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixedLine {
    /// The signature.
    pub signature: String,
    /// Number of the last run in which it showed.
    pub last: u32,
}

/// An open issue that a nightly run did not test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UntestedLine {
    /// The signature.
    pub signature: String,
    /// The subject and the profile of the issue, as globs.
    pub scope: Scope,
    /// Number of the last run in which it showed.
    pub last: u32,
}

/// The outcome of a signature in a nightly run.
// Unknown fields are ignored, because earlier builds wrote one more field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignatureLine {
    /// The signature, which identifies a bug.
    pub signature: String,
    /// The change of the signature in this run.
    #[serde(alias = "fate")]
    pub change: Change,
    /// Names of the stages that found the signature in this run.
    pub stages: Vec<String>,
    /// Path of the case that nightly runs replay, relative to the folder of the campaign.
    pub case: Option<PathBuf>,
    /// Path of a finding of this run with the signature, relative to the folder of the campaign. If
    /// the run found a case that does not belong to the known issue, the path names such a case.
    /// Absent if this run found no case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<PathBuf>,
    /// The failure of a check or a vector, which has no case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The reason of the status.
    pub because: Option<String>,
    /// Number of the first nightly run that found the signature.
    pub first: u32,
    /// Number of divergences with the signature in this run, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// The conditions under which the issue occurs, if they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<FindingCondition>,
    /// The conditions of cases that do not belong to the issue. They are not accepted yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_conditions: Vec<FindingCondition>,
    /// The known conditions, in words, that hold for none of the divergences that this run kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<String>,
    /// How often the issue occurred in the last nightly runs, including this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<NightRate>,
}

impl SignatureLine {
    /// Returns why the signature fails the run, such as `known, and shows more often: FADD | rd:
    /// value: grew from 1 to 20 in a million cases`.
    pub fn reason(&self) -> String {
        let reason = format!("{}: {}", self.change.words(), self.signature);
        match (&self.change, &self.detail) {
            (Change::Grown(detail), _) => format!("{reason}: {detail}"),
            (_, Some(detail)) => {
                let lines: Vec<&str> = detail.lines().map(str::trim).collect();
                format!("{reason}: {}", lines.join(" "))
            }
            (Change::Widened(detail), None) => format!("{reason}: {detail}"),
            _ => reason,
        }
    }
}

impl Change {
    /// Returns whether the issue occurred in a stage or in a replay.
    pub fn fails(&self) -> bool {
        !matches!(self, Change::Fixed | Change::ExpectedHolds | Change::NotAsked(_))
    }
}

impl NightlyReport {
    /// Returns the report of a nightly run, without comparisons and verdict.
    pub fn new(
        plan: &NightPlan,
        state: &NightState,
        stages: Vec<StageFacts>,
        signatures: Vec<SignatureLine>,
    ) -> NightlyReport {
        NightlyReport {
            version: VERSION,
            name: plan.name.clone(),
            night: state.night,
            began: state.began.clone(),
            build: state.build.clone(),
            subject: plan.subject.clone(),
            profile: plan.profile.clone().unwrap_or_else(|| DEFAULT_PROFILE.into()),
            seed: state.seed,
            verdict: Verdict::default(),
            started_in: std::env::current_dir().ok(),
            folder: None,
            signatures,
            fixed_before: Vec::new(),
            untested: Vec::new(),
            stages,
            undelivered_modes: BTreeMap::new(),
            undrawn_modes: BTreeMap::new(),
            executed_modes: None,
            unexecuted_modes: BTreeMap::new(),
            lost_modes: BTreeMap::new(),
            excused: Vec::new(),
            devices: Devices::default(),
            changed_files: state.changed.iter().cloned().collect(),
            changed_rules: Vec::new(),
            last: None,
            baseline: None,
            trend: Vec::new(),
        }
    }

    /// Compares the run with earlier runs and a baseline, and computes the verdict.
    pub fn compare(&mut self, past: &[NightlyReport], baseline: Option<&NightlyReport>, policy: &Policy) {
        self.last = past.last().map(|before| {
            let mut change = before.changes(self);
            // The run before may lack figures, for example because a stage ran out of time. Then
            // earlier runs supply them.
            let earlier = past.iter().rev().skip(1);
            earlier.for_each(|before| change.add_missing(before.changes(self)));
            change
        });
        self.baseline = baseline.map(|before| before.changes(self));
        self.trend = past.iter().skip(past.len().saturating_sub(TREND)).map(NightlyReport::history).collect();
        self.verdict = self.judge(policy);
    }

    /// Returns the changes of the figures from this run to the later run `now`.
    fn changes(&self, now: &NightlyReport) -> NightlyChange {
        NightlyChange::between((self.night, &self.began), &self.stages, &now.stages)
    }

    /// Returns the entry for this run in the trend of a later run.
    fn history(&self) -> History {
        let rate = |stage: &StageFacts| Some((stage.name.clone(), stage.rate()?));
        History {
            night: self.night,
            status: self.verdict.status,
            failing: self.signatures.iter().filter(|line| line.change.fails()).count() as u64,
            rates: self.stages.iter().filter_map(rate).collect(),
        }
    }

    /// Reads the report of a nightly run or of a baseline.
    pub fn read(path: &Path) -> Result<NightlyReport, NightlyError> {
        NightlyError::read(path, VERSION)
    }

    /// Returns the reports of the nightly runs before run `night`, the earliest first. Leaves out
    /// unfinished runs, which have no report, and reports of another version of the format.
    pub fn before(folder: &Folder, night: u32) -> Result<Vec<NightlyReport>, NightlyError> {
        let nights = folder.nights()?.into_iter().filter(|past| past.number < night);
        let mut reports = Vec::new();
        for past in nights {
            match NightlyReport::read(&past.nightly_report()) {
                Err(NightlyError::Version { .. }) => {}
                Err(NightlyError::Result(ResultError::Read { source, .. }))
                    if source.kind() == std::io::ErrorKind::NotFound => {}
                nightly => reports.push(nightly?),
            }
        }
        Ok(reports)
    }

    /// Returns the number of cases that were not judged, and the number of all cases, over all
    /// stages.
    pub fn wasted(&self) -> (u64, u64) {
        let told = self.stages.iter().filter_map(|stage| Some((stage.wasted?, stage.cases?)));
        told.fold((0, 0), |(wasted, cases), stage| (wasted + stage.0, cases + stage.1))
    }

    /// Returns the subject of a signature.
    pub fn subject_of(&self, signature: &str) -> &str {
        self.judged_as(signature).0
    }

    /// Returns the subject of a signature, and the rules under which it was found. The end of the
    /// signature names them, if they are not those of the plan.
    pub(crate) fn judged_as(&self, signature: &str) -> (&str, &str) {
        let setting = self.setting_of(signature);
        let subject = setting.and_then(|setting| setting.subject.as_deref());
        let rules = setting.and_then(|setting| setting.rules.as_deref());
        (subject.unwrap_or(&self.subject), rules.unwrap_or(&self.profile))
    }

    /// Returns the setting of the stages that can find a signature. `None` without stages.
    pub fn setting_of(&self, signature: &str) -> Option<&StageSetting> {
        let ends = self.stages.iter().map(|stage| (stage.setting.suffix(), &stage.setting));
        let ends = ends.filter(|(suffix, _)| signature.ends_with(suffix));
        ends.max_by_key(|(suffix, _)| suffix.len()).map(|(_, setting)| setting)
    }

    /// Returns whether an issue belongs to a subject that this run tested, under the rules of the test.
    pub(crate) fn has(&self, entry: &Entry) -> bool {
        let (subject, rules) = self.judged_as(&entry.signature);
        entry.scope.has(subject, rules)
    }

    /// Adds the folder of the nightly runs in front of a relative path, for use in a command line.
    pub fn in_folder(&self, file: &Path) -> PathBuf {
        self.folder.as_deref().unwrap_or(Path::new("")).join(file)
    }

    /// Returns the time of all stages together in seconds.
    pub fn seconds(&self) -> f64 {
        self.stages.iter().map(|stage| stage.seconds).sum()
    }

    fn judge(&self, policy: &Policy) -> Verdict {
        let mut reasons = Vec::new();
        let mut broke = false;
        for stage in &self.stages {
            let name = &stage.name;
            match &stage.at {
                Stage::Broke(why) => {
                    broke = true;
                    reasons.push(format!("stage {name} could not do its work: {why}"));
                }
                Stage::OutOfTime if stage.cases.is_none() => {
                    broke = true;
                    reasons.push(format!("stage {name} ran out of time and left no result; give it more"));
                }
                Stage::OutOfTime if policy.out_of_time => {
                    reasons.push(format!("stage {name} ran out of time"))
                }
                // If a failed stage has findings, the known-issues list decides whether they fail
                // the run. A failed stage without findings and problems fails the run.
                Stage::Failed if stage.seen.is_empty() && stage.problems.is_empty() => {
                    reasons.push(format!("stage {name} failed"));
                }
                _ => {}
            }
            if let Some(open) = stage.unexamined.filter(|_| policy.unexamined) {
                reasons.push(format!(
                    "stage {name}: {} not examined, and a new bug can be among them",
                    plural(open, "divergence was", "divergences were")
                ));
            }
            reasons.extend(stage.problems.iter().map(|problem| format!("stage {name}: {problem}")));
        }
        for line in &self.signatures {
            let is_refused = match &line.change {
                Change::New | Change::StillFailing | Change::Widened(_) | Change::Grown(_) => policy.new,
                Change::Known => policy.known,
                Change::Flaky => policy.flaky,
                Change::Regressed | Change::ExpectedHolds | Change::Expired | Change::NotAsked(_) => true,
                Change::Expected | Change::Fixed => false,
            };
            if is_refused {
                reasons.push(line.reason());
            }
        }
        let general = self.general();
        reasons.extend(general.iter().cloned());
        let worse = self.worse(policy);
        reasons.extend(worse.iter().cloned());
        let status = match (broke, reasons.is_empty()) {
            (true, _) => 3,
            (false, true) => 0,
            (false, false) => 1,
        };
        Verdict { status, reasons, general, worse }
    }

    /// Returns the reasons to fail that concern the whole run: changed files, missing modes, or no
    /// judged case.
    fn general(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        if let (false, Some(last)) = (self.changed_rules.is_empty(), &self.last) {
            let files: Vec<String> =
                self.changed_rules.iter().map(|file| format!("`{}`", quoted(file))).collect();
            let (files, night) = (files.join(", "), last.night);
            reasons.push(format!(
                "{files} changed since night {night}: check whether each known issue is one under the new rules"
            ));
        }
        if !self.changed_files.is_empty() {
            let files: Vec<String> =
                self.changed_files.iter().map(|file| format!("`{}`", quoted(file))).collect();
            reasons.push(format!(
                "{} changed while the run was running, so the run is not of one device, one profile and one list of known issues",
                files.join(", ")
            ));
        }
        if !self.undelivered_modes.is_empty() {
            let modes = lacking_text(&self.undelivered_modes);
            reasons.push(format!("the plan demands modes that the subject does not support: {modes}"));
        }
        if !self.undrawn_modes.is_empty() {
            let modes = lacking_text(&self.undrawn_modes);
            reasons.push(match self.executed_modes {
                Some(_) => format!("the plan demands modes of which no stage executed a case: {modes}"),
                None => format!(
                    "the plan demands modes, and no stage records which modes it executed: {modes}; add a stage of `fuzz` or \
                     `sweep` for the subject of the plan"
                ),
            });
        }
        if let (false, Some(last)) = (self.lost_modes.is_empty(), &self.last) {
            let (modes, night) = (lacking_text(&self.lost_modes), last.night);
            reasons
                .push(format!("the subject does not support any more, as it did in night {night}: {modes}"));
        }
        // A stage with its own subject shows nothing about the subject of the plan.
        let of_subject = self.stages.iter().filter(|stage| stage.setting.subject.is_none());
        if of_subject.filter_map(StageFacts::judged).sum::<u64>() == 0 {
            reasons.push("no case of the subject was judged in this run".into());
        }
        reasons
    }

    /// Returns the greatest error of each function, before and now, with the comparison that
    /// contains it. A function that the baseline did not measure is compared with the run before.
    fn errors(&self) -> BTreeMap<&String, (&NightlyChange, &[f64; 2])> {
        let bases = self.last.iter().chain(&self.baseline);
        bases.flat_map(|base| base.max_ulp.iter().map(move |(name, pair)| (name, (base, pair)))).collect()
    }

    /// Returns a reason for each figure that became worse than the policy allows.
    fn worse(&self, policy: &Policy) -> Vec<String> {
        let mut reasons = Vec::new();
        if let (Some(most), Some(last)) = (policy.coverage_lost, &self.last) {
            for (stage, [before, now]) in &last.coverage {
                let lost = (before.share() - now.share()) * 100.0;
                if lost > most {
                    reasons.push(format!("stage {stage} lost {lost:.4} percentage points of coverage"));
                }
            }
        }
        if let Some(most) = policy.ulp_grown {
            for (function, (base, [before, now])) in self.errors() {
                if now - before > most {
                    let night = base.measured_in.get(function).copied().unwrap_or(base.night);
                    let [before, now] = [before, now].map(|ulp| telling_decimals(*ulp, 6));
                    reasons.push(format!(
                        "{function}: the greatest error grew from {before} ulp in night {night} to {now}"
                    ));
                }
            }
        }
        if let (Some(most), Some(last)) = (policy.slowed, &self.last) {
            for (stage, [before, now]) in &last.rates {
                let lost = 1.0 - now / before;
                if lost > most {
                    reasons.push(format!("stage {stage} lost {:.0} % of its speed", lost * 100.0));
                }
            }
        }
        reasons
    }
}

impl Covered {
    /// Returns the share of the bins that were hit, 0 to 1. Without bins, the share is 1.
    pub fn share(&self) -> f64 {
        if self.bins == 0 { 1.0 } else { self.hit as f64 / self.bins as f64 }
    }
}
