//! `assay trace info`: shows the contents of a trace.

use std::path::PathBuf;

use assay_hardware::trace::{Header, Reader};
use assay_isa::shown;
use assay_runner::traces::census::Census;
use assay_runner::traces::output::{InfoOutput, TraceInfo};
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Show the header of traces, and the number of cases of each function.
///
/// The command reads every row, but judges no result. It prints the recorded hash of each trace
/// without verifying it. `assay trace check` verifies the hash.
#[derive(Args)]
pub struct Info {
    /// Files that `assay trace capture` wrote.
    #[arg(required = true, value_name = "FILE")]
    traces: Vec<PathBuf>,
}

impl Info {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let mut traces = Vec::new();
        let mut page = String::new();
        for path in &self.traces {
            let reader = Reader::open(path)?;
            let census = Census::of(&reader, &context.numbers)?;
            page += &text(&census, &reader);
            let (path, header) = (path.clone(), reader.header().clone());
            traces.push(TraceInfo { path, header, row_groups: reader.groups(), census });
        }
        if context.json {
            output::print_output(&InfoOutput { traces })?
        } else {
            output::print(&page)?
        }
        Ok(ExitStatus::Held)
    }
}

fn text(census: &Census, reader: &Reader) -> String {
    let Header { device, compute_capability, driver, ptx_version, tools, date, command, cases, .. } =
        reader.header();
    let tools = tools.iter().map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>();
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let lines = [
        ("device", device.clone()),
        ("capability", known(compute_capability)),
        ("driver", known(driver)),
        ("PTX", known(ptx_version)),
        ("tools", tools.join(", ")),
        ("recorded", date.clone()),
        ("command", command.join(" ")),
        ("numbers", reader.header().numbers.clone()),
        ("cases", format!("{cases} in {} row groups", reader.groups())),
        ("hash", reader.header().hash.clone()),
    ];
    let mut page = format!("{}\n", reader.path().display());
    page.extend(lines.iter().map(|(name, value)| format!("  {name:<11} {}\n", shown::line(value))));
    page.extend(
        census.functions.iter().map(|(name, cases)| format!("  {cases:>11} {}\n", shown::line(name))),
    );
    page
}
