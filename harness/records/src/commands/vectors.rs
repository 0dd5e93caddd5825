//! The JSON of the commands of `vectors`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The output of `assay vectors check`. Exit status 1 if a case failed or `problems` is not empty.
/// Exit status 2 if no case was checked.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutput {
    /// Number of cases.
    pub cases: u64,
    /// Number of passed cases, including those in `unjudged`.
    pub held: u64,
    /// Number of passed cases whose result no bound covers. They were compared only with their
    /// expectation.
    pub unjudged: u64,
    /// Number of failed cases: the result of the subject differs from the expectation, or the
    /// oracle refuses the expectation.
    pub failed: u64,
    /// Number of cases whose instruction the subject or the oracle does not support.
    pub unsupported: u64,
    /// Number of `unsupported` cases to which the device answered `unsupported`, although it lists
    /// their optype.
    #[serde(default)]
    pub undeclared: u64,
    /// Number of cases that are not in the trace, if the subject is a trace.
    #[serde(default)]
    pub missing: u64,
    /// Number of cases that their file marks as skipped.
    pub skipped: u64,
    /// Number of cases without an expectation.
    pub without_expectation: u64,
    /// Number of cases whose expectation holds only under other readings, or under the contract of
    /// another profile.
    pub other_readings: u64,
    /// The passed cases, as `FILE CASE`.
    #[serde(default)]
    pub passed: Vec<String>,
    /// The failed cases, as `FILE CASE: failure`.
    pub failures: Vec<String>,
    /// The skipped cases, as `FILE CASE: reason`.
    pub skips: Vec<String>,
    /// The missing cases, as `FILE CASE`.
    #[serde(default)]
    pub not_recorded: Vec<String>,
    /// The cases in `other_readings`, as `FILE CASE: E173=1` or `FILE CASE: the contract of
    /// PROFILE`.
    pub left_out: Vec<String>,
    /// Number of YAML files without `cases` that were left out, by folder. Only files below a
    /// folder `profiles` or `errata` are left out.
    #[serde(default)]
    pub not_suites: BTreeMap<String, u64>,
    /// The optypes with `undeclared` cases that `--allow-undeclared` does not name, each with the
    /// number of these cases.
    #[serde(default)]
    pub problems: Vec<String>,
}

/// The output of `assay vectors generate`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GenerateOutput {
    /// The suite of each optype.
    pub suites: Vec<GeneratedSuite>,
}

/// The generated suite of an optype.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GeneratedSuite {
    /// Name of the optype.
    pub optype: String,
    /// Number of passed known cases, by the source of their expectation.
    pub known: BTreeMap<String, u64>,
    /// Number of coverage bins of the optype.
    pub bins: usize,
    /// Number of bins that known cases hit.
    pub covered_by_known: usize,
    /// Number of bins that known and generated cases hit.
    pub covered: usize,
    /// Names of the bins that no case hits.
    pub left: Vec<String>,
    /// Number of written cases.
    pub generated: usize,
    /// Number of cases that were left out, because their allowed values are too many to list.
    pub too_wide: usize,
    /// Instructions that were not written because subject and oracle disagree. Exit status 1 if the
    /// list is not empty.
    pub diverged: Vec<String>,
    /// Path of the suite. Null if no case was written.
    pub path: Option<PathBuf>,
}

/// The output of `assay vectors promote`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PromoteOutput {
    /// Path of the suite that the vector was added to.
    pub into: PathBuf,
    /// Name of the vector.
    pub name: String,
}
