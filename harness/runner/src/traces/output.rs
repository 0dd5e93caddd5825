//! The JSON output of `trace info` and `trace check`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::stats::agreement::Agreement;
use assay_engine::stats::tally::Counts;
use assay_hardware::trace::Header;
use assay_records::commands::campaign::JudgedShares;
use assay_records::commands::function::Function;
use schemars::JsonSchema;
use serde::Serialize;

use super::census::Census;

/// The output of `assay trace info`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InfoOutput {
    /// The traces.
    pub traces: Vec<TraceInfo>,
}

/// A description of a trace.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TraceInfo {
    /// Path of the file.
    pub path: PathBuf,
    /// The header.
    pub header: Header,
    /// Number of row groups.
    pub row_groups: usize,
    /// Counts and sums over the rows.
    #[serde(flatten)]
    pub census: Census,
}

/// The output of `assay trace check`. Exit status 1 if `agreement` counts a case under
/// `trace_alone`, `model_alone`, `oracle_alone` or `no_two_agree`, if nothing was judged, or if
/// `judged` has a problem.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TraceCheckOutput {
    /// The traces.
    pub traces: Vec<CheckedTrace>,
    /// Number of cases that were counted, including those that a recorded device did not support.
    /// These are all cases of the traces, unless a trace is damaged or the command was interrupted.
    pub cases: u64,
    /// Number of recorded results by verdict.
    pub verdicts: Counts,
    /// Number of diverged results. Equals the number in `verdicts`.
    pub divergences: u64,
    /// Number of cases by agreement of trace, model and oracle.
    pub agreement: Agreement,
    /// Number of undefined cases by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// The accuracy of each function with an error bound.
    pub functions: BTreeMap<String, Function>,
    /// The judged share of each form, and which of these shares are too small.
    pub judged: JudgedShares,
    /// Paths of the findings, one for each signature.
    pub findings: Vec<PathBuf>,
    /// For each finding, which of trace, model and oracle is at fault, such as `the trace alone
    /// diverges`.
    pub blamed: Vec<&'static str>,
    /// Name of the profile.
    pub profile: String,
    /// Duration in seconds.
    pub seconds: f64,
    /// Cases judged per second.
    pub cases_per_second: f64,
    /// The folder of the run.
    pub out: PathBuf,
}

/// A judged trace.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedTrace {
    /// Path of the file.
    pub path: PathBuf,
    /// The header.
    pub header: Header,
}
