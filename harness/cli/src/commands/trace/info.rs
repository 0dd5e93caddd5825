//! `assay trace info`: what is in a trace.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_hardware::trace::{Header, Reader, Run};
use assay_isa::{asm, shown};
use clap::Args;
use serde_json::{Value, json};

use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

/// Show what is in traces: the header, and the cases of each function.
///
/// Every row is read, none is judged, and the hash is shown as it was recorded: `assay trace check` verifies it.
#[derive(Args)]
pub struct Info {
    /// Files that `assay trace capture` wrote.
    #[arg(required = true, value_name = "FILE")]
    traces: Vec<PathBuf>,
}

impl Info {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let mut objects = Vec::new();
        let mut page = String::new();
        for path in &self.traces {
            let reader = Reader::open(path)?;
            let mut census = Census::default();
            for index in 0..reader.groups() {
                let group = reader.group(index, &context.numbers)?;
                group.runs.iter().for_each(|run| census.count(run));
            }
            page += &census.text(&reader);
            objects.push(census.json(&reader));
        }
        match context.json {
            true => output::print_json(&json!({ "traces": objects }))?,
            false => output::print(&page)?,
        }
        Ok(Status::Held)
    }
}

/// What the rows hold. The sums tell whether another program reads the same.
#[derive(Default)]
struct Census {
    functions: BTreeMap<String, u64>,
    inputs: Words,
    outputs: Words,
    events: u64,
    with_ptx: u64,
}

/// Values that are not null, and their sum.
#[derive(Default)]
struct Words {
    values: u64,
    sum: u64,
}

impl Words {
    fn add(&mut self, value: u32) {
        self.values += 1;
        self.sum = self.sum.wrapping_add(u64::from(value));
    }

    fn json(&self) -> Value {
        json!({ "values": self.values, "sum": self.sum })
    }
}

impl Census {
    fn count(&mut self, run: &Run) {
        let lanes = run.batch.len() as u64;
        *self.functions.entry(asm::mnemonic(&run.instruction)).or_default() += lanes;
        for location in run.batch.locations() {
            run.batch.column(*location).into_iter().flatten().for_each(|value| self.inputs.add(*value));
        }
        for column in run.effects.columns() {
            let written = column.values.iter().enumerate().filter(|(lane, _)| column.written.contains(*lane));
            written.for_each(|(_, value)| self.outputs.add(*value));
        }
        let (events, undefined) = (run.effects.events(), run.effects.undefined());
        let lanes_of = events.iter().map(|(lane, _)| lane).chain(undefined.iter().map(|(lane, _)| lane));
        self.events += lanes_of.collect::<std::collections::BTreeSet<_>>().len() as u64;
        self.with_ptx += run.ptx.as_ref().map_or(0, |_| lanes);
    }

    fn json(&self, reader: &Reader) -> Value {
        json!({
            "path": reader.path(),
            "header": reader.header(),
            "row_groups": reader.groups(),
            "functions": self.functions,
            "inputs": self.inputs.json(),
            "outputs": self.outputs.json(),
            "events": self.events,
            "with_ptx": self.with_ptx,
        })
    }

    fn text(&self, reader: &Reader) -> String {
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
            self.functions.iter().map(|(name, cases)| format!("  {cases:>11} {}\n", shown::line(name))),
        );
        page
    }
}
