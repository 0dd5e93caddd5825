//! How far a night is: saved at each step and every few seconds, for `assay status`, and for whoever goes on with it.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NightlyError;
use crate::folder::NightFolder;
use crate::plan::NightPlan;

/// Version of the format.
pub const VERSION: u32 = 2;

/// A night.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NightState {
    /// Version of the format: 2.
    pub version: u32,
    /// Which night.
    pub night: u32,
    /// Digest of the plan: whoever goes on with the night must have the same.
    pub plan: String,
    /// The build of assay: nights of different ones can be compared, and no night is divided between two.
    pub build: String,
    /// The seed of its campaigns.
    pub seed: u64,
    /// When it began, by the clock of the machine: for people, nothing is decided by it.
    pub began: String,
    /// How often it was gone on with.
    pub resumed: u32,
    /// Whether every stage came to its end and the pages were written.
    pub finished: bool,
    /// The stages, in the order of the plan.
    pub stages: Vec<StageState>,
}

/// What `assay status` prints as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatusOutput {
    /// Whether the night runs now.
    pub running: bool,
    /// How far it is.
    pub state: NightState,
}

/// A stage of a night.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageState {
    /// Its name.
    pub name: String,
    /// How far it is.
    pub at: Stage,
    /// Time spent on it, in seconds, over all sessions.
    pub seconds: f64,
    /// Its budget, in seconds.
    pub budget: f64,
    /// The last line that it wrote.
    pub last: String,
}

/// How far a stage is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Its turn has not come.
    Waiting,
    /// It runs, or did when the night was killed.
    Running,
    /// Everything held.
    Held,
    /// Something did not: what, is in its findings and its log.
    Failed,
    /// It ended at its budget; what it did until then counts.
    OutOfTime,
    /// What it needs is not installed, which the plan bears: what is missing.
    Skipped(String),
    /// It could not do its work, and why.
    Broke(String),
}

impl Stage {
    /// Whether it came to an end of any kind.
    pub fn is_over(&self) -> bool {
        !matches!(self, Stage::Waiting | Stage::Running)
    }

    /// A word for a page.
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
    /// A night that begins.
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
            seed: plan.seed.of(night),
            began: now(),
            resumed: 0,
            finished: false,
            stages: plan.stages.iter().map(stage).collect(),
        }
    }

    /// Reads the state of a night.
    pub fn read(folder: &NightFolder) -> Result<NightState, NightlyError> {
        NightlyError::read(&folder.state(), VERSION)
    }

    /// Saves it.
    pub fn write(&self, folder: &NightFolder) -> Result<(), NightlyError> {
        Ok(assay_records::write_json(&folder.state(), self)?)
    }
}

/// The time by the clock of the machine.
pub(crate) fn now() -> String {
    DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Secs, true)
}
