//! Cases of a trace, counted by who agrees with whom: trace, model and oracle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Cases of a trace by who agrees with whom. All counts together are all cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// Trace and model are the same to the bit, and the oracle accepts it.
    pub agree: u64,
    /// Trace and model differ, and the oracle accepts both.
    pub both_hold: u64,
    /// The trace diverges, and the model holds.
    pub trace_alone: u64,
    /// The model diverges, and the trace holds.
    pub model_alone: u64,
    /// Trace and model are the same to the bit, and the oracle accepts neither.
    pub oracle_alone: u64,
    /// Trace and model differ, and the oracle accepts neither.
    pub no_two_agree: u64,
    /// No bound says how near the result must be.
    pub unjudged: u64,
    /// The specification, in the reading at hand, does not say what must come of it.
    pub undefined: u64,
    /// The oracle does not know the instruction.
    pub unsupported: u64,
    /// The model does not know the instruction.
    pub unanswered: u64,
}

impl Agreement {
    /// Whether nothing is counted.
    pub fn is_empty(&self) -> bool {
        *self == Agreement::default()
    }

    /// All cases.
    pub fn total(&self) -> u64 {
        self.each().into_iter().map(|(_, count)| count).sum()
    }

    /// The counts by name.
    pub fn each(&self) -> [(&'static str, u64); 10] {
        [
            ("trace, model and oracle agree", self.agree),
            ("trace and model differ, and both hold", self.both_hold),
            ("the trace alone diverges", self.trace_alone),
            ("the model alone diverges", self.model_alone),
            ("the oracle alone differs", self.oracle_alone),
            ("no two agree", self.no_two_agree),
            ("not judged", self.unjudged),
            ("undefined", self.undefined),
            ("unsupported by the oracle", self.unsupported),
            ("unsupported by the model", self.unanswered),
        ]
    }

    /// Whether somebody is blamed.
    pub fn is_broken(&self) -> bool {
        self.trace_alone + self.model_alone + self.oracle_alone + self.no_two_agree > 0
    }

    pub(crate) fn merge(&mut self, other: &Agreement) {
        self.agree += other.agree;
        self.both_hold += other.both_hold;
        self.trace_alone += other.trace_alone;
        self.model_alone += other.model_alone;
        self.oracle_alone += other.oracle_alone;
        self.no_two_agree += other.no_two_agree;
        self.unjudged += other.unjudged;
        self.undefined += other.undefined;
        self.unsupported += other.unsupported;
        self.unanswered += other.unanswered;
    }
}
