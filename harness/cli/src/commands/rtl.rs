//! `assay rtl`: makes a device from a hardware description.

use std::path::PathBuf;

use assay_isa::shown::{argument, plural};
use assay_records::commands::rtl::RtlOutput;
use assay_rtl::{BuildRequest, BuiltDevice};
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;

/// Make a device from a Verilog or SystemVerilog unit: a C++ harness around it, compiled by
/// Verilator.
///
/// The map names the clock, the reset, and either the latency or the ports of the handshake. It
/// also names the port of each operand and of the result, and the instructions that the unit
/// executes. The output is the folder --out with the harness and the library unit.so, which
/// `--subject lib:` loads. The harness offers the unit one operation in each clock cycle.
/// docs/rtl.md has a tutorial, and describes each key of the map.
///
/// A map of an adder with four pipeline registers: `{version: 1, clock: clk, latency: 4,
/// operations: [{modes: [FADD.FTZ], operands: {a: 0, b: 1}, result: {port: y}}]}`. In place of
/// `latency`, `handshake: {input: {valid: in_valid, ready: in_ready}, output: {valid: out_valid,
/// ready: out_ready}}` names the ports that signal when an operation and a result are valid.
///
/// The command needs Verilator 5, make and g++.
#[derive(Args)]
pub struct Rtl {
    /// The file with the top module.
    top: PathBuf,
    /// The map of the top module's ports, in YAML.
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// Folder with further modules and included files. Paths in the map may be relative to this
    /// folder. Repeatable. The folder of the top module is always searched.
    #[arg(long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Folder for the harness and the library. Files of an earlier run are replaced.
    #[arg(long, value_name = "DIR", default_value = "rtl")]
    out: PathBuf,
}

impl RunCommand for Rtl {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let (numbers, digest) = (&context.numbers, context.numbers.fingerprint());
        let Rtl { top, map, include, out } = self;
        let request = BuildRequest { top, map, include, out, numbers, digest };
        let device = request.build()?;
        let next = next(&device);
        let BuiltDevice { name, library, patterns, modes, .. } = device;
        if context.json {
            output::print_output(&RtlOutput { name, library, modes: patterns, mode_count: modes, next })?
        } else {
            output::print(&format!(
                "{name} is in {}\n{}: {}\nnext: {next}\n",
                library.display(),
                plural(modes, "mode", "modes"),
                patterns.join(" "),
            ))?
        }
        Ok(ExitStatus::Held)
    }
}

/// Returns the command that tests the device.
fn next(device: &BuiltDevice) -> String {
    let subject = argument(&format!("lib:{}", device.library.display()));
    let only = device.selection.join(" ");
    let profile =
        device.profile.as_ref().map_or(String::new(), |name| format!(" --profile {}", argument(name)));
    format!("assay fuzz --subject {subject} --only {only}{profile} --cases 1000000")
}
