//! What a run is about: the modes that `--only` selects, and the parties that execute and judge them.

use assay_engine::compare::versus::Parties;
use assay_isa::{Oracle, Subject};

pub use assay_runner::selection::{globs, select};

/// The parties of a run under the global options.
pub fn parties<'a>(
    context: &'a assay_runner::Context,
    subject: &'a (dyn Fn() -> Box<dyn Subject> + Sync),
    oracle: &'a (dyn Fn() -> Box<dyn Oracle> + Sync),
) -> Parties<'a> {
    Parties { numbers: &context.numbers, profile: &context.profile, subject, oracle }
}
