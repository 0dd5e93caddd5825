//! `assay trace code`: keeps the machine code that the driver of a GPU assembles.

use std::path::PathBuf;

use assay_isa::shown::plural;
use assay_records::commands::rounded;
use assay_records::commands::traces::CodeOutput;
use assay_runner::traces::code::{Assembled, keep_code};
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};
use crate::output;

/// Write the machine code into which a GPU's driver assembles every PTX kernel.
///
/// The kernels are those of `just check-lowering`, which compares them with the output of the
/// vendor's assembler. To compare the driver's code with that output too, run
/// `scripts/check-lowering.sh --code DIR` on any machine. Needs a GPU.
#[derive(Args)]
pub struct Code {
    /// The GPU: cuda:N.
    #[arg(long, value_name = "SUBJECT", default_value = "cuda:0", value_parser = parse_implementation)]
    subject: SubjectName,
    /// Empty folder for the machine code. Each file has up to 100 kernels.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Code {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let Some(assembled) = keep_code(context, &self.subject, &self.out)? else {
            return Ok(ExitStatus::Interrupted);
        };
        let Assembled { subject, kernels, bytes, seconds } = assembled;
        if context.json {
            output::print_output(&CodeOutput {
                subject,
                kernels,
                bytes,
                out: self.out.clone(),
                seconds: rounded(seconds, 3),
            })?
        } else {
            output::print(&format!(
                "{} assembled by {subject} in {seconds:.1} s, {bytes} bytes: {}\n",
                plural(kernels, "kernel", "kernels"),
                self.out.display()
            ))?
        }
        Ok(ExitStatus::Held)
    }
}
