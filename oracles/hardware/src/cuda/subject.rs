//! A subject that executes batches on a GPU.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use assay_isa::effect::{Event, Failure, Lanes as Written};
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Subject, codec};

use super::blocks::Blocks;
use super::lanes::{DeviceKernel, DeviceLanes, Landing};
use super::{CudaError, Device, driver};
use crate::ptx::{Feed, Input, Lowering, lower};

/// A machine that runs kernels for one worker: a device, or a stand-in for tests.
pub trait Machine: Send {
    /// A kernel that can be run.
    type Kernel: Clone + Send;
    /// Results that the machine may still be computing.
    type Results: Send;

    /// Checks that the machine can be used.
    fn ready(&mut self) -> Result<(), CudaError>;

    /// Returns the kernel of a lowering.
    fn kernel(&mut self, lowering: &Lowering, feed: Feed) -> Result<Self::Kernel, CudaError>;

    /// Runs a kernel over columns of `count` inputs, and fills in the columns of outputs.
    fn columns(
        &mut self,
        kernel: &Self::Kernel,
        inputs: &[u32],
        count: u32,
        outputs: &mut [u32],
    ) -> Result<(), CudaError>;

    /// Starts a kernel over slices of inputs: for each first input, `lanes` consecutive inputs.
    fn slices(
        &mut self,
        kernel: &Self::Kernel,
        firsts: &[u32],
        lanes: u32,
    ) -> Result<Self::Results, CudaError>;

    /// Waits for results, and returns them.
    fn wait(results: &Self::Results) -> Result<&[u32], CudaError>;

    /// Gives results back to the machine when they are no longer needed.
    fn give_back(&mut self, results: Self::Results);
}

/// A subject that executes batches on a GPU, for one worker.
///
/// Each source operand is a column of the kernel, whether it is a register, an immediate or a
/// constant. So a test covers the function unit, and not the origin of its inputs. Instructions
/// that have no lowering are unsupported.
pub struct CudaSubject<M: Machine = Gpu> {
    name: String,
    numbers: EncodingTable,
    machine: M,
    /// The last instructions, by word. `None` marks an instruction without a lowering.
    known: HashMap<u128, Option<Prepared<M>>>,
    ahead: Blocks<M::Results>,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    /// The outputs of the second run of a guarded instruction. Before this run, the result
    /// registers have other values than before the first run.
    again: Vec<u32>,
}

/// The lowering of an instruction, and its kernels if they were needed already.
struct Prepared<M: Machine> {
    lowering: Lowering,
    columns: Option<M::Kernel>,
    slices: Option<M::Kernel>,
}

impl<M: Machine> Prepared<M> {
    /// Runs the instruction over a batch. `before` is the value of the result registers before the
    /// run.
    fn run(
        &mut self,
        machine: &mut M,
        name: &str,
        batch: &Batch,
        before: u32,
        inputs: &mut Vec<u32>,
        outputs: &mut Vec<u32>,
    ) -> Result<(), BackendError> {
        let lanes = batch.len();
        gather(&self.lowering, batch, before, inputs)?;
        outputs.resize(self.lowering.outputs.len() * lanes, 0);
        if lanes == 0 {
            return Ok(());
        }
        let kernel = self.columns(machine).map_err(|error| failed(name, &error))?;
        machine.columns(&kernel, inputs, lanes as u32, outputs).map_err(|error| failed(name, &error))
    }

    /// Returns the kernel for columns of inputs.
    fn columns(&mut self, machine: &mut M) -> Result<M::Kernel, CudaError> {
        kept(&mut self.columns, || machine.kernel(&self.lowering, Feed::Columns))
    }

    /// Returns the kernel that computes slices of consecutive inputs. Returns `None` unless the
    /// instruction has exactly one input, which is a location, and one output.
    fn slices(&mut self, machine: &mut M) -> Result<Option<M::Kernel>, CudaError> {
        let Lowering { inputs, outputs, .. } = &self.lowering;
        let is_line = matches!(inputs[..], [Input::Location(_)]) && outputs.len() == 1;
        is_line.then(|| kept(&mut self.slices, || machine.kernel(&self.lowering, Feed::Slices))).transpose()
    }
}

/// Returns the kept value. If there is none, creates a value and keeps it.
fn kept<T: Clone>(
    place: &mut Option<T>,
    make: impl FnOnce() -> Result<T, CudaError>,
) -> Result<T, CudaError> {
    match place {
        Some(kept) => Ok(kept.clone()),
        None => Ok(place.insert(make()?).clone()),
    }
}

/// The values of the result registers before the two runs of a guarded instruction. In lanes with a
/// false guard, the kernel returns these values.
const BEFORE: [u32; 2] = [0x5a5a_5a5a, !0x5a5a_5a5a];

/// How the results of a guarded instruction compare in the two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GuardedResult {
    /// Both runs returned the same value, so the lane was written.
    Written,
    /// Each run returned the value from before the run, so the lane was not written.
    Left,
    /// The two runs returned any other values, which a guarded instruction cannot produce.
    Unsteady,
}

impl GuardedResult {
    /// Compares the results of two runs. For a predicate, the sign bit of [`BEFORE`] is its value
    /// before the run.
    fn of((first, second): (&u32, &u32), is_predicate: bool) -> GuardedResult {
        let before = if is_predicate { BEFORE.map(|before| before >> 31) } else { BEFORE };
        match [*first, *second] {
            results if results == before => GuardedResult::Left,
            [first, second] if first == second => GuardedResult::Written,
            _ => GuardedResult::Unsteady,
        }
    }
}

/// Number of instructions whose lowerings are kept. A campaign always has new instructions.
const KNOWN: usize = 64;

impl CudaSubject {
    /// Creates the subject for the device with this number. The device is opened on first use. If
    /// the device does not exist, the first use fails.
    pub fn new(ordinal: usize, numbers: EncodingTable) -> CudaSubject {
        CudaSubject::on(Gpu { ordinal, open: None }, format!("cuda:{ordinal}"), numbers)
    }
}

impl<M: Machine> CudaSubject<M> {
    pub(crate) fn on(machine: M, name: String, numbers: EncodingTable) -> CudaSubject<M> {
        CudaSubject {
            name,
            numbers,
            machine,
            known: HashMap::new(),
            ahead: Blocks::default(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            again: Vec::new(),
        }
    }

    /// Lowers an instruction, unless it is known already.
    fn prepare(&mut self, word: u128) -> Result<(), BackendError> {
        if self.known.contains_key(&word) {
            return Ok(());
        }
        let instruction = codec::decode(word, &self.numbers)?;
        self.machine.ready().map_err(|error| failed(&self.name, &error))?;
        let prepared = lower(&instruction).ok();
        let prepared = prepared.map(|lowering| Prepared { lowering, columns: None, slices: None });
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        self.known.insert(word, prepared);
        Ok(())
    }

    /// Copies the results of a batch to the outputs, if they were requested ahead. Returns whether
    /// they were.
    fn was_ahead(&mut self, batch: &Batch) -> Result<bool, CudaError> {
        let [location] = batch.locations() else { return Ok(false) };
        let Some(inputs) = batch.column(*location) else { return Ok(false) };
        let Some((results, place)) = self.ahead.find(batch.word(), inputs) else { return Ok(false) };
        self.outputs.clear();
        self.outputs.extend_from_slice(&M::wait(results)?[place..place + inputs.len()]);
        Ok(true)
    }
}

impl<M: Machine> Subject for CudaSubject<M> {
    fn name(&self) -> &str {
        &self.name
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        self.prepare(batch.word())?;
        effects.reset(batch.len());
        let was_ahead = self.was_ahead(batch).map_err(|error| failed(&self.name, &error))?;
        let Some(Some(prepared)) = self.known.get_mut(&batch.word()) else {
            return Ok(Answer::Unsupported);
        };
        let lanes = batch.len();
        let (machine, name) = (&mut self.machine, self.name.as_str());
        if !was_ahead {
            prepared.run(machine, name, batch, BEFORE[0], &mut self.inputs, &mut self.outputs)?;
        }
        let is_guarded = prepared.lowering.inputs.contains(&Input::Before);
        if is_guarded {
            prepared.run(machine, name, batch, BEFORE[1], &mut self.inputs, &mut self.again)?;
        }
        for (index, location) in prepared.lowering.outputs.iter().enumerate() {
            let column = &self.outputs[index * lanes..][..lanes];
            let mut written = Written::All;
            if is_guarded {
                let again = &self.again[index * lanes..][..lanes];
                let of = |results| GuardedResult::of(results, location.is_predicate());
                let kinds: Vec<GuardedResult> = column.iter().zip(again).map(of).collect();
                let unsteady = (0..lanes).filter(|lane| kinds[*lane] == GuardedResult::Unsteady);
                unsteady.for_each(|lane| effects.event(lane, Event::Failed(Failure::Unfit)));
                written = Written::from(
                    kinds.iter().map(|kind| *kind != GuardedResult::Left).collect::<Vec<bool>>(),
                );
            }
            effects.write(*location, written).copy_from_slice(column);
        }
        Ok(Answer::Known)
    }

    fn announce(&mut self, word: u128, firsts: &[u32], lanes: u32) -> Result<(), BackendError> {
        if self.ahead.has(word, firsts, lanes as usize) {
            return Ok(());
        }
        self.prepare(word)?;
        let Some(Some(prepared)) = self.known.get_mut(&word) else { return Ok(()) };
        let machine = &mut self.machine;
        let started = prepared
            .slices(machine)
            .and_then(|kernel| kernel.map(|kernel| machine.slices(&kernel, firsts, lanes)).transpose());
        let Some(results) = started.map_err(|error| failed(&self.name, &error))? else { return Ok(()) };
        if let Some(oldest) = self.ahead.add(word, firsts, lanes as usize, results) {
            self.machine.give_back(oldest);
        }
        Ok(())
    }
}

impl<M: Machine> Drop for CudaSubject<M> {
    fn drop(&mut self) {
        for results in self.ahead.drain() {
            self.machine.give_back(results);
        }
    }
}

/// Collects the inputs of a kernel, column after column.
fn gather(
    lowering: &Lowering,
    batch: &Batch,
    before: u32,
    inputs: &mut Vec<u32>,
) -> Result<(), BackendError> {
    inputs.clear();
    for input in &lowering.inputs {
        match input {
            Input::Before => inputs.extend(std::iter::repeat_n(before, batch.len())),
            Input::Literal(value) => inputs.extend(std::iter::repeat_n(*value, batch.len())),
            Input::Location(location) => {
                let column = batch.column(*location).ok_or(BackendError::MissingLocation(*location))?;
                inputs.extend_from_slice(column);
            }
        }
    }
    Ok(())
}

fn failed(implementation: &str, error: &CudaError) -> BackendError {
    BackendError::Failed { implementation: implementation.to_owned(), problem: error.to_string() }
}

/// A live device, as the [`Machine`] of one worker.
pub struct Gpu {
    ordinal: usize,
    open: Option<(Arc<Device>, DeviceLanes)>,
}

impl Gpu {
    /// Opens the device. Reuses the stream and memory of an idle worker, if there is one.
    fn open(&mut self) -> Result<&mut (Arc<Device>, DeviceLanes), CudaError> {
        if self.open.is_none() {
            let device = Device::get(self.ordinal)?;
            let idle = device.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let lanes =
                idle.map_or_else(|| driver("get memory", || DeviceLanes::new(device.context())), Ok)?;
            self.open = Some((device, lanes));
        }
        self.open.as_mut().ok_or(CudaError::NoDriver)
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if let Some((device, lanes)) = self.open.take() {
            device.idle.lock().unwrap_or_else(PoisonError::into_inner).push(lanes);
        }
    }
}

impl Machine for Gpu {
    type Kernel = DeviceKernel;
    type Results = Landing;

    fn ready(&mut self) -> Result<(), CudaError> {
        self.open().map(|_| ())
    }

    fn kernel(&mut self, lowering: &Lowering, feed: Feed) -> Result<DeviceKernel, CudaError> {
        self.open()?.0.kernel(lowering, feed)
    }

    fn columns(
        &mut self,
        kernel: &DeviceKernel,
        inputs: &[u32],
        count: u32,
        outputs: &mut [u32],
    ) -> Result<(), CudaError> {
        let lanes = &mut self.open()?.1;
        driver("run", || lanes.columns(kernel, inputs, count, outputs))
    }

    fn slices(&mut self, kernel: &DeviceKernel, firsts: &[u32], lanes: u32) -> Result<Landing, CudaError> {
        let worker = &mut self.open()?.1;
        driver("run", || worker.slices(kernel, firsts, lanes))
    }

    fn wait(results: &Landing) -> Result<&[u32], CudaError> {
        driver("wait", || results.as_slice()).map_err(CudaError::at("copy a column"))
    }

    fn give_back(&mut self, results: Landing) {
        if let Some((_, lanes)) = &mut self.open {
            driver("free memory", || lanes.give_back(results));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_written_left_or_unsteady() {
        let [first, second] = BEFORE;
        let kind =
            |results: [u32; 2], is_predicate| GuardedResult::of((&results[0], &results[1]), is_predicate);
        let of = |results| kind(results, false);
        assert_eq!(of(BEFORE), GuardedResult::Left);
        for (results, expected) in [
            ([0, 0], GuardedResult::Written),
            ([1, 1], GuardedResult::Written),
            ([0, 1], GuardedResult::Left),
            ([1, 0], GuardedResult::Unsteady),
        ] {
            assert_eq!(kind(results, true), expected, "{results:?}");
        }
        for result in [0, first, second] {
            assert_eq!(of([result, result]), GuardedResult::Written, "{result:#x}");
        }
        for results in [[0, second], [first, 0], [second, first], [1, 2]] {
            assert_eq!(of(results), GuardedResult::Unsteady, "{results:x?}");
        }
    }
}
