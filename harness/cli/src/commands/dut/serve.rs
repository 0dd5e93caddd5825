//! `assay dut serve`: serves any subject as a device.

use std::io::{BufReader, BufWriter};

use assay_runner::devices::serve::serve;
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};

/// Serve a subject as a device, on standard input and output.
///
/// Use it to compare with another version of assay: --against 'exec:old/assay dut serve model'.
///
/// The subject follows the readings that the client asks for. A --reading option of this command
/// overrides the reading that the client asks for.
#[derive(Args)]
pub struct Serve {
    /// The subject: model, lib:PATH, mutant:FAULT, apfloat, host, core-math or h200.
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
