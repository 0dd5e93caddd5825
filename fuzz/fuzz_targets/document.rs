//! Specification documents. Any text is parsed and linted. Each message has a position inside the
//! text.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| {
    assay_fuzz::hold(assay_fuzzing::document(data));
});
