//! Records the effects of devices in traces. Counts and judges traces, and writes their rows as
//! cases.

pub mod capture;
pub mod census;
pub mod check;
pub mod code;
mod findings;
pub mod output;
pub mod vectors;

pub use findings::WrittenFinding;
