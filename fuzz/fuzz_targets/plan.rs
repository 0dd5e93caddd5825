//! Plans of a nightly run. A plan that is read can be written, and reads back unchanged.

#![no_main]

use assay_fuzzing::nightly;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| -> Corpus {
    assay_fuzz::keep(assay_fuzz::hold(nightly::plan(data)), data)
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    assay_fuzz::change_document(data, size, max_size, seed, &nightly::PLANS)
});
