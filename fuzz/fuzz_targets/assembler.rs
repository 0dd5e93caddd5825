//! Assembler text: a text that parses has one canonical text; the error of any other text points into it.

#![no_main]

use assay_fuzzing::Codec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| {
    assay_fuzz::hold(assay_fuzzing::assembler(data, &Codec::ISA));
});
