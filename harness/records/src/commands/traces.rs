//! What `trace capture`, `trace vectors` and `trace code` print.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// What `assay trace capture` prints. Exit status 1 if no case was recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CaptureOutput {
    /// The trace.
    pub out: PathBuf,
    /// Cases in it.
    pub cases: u64,
    /// Cases that the subject does not implement. They are not in the trace.
    pub unsupported: usize,
    /// Functions that no implementation knows, in whole or in part.
    pub not_generated: Vec<String>,
    /// Hash of the rows.
    pub hash: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Duration.
    pub seconds: f64,
}

/// What `assay trace vectors` prints. Exit status 1 if `refused` or `model` has a row, or no case was written.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct TraceVectorsOutput {
    /// Rows that became cases.
    pub written: u64,
    /// Rows of a function that has its cases already.
    pub beyond_limit: u64,
    /// Rows that no bound judges.
    pub unjudged: u64,
    /// Rows of which the specification leaves open what must come of them.
    pub undefined: u64,
    /// Rows whose instruction the oracle does not know.
    pub unsupported: u64,
    /// Rows that the oracle refuses, each with its number and why.
    pub refused: Vec<String>,
    /// Rows that the oracle accepts and the model fails, each with its number and why.
    pub model: Vec<String>,
    /// The suites that were written.
    pub suites: Vec<PathBuf>,
    /// The profile in force.
    pub profile: String,
}

/// What `assay trace code` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CodeOutput {
    /// The subject that assembled the kernels.
    pub subject: String,
    /// Kernels that were assembled.
    pub kernels: usize,
    /// Size of the code in bytes.
    pub bytes: u64,
    /// The folder of the code.
    pub out: PathBuf,
    /// Duration.
    pub seconds: f64,
}
