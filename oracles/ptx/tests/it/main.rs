//! Runs kernels of one or a few instructions, and compares their results with the tables, the
//! examples and the pseudo-code of the PTX ISA. Statements for machine instructions are compared
//! with the document of the instruction set.

mod approx;
mod compare;
mod float;
mod integer;
mod kernel;
mod logic;
mod machine;
mod opcodes;
mod refused;
mod support;
