//! A live NVIDIA GPU. The driver of the GPU is loaded on first use.
//!
//! The machine needs only the driver, which contains an assembler. The machine code is available
//! before it is loaded, so its bits can be replaced (see [`Patch`](crate::ptx::Patch)).
//!
//! | file | contents |
//! |---|---|
//! | `device` | the device, its name and versions, and the kernels that were assembled on it |
//! | `assemble` | PTX to machine code by the driver, through its C interface |
//! | `lanes` | one worker's stream and memory: columns up, columns down |
//! | `blocks` | results that were requested ahead |
//! | `subject` | [`CudaSubject`], which executes batches |

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

/// Calls the driver in the default floating-point environment, and undoes the driver's changes of
/// the environment.
fn driver<T>(call: &'static str, run: impl FnOnce() -> T) -> T {
    static DRIVER: LazyLock<Arc<Foreign>> = LazyLock::new(|| Foreign::library("libcuda.so"));
    DRIVER.call(call, String::new, run)
}

/// The reason why the driver or the device failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CudaError {
    /// No driver is installed.
    #[error(
        "no NVIDIA driver was found (libcuda.so): run this on a machine with a GPU and its driver, or replay a trace \
         with `assay trace check`"
    )]
    NoDriver,
    /// The driver knows no device with this number.
    #[error(
        "there is no device {ordinal}: the driver knows {count}; `nvidia-smi -L` lists them, counted from 0"
    )]
    NoDevice {
        /// The requested number.
        ordinal: usize,
        /// The number of devices that the driver knows.
        count: usize,
    },
    /// The driver is too old for the PTX version of the kernels.
    #[error(
        "the driver has CUDA {found}, and PTX {VERSION} came with CUDA 12.2: install a newer driver (R535 or later)"
    )]
    Old {
        /// The CUDA version of the driver.
        found: String,
    },
    /// The driver refused a kernel.
    #[error("the driver's assembler refused a kernel: {log}\n{ptx}")]
    Assembler {
        /// The assembler's messages.
        log: String,
        /// The PTX text of the kernel.
        ptx: String,
    },
    /// The machine code does not have exactly one instruction that matches a patch.
    #[error(
        "{found} instructions of the machine code are the {name} in which bits are to be replaced; there must be one"
    )]
    Patch {
        /// The mnemonic of the instruction.
        name: &'static str,
        /// The number of instructions that match.
        found: usize,
    },
    /// A call of the driver failed.
    #[error("the driver failed to {doing}: {problem}")]
    Driver {
        /// The action that failed.
        doing: &'static str,
        /// The driver's message.
        problem: String,
    },
}

impl CudaError {
    /// Returns a function that converts a driver error. `doing` names the failed action.
    pub(crate) fn at(doing: &'static str) -> impl Fn(cudarc::driver::DriverError) -> CudaError {
        move |error| CudaError::Driver { doing, problem: error.to_string() }
    }
}
