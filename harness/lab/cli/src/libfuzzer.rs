//! `assay-lab libfuzzer`: lists the libFuzzer targets, and replays inputs at which cargo-fuzz
//! stopped.

use std::path::{Path, PathBuf};

use assay_engine::compare::comparator::Comparator;
use assay_engine::stats::tally::{ObservedDivergence, Tally};
use assay_engine::triage::batches::RedrawnBatches;
use assay_engine::triage::shrink::evaluate;
use assay_fuzzing::coded;
use assay_fuzzing::target::{Broken, Target};
use assay_records::commands::libfuzzer::{ReplayReport, TargetListing};
use assay_runner::RunError;
use assay_runner::findings::{self, FindingsRequest};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use crate::schema::print_output;
use assay_cli::context::Context;
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::implementations::{BuiltIn, SubjectName};
use assay_cli::output;
use assay_cli::program::RunCommand;

/// Maximum size of an input file in bytes: 1024 times the longest input that any target accepts.
const INPUT_BYTES: u64 = 16 * assay_files::MIB;

/// List the libFuzzer targets, and run one input again (docs/internals/libfuzzer.md).
#[derive(Subcommand)]
pub enum Libfuzzer {
    /// List the targets.
    List,
    /// Print the dictionary of a target in libFuzzer's syntax.
    Dictionary {
        /// The target.
        #[arg(value_parser = targets())]
        target: Target,
    },
    Replay(LibfuzzerReplay),
}

/// Run one input of a libFuzzer target again.
///
/// The command checks the property of the target in its own process. Exit status 1 means that the
/// input violates the property. The command does not check limits of time and memory or integer
/// overflows, and has no sanitizers. For these, use the target's own program:
/// `cargo fuzz run TARGET INPUT`.
#[derive(Args)]
pub struct LibfuzzerReplay {
    /// An input, such as an artifact of libFuzzer or a file of a corpus.
    input: PathBuf,
    /// The target of the input.
    #[arg(long, value_parser = targets())]
    target: Target,
    /// The subject of the target `differential`: model or mutant:FAULT.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = parse_subject)]
    subject: SubjectName,
    /// If a case of `differential` diverges, shrink it and write it as a finding into DIR/findings.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Returns a parser that reads the name of a target.
fn targets() -> impl TypedValueParser<Value = Target> {
    let value = |target: Target| PossibleValue::new(target.name()).help(target.about());
    PossibleValuesParser::new(Target::ALL.map(value)).try_map(|name| Target::of(&name).ok_or("no target"))
}

/// Reads the subject of the target `differential`.
fn parse_subject(text: &str) -> Result<SubjectName, String> {
    match text.parse() {
        Ok(subject @ (BuiltIn::Model | BuiltIn::Mutant(_))) => Ok(subject.into()),
        Err(problem) if text.starts_with("mutant:") => Err(problem),
        _ => Err("the target is built with the model alone; write model or mutant:FAULT".into()),
    }
}

impl RunCommand for Libfuzzer {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Libfuzzer::List => list(context),
            Libfuzzer::Dictionary { target } => dictionary(*target),
            Libfuzzer::Replay(replay) => replay.run(context),
        }
    }
}

fn list(context: &Context) -> Result<ExitStatus, Failure> {
    if context.json {
        let row = |target: Target| TargetListing {
            name: target.name(),
            about: target.about(),
            longest: target.longest(),
            dictionary: target.dictionary().is_some(),
        };
        print_output(&Target::ALL.map(row).to_vec())?;
    } else {
        let line = |target: Target| format!("{:<14} {}\n", target.name(), target.about());
        output::print(&Target::ALL.into_iter().map(line).collect::<String>())?;
    }
    Ok(ExitStatus::Held)
}

fn dictionary(target: Target) -> Result<ExitStatus, Failure> {
    let Some(text) = target.dictionary() else {
        let texts = Target::ALL.into_iter().filter(|target| target.dictionary().is_some());
        let names = texts.map(Target::name).collect::<Vec<_>>().join(", ");
        return Err(Failure::input(format!(
            "inputs of {} are no text; ask for one of {names}",
            target.name()
        )));
    };
    output::print(&text)?;
    Ok(ExitStatus::Held)
}

impl LibfuzzerReplay {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let data = assay_files::read_regular(&self.input, INPUT_BYTES)
            .map_err(|error| Failure::input(format!("{}: {error}", self.input.display())))?;
        let setup = context.setup(&self.subject, None);
        let outcome = self.target.hold(&data, &setup.compared());
        let findings = match &self.out {
            Some(out) if outcome.is_err() => self.write(&data, context, out)?,
            _ => Vec::new(),
        };
        let status = ExitStatus::of(outcome.is_ok());
        if context.json {
            print_output(&report(self.target, outcome, findings))?
        } else {
            output::print(&text(self.target, &outcome, &findings))?
        }
        Ok(status)
    }

    /// Shrinks a case that diverges, and writes it as a finding. For any other violation, writes
    /// nothing.
    fn write(&self, data: &[u8], context: &Context, out: &Path) -> Result<Vec<PathBuf>, Failure> {
        if self.target != Target::Differential {
            return Ok(Vec::new());
        }
        let Ok(case) = coded::case(data) else { return Ok(Vec::new()) };
        let setup = context.setup(&self.subject, None);
        let compared = setup.compared();
        let diverged = evaluate(&compared, &mut Comparator::new(&compared), &case.instruction, &case.batch);
        if diverged.map_err(RunError::from)?.is_none() {
            return Ok(Vec::new());
        }
        let found = ObservedDivergence::of(&case.batch, 0, 0);
        let findings = [(self.target.name().to_owned(), vec![found])].into();
        let tally = Tally { findings, ..Tally::default() };
        let setting = context.setting(&self.subject, None)?;
        let request = FindingsRequest { tally: &tally, setting: &setting, seed: None };
        let triaged = findings::triage_findings(&request, &compared, setup.oracles(), RedrawnBatches::NONE)?;
        Ok(findings::write(out, &triaged.bugs, context)?)
    }
}

fn report(target: Target, outcome: Result<bool, Broken>, findings: Vec<PathBuf>) -> ReplayReport {
    let judged = outcome.as_ref().ok().copied();
    let (property, message) = outcome.err().map(|broken| (broken.property, broken.message)).unzip();
    ReplayReport { target: target.name().to_owned(), judged, property, message, findings }
}

/// Returns the outcome as text for people.
fn text(target: Target, outcome: &Result<bool, Broken>, findings: &[PathBuf]) -> String {
    let name = target.name();
    let page = match outcome {
        Ok(true) => format!("{name}: the property holds\n"),
        Ok(false) => format!("{name}: the input does not reach the judge\n"),
        Err(broken) => format!("{name}: {} is violated\n{}\n", broken.property, broken.message),
    };
    page + &findings.iter().map(|file| format!("assay replay {}\n", file.display())).collect::<String>()
}
