//! The files of a run and the JSON output of the commands, one type for each.
//!
//! | module | content |
//! |---|---|
//! | [`RunResult`], `file` | `result.json`: the plan of a run, its finished shards and their counts |
//! | [`verdict`] | whether a run passed: computed once, stored in the result |
//! | `plan`, [`devices`] | the plan of a run, and the devices that take part |
//! | `consistency` | the check that the counts of a result agree with each other |
//! | [`run_info`] | `run.json`: the facts that a result does not depend on |
//! | [`checkpoint`] | the checkpoint file, written whole or not at all |
//! | [`progress`] | the progress of campaigns and sweeps in a checkpoint |
//! | [`merge`] | merges shards into one result |
//! | [`commands`] | the JSON output of the other commands |
//! | `storage` | reads and writes JSON files |
//!
//! A plan gives a result with the same bytes on any number of threads, shards and restarts. Facts
//! that depend on the machine, the clock or the progress are in `run.json`.
//!
//! The third line of a result is the SHA-256 of the file without that line (`sed 3d result.json |
//! sha256sum`). Reading refuses a result with a wrong digest, or with counts that contradict each
//! other.
//!
//! ```
//! use assay_records::RunResult;
//!
//! let error = RunResult::parse("result.json".as_ref(), b"{}".to_vec()).unwrap_err();
//! assert!(error.to_string().contains("result.json"));
//! ```

pub mod checkpoint;
pub mod commands;
pub(crate) mod consistency;
pub mod device_files;
pub mod devices;
pub mod file;
pub mod merge;
mod plan;
pub mod progress;
pub mod run_info;
mod storage;
pub mod verdict;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use assay_engine::coverage::layout::Layout;
use assay_engine::stats::tally::Tally;

pub use assay_engine::run::{MOST_SHARDS, Shard};
pub(crate) use assay_files::digest::sha256;
pub(crate) use plan::difference;
pub use plan::{ORACLE, Plan, Setting};
pub(crate) use storage::read_bytes;
pub use storage::{MOST_BYTES, ResultError, read_json, write_bytes, write_json};
pub use verdict::{RunDemands, RunVerdict, VerdictWord};

/// Version of the result format. Version 1 had no digest.
pub const VERSION: u32 = 2;

/// A result: a plan, its finished shards and the sum of their counts. The result of an interrupted
/// run has no finished shard. Such a result can be shown but not merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = file::describe_digest)]
pub struct RunResult {
    /// Version of the format.
    pub version: u32,
    /// The plan.
    pub plan: Plan,
    /// The finished shards. A whole run has the shard 0 of 1.
    pub shards: Vec<Shard>,
    /// Number of merged results that have no digest: results of format version 1.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unverified: u64,
    /// The coverage bins. Absent if the run counts none, and in older results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<Layout>,
    /// The counts.
    pub tally: Tally,
    /// Whether the run passed, and the reasons if it failed. Absent in older results, which are
    /// unverified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<RunVerdict>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl RunResult {
    /// Returns a result of one shard, without a verdict.
    pub fn new(plan: Plan, shard: Shard, tally: Tally) -> RunResult {
        RunResult {
            version: VERSION,
            plan,
            shards: vec![shard],
            unverified: 0,
            bins: None,
            tally,
            verdict: None,
        }
    }

    /// Returns the result with the list of its coverage bins.
    pub fn counting(self, bins: Layout) -> RunResult {
        RunResult { bins: Some(bins), ..self }
    }

    /// Returns the result of an interrupted run: it has no shards and no verdict.
    pub fn partial(plan: Plan, tally: Tally) -> RunResult {
        RunResult { shards: Vec::new(), ..RunResult::new(plan, Shard::WHOLE, tally) }
    }
}
