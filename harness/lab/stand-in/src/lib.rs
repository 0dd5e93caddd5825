//! A stand-in for the NVIDIA driver: a `libcuda.so` without a GPU. The stand-in's device interprets
//! the PTX of kernels.
//!
//! Using a live GPU (`assay_hardware::cuda`) is a chain of steps: load a library, assemble, replace
//! bits of an instruction, copy ahead and wait. No step can be tested without a driver, and every
//! mistake would cost time on an expensive machine. So this driver defers work as long as CUDA
//! allows, and is as strict as CUDA allows. Work on a stream runs only at a synchronisation call.
//! New memory is filled with garbage. Out-of-bounds accesses are errors. A call that needs a
//! context is refused without one. A call that frees memory in use is refused, too (CUDA Driver
//! API, "Stream Management", "Memory Management"). One misuse is not detected: a stream frees
//! memory that another stream still uses, and the program waits for the other stream first.
//!
//! The name of the stand-in's device states that there is no GPU. So results with this device name
//! do not count as measurements.
//!
//! | file | contents |
//! |---|---|
//! | `api` | the functions of the C interface |
//! | `driver` | contexts, streams, events, modules, and the calls on them |
//! | `stream` | deferred work and its order |
//! | `memory` | words of device memory |
//! | `image` | the assembled form of PTX |
//! | `code` | the machine code of instructions with replaced bits |
//! | `result` | the result of a call |
//! | `link` | the text being assembled, and the log of its errors |
//! | `faults` | faults that an environment variable injects |
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

/// The name of the stand-in's device. The name states that this is no GPU, so that results are not
/// mistaken for a measurement.
pub const NAME: &str = "ptx (interpreted by a stand-in, no GPU)";
