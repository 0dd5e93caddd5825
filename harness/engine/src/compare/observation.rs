//! The observed effects of a subject in a lane that diverged.
//!
//! A fault may show only once. So this type keeps the effect that was judged, not the effect of a
//! later run.

use std::collections::BTreeMap;

use assay_isa::{Effects, Erratum, Event};
use assay_vectors::Values;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::judge::Divergence;

/// The effect of one lane, and its divergence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// The kind of divergence.
    pub kind: String,
    /// The written values by location.
    #[serde(default, with = "by_name", skip_serializing_if = "by_name::is_empty")]
    #[schemars(with = "BTreeMap<String, u32>")]
    pub writes: Values,
    /// The reported event.
    #[serde(default, with = "assay_vectors::text::optional", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub event: Option<Event>,
    /// The erratum that the subject named when it reported the lane as undefined.
    #[serde(default, with = "assay_vectors::text::optional", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub undefined: Option<Erratum>,
    /// Index of the first lane of the diverging copy. Given if the subject received several copies
    /// of the batch in one call.
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
    /// Whether both observations have the same writes, the same event and the same undefined state.
    /// The kinds and errors of their divergences are not compared.
    pub fn is_same_effect(&self, other: &Observation) -> bool {
        self.writes == other.writes && self.event == other.event && self.undefined == other.undefined
    }

    /// The observation of a lane.
    pub fn of(effects: &Effects, lane: usize, divergence: &Divergence) -> Observation {
        let undefined = effects.undefined().iter().find(|(undefined, _)| *undefined == lane);
        Observation {
            kind: divergence.kind.name().to_owned(),
            writes: effects.lane(lane).collect(),
            event: effects.event_of(lane).copied(),
            undefined: undefined.map(|(_, erratum)| *erratum),
            first: effects.first(),
            ulp: divergence.error.map(|error| error.to_string()),
        }
    }
}

/// Serializes values as a map from the text of each location to a number, sorted by text.
pub(crate) mod by_name {
    use std::collections::BTreeMap;

    use assay_isa::Location;
    use assay_vectors::Values;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    pub fn is_empty(values: &Values) -> bool {
        values.0.is_empty()
    }

    pub fn serialize<S: Serializer>(values: &Values, serializer: S) -> Result<S::Ok, S::Error> {
        let named = values.iter().map(|(location, value)| (location.to_string(), *value));
        named.collect::<BTreeMap<_, _>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        let named = BTreeMap::<String, u32>::deserialize(deserializer)?.into_iter();
        let value = |(name, value): (String, u32)| name.parse::<Location>().map(|location| (location, value));
        named.map(value).collect::<Result<_, _>>().map(Values).map_err(D::Error::custom)
    }
}
