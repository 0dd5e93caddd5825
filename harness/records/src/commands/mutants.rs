//! The JSON of `mutants run` and `mutants vectors`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The output of `assay-lab mutants run`. Exit status 1 if `survivors` is not empty.
///
/// There are no sums over layers, because the codec has far more faults than the other layers.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct MutationReport {
    /// The scores of each family of mutants, in the order of the layers. Families without a mutant
    /// are left out.
    pub families: Vec<FamilyScore>,
    /// Names of the mutants whose results differ from those of the sound model, but violate no
    /// contract.
    pub within_contract: Vec<String>,
    /// Names of the mutants that were not caught, and that a proof shows to be equivalent to the
    /// sound model.
    pub equivalent: Vec<String>,
    /// Names of the mutants that were not caught and have no proof that they are equivalent. Also
    /// names of the mutants that were caught although they have such a proof.
    pub survivors: Vec<String>,
    /// The score of every mutant.
    pub mutants: Vec<MutantScore>,
    /// Duration in seconds.
    pub seconds: f64,
}

impl MutationReport {
    /// Returns whether every mutant either was caught or is proved to be equivalent, but not both.
    pub fn holds(&self) -> bool {
        self.survivors.is_empty()
    }
}

/// The scores of a family of mutants.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FamilyScore {
    /// The faulty layer: `semantics`, `batches` or `codec`.
    pub layer: String,
    /// Name of the family.
    pub family: String,
    /// Number of faults.
    pub faults: u64,
    /// Number of faults that a contract caught.
    pub killed: u64,
    /// Number of faults that a contract or the bit-by-bit comparison with the sound model caught.
    pub killed_bit_exact: u64,
    /// Number of faults that only the bit-by-bit comparison with the sound model caught.
    pub within_contract: u64,
    /// Number of faults that were not caught and have a proof that they are equivalent.
    pub equivalent: u64,
    /// Number of faults that were not caught, or were caught although they have a proof that they
    /// are equivalent.
    pub survivors: u64,
    /// Number of caught faults, by the check that caught them. It is a check of the contract, or
    /// the bit-by-bit comparison if no contract caught the fault.
    pub checks: BTreeMap<String, usize>,
    /// Number of cases until a fault was caught.
    pub cases_to_kill: MedianAndMax<u64>,
    /// Seconds until a fault was caught.
    pub seconds_to_kill: MedianAndMax<f64>,
}

/// The median and the maximum of some values.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MedianAndMax<T> {
    /// The median.
    pub median: T,
    /// The maximum.
    pub max: T,
}

/// The score of a mutant.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct MutantScore {
    /// Name of the mutant.
    pub name: String,
    /// The optype whose results or instruction words show the fault.
    pub optype: String,
    /// The faulty layer: `semantics`, `batches` or `codec`.
    pub layer: String,
    /// The family of the mutant.
    pub family: String,
    /// The outcome.
    #[serde(alias = "fate")]
    pub status: MutantStatus,
    /// How a contract caught the mutant. Null if none did.
    pub contract: Option<DetectionScore>,
    /// How the bit-by-bit comparison with the sound model caught the mutant. Null if it did not.
    pub bit_exact: Option<DetectionScore>,
    /// Number of cases or instruction words with which the mutant was tested.
    pub cases: u64,
    /// The proof that the mutant is equivalent. Null if it has none.
    pub proof: Option<String>,
}

/// The outcome of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MutantStatus {
    /// A contract caught the mutant.
    Killed,
    /// Only the bit-by-bit comparison with the sound model caught the mutant.
    WithinContract,
    /// The mutant was not caught, and a proof shows that it is equivalent to the sound model.
    Equivalent,
    /// The mutant was caught, although it has a proof that it is equivalent.
    Disproved,
    /// The mutant was not caught, and has no proof that it is equivalent.
    Survived,
}

/// How a mutant was caught.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DetectionScore {
    /// Name of the check.
    pub check: String,
    /// The index, from 0, of the first case or instruction word that shows the fault.
    pub first_case: u64,
    /// Seconds until the mutant was caught, as if it had been tested alone.
    pub seconds: f64,
}

/// The output of `assay-lab mutants vectors`. Exit status 1 if recorded cases miss a fault.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShownFaultsOutput {
    /// Number of faults of the model. Faults with a proof that they are equivalent are not counted.
    pub faults: u64,
    /// Number of faults with which a recorded case fails.
    pub shown: u64,
    /// The numbers of faults and of detected faults for each family of each layer.
    pub families: Vec<ShownFamily>,
    /// The faults with which no recorded case fails.
    pub missed: Vec<MissedFault>,
}

/// Numbers of the faults of a family that recorded cases show.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShownFamily {
    /// The faulty layer: `semantics` or `codec`.
    pub layer: String,
    /// Name of the family.
    pub family: String,
    /// Number of faults.
    pub faults: u64,
    /// Number of faults with which a recorded case fails.
    pub shown: u64,
}

/// A fault that recorded cases miss.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct MissedFault {
    /// Name of the fault.
    pub name: String,
    /// The optype whose results or instruction words show the fault.
    pub optype: String,
    /// The faulty layer: `semantics` or `codec`.
    pub layer: String,
    /// The family of the fault.
    pub family: String,
    /// A sentence that describes the fault.
    pub about: String,
    /// Number of recorded cases that execute the optype.
    pub cases: u64,
}
