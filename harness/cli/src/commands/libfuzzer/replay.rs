//! `assay libfuzzer replay`: one input again, in this process, or where that shows nothing in the program of its target.

use std::path::PathBuf;

use assay_fuzzing::target::{Broken, Target};
use assay_libfuzzer::findings::{self, InputToReplay};
use assay_libfuzzer::{repeat, subject};
use assay_records::libfuzzer::{FoundInput, ReplayReport};
use clap::Args;

use super::options::targets;
use super::run::found;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::SubjectName;
use crate::output;

/// Run one input of a libFuzzer target again.
///
/// The property of the target is checked in this process. A record of a failure that only the
/// target's own program shows, such as a time limit, needs the nightly toolchain: the command
/// builds that program and gives it the input. Exit status 1 means that the input violates the
/// property. Exit status 3 means that a part of the toolchain is missing, and names it.
#[derive(Args)]
pub struct LibfuzzerReplay {
    /// The record of a finding. With --target, an input, such as an artifact of libFuzzer or a file
    /// of a corpus.
    input: PathBuf,
    /// The target of the input. A record names its own.
    #[arg(long, value_parser = targets())]
    target: Option<Target>,
    /// The subject of the target `differential`: model or mutant:FAULT. The default is that of the
    /// record, or model.
    #[arg(long, value_name = "SUBJECT", value_parser = subject::parse)]
    subject: Option<SubjectName>,
    /// Write a violation as a finding into the folder `findings` of this folder.
    #[arg(long, value_name = "DIR", requires = "target")]
    out: Option<PathBuf>,
}

impl LibfuzzerReplay {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        subject::only_defaults(context)?;
        let InputToReplay { target, data, subject, program } = InputToReplay::read(&self.input, self.target)?;
        let implementation = self.subject.clone().or(subject).unwrap_or(SubjectName::MODEL);
        let outcome = match program {
            Some(setting) => {
                let stop = context.reporter.stop_flag();
                match repeat::build_and_repeat(target, &data, setting, &implementation, stop)? {
                    Some(outcome) => outcome,
                    None => return Ok(ExitStatus::Interrupted),
                }
            }
            None => target.hold(&data, &context.setup(&implementation, None).compared()),
        };
        let findings = match (&self.out, &outcome) {
            (Some(out), Err(_)) => {
                let inputs = std::slice::from_ref(&self.input);
                findings::write(target, inputs, context, &implementation, None, out)?
            }
            _ => Vec::new(),
        };
        let status = ExitStatus::of(outcome.is_ok());
        match context.json {
            true => output::print_output(&report(target, outcome, findings))?,
            false => output::print(&text(target, &outcome, &findings))?,
        }
        Ok(status)
    }
}

fn report(target: Target, outcome: Result<bool, Broken>, findings: Vec<FoundInput>) -> ReplayReport {
    let judged = outcome.as_ref().ok().copied();
    let (property, message) = outcome.err().map(|broken| (broken.property, broken.message)).unzip();
    ReplayReport { target: target.name().to_owned(), judged, property, message, findings }
}

/// As people read it.
fn text(target: Target, outcome: &Result<bool, Broken>, findings: &[FoundInput]) -> String {
    let name = target.name();
    let page = match outcome {
        Ok(true) => format!("{name}: the property holds\n"),
        Ok(false) => format!("{name}: the input does not reach the judge\n"),
        Err(broken) => format!("{name}: {} is violated\n{}\n", broken.property, broken.message),
    };
    page + &findings.iter().map(found).collect::<String>()
}
