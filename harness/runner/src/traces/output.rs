//! What `trace info` and `trace check` print as JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::stats::agreement::Agreement;
use assay_engine::stats::tally::Counts;
use assay_hardware::trace::Header;
use assay_records::commands::function::Function;
use schemars::JsonSchema;
use serde::Serialize;

use super::census::Census;

/// What `assay trace info` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InfoOutput {
    /// Each trace.
    pub traces: Vec<TraceInfo>,
}

/// What is in a trace.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TraceInfo {
    /// The file.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
    /// Its row groups.
    pub row_groups: usize,
    /// What its rows hold.
    #[serde(flatten)]
    pub census: Census,
}

/// What `assay trace check` prints. Exit status 1 if trace, model or oracle stands alone, or nothing was judged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TraceCheckOutput {
    /// The traces.
    pub traces: Vec<CheckedTrace>,
    /// Cases that were judged: all of the traces, unless one is damaged or the command was interrupted.
    pub cases: u64,
    /// Verdicts on what was recorded.
    pub verdicts: Counts,
    /// The diverged ones of `verdicts`.
    pub divergences: u64,
    /// Every case once, by who agrees with whom.
    pub agreement: Agreement,
    /// Undefined cases by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// The accuracy of each function that a contract bounds.
    pub functions: BTreeMap<String, Function>,
    /// Files of the findings, one for each signature.
    pub findings: Vec<PathBuf>,
    /// Who is to blame for each of them.
    pub blamed: Vec<&'static str>,
    /// The profile in force.
    pub profile: String,
    /// Duration.
    pub seconds: f64,
    /// Cases judged a second.
    pub cases_per_second: f64,
    /// The folder of the run.
    pub out: PathBuf,
}

/// A trace that was judged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedTrace {
    /// The file.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
}
