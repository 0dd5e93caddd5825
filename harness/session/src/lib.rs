//! A session: a profile, its implementations, the current instruction, and the last results.
//!
//! `libassay` (for C) and the Python package are built on this crate.
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

use assay_engine::compare::comparator::{Comparator, Judged, Setup};
use assay_engine::compare::judge::Verdict;
use assay_engine::compare::judge::allowed::Expectation;
use assay_isa::asm::{self, AsmError};
use assay_isa::codec::{self, DecodeError};
use assay_isa::location::UnknownLocation;
use assay_isa::{BackendError, Batch, Effects, EncodingTable, Event, Instruction, Location, Unrounded};
use assay_vectors::{Contract, Profile, VectorError};

/// Why a call was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The profile cannot be read, or a reading is unknown.
    #[error(transparent)]
    Profile(Box<VectorError>),
    /// The text is no instruction.
    #[error("{0}")]
    Asm(Box<AsmError>),
    /// The word is no instruction.
    #[error(transparent)]
    Word(Box<DecodeError>),
    /// An implementation failed.
    #[error(transparent)]
    Backend(Box<BackendError>),
    /// The text names no location.
    #[error(transparent)]
    Place(#[from] UnknownLocation),
    /// The call was wrong for another reason.
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

/// The current instruction.
pub struct Selected {
    /// The instruction itself.
    pub instruction: Instruction,
    /// The requirements of the profile on the instruction's results.
    pub contract: Contract,
    /// The input locations, in order.
    pub inputs: Vec<(Location, CString)>,
    /// The output locations, in order.
    pub outputs: Vec<(Location, CString)>,
}

/// The truth about one output in one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The output must not be written.
    NotWritten,
    /// The output must be written, with a value from the first to the second bound, both included.
    Span(u32, u32),
    /// The output must be written, with a value in one of several spans. Holds the start of the
    /// lowest span and the end of the highest.
    Spans(u32, u32),
    /// The specification leaves the result undefined.
    Undefined,
    /// More values are allowed than can be listed, or the profile gives no bound.
    Unlisted,
}

/// The state of a session.
pub struct Session {
    profile: Profile,
    numbers: EncodingTable,
    comparator: Comparator,
    batch: Batch,
    selected: Option<Selected>,
}

/// Returns a C text. The text ends before the first zero byte, if there is one.
pub fn c_text(text: impl Into<String>) -> CString {
    let text: String = text.into();
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}

impl Session {
    /// Opens a session under a profile, given by name or file. `readings` changes readings of the
    /// profile, such as `E173=2 E042=1`.
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

    /// Assembles a text into an instruction word.
    pub fn assemble(&self, text: &str) -> Result<u128, Refusal> {
        let instruction = asm::parse(text).map_err(|error| Refusal::Asm(Box::new(error)))?;
        Ok(codec::encode(&instruction, &self.numbers))
    }

    /// Returns the assembler text of an instruction word.
    pub fn disassemble(&self, word: u128) -> Result<String, Refusal> {
        Ok(asm::print(&codec::decode(word, &self.numbers)?))
    }

    /// Selects the current instruction by its word.
    pub fn select(&mut self, word: u128) -> Result<(), Refusal> {
        self.selected = None;
        self.select_instruction(codec::decode(word, &self.numbers)?);
        Ok(())
    }

    /// Selects the current instruction.
    pub fn select_instruction(&mut self, instruction: Instruction) {
        let named = |places: Vec<Location>| places.into_iter().map(|l| (l, c_text(l.to_string()))).collect();
        self.selected = Some(Selected {
            contract: self.profile.contract_for(&instruction),
            inputs: named(instruction.reads()),
            outputs: named(instruction.writes()),
            instruction,
        });
    }

    /// Returns the current instruction.
    pub fn selected(&self) -> Result<&Selected, Refusal> {
        self.selected.as_ref().ok_or_else(no_instruction)
    }

    /// Adds a location that depends on a value to the inputs or outputs. Does nothing if the list
    /// has the location already.
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

    /// Fills the batch with inputs, one column after the other.
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

    /// Runs the model on a batch. Returns its effects. `None` if the model does not implement the
    /// instruction.
    pub fn execute(&mut self, lanes: usize, inputs: &[u32]) -> Result<Option<&Effects>, Refusal> {
        self.fill(lanes, inputs)?;
        Ok(self.comparator.answer(&self.batch)?)
    }

    /// Finds the truth of a batch. Returns whether the oracle implements the instruction.
    pub fn truth(&mut self, lanes: usize, inputs: &[u32]) -> Result<bool, Refusal> {
        self.fill(lanes, inputs)?;
        let Selected { instruction, .. } = self.selected.as_ref().ok_or_else(no_instruction)?;
        Ok(self.comparator.truth(instruction, &self.batch)?.is_some())
    }

    /// Returns the requirements of the last truth on a lane: one for each output, and the event if
    /// one is required.
    pub fn expected(&self, lane: usize) -> Result<(Vec<Expected>, Option<Event>), Refusal> {
        let Selected { contract, outputs, instruction, .. } = self.selected()?;
        let same = |expected: Expected| (vec![expected; outputs.len()], None);
        let (allowed, event) = match Expectation::of(contract, self.last_judged().truths, lane) {
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

    /// Judges the effects of a device. Returns `false` if the oracle does not implement the
    /// instruction. After `true`, `verdict` returns the verdict on each lane.
    pub fn judge(&mut self, lanes: usize, inputs: &[u32], did: &Effects) -> Result<bool, Refusal> {
        self.fill(lanes, inputs)?;
        let Selected { instruction, contract, .. } = self.selected.as_ref().ok_or_else(no_instruction)?;
        let outcome = self.comparator.judge_recorded(contract, instruction, &self.batch, did)?;
        Ok(outcome.judged().is_some())
    }

    /// Returns the unrounded results of some lanes of the last batch, before flush and saturation.
    /// `None` if the instruction rounds no real number, or the oracle does not implement it.
    pub fn unrounded(&mut self, lanes: &[usize]) -> Result<Option<Vec<Unrounded>>, Refusal> {
        let Selected { instruction, .. } = self.selected.as_ref().ok_or_else(no_instruction)?;
        let mut part = Batch::new(self.batch.word(), self.batch.locations(), lanes.len());
        for (place, location) in self.batch.locations().iter().enumerate() {
            let values = self.batch.column(*location).unwrap_or_default();
            part.column_mut(place).iter_mut().zip(lanes).for_each(|(value, lane)| *value = values[*lane]);
        }
        Ok(self.comparator.unrounded(instruction, &part)?)
    }

    /// Returns the verdict on a lane of the last judged batch.
    pub fn verdict(&self, lane: usize) -> Verdict {
        self.last_judged().verdicts.of(lane)
    }

    /// Returns the profile of the session, with the changed readings.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the encoding table.
    pub fn numbers(&self) -> &EncodingTable {
        &self.numbers
    }

    /// Returns the truth, the model's effects and the verdicts, each of the last call that computed
    /// them.
    pub fn last_judged(&self) -> Judged<'_> {
        self.comparator.last_judged()
    }

    /// Returns the number of lanes of the last batch.
    pub fn lanes(&self) -> usize {
        self.batch.len()
    }
}

fn no_instruction() -> Refusal {
    Refusal::Call("no instruction is selected; call assay_select first".into())
}
