//! Silicon as a witness.
//!
//! | module | contents |
//! |---|---|
//! | [`ptx`] | which PTX stands for an instruction, and which SASS the vendor's assembler makes of it |
//! | [`trace`] | what a device once did, in Parquet files |
//! | [`cuda`] | a live NVIDIA GPU, through a driver that is loaded when it is asked for |
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
