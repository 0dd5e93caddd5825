//! Shares of a run.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::generate::BatchPlan;

/// Maximum number of shards of a plan.
pub const MOST_SHARDS: u64 = 1_000_000;

/// A share of a plan: the batches whose index modulo `of` is `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Index of the shard, counted from 0.
    pub index: u64,
    /// Number of shards.
    pub of: u64,
}

impl Shard {
    /// The only shard of an undivided plan.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Whether the index is below the number of shards, and this number is at most [`MOST_SHARDS`].
    pub fn is_valid(self) -> bool {
        self.index < self.of && self.of <= MOST_SHARDS
    }

    /// Returns the index in the plan of the shard's batch number `nth`.
    pub fn batch(self, nth: u64) -> u64 {
        nth.saturating_mul(self.of).saturating_add(self.index)
    }

    /// Returns the number of the shard's batches in a plan.
    pub fn batches(self, plan: BatchPlan) -> u64 {
        plan.batches().saturating_sub(self.index).div_ceil(self.of)
    }

    /// Returns the number of the shard's cases in a plan.
    pub fn cases(self, plan: BatchPlan) -> u64 {
        let (batches, lanes, owned) = (plan.batches(), plan.lanes(), self.batches(plan));
        match batches.checked_sub(1) {
            // All batches are full but the last.
            Some(last) if last % self.of == self.index => (owned - 1) * lanes + plan.lanes_of(last),
            _ => owned * lanes,
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}
