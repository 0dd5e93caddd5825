//! One worker's stream and memory: columns up, a kernel, columns down.

use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PinnedHostSlice,
    PushKernelArg,
};

use super::CudaError;
use super::blocks::MOST;

/// A worker's stream, and memory on the device that is kept from one batch to the next.
pub struct DeviceLanes {
    stream: Arc<CudaStream>,
    inputs: CudaSlice<u32>,
    outputs: CudaSlice<u32>,
    /// The last sent words: they must stay until the copy is done.
    sent: Vec<u32>,
    /// Results on this side, fixed in place so that they can be copied while others work.
    spare: Vec<Landing>,
}

/// A kernel that is loaded.
#[derive(Clone)]
pub struct DeviceKernel {
    /// What is launched.
    pub function: CudaFunction,
    /// It runs on the unit of the uniform datapath, which a warp has in common: each thread is a block.
    pub is_uniform: bool,
}

impl DeviceKernel {
    /// The grid of so many threads.
    fn over(&self, count: u32) -> LaunchConfig {
        if self.is_uniform {
            LaunchConfig { grid_dim: (count, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 }
        } else {
            LaunchConfig::for_num_elems(count)
        }
    }
}

/// Memory on this side into which results are copied: its words count once the copy is done.
pub type Landing = PinnedHostSlice<u32>;

const COPYING: &str = "copy a column";
const RUNNING: &str = "run a kernel";

impl DeviceLanes {
    /// A stream of its own on the device of a context.
    pub fn new(context: &Arc<CudaContext>) -> Result<DeviceLanes, CudaError> {
        let stream = context.new_stream().map_err(CudaError::at("make a stream"))?;
        let empty = || stream.alloc_zeros(1).map_err(CudaError::at("get memory"));
        let (inputs, outputs) = (empty()?, empty()?);
        Ok(DeviceLanes { stream, inputs, outputs, sent: Vec::new(), spare: Vec::new() })
    }

    /// Runs a kernel over columns of inputs, and fetches as many columns of outputs as fit.
    pub fn columns(
        &mut self,
        kernel: &DeviceKernel,
        inputs: &[u32],
        count: u32,
        outputs: &mut [u32],
    ) -> Result<(), CudaError> {
        grow(&self.stream, &mut self.inputs, inputs.len())?;
        grow(&self.stream, &mut self.outputs, outputs.len())?;
        self.stream
            .memcpy_htod(inputs, &mut self.inputs.slice_mut(..inputs.len()))
            .map_err(CudaError::at(COPYING))?;
        let mut launch = self.stream.launch_builder(&kernel.function);
        launch.arg(&self.inputs).arg(&mut self.outputs).arg(&count);
        // SAFETY: the kernel is ours and has these parameters; it reads and writes `count` words of each column, and
        // both buffers hold all of them.
        unsafe { launch.launch(kernel.over(count)) }.map_err(CudaError::at(RUNNING))?;
        let landed = self.stream.memcpy_dtoh(&self.outputs.slice(..outputs.len()), outputs);
        landed.and_then(|()| self.stream.synchronize()).map_err(CudaError::at(COPYING))
    }

    /// Starts a kernel over slices of neighbouring inputs, `lanes` from each of the firsts on. Its results land later.
    pub fn slices(
        &mut self,
        kernel: &DeviceKernel,
        firsts: &[u32],
        lanes: u32,
    ) -> Result<Landing, CudaError> {
        let count = firsts.len() as u32 * lanes;
        let mut landing = self.landing(count as usize).map_err(CudaError::at("get memory"))?;
        grow(&self.stream, &mut self.inputs, firsts.len())?;
        grow(&self.stream, &mut self.outputs, count as usize)?;
        // The copy of the words before was done a unit ago.
        self.stream.synchronize().map_err(CudaError::at(COPYING))?;
        self.sent.clear();
        self.sent.extend_from_slice(firsts);
        self.stream
            .memcpy_htod(&self.sent, &mut self.inputs.slice_mut(..firsts.len()))
            .map_err(CudaError::at(COPYING))?;
        let mut launch = self.stream.launch_builder(&kernel.function);
        launch.arg(&self.inputs).arg(&mut self.outputs).arg(&count).arg(&lanes);
        // SAFETY: the kernel is ours and has these parameters; it reads a first of every `lanes` lanes and writes
        // `count` words, and both buffers hold them.
        unsafe { launch.launch(kernel.over(count)) }.map_err(CudaError::at(RUNNING))?;
        self.stream
            .memcpy_dtoh(&self.outputs.slice(..count as usize), &mut landing)
            .map_err(CudaError::at(COPYING))?;
        Ok(landing)
    }

    /// Memory for `words` results: returned memory, if it has the size.
    fn landing(&mut self, words: usize) -> Result<Landing, DriverError> {
        if let Some(place) = self.spare.iter().position(|spare| spare.len() == words) {
            return Ok(self.spare.swap_remove(place));
        }
        // Not combined: the processor reads it.
        const ORDINARY: u32 = 0;
        // SAFETY: the words are not read before a copy has filled all of them.
        unsafe { self.stream.context().alloc_pinned_with_flags(words, ORDINARY) }
    }

    /// Takes memory back, and lets the oldest go if there is more than a worker needs.
    pub fn give_back(&mut self, landing: Landing) {
        self.spare.push(landing);
        if self.spare.len() > MOST {
            self.spare.remove(0);
        }
    }
}

/// Reserves so many words on the device.
fn grow(stream: &Arc<CudaStream>, buffer: &mut CudaSlice<u32>, words: usize) -> Result<(), CudaError> {
    if buffer.len() < words {
        *buffer = stream.alloc_zeros(words).map_err(CudaError::at("get memory"))?;
    }
    Ok(())
}
