//! Checks devices under test, and serves any subject as a device.

pub mod check;
pub mod serve;
