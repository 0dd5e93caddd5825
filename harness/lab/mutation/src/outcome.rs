//! The outcome of a mutant: which check caught it, and when.

/// How a mutant was caught, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// Name of the check.
    pub check: &'static str,
    /// The first case or word that shows the fault.
    pub case: u64,
    /// Seconds until then, as if the mutant had been tested alone: the work that is shared and its own.
    pub seconds: f64,
}

/// The result of a mutant at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MutantOutcome {
    /// Caught by the oracle and the contracts of the profile.
    pub contract: Option<Detection>,
    /// Caught as different from the sound model, in any bit.
    pub bits: Option<Detection>,
    /// Cases or words that it was tested with.
    pub cases: u64,
}

impl MutantOutcome {
    /// A mutant that both comparisons catch, or neither.
    pub fn both(caught: Option<Detection>, cases: u64) -> MutantOutcome {
        MutantOutcome { contract: caught, bits: caught, cases }
    }
}
