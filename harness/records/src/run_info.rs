//! `run.json`: the facts about a run on which its result does not depend.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::campaign::Remedy;
use crate::{ResultError, read_json};

/// Version of the format.
pub const VERSION: u32 = 1;
/// File name of a result in the folder of its run.
pub const RESULT: &str = "result.json";
/// File name of the [`RunInfo`] beside a result.
pub const RECORD: &str = "run.json";

/// The facts about a run on which its result does not depend.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunInfo {
    /// Version of the format.
    pub version: u32,
    /// Version of assay.
    pub assay: String,
    /// The command line.
    pub command: Vec<String>,
    /// Number of worker threads.
    pub jobs: usize,
    /// Duration of the last session in seconds.
    pub seconds: f64,
    /// Time when the result was written, by the clock of the machine: RFC 3339, UTC. Absent in older
    /// records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The machine of the last session. Absent in older records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// Commit of the source of assay, if the build recorded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Settings of readings under which most divergences would disappear. Absent if there are no
    /// such settings, and in older records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Remedy>,
    /// SHA-256 of the whole `result.json`. Null in older records.
    pub result: Option<String>,
    /// The builds of assay that executed cases, in order. Several builds only after
    /// `--other-build`.
    pub builds: Vec<String>,
    /// For each filter certificate that the run needed, by function: whether it was verified for
    /// this build.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub certificates: BTreeMap<String, String>,
}

/// A machine that executed a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// Operating system and architecture, such as `linux x86_64`.
    pub system: String,
    /// Name of the processor.
    pub processor: String,
    /// Number of processors that the program may use.
    pub processors: usize,
}

impl RunInfo {
    /// Returns the `run.json` beside a result. The record is read only for a file named
    /// `result.json`. Beside a file with another name, it may belong to another result. Without a
    /// record, all fields are empty.
    ///
    /// # Errors
    ///
    /// The record exists and cannot be read.
    pub fn beside(path: &Path) -> Result<RunInfo, ResultError> {
        let record = path.with_file_name(RECORD);
        if path.file_name().is_some_and(|name| name == RESULT) && record.exists() {
            read_json(&record)
        } else {
            Ok(RunInfo::default())
        }
    }
}
