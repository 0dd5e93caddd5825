//! `assay-lab isa`: the commands of `assay isa`, and commands that check the tables and the
//! documents, and compare them.

use assay_cli::commands::isa::Isa;
use assay_cli::context::Context;
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::program::RunCommand;
use clap::Subcommand;

use crate::documents::{Diff, Lint};
use crate::pseudo::Pseudo;

/// Show, check, assemble and disassemble instructions.
#[derive(Subcommand)]
pub enum LabIsa {
    #[command(flatten)]
    Product(Isa),
    /// Find defects in specification documents. Without documents, check the tables.
    Lint(Lint),
    /// Compare the tables with specification documents.
    Diff(Diff),
    /// Show which routines of specification documents can be executed.
    Pseudo(Pseudo),
}

impl RunCommand for LabIsa {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            LabIsa::Product(command) => command.run(context),
            LabIsa::Lint(lint) => lint.run(context),
            LabIsa::Diff(diff) => diff.run(context),
            LabIsa::Pseudo(pseudo) => pseudo.run(context),
        }
    }
}
