//! Integration tests of the planted faults, in one program.

#[path = "../../../model/tests/it/support/compared.rs"]
mod compared;
mod faults;
mod interpolators;
#[path = "../../../model/tests/it/support/sample.rs"]
mod sample;
