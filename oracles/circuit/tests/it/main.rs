//! Tests of the crate from outside.

mod solver;
mod support;
