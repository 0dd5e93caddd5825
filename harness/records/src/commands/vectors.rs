//! What the commands of `vectors` print.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `assay vectors check` prints. Exit status 1 if a case failed, 2 if none was checked.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutput {
    /// All cases.
    pub cases: u64,
    /// Cases in which the subject did what was expected, `unjudged` ones included.
    pub held: u64,
    /// Cases among `held` that no bound judges, so that the expectation alone stands for them.
    pub unjudged: u64,
    /// Cases in which the subject did something else, or the oracle refuses the expectation.
    pub failed: u64,
    /// Cases whose instruction subject or oracle does not implement.
    pub unsupported: u64,
    /// Cases of which the file says why they are not executed.
    pub skipped: u64,
    /// Cases that expect nothing.
    pub without_expectation: u64,
    /// Cases whose expectation is that of other readings than those in force.
    pub other_readings: u64,
    /// The failed cases: `FILE CASE: what is wrong`.
    pub failures: Vec<String>,
    /// The skipped cases: `FILE CASE: the reason given`.
    pub skips: Vec<String>,
    /// The cases of other readings: `FILE CASE: E173=1`.
    pub left_out: Vec<String>,
}

/// What `assay vectors generate` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GenerateOutput {
    /// Each optype.
    pub suites: Vec<GeneratedSuite>,
}

/// The suite of an optype.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GeneratedSuite {
    /// The optype.
    pub optype: String,
    /// Known cases that hold, by the kind of their source.
    pub known: BTreeMap<String, u64>,
    /// Coverage bins of the optype.
    pub bins: usize,
    /// Bins that known cases hit.
    pub covered_by_known: usize,
    /// Bins that known and generated cases hit.
    pub covered: usize,
    /// Names of the bins that no case of either kind hits.
    pub left: Vec<String>,
    /// Cases that were written.
    pub generated: usize,
    /// Cases left out because the bound allows too many values to list.
    pub too_wide: usize,
    /// Instructions that were not written because model and oracle disagree: exit status 1.
    pub diverged: Vec<String>,
    /// The file; null where no case was written.
    pub path: Option<PathBuf>,
}

/// What `assay vectors promote` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PromoteOutput {
    /// The suite that has the case now.
    pub into: PathBuf,
    /// Name of the case.
    pub name: String,
}
