//! Work that runs only at a synchronisation call. Before that call, memory that the work writes has
//! its old content.

use std::collections::VecDeque;
use std::sync::Arc;

use assay_ptx::Module;

/// A piece of work on a stream.
pub enum Work {
    /// Copies bytes from the host to the device.
    Upload {
        /// The bytes on the host.
        from: Source,
        /// Address on the device.
        to: u64,
        /// Number of bytes.
        bytes: usize,
    },
    /// Copies bytes from the device to the host.
    Download {
        /// Address on the device.
        from: u64,
        /// Address on the host.
        to: usize,
        /// Number of bytes.
        bytes: usize,
    },
    /// Fills device memory with one byte.
    Fill {
        /// Address on the device.
        to: u64,
        /// The byte.
        byte: u8,
        /// Number of bytes.
        bytes: usize,
    },
    /// Launches a kernel over a grid.
    Launch {
        /// The kernel.
        function: Arc<Function>,
        /// The grid.
        launch: assay_ptx::Launch,
        /// The arguments of the kernel.
        arguments: Vec<u64>,
    },
    /// Waits until another stream has reached a position.
    Wait(Position),
    /// Frees the allocation at this address.
    Free(u64),
}

/// Bytes on the host.
pub enum Source {
    /// Bytes of ordinary memory, copied before the call returned (CUDA Driver API, "API
    /// synchronization behavior").
    Staged(Vec<u8>),
    /// Address in pinned memory. The bytes are read when the work runs, not when it is requested.
    Pinned(usize),
}

/// A kernel of a module.
pub struct Function {
    /// The module that has the kernel.
    pub module: Arc<Module>,
    /// The name of the kernel.
    pub name: String,
}

/// A position in a stream: after its first `done` pieces of work.
#[derive(Clone, Copy)]
pub struct Position {
    /// The stream's handle.
    pub stream: usize,
    /// Number of pieces of work.
    pub done: u64,
}

/// A stream: work that is done in order.
#[derive(Default)]
pub struct Stream {
    done: u64,
    waiting: VecDeque<Work>,
}

impl Stream {
    /// Defers a piece of work.
    pub fn put_off(&mut self, work: Work) {
        self.waiting.push_back(work);
    }

    /// Returns the number of pieces that the stream will have done after all deferred work.
    pub fn end(&self) -> u64 {
        self.done + self.waiting.len() as u64
    }

    /// Whether deferred work reads or writes these bytes of host memory.
    pub fn touches(&self, bytes: &std::ops::Range<usize>) -> bool {
        self.waiting.iter().any(|work| match work {
            Work::Upload { from: Source::Pinned(place), .. } | Work::Download { to: place, .. } => {
                bytes.contains(place)
            }
            _ => false,
        })
    }

    /// Takes the next piece of work, unless the stream has reached the position `upto`.
    pub fn next(&mut self, upto: u64) -> Option<Work> {
        if self.done >= upto {
            return None;
        }
        let work = self.waiting.pop_front()?;
        self.done += 1;
        Some(work)
    }
}
