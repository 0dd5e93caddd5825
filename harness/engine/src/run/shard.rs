//! Shares of a run.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::generate::BatchPlan;

/// Shards that a plan can be divided into at most.
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
    /// The whole.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Whether there is such a share.
    pub fn is_valid(self) -> bool {
        self.index < self.of && self.of <= MOST_SHARDS
    }

    /// Index of its batch with that number.
    pub fn batch(self, nth: u64) -> u64 {
        nth.saturating_mul(self.of).saturating_add(self.index)
    }

    /// Batches of it in a plan.
    pub fn batches(self, plan: BatchPlan) -> u64 {
        plan.batches().saturating_sub(self.index).div_ceil(self.of)
    }

    /// Cases of it in a plan.
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
