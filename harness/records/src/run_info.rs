//! The record of a run, `run.json`: all about it that its result does not depend on.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ResultError, read_json};

/// Version of the format.
pub const VERSION: u32 = 1;
/// The result of a run, in its folder.
pub const RESULT: &str = "result.json";
/// The record beside it.
pub const RECORD: &str = "run.json";

/// How a result came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunInfo {
    /// Version of this format.
    pub version: u32,
    /// Version of assay.
    pub assay: String,
    /// The command line.
    pub command: Vec<String>,
    /// Worker threads.
    pub jobs: usize,
    /// How long the last session took.
    pub seconds: f64,
    /// SHA-256 of the result; none in records of before there was one.
    pub result: Option<String>,
    /// The builds of assay that counted, the last one last; one unless the user let them mix.
    pub builds: Vec<String>,
    /// Whether the certificates of the filters that the run needed were verified for this build, by function.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub certificates: BTreeMap<String, String>,
}

/// The record beside a result. A file of another name than a run gives to its result has none, for a record that lies
/// beside it may be another's.
pub(crate) fn beside(path: &Path) -> Result<RunInfo, ResultError> {
    let record = path.with_file_name(RECORD);
    match path.file_name().is_some_and(|name| name == RESULT) && record.exists() {
        true => read_json(&record),
        false => Ok(RunInfo::default()),
    }
}
