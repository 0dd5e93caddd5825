//! `assay trace code`: what the driver of a GPU assembles, kept.

use std::path::PathBuf;

use assay_records::commands::rounded;
use assay_records::commands::traces::CodeOutput;
use assay_runner::traces::code::{Assembled, keep_code};
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};
use crate::output;

/// Keep the machine code that a GPU's driver makes of every lowering.
///
/// The kernels are those of `just check-lowering`, which holds them to what the vendor's assembler makes of them: that
/// the driver on a machine makes the same is shown by `scripts/check-lowering.sh --code DIR`, anywhere. Needs a GPU.
#[derive(Args)]
pub struct Code {
    /// The GPU: cuda:N.
    #[arg(long, value_name = "SUBJECT", default_value = "cuda:0", value_parser = parse_implementation)]
    subject: SubjectName,
    /// Folder for the machine code, some hundred kernels a file.
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
        match context.json {
            true => output::print_output(&CodeOutput {
                subject,
                kernels,
                bytes,
                out: self.out.clone(),
                seconds: rounded(seconds, 3),
            })?,
            false => output::print(&format!(
                "{kernels} kernels assembled by {subject} in {seconds:.1} s, {bytes} bytes: {}\n",
                self.out.display()
            ))?,
        }
        Ok(ExitStatus::Held)
    }
}
