//! Formats the message about a subject that a file names but that was not run.

use assay_isa::shown;
use assay_runner::inspect::participants::SubjectLeftOut;

/// Returns which subject did not run, and how to run it.
pub fn text(left_out: &SubjectLeftOut) -> String {
    let SubjectLeftOut { option, name, instead } = left_out;
    let (line, argument) = (shown::line(name), shown::argument(name));
    format!(
        "not run: the finding was made with `{line}`, which a file cannot start; {instead}.\n  To run it: {option} {argument}\n"
    )
}
