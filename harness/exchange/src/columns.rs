//! The columns of the two forms that have one instruction per file. Each location that the
//! instruction reads has a column, and then each location that it can write.

use assay_engine::compare::judge::allowed::Expectation;
use assay_isa::instruction::Space;
use assay_isa::{Batch, Instruction, Location, Reading, codec};
use assay_runner::Context;
use assay_runner::RunError;
use assay_vectors::{Actual, Allowed, Values};

use crate::dialect::{Answer, Posed};

/// The columns of one instruction.
pub struct Columns {
    /// The instruction.
    pub instruction: Instruction,
    /// The instruction word.
    pub word: u128,
    /// The locations that the instruction reads.
    pub reads: Vec<Location>,
    /// The locations that the instruction can write.
    pub writes: Vec<Location>,
}

/// The expectation in the column of a written location.
pub enum ColumnContent<'a> {
    /// The location must not be written.
    NotWritten,
    /// The location must be written, with one of these values.
    Allowed(&'a Allowed),
    /// The specification leaves the result undefined.
    Undefined,
    /// No expectation is written. Possible reasons: it was not requested, it has too many values,
    /// the contract has no bound, or the oracle knows no result.
    Open,
}

/// Returns the number of hexadecimal digits of a location's value.
pub fn digits(location: Location) -> usize {
    if location.is_predicate() { 1 } else { 8 }
}

impl Columns {
    /// Returns the columns of an instruction. Fails if values decide which locations it accesses,
    /// or if it writes none.
    pub fn new(context: &Context, instruction: &Instruction) -> Result<Columns, RunError> {
        let refused = |why: &str| {
            let text = assay_isa::asm::print(instruction);
            Err(RunError::input(format!("`{text}` has no fixed columns: {why}; use --as jsonl or yaml")))
        };
        let is_fixed =
            |access: assay_isa::instruction::Access| access.space == Space::Special && access.base.is_none();
        if !instruction.access().is_none_or(is_fixed) {
            return refused("a value decides which place it reaches");
        }
        let (reads, mut writes) = (instruction.reads(), instruction.writes());
        // Under setting 1 of E012 the instruction also writes its sources.
        let switch = Reading::E012;
        if context.profile.readings.get(switch) == 1
            && switch.switch().optypes.contains(&instruction.optype())
        {
            let sources = reads.iter().filter(|l| matches!(l, Location::R(_) | Location::UR(_)));
            let sources: Vec<Location> = sources.filter(|l| !writes.contains(l)).copied().collect();
            writes.extend(sources);
        }
        if writes.is_empty() {
            return refused("it writes no place, so that only an event could tell");
        }
        let word = codec::encode(instruction, &context.numbers);
        Ok(Columns { instruction: instruction.clone(), word, reads, writes })
    }

    /// Returns the input locations of a case with their values, in the order of the columns.
    pub fn inputs<'a>(&'a self, case: &'a Posed<'_>) -> impl Iterator<Item = (Location, u32)> + 'a {
        let value = |location: &Location| case.batch.column(*location).map_or(0, |column| column[case.lane]);
        self.reads.iter().map(move |location| (*location, value(location)))
    }

    /// Returns the expected content of each written column.
    pub fn results<'a>(&self, case: &'a Posed<'_>) -> Result<Vec<(Location, ColumnContent<'a>)>, RunError> {
        let same = |what: fn() -> ColumnContent<'a>| Ok(self.writes.iter().map(|l| (*l, what())).collect());
        let (expected, event) = match &case.expected {
            None | Some(Expectation::Unlisted) => return same(|| ColumnContent::Open),
            Some(Expectation::Undefined(_)) => return same(|| ColumnContent::Undefined),
            Some(Expectation::Effect(expected, event)) => (expected, event),
        };
        if event.is_some() || expected.keys().any(|location| !self.writes.contains(location)) {
            let text = assay_isa::asm::print(&self.instruction);
            let what = "must come to something besides the writes of its operands; use --as jsonl or yaml";
            return Err(RunError::input(format!("`{text}` {what}")));
        }
        let result = |location: &Location| match expected.get(location) {
            Some(allowed) => (*location, ColumnContent::Allowed(allowed)),
            None => (*location, ColumnContent::NotWritten),
        };
        Ok(self.writes.iter().map(result).collect())
    }

    /// Returns an answer with these input values and written values, both in the order of the
    /// columns.
    pub fn answer(&self, inputs: &[u32], outputs: &[Option<u32>]) -> Answer {
        let mut batch = Batch::new(self.word, &self.reads, 1);
        inputs.iter().enumerate().for_each(|(place, value)| batch.column_mut(place)[0] = *value);
        let written =
            self.writes.iter().zip(outputs).filter_map(|(location, value)| Some((*location, (*value)?)));
        let actual = Actual::Did { writes: written.collect::<Values>(), event: None };
        Answer { instruction: self.instruction.clone(), batch, actual }
    }
}

/// Parses the digits of a column.
pub fn value(location: Location, text: &str) -> Result<u32, String> {
    let width = digits(location);
    let sound = text.len() == width && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = sound.then(|| u32::from_str_radix(text, 16).ok()).flatten();
    match value.filter(|value| *value <= 1 || !location.is_predicate()) {
        Some(value) => Ok(value),
        None if location.is_predicate() => Err(format!("`{text}` is no value for {location}; write 0 or 1")),
        None => Err(format!("`{text}` is no value for {location}; write {width} hexadecimal digits")),
    }
}
