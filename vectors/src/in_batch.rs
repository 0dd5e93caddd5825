//! The batch in which a case is executed, for a case whose result depends on other lanes or earlier
//! batches.

use std::collections::BTreeMap;

use assay_isa::Batch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::ErrorKind;
use crate::values::Values;

/// Greatest number of lanes of a batch.
pub const MAX_LANES: u32 = 1 << 16;
/// Greatest number of batches that are executed before the batch of a case.
pub const MAX_BEFORE: usize = 64;

/// The batch of a case. Every lane that `others` does not list has the inputs of the case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InBatch {
    /// Number of lanes, 1 to 65536.
    #[schemars(range(min = 1, max = 65536))]
    pub lanes: u32,
    /// The judged lane, counted from 0. It has the inputs of the case.
    pub lane: u32,
    /// The inputs of other lanes, by their number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<u32, Values>,
    /// Batches to execute before this batch, in this order, at most 64.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub before: Vec<Earlier>,
}

/// A batch that is executed before the batch of the case. Its results are not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Earlier {
    /// The instruction as assembler text.
    pub asm: String,
    /// The inputs of each lane, at least one.
    #[schemars(length(min = 1, max = 65536))]
    pub lanes: Vec<Values>,
}

/// Batches to execute in sequence, and the judged lane of the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Rerun {
    /// Batches to execute first.
    pub before: Vec<Batch>,
    /// The batch of the case.
    pub batch: Batch,
    /// The lane of the case.
    pub lane: usize,
}

/// Returns a batch in which every lane has the inputs of the first lane of `case`.
pub fn uniform(case: &Batch, lanes: usize) -> Batch {
    let mut batch = Batch::new(case.word(), case.locations(), lanes);
    for (place, (_, value)) in case.lane(0).enumerate() {
        batch.column_mut(place).fill(value);
    }
    batch
}

impl Rerun {
    /// Returns a rerun in which every lane has the inputs of the case, and `lane` is judged.
    pub fn uniform(case: &Batch, lanes: usize, lane: usize) -> Rerun {
        Rerun { before: Vec::new(), batch: uniform(case, lanes), lane }
    }
}

impl InBatch {
    /// Checks the rules that need no encoding table.
    pub(crate) fn check(&self) -> Result<(), ErrorKind> {
        let problem = if !(1..=MAX_LANES).contains(&self.lanes) {
            format!("`lanes` is {}; a batch has 1 to {MAX_LANES}", self.lanes)
        } else if self.lane >= self.lanes {
            format!("`lane` is {}, and the batch has {} lanes, counted from 0", self.lane, self.lanes)
        } else if let Some(other) = self.others.keys().find(|other| **other >= self.lanes) {
            format!("`others` names lane {other}, and the batch has {} lanes, counted from 0", self.lanes)
        } else if self.others.contains_key(&self.lane) {
            format!("`others` names lane {}, which holds the inputs of the case", self.lane)
        } else if self.before.len() > MAX_BEFORE {
            format!("`before` has {} batches; write {MAX_BEFORE} at most", self.before.len())
        } else if self.before.iter().any(|batch| !(1..=MAX_LANES as usize).contains(&batch.lanes.len())) {
            format!("a batch of `before` has no lanes, or more than {MAX_LANES}")
        } else {
            return Ok(());
        };
        Err(ErrorKind::Shape(format!("`batch`: {problem}")))
    }

    /// Converts a rerun into its form in case files. `None` if the rerun exceeds the limits of that
    /// form, or if `print` returns `None` for a batch.
    pub fn of(rerun: &Rerun, print: impl Fn(&Batch) -> Option<String>) -> Option<InBatch> {
        let Rerun { before, batch, lane } = rerun;
        let own: Values = batch.lane(*lane).collect();
        let lanes = (0..batch.len()).map(|lane| (lane as u32, batch.lane(lane).collect::<Values>()));
        let others = lanes.filter(|(_, values)| *values != own).collect();
        let earlier = |batch: &Batch| {
            let lanes = (0..batch.len()).map(|lane| batch.lane(lane).collect()).collect();
            Some(Earlier { asm: print(batch)?, lanes })
        };
        let before = before.iter().map(earlier).collect::<Option<Vec<_>>>()?;
        let held = InBatch { lanes: batch.len() as u32, lane: *lane as u32, others, before };
        held.check().is_ok().then_some(held)
    }
}
