//! Shared code of all targets: the end of an input, and changes that know the meaning of an input.
//!
//! A violation becomes a panic, which libFuzzer notices.

use assay_fuzzing::{Reached, Violation};
use assay_fuzzing::{json, mutate};
use libfuzzer_sys::{Corpus, fuzzer_mutate};

/// Bytes of the stack on which libFuzzer writes down the input that ended the other one.
const LAST_STACK: usize = 1 << 18;

/// Has libFuzzer notice a stack that overflows: without a stack of its own its handler cannot run, and the input is
/// lost. Where AddressSanitizer listens already it has taken care of that. Call it before libFuzzer listens to signals.
pub fn survive_deep_stacks() {
    // SAFETY: the action is only read into a value that is whole without it; the new one is the default, and libFuzzer takes
    // over its flag with the handler that it sets. The stack is never given back, and no other thread has it.
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

/// Takes the outcome of an input, and returns whether it reached the judge. Panics on a violation.
pub fn hold(outcome: Result<Reached, Violation>) -> bool {
    match outcome {
        Ok(reached) => reached == Reached::Judged,
        Err(violation) => panic!("{violation}"),
    }
}

/// Changes the case in the first `size` bytes, and returns its new number of bytes.
///
/// One change in four is libFuzzer's own, of the bytes from `open` on: it knows the constants that the code compares
/// with.
pub fn change(data: &mut [u8], size: usize, max_size: usize, seed: u32, open: usize) -> usize {
    if seed.is_multiple_of(4) && size > open {
        return open + fuzzer_mutate(&mut data[open..], size - open, max_size - open);
    }
    let changed = mutate::mutate(&data[..size], seed);
    let length = changed.len().min(max_size);
    data[..length].copy_from_slice(&changed[..length]);
    length
}

/// Keeps an input that reached the judge. Others are not added to the corpus, because their variants seldom reach it
/// either; but a blank input stays, because libFuzzer starts with it.
pub fn keep(judged: bool, data: &[u8]) -> Corpus {
    if judged || data.trim_ascii().is_empty() { Corpus::Keep } else { Corpus::Reject }
}

/// Changes the JSON document in the first `size` bytes, and returns how many bytes it has then. Some changes are libFuzzer's
/// own, which makes other YAML of the document as well.
pub fn change_document(data: &mut [u8], size: usize, max_size: usize, seed: u32, bases: &[&str]) -> usize {
    match json::mutate(&data[..size], seed, bases) {
        Some(changed) if changed.len() <= max_size => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}
