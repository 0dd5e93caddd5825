//! The command `assay`: connects implementations, engine and reports. One file a subcommand.
//!
//! Results go to stdout, progress and errors to stderr. Exit status: 0 all held, 1 a divergence or a failed check, 2
//! wrong usage or bad input, 3 the harness or its environment failed, 130 interrupted with the results kept.

mod commands;
mod context;
mod count;
mod failure;
mod help;
mod implementations;
mod interrupt;
mod output;
mod progress;
#[cfg(test)]
mod reference;
mod time;

use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};

use commands::{
    certify, completions, coverage, dut, errata, eval, fuzz, isa, known_issues, libfuzzer, merge, mutants,
    nightly, pipes, replay, report, rtl, schema, status, sweep, trace, vectors,
};
use context::Global;
use failure::{ExitStatus, Failure};

/// Differential fuzz and conformance harness for a SASS-like GPU instruction set.
///
/// Generates legal instructions and operands, executes them on a subject, and compares every result
/// with an independent oracle based on MPFR. Start with `assay fuzz`. Evaluate one case with `assay
/// eval 'FADD.RM R0, R1, R2' R1=0x3f800000 R2=0xbf800000`.
#[derive(Parser)]
#[command(name = "assay", version, arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fuzz(fuzz::Fuzz),
    Sweep(sweep::Sweep),
    Report(report::Report),
    Merge(merge::Merge),
    Eval(eval::Eval),
    Gen(pipes::Gen),
    Ver(pipes::Ver),
    Replay(replay::Replay),
    #[command(subcommand)]
    Vectors(vectors::Vectors),
    #[command(subcommand)]
    Trace(trace::Trace),
    #[command(subcommand)]
    Dut(dut::Dut),
    Rtl(rtl::Rtl),
    #[command(subcommand)]
    Isa(isa::Isa),
    #[command(subcommand)]
    Coverage(coverage::Coverage),
    #[command(subcommand)]
    Mutants(mutants::Mutants),
    #[command(subcommand)]
    Errata(errata::Errata),
    Nightly(nightly::Nightly),
    Status(status::Status),
    #[command(subcommand, alias = "ledger")]
    KnownIssues(known_issues::KnownIssuesCommand),
    Certify(certify::Certify),
    Schema(schema::Schema),
    #[command(subcommand)]
    Libfuzzer(libfuzzer::Libfuzzer),
    Completions(completions::Completions),
}

impl Command {
    /// Whether the command saves its work when it is interrupted; the others have nothing to save, and end at once.
    fn saves(&self) -> bool {
        use Command::{Certify, Eval, Fuzz, Gen, Mutants, Nightly, Sweep, Trace, Ver};
        matches!(
            self,
            Fuzz(_) | Sweep(_) | Eval(_) | Gen(_) | Ver(_) | Trace(_) | Mutants(_) | Nightly(_) | Certify(_)
        )
    }
}

fn main() -> ExitCode {
    if let Some(status) = assay_device::library::serve_if_asked() {
        return status;
    }
    // A library that was preloaded, or linked with -ffast-math, may have run before. Other threads inherit this.
    assay_fpenv::set_default();
    failure::break_lines_for_terminals();
    if let Err(failure) = check_text() {
        return failure.report();
    }
    let matches = help::command().get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if arguments.command.saves() {
        interrupt::finish_work();
    }
    interrupt::install();
    if matches!(arguments.command, Command::Fuzz(_) | Command::Sweep(_)) {
        assay_runner::build::begin_identity();
    }
    let started = context::start_threads(&arguments.global);
    let context = started.and_then(|()| context::Context::new(&arguments.global));
    let outcome = context.and_then(|context| match arguments.command {
        Command::Fuzz(command) => command.run(&context),
        Command::Sweep(command) => command.run(&context),
        Command::Report(command) => command.run(&context),
        Command::Merge(command) => command.run(&context),
        Command::Eval(command) => command.run(&context),
        Command::Gen(command) => command.run(&context),
        Command::Ver(command) => command.run(&context),
        Command::Replay(command) => command.run(&context),
        Command::Vectors(command) => command.run(&context),
        Command::Trace(command) => command.run(&context),
        Command::Dut(command) => command.run(&context),
        Command::Rtl(command) => command.run(&context),
        Command::Isa(command) => command.run(&context),
        Command::Coverage(command) => command.run(&context),
        Command::Mutants(command) => command.run(&context),
        Command::Errata(command) => command.run(&context),
        Command::Nightly(command) => command.run(&context),
        Command::Status(command) => command.run(&context),
        Command::KnownIssues(command) => command.run(&context),
        Command::Certify(command) => command.run(&context),
        Command::Schema(command) => command.run(&context),
        Command::Libfuzzer(command) => command.run(&context),
        Command::Completions(command) => command.run(help::command()),
    });
    match outcome {
        Ok(status) => status.into(),
        Err(failure) => failure.report(),
    }
}

/// Checks that a command with its arguments can begin. Nothing is executed.
///
/// # Errors
///
/// The arguments are not those of a command, a file that they name cannot be read, or a subject does not start.
fn check_command(words: &[String]) -> Result<(), Failure> {
    let words = ["assay".to_owned()].into_iter().chain(words.iter().cloned());
    let parsed = help::command().try_get_matches_from(words);
    let arguments = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = arguments.map_err(|error| Failure::input(usage_error(&error)))?;
    let context = context::Context::new(&arguments.global)?;
    match &arguments.command {
        Command::Fuzz(command) => command.check(&context),
        Command::Sweep(command) => command.check(&context),
        Command::Vectors(command) => command.check(&context),
        Command::Gen(command) => command.check(),
        _ => Ok(()),
    }
}

/// What is wrong with the arguments, without the usage that follows it.
fn usage_error(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let problem = lines.collect::<Vec<_>>().join(" ");
    problem.strip_prefix("error: ").unwrap_or(&problem).to_owned()
}

/// Refuses arguments that are not UTF-8 before anything is done: paths of results go into JSON and into the names that
/// runs are known by, which cannot hold them.
fn check_text() -> Result<(), Failure> {
    let wrong = std::env::args_os().enumerate().find(|(_, argument)| argument.to_str().is_none());
    match wrong {
        None => Ok(()),
        Some((place, argument)) => Err(Failure::input(format!(
            "argument {place} is not UTF-8: {argument:?}; rename the file or folder, or give another"
        ))),
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status as u8)
    }
}
