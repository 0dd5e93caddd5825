//! Cases of a trace, counted by the agreement of trace, model and oracle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::counts::is_zero;

/// Number of cases of a trace, by agreement of trace, model and oracle. Each case is in exactly one
/// of the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// Trace and model are equal bit by bit, and the oracle accepts the result.
    pub agree: u64,
    /// Trace and model differ, and the oracle accepts both.
    pub both_hold: u64,
    /// The trace diverges, and the model passes.
    pub trace_alone: u64,
    /// The model diverges, and the trace passes.
    pub model_alone: u64,
    /// Trace and model are equal bit by bit, and the oracle refuses the result.
    pub oracle_alone: u64,
    /// Trace and model differ, and the oracle refuses both.
    pub no_two_agree: u64,
    /// No bound applies to the result.
    pub unjudged: u64,
    /// The specification leaves the result undefined under the readings in force.
    pub undefined: u64,
    /// The oracle does not support the instruction.
    pub unsupported: u64,
    /// The model does not support the instruction.
    pub unanswered: u64,
    /// The recorded device did not support the case, so that the trace has no result of it. Absent if 0,
    /// and in older results.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub declined: u64,
}

impl Agreement {
    /// Whether no case is counted.
    pub fn is_empty(&self) -> bool {
        *self == Agreement::default()
    }

    /// Returns the number of all cases.
    pub fn total(&self) -> u64 {
        self.each().into_iter().map(|(_, count)| count).sum()
    }

    /// Returns the counts with their names.
    pub fn each(&self) -> [(&'static str, u64); 11] {
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
            ("unsupported by the recorded device", self.declined),
        ]
    }

    /// Whether trace, model or oracle alone differs from the other two in some case, or no two
    /// agree.
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
        self.declined += other.declined;
    }
}
