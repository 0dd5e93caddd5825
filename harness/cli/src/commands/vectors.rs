//! `assay vectors`: recorded cases held against a subject and against the oracle.

use std::path::PathBuf;

use assay_isa::shown;
use clap::{Args, Subcommand};
use serde_json::json;

use super::generate::Generate;
use super::held::{Checked, Held, check};
use super::promote::Promote;
use super::suites::suites;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;
use crate::voices::{Voice, parse_voice};

/// Recorded cases.
#[derive(Subcommand)]
pub enum Vectors {
    /// Hold a subject, and the oracle, against YAML vectors.
    Check(Check),
    Generate(Generate),
    Promote(Promote),
    /// Print the JSON Schema of a case.
    Schema,
}

/// Hold a subject, and the oracle, against YAML vectors.
#[derive(Args)]
pub struct Check {
    /// Files or folders; the project's own vectors by default.
    #[arg(default_value = "vectors/data")]
    paths: Vec<PathBuf>,
    /// The voice to check.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = parse_voice)]
    subject: Voice,
}

impl Vectors {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Vectors::Check(check) => check.run(context),
            Vectors::Generate(generate) => generate.run(context),
            Vectors::Promote(promote) => promote.run(context),
            Vectors::Schema => {
                output::print_json(&assay_vectors::schema())?;
                Ok(Status::Held)
            }
        }
    }
}

/// Counts of a check.
#[derive(Default)]
struct Counts {
    cases: u64,
    /// The subject did what was expected, `unjudged` ones included.
    held: u64,
    /// Nobody but the expectation judged what the subject did.
    unjudged: u64,
    failed: u64,
    unsupported: u64,
    skipped: u64,
    without_expectation: u64,
    /// The expectation is that of other readings than those in force.
    other_readings: u64,
}

impl Check {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let mut counts = Counts::default();
        let mut failures = Vec::new();
        let (mut skips, mut left_out) = (Vec::new(), Vec::new());
        let mut gone = None;
        'suites: for file in suites(&self.paths)? {
            let path = &file.path;
            for case in &file.suite.cases {
                counts.cases += 1;
                if let Some(reason) = &case.skip {
                    counts.skipped += 1;
                    skips.push(format!("{} {}: {reason}", path.display(), case.name));
                    continue;
                }
                let checked = match check(context, &file, case, self.subject.clone()) {
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
        self.print(context, &counts, &failures, &skips, &left_out)?;
        if let Some(failure) = gone {
            // The cases up to here are checked and told; the device is why the others are not.
            return Err(failure);
        }
        if counts.held + counts.failed == counts.unjudged {
            return Err(Failure::input(
                "no case was judged: all were skipped, unsupported, of other readings, without expectation or where no \
                 bound holds",
            ));
        }
        Ok(Status::of(failures.is_empty()))
    }

    fn print(
        &self,
        context: &Context,
        counts: &Counts,
        failures: &[String],
        skips: &[String],
        left_out: &[String],
    ) -> Result<(), Failure> {
        let Counts { cases, held, unjudged, failed, unsupported, skipped, .. } = counts;
        let Counts { without_expectation, other_readings, .. } = counts;
        if context.json {
            return output::print_json(&json!({
                "cases": cases, "held": held, "unjudged": unjudged, "failed": failed, "unsupported": unsupported,
                "skipped": skipped, "without_expectation": without_expectation,
                "other_readings": other_readings, "failures": failures, "skips": skips, "left_out": left_out,
            }));
        }
        let mut page: String = failures.iter().map(|f| format!("FAILED {}\n", shown::line(f))).collect();
        page.extend(skips.iter().map(|s| format!("skipped {}\n", shown::line(s))));
        page.extend(left_out.iter().map(|l| format!("left out, of other readings: {}\n", shown::line(l))));
        page += &format!(
            "{cases} cases on {}: {held} held ({unjudged} by the expectation alone), {failed} failed, {unsupported} unsupported, \
             {skipped} skipped, {without_expectation} without expectation, {other_readings} of other readings\n",
            self.subject
        );
        output::print(&page)
    }
}
