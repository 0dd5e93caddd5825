//! A stand-in for the NVIDIA driver: a `libcuda.so` without a GPU, whose device runs the PTX of kernels in an interpreter.
//!
//! The use of a live GPU (`assay_hardware::cuda`) is a chain of loading a library, assembling, replacing bits of an
//! instruction, copying ahead and waiting. None of it can be tested without a driver, and every mistake in it would cost time on an
//! expensive machine. So this driver is as late and as strict as one may be. Work on a stream runs only at a
//! synchronisation call. New memory is filled with garbage. Out-of-bounds accesses are errors. A call without a context
//! is refused, and so is freeing memory in use (CUDA Driver API, "Stream Management", "Memory Management"). It does not
//! detect memory that one stream frees while another still uses it, if the first is waited for last.
//!
//! It never claims to be a GPU: its name states it, and results with that name are no measurement.
//!
//! | file | contents |
//! |---|---|
//! | `api` | the functions of the C interface that are called: the edge |
//! | `driver` | what exists: contexts, streams, events, modules, and what is asked of them |
//! | `stream` | work that is put off, and in which order it is done |
//! | `memory` | words on the device |
//! | `image` | what the assembler makes of PTX |
//! | `code` | the machine code of a kernel, as far as bits of it are replaced |
//! | `result` | what a call comes to |
//! | `link` | what is being assembled, and the log of its errors |
//! | `faults` | what the environment asks it to do wrong |
//!
//! ```
//! assert!(assay_stand_in::NAME.contains("no GPU"));
//! ```

mod api;
mod code;
mod driver;
mod faults;
mod image;
mod link;
mod memory;
mod result;
mod stream;

/// The name of its device. It states that this is no GPU, so that its results are not mistaken for a measurement.
pub const NAME: &str = "ptx (interpreted by a stand-in, no GPU)";
