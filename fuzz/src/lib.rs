//! Shared code of all targets: reports the outcome of an input, and mutates inputs by their
//! meaning.
//!
//! A violation becomes a panic, which libFuzzer reports as a crash.

use assay_fuzzing::{Reached, Violation};
use assay_fuzzing::{json, mutate};
use libfuzzer_sys::{Corpus, fuzzer_mutate};

/// Size of the signal stack in bytes. libFuzzer saves the crashing input on it after a stack
/// overflow.
const LAST_STACK: usize = 1 << 18;

/// Gives libFuzzer's signal handler its own stack, so that it can report a stack overflow. Without
/// that stack, the handler cannot run, and the input is lost. Does nothing where AddressSanitizer
/// has installed a handler. Call it before libFuzzer installs its handlers.
pub fn survive_deep_stacks() {
    // SAFETY: `sigaction` only writes the old action, and a zeroed value is a valid one. The new
    // action is the default. libFuzzer keeps its flag when it sets a handler. The stack is never
    // freed, and no other thread uses it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGSEGV, std::ptr::null(), &mut action) != 0
            || action.sa_sigaction != libc::SIG_DFL
        {
            return;
        }
        let memory = Box::leak(vec![0u8; LAST_STACK].into_boxed_slice());
        let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: LAST_STACK };
        assert_eq!(libc::sigaltstack(&stack, std::ptr::null_mut()), 0, "sigaltstack");
        action.sa_flags = libc::SA_ONSTACK;
        assert_eq!(libc::sigaction(libc::SIGSEGV, &action, std::ptr::null_mut()), 0, "sigaction");
    }
}

/// Returns whether an input reached the judge. Panics if its outcome is a violation.
pub fn hold(outcome: Result<Reached, Violation>) -> bool {
    match outcome {
        Ok(reached) => reached == Reached::Judged,
        Err(violation) => panic!("{violation}"),
    }
}

/// Mutates the case in the first `size` bytes. Returns its new number of bytes.
///
/// For one seed in four, libFuzzer mutates the bytes from `open` on. libFuzzer knows the constants
/// that the code compares with.
pub fn change(data: &mut [u8], size: usize, max_size: usize, seed: u32, open: usize) -> usize {
    if seed.is_multiple_of(4) && size > open {
        return open + fuzzer_mutate(&mut data[open..], size - open, max_size - open);
    }
    let changed = mutate::mutate(&data[..size], seed);
    let length = changed.len().min(max_size);
    data[..length].copy_from_slice(&changed[..length]);
    length
}

/// Keeps an input in the corpus if it reached the judge. Variants of other inputs seldom reach the
/// judge, so those are rejected. A blank input is kept, because libFuzzer starts with it.
pub fn keep(judged: bool, data: &[u8]) -> Corpus {
    if judged || data.trim_ascii().is_empty() { Corpus::Keep } else { Corpus::Reject }
}

/// Mutates the JSON document in the first `size` bytes. Returns its new number of bytes. libFuzzer
/// makes some of the mutations, which may turn the document into YAML that is not JSON.
pub fn change_document(data: &mut [u8], size: usize, max_size: usize, seed: u32, bases: &[&str]) -> usize {
    match json::mutate(&data[..size], seed, bases) {
        Some(changed) if changed.len() <= max_size => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}
