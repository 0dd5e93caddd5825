//! A divergence in a result: the instruction word and the inputs of its case. So it can be executed
//! again without the generator.

use std::collections::BTreeMap;

use assay_isa::{Batch, EncodingTable, Instruction, Location, codec};
use assay_vectors::Values;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::observation::{Observation, by_name};

/// A divergence with its values. It replays without the generator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ObservedDivergence {
    /// Index of the case in the campaign.
    pub index: u64,
    /// The encoded instruction.
    #[serde(with = "as_word")]
    #[schemars(with = "String")]
    pub word: u128,
    /// The values of the input locations.
    #[serde(with = "by_name")]
    #[schemars(with = "BTreeMap<String, u32>")]
    pub inputs: Values,
    /// The observed behaviour of the subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Observation>,
}

impl ObservedDivergence {
    /// Returns a lane of a batch as a divergence without an observed effect.
    pub fn of(batch: &Batch, lane: usize, index: u64) -> ObservedDivergence {
        ObservedDivergence { index, word: batch.word(), inputs: batch.lane(lane).collect(), seen: None }
    }

    /// Returns the instruction and a batch of one lane. `None` if the word does not decode to an
    /// instruction, or if an input has no value.
    pub fn materialise(&self, numbers: &EncodingTable) -> Option<(Instruction, Batch)> {
        let instruction = codec::decode(self.word, numbers).ok()?;
        if !instruction.reads().iter().all(|location| self.inputs.contains_key(location)) {
            return None;
        }
        // Results list locations in this order.
        let mut locations: Vec<Location> = self.inputs.keys().copied().collect();
        locations.sort_by_cached_key(Location::to_string);
        let mut batch = Batch::new(self.word, &locations, 1);
        for (place, location) in locations.iter().enumerate() {
            batch.column_mut(place)[0] = self.inputs[location];
        }
        Some((instruction, batch))
    }
}

/// An instruction word in a result: `0x` and 32 hexadecimal digits.
mod as_word {
    use assay_isa::shown::quoted;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(word: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{word:#034x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 32);
        digits.and_then(|digits| u128::from_str_radix(digits, 16).ok()).ok_or_else(|| {
            let text = quoted(&text);
            D::Error::custom(format_args!(
                "`{text}` is no instruction word; write 0x and 32 hexadecimal digits"
            ))
        })
    }
}
