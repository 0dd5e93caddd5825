//! `assay libfuzzer replay`: one input again, in this process.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::crash::{self, Again, Crashes};
use super::run::parse_subject;
use super::target::Target;
use crate::commands::fuzz::parties;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::voices::{Voice, fingerprint};

/// Hold one input to the property of a target, in this process: no nightly toolchain is needed.
///
/// Exit status 1 tells that the property is violated.
#[derive(Args)]
pub struct Replay {
    /// The record of a finding; or with --target an input, such as an artifact of libFuzzer or a file of a corpus.
    input: PathBuf,
    /// The target; a record names its own.
    #[arg(long)]
    target: Option<Target>,
    /// The voice under test in `differential`: model or mutant:FAULT. That of the record, or model, by default.
    #[arg(long, value_name = "SUBJECT", value_parser = parse_subject)]
    subject: Option<Voice>,
    /// Write what is wrong with an input as a finding into the folder `findings` of this one.
    #[arg(long, value_name = "DIR", requires = "target")]
    out: Option<PathBuf>,
}

impl Replay {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        only_defaults(context)?;
        let Again { target, data, subject } = Again::read(&self.input, self.target)?;
        let voice = self.subject.clone().or(subject).unwrap_or(Voice::Model);
        let (subject, oracle) = (|| context.subject(&voice), || context.oracle(None));
        let outcome = target.hold(&data, &parties(context, &subject, &oracle));
        let findings = match (&self.out, &outcome) {
            (Some(out), Err(_)) => Crashes::one(target, &self.input).to_findings(context, &voice, out)?,
            _ => Vec::new(),
        };
        let name = target.name();
        if context.json {
            let broken = outcome.as_ref().err();
            crate::print_json(&json!({
                "target": name,
                "judged": outcome.as_ref().ok(),
                "property": broken.map(|broken| &broken.property),
                "message": broken.map(|broken| &broken.message),
                "findings": findings,
            }))?;
        } else {
            let page = match &outcome {
                Ok(true) => format!("{name}: the property holds\n"),
                Ok(false) => format!("{name}: the input does not reach the judge\n"),
                Err(broken) => format!("{name}: {} is violated\n{}\n", broken.property, broken.message),
            };
            let findings: String = findings.iter().map(crash::Finding::text).collect();
            crate::print(&(page + &findings))?;
        }
        Ok(Status::of(outcome.is_ok()))
    }
}

/// The targets are built with one profile and one table of numbers: others would be promised and not kept.
pub fn only_defaults(context: &Context) -> Result<(), Failure> {
    let is_default = !context.profile_is_given
        && context.overrides.iter().next().is_none()
        && fingerprint(&context.numbers) == fingerprint(assay_isa::Numbers::provisional());
    match is_default {
        true => Ok(()),
        false => Err(Failure::input(
            "the libFuzzer targets are built with the profile intended and the provisional numbers; leave out --profile, \
             --reading and --numbers",
        )),
    }
}
