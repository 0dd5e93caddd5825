//! `assay vectors promote`: a finding becomes a regression vector, if it tells the faulty from the good.

use std::path::PathBuf;

use assay_isa::shown;
use assay_records::commands::vectors::PromoteOutput;
use assay_runner::cases::promote::{Promoted, Promotion};
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};
use crate::output;

/// Turn a finding into a regression vector.
///
/// The vector is the finding's case with what the oracle expects. It is written only if it fails on the subject that
/// the finding is about and passes on one that is right; otherwise it would guard nothing, and exit status 1 says so.
#[derive(Args)]
pub struct Promote {
    /// The finding.
    finding: PathBuf,
    /// The suite that gets it; made if it is not there.
    #[arg(long, value_name = "FILE")]
    into: PathBuf,
    /// Who must fail; the finding's own subject by default, if that is part of assay.
    #[arg(long, value_name = "SUBJECT", value_parser = parse_implementation)]
    faulty: Option<SubjectName>,
    /// Who must pass.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = parse_implementation)]
    good: SubjectName,
    /// Name of the vector; that of the finding by default.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Why it is kept: a ticket, a commit.
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
        match context.json {
            true => output::print_output(&PromoteOutput { into: self.into.clone(), name })?,
            false => output::print(&format!(
                "{name} is in {}: {} fails it, {} passes\n",
                self.into.display(),
                shown::line(&subject),
                self.good
            ))?,
        }
        Ok(ExitStatus::Held)
    }
}
