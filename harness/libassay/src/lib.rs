//! Model, truth and judge behind a C interface, for simulators and scripts that call `assay` instead of being called.
//!
//! * `session`: what there is behind a handle, in Rust;
//! * [`api`]: the exported functions, from which `include/assay.h` is generated. Unsafe code is there alone.

pub mod api;
mod session;
