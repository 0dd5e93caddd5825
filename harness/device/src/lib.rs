//! Devices under test: how one is plugged in, and what is done when it fails.
//!
//! * [`abi`]: the types of the C interface, from which `include/assay_device.h` is generated.

pub mod abi;
