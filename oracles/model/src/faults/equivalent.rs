//! Faults that nothing can show, each with the reason why.

use super::FaultInfo;

/// Names of faults and why nothing tells the faulty from the sound model.
const PROOFS: &[(&[&str], &str)] = &[];

impl FaultInfo {
    /// Why nothing can tell the fault from what is sound, if that is so.
    pub fn equivalent(&self) -> Option<&'static str> {
        PROOFS.iter().find(|(names, _)| names.contains(&self.name)).map(|(_, proof)| *proof)
    }
}

/// The names of all faults that have a proof.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PROOFS.iter().flat_map(|(names, _)| names.iter().copied())
}
