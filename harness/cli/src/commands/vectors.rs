//! `assay vectors`: compares a subject and the oracle with recorded cases.

use std::path::PathBuf;

use assay_isa::shown;
use assay_isa::shown::plural;
use assay_records::commands::vectors::CheckOutput;
use assay_runner::cases::all::{CheckedSuites, check_all};
use assay_runner::cases::suites::suites;
use assay_runner::shares;
use clap::{Args, Subcommand};

use super::generate::Generate;
use super::promote::Promote;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};
use crate::output;
use crate::program::RunCommand;

/// Check, generate and promote vectors: recorded cases in YAML.
#[derive(Subcommand)]
pub enum Vectors {
    /// Check vectors against a subject and the oracle.
    Check(VectorsCheck),
    Generate(Generate),
    Promote(Promote),
    /// Print the JSON Schema of a suite of cases.
    Schema,
}

/// Check vectors against a subject and the oracle.
#[derive(Args)]
pub struct VectorsCheck {
    /// Files or folders. The default is the vectors that this program carries.
    paths: Vec<PathBuf>,
    /// The subject to check.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = parse_implementation)]
    subject: SubjectName,
    /// Optypes, forms or functions that a device of protocol version 1 may list although it answers
    /// `unsupported`. Repeatable.
    #[arg(long, value_name = "GLOB")]
    allow_undeclared: Vec<String>,
}

impl RunCommand for Vectors {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Vectors::Check(check) => check.run(context),
            Vectors::Generate(generate) => generate.run(context),
            Vectors::Promote(promote) => promote.run(context),
            Vectors::Schema => {
                output::print_json(&assay_vectors::schema())?;
                Ok(ExitStatus::Held)
            }
        }
    }

    fn check(&self, context: &Context) -> Result<(), Failure> {
        if let Vectors::Check(VectorsCheck { paths, subject, allow_undeclared }) = self {
            suites(paths)?;
            shares::allowed("--allow-undeclared", allow_undeclared)?;
            context.start(subject)?;
        }
        Ok(())
    }
}

impl VectorsCheck {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let checked = check_all(context, &self.paths, &self.subject, &self.allow_undeclared)?;
        self.print(context, &checked.output)?;
        let CheckedSuites { output, gone } = checked;
        if let Some(error) = gone {
            // The device was declared dead. The cases before its end are checked and reported. The
            // remaining cases were not executed.
            return Err(error.into());
        }
        output.problems.iter().for_each(output::say);
        if output.held + output.failed == output.unjudged && output.problems.is_empty() {
            return Err(Failure::input(
                "no case was judged: all were skipped, unsupported, missing in the trace, of other readings, without \
                 expectation or where no bound holds",
            ));
        }
        Ok(ExitStatus::of(output.failures.is_empty() && output.problems.is_empty()))
    }

    fn print(&self, context: &Context, output: &CheckOutput) -> Result<(), Failure> {
        if context.json {
            return output::print_output(output);
        }
        let CheckOutput { cases, held, unjudged, failed, unsupported, skipped, .. } = output;
        let undeclared = match output.undeclared {
            0 => String::new(),
            cases => format!(" ({cases} of optypes that the device lists)"),
        };
        let CheckOutput { without_expectation, other_readings, failures, skips, left_out, .. } = output;
        let mut page: String = failures.iter().map(|f| format!("FAILED {}\n", shown::line(f))).collect();
        page.extend(skips.iter().map(|s| format!("skipped {}\n", shown::line(s))));
        page += &not_recorded(&output.not_recorded);
        page.extend(left_out.iter().map(|l| format!("left out, of other readings: {}\n", shown::line(l))));
        page.extend(output.not_suites.iter().map(|(folder, files)| {
            let folder = shown::line(folder);
            match files {
                1 => format!("1 file in {folder} is no suite: left out\n"),
                _ => format!("{files} files in {folder} are no suites: left out\n"),
            }
        }));
        let missing = match output.missing {
            0 => String::new(),
            cases => format!("{cases} missing in the trace, "),
        };
        page += &format!(
            "{} on {}: {held} held ({unjudged} by the expectation alone), {failed} failed, {unsupported} unsupported{undeclared}, \
             {missing}{skipped} skipped, {without_expectation} without expectation, {other_readings} of other readings\n",
            plural(cases, "case", "cases"),
            self.subject
        );
        output::print(&page)
    }
}

/// Greatest number of cases that the text output names as missing in a trace.
const NAMED: usize = 10;

/// Returns a text about the cases that a trace lacks. It names the first [`NAMED`] of them.
fn not_recorded(cases: &[String]) -> String {
    let mut page: String = cases
        .iter()
        .take(NAMED)
        .map(|case| format!("missing in the trace: {}\n", shown::line(case)))
        .collect();
    if let Some(more) = cases.len().checked_sub(NAMED).filter(|more| *more > 0) {
        page += &format!("missing in the trace: {more} more; --format json lists all\n");
    }
    page
}
