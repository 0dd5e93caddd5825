//! The progress of a nightly run. It is saved at each step and every few seconds, for `assay
//! status` and `--resume`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NightlyError;
use crate::files;
use crate::folder::{Folder, NightFolder};
use crate::plan::NightPlan;

/// Version of the format.
pub const VERSION: u32 = 2;

/// The state of a nightly run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NightState {
    /// Version of the format: 2.
    pub version: u32,
    /// Number of the nightly run.
    pub night: u32,
    /// Digest of the plan. The run continues only with the same plan.
    pub plan: String,
    /// The build of assay. A run continues only with the same build.
    pub build: String,
    /// SHA-256 of each file that the plan names, by path: the files of the devices, the profile,
    /// the encoding table. A run continues only with the same files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// SHA-256 of the known-issues list with which the run began or was resumed. Without a list,
    /// `unreadable`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub known_issues: String,
    /// The files that changed while the run was running.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub changed: BTreeSet<String>,
    /// Seed of the campaigns.
    pub seed: u64,
    /// Start time in UTC, by the clock of the machine. For information only.
    pub began: String,
    /// Number of times the run was resumed.
    pub resumed: u32,
    /// Whether the run is complete: every stage ended, and the pages were written.
    pub finished: bool,
    /// The stages, in the order of the plan.
    pub stages: Vec<StageState>,
}

/// The state of a stage of a nightly run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageState {
    /// Name of the stage.
    pub name: String,
    /// State of the stage.
    pub at: Stage,
    /// Time used in seconds, over all sessions.
    pub seconds: f64,
    /// Time budget in seconds.
    pub budget: f64,
    /// The last message of the stage on standard error.
    pub last: String,
}

/// The state of a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The stage has not started.
    Waiting,
    /// The stage is running, or was running when the nightly run was killed.
    Running,
    /// All checks of the stage passed.
    Held,
    /// A check of the stage failed. Its findings and its log have the details.
    Failed,
    /// The stage stopped at its time budget. Its results until then count.
    OutOfTime,
    /// The stage was skipped because a tool was missing. The value names the tool. Only in files of
    /// older versions.
    Skipped(String),
    /// The stage failed to do its work. The value is the reason.
    Broke(String),
}

impl Stage {
    /// Returns whether the stage ended in any way.
    pub fn is_over(&self) -> bool {
        !matches!(self, Stage::Waiting | Stage::Running)
    }

    /// Returns a word for pages.
    pub fn word(&self) -> &'static str {
        match self {
            Stage::Waiting => "waiting",
            Stage::Running => "running",
            Stage::Held => "held",
            Stage::Failed => "failed",
            Stage::OutOfTime => "out of time",
            Stage::Skipped(_) => "skipped",
            Stage::Broke(_) => "broke",
        }
    }
}

impl NightState {
    /// Returns the state of a nightly run that begins.
    pub fn new(plan: &NightPlan, night: u32, build: String) -> NightState {
        let stage = |stage: &crate::plan::StagePlan| StageState {
            name: stage.name.clone(),
            at: Stage::Waiting,
            seconds: 0.0,
            budget: stage.time.0.as_secs_f64(),
            last: String::new(),
        };
        NightState {
            version: VERSION,
            night,
            plan: plan.digest(),
            build,
            files: files::digests(plan),
            known_issues: String::new(),
            changed: BTreeSet::new(),
            seed: plan.seed.of(night),
            began: now(),
            resumed: 0,
            finished: false,
            stages: plan.stages.iter().map(stage).collect(),
        }
    }

    /// Notes the files that have changed since the run began.
    pub(crate) fn note_changed_files(&mut self, plan: &NightPlan) {
        let changed = files::changed(&self.files, &files::digests(plan));
        self.changed.extend(changed);
    }

    /// Stores the digest of the known-issues list. Later changes of the list are noted, because
    /// they fail the run.
    pub(crate) fn note_known_issues(&mut self, folder: &Folder) {
        self.known_issues = files::digest_of(&folder.known_issues());
    }

    /// Notes that the known-issues list has changed since the run began or was resumed.
    pub(crate) fn note_changed_known_issues(&mut self, folder: &Folder) {
        let path = folder.known_issues();
        if files::digest_of(&path) != self.known_issues {
            self.changed.insert(path.display().to_string());
        }
    }

    /// Reads the state of a nightly run.
    pub fn read(folder: &NightFolder) -> Result<NightState, NightlyError> {
        NightlyError::read(&folder.state(), VERSION)
    }

    /// Saves the state.
    pub fn write(&self, folder: &NightFolder) -> Result<(), NightlyError> {
        Ok(assay_records::write_json(&folder.state(), self)?)
    }
}

/// Returns the time in UTC, by the clock of the machine.
pub(crate) fn now() -> String {
    DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device could write a status into the list while it is tested.
    #[test]
    fn a_list_that_changes_while_the_run_is_running_is_noted() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = Folder::create(&parent.path().join("out")).expect("a folder");
        let plan = NightPlan::load(None).expect("a plan");
        let mut state = NightState::new(&plan, 1, "build".into());
        state.note_known_issues(&folder);
        state.note_changed_known_issues(&folder);
        assert!(state.changed.is_empty(), "there is no list, before and after");
        std::fs::write(folder.known_issues(), "version: 1\nentries: []\n").expect("a list");
        state.note_changed_known_issues(&folder);
        assert_eq!(state.changed.iter().collect::<Vec<_>>(), [&folder.known_issues().display().to_string()]);
    }
}
