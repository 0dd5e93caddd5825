//! Integration tests of the independent device, in one program.

mod batches;
mod faults;
mod sound;
mod support;
