//! Shared parts of these tests: the model and the oracle under the `intended` readings, and a plan for them.

use assay_faults::Fault;
use assay_isa::{EncodingTable, Oracle, Readings, Subject};
use assay_mpfr::MpfrOracle;
use assay_records::{RunResult, Setting};
use assay_vectors::Profile;

/// Returns the sound model.
pub fn model() -> Box<dyn Subject> {
    assay_model::model(EncodingTable::provisional().clone(), Readings::INTENDED)
}

/// Returns the model with a fault.
pub fn mutant(fault: Fault) -> Box<dyn Subject> {
    assay_faults::mutant(EncodingTable::provisional().clone(), Readings::INTENDED, fault)
}

/// Returns the oracle.
pub fn oracle() -> Box<dyn Oracle> {
    Box::new(MpfrOracle::new(Readings::INTENDED))
}

/// Returns the profile `intended`.
pub fn intended() -> Profile {
    Profile::load("intended").expect("a built-in profile")
}

/// Returns the setting of a plan that names model, oracle and profile, but no contract.
pub fn setting() -> Setting {
    Setting {
        subject: "model".into(),
        against: "mpfr".into(),
        profile: "intended".into(),
        readings: Default::default(),
        numbers: String::new(),
        contracts: Default::default(),
        generator: 1,
        judged: Default::default(),
        looser: None,
        inversions: Default::default(),
        devices: Default::default(),
        not_generated: Vec::new(),
    }
}

/// Returns the text of a result.
pub fn json(outcome: &RunResult) -> String {
    serde_json::to_string_pretty(outcome).expect("results are JSON")
}
