//! What a subject was seen to do in a lane that diverged.
//!
//! A fault can show once and never again. What is kept here is the effect that was judged, not one of a later run.

use std::collections::BTreeMap;

use assay_isa::Effects;
use serde::{Deserialize, Serialize};

use crate::compare::judge::Divergence;

/// The effect of one lane, and how it diverged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// The kind of the divergence.
    pub kind: String,
    /// The values written, by location.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub writes: BTreeMap<String, u32>,
    /// The event reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The erratum for which the subject called the lane undefined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// The first lane of the copy in which it was seen, where the subject was given the drawn batch several times over.
    #[serde(default, skip_serializing_if = "is_none")]
    pub first: usize,
    /// The signed error in ulp, as a decimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ulp: Option<String>,
}

fn is_none(first: &usize) -> bool {
    *first == 0
}

impl Observation {
    /// Whether the same was seen, however it was judged.
    pub fn is_same_effect(&self, other: &Observation) -> bool {
        self.writes == other.writes && self.event == other.event && self.undefined == other.undefined
    }

    /// The observation of a lane.
    pub fn of(effects: &Effects, lane: usize, divergence: &Divergence) -> Observation {
        let undefined = effects.undefined().iter().find(|(undefined, _)| *undefined == lane);
        Observation {
            kind: divergence.kind.name().to_owned(),
            writes: effects.lane(lane).map(|(location, value)| (location.to_string(), value)).collect(),
            event: effects.event_of(lane).map(ToString::to_string),
            undefined: undefined.map(|(_, erratum)| erratum.to_string()),
            first: effects.first(),
            ulp: divergence.error.map(|error| format!("{:+.6}", error.ulp())),
        }
    }
}
