//! The names that the demands of a run allow, checked against the tables.

use assay_engine::generate::Scope;
use assay_engine::stats::judged::Demands;
use assay_isa::{Instruction, asm};
use assay_records::{RunDemands, Setting};

use crate::error::RunError;
use crate::selection;

/// Checks the globs of demands before a run begins. Returns the demands on its shares.
///
/// # Errors
///
/// A glob is not valid, or matches no optype, form or function.
pub fn check(demands: &RunDemands, setting: &Setting) -> Result<Demands, RunError> {
    let RunDemands { allow_unjudged, allow_undeclared, .. } = demands;
    for (option, globs) in [("--allow-unjudged", allow_unjudged), ("--allow-undeclared", allow_undeclared)] {
        if !globs.is_empty() {
            let globs: Vec<String> = globs.iter().cloned().collect();
            selection::globs(option, &globs, every_name(), selection::ALL_NAMES)?;
        }
    }
    demands.of_shares(setting).map_err(RunError::input)
}

/// The names by which something can be allowed: optypes, forms, functions and modes.
fn every_name() -> impl Iterator<Item = String> {
    let names =
        |i: &Instruction| [i.optype().to_owned(), i.form().name.to_owned(), i.function(), asm::mnemonic(i)];
    Scope::everything().modes().flat_map(names).collect::<Vec<_>>().into_iter()
}
