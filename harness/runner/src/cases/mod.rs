//! Recorded cases: read from suites, compared with a subject and the oracle, made, and promoted.

pub mod all;
pub mod check;
pub mod generate;
pub mod planted;
pub mod promote;
pub mod suites;
pub mod witness;
