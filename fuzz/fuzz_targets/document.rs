//! Specification documents: any text is read and linted, and what is said of it points into it.

#![no_main]

use assay_spec::fuzzing::{self, Reached};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let reached = fuzzing::document(data).unwrap_or_else(|violation| panic!("{violation}"));
    assay_fuzz::count(reached == Reached::Judged);
});
