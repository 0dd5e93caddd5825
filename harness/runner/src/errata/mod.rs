//! Commands on errata: prove them with witnesses, find the readings that a subject follows, and
//! search for new cases.

pub mod discover;
pub mod output;
pub mod prove;
pub mod settle;

use std::path::Path;

use assay_isa::readings::{Erratum, SWITCHES};
use assay_vectors::Profile;
use assay_vectors::errata::{Class, Defect, Severity, built_in};
use assay_vectors::profile::BUILT_IN;

use crate::cases::suites::{SuiteFile, suites};
use crate::cases::witness::Witnesses;
use crate::context::Context;
use crate::error::RunError;
use crate::selection::globs;

/// Reads the witnesses in a file or folder. `None` selects those that the program carries.
pub fn witnesses(context: &Context, path: Option<&Path>) -> Result<Witnesses, RunError> {
    let Some(path) = path else { return Witnesses::new(context, SuiteFile::carried_witnesses()?) };
    if !path.exists() {
        let path = path.display();
        return Err(RunError::input(format!(
            "{path}: there are no witnesses; leave out --vectors for those that the program carries"
        )));
    }
    Witnesses::new(context, suites(&[path.to_owned()])?)
}

/// A selection of errata.
#[derive(Clone, Copy)]
pub struct Filter<'a> {
    /// Patterns of errata or optypes. Empty selects everything.
    pub only: &'a [String],
    /// Classes. Empty selects all.
    pub classes: &'a [Class],
    /// Severities. Empty selects all.
    pub severities: &'a [Severity],
    /// Whether only errata with a switch are selected.
    pub executable: bool,
}

impl Filter<'_> {
    /// Returns the errata that pass all filters.
    pub fn select(&self) -> Result<Vec<Defect>, RunError> {
        let all = built_in()?;
        let names = |defect: &Defect| {
            defect.optypes.iter().cloned().chain([defect.id.to_string()]).collect::<Vec<_>>()
        };
        let remedy = "give errata such as E053, or optypes such as FLO";
        let globs = globs("--only", self.only, all.iter().flat_map(names), remedy)?;
        let wanted = |defect: &Defect| {
            (self.only.is_empty() || names(defect).iter().any(|name| globs.is_match(name)))
                && (self.classes.is_empty() || self.classes.contains(&defect.class))
                && (self.severities.is_empty() || self.severities.contains(&defect.severity))
                && (!self.executable || defect.switch().is_some())
        };
        let selected: Vec<Defect> = all.iter().filter(|defect| wanted(defect)).cloned().collect();
        if selected.is_empty() {
            let switches = SWITCHES.len();
            return Err(RunError::input(format!(
                "no erratum is all of that; leave out a filter ({switches} errata have a switch)"
            )));
        }
        Ok(selected)
    }
}

/// Returns the errata with these names.
pub fn named(names: &[String]) -> Result<Vec<Defect>, RunError> {
    let all = built_in()?;
    let find = |name: &String| {
        let erratum: Erratum =
            name.parse().map_err(|e| RunError::input(format!("{e}; `assay errata list` has them all")))?;
        let found = all.iter().find(|defect| defect.id == erratum);
        found.cloned().ok_or_else(|| {
            RunError::input(if erratum.is_convention() {
                format!("{erratum} is a convention and no erratum; docs/readings.md has them all")
            } else {
                format!("there is no {erratum}; `assay errata list` has them all")
            })
        })
    };
    names.iter().map(find).collect()
}

/// Returns the built-in profiles that set readings themselves. The other built-in profiles differ
/// only in their bounds.
pub fn profiles() -> Result<Vec<Profile>, RunError> {
    let mut profiles = BUILT_IN.iter().map(|(name, _)| Profile::load(name)).collect::<Result<Vec<_>, _>>()?;
    profiles.retain(|profile| profile.basis.values().any(|basis| basis.profile == profile.name));
    Ok(profiles)
}
