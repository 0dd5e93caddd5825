//! Checkpoints. A run resumes only from progress that its plan can reach.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| -> Corpus {
    assay_fuzz::keep(assay_fuzz::hold(assay_fuzzing::checkpoint(data)), data)
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    assay_fuzz::change_document(data, size, max_size, seed, &assay_fuzzing::checkpoint::BASES)
});
