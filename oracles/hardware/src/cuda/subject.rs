//! A GPU that executes batches.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use assay_isa::effect::Lanes as Written;
use assay_isa::{Answer, Batch, Effects, Numbers, Subject, VoiceError, codec};
use cudarc::driver::CudaFunction;

use super::blocks::Blocks;
use super::lanes::{Landing, Lanes};
use super::{CudaError, Device};
use crate::ptx::{Feed, Input, Lowering, lower};

/// What runs kernels for one worker: a device, or in the tests something that stands in for one.
pub trait Machine: Send {
    /// A kernel that can be run.
    type Kernel: Clone + Send;
    /// Results that are under way.
    type Results: Send;

    /// The kernel of a lowering.
    fn kernel(&mut self, lowering: &Lowering, feed: Feed) -> Result<Self::Kernel, CudaError>;

    /// Runs a kernel over columns of `count` inputs, and fills columns of outputs.
    fn columns(
        &mut self,
        kernel: &Self::Kernel,
        inputs: &[u32],
        count: u32,
        outputs: &mut [u32],
    ) -> Result<(), CudaError>;

    /// Starts a kernel over `lanes` inputs from each of the firsts on.
    fn slices(
        &mut self,
        kernel: &Self::Kernel,
        firsts: &[u32],
        lanes: u32,
    ) -> Result<Self::Results, CudaError>;

    /// Waits for results.
    fn wait(results: &Self::Results) -> Result<&[u32], CudaError>;

    /// Takes results back that nobody needs any more.
    fn give_back(&mut self, results: Self::Results);
}

/// A GPU that executes batches, for one worker.
///
/// Each source operand is a column of the kernel, whatever it is in the instruction: what is put to the test is the
/// function unit, not how it is fed. What PTX cannot express is unsupported.
pub struct CudaSubject<M: Machine = Gpu> {
    name: String,
    numbers: Numbers,
    machine: M,
    /// The last instructions, by word.
    known: HashMap<u128, Option<Prepared<M>>>,
    ahead: Blocks<M::Results>,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

/// An instruction that PTX expresses.
struct Prepared<M: Machine> {
    lowering: Lowering,
    columns: M::Kernel,
    /// Where there is one input and one output.
    slices: Option<M::Kernel>,
}

/// Instructions kept: campaigns have ever new ones.
const KNOWN: usize = 64;

impl CudaSubject {
    /// The device of a number. It is opened when it is first asked for, and fails then if there is none.
    pub fn new(ordinal: usize, numbers: Numbers) -> CudaSubject {
        CudaSubject::on(Gpu { ordinal, open: None }, format!("cuda:{ordinal}"), numbers)
    }
}

impl<M: Machine> CudaSubject<M> {
    pub(super) fn on(machine: M, name: String, numbers: Numbers) -> CudaSubject<M> {
        CudaSubject {
            name,
            numbers,
            machine,
            known: HashMap::new(),
            ahead: Blocks::default(),
            inputs: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Learns an instruction, if it is new.
    fn prepare(&mut self, word: u128) -> Result<(), VoiceError> {
        if self.known.contains_key(&word) {
            return Ok(());
        }
        let instruction = codec::decode(word, &self.numbers)?;
        let prepared = match lower(&instruction) {
            Ok(lowering) => Some(self.assembled(lowering).map_err(|error| failed(&self.name, &error))?),
            Err(_) => None,
        };
        if self.known.len() >= KNOWN {
            self.known.clear();
        }
        self.known.insert(word, prepared);
        Ok(())
    }

    fn assembled(&mut self, lowering: Lowering) -> Result<Prepared<M>, CudaError> {
        let is_line = matches!(lowering.inputs[..], [Input::Location(_)]) && lowering.outputs.len() == 1;
        let slices = is_line.then(|| self.machine.kernel(&lowering, Feed::Slices)).transpose()?;
        let columns = self.machine.kernel(&lowering, Feed::Columns)?;
        Ok(Prepared { lowering, columns, slices })
    }

    /// The results of a batch that were asked for ahead, copied to the outputs.
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

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        self.prepare(batch.word())?;
        effects.reset(batch.len());
        let was_ahead = self.was_ahead(batch).map_err(|error| failed(&self.name, &error))?;
        let Some(Some(Prepared { lowering, columns, .. })) = self.known.get(&batch.word()) else {
            return Ok(Answer::Unsupported);
        };
        let lanes = batch.len();
        if !was_ahead {
            gather(lowering, batch, &mut self.inputs)?;
            self.outputs.resize(lowering.outputs.len() * lanes, 0);
            if lanes > 0 {
                let ran = self.machine.columns(columns, &self.inputs, lanes as u32, &mut self.outputs);
                ran.map_err(|error| failed(&self.name, &error))?;
            }
        }
        for (index, location) in lowering.outputs.iter().enumerate() {
            let column = &self.outputs[index * lanes..][..lanes];
            effects.write(*location, Written::All).copy_from_slice(column);
        }
        Ok(Answer::Known)
    }

    fn announce(&mut self, word: u128, firsts: &[u32], lanes: u32) -> Result<(), VoiceError> {
        if self.ahead.has(word, firsts, lanes as usize) {
            return Ok(());
        }
        self.prepare(word)?;
        let Some(Some(Prepared { slices: Some(kernel), .. })) = self.known.get(&word) else { return Ok(()) };
        let results = self.machine.slices(kernel, firsts, lanes);
        let results = results.map_err(|error| failed(&self.name, &error))?;
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

/// The inputs of a kernel, a column behind the other.
fn gather(lowering: &Lowering, batch: &Batch, inputs: &mut Vec<u32>) -> Result<(), VoiceError> {
    inputs.clear();
    for input in &lowering.inputs {
        match input {
            Input::Literal(value) => inputs.extend(std::iter::repeat_n(*value, batch.len())),
            Input::Location(location) => {
                let column = batch.column(*location).ok_or(VoiceError::MissingLocation(*location))?;
                inputs.extend_from_slice(column);
            }
        }
    }
    Ok(())
}

fn failed(voice: &str, error: &CudaError) -> VoiceError {
    VoiceError::Failed { voice: voice.to_owned(), problem: error.to_string() }
}

/// A device as one worker has it.
pub struct Gpu {
    ordinal: usize,
    open: Option<(Arc<Device>, Lanes)>,
}

impl Gpu {
    /// Opens the device, or takes up what another worker left.
    fn open(&mut self) -> Result<&mut (Arc<Device>, Lanes), CudaError> {
        if self.open.is_none() {
            let device = Device::get(self.ordinal)?;
            let idle = device.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let lanes = idle.map_or_else(|| Lanes::new(&device), Ok)?;
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
    type Kernel = CudaFunction;
    type Results = Landing;

    fn kernel(&mut self, lowering: &Lowering, feed: Feed) -> Result<CudaFunction, CudaError> {
        self.open()?.0.kernel(lowering, feed)
    }

    fn columns(
        &mut self,
        kernel: &CudaFunction,
        inputs: &[u32],
        count: u32,
        outputs: &mut [u32],
    ) -> Result<(), CudaError> {
        self.open()?.1.columns(kernel, inputs, count, outputs)
    }

    fn slices(&mut self, kernel: &CudaFunction, firsts: &[u32], lanes: u32) -> Result<Landing, CudaError> {
        self.open()?.1.slices(kernel, firsts, lanes)
    }

    fn wait(results: &Landing) -> Result<&[u32], CudaError> {
        results.as_slice().map_err(CudaError::at("copy a column"))
    }

    fn give_back(&mut self, results: Landing) {
        if let Some((_, lanes)) = &mut self.open {
            lanes.give_back(results);
        }
    }
}
