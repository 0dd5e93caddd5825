//! Circuits of instructions, and proofs about all of their inputs.

pub mod btor2;
pub mod cnf;
pub mod graph;
pub mod lrat;
pub mod solver;
pub mod word;
