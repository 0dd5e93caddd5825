//! Words: what decodes encodes back, also by way of its text.

#![no_main]

use assay_engine::fuzzing::{self, Codec};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    assay_fuzz::hold(fuzzing::decode(data, &Codec::ISA));
});
