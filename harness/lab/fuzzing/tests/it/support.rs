//! Shared by these tests: the model and the oracle under the readings of `intended`.

use assay_faults::Fault;
use assay_isa::{EncodingTable, Oracle, Readings, Subject};
use assay_mpfr::MpfrOracle;
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
