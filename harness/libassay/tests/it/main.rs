//! Integration tests of the C interface, in one program.

mod environment;
mod examples;
mod header;
