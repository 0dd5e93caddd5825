//! The JSON of `trace capture`, `trace vectors` and `trace code`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// The output of `assay trace capture`. Exit status 1 if no case was recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CaptureOutput {
    /// Path of the trace.
    pub out: PathBuf,
    /// Number of recorded cases.
    pub cases: u64,
    /// Number of cases that the subject does not support. They are not in the trace.
    pub unsupported: usize,
    /// Selected functions of which an implementation does not support some or all modes.
    pub not_generated: Vec<String>,
    /// SHA-256 of the rows and the header, in hexadecimal.
    pub hash: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

/// The output of `assay trace vectors`. Exit status 1 if `refused` or `model` is not empty, or if
/// no case was written.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct TraceVectorsOutput {
    /// Number of rows that were written as cases.
    pub written: u64,
    /// Number of rows that were left out because `--limit` cases of their function were already
    /// written.
    pub beyond_limit: u64,
    /// Number of rows that no bound covers.
    pub unjudged: u64,
    /// Number of rows whose result the specification leaves undefined.
    pub undefined: u64,
    /// Number of rows whose instruction the oracle or the model does not support.
    pub unsupported: u64,
    /// Rows that the oracle refuses, each with its number and the reason.
    pub refused: Vec<String>,
    /// Rows that the oracle accepts but on which the model diverges, each with its number and the
    /// reason.
    pub model: Vec<String>,
    /// Paths of the written suites.
    pub suites: Vec<PathBuf>,
    /// Name of the profile.
    pub profile: String,
}

/// The output of `assay trace code`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CodeOutput {
    /// The subject that assembled the kernels.
    pub subject: String,
    /// Number of assembled kernels.
    pub kernels: usize,
    /// Size of the code in bytes.
    pub bytes: u64,
    /// The folder of the code.
    pub out: PathBuf,
    /// Duration in seconds.
    pub seconds: f64,
}
