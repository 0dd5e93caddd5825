//! The driver's objects (streams, events, modules and memory) and the calls on them. There is one
//! device and one context.

use std::collections::HashMap;
use std::sync::Arc;

use assay_ptx::{Launch, Module, Parameter};
use cudarc::driver::sys::CUresult;

use crate::faults::{Faults, VARIABLE};
use crate::image;
use crate::link::Link;
use crate::memory::Memory;
use crate::result::CallResult;
use crate::stream::{Function, Position, Source, Stream, Work};

/// The handle of the only context.
pub const CONTEXT: usize = 0xc0de;
/// Maximum number of threads in a block (CUDA C++ Programming Guide, "Compute Capabilities").
const BLOCK: u32 = 1024;

/// The state of the driver in a process.
#[derive(Default)]
pub struct Driver {
    faults: Option<Faults>,
    /// The error that lost the device, if any. After this error, calls on the device fail, as CUDA
    /// documents.
    lost: Option<CUresult>,
    /// Number of times that the context was retained, minus the number of releases.
    retained: u32,
    handles: usize,
    launched: u64,
    /// Pinned host memory, by address.
    hosts: HashMap<usize, Box<[u64]>>,
    /// The open link states.
    pub links: HashMap<usize, Link>,
    memory: Memory,
    streams: HashMap<usize, Stream>,
    events: HashMap<usize, Option<Position>>,
    modules: HashMap<usize, Arc<Module>>,
    functions: HashMap<usize, Arc<Function>>,
}

impl Driver {
    /// Starts the driver. All other calls must come later.
    pub fn start(&mut self) -> CallResult {
        let words = std::env::var(VARIABLE).unwrap_or_default();
        let faults = words.parse().map_err(|problem| {
            eprintln!("{problem}");
            CUresult::CUDA_ERROR_INVALID_VALUE
        })?;
        self.faults = Some(faults);
        Ok(())
    }

    /// Returns the injected faults. Fails before the start.
    pub fn faults(&self) -> CallResult<&Faults> {
        self.faults.as_ref().ok_or(CUresult::CUDA_ERROR_NOT_INITIALIZED)
    }

    /// Returns the number of devices.
    pub fn devices(&self) -> CallResult<i32> {
        self.faults().map(|faults| i32::from(!faults.no_device))
    }

    /// Checks that a device has this ordinal number.
    pub fn device(&self, ordinal: i32) -> CallResult {
        let is_there = (0..self.devices()?).contains(&ordinal);
        if is_there { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_DEVICE) }
    }

    /// Retains the primary context, which exists only while it is retained.
    pub fn retain(&mut self) {
        self.retained += 1;
    }

    /// Releases the primary context once.
    pub fn release(&mut self) -> CallResult {
        self.retained = self.retained.checked_sub(1).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
        Ok(())
    }

    /// Checks that a handle is the context, and that the context is retained.
    pub fn context(&self, context: usize) -> CallResult {
        let is_there = context == CONTEXT && self.retained > 0;
        if is_there { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_CONTEXT) }
    }

    /// Checks that the device is not lost.
    pub fn alive(&self) -> CallResult {
        self.lost.map_or(Ok(()), Err)
    }

    /// Returns a new handle.
    pub fn handle(&mut self) -> usize {
        self.handles += 1;
        0x1000 * self.handles
    }

    /// Creates a stream.
    pub fn new_stream(&mut self) -> usize {
        let handle = self.handle();
        self.streams.insert(handle, Stream::default());
        handle
    }

    /// Runs the remaining work of a stream, and removes the stream.
    pub fn destroy_stream(&mut self, stream: usize) -> CallResult {
        self.finish_stream(stream)?;
        self.streams.remove(&stream).map(|_| ()).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    fn stream(&mut self, stream: usize) -> CallResult<&mut Stream> {
        self.streams.get_mut(&stream).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    /// Defers work on a stream.
    pub fn put_off(&mut self, stream: usize, work: Work) -> CallResult {
        self.stream(stream)?.put_off(work);
        Ok(())
    }

    /// Runs all work of a stream.
    pub fn finish_stream(&mut self, stream: usize) -> CallResult {
        let done = self.stream(stream)?.end();
        self.finish(Position { stream, done })
    }

    /// Runs the work of all streams.
    pub fn finish_all(&mut self) -> CallResult {
        let streams: Vec<usize> = self.streams.keys().copied().collect();
        streams.into_iter().try_for_each(|stream| self.finish_stream(stream))
    }

    /// Runs the work of a stream up to a position. A destroyed stream has no work left.
    fn finish(&mut self, position: Position) -> CallResult {
        while let Some(work) = self.streams.get_mut(&position.stream).and_then(|s| s.next(position.done)) {
            if let Err(error) = self.perform(work) {
                self.lost = Some(error);
                return Err(error);
            }
        }
        Ok(())
    }

    fn perform(&mut self, work: Work) -> CallResult {
        const NOWHERE: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
        match work {
            Work::Upload { from, to, bytes } => {
                let words = self.memory.words(to, bytes).ok_or(NOWHERE)?;
                let from = match &from {
                    Source::Staged(bytes) => bytes.as_ptr(),
                    Source::Pinned(place) => *place as *const u8,
                };
                // SAFETY: `bytes` bytes were staged, or are in pinned memory, which is not freed
                // before the work is done.
                unsafe { std::ptr::copy_nonoverlapping(from, words.as_mut_ptr().cast(), bytes) };
            }
            Work::Download { from, to, bytes } => {
                let words = self.memory.words(from, bytes).ok_or(NOWHERE)?;
                // SAFETY: the caller promised that `bytes` bytes can be written there until the
                // work is done.
                unsafe { std::ptr::copy_nonoverlapping(words.as_ptr().cast(), to as *mut u8, bytes) };
            }
            Work::Fill { to, byte, bytes } => {
                self.memory.words(to, bytes).ok_or(NOWHERE)?.fill(u32::from_ne_bytes([byte; 4]));
            }
            Work::Launch { function, launch, arguments } => self.run(&function, &launch, &arguments)?,
            Work::Wait(position) => self.finish(position)?,
            Work::Free(address) => self.free(address)?,
        }
        Ok(())
    }

    fn run(&mut self, function: &Function, launch: &Launch, arguments: &[u64]) -> CallResult {
        self.launched += 1;
        let faults = self.faults()?.clone();
        if faults.lost == Some(self.launched) {
            return Err(CUresult::CUDA_ERROR_LAUNCH_FAILED);
        }
        let kernel = function.module.kernel(&function.name).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
        kernel.run(launch, arguments, &mut self.memory).map_err(|trap| {
            eprintln!("{}: {trap}", function.name);
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
        })?;
        if faults.wrong.is_some_and(|every| self.launched.is_multiple_of(every))
            && let Some([first]) = arguments.get(1).and_then(|outputs| self.memory.words(*outputs, 4))
        {
            *first ^= 1;
        }
        Ok(())
    }

    /// Creates an event that is not recorded yet.
    pub fn new_event(&mut self) -> usize {
        let handle = self.handle();
        self.events.insert(handle, None);
        handle
    }

    /// Destroys an event.
    pub fn destroy_event(&mut self, event: usize) -> CallResult {
        self.events.remove(&event).map(|_| ()).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    /// Records the current end of a stream's work in an event.
    pub fn record(&mut self, event: usize, stream: usize) -> CallResult {
        let done = self.stream(stream)?.end();
        let recorded = self.events.get_mut(&event).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        *recorded = Some(Position { stream, done });
        Ok(())
    }

    /// Returns the position that an event waits for. `None` if the event was never recorded.
    fn recorded(&self, event: usize) -> CallResult<Option<Position>> {
        self.events.get(&event).copied().ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }

    /// Runs the work that an event waits for.
    pub fn finish_event(&mut self, event: usize) -> CallResult {
        self.recorded(event)?.map_or(Ok(()), |position| self.finish(position))
    }

    /// Makes a stream wait for an event.
    pub fn wait(&mut self, stream: usize, event: usize) -> CallResult {
        let position = self.recorded(event)?;
        position.map_or(Ok(()), |position| self.put_off(stream, Work::Wait(position)))
    }

    /// Allocates device memory for work on a stream.
    pub fn allocate(&mut self, bytes: usize, stream: usize) -> CallResult<u64> {
        self.stream(stream)?;
        if bytes == 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        self.memory.allocate(bytes).ok_or(CUresult::CUDA_ERROR_OUT_OF_MEMORY)
    }

    /// Allocates pinned host memory, filled with garbage.
    pub fn allocate_host(&mut self, bytes: usize) -> usize {
        let mut words = vec![0xa5a5_a5a5_a5a5_a5a5_u64; bytes.div_ceil(8).max(1)].into_boxed_slice();
        let place = words.as_mut_ptr() as usize;
        self.hosts.insert(place, words);
        place
    }

    /// Frees pinned host memory, unless deferred work needs it.
    pub fn free_host(&mut self, place: usize) -> CallResult {
        let words = self.hosts.get(&place).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        let bytes = place..place + 8 * words.len();
        if self.streams.values().any(|stream| stream.touches(&bytes)) {
            eprintln!("memory on this side is freed before a copy is done");
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        self.hosts.remove(&place);
        Ok(())
    }

    /// Whether an address is in pinned host memory.
    pub fn is_pinned(&self, place: usize) -> bool {
        self.hosts.iter().any(|(begins, words)| (*begins..begins + 8 * words.len()).contains(&place))
    }

    /// Frees device memory.
    pub fn free(&mut self, address: u64) -> CallResult {
        if self.memory.free(address) { Ok(()) } else { Err(CUresult::CUDA_ERROR_INVALID_VALUE) }
    }

    /// Loads an image as a module.
    pub fn load(&mut self, image: &[u8]) -> CallResult<usize> {
        let module = image::load(image).ok_or(CUresult::CUDA_ERROR_INVALID_IMAGE)?;
        let handle = self.handle();
        self.modules.insert(handle, Arc::new(module));
        Ok(handle)
    }

    /// Unloads a module. Functions of the module live as long as deferred work needs them.
    pub fn unload(&mut self, module: usize) -> CallResult {
        let gone = self.modules.remove(&module).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        self.functions.retain(|_, function| !Arc::ptr_eq(&function.module, &gone));
        Ok(())
    }

    /// Returns a kernel of a module.
    pub fn function(&mut self, module: usize, name: &str) -> CallResult<usize> {
        let module = self.modules.get(&module).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        module.kernel(name).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
        let function = Function { module: module.clone(), name: name.to_owned() };
        let handle = self.handle();
        self.functions.insert(handle, Arc::new(function));
        Ok(handle)
    }

    /// Returns the types of a kernel's parameters.
    pub fn parameters(&self, function: usize) -> CallResult<Vec<Parameter>> {
        let function = self.functions.get(&function).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        let kernel = function.module.kernel(&function.name).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
        Ok(kernel.parameters().to_vec())
    }

    /// Defers the launch of a kernel over a one-dimensional grid.
    pub fn launch(
        &mut self,
        function: usize,
        (blocks, threads): (u32, u32),
        arguments: Vec<u64>,
        stream: usize,
    ) -> CallResult {
        let function = self.functions.get(&function).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?.clone();
        if blocks == 0 || blocks > i32::MAX as u32 || threads == 0 || threads > BLOCK {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let launch = Launch { blocks, threads };
        self.put_off(stream, Work::Launch { function, launch, arguments })
    }
}
