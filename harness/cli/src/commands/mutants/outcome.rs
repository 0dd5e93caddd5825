//! What became of a mutant: which check caught it, and when.

use assay_engine::run::hunt::{Kill, Trail};

/// How a mutant was caught, and when.
#[derive(Clone, Copy)]
pub struct Caught {
    /// By which check.
    pub check: &'static str,
    /// The first case or word that shows it.
    pub case: u64,
    /// Seconds until then.
    pub seconds: f64,
}

impl From<Kill> for Caught {
    fn from(kill: Kill) -> Caught {
        Caught { check: kill.check.name(), case: kill.case, seconds: kill.seconds }
    }
}

/// What is known of a mutant.
#[derive(Clone, Copy, Default)]
pub struct Known {
    /// Caught by the contracts of the profile.
    pub contract: Option<Caught>,
    /// Caught as different from what is sound.
    pub bits: Option<Caught>,
    /// Cases or words that it was held against.
    pub cases: u64,
}

impl Known {
    /// A mutant that is caught by both comparisons, or by neither.
    pub fn both(caught: Option<Caught>, cases: u64) -> Known {
        Known { contract: caught, bits: caught, cases }
    }
}

impl From<Trail> for Known {
    fn from(trail: Trail) -> Known {
        let caught = |kill: Option<Kill>| kill.map(Caught::from);
        Known { contract: caught(trail.contract), bits: caught(trail.bits), cases: trail.cases }
    }
}
