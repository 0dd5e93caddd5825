//! Counts the contents of a trace.

use std::collections::{BTreeMap, BTreeSet};

use assay_hardware::trace::{Reader, Run, TraceError};
use assay_isa::{EncodingTable, asm};
use schemars::JsonSchema;
use serde::Serialize;

/// Counts and sums over the rows of a trace. A program of another author that reads the trace can
/// compare its own sums with these.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Census {
    /// Number of cases by function.
    pub functions: BTreeMap<String, u64>,
    /// The input values.
    pub inputs: Words,
    /// The written values.
    pub outputs: Words,
    /// Number of cases with an event or an undefined result.
    pub events: u64,
    /// Number of cases with PTX.
    pub with_ptx: u64,
}

/// Number and sum of the values that are not null.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Words {
    /// Number of values.
    pub values: u64,
    /// Sum of the values, modulo 2^64.
    pub sum: u64,
}

impl Words {
    fn add(&mut self, value: u32) {
        self.values += 1;
        self.sum = self.sum.wrapping_add(u64::from(value));
    }
}

impl Census {
    /// Counts every row of a trace.
    pub fn of(reader: &Reader, numbers: &EncodingTable) -> Result<Census, TraceError> {
        let mut census = Census::default();
        for index in 0..reader.groups() {
            let group = reader.group(index, numbers)?;
            group.runs.iter().for_each(|run| census.count(run));
        }
        Ok(census)
    }

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
        self.events += lanes_of.collect::<BTreeSet<_>>().len() as u64;
        self.with_ptx += run.ptx.as_ref().map_or(0, |_| lanes);
    }
}
