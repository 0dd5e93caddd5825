//! Integration tests of counting and skipping checks, and of the structure of the workspace, in one
//! test binary.

mod circles;
mod deep;
mod dependencies;
mod gate;
mod guide;
mod independence;
mod json;
mod names;
mod optypes;
mod pages;
mod verdict;
mod workspace;
