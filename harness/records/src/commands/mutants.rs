//! What `mutants run` prints.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `assay mutants run` prints. Exit status 1 if there is a survivor.
///
/// There is no sum over layers: the codec has many times the faults of all others, so a sum would tell of little else.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct MutationReport {
    /// Each family of each layer that has a mutant, the layers in their order.
    pub families: Vec<FamilyScore>,
    /// Names of those that only the sound model tells apart. They break no bound.
    pub within_contract: Vec<String>,
    /// Names of those that are not caught, as their proofs say.
    pub equivalent: Vec<String>,
    /// Names of those that survived, then of those whose proof is refuted.
    pub survivors: Vec<String>,
    /// Every mutant.
    pub mutants: Vec<MutantScore>,
    /// Duration.
    pub seconds: f64,
}

impl MutationReport {
    /// Returns whether every fault was caught, but for those that nothing can catch.
    pub fn holds(&self) -> bool {
        self.survivors.is_empty()
    }
}

/// What became of the mutants of a family, in numbers.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FamilyScore {
    /// The part of the work that they spoil: `semantics`, `batches` or `codec`.
    pub layer: String,
    /// Its name.
    pub family: String,
    /// All of them.
    pub faults: u64,
    /// Caught by the contracts.
    pub killed: u64,
    /// Caught by the contracts or the sound model.
    pub killed_bit_exact: u64,
    /// Caught only by the sound model.
    pub within_contract: u64,
    /// Not caught, as their proofs say.
    pub equivalent: u64,
    /// Not caught, or caught although a proof says that nothing can.
    pub survivors: u64,
    /// How many each check caught: by contract, or bit for bit where no contract did.
    pub checks: BTreeMap<String, usize>,
    /// Cases until the kill.
    pub cases_to_kill: MedianAndMax<u64>,
    /// Seconds until the kill.
    pub seconds_to_kill: MedianAndMax<f64>,
}

/// The middle and the end of some values.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MedianAndMax<T> {
    /// The value in the middle.
    pub median: T,
    /// The greatest value.
    pub max: T,
}

/// What became of a mutant, with the mutant.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct MutantScore {
    /// Its name.
    pub name: String,
    /// The optype in which it shows.
    pub optype: String,
    /// The part of the work that it spoils: `semantics`, `batches` or `codec`.
    pub layer: String,
    /// What it is counted under.
    pub family: String,
    /// What became of it.
    pub fate: MutantStatus,
    /// How the contracts caught it; null where they did not.
    pub contract: Option<DetectionScore>,
    /// How the comparison with what is sound caught it; null where that did not.
    pub bit_exact: Option<DetectionScore>,
    /// Cases or words that it was tested with.
    pub cases: u64,
    /// Why nothing can tell it from what is sound; null where something can.
    pub proof: Option<String>,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MutantStatus {
    /// Caught by the contracts.
    Killed,
    /// Caught only as different from what is sound.
    WithinContract,
    /// Not caught, as its proof says.
    Equivalent,
    /// Caught, although a proof says that nothing can.
    Disproved,
    /// Not caught.
    Survived,
}

/// How a mutant was caught.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DetectionScore {
    /// Name of the check.
    pub check: String,
    /// The first case or word that shows the fault, counted from 0.
    pub first_case: u64,
    /// Seconds until then, as if the mutant had been tested alone.
    pub seconds: f64,
}
