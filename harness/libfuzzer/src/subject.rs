//! Which subjects and settings the targets are built with.

use assay_isa::EncodingTable;
use assay_runner::Context;
use assay_runner::subjects::{BuiltIn, SubjectName};

use crate::LibfuzzerError;

/// Reads the subject of the target `differential`: the model, or a mutant of it.
///
/// # Errors
///
/// The target is not built with that subject.
pub fn parse(text: &str) -> Result<SubjectName, String> {
    match text.parse() {
        Ok(implementation @ (BuiltIn::Model | BuiltIn::Mutant(_))) => Ok(implementation.into()),
        Err(problem) if text.starts_with("mutant:") => Err(problem),
        _ => Err("the target is built with the model alone; write model or mutant:FAULT".into()),
    }
}

/// Refuses a profile, a reading or numbers that the targets are not built with.
///
/// # Errors
///
/// One of these is given.
pub fn only_defaults(context: &Context) -> Result<(), LibfuzzerError> {
    let is_default = !context.profile_is_given
        && context.overrides.iter().next().is_none()
        && context.numbers.fingerprint() == EncodingTable::provisional().fingerprint();
    if is_default { Ok(()) } else { Err(LibfuzzerError::Setting) }
}
