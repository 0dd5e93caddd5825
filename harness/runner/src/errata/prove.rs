//! Proves with the witnesses that no two settings of a switch are equivalent.

use std::collections::HashSet;

use assay_isa::readings::{SWITCHES, Switch};

use super::named;
use crate::cases::witness::{Witnesses, gaps};
use crate::context::Context;
use crate::error::RunError;

/// Returns the switches of the named errata and conventions, or all switches without names.
pub fn switches(names: &[String]) -> Result<Vec<&'static Switch>, RunError> {
    if names.is_empty() {
        return Ok(SWITCHES.iter().collect());
    }
    let switch = |name: &String| -> Result<&'static Switch, RunError> {
        let known = SWITCHES.iter().find(|switch| switch.erratum.to_string() == *name);
        if let Some(switch) = known {
            return Ok(switch);
        }
        let id = named(std::slice::from_ref(name))?[0].id;
        Err(RunError::input(format!(
            "{id} has no switch: every profile reads it in the same way; see `assay errata show {id}`"
        )))
    };
    let mut switches: Vec<&'static Switch> = names.iter().map(switch).collect::<Result<_, RunError>>()?;
    let mut seen = HashSet::new();
    switches.retain(|switch| seen.insert(switch.erratum));
    Ok(switches)
}

/// The proof of an erratum's settings by its witnesses.
pub struct Proof {
    /// The switch.
    pub switch: &'static Switch,
    /// Number of witnesses.
    pub witnesses: usize,
    /// The gaps in the proof.
    pub gaps: Vec<String>,
}

/// Proves the switches named, or all of them.
pub fn prove(context: &Context, names: &[String], witnesses: &Witnesses) -> Result<Vec<Proof>, RunError> {
    let prove = |switch: &'static Switch| {
        let groups = witnesses.groups(context, switch.erratum)?;
        let count = groups.iter().map(Vec::len).sum();
        Ok(Proof { switch, witnesses: count, gaps: gaps(switch, &groups) })
    };
    switches(names)?.into_iter().map(prove).collect()
}

impl Proof {
    /// Whether the proof has no gaps, so that no two settings are equivalent.
    pub fn holds(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Returns the number of settings of the switch.
    pub fn settings(&self) -> usize {
        self.switch.settings.len()
    }
}
