//! Integration tests of the program `assay-lab`, in one program. Each test runs `assay-lab` as a
//! child process.

/// The path of the program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_assay-lab");

mod documents;
mod errata;
mod examples;
mod hostile_files;
mod libfuzzer;
mod mutants;
mod pages;
mod reference;
mod schemas;
mod signals;
mod subjects;
#[path = "../../../../cli/tests/it/support.rs"]
#[allow(dead_code, reason = "the tests of assay use more of it")]
mod support;
