//! Hardware as a subject: a live GPU, recorded traces, and the PTX that stands for each
//! instruction.
//!
//! | module | contents |
//! |---|---|
//! | [`ptx`] | the PTX that stands for an instruction, and the SASS that `ptxas` makes of it |
//! | [`trace`] | recorded effects of devices, in Parquet files |
//! | [`cuda`] | a live NVIDIA GPU; its driver is loaded on first use |
//! | [`interpreted`] | the same kernels without a GPU, run by an interpreter of PTX |
//!
//! ```
//! use assay_hardware::ptx;
//! use assay_isa::asm;
//!
//! let lowering = ptx::lower(&asm::parse("FADD R0, R1, R2")?)?;
//! assert!(lowering.text().contains("add.rn.f32"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cuda;
pub mod interpreted;
pub mod ptx;
pub mod trace;
