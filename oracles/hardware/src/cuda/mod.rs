//! A live NVIDIA GPU, through a driver that is loaded on first use.
//!
//! The machine needs only the driver, which has an assembler of its own. The assembled machine code is available before
//! it is loaded, and so can be patched (see [`Patch`](crate::ptx::Patch)).
//!
//! | file | contents |
//! |---|---|
//! | `device` | the device, its name and versions, and the kernels that were assembled for it |
//! | `assemble` | PTX to machine code by the driver: the edge to its C interface |
//! | `lanes` | one worker's stream and memory: columns up, columns down |
//! | `blocks` | results that were asked for ahead |
//! | `subject` | [`CudaSubject`], who executes batches |

mod assemble;
mod blocks;
mod device;
mod lanes;
mod subject;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use assay_fpenv::Foreign;

use crate::ptx::VERSION;

pub use device::{Device, Identity};
pub use subject::{CudaSubject, Machine};

/// Calls the driver in the default floating-point environment; its changes are undone.
fn driver<T>(call: &'static str, run: impl FnOnce() -> T) -> T {
    static DRIVER: LazyLock<Arc<Foreign>> = LazyLock::new(|| Foreign::library("libcuda.so"));
    DRIVER.call(call, String::new, run)
}

/// Why a device does not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CudaError {
    /// There is no driver.
    #[error(
        "no NVIDIA driver was found (libcuda.so): run this on a machine with a GPU and its driver, or replay a trace \
         with `assay trace check`"
    )]
    NoDriver,
    /// The driver has no such device.
    #[error(
        "there is no device {ordinal}: the driver knows {count}; `nvidia-smi -L` lists them, counted from 0"
    )]
    NoDevice {
        /// The requested number.
        ordinal: usize,
        /// How many there are.
        count: usize,
    },
    /// The driver does not know the PTX of the kernels yet.
    #[error(
        "the driver has CUDA {found}, and PTX {VERSION} came with CUDA 12.2: install a newer driver (R535 or later)"
    )]
    Old {
        /// The available devices.
        found: String,
    },
    /// The driver refused a kernel.
    #[error("the driver's assembler refused a kernel: {log}\n{ptx}")]
    Assembler {
        /// Its messages.
        log: String,
        /// The kernel.
        ptx: String,
    },
    /// An instruction to replace bits of is not in the machine code, or occurs several times.
    #[error(
        "{found} instructions of the machine code are the {name} in which bits are to be replaced; there must be one"
    )]
    Patch {
        /// The mnemonic of the instruction.
        name: &'static str,
        /// How many there are.
        found: usize,
    },
    /// The driver failed.
    #[error("the driver failed to {doing}: {problem}")]
    Driver {
        /// At what.
        doing: &'static str,
        /// Its words.
        problem: String,
    },
}

impl CudaError {
    /// Names what the driver failed at.
    pub(crate) fn at(doing: &'static str) -> impl Fn(cudarc::driver::DriverError) -> CudaError {
        move |error| CudaError::Driver { doing, problem: error.to_string() }
    }
}
