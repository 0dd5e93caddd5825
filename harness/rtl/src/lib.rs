//! Builds devices from hardware descriptions. From a unit and a map of its ports, this crate builds
//! a library that `lib:` loads.
//!
//! | module | what it does |
//! |---|---|
//! | [`map`] | the types of a map, read from YAML and checked |
//! | [`operations`] | the modes that the patterns of a map cover, and the bits of each operand |
//! | [`ports`] | compares the ports that Verilator found in the unit with the map |
//! | [`source`] | the generated part of the C++ harness |
//! | [`mod@build`] | runs Verilator and the C++ compiler |
//! | [`error`] | the error that a device could not be built |
//!
//! `src/harness.cpp` is the part of the harness that is the same for every unit.
//!
//! ```
//! use assay_rtl::map::PortMap;
//!
//! let text = "{version: 1, top: popc, clock: clk, latency: 2, operations: [{modes: [POPC_R], operands: {a: 0}, \
//!             result: {port: y, bits: '5:0'}}]}";
//! let map = PortMap::parse(text, "popc.yaml".as_ref())?;
//! assert_eq!(map.operations[0].modes, ["POPC_R"]);
//! # Ok::<(), assay_rtl::RtlError>(())
//! ```

pub mod build;
pub mod error;
pub mod map;
pub mod operations;
pub mod ports;
pub mod source;
#[cfg(test)]
mod tests;

pub use build::{BuildRequest, BuiltDevice};
pub use error::RtlError;
