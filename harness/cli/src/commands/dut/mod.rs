//! `assay dut`: prints the schema of the device protocol, checks a device, and serves any subject
//! as a device.

mod check;
mod serve;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;

/// Check, serve and describe devices under test.
#[derive(Subcommand)]
pub enum Dut {
    /// Print the JSON Schema of the protocol's messages.
    Schema,
    Check(check::DutCheck),
    Serve(serve::Serve),
}

impl RunCommand for Dut {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Dut::Schema => {
                output::print_json(&assay_device::protocol::schema())?;
                Ok(ExitStatus::Held)
            }
            Dut::Check(check) => check.run(context),
            Dut::Serve(serve) => serve.run(context),
        }
    }

    fn check(&self, _: &Context) -> Result<(), Failure> {
        match self {
            Dut::Check(check) => check.check(),
            Dut::Schema | Dut::Serve(_) => Ok(()),
        }
    }
}
