//! The active faults: those that the current instruction can show.

use super::{Bug, Fault, OperandFault};

/// The greatest number of faults that a model can have at once.
pub const MAX_FAULTS: usize = 2;

/// The planted faults that belong to the current instruction's optype.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ActiveFaults([Option<Fault>; MAX_FAULTS]);

impl ActiveFaults {
    pub(crate) fn new(faults: [Option<Fault>; MAX_FAULTS]) -> ActiveFaults {
        ActiveFaults(faults)
    }

    #[inline]
    pub(crate) fn faults(self) -> impl Iterator<Item = Fault> {
        self.0.into_iter().flatten()
    }

    #[inline]
    pub(crate) fn has(self, fault: Fault) -> bool {
        self.0.contains(&Some(fault))
    }

    /// Returns whether one of these faults is active. The faults belong to several optypes, but
    /// change the same place of the model.
    pub(crate) fn has_any(self, faults: &[Fault]) -> bool {
        self.faults().any(|fault| faults.contains(&fault))
    }

    /// Returns whether this bug is active, for any optype that can have it.
    pub(crate) fn has_bug(self, bug: Bug) -> bool {
        self.faults().any(|fault| matches!(fault, Fault::Common(planted, _) if planted == bug))
    }

    /// Returns the active fault that affects the operand at a position.
    pub(crate) fn misuse(self, position: usize) -> Option<OperandFault> {
        self.faults().find_map(|fault| match fault {
            Fault::Operand(_, spoiled, misuse) if usize::from(spoiled) == position => Some(misuse),
            _ => None,
        })
    }
}
