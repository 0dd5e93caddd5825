//! Integration tests of how checks are counted and skipped, in one program.

mod gate;
