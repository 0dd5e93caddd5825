//! A question to the oracle, and the recording of its answer. The question and the recording handle
//! guards, RZ, and overwritten sources.

use assay_isa::effect::Lanes;
use assay_isa::readings::{Reading, Readings};
use assay_isa::{BackendError, Batch, Erratum, Instruction, Location, Operand, Truths};

use crate::operand::{Input, Values};

/// An instruction, the lanes to compute, and the readings to follow.
#[derive(Debug)]
pub struct Question<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    batch: &'a Batch,
    readings: &'a Readings,
    executed: Lanes,
}

impl<'a> Question<'a> {
    /// Creates a question. The guard decides which lanes execute (E008).
    pub fn new(
        instruction: &'a Instruction,
        batch: &'a Batch,
        readings: &'a Readings,
    ) -> Result<Question<'a>, BackendError> {
        let guard = Input::of(instruction.guard(), batch)?;
        let always = readings.get(Reading::E008) == 2 || (guard.is_constant() && guard.prefixed(1) == 1);
        let executed = if always {
            Lanes::All
        } else {
            Lanes::Some((0..batch.len()).map(|lane| guard.is_true(lane)).collect())
        };
        Ok(Question { instruction, batch, readings, executed })
    }

    /// Returns the number of lanes.
    pub fn len(&self) -> usize {
        self.batch.len()
    }

    /// Returns whether a reading has this setting.
    pub fn reads(&self, reading: Reading, setting: u8) -> bool {
        self.readings.get(reading) == setting
    }

    /// Returns the readings.
    pub fn readings(&self) -> &Readings {
        self.readings
    }

    /// Returns the lanes that execute. Other lanes write nothing.
    pub fn executed(&self) -> &Lanes {
        &self.executed
    }

    /// Returns the batch, which has the columns of the instruction's inputs.
    pub fn batch(&self) -> &'a Batch {
        self.batch
    }

    /// Returns the `N` operands that the instruction reads, in the order of the text.
    pub fn operands<const N: usize>(&self) -> Result<[Operand; N], BackendError> {
        self.exactly(self.instruction.inputs().collect())
    }

    /// Returns the lowest word of an operand, without prefixes.
    pub fn values(&self, operand: Operand) -> Result<Values<'a>, BackendError> {
        Values::of(operand, 0, self.batch)
    }

    /// Returns an operand with the prefixes of a float, or with the `!` of a predicate.
    pub fn input(&self, operand: Operand) -> Result<Input<'a>, BackendError> {
        Input::of(operand, self.batch)
    }

    /// Returns the `N` inputs with their prefixes, in the order of the text.
    pub fn inputs<const N: usize>(&self) -> Result<[Input<'a>; N], BackendError> {
        self.exactly(self.all_inputs()?)
    }

    fn exactly<T, const N: usize>(&self, inputs: Vec<T>) -> Result<[T; N], BackendError> {
        inputs.try_into().map_err(|inputs: Vec<T>| BackendError::Failed {
            implementation: crate::NAME.to_owned(),
            problem: format!(
                "{} has {} inputs in the tables, not {N}",
                self.instruction.form().name,
                inputs.len()
            ),
        })
    }

    /// Returns all inputs with their prefixes, in the order of the text.
    pub fn all_inputs(&self) -> Result<Vec<Input<'a>>, BackendError> {
        self.instruction.inputs().map(|operand| self.input(operand)).collect()
    }

    /// Fills in the only destination lane by lane. Does nothing if the destination is RZ or PT.
    pub fn answer(&self, truths: &mut Truths, result: impl FnMut(usize) -> u32) {
        if let Some(&location) = self.instruction.writes().first() {
            self.answer_at(location, truths, result);
        }
    }

    /// Fills in all lanes of the only destination at once. Does nothing if the destination is RZ or
    /// PT.
    pub fn answer_all(&self, truths: &mut Truths, fill: impl FnOnce(&mut [u32])) {
        if let Some(&location) = self.instruction.writes().first() {
            fill(truths.bits(location, self.executed.clone()));
        }
    }

    /// Fills in the destination operand with this name. Does nothing if the operand is URZ or UPT.
    #[inline]
    pub fn answer_to(&self, name: &str, truths: &mut Truths, result: impl FnMut(usize) -> u32) {
        if let Some(location) = self.instruction.operand(name).source.location() {
            self.answer_at(location, truths, result);
        }
    }

    /// Fills in a destination lane by lane.
    #[inline]
    pub fn answer_at(&self, location: Location, truths: &mut Truths, mut result: impl FnMut(usize) -> u32) {
        for (lane, value) in truths.bits(location, self.executed.clone()).iter_mut().enumerate() {
            *value = result(lane);
        }
    }

    /// Marks lanes as undefined, if they execute and `is_undefined` is true.
    pub fn undefine(&self, truths: &mut Truths, erratum: Erratum, is_undefined: impl Fn(usize) -> bool) {
        for lane in (0..self.len()).filter(|lane| self.executed.contains(*lane) && is_undefined(*lane)) {
            truths.undefine(lane, erratum);
        }
    }

    /// Overwrites the registers of the inputs if E012 = 1. `assigned(place, lane)` returns the
    /// value that the code assigns to the input at this position in this lane.
    ///
    /// If the code writes a register several times, the last write counts. The write to the
    /// destination comes after these writes.
    pub fn overwrite(
        &self,
        inputs: &[Input],
        truths: &mut Truths,
        assigned: impl Fn(usize, usize) -> Option<u32>,
    ) {
        if !self.reads(Reading::E012, 1) {
            return;
        }
        let mut settled = self.instruction.writes();
        for location in inputs.iter().filter_map(Input::register) {
            if settled.contains(&location) {
                continue;
            }
            settled.push(location);
            let last = |lane| {
                let places = (0..inputs.len()).rev().filter(|i| inputs[*i].register() == Some(location));
                places.filter_map(|place| assigned(place, lane)).next()
            };
            let written: Vec<Option<u32>> =
                (0..self.len()).map(|lane| last(lane).filter(|_| self.executed.contains(lane))).collect();
            let lanes = Lanes::Some(written.iter().map(Option::is_some).collect());
            let column = truths.bits(location, lanes);
            column.iter_mut().zip(written).for_each(|(value, new)| *value = new.unwrap_or_default());
        }
    }
}
