//! Integration tests of the independent device, in one test binary.

mod batches;
mod faults;
mod sound;
mod support;
