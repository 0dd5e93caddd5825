//! Integration tests of the C interface, in one test binary.

mod environment;
mod examples;
mod header;
