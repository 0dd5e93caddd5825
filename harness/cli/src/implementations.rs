//! Reads the names of subjects on the command line.

use crate::output;

pub use assay_runner::subjects::{BuiltIn, ORACLE, PREFIX, SubjectName};

/// Reads any subject that a user can name.
pub fn parse_implementation(text: &str) -> Result<SubjectName, String> {
    SubjectName::from_command_line(text, tell)
}

/// Reads a subject that can execute new cases. Refuses a trace, which has only recorded results.
pub fn for_new_cases(text: &str) -> Result<SubjectName, String> {
    assay_runner::subjects::for_new_cases(text, tell)
}

/// Prints what a device reports.
pub fn tell(text: &str) {
    output::say(text);
}
