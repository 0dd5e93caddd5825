//! Tests of the crate from outside.

mod btor2;
mod solver;
mod support;
