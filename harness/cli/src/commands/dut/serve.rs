//! `assay dut serve`: any subject as a device.

use std::io::{BufReader, BufWriter};

use assay_runner::devices::serve::serve;
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};

/// Speak the protocol of a device for a subject, on standard input and output.
///
/// So another version of assay can be a device: --against 'exec:old/assay dut serve model'. And a library that might
/// crash can have a process of its own: --subject 'exec:assay dut serve lib:./device.so'.
///
/// The subject follows the readings of who asks. A --reading given here stands above them, so that a device which follows
/// another one can be tried out.
#[derive(Args)]
pub struct Serve {
    /// Who answers: model, lib:PATH, mutant:FAULT, apfloat, host or core-math.
    #[arg(value_parser = parse_implementation)]
    subject: SubjectName,
}

impl Serve {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let (input, output) = (BufReader::with_capacity(1 << 16, std::io::stdin()), std::io::stdout());
        serve(context, &self.subject, input, BufWriter::with_capacity(1 << 16, output))?;
        Ok(ExitStatus::Held)
    }
}
