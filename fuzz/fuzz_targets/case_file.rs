//! Suites and lines of cases. A value that is read can be written, and reads back unchanged.

#![no_main]

use assay_fuzzing::Files;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| {
    assay_fuzz::hold(assay_fuzzing::case_file(data, &Files::VECTORS));
});
