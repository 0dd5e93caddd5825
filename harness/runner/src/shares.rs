//! Checks the globs in the demands of a run. Each must match a name in the instruction tables.

use assay_engine::generate::Scope;
use assay_engine::stats::judged::Demands;
use assay_records::{RunDemands, Setting};
use globset::GlobSet;

use crate::error::RunError;
use crate::selection;

/// Checks the globs of demands before a run begins. Returns the demands on the shares of judged
/// lanes.
///
/// # Errors
///
/// A glob is not valid, or matches no optype, form, function or mode.
pub fn check(demands: &RunDemands, setting: &Setting) -> Result<Demands, RunError> {
    let RunDemands { allow_unjudged, allow_undeclared, .. } = demands;
    for (option, globs) in [("--allow-unjudged", allow_unjudged), ("--allow-undeclared", allow_undeclared)] {
        allowed(option, &globs.iter().cloned().collect::<Vec<_>>())?;
    }
    demands.of_shares(setting).map_err(RunError::input)
}

/// Compiles the globs of an option that allows optypes, forms, functions or modes.
///
/// # Errors
///
/// A glob is not valid, or matches no name.
pub fn allowed(option: &str, globs: &[String]) -> Result<GlobSet, RunError> {
    if globs.is_empty() {
        return Ok(GlobSet::empty());
    }
    let every_name: Vec<String> = Scope::everything().modes().flat_map(selection::allowable).collect();
    selection::globs(option, globs, every_name.into_iter(), selection::ALL_NAMES)
}
