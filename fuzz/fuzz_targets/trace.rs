//! Recorded traces. A trace that is read has as many rows as it counts. Rewritten, it has equal
//! rows.

#![no_main]

use assay_hardware::trace::fuzzing;
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(init: assay_fuzz::survive_deep_stacks(), |data: &[u8]| -> Corpus {
    assay_fuzz::keep(assay_fuzz::hold(assay_fuzzing::trace(data)), data)
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let base = fuzzing::BASES[seed as usize / 16 % fuzzing::BASES.len()];
    match seed % 16 {
        _ if data[..size].starts_with(b"PAR1") => fuzzer_mutate(data, size, max_size),
        2 if base.len() <= max_size => {
            data[..base.len()].copy_from_slice(base);
            base.len()
        }
        _ => assay_fuzz::change_document(data, size, max_size, seed, &fuzzing::ROWS),
    }
});
