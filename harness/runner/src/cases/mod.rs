//! Reads recorded cases from suites, compares them with a subject and the oracle, generates cases,
//! and promotes findings to cases.

pub mod all;
pub mod check;
pub mod generate;
pub mod planted;
pub mod promote;
pub mod suites;
pub mod witness;
