//! The outcome of a mutant: which check caught it, and at which case.

/// The detection of a mutant: by which check, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// Name of the check.
    pub check: &'static str,
    /// Number of the first case or word that shows the fault, counted from 0.
    pub case: u64,
    /// Seconds until the detection, as if the mutant had been tested alone: the time of the shared
    /// work, plus the time of the mutant's own work.
    pub seconds: f64,
}

/// The outcome of a mutant at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MutantOutcome {
    /// The detection by the oracle and the contracts of the profile.
    pub contract: Option<Detection>,
    /// The detection by the first bit that differs from the results of the sound model.
    pub bits: Option<Detection>,
    /// Number of cases or words on which the mutant was tested.
    pub cases: u64,
}

impl MutantOutcome {
    /// Creates the outcome of a mutant that both comparisons catch, or that neither catches.
    pub fn both(caught: Option<Detection>, cases: u64) -> MutantOutcome {
        MutantOutcome { contract: caught, bits: caught, cases }
    }
}
