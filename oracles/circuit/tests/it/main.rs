//! Tests of the crate from outside.

mod btor2;
mod definitions;
mod solver;
mod support;
