//! Verdicts under readings other than the current ones.

use assay_isa::{Answer, BackendError, Batch, Effects, Erratum, Instruction, Oracle, Readings, Truths};
use assay_vectors::Profile;

use crate::compare::comparator::PRECISION;
use crate::compare::judge::{Verdicts, judge};

/// Returns the oracle for some readings.
pub type Oracles<'a> = &'a dyn Fn(Readings) -> Box<dyn Oracle>;

/// Returns a profile with one reading changed. The switch must have the setting.
pub fn with_reading(profile: &Profile, erratum: Erratum, setting: u8) -> Profile {
    let mut profile = profile.clone();
    let set = profile.readings.set(erratum, setting);
    debug_assert!(set.is_ok(), "the switch has the setting");
    profile
}

/// Returns the verdicts on a subject's effects, by an oracle and a profile that may differ from
/// those of the run. Returns `None` if the oracle does not know the instruction, or needs the value
/// of a place that the batch does not have.
pub fn judge_as(
    oracle: &mut dyn Oracle,
    profile: &Profile,
    instruction: &Instruction,
    batch: &Batch,
    effects: &Effects,
) -> Result<Option<Verdicts>, BackendError> {
    let (mut truths, mut verdicts) = (Truths::default(), Verdicts::default());
    match oracle.truth(instruction, batch, PRECISION, &mut truths) {
        Ok(Answer::Known) => {}
        Ok(Answer::Unsupported) | Err(BackendError::MissingLocation(_)) => return Ok(None),
        Err(error) => return Err(error),
    }
    let contract = profile.contract_for(instruction);
    judge(&contract, instruction, &truths, effects, &mut verdicts);
    Ok(Some(verdicts))
}
