//! The selection of a run: the modes that patterns select.

use std::collections::BTreeMap;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::Scope;
use assay_engine::stats::judged;
use assay_isa::similar::did_you_mean;
use assay_isa::{Instruction, catalog};
use globset::GlobSet;

use crate::error::RunError;

/// The modes that are generated, and the selected ones that cannot be.
pub struct Selection {
    /// The modes.
    pub scope: Scope,
    /// Functions of the selection of which an implementation leaves out some or all modes.
    pub unsupported: Vec<String>,
}

/// Whether globs select an instruction, by its optype, form or function; everything where there is none.
pub fn selector(only: &[String]) -> Result<impl Fn(&Instruction) -> bool + use<>, RunError> {
    let names = |i: &Instruction| [i.optype().to_owned(), i.form().name.to_owned(), i.function()];
    let globs = globs("--only", only, Scope::everything().modes().flat_map(names), ALL_NAMES)?;
    let is_all = only.is_empty();
    Ok(move |i: &Instruction| is_all || names(i).iter().any(|name| globs.is_match(name)))
}

/// The modes that the globs select and that both implementations implement.
pub fn select(setup: &Setup<'_>, only: &[String]) -> Result<Selection, RunError> {
    let selected = selector(only)?;
    let wanted = Scope::filtered(&selected);
    let mut comparator = Comparator::new(setup);
    let mut modes: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    let mut missing: Vec<&Instruction> = Vec::new();
    for mode in wanted.modes() {
        let supported = comparator.supports_some(mode, setup.numbers)?;
        modes.entry(mode.function()).or_default()[usize::from(supported)] += 1;
        if !supported {
            missing.push(mode);
        }
    }
    let scope = Scope::filtered(|i| selected(i) && !missing.contains(&i));
    let name = |(function, [without, with]): (String, [u32; 2])| match (without, with) {
        (0, _) => None,
        (_, 0) => Some(function),
        (without, with) => Some(format!("{function} ({without} of {} modes)", without + with)),
    };
    Ok(Selection { scope, unsupported: modes.into_iter().filter_map(name).collect() })
}

/// The error for a name that no optype has.
pub fn unknown_optype(name: &str) -> RunError {
    let known = catalog().optypes().into_iter().map(|optype| optype.name);
    RunError::input(format!(
        "no optype is called {name}; {}",
        did_you_mean(name, known, "`assay isa list` has all")
    ))
}

/// The remedy where a pattern is like no name.
pub const ALL_NAMES: &str = "`assay isa list` has all optypes and forms";

/// Compiles the patterns of an option, as [`judged::globs`].
pub fn globs(
    option: &str,
    patterns: &[String],
    names: impl Iterator<Item = String>,
    remedy: &str,
) -> Result<GlobSet, RunError> {
    judged::globs(option, patterns, names, remedy).map_err(RunError::input)
}
