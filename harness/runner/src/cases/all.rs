//! Every case of some suites held against a subject and against the oracle.

use std::path::PathBuf;

use super::check::{Checked, Held, check};
use super::suites::suites;
use crate::context::Context;
use crate::error::RunError;
use crate::subjects::Voice;

/// Counts of a check.
#[derive(Default)]
pub struct Counts {
    /// All of them.
    pub cases: u64,
    /// The subject did what was expected, `unjudged` ones included.
    pub held: u64,
    /// Nobody but the expectation judged what the subject did.
    pub unjudged: u64,
    /// The subject did something else, or the oracle refuses the expectation.
    pub failed: u64,
    /// Subject or oracle does not implement the instruction.
    pub unsupported: u64,
    /// The file says why they are not executed.
    pub skipped: u64,
    /// They hold nobody to anything.
    pub without_expectation: u64,
    /// The expectation is that of other readings than those in force.
    pub other_readings: u64,
}

/// What came of the cases of some suites.
#[derive(Default)]
pub struct CheckedSuites {
    /// How many of each kind.
    pub counts: Counts,
    /// The cases that failed, and why.
    pub failures: Vec<String>,
    /// The cases that are skipped, and why.
    pub skips: Vec<String>,
    /// The cases of other readings, and which.
    pub left_out: Vec<String>,
    /// Why not all cases were checked: what is under test was declared dead.
    pub gone: Option<RunError>,
}

/// Holds every case of files and folders against a subject and against the oracle.
pub fn check_all(context: &Context, paths: &[PathBuf], subject: &Voice) -> Result<CheckedSuites, RunError> {
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    let (mut skips, mut left_out) = (Vec::new(), Vec::new());
    let mut gone = None;
    'suites: for file in suites(paths)? {
        let path = &file.path;
        for case in &file.suite.cases {
            counts.cases += 1;
            if let Some(reason) = &case.skip {
                counts.skipped += 1;
                skips.push(format!("{} {}: {reason}", path.display(), case.name));
                continue;
            }
            let checked = match check(context, &file, case, subject.clone()) {
                Err(failure) if failure.is_finding() => {
                    gone = Some(failure);
                    counts.cases -= 1;
                    break 'suites;
                }
                checked => checked?,
            };
            match checked {
                Checked::Held(Held::Yes) => counts.held += 1,
                Checked::Held(Held::Unjudged) => {
                    counts.held += 1;
                    counts.unjudged += 1;
                }
                Checked::Held(Held::Unsupported) => counts.unsupported += 1,
                Checked::OtherReadings(readings) => {
                    counts.other_readings += 1;
                    left_out.push(format!("{} {}: {}", path.display(), case.name, readings.join(" ")));
                }
                Checked::Held(Held::NothingExpected) => counts.without_expectation += 1,
                Checked::Held(Held::No(problem)) => {
                    counts.failed += 1;
                    failures.push(format!("{} {}: {problem}", path.display(), case.name));
                }
            }
        }
    }
    Ok(CheckedSuites { counts, failures, skips, left_out, gone })
}
