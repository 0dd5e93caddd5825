//! The record of a fault: the signal that ended a call, and the byte of the requests that the call
//! tried to write.
//!
//! The record is before the first answer in the shared memory of the handle. So the host can read
//! it after the process has ended. It has three 32-bit numbers. The first is 1 if there is a
//! record. The second is the signal. The third is the position in the requests plus 1, or 0 if the
//! address is elsewhere.

use std::cell::Cell;
use std::ops::Range;
use std::ptr;

/// A record as the host reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FaultRecord {
    /// Position of the byte of the requests that the call tried to write. `None` if the address was
    /// elsewhere.
    pub(crate) request_byte: Option<usize>,
}

impl FaultRecord {
    /// Reads a record from the bytes before the first answer. `None` if there is no record.
    pub(crate) fn read(bytes: &[u8]) -> Option<FaultRecord> {
        let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(4 * at..)?.first_chunk()?));
        (number(0)? == 1).then_some(())?;
        Some(FaultRecord { request_byte: number(2)?.checked_sub(1).map(|byte| byte as usize) })
    }
}

/// Signals by which a fault ends a process.
const SIGNALS: [i32; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT];

thread_local! {
    /// The address of this thread's fault record, and the start and end address of its requests.
    static RECORD: Cell<(*mut u32, usize, usize)> = const { Cell::new((ptr::null_mut(), 0, 0)) };
}

/// Sets the address at which this thread records its faults, and the requests whose addresses it
/// recognises.
///
/// `record` must stay valid as long as the thread runs.
pub(super) fn record_here(record: *mut u32, requests: &[u8]) {
    let Range { start, end } = requests.as_ptr_range();
    RECORD.set((record, start.addr(), end.addr()));
}

/// Installs signal handlers that record a fault before it ends the process.
pub(super) fn install() {
    for signal in SIGNALS {
        // SAFETY: the action is whole, and the handler only stores numbers and raises a signal. The system restores the
        // default action before it calls the handler. So a fault that recurs, or the raised signal, ends the process.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = note as extern "C" fn(_, _, _) as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
            libc::sigaction(signal, &action, ptr::null_mut());
        }
    }
}

extern "C" fn note(signal: i32, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    let (record, start, end) = RECORD.get();
    // SAFETY: the system hands in the description of the signal.
    let (address, is_fault) = unsafe { ((*info).si_addr().addr(), (*info).si_code > 0) };
    let is_inside = signal == libc::SIGSEGV && (start..end).contains(&address);
    let request_byte = if is_inside { (address - start) as u32 + 1 } else { 0 };
    if !record.is_null() {
        // SAFETY: the thread's memory for records stays mapped, and has room for three numbers.
        unsafe {
            record.add(1).write_volatile(signal as u32);
            record.add(2).write_volatile(request_byte);
            record.write_volatile(1);
        }
    }
    if !is_fault {
        // A sent signal, unlike a fault, does not occur again when the handler returns. So the
        // handler raises it.
        // SAFETY: raising a signal whose action is the default ends the process.
        unsafe { libc::raise(signal) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_there_or_not() {
        let bytes = |numbers: [u32; 3]| numbers.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        for (numbers, expected) in [
            ([0, 11, 5], None),
            ([2, 11, 5], None),
            ([1, 11, 0], Some(FaultRecord { request_byte: None })),
            ([1, 11, 101], Some(FaultRecord { request_byte: Some(100) })),
        ] {
            assert_eq!(FaultRecord::read(&bytes(numbers)), expected, "{numbers:?}");
        }
        assert_eq!(FaultRecord::read(&[1, 0, 0, 0]), None);
    }
}
