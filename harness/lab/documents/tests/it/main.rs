//! Integration tests of the specification reader, its linter and the comparison with the tables, in
//! one test binary.

mod diagnostics;
mod diff;
mod differences;
mod executed;
mod fixture;
mod known;
mod lint;
mod parse;
mod robust;
mod snippets;
mod support;
