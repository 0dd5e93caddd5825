//! Runs batches on several threads, and judges them: campaigns, sweeps and recorded traces.
//!
//! | file | what it holds |
//! |---|---|
//! | `epochs` | the run loop: units of work over threads, in epochs |
//! | `worker` | one batch executed, judged, checked and counted, by the first path that can |
//! | `batch_at` | the place of a batch in a run |
//! | `path` | the ways to judge a batch, which are tried in order |
//! | `looked_up` | one batch of a function of 16-bit numbers, by results that were judged before |
//! | `columns` | one batch of a function of one float, judged by columns |
//! | `enclosed` | one batch of any instruction, judged lane by lane from the oracle's truth |
//! | [`exhaustive`] | batches of neighbouring inputs of a function of 32 bits, with statistics |
//! | `progress` | progress of a run, hooks between epochs, and how the run ended |
//! | [`campaign`] | generated batches |
//! | [`sweep`] | every input of a unary function, every combination of listed operands |
//! | [`trace_judge`] | judges a recorded trace against the oracle, with the model as a witness |
//! | [`replay_subject`] | a subject that replays recorded cases |
//! | `shard` | shares of a run |
//! | [`sizes`] | which batches are given to a subject in parts or in several copies |

mod batch_at;
pub mod campaign;
mod columns;
mod enclosed;
mod epochs;
pub mod exhaustive;
mod looked_up;
mod path;
mod progress;
pub mod replay_subject;
mod shard;
pub mod sizes;
pub mod sweep;
pub mod trace_judge;
mod worker;

pub use progress::{CampaignError, ProgressKeeper, RunHooks, RunOutcome, RunProgress};
pub use shard::{MOST_SHARDS, Shard};
