//! Specification documents: any text is read and linted, and what is said of it points into it.

#![no_main]

use assay_documents::fuzzing::{self, Reached};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| {
    let outcome = fuzzing::document(data);
    assay_fuzz::count(outcome != Ok(Reached::Nothing));
    if let Err(violation) = outcome {
        panic!("{violation}");
    }
});
