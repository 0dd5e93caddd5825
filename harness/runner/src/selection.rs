//! The selection of a run: the modes that patterns select.

use std::collections::{BTreeMap, BTreeSet};

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::Scope;
use assay_engine::stats::judged::glob;
use assay_isa::Instruction;
use globset::{GlobSet, GlobSetBuilder};

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
    let optypes = || assay_isa::catalog().optypes().iter().map(|o| o.name).collect::<Vec<_>>().join(" ");
    let globs =
        globs(only, Scope::everything().modes().flat_map(names), || format!("optypes are {}", optypes()))?;
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

/// The patterns of `--only`. Each must match a name: otherwise a typing error would leave cases out unseen.
pub fn globs(
    only: &[String],
    names: impl Iterator<Item = String>,
    remedy: impl Fn() -> String,
) -> Result<GlobSet, RunError> {
    let mut set = GlobSetBuilder::new();
    for text in only {
        set.add(glob(text).map_err(|e| RunError::input(format!("--only {e}")))?);
    }
    let set = set.build().map_err(|e| RunError::input(e.to_string()))?;
    let used: BTreeSet<usize> = names.flat_map(|name| set.matches(name)).collect();
    let idle = only.iter().enumerate().find(|(place, _)| !used.contains(place));
    match idle {
        Some((_, glob)) => Err(RunError::input(format!("--only {glob} selects nothing; {}", remedy()))),
        None => Ok(set),
    }
}
