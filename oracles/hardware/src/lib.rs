//! Silicon as a witness.
//!
//! | module | room |
//! |---|---|
//! | [`ptx`] | which PTX stands for an instruction, and which SASS the vendor's assembler makes of it |
//! | [`trace`] | what a device once did, in Parquet files |
//! | [`cuda`] | a live NVIDIA GPU, through a driver that is loaded when it is asked for |
//! | [`interpreted`] | the same kernels without a GPU, run by an interpreter of PTX |

pub mod cuda;
pub mod interpreted;
pub mod ptx;
pub mod trace;
