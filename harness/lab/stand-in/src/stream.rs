//! Work that runs only at a synchronisation call. An earlier look at a result finds the old content.

use std::collections::VecDeque;
use std::sync::Arc;

use assay_ptx::Module;

/// Work on a stream.
pub enum Work {
    /// Bytes from this side to the device.
    Upload {
        /// Where they lie on this side.
        from: Source,
        /// Where on the device.
        to: u64,
        /// How many.
        bytes: usize,
    },
    /// Bytes from the device to this side.
    Download {
        /// Where they lie on the device.
        from: u64,
        /// Where on this side.
        to: usize,
        /// How many.
        bytes: usize,
    },
    /// One byte, over and over.
    Fill {
        /// Where on the device.
        to: u64,
        /// The byte.
        byte: u8,
        /// How many.
        bytes: usize,
    },
    /// A kernel over a grid.
    Launch {
        /// Which.
        function: Arc<Function>,
        /// The grid.
        launch: assay_ptx::Launch,
        /// Its arguments.
        arguments: Vec<u64>,
    },
    /// Nothing, before another stream has come so far.
    Wait(Position),
    /// An allocation is given back.
    Free(u64),
}

/// Bytes on this side.
pub enum Source {
    /// Ordinary memory is copied before the call returns (CUDA Driver API, "API synchronization behavior").
    Staged(Vec<u8>),
    /// Memory that the device reaches by itself is read when the work runs, not when it is requested.
    Pinned(usize),
}

/// A kernel of a module.
pub struct Function {
    /// The module.
    pub module: Arc<Module>,
    /// The kernel's name.
    pub name: String,
}

/// So many pieces of work on a stream.
#[derive(Clone, Copy)]
pub struct Position {
    /// The stream's handle.
    pub stream: usize,
    /// The pieces.
    pub done: u64,
}

/// Work in its order.
#[derive(Default)]
pub struct Stream {
    done: u64,
    waiting: VecDeque<Work>,
}

impl Stream {
    /// Puts work off.
    pub fn put_off(&mut self, work: Work) {
        self.waiting.push_back(work);
    }

    /// How many pieces will be done when all are.
    pub fn end(&self) -> u64 {
        self.done + self.waiting.len() as u64
    }

    /// Whether deferred work reads or writes bytes in host memory.
    pub fn touches(&self, bytes: &std::ops::Range<usize>) -> bool {
        self.waiting.iter().any(|work| match work {
            Work::Upload { from: Source::Pinned(place), .. } | Work::Download { to: place, .. } => {
                bytes.contains(place)
            }
            _ => false,
        })
    }

    /// The next piece of work, up to a position.
    pub fn next(&mut self, upto: u64) -> Option<Work> {
        if self.done >= upto {
            return None;
        }
        let work = self.waiting.pop_front()?;
        self.done += 1;
        Some(work)
    }
}
