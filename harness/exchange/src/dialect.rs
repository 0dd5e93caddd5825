//! What every form of cases and answers writes and reads.

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
    /// The batch that it is a lane of.
    pub batch: &'a Batch,
    /// Which lane.
    pub lane: usize,
    /// Index of the case in the whole stream, all shards together.
    pub index: u64,
    /// Its expectation, if requested.
    pub expected: Option<Expectation>,
}

/// A case that a device answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The instruction.
    pub instruction: Instruction,
    /// Its inputs, as a batch of one lane.
    pub batch: Batch,
    /// What the device did.
    pub actual: Actual,
}

/// The contents of a line of a stream.
pub enum Line {
    /// Nothing that counts: a comment, or an empty line where the form has such.
    Nothing,
    /// A head.
    Head(Head),
    /// An answer.
    Answer(Box<Answer>),
}

/// A form in use, for one stream.
pub trait Dialect: Sync {
    /// The text before the cases.
    fn head(&self, head: &Head) -> String;

    /// Appends a case to a text.
    fn write(&self, case: &Posed<'_>, text: &mut String) -> Result<(), RunError>;

    /// Reads a line; the error names the problem.
    fn read(&self, line: &str) -> Result<Line, String>;

    /// The instruction of all answers, if lines of the usual shape can be read side by side.
    fn instruction(&self) -> Option<&Instruction> {
        None
    }

    /// Reads lines side by side, as cases and what they wrote. `false` if one of them has another shape than usual: then each
    /// is to be read for itself.
    fn read_columns(&self, _lines: &[&[u8]], _batch: &mut Batch, _effects: &mut Effects) -> bool {
        false
    }
}

/// The answer that a case holds.
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

/// A case with its word and its expectation.
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
