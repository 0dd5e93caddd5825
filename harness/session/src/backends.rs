//! Chooses the reference model and the oracle of a profile.
//!
//! The engine itself depends on no particular model or oracle. The runner, libassay and the Python
//! package get both from this module, so that their verdicts agree.
//!
//! ```
//! use assay_session::backends;
//!
//! let profile = assay_vectors::Profile::load("intended")?;
//! let numbers = assay_isa::EncodingTable::provisional();
//! assert_eq!(backends::model(numbers, profile.readings).name(), backends::MODEL);
//! assert_eq!(backends::truth(profile.readings).name(), backends::ORACLE);
//! # Ok::<(), assay_vectors::VectorError>(())
//! ```

use assay_engine::compare::reference::ByContract;
use assay_isa::{EncodingTable, Oracle, Readings, Subject};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;

/// Name of the oracle, as results record it.
pub const ORACLE: &str = "mpfr";

/// Name of the reference model, as results record it.
pub const MODEL: &str = "model";

/// Returns the reference model under some readings.
pub fn model(numbers: &EncodingTable, readings: Readings) -> Box<dyn Subject> {
    assay_model::model(numbers.clone(), readings)
}

/// Returns the high-precision oracle, even for contracts that demand the model's bits.
pub fn truth(readings: Readings) -> Box<dyn Oracle> {
    Box::new(MpfrOracle::new(readings))
}

/// Returns the oracle of a profile: the high-precision oracle, or the model for modes whose
/// contract demands the model's bits.
pub fn oracle(numbers: &EncodingTable, profile: &Profile) -> Box<dyn Oracle> {
    let truth = truth(profile.readings);
    if profile.asks_for_model() {
        Box::new(ByContract::new(truth, model(numbers, profile.readings), profile.clone()))
    } else {
        truth
    }
}
