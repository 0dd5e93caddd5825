//! The documents as a subject: the evaluator behind the interface that every implementation has.
//!
//! This module is the only one that knows the product's encoding table. The documents give no codes
//! (E001, E002, E005).

use std::cell::Cell;
use std::sync::Arc;

use assay_isa::effect::{Event, Lanes};
use assay_isa::encoding::enumerated_types;
use assay_isa::location::NO_FLAGS;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Erratum, Instruction, Location, Readings, Source,
    Subject, codec,
};

use super::codes::Codes;
use super::edition::{Edition, EditionError, Patches};
use super::evaluator::{Evaluator, PrepareError, Prepared};
use super::memory::LaneInputs;
use super::rules::{Rules, UnsupportedSetting};
use super::specification::Specification;
use super::stop::{Halt, Reason};
use super::vector::{StreamOperands, StreamSource};

/// The group of vector instructions.
const VECTOR: &str = "VISA";

/// The erratum of lanes that the text leaves open, if no other erratum names the reason.
const OPEN: u16 = 14;

/// The documents as a subject.
pub struct DocumentSubject {
    evaluator: Evaluator,
    numbers: EncodingTable,
    /// The last word and its routine.
    prepared: Option<(u128, Result<Prepared, PrepareError>)>,
}

/// Why the documents cannot be executed under a reading.
#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    /// A setting that the evaluator cannot follow.
    #[error(transparent)]
    Setting(#[from] UnsupportedSetting),
    /// Patches that do not fit the documents.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Patches(Vec<EditionError>),
}

/// Returns the rules of readings.
///
/// # Errors
///
/// A setting that the evaluator cannot follow.
pub fn rules(readings: &Readings) -> Result<Rules, UnsupportedSetting> {
    Rules::new(readings.iter().map(|(erratum, setting)| (erratum.0, setting)))
}

/// Returns the codes of an encoding table.
pub fn codes(specification: &Specification, numbers: &EncodingTable) -> Codes {
    let types = enumerated_types();
    let listed = types.iter().flat_map(|ty| {
        let values = ty.values.iter().zip(0..);
        values.map(|(name, index)| (ty.name, numbers.code(ty, index), *name))
    });
    Codes::new(specification, listed)
}

impl DocumentSubject {
    /// Creates the subject. `numbers` is the encoding table of the batches that it gets.
    ///
    /// # Errors
    ///
    /// A setting that the evaluator cannot follow, or patches that do not fit the documents.
    pub fn new(
        specification: Arc<Specification>,
        readings: &Readings,
        patches: &Patches,
        numbers: &EncodingTable,
    ) -> Result<DocumentSubject, SubjectError> {
        let codes = codes(&specification, numbers);
        let edition =
            Edition::new(specification, rules(readings)?, patches).map_err(SubjectError::Patches)?;
        let (evaluator, numbers) = (Evaluator::new(edition, codes), numbers.clone());
        Ok(DocumentSubject { evaluator, numbers, prepared: None })
    }

    fn prepare(&self, word: u128) -> Result<Prepared, PrepareError> {
        // The documents give no layout of an operand stream, so the product's codec reads it.
        match codec::decode(word, &self.numbers).ok().filter(|read| read.form().optype.group.name == VECTOR) {
            Some(read) => {
                let operands = stream_operands(&read).ok_or(PrepareError::UnknownForm)?;
                self.evaluator.prepare_stream(read.optype(), &operands)
            }
            None => self.evaluator.prepare(word),
        }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }
}

/// Returns the operands of a vector instruction.
fn stream_operands(instruction: &Instruction) -> Option<StreamOperands> {
    let bits = |field: &str| instruction.get(field);
    let source = |name: &str| match instruction.operand(name).source {
        Source::Imm(bits) => Some(StreamSource::Immediate(bits as u16)),
        Source::Variable(variable) => Some(StreamSource::Variable(variable)),
        _ => None,
    };
    let predicate = instruction.operand("pred");
    let predicate = match predicate.source {
        Source::Flags(number) if number != NO_FLAGS => Some((number, predicate.not)),
        _ => None,
    };
    Some(StreamOperands {
        size: bits("size")? | bits("mask")? << 4,
        predicate,
        destination: bits("dst")? as u8,
        sources: ["src0", "src1", "src2"].into_iter().map(source).collect::<Option<_>>()?,
        control: bits("ctrl")?,
        ty: instruction.value_name("type").to_owned(),
    })
}

/// One lane of a batch.
struct BatchLane<'b> {
    batch: &'b Batch,
    /// The column of each input of the program.
    columns: &'b [Option<usize>],
    lane: usize,
    /// An input of the program without a column that a lane read.
    missing: &'b Cell<Option<usize>>,
}

impl LaneInputs for BatchLane<'_> {
    fn input(&self, index: usize) -> u32 {
        let Some(column) = self.columns[index] else {
            self.missing.set(Some(index));
            return 0;
        };
        self.batch.values()[column * self.batch.len() + self.lane]
    }

    fn read(&self, location: Location) -> Option<u32> {
        let column = self.batch.locations().iter().position(|known| *known == location)?;
        Some(self.batch.values()[column * self.batch.len() + self.lane])
    }
}

impl Subject for DocumentSubject {
    fn name(&self) -> &str {
        "document"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        if self.prepared.as_ref().is_none_or(|(word, _)| *word != batch.word()) {
            self.prepared = Some((batch.word(), self.prepare(batch.word())));
        }
        let prepared = match &self.prepared {
            Some((_, Ok(prepared))) => prepared,
            Some((_, Err(PrepareError::Stopped { stop, .. }))) => {
                let erratum = Erratum(stop.erratum.unwrap_or(OPEN));
                (0..batch.len()).for_each(|lane| effects.undefine(lane, erratum));
                return Ok(Answer::Known);
            }
            _ => return Ok(Answer::Unsupported),
        };
        // A destination that the text never reads needs no column.
        let column = |input| batch.locations().iter().position(|known| known == input);
        let columns: Vec<Option<usize>> = prepared.inputs().iter().map(column).collect();
        execute(prepared, batch, &columns, effects)?;
        Ok(Answer::Known)
    }
}

/// The values that lanes wrote to one location.
struct WrittenColumn {
    location: Location,
    values: Vec<u32>,
    written: Vec<bool>,
}

fn execute(
    prepared: &Prepared,
    batch: &Batch,
    columns: &[Option<usize>],
    effects: &mut Effects,
) -> Result<(), BackendError> {
    let mut written: Vec<WrittenColumn> = Vec::new();
    let mut no_input = None;
    let missing = Cell::new(None);
    let lanes = (0..batch.len()).map(|lane| BatchLane { batch, columns, lane, missing: &missing });
    prepared.run(lanes, |lane, ended| match ended {
        Ok(writes) => {
            for (location, value) in writes {
                let place =
                    written.iter().position(|column| column.location == *location).unwrap_or_else(|| {
                        let (values, flags) = (vec![0; batch.len()], vec![false; batch.len()]);
                        written.push(WrittenColumn { location: *location, values, written: flags });
                        written.len() - 1
                    });
                (written[place].values[lane], written[place].written[lane]) = (*value, true);
            }
        }
        Err(Halt::Fault(fault)) => effects.event(lane, Event::Fault(fault)),
        Err(Halt::Stop(stop)) => match stop.reason {
            Reason::NoInput(location) => no_input = Some(location),
            _ => effects.undefine(lane, Erratum(stop.erratum.unwrap_or(OPEN))),
        },
    });
    let missing = missing.get().map(|index| prepared.inputs()[index]);
    if let Some(location) = missing.or(no_input) {
        return Err(BackendError::MissingLocation(location));
    }
    for column in written {
        effects.write(column.location, Lanes::from(column.written)).copy_from_slice(&column.values);
    }
    Ok(())
}
