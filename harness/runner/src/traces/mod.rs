//! What a device once did: recorded, counted, judged, and made into cases.

pub mod capture;
pub mod census;
pub mod check;
pub mod code;
mod findings;
pub mod output;
pub mod vectors;

pub use findings::WrittenFinding;
