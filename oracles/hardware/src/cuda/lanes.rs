//! The stream and the memory of one worker: copies columns to the device, runs a kernel, and copies
//! columns back.

use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PinnedHostSlice,
    PushKernelArg,
};

use super::CudaError;
use super::blocks::MOST;

/// The stream of a worker, and device memory that is reused from batch to batch.
pub struct DeviceLanes {
    stream: Arc<CudaStream>,
    inputs: CudaSlice<u32>,
    outputs: CudaSlice<u32>,
    /// The words that were sent last. These words must stay in memory until the copy is done.
    sent: Vec<u32>,
    /// Unused pinned host memory for results. Copies to pinned memory can run while the host works.
    spare: Vec<Landing>,
}

/// A kernel that is loaded on the device.
#[derive(Clone)]
pub struct DeviceKernel {
    /// The function that is launched.
    pub function: CudaFunction,
    /// Whether the kernel runs on the uniform datapath. All lanes of a warp share this unit, so
    /// each block has one thread.
    pub is_uniform: bool,
}

impl DeviceKernel {
    /// Returns the launch configuration for `count` threads.
    fn over(&self, count: u32) -> LaunchConfig {
        if self.is_uniform {
            LaunchConfig { grid_dim: (count, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 }
        } else {
            LaunchConfig::for_num_elems(count)
        }
    }
}

/// Pinned host memory into which results are copied. The words are valid once the copy is done.
pub type Landing = PinnedHostSlice<u32>;

const COPYING: &str = "copy a column";
const RUNNING: &str = "run a kernel";

impl DeviceLanes {
    /// Creates a worker's stream and memory on the device of a context.
    pub fn new(context: &Arc<CudaContext>) -> Result<DeviceLanes, CudaError> {
        let stream = context.new_stream().map_err(CudaError::at("make a stream"))?;
        let empty = || stream.alloc_zeros(1).map_err(CudaError::at("get memory"));
        let (inputs, outputs) = (empty()?, empty()?);
        Ok(DeviceLanes { stream, inputs, outputs, sent: Vec::new(), spare: Vec::new() })
    }

    /// Runs a kernel over columns of inputs, and waits for the columns of outputs. The length of
    /// `outputs` determines how many words are copied back.
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
        // SAFETY: the kernel is ours and has these parameters. It reads and writes `count` words of
        // each column, and both buffers hold all of them.
        unsafe { launch.launch(kernel.over(count)) }.map_err(CudaError::at(RUNNING))?;
        let landed = self.stream.memcpy_dtoh(&self.outputs.slice(..outputs.len()), outputs);
        landed.and_then(|()| self.stream.synchronize()).map_err(CudaError::at(COPYING))
    }

    /// Starts a kernel over slices of inputs: for each first input, `lanes` consecutive inputs. The
    /// results arrive later.
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
        // This also waits for the previous copy from `sent`, which is usually done by then.
        self.stream.synchronize().map_err(CudaError::at(COPYING))?;
        self.sent.clear();
        self.sent.extend_from_slice(firsts);
        self.stream
            .memcpy_htod(&self.sent, &mut self.inputs.slice_mut(..firsts.len()))
            .map_err(CudaError::at(COPYING))?;
        let mut launch = self.stream.launch_builder(&kernel.function);
        launch.arg(&self.inputs).arg(&mut self.outputs).arg(&count).arg(&lanes);
        // SAFETY: the kernel is ours and has these parameters. It reads one first input for every
        // `lanes` lanes and writes `count` words, and both buffers hold them.
        unsafe { launch.launch(kernel.over(count)) }.map_err(CudaError::at(RUNNING))?;
        self.stream
            .memcpy_dtoh(&self.outputs.slice(..count as usize), &mut landing)
            .map_err(CudaError::at(COPYING))?;
        Ok(landing)
    }

    /// Returns pinned memory for `words` results. Reuses returned memory of this size.
    fn landing(&mut self, words: usize) -> Result<Landing, DriverError> {
        if let Some(place) = self.spare.iter().position(|spare| spare.len() == words) {
            return Ok(self.spare.swap_remove(place));
        }
        // Not write-combined, since the host reads this memory.
        const ORDINARY: u32 = 0;
        // SAFETY: the words are not read before a copy has filled all of them.
        unsafe { self.stream.context().alloc_pinned_with_flags(words, ORDINARY) }
    }

    /// Keeps returned memory for reuse. Frees the oldest memory if more than [`MOST`] pieces are
    /// kept.
    pub fn give_back(&mut self, landing: Landing) {
        self.spare.push(landing);
        if self.spare.len() > MOST {
            self.spare.remove(0);
        }
    }
}

/// Makes a device buffer hold at least `words` words.
fn grow(stream: &Arc<CudaStream>, buffer: &mut CudaSlice<u32>, words: usize) -> Result<(), CudaError> {
    if buffer.len() < words {
        *buffer = stream.alloc_zeros(words).map_err(CudaError::at("get memory"))?;
    }
    Ok(())
}
