//! `assay trace`: records the effects of a subject in traces, and inspects, judges and converts
//! traces.

mod capture;
mod check;
mod code;
mod info;
mod vectors;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::program::RunCommand;

/// Record, judge and convert traces: recorded results of a subject.
#[derive(Subcommand)]
pub enum Trace {
    Capture(capture::Capture),
    Check(check::TraceCheck),
    Code(code::Code),
    Info(info::Info),
    Vectors(vectors::TraceVectors),
}

impl RunCommand for Trace {
    const SAVES: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Trace::Capture(command) => command.run(context),
            Trace::Check(command) => command.run(context),
            Trace::Code(command) => command.run(context),
            Trace::Info(command) => command.run(context),
            Trace::Vectors(command) => command.run(context),
        }
    }
}
