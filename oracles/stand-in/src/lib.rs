//! A stand-in for the NVIDIA driver: a `libcuda.so` without a GPU, whose device runs the PTX of kernels in an interpreter.
//!
//! What asks a live GPU ([`assay-hardware`](../assay_hardware/cuda)) is a chain of loading a library, assembling, replacing
//! an immediate, copying ahead and waiting. None of it can be tried where there is no driver, and every mistake in it would
//! be paid for in time on a machine that is dear. So this one is stricter than any driver need be: work on a stream is put
//! off until somebody waits for it, memory is full of rubbish until it is written, addresses are held to allocations, and a
//! call without a context is refused (CUDA Driver API, "Stream Management", "Memory Management").
//!
//! It never claims to be a GPU: its name says what it is, and results that bear that name are no measurement.
//!
//! | file | room |
//! |---|---|
//! | `api` | the functions of the C interface that are called: the edge |
//! | `driver` | what exists: contexts, streams, events, modules, and what is asked of them |
//! | `stream` | work that is put off, and in which order it is done |
//! | `memory` | words on the device |
//! | `image` | what the assembler makes of PTX |
//! | `faults` | what the environment asks it to do wrong |

mod api;
mod driver;
mod faults;
mod image;
mod memory;
mod stream;

/// The name of its device: that of the voice which it is, so that nobody takes its results for a measurement.
pub const NAME: &str = "ptx (interpreted by a stand-in, no GPU)";
