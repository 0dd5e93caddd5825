//! Specification documents: any text is read and linted, and every message about it points into it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| {
    assay_fuzz::hold(assay_fuzzing::document(data));
});
