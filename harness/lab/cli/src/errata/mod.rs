//! `assay-lab errata`: the commands of `assay errata`, and commands that check and find witnesses.

mod discover;
mod prove;

use assay_cli::commands::errata::Errata;
use assay_cli::context::Context;
use assay_cli::failure::{ExitStatus, Failure};
use assay_cli::output;
use assay_cli::program::RunCommand;
use clap::Subcommand;

/// List and explain known defects of the specification, test a device for them, and find witnesses.
#[derive(Subcommand)]
pub enum LabErrata {
    #[command(flatten)]
    Product(Errata),
    Prove(prove::Prove),
    Discover(discover::Discover),
    /// Print the JSON Schema of a file of errata.
    Schema,
}

impl RunCommand for LabErrata {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            LabErrata::Product(command) => command.run(context),
            LabErrata::Prove(prove) => prove.run(context),
            LabErrata::Discover(discover) => discover.run(context),
            LabErrata::Schema => {
                output::print_json(&assay_vectors::errata_schema())?;
                Ok(ExitStatus::Held)
            }
        }
    }
}
