//! `assay vectors promote`: turns a finding into a regression vector, if the vector distinguishes a
//! faulty subject from a good one.

use std::path::PathBuf;

use assay_isa::shown;
use assay_records::commands::vectors::PromoteOutput;
use assay_runner::cases::promote::{Promoted, Promotion};
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};
use crate::output;

/// Add a finding to a suite as a regression vector.
///
/// The vector consists of the finding's case and the result that the oracle expects. It is written
/// only if the faulty subject fails it and the good subject passes it. Exit status 1 means that the
/// vector does not distinguish the two subjects.
#[derive(Args)]
pub struct Promote {
    /// The file of the finding.
    finding: PathBuf,
    /// The suite to add the vector to. It is created if it does not exist.
    #[arg(long, value_name = "FILE")]
    into: PathBuf,
    /// The subject that must fail. The default is the subject of the finding, if it is part of
    /// assay.
    #[arg(long, value_name = "SUBJECT", value_parser = parse_implementation)]
    faulty: Option<SubjectName>,
    /// The subject that must pass.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = parse_implementation)]
    good: SubjectName,
    /// Name of the vector. The default is the name of the finding.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The reason to keep the vector: a ticket, a commit.
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
}

impl Promote {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let promotion = Promotion {
            finding: self.finding.clone(),
            into: self.into.clone(),
            faulty: self.faulty.clone(),
            good: self.good.clone(),
            name: self.name.clone(),
            because: self.because.clone(),
        };
        let (name, subject) = match promotion.promote(context)? {
            Promoted::Added { name, subject } => (name, subject),
            Promoted::Refused(why) => {
                output::say(format_args!("not promoted: {why}"));
                return Ok(ExitStatus::Failed);
            }
        };
        if context.json {
            output::print_output(&PromoteOutput { into: self.into.clone(), name })?
        } else {
            output::print(&format!(
                "{name} is in {}: {} fails it, {} passes\n",
                self.into.display(),
                shown::line(&subject),
                self.good
            ))?
        }
        Ok(ExitStatus::Held)
    }
}
