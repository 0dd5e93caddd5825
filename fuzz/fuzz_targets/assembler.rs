//! Assembler text. A text that parses has one canonical text. For any other text, the error points
//! into the text.

#![no_main]

use assay_fuzzing::Codec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| {
    assay_fuzz::hold(assay_fuzzing::assembler(data, &Codec::ISA));
});
