//! Integration tests with the real model and oracle, in one test binary.

mod harness;
mod run;
