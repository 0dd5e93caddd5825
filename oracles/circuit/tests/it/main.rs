//! Tests of the crate from outside.

mod btor2;
mod definitions;
mod hardware;
mod netlists;
mod proofs;
mod solver;
mod support;
