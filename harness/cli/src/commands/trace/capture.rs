//! `assay trace capture`: records the effects of a subject on generated cases.

use std::path::PathBuf;

use assay_isa::shown::plural;
use assay_records::commands::rounded;
use assay_records::commands::traces::CaptureOutput;
use assay_runner::traces::capture::{CaptureRequest, Captured};
use clap::Args;

use crate::context::Context;
use crate::count::{parse_count, parse_seed};
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, for_new_cases};
use crate::output;

/// Record the results of a subject in a trace file.
///
/// The cases are those of `assay fuzz` with the same seed and selection. With --vectors, the cases
/// are those of the given suites. Equal cases are recorded only once. Record the witnesses of the
/// errata this way for `assay errata settle --subject trace:FILE`. Set SOURCE_DATE_EPOCH, in
/// seconds since 1970, to fix the recorded time and get the same file again. Exit status 1 means
/// that no case was recorded.
#[derive(Args)]
pub struct Capture {
    /// The subject to record: model, exec:COMMAND, lib:PATH, cuda:N, ptx, mutant:FAULT, apfloat,
    /// host, core-math or h200.
    #[arg(long, value_name = "SUBJECT", value_parser = for_new_cases)]
    subject: SubjectName,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*'. The default is all of
    /// them.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Optypes, forms or functions that --only may name even if no case of them is drawn.
    /// Repeatable.
    #[arg(long, value_name = "GLOB")]
    allow_undeclared: Vec<String>,
    /// Number of cases.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = parse_count)]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Record the cases of these suites, given as files or folders. Their expectations are ignored.
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with_all = ["only", "cases", "seed"])]
    vectors: Vec<PathBuf>,
    /// Replace an existing file.
    #[arg(long)]
    overwrite: bool,
}

impl Capture {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let request = CaptureRequest {
            subject: self.subject.clone(),
            out: self.out.clone(),
            only: self.only.clone(),
            cases: self.cases,
            seed: self.seed,
            vectors: self.vectors.clone(),
            undeclared: self.allow_undeclared.clone(),
            overwrite: self.overwrite,
        };
        let Some(captured) = request.capture(context)? else {
            output::say("interrupted; nothing is kept, for a trace has its name when it is whole");
            return Ok(ExitStatus::Interrupted);
        };
        print(context, self, &captured)?;
        Ok(ExitStatus::of(captured.header.cases > 0))
    }
}

fn print(context: &Context, capture: &Capture, captured: &Captured) -> Result<(), Failure> {
    let Captured { header, unsupported, not_generated, bytes, seconds } = captured;
    if context.json {
        return output::print_output(&CaptureOutput {
            out: capture.out.clone(),
            cases: header.cases,
            unsupported: *unsupported,
            not_generated: not_generated.clone(),
            hash: header.hash.clone(),
            bytes: *bytes,
            seconds: rounded(*seconds, 3),
        });
    }
    let (cases, out) = (header.cases, capture.out.display());
    let each = *bytes as f64 / cases.max(1) as f64;
    let left_out = match unsupported {
        0 => String::new(),
        some => format!(
            "not recorded, {} does not implement them: {}\n",
            capture.subject,
            plural(some, "case", "cases")
        ),
    };
    let left_out = left_out + &output::not_generated(not_generated);
    output::print(&format!(
        "{left_out}{} of {} in {seconds:.1} s, {each:.1} bytes each: {out}\nhash {}\n",
        plural(cases, "case", "cases"),
        capture.subject,
        header.hash
    ))
}
