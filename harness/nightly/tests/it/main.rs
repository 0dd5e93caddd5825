//! Integration tests of nightly runs, in one program.

mod old_files;
