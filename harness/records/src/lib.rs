//! The files of a run and what commands print as JSON, each as one type. The files have their reading and writing here.
//!
//! | file | what it holds |
//! |---|---|
//! | [`RunResult`], `file` | `result.json`: the plan of a run, which shards of it are done, and what they counted |
//! | `plan`, [`devices`] | what a run sets out to do, and who is compared |
//! | `consistency` | whether what a file counts can be a result at all |
//! | [`run_info`] | `run.json`: how a result was made |
//! | [`checkpoint`] | progress on disk, whole or not at all |
//! | [`progress`] | the progress of campaigns and sweeps in a checkpoint |
//! | [`libfuzzer`] | `libfuzzer.json`, and what the commands of `assay libfuzzer` print |
//! | [`merge`] | shards to one result |
//! | [`commands`] | the JSON that commands print |
//! | `storage` | reading and writing of JSON, and why it fails |
//!
//! The same plan gives the same bytes on any number of threads, shards and restarts. What depends on the
//! machine, the clock and the progress goes to `run.json` instead.
//!
//! The third line of a result is the SHA-256 of the file without that line (`sed 3d result.json | sha256sum`). A
//! result that does not have this digest, or whose counts contradict each other, is refused.

pub mod checkpoint;
pub mod commands;
pub(crate) mod consistency;
pub mod devices;
pub mod file;
pub mod libfuzzer;
pub mod merge;
mod plan;
pub mod progress;
pub mod run_info;
mod storage;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use assay_engine::coverage::layout::Layout;
use assay_engine::stats::tally::Tally;

pub use assay_engine::run::{MOST_SHARDS, Shard};
pub(crate) use assay_files::digest::sha256;
pub(crate) use plan::difference;
pub use plan::{Plan, Setting};
pub(crate) use storage::read_bytes;
pub use storage::{MOST_BYTES, ResultError, read_json, write_bytes, write_json};

/// Version of the result format. Version 1 had no digest.
pub const VERSION: u32 = 2;

/// A result: a plan, the shards of it that are done, and their sum. An interrupted run has no shard that
/// is done; it can be looked at and not merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = file::describe_digest)]
pub struct RunResult {
    /// Version of this format.
    pub version: u32,
    /// The plan.
    pub plan: Plan,
    /// The shards that are done; all of a plan's shards together are the whole.
    pub shards: Vec<Shard>,
    /// How many results without a digest (version 1) are part of it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unverified: u64,
    /// The bins that the coverage is about; none of a run that counts none, and of results of before there was a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<Layout>,
    /// What they counted.
    pub tally: Tally,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl RunResult {
    /// A result of one shard.
    pub fn new(plan: Plan, shard: Shard, tally: Tally) -> RunResult {
        RunResult { version: VERSION, plan, shards: vec![shard], unverified: 0, bins: None, tally }
    }

    /// The same result, its coverage being about some bins.
    pub fn counting(self, bins: Layout) -> RunResult {
        RunResult { bins: Some(bins), ..self }
    }

    /// What an interrupted run counted.
    pub fn partial(plan: Plan, tally: Tally) -> RunResult {
        RunResult { shards: Vec::new(), ..RunResult::new(plan, Shard::WHOLE, tally) }
    }
}
