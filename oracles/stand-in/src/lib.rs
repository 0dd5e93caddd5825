//! A stand-in for the NVIDIA driver: a `libcuda.so` without a GPU, whose device runs the PTX of kernels in an interpreter.
//!
//! What asks a live GPU (`assay_hardware::cuda`) is a chain of loading a library, assembling, replacing
//! an immediate, copying ahead and waiting. None of it can be tried where there is no driver, and every mistake in it would
//! be paid for in time on a machine that is dear. So this one is as late and as strict as a driver may be: work on a stream is
//! run only at a synchronisation call, new memory is filled with garbage, addresses are held to allocations, a
//! call without a context is refused, and what is still needed is not given back (CUDA Driver API, "Stream Management",
//! "Memory Management"). What it does not notice: memory that one stream frees while another still uses it, if the first is
//! waited for last.
//!
//! It never claims to be a GPU: its name says what it is, and results that bear that name are no measurement.
//!
//! | file | contents |
//! |---|---|
//! | `api` | the functions of the C interface that are called: the edge |
//! | `driver` | what exists: contexts, streams, events, modules, and what is asked of them |
//! | `stream` | work that is put off, and in which order it is done |
//! | `memory` | words on the device |
//! | `image` | what the assembler makes of PTX |
//! | `result` | what a call comes to |
//! | `link` | what is being assembled, and the log of its errors |
//! | `faults` | what the environment asks it to do wrong |
//!
//! ```
//! assert!(assay_stand_in::NAME.contains("no GPU"));
//! ```

mod api;
mod driver;
mod faults;
mod image;
mod link;
mod memory;
mod result;
mod stream;

/// The name of its device. It says that this is no GPU, so that its results are not mistaken for a measurement.
pub const NAME: &str = "ptx (interpreted by a stand-in, no GPU)";
