//! Records the effects of devices in traces, counts and judges traces, and makes cases of them.

pub mod capture;
pub mod census;
pub mod check;
pub mod code;
mod findings;
pub mod output;
pub mod vectors;

pub use findings::WrittenFinding;
