//! A divergence as a run keeps it: a case that needs no generator to be replayed.

use std::collections::BTreeMap;

use assay_isa::{Batch, Instruction, Location, Numbers, codec};
use serde::{Deserialize, Serialize};

use crate::compare::observation::Observation;

/// A divergence as found, materialised: it needs no generator to be replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Found {
    /// Case index in the campaign.
    pub index: u64,
    /// The encoded instruction.
    pub word: String,
    /// Values of the locations it reads.
    pub inputs: BTreeMap<String, u32>,
    /// What the subject was seen to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Observation>,
}

impl Found {
    /// A lane of a batch as a finding, of which nothing was seen yet.
    pub fn of(batch: &Batch, lane: usize, index: u64) -> Found {
        let inputs = batch.lane(lane).map(|(l, v): (Location, u32)| (l.to_string(), v)).collect();
        Found { index, word: format!("{:#034x}", batch.word()), inputs, seen: None }
    }

    /// Its instruction and its batch of one lane; none if it does not name an instruction and all of its inputs.
    pub fn materialise(&self, numbers: &Numbers) -> Option<(Instruction, Batch)> {
        let word = u128::from_str_radix(self.word.strip_prefix("0x")?, 16).ok()?;
        let instruction = codec::decode(word, numbers).ok()?;
        let inputs = self.inputs.iter().map(|(name, value)| Some((name.parse::<Location>().ok()?, *value)));
        let inputs: Vec<(Location, u32)> = inputs.collect::<Option<_>>()?;
        let locations: Vec<Location> = inputs.iter().map(|(location, _)| *location).collect();
        if !instruction.reads().iter().all(|location| locations.contains(location)) {
            return None;
        }
        let mut batch = Batch::new(word, &locations, 1);
        for (index, (_, value)) in inputs.iter().enumerate() {
            batch.column_mut(index)[0] = *value;
        }
        Some((instruction, batch))
    }
}
