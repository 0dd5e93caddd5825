//! The interface of all forms of cases and answers.

use std::collections::BTreeMap;

use assay_engine::compare::judge::allowed::Expectation;
use assay_isa::{Batch, Effects, Instruction};
use assay_runner::Context;
use assay_runner::RunError;
use assay_vectors::{Actual, Case};

use crate::head::Head;

/// A case to write.
pub struct Posed<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    /// The parts of the instruction in JSON, if requested. All cases of a batch share this text.
    pub parts: Option<&'a str>,
    /// The batch that contains the case.
    pub batch: &'a Batch,
    /// The lane of the case.
    pub lane: usize,
    /// Index of the case in the whole stream, counted over all shards.
    pub index: u64,
    /// Its expectation, if requested.
    pub expected: Option<Expectation>,
}

/// The answer of a device to a case.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The instruction.
    pub instruction: Instruction,
    /// The inputs of the case, as a batch of one lane.
    pub batch: Batch,
    /// The answer of the device.
    pub actual: Actual,
}

/// The contents of a line of a stream.
pub enum Line {
    /// A comment, or an empty line if the form allows empty lines.
    Nothing,
    /// A head.
    Head(Head),
    /// An answer.
    Answer(Box<Answer>),
}

/// A form, set up for one stream.
pub trait Dialect: Sync {
    /// Returns the text that precedes the cases.
    fn head(&self, head: &Head) -> String;

    /// Appends a case to `text`.
    fn write(&self, case: &Posed<'_>, text: &mut String) -> Result<(), RunError>;

    /// Reads a line. The error names the problem.
    fn read(&self, line: &str) -> Result<Line, String>;

    /// Returns the single instruction of all answers, if the form can read many lines at once by
    /// columns.
    fn instruction(&self) -> Option<&Instruction> {
        None
    }

    /// Reads many lines at once: their inputs into `_batch` and their outputs into `_effects`.
    /// Returns `false` if a line has an unusual layout. The caller must then read each line
    /// separately.
    fn read_columns(&self, _lines: &[&[u8]], _batch: &mut Batch, _effects: &mut Effects) -> bool {
        false
    }
}

/// Returns the answer in a case. Fails if the case requires other readings, or has no `actual`.
pub fn answer_of(case: Case, context: &Context) -> Result<Answer, String> {
    let (instruction, batch) = case.batch(&context.numbers).map_err(|error| error.to_string())?;
    let in_force: BTreeMap<_, _> = context.profile.readings.iter().collect();
    if let Some((erratum, setting)) =
        case.readings.iter().find(|(erratum, n)| in_force.get(erratum) != Some(n))
    {
        return Err(format!("the case is for {erratum}={setting}; add --reading {erratum}={setting}"));
    }
    let actual = case
        .actual
        .ok_or("there is no `actual`; the device adds its writes, such as {\"R0\": \"0x3f800000\"}")?;
    Ok(Answer { instruction, batch, actual })
}

/// Returns the case with its word and its expectation.
pub fn case_of(posed: &Posed<'_>) -> Case {
    let Posed { instruction, batch, lane, expected, .. } = posed;
    let case = Case { word: Some(batch.word()), ..Case::from_lane(instruction, batch, *lane) };
    match expected {
        Some(Expectation::Effect(expected, event)) => {
            Case { expect: Some(expected.clone()), event: *event, ..case }
        }
        Some(Expectation::Undefined(erratum)) => Case { undefined: Some(*erratum), ..case },
        Some(Expectation::Unlisted) | None => case,
    }
}
