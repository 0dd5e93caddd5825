//! `assay libfuzzer replay`: one input again, in this process, or where that shows nothing in the program of its target.

use std::path::{Path, PathBuf};

use assay_fuzzing::target::{Broken, Target};
use clap::Args;
use serde_json::json;

use super::crash::{self, Again, Crashes, Finding};
use super::options::{only_defaults, parse_subject, targets};
use super::repeat::{Program, Setting, Shown};
use super::toolchain::Toolchain;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;
use crate::voices::Voice;

/// Hold one input to the property of a target once more.
///
/// That is done in this process. A record of what only the program of the target shows, such as a limit of time, needs the
/// nightly toolchain instead: the program is built and given the input, and exit status 3 says what is missing.
/// Exit status 1 tells that the property is violated.
#[derive(Args)]
pub struct Replay {
    /// The record of a finding; or with --target an input, such as an artifact of libFuzzer or a file of a corpus.
    input: PathBuf,
    /// The target; a record names its own.
    #[arg(long, value_parser = targets())]
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
        let Again { target, data, subject, program } = Again::read(&self.input, self.target)?;
        let voice = self.subject.clone().or(subject).unwrap_or(Voice::MODEL);
        let outcome = match program {
            Some(setting) => match in_program(target, &data, setting, &voice)? {
                Some(outcome) => outcome,
                None => return Ok(Status::Interrupted),
            },
            None => target.hold(&data, &context.setup(&voice, None).parties()),
        };
        let findings = match (&self.out, &outcome) {
            (Some(out), Err(_)) => {
                Crashes::one(target, &self.input).to_findings(context, &voice, None, out)?
            }
            _ => Vec::new(),
        };
        tell(context, target, &outcome, &findings)?;
        Ok(Status::of(outcome.is_ok()))
    }
}

/// Builds the program of a target and gives it an input; none if the user interrupted the build.
fn in_program(
    target: Target,
    data: &[u8],
    setting: Setting,
    subject: &Voice,
) -> Result<Option<Result<bool, Broken>>, Failure> {
    let toolchain = Toolchain::find()?;
    let folder = tempfile::tempdir().map_err(|e| Failure::harness(format!("a temporary folder: {e}")))?;
    let written = folder.path().join("input");
    std::fs::write(&written, data).map_err(|e| Failure::harness(format!("{}: {e}", written.display())))?;
    let outcome = build_and_repeat(&toolchain, target, &written, setting, subject, folder.path());
    if outcome.is_err() {
        // The failure names a log in it.
        let _ = folder.keep();
    }
    outcome
}

fn build_and_repeat(
    toolchain: &Toolchain,
    target: Target,
    input: &Path,
    setting: Setting,
    subject: &Voice,
    logs: &Path,
) -> Result<Option<Result<bool, Broken>>, Failure> {
    if !toolchain.build(setting.sanitizer, &[target], logs)? {
        return Ok(None);
    }
    let path = toolchain.program(setting.sanitizer, target);
    Ok(Some(match (Program { path: &path, target, setting, subject, logs }).repeat(input)? {
        Shown::Held(judged) => Ok(judged),
        Shown::Panicked(broken) | Shown::Ended(broken) => Err(broken),
    }))
}

/// Says what came of an input.
fn tell(
    context: &Context,
    target: Target,
    outcome: &Result<bool, Broken>,
    findings: &[Finding],
) -> Result<(), Failure> {
    let name = target.name();
    if context.json {
        let broken = outcome.as_ref().err();
        return output::print_json(&json!({
            "target": name,
            "judged": outcome.as_ref().ok(),
            "property": broken.map(|broken| &broken.property),
            "message": broken.map(|broken| &broken.message),
            "findings": findings,
        }));
    }
    let page = match outcome {
        Ok(true) => format!("{name}: the property holds\n"),
        Ok(false) => format!("{name}: the input does not reach the judge\n"),
        Err(broken) => format!("{name}: {} is violated\n{}\n", broken.property, broken.message),
    };
    let findings: String = findings.iter().map(crash::Finding::text).collect();
    output::print(&(page + &findings))
}
