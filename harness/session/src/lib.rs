//! One session: a profile, the implementations under it, the current instruction, and the last results.
//!
//! The interfaces for other languages are made of it: `libassay` for C, and the Python package.
//!
//! ```
//! use assay_session::Session;
//!
//! let mut session = Session::open("intended", "")?;
//! session.select(session.assemble("POPC R0, R1")?)?;
//! let effects = session.execute(2, &[7, 0xff])?.expect("the model knows it");
//! assert_eq!(effects.columns()[0].values, [3, 8]);
//! # Ok::<(), assay_session::Refusal>(())
//! ```

pub mod backends;

use std::ffi::CString;

use assay_engine::compare::comparator::{BatchOutcome, Comparator, Setup};
use assay_engine::compare::judge::Verdict;
use assay_engine::compare::judge::allowed::Expectation;
use assay_isa::asm::{self, AsmError};
use assay_isa::codec::{self, DecodeError};
use assay_isa::location::UnknownLocation;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Event, Instruction, Location, Unrounded,
};
use assay_vectors::{Contract, Profile, VectorError};

/// Why a call did nothing.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The profile cannot be read, or has no such reading.
    #[error(transparent)]
    Profile(Box<VectorError>),
    /// Text that is no instruction.
    #[error("{0}")]
    Asm(Box<AsmError>),
    /// A word that is no instruction.
    #[error(transparent)]
    Word(Box<DecodeError>),
    /// An implementation could not answer.
    #[error(transparent)]
    Backend(Box<BackendError>),
    /// Text that names no place.
    #[error(transparent)]
    Place(#[from] UnknownLocation),
    /// The call was wrong in another way.
    #[error("{0}")]
    Call(String),
}

impl From<VectorError> for Refusal {
    fn from(error: VectorError) -> Refusal {
        Refusal::Profile(Box::new(error))
    }
}

impl From<DecodeError> for Refusal {
    fn from(error: DecodeError) -> Refusal {
        Refusal::Word(Box::new(error))
    }
}

impl From<BackendError> for Refusal {
    fn from(error: BackendError) -> Refusal {
        Refusal::Backend(Box::new(error))
    }
}

/// The instruction that the calls are about.
pub struct Selected {
    /// The instruction itself.
    pub instruction: Instruction,
    /// The demands on its results under the profile.
    pub contract: Contract,
    /// The input locations, in order.
    pub inputs: Vec<(Location, CString)>,
    /// The output locations, in order.
    pub outputs: Vec<(Location, CString)>,
}

/// The outcome of a lane in an output's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It must not be written.
    NotWritten,
    /// It must be written, with a value from the first to the second.
    Span(u32, u32),
    /// It must be written, with a value of several spans that begin and end there.
    Spans(u32, u32),
    /// The specification leaves it open.
    Undefined,
    /// More than can be listed, or nothing that is judged.
    Unlisted,
}

/// What there is behind a handle.
pub struct Session {
    profile: Profile,
    numbers: EncodingTable,
    comparator: Comparator,
    batch: Batch,
    selected: Option<Selected>,
}

/// A C text; a zero within, which no text of ours has, ends it.
pub fn c_text(text: impl Into<String>) -> CString {
    let text: String = text.into();
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}

impl Session {
    /// A session under a profile, by name or file, with some readings set anew: `E173=2 E042=1`.
    pub fn open(profile: &str, readings: &str) -> Result<Session, Refusal> {
        let mut profile = Profile::load(profile)?;
        for reading in readings.split_whitespace() {
            profile.set_reading(reading)?;
        }
        let numbers = EncodingTable::provisional().clone();
        let subject = || backends::model(&numbers, profile.readings);
        let oracle = || backends::oracle(&numbers, &profile);
        let setup = Setup { numbers: &numbers, profile: &profile, subject: &subject, oracle: &oracle };
        let comparator = Comparator::new(&setup);
        Ok(Session { profile, numbers: numbers.clone(), comparator, batch: Batch::default(), selected: None })
    }

    /// Assembler text to its word.
    pub fn assemble(&self, text: &str) -> Result<u128, Refusal> {
        let instruction = asm::parse(text).map_err(|error| Refusal::Asm(Box::new(error)))?;
        Ok(codec::encode(&instruction, &self.numbers))
    }

    /// A word to its assembler text.
    pub fn disassemble(&self, word: u128) -> Result<String, Refusal> {
        Ok(asm::print(&codec::decode(word, &self.numbers)?))
    }

    /// Makes an instruction the one that calls are about.
    pub fn select(&mut self, word: u128) -> Result<(), Refusal> {
        self.selected = None;
        self.select_instruction(codec::decode(word, &self.numbers)?);
        Ok(())
    }

    /// Makes a decoded instruction the one that calls are about.
    pub fn select_instruction(&mut self, instruction: Instruction) {
        let named = |places: Vec<Location>| places.into_iter().map(|l| (l, c_text(l.to_string()))).collect();
        self.selected = Some(Selected {
            contract: self.profile.contract_for(&instruction),
            inputs: named(instruction.reads()),
            outputs: named(instruction.writes()),
            instruction,
        });
    }

    /// The current instruction.
    pub fn selected(&self) -> Result<&Selected, Refusal> {
        self.selected.as_ref().ok_or_else(no_instruction)
    }

    /// Adds a place that a value decides about to the inputs or the outputs, unless it is there.
    pub fn add(&mut self, place: &str, is_output: bool) -> Result<(), Refusal> {
        let location: Location = place.parse()?;
        let selected = self.selected.as_mut().ok_or_else(no_instruction)?;
        if !selected.instruction.access().is_some_and(|access| access.reaches(location)) {
            let text = asm::print(&selected.instruction);
            return Err(Refusal::Call(format!("no value leads `{text}` to {location}")));
        }
        let list = if is_output { &mut selected.outputs } else { &mut selected.inputs };
        if !list.iter().any(|(known, _)| *known == location) {
            list.push((location, c_text(location.to_string())));
        }
        Ok(())
    }

    /// Fills the batch with inputs, column after column.
    fn fill(&mut self, lanes: usize, inputs: &[u32]) -> Result<(), Refusal> {
        let Selected { instruction, inputs: places, .. } =
            self.selected.as_ref().ok_or_else(no_instruction)?;
        let locations: Vec<Location> = places.iter().map(|(location, _)| *location).collect();
        self.batch.reset(codec::encode(instruction, &self.numbers), &locations, lanes);
        for (place, location) in locations.iter().enumerate() {
            let values = &inputs[place * lanes..][..lanes];
            if let Some(value) = values.iter().find(|value| location.is_predicate() && **value > 1) {
                return Err(Refusal::Call(format!("{location} holds 0 or 1, not {value:#x}")));
            }
            self.batch.column_mut(place).copy_from_slice(values);
        }
        Ok(())
    }

    /// Has the model execute a batch. Returns whether it implements the instruction. Then the effects are available.
    pub fn execute(&mut self, lanes: usize, inputs: &[u32]) -> Result<Option<&Effects>, Refusal> {
        self.fill(lanes, inputs)?;
        let answer = self.comparator.answer(&self.batch)?;
        Ok((answer == Answer::Known).then_some(&self.comparator.effects))
    }

    /// Finds the truth of a batch. Answers whether the oracle knows the instruction.
    pub fn truth(&mut self, lanes: usize, inputs: &[u32]) -> Result<bool, Refusal> {
        self.fill(lanes, inputs)?;
        let Selected { instruction, .. } = self.selected.as_ref().ok_or_else(no_instruction)?;
        Ok(self.comparator.truth(instruction, &self.batch)? == Answer::Known)
    }

    /// What the truth that was last found expects of a lane, output by output, and the event.
    pub fn expected(&self, lane: usize) -> Result<(Vec<Expected>, Option<Event>), Refusal> {
        let Selected { contract, outputs, instruction, .. } = self.selected()?;
        let same = |expected: Expected| (vec![expected; outputs.len()], None);
        let (allowed, event) = match Expectation::of(contract, self.comparator.truths(), lane) {
            Expectation::Undefined(_) => return Ok(same(Expected::Undefined)),
            Expectation::Unlisted => return Ok(same(Expected::Unlisted)),
            Expectation::Effect(allowed, event) => (allowed, event),
        };
        if let Some(place) = allowed.keys().find(|place| !outputs.iter().any(|(known, _)| known == *place)) {
            let text = asm::print(instruction);
            return Err(Refusal::Call(format!("`{text}` writes {place} too: add that to the outputs")));
        }
        let of = |location: &Location| match allowed.get(location).map(|allowed| allowed.as_spans()) {
            None | Some([]) => Expected::NotWritten,
            Some([one]) => Expected::Span(one.low, one.high),
            Some([first, .., last]) => Expected::Spans(first.low, last.high),
        };
        Ok((outputs.iter().map(|(location, _)| of(location)).collect(), event))
    }

    /// Judges the effects of a device. Returns whether the oracle knows the instruction. Then the verdicts are
    /// available.
    pub fn judge(&mut self, lanes: usize, inputs: &[u32], did: &Effects) -> Result<bool, Refusal> {
        self.fill(lanes, inputs)?;
        let Selected { instruction, contract, .. } = self.selected.as_ref().ok_or_else(no_instruction)?;
        Ok(self.comparator.judge_recorded(contract, instruction, &self.batch, did)? == BatchOutcome::Judged)
    }

    /// The real numbers that some lanes of the last batch round, before flush and saturation. `None` where the instruction
    /// rounds no such number, or the oracle does not know it.
    pub fn unrounded(&mut self, lanes: &[usize]) -> Result<Option<Vec<Unrounded>>, Refusal> {
        let Selected { instruction, .. } = self.selected.as_ref().ok_or_else(no_instruction)?;
        let mut part = Batch::new(self.batch.word(), self.batch.locations(), lanes.len());
        for (place, location) in self.batch.locations().iter().enumerate() {
            let values = self.batch.column(*location).unwrap_or_default();
            part.column_mut(place).iter_mut().zip(lanes).for_each(|(value, lane)| *value = values[*lane]);
        }
        Ok(self.comparator.unrounded(instruction, &part)?)
    }

    /// The verdict on a lane that was last judged.
    pub fn verdict(&self, lane: usize) -> Verdict {
        self.comparator.verdicts.of(lane)
    }

    /// The profile that the session was opened under, with its readings.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The codes of the instruction word.
    pub fn numbers(&self) -> &EncodingTable {
        &self.numbers
    }

    /// The implementations, with the truth, the effects and the verdicts of the last call.
    pub fn comparator(&self) -> &Comparator {
        &self.comparator
    }

    /// Lanes that were last judged, executed or asked about.
    pub fn lanes(&self) -> usize {
        self.batch.len()
    }
}

fn no_instruction() -> Refusal {
    Refusal::Call("no instruction is selected; call assay_select first".into())
}
