//! Checks each case of some suites on a subject and in the oracle.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_isa::shown::plural;
use assay_records::commands::vectors::CheckOutput;

use super::check::{CheckResult, CheckedCase, check};
use super::suites::{not_suites, suites};
use crate::context::Context;
use crate::error::RunError;
use crate::selection;
use crate::shares;
use crate::subjects::SubjectName;

/// The results of checked suites.
#[derive(Default)]
pub struct CheckedSuites {
    /// The counts, and the names of the cases that failed, passed or were left out.
    pub output: CheckOutput,
    /// The error that ended the check early: the subject was declared dead.
    pub gone: Option<RunError>,
}

/// Checks each case of files and folders on a subject and in the oracle. `allow_undeclared` has
/// globs over optypes, forms and functions. A device may list the matching functions and still
/// answer `unsupported` to them.
///
/// # Errors
///
/// A file cannot be read, a glob matches no name, or the subject cannot be used.
pub fn check_all(
    context: &Context,
    paths: &[PathBuf],
    subject: &SubjectName,
    allow_undeclared: &[String],
) -> Result<CheckedSuites, RunError> {
    let allowed = shares::allowed("--allow-undeclared", allow_undeclared)?;
    let mut undeclared: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut output = CheckOutput { not_suites: not_suites(paths)?, ..CheckOutput::default() };
    let mut gone = None;
    'suites: for file in suites(paths)? {
        let path = &file.path;
        for case in &file.suite.cases {
            output.cases += 1;
            if let Some(reason) = &case.skip {
                output.skipped += 1;
                output.skips.push(format!("{} {}: {reason}", path.display(), case.name));
                continue;
            }
            let checked = match check(context, &file, case, subject.clone()) {
                Err(failure) if failure.is_finding() => {
                    gone = Some(failure);
                    output.cases -= 1;
                    break 'suites;
                }
                checked => checked?,
            };
            match checked {
                CheckedCase::Held(held @ (CheckResult::Yes | CheckResult::Unjudged)) => {
                    output.held += 1;
                    output.unjudged += u64::from(matches!(held, CheckResult::Unjudged));
                    output.passed.push(format!("{} {}", path.display(), case.name));
                }
                CheckedCase::Held(CheckResult::Unsupported) => output.unsupported += 1,
                CheckedCase::Undeclared(instruction) => {
                    output.unsupported += 1;
                    output.undeclared += 1;
                    if !selection::is_named(&allowed, &instruction) {
                        *undeclared.entry(instruction.optype()).or_default() += 1;
                    }
                }
                CheckedCase::Missing => {
                    output.missing += 1;
                    output.not_recorded.push(format!("{} {}", path.display(), case.name));
                }
                CheckedCase::OtherReadings(readings) => {
                    output.other_readings += 1;
                    output.left_out.push(format!("{} {}: {}", path.display(), case.name, readings.join(" ")));
                }
                CheckedCase::Held(CheckResult::NothingExpected) => output.without_expectation += 1,
                CheckedCase::Held(CheckResult::No(problem)) => {
                    output.failed += 1;
                    output.failures.push(format!("{} {}: {problem}", path.display(), case.name));
                }
            }
        }
    }
    output.problems = undeclared.into_iter().map(problem).collect();
    Ok(CheckedSuites { output, gone })
}

/// Returns the message about an optype that a device lists, although it answered `unsupported`.
fn problem((optype, cases): (&'static str, u64)) -> String {
    format!(
        "{optype}: the device lists it, and answered `unsupported` to {}; have the device declare its modes (version 2), \
         or add --allow-undeclared {optype}",
        plural(cases, "case", "cases")
    )
}
