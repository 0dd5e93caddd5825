//! A subject and an oracle for tests. Their answers are prepared, and they record their calls.

use std::sync::{Arc, Mutex};

use assay_isa::effect::Lanes;
use assay_isa::truth::Unrounded;
use assay_isa::{
    Answer, Arguments, BackendError, Batch, Effects, Erratum, Estimates, FastOracle, Instruction, Location,
    Oracle, Subject, Truths, asm,
};

pub const R0: Location = Location::R(0);
pub const R1: Location = Location::R(1);

/// A value of R1 that the prepared oracle calls undefined.
pub const UNDEFINED: u32 = 13;

/// The calls of an implementation, in order.
pub type Calls = Arc<Mutex<Vec<String>>>;

/// Returns the calls since the last request, and forgets them.
pub fn taken(calls: &Calls) -> Vec<String> {
    std::mem::take(&mut calls.lock().unwrap())
}

/// Returns an instruction, and a batch of it with these values in R1.
pub fn batch(values: &[u32]) -> (Instruction, Batch) {
    let instruction = asm::parse("MUFU.RCP.F32 R0, R1").unwrap();
    let mut batch = Batch::new(0, &[R1], values.len());
    batch.column_mut(0).copy_from_slice(values);
    (instruction, batch)
}

/// Returns effects with these columns: location, values, and the lanes that wrote.
pub fn effects<const N: usize>(columns: &[(Location, [u32; N], Lanes)]) -> Effects {
    let mut effects = Effects::default();
    effects.reset(N);
    for (location, values, written) in columns {
        effects.write(*location, written.clone()).copy_from_slice(values);
    }
    effects
}

/// A subject with the same effects for each batch.
pub struct PreparedSubject {
    pub answer: Answer,
    pub effects: Effects,
    pub declares_modes: bool,
    pub calls: Calls,
}

impl PreparedSubject {
    pub fn new(effects: Effects) -> PreparedSubject {
        PreparedSubject { answer: Answer::Known, effects, declares_modes: true, calls: Calls::default() }
    }

    fn note(&self, call: String) {
        self.calls.lock().unwrap().push(call);
    }
}

impl Subject for PreparedSubject {
    fn name(&self) -> &str {
        "prepared subject"
    }

    fn declares_modes(&self) -> bool {
        self.declares_modes
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        self.note(format!("execute {}", batch.len()));
        effects.clone_from(&self.effects);
        Ok(self.answer)
    }

    fn start_fresh(&mut self) {
        self.note("start fresh".to_owned());
    }

    fn batches_ahead(&self) -> usize {
        7
    }

    fn execute_ahead(&mut self, batches: &mut dyn Iterator<Item = &Batch>) -> Result<(), BackendError> {
        self.note(format!("execute ahead {:?}", batches.map(Batch::len).collect::<Vec<_>>()));
        Ok(())
    }

    fn announce(&mut self, word: u128, firsts: &[u32], lanes: u32) -> Result<(), BackendError> {
        self.note(format!("announce {word} {firsts:?} {lanes}"));
        Ok(())
    }
}

/// An oracle whose truth is that R0 gets the value of R1.
pub struct PreparedOracle {
    pub answer: Answer,
    pub estimates: Option<Estimates>,
    pub unrounded: Option<Vec<Unrounded>>,
    pub calls: Calls,
}

impl Default for PreparedOracle {
    fn default() -> PreparedOracle {
        PreparedOracle { answer: Answer::Known, estimates: None, unrounded: None, calls: Calls::default() }
    }
}

impl PreparedOracle {
    fn note(&self, call: String) {
        self.calls.lock().unwrap().push(call);
    }
}

impl Oracle for PreparedOracle {
    fn name(&self) -> &str {
        "prepared oracle"
    }

    fn start_fresh(&mut self) {
        self.note("start fresh".to_owned());
    }

    fn truth(
        &mut self,
        _instruction: &Instruction,
        batch: &Batch,
        _precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        self.note(format!("truth {}", batch.len()));
        truths.reset(batch.len());
        let values = batch.column(R1).unwrap_or_default();
        truths.bits(R0, Lanes::All).copy_from_slice(values);
        for (lane, _) in values.iter().enumerate().filter(|(_, value)| **value == UNDEFINED) {
            truths.undefine(lane, Erratum(1));
        }
        Ok(self.answer)
    }

    fn fast(&mut self, _instruction: &Instruction) -> Option<&mut dyn FastOracle> {
        Some(self)
    }
}

impl FastOracle for PreparedOracle {
    fn truth_unfiltered(
        &mut self,
        _instruction: &Instruction,
        _batch: &Batch,
        _precision: u32,
        _truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        Ok(Answer::Unsupported)
    }

    fn arguments(&mut self, _: &Instruction, _: &Batch, _: &mut Arguments) -> Result<bool, BackendError> {
        Ok(false)
    }

    fn estimate(
        &mut self,
        _instruction: &Instruction,
        _batch: &Batch,
        estimates: &mut Estimates,
    ) -> Result<bool, BackendError> {
        self.estimates.iter().for_each(|prepared| estimates.clone_from(prepared));
        Ok(self.estimates.is_some())
    }

    fn unrounded(
        &mut self,
        _instruction: &Instruction,
        _batch: &Batch,
        _precision: u32,
        exact: &mut Vec<Unrounded>,
    ) -> Result<bool, BackendError> {
        self.unrounded.iter().for_each(|prepared| exact.clone_from(prepared));
        Ok(self.unrounded.is_some())
    }
}
