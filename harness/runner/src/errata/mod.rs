//! The specification's defects: what their witnesses prove, which readings a subject follows, and new cases about them.

pub mod discover;
pub mod prove;
pub mod settle;

use std::path::Path;

use assay_isa::readings::Erratum;
use assay_vectors::Profile;
use assay_vectors::errata::{Defect, built_in};
use assay_vectors::profile::BUILT_IN;

use crate::cases::suites::suites;
use crate::cases::witness::Witnesses;
use crate::context::Context;
use crate::error::RunError;

/// Reads the witnesses in a file or folder.
pub fn witnesses(context: &Context, path: &Path) -> Result<Witnesses, RunError> {
    if !path.exists() {
        let path = path.display();
        return Err(RunError::input(format!(
            "{path}: there are no witnesses; run in the project's folder, or name them with --vectors"
        )));
    }
    Witnesses::new(context, suites(&[path.to_owned()])?)
}

/// The errata named, of all of them.
pub fn named(names: &[String]) -> Result<Vec<Defect>, RunError> {
    let all = built_in()?;
    let find = |name: &String| {
        let erratum: Erratum =
            name.parse().map_err(|e| RunError::input(format!("{e}; `assay errata list` has them all")))?;
        let found = all.iter().find(|defect| defect.id == erratum);
        found.cloned().ok_or_else(|| {
            RunError::input(match erratum.is_convention() {
                true => format!("{erratum} is a convention and no erratum; docs/readings.md has them all"),
                false => format!("there is no {erratum}; `assay errata list` has them all"),
            })
        })
    };
    names.iter().map(find).collect()
}

/// The built-in profiles that set readings of their own; the others differ in their bounds alone.
pub fn profiles() -> Result<Vec<Profile>, RunError> {
    let mut profiles = BUILT_IN.iter().map(|(name, _)| Profile::load(name)).collect::<Result<Vec<_>, _>>()?;
    profiles.retain(|profile| profile.basis.values().any(|basis| basis.profile == profile.name));
    Ok(profiles)
}
