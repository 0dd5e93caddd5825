//! Integration tests of how checks are counted and skipped, and of the shape of the workspace, in one program.

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
