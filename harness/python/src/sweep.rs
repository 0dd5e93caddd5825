//! Measures the errors of a function of one operand, over every input or over a sample.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use assay_engine::compare::comparator::{Comparator, EstimatedBatch, Setup};
use assay_engine::compare::judge::{Divergence, ONE_ULP};
use assay_engine::generate::domain::Domain;
use assay_engine::run::exhaustive::examine::{BatchExaminer, BatchToExamine};
use assay_engine::stats::accuracy::{Accuracy, Extreme};
use assay_engine::stats::tally::Tally;
use assay_fpenv::DefaultEnvironment;
use assay_isa::effect::Lanes;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Instruction as Decoded, Location, Subject, asm,
};
use assay_vectors::{Contract, Profile};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};

use crate::columns::{Columns, doubles, pieces, words};
use crate::failure::{Failure, Slot, refused};
use crate::instruction::Instruction;
use crate::verdicts::{VerdictColumns, in_words};

/// Maximum number of inputs in a batch that is judged in double precision.
const SLICE: usize = 4096;

/// A subject that returns the results of the Python callable.
#[derive(Clone)]
struct Recorded {
    location: Location,
    results: Arc<Mutex<Vec<u32>>>,
}

impl Subject for Recorded {
    fn name(&self) -> &str {
        "callable"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        effects.reset(batch.len());
        effects.write(self.location, Lanes::All).copy_from_slice(&results);
        Ok(Answer::Known)
    }
}

/// The state of a running sweep: the counts, and everything that judging needs.
struct Progress {
    comparator: Comparator,
    recorded: Recorded,
    instruction: Decoded,
    contract: Contract,
    domain: Domain,
    numbers: EncodingTable,
    examiner: BatchExaminer,
    batch: Batch,
    tally: Tally,
    /// Number of results that diverged, by reason.
    reasons: BTreeMap<String, u64>,
}

/// A sweep. Returns inputs to the caller, and counts the errors of the caller's results.
#[pyclass(frozen, module = "assay._native")]
pub struct Sweep {
    slot: Slot<Progress>,
    inputs: u64,
}

#[pymethods]
impl Sweep {
    /// Starts a sweep under a profile. If the function has 32-bit inputs, the sweep has only every
    /// `stride`-th input.
    #[new]
    fn new(
        py: Python<'_>,
        profile: &str,
        readings: &str,
        instruction: &Instruction,
        stride: u64,
    ) -> PyResult<Sweep> {
        let progress = crate::failure::run(py, || Progress::new(profile, readings, instruction, stride))?;
        Ok(Sweep { inputs: progress.domain.len(), slot: Slot::new(progress) })
    }

    /// Number of inputs.
    #[getter]
    fn inputs(&self) -> u64 {
        self.inputs
    }

    /// Returns `lanes` inputs as register values, from index `first` on.
    fn arguments<'py>(&self, py: Python<'py>, first: u64, lanes: usize) -> PyResult<Bound<'py, PyByteArray>> {
        let values = self.run(py, |progress| {
            progress.fill(first, lanes);
            Ok(progress.batch.values().to_vec())
        })?;
        words(py, &values)
    }

    /// Judges and counts the results of the inputs from index `first` on. Returns verdicts and
    /// errors.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        results: &Bound<'py, PyBytes>,
    ) -> PyResult<[Bound<'py, PyByteArray>; 2]> {
        let lanes = results.as_bytes().len() / 4;
        let mut judged = VerdictColumns::new(lanes);
        self.each_piece(py, first, results, pieces(lanes), |progress, first, from| {
            progress.judge(first)?;
            judged.add(from, progress.comparator.last_judged().verdicts);
            Ok(())
        })?;
        Ok([PyByteArray::new(py, &judged.codes), doubles(py, &judged.ulps)?])
    }

    /// Counts the results of the inputs from index `first` on. Judges them in double precision if
    /// that suffices.
    fn count(&self, py: Python<'_>, first: u64, results: &Bound<'_, PyBytes>) -> PyResult<()> {
        let lanes = results.as_bytes().len() / 4;
        let slices = (0..lanes).step_by(SLICE).map(|from| from..lanes.min(from + SLICE));
        self.each_piece(py, first, results, slices, |progress, first, _| progress.count(first))
    }

    /// Returns the counts so far.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (verdicts, accuracy, reasons) = self.run(py, |progress| {
            let name = asm::mnemonic(&progress.instruction);
            let accuracy = progress.tally.accuracy.get(&name).cloned().unwrap_or_default();
            Ok((progress.tally.verdicts, accuracy, progress.reasons.clone()))
        })?;
        let _default = DefaultEnvironment::enter();
        let summary = PyDict::new(py);
        for (name, count) in &verdicts.each()[..5] {
            summary.set_item(name, count)?;
        }
        summary.set_item("reasons", reasons)?;
        set_accuracy(&summary, &accuracy)?;
        Ok(summary)
    }
}

impl Sweep {
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Progress) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        // After a panic, the counts are lost, so the sweep cannot continue.
        self.slot.run(py, || Err(refused("an earlier error ended this sweep: begin a new one")), work)
    }

    /// Runs code for each piece of results. Passes the index of the piece's first input in the
    /// sweep, and the index of its first result in the call. Ctrl-C stops the call between two
    /// pieces.
    fn each_piece(
        &self,
        py: Python<'_>,
        first: u64,
        results: &Bound<'_, PyBytes>,
        pieces: impl Iterator<Item = Range<usize>>,
        mut work: impl FnMut(&mut Progress, u64, usize) -> Result<(), Failure> + Send,
    ) -> PyResult<()> {
        let bytes = [results.as_bytes()];
        let results = Columns::new(&bytes, 1, bytes[0].len() / 4)?;
        for piece in pieces {
            self.run(py, |progress| {
                let at = first + piece.start as u64;
                progress.fill(at, piece.len());
                let mut recorded = progress.recorded.results.lock().unwrap_or_else(PoisonError::into_inner);
                recorded.clear();
                recorded.extend(results.column(0, piece.clone()));
                drop(recorded);
                work(progress, at, piece.start)
            })?;
            py.check_signals()?;
        }
        Ok(())
    }
}

impl Progress {
    fn new(
        profile: &str,
        readings: &str,
        instruction: &Instruction,
        stride: u64,
    ) -> Result<Progress, Failure> {
        let session = assay_session::Session::open(profile, readings)?;
        let (profile, numbers): (&Profile, _) = (session.profile(), session.numbers().clone());
        let decoded = instruction.decoded.clone();
        let domain = Domain::of(&decoded, stride, 1);
        let is_unary = matches!(domain, Domain::Line { .. } | Domain::Half { .. });
        let is_float = instruction.only_input().is_some_and(|input| input.format().is_some());
        let (&[location], true) = (instruction.output_places(), is_unary && is_float) else {
            let text = asm::print(&decoded);
            return Err(refused(format!(
                "`{text}` is no function of one float; a sweep takes one such as `MUFU.TANH.F16`"
            )));
        };
        let recorded = Recorded { location, results: Arc::default() };
        let subject = || -> Box<dyn Subject> { Box::new(recorded.clone()) };
        let oracle = || assay_session::backends::oracle(&numbers, profile);
        let setup = Setup { numbers: &numbers, profile, subject: &subject, oracle: &oracle };
        let comparator = Comparator::new(&setup);
        Ok(Progress {
            comparator,
            contract: profile.contract_for(&decoded),
            domain,
            instruction: decoded,
            recorded,
            numbers,
            examiner: BatchExaminer::default(),
            batch: Batch::default(),
            tally: Tally::default(),
            reasons: BTreeMap::new(),
        })
    }

    /// Fills the batch with inputs from index `first` on.
    fn fill(&mut self, first: u64, lanes: usize) {
        self.domain.fill(&self.instruction, &self.numbers, first, lanes, &mut self.batch);
    }

    /// Judges and counts the recorded results by the exact truth.
    fn judge(&mut self, first: u64) -> Result<(), Failure> {
        let Progress { comparator, instruction, contract, batch, tally, .. } = self;
        let refusal = |error: BackendError| Failure::Refused(error.into());
        let outcome = comparator.run(contract, instruction, batch).map_err(refusal)?;
        if let Some(judged) = outcome.judged() {
            tally.count_judged(instruction, contract, (batch, judged), |lane| first + lane as u64);
            self.count_reasons();
        }
        Ok(())
    }

    /// Counts the reasons of the last judged results.
    fn count_reasons(&mut self) {
        for (_, divergence) in &self.comparator.last_judged().verdicts.diverged {
            *self.reasons.entry(in_words(divergence)).or_default() += 1;
        }
    }

    /// Counts the recorded results. Judges them in double precision if that suffices.
    fn count(&mut self, first: u64) -> Result<(), Failure> {
        let counted = self.batch.len();
        if self.domain.ascends(first, counted) {
            let Progress { comparator, instruction, contract, batch, tally, examiner, .. } = self;
            let refusal = |error: BackendError| Failure::Refused(error.into());
            let index = |lane: usize| first + lane as u64;
            let asked = BatchToExamine {
                contract,
                instruction,
                function: &asm::mnemonic(instruction),
                batch,
                lanes: 0..counted,
                known: None,
                index: &index,
                checked: None,
            };
            let estimated = examiner.execute(comparator, contract, instruction, batch).map_err(refusal)?;
            let examined = if estimated == EstimatedBatch::Results {
                examiner.examine(comparator, &asked, Accuracy::standing_records, tally).map_err(refusal)?
            } else {
                None
            };
            if let Some(examined) = examined {
                if examined.refused > 0 {
                    let location = comparator.column().map(|(location, _)| location);
                    let reason = in_words(&Divergence { location, ..Divergence::BEYOND });
                    *self.reasons.entry(reason).or_default() += examined.refused;
                }
                if examined.undecided > 0 {
                    self.count_reasons();
                }
                return Ok(());
            }
        }
        self.judge(first)
    }
}

/// Adds the accuracy to a summary.
fn set_accuracy(summary: &Bound<'_, PyDict>, accuracy: &Accuracy) -> PyResult<()> {
    let ulp = |extreme: Option<Extreme>| extreme.map(|one| one.error as f64 / ONE_ULP as f64);
    summary.set_item("measured", accuracy.measured)?;
    summary.set_item("correctly_rounded", accuracy.correctly_rounded)?;
    summary.set_item("faithful", accuracy.faithful)?;
    summary.set_item("max_ulp", accuracy.max_ulp())?;
    summary.set_item("least_ulp", ulp(accuracy.least))?;
    summary.set_item("greatest_ulp", ulp(accuracy.greatest))?;
    summary.set_item("mean_ulp", accuracy.mean_ulp())?;
    summary.set_item("bias_ulp", accuracy.bias_ulp())?;
    summary.set_item("rms_ulp", accuracy.rms_ulp())?;
    let worst = accuracy.worst().map(|worst| (worst.input, worst.result));
    summary.set_item("worst", worst)?;
    summary.set_item("histogram", accuracy.histogram.clone())
}
