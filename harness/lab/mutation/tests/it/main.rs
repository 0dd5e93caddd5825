//! Integration tests with the real model and the real oracle, in one program.

mod harness;
mod run;
