//! Batches over threads: campaigns, sweeps and recorded traces.
//!
//! | file | what it holds |
//! |---|---|
//! | `epochs` | the run loop: units of work over threads, in epochs |
//! | `worker` | one batch executed, judged, checked and counted |
//! | `progress` | how far a run got, what its caller does between epochs, how it ended |
//! | [`campaign`] | generated batches |
//! | [`sweep`] | every input of a unary function, every combination of listed operands |
//! | [`recorded`] | what a device once did, held against the oracle with the model as a witness |
//! | [`playback`] | a subject that does again what was recorded |
//! | `shard` | shares of a run |
//! | [`sizes`] | which batches are given to a subject in parts, or several times over |

pub mod campaign;
mod epochs;
pub mod playback;
mod progress;
pub mod recorded;
mod shard;
pub mod sizes;
pub mod sweep;
mod worker;

pub use progress::{CampaignError, ProgressKeeper, RunHooks, RunOutcome, RunProgress};
pub use shard::{MOST_SHARDS, Shard};
