//! Words. An instruction that a word decodes to encodes to that word, also after printing and
//! parsing.

#![no_main]

use assay_fuzzing::Codec;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| {
    assay_fuzz::hold(assay_fuzzing::decode(data, &Codec::ISA));
});

// Illegal words are useful inputs, too. So libFuzzer's own mutations may change the word.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    assay_fuzz::change(data, size, max_size, seed, 0)
});
