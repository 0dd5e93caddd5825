//! Integration tests of the files of a run, in one program.

mod checkpoint;
mod merge;
mod runs;
mod support;
mod tampering;
mod verdict;
