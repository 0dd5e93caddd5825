//! Helpers of these tests: the model and the oracle under the readings of profile `intended`.

use assay_engine::generate::LANES;
use assay_engine::run::campaign::Campaign;
use assay_engine::run::sizes::BatchSplit;
use assay_engine::stats::tally::{ObservedDivergence, Tally};
use assay_engine::triage::batches::RedrawnBatches;
use assay_engine::triage::{self, Bug};
use assay_faults::Fault;
use assay_isa::effect::Lanes;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Oracle, Readings, Subject};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;

/// Returns the sound model.
pub fn model() -> Box<dyn Subject> {
    assay_model::model(EncodingTable::provisional().clone(), Readings::INTENDED)
}

/// Returns the model with a fault.
pub fn mutant(fault: Fault) -> Box<dyn Subject> {
    assay_faults::mutant(EncodingTable::provisional().clone(), Readings::INTENDED, fault)
}

/// Returns the oracle.
pub fn oracle() -> Box<dyn Oracle> {
    oracle_under(Readings::INTENDED)
}

/// Returns the oracle under some readings.
pub fn oracle_under(readings: Readings) -> Box<dyn Oracle> {
    Box::new(MpfrOracle::new(readings))
}

/// Returns the profile `intended`.
pub fn intended() -> Profile {
    Profile::load("intended").expect("a built-in profile")
}

/// Returns the bugs that a finished campaign of whole batches found.
pub fn bugs_of(campaign: &Campaign<'_>, tally: &Tally) -> Vec<Bug> {
    let draw = |_: &ObservedDivergence, number| campaign.redraw(number);
    let batches = RedrawnBatches {
        lanes: &|_| LANES as u64,
        step: 1,
        cut: BatchSplit::of,
        draw: &draw,
        selects: &|_| true,
    };
    triage::bugs(&campaign.setup, &oracle_under, tally, batches).expect("it is triaged").bugs
}

/// The model with its results changed by a function of argument and result.
pub struct Changed<F> {
    model: Box<dyn Subject>,
    change: F,
    inner: Effects,
}

impl<F: Fn(u32, u32) -> u32> Changed<F> {
    /// Returns a subject whose results are `change(argument, result)`, where `result` is the
    /// model's result.
    pub fn new(model: Box<dyn Subject>, change: F) -> Changed<F> {
        Changed { model, change, inner: Effects::default() }
    }
}

impl<F: Fn(u32, u32) -> u32 + Send> Subject for Changed<F> {
    fn name(&self) -> &str {
        "changed"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let answer = self.model.execute(batch, &mut self.inner)?;
        effects.reset(batch.len());
        let arguments = batch.column(batch.locations()[0]).expect("MUFU reads one column");
        for column in self.inner.columns() {
            let values = effects.write(column.location, Lanes::All);
            for ((value, result), argument) in values.iter_mut().zip(&column.values).zip(arguments) {
                *value = (self.change)(*argument, *result);
            }
        }
        Ok(answer)
    }
}
