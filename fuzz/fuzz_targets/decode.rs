//! Words: what decodes encodes back, also by way of its text.

#![no_main]

use assay_fuzzing::Codec;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| {
    assay_fuzz::hold(assay_fuzzing::decode(data, &Codec::ISA));
});

// Illegal words are wanted here as well, so libFuzzer's own changes are of the word too.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    assay_fuzz::change(data, size, max_size, seed, 0)
});
