//! The reference model: executes each instruction in integer arithmetic on bits.
//!
//! The model is one of two independent implementations. The model follows the documents step by
//! step, as hardware would. The oracle in `oracles/mpfr` follows the documents' mathematical
//! definitions. Neither implementation is corrected by comparison with the other.
//!
//! A [`Model`] gets encoded words and raw values, as a device does. The model decodes the word of a
//! batch once, into a `plan`. `operand` turns columns of locations into columns of operands. The
//! table in `definition` finds an optype's definition by name. Definitions in `float`, `compare`,
//! `mufu`, `bits`, `moves` and `uniform` loop over the lanes for each output. Definitions in
//! `memory`, `system` and `bfn` compute a whole batch.
//!
//! [`knobs`] has the readings that a model follows. With [`Shipping`] the readings are constants
//! and cost nothing. [`knobs`] also has the hooks with which `oracles/faults` plants faults around
//! the units. A fault within a unit has a [`Site`]. `assign` overwrites source registers, under the
//! one reading that takes the code's assignments literally (E012).
//!
//! ```
//! use assay_isa::{Batch, Effects, EncodingTable, Location, Readings, asm, codec};
//!
//! let numbers = EncodingTable::provisional();
//! let instruction = asm::parse("FADD R0, R1, R2")?;
//! let places = [Location::R(1), Location::R(2)];
//! let mut batch = Batch::new(codec::encode(&instruction, numbers), &places, 1);
//! batch.column_mut(0)[0] = 1.0f32.to_bits();
//! batch.column_mut(1)[0] = 2.0f32.to_bits();
//! let mut effects = Effects::default();
//! assay_model::model(numbers.clone(), Readings::INTENDED).execute(&batch, &mut effects)?;
//! assert_eq!(effects.value(Location::R(0), 0), Some(3.0f32.to_bits()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assign;
mod bfn;
mod bits;
mod columns;
mod compare;
mod definition;
mod float;
mod gap;
pub mod knobs;
mod memory;
mod moves;
mod mufu;
mod operand;
mod plan;
mod semantics;
mod site;
mod system;
mod uniform;
mod unset_reads;

use assay_isa::codec;
use assay_isa::effect::Lanes;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Reading, Readings, Subject};

use knobs::Unit;
pub use knobs::{COLUMNS, Computed, Knobs, Shipping};
pub use mufu::{Class, Rom, SpecialResult, SpecialTable, given};
use plan::Plan;
use semantics::{Compute, Executed, Work};
pub use site::Site;
use unset_reads::UnsetReads;

/// Returns the model as a subject. Returns the fast model if the readings are `intended`.
pub fn model(numbers: EncodingTable, readings: Readings) -> Box<dyn Subject> {
    if readings == Readings::INTENDED {
        Box::new(Model::new(numbers, Shipping))
    } else {
        Box::new(Model::new(numbers, readings))
    }
}

/// The model, under the given knobs.
#[derive(Clone, Debug)]
pub struct Model<K> {
    numbers: EncodingTable,
    knobs: K,
    plan: Option<Plan<K>>,
    /// The locations that a misread word reads. The batch may lack values for these locations.
    strays: UnsetReads,
    operands: [Vec<u32>; COLUMNS],
}

impl<K: Knobs> Model<K> {
    /// Creates a model that decodes by the encoding table `numbers`.
    pub fn new(numbers: EncodingTable, knobs: K) -> Model<K> {
        Model { numbers, knobs, plan: None, strays: UnsetReads::default(), operands: Default::default() }
    }

    fn plan(&mut self, word: u128) -> Result<Plan<K>, BackendError> {
        if let Some(plan) = self.plan.take_if(|plan| plan.word == word) {
            return Ok(plan);
        }
        let mut instruction = codec::decode(word, &self.numbers)?;
        self.knobs.enter(&instruction);
        self.strays.reads.clear();
        if let Some(misread) = self.knobs.misread(&instruction, word, &self.numbers) {
            instruction = codec::decode(misread, &self.numbers)?;
            self.strays.reads = instruction.reads();
        }
        Ok(Plan::of(&self.knobs, word, instruction))
    }

    fn perform(
        &mut self,
        plan: &Plan<K>,
        batch: &Batch,
        effects: &mut Effects,
    ) -> Result<Answer, BackendError> {
        let semantics = &plan.semantics;
        if let Work::Unknown = semantics.work {
            return Ok(Answer::Unsupported);
        }
        let k = &self.knobs;
        for (input, values) in plan.inputs.iter().zip(&mut self.operands) {
            operand::load(batch, input, input.flushed, values)?;
            k.read(input.position.into(), input.word, input.flushed, values);
        }
        k.before(&plan.instruction, &mut self.operands);
        let Some(mut lanes) = operand::guarded(k, batch, plan.guard)? else { return Ok(Answer::Known) };
        if let Some(gap) = semantics.gap {
            lanes = gap.report(&self.operands, &lanes, effects);
        }
        if k.reading(Reading::E012) == 1 {
            assign::overwrite(k, plan, batch, &lanes, effects)?;
        }
        let (operands, lanes, outputs) = (&self.operands, &lanes, &plan.outputs[..]);
        match &semantics.work {
            Work::Unknown => {}
            Work::Columns(compute) => self.write(&**compute, plan, lanes, effects),
            Work::Batch(perform) => perform(k, &Executed { batch, operands, lanes, outputs }, effects)?,
        }
        Ok(Answer::Known)
    }

    /// Writes a column for each output that has a location.
    fn write(&self, compute: &Compute<K>, plan: &Plan<K>, lanes: &Lanes, effects: &mut Effects) {
        let k = &self.knobs;
        let unit: Unit<'_> = &|columns, position, results| compute(k, columns, position, results);
        for (position, output) in plan.outputs.iter().enumerate() {
            if let Some(location) = *output {
                let results = effects.write(location, k.written(lanes));
                compute(k, &self.operands, position, results);
                let (instruction, columns) = (&plan.instruction, &self.operands);
                k.after(&Computed { instruction, position, columns, unit }, results);
                k.results(lanes, location, results);
            }
        }
    }
}

impl<K: Knobs> Subject for Model<K> {
    fn name(&self) -> &str {
        "model"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        let plan = self.plan(batch.word())?;
        let strays = self.strays.fill(batch);
        let answer = self.perform(&plan, strays.as_ref().unwrap_or(batch), effects);
        self.plan = Some(plan);
        answer
    }
}
