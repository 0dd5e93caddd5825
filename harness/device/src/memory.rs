//! Memory that the host and the process of a device share. The process can read the memory of the
//! requests, but not write it. It writes the memory of the answers.
//!
//! Both memories hold messages of the binary framing ([`crate::frame::binary`]), one after the
//! other. The first begins at [`FIRST`], and each begins at a multiple of [`ALIGNMENT`]. Only the
//! number of messages goes through the pipe.
//!
//! The host seals both memories: the process can neither shrink them nor map the requests for
//! writing. The host copies an answer before it reads it. The host judges with its own copy of the
//! inputs, never with the columns in this memory.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::ptr::{self, NonNull};

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::protocol::MemoryOffer;

/// Size of each of the two memories in bytes. Unused pages take no physical memory.
pub const BYTES: usize = 1 << 26;
/// Position of the first message. The bytes before it are for the fault record of
/// [`crate::library`], and for [`BEGUN`].
pub const FIRST: usize = 64;
/// Position of the number of begun calls in the memory of the answers, behind the fault record. A
/// 32-bit number: 0 if no call of the group has begun, or if the device does not note it.
pub const BEGUN: usize = 12;
/// Each message begins at a multiple of this number of bytes.
pub const ALIGNMENT: usize = 8;

/// Returns the position of the message after a message that ends at `end`.
pub fn next(end: usize) -> usize {
    end.next_multiple_of(ALIGNMENT)
}

/// A mapping of shared memory. Dropping it unmaps the memory.
struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the mapping belongs to the value alone; any thread may use it.
unsafe impl Send for Mapping {}

impl Mapping {
    fn new(file: impl AsFd, bytes: usize, access: ProtFlags) -> io::Result<Mapping> {
        // SAFETY: a new mapping at an address that the system chooses touches nothing of ours.
        let start = unsafe { mmap(ptr::null_mut(), bytes, access, MapFlags::SHARED, file, 0) }?;
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Mapping { start, bytes })
    }

    /// Returns the address of a range.
    ///
    /// # Panics
    /// The range is not inside of the mapping.
    fn at(&self, range: &Range<usize>) -> *mut u8 {
        assert!(
            range.start <= range.end && range.end <= self.bytes,
            "{range:?} lies outside of shared memory"
        );
        // SAFETY: the range lies inside of the mapping.
        unsafe { self.start.as_ptr().add(range.start) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no reference into it outlives the value.
        let _ = unsafe { munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

/// The host's side of both memories.
pub(crate) struct SharedMemory {
    requests: (OwnedFd, Mapping),
    answers: (OwnedFd, Mapping),
}

impl SharedMemory {
    pub(crate) fn new() -> io::Result<SharedMemory> {
        let make = |name: &str, seals: SealFlags| {
            let file = memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
            set_size(&file, BYTES as u64)?;
            // The seal against writing does not affect existing mappings. So the mapping of the
            // host, which is the only one at this point, stays writable.
            let mapping = Mapping::new(&file, BYTES, ProtFlags::READ | ProtFlags::WRITE)?;
            fcntl_add_seals(&file, seals | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
            io::Result::Ok((file, mapping))
        };
        let requests = make("assay-requests", SealFlags::FUTURE_WRITE)?;
        Ok(SharedMemory { requests, answers: make("assay-answers", SealFlags::empty())? })
    }

    /// Returns the paths and the size with which the process opens the memories.
    pub(crate) fn offer(&self) -> MemoryOffer {
        let path = |file: &OwnedFd| format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
        MemoryOffer { requests: path(&self.requests.0), answers: path(&self.answers.0), bytes: BYTES as u64 }
    }

    /// Returns a range of the memory of the requests, for writing.
    pub(crate) fn requests_mut(&mut self, range: Range<usize>) -> &mut [u8] {
        // SAFETY: the range is checked, no other process can write there, and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.requests.1.at(&range), range.len()) }
    }

    /// Appends a range of the memory of the answers to `into`.
    pub(crate) fn copy_answers(&self, range: Range<usize>, into: &mut Vec<u8>) {
        let (from, count) = (self.answers.1.at(&range), range.len());
        into.reserve(count);
        // SAFETY: the range is checked, and the place is reserved. The process may write at the same time: then the copy
        // holds some mixture of bytes, and the reader of the copy trusts none of them.
        unsafe {
            ptr::copy_nonoverlapping(from, into.as_mut_ptr().add(into.len()), count);
            into.set_len(into.len() + count);
        }
    }

    /// Sets the bytes before the first answer to 0.
    pub(crate) fn clear_record(&mut self) {
        let record = 0..FIRST;
        // SAFETY: the range is checked, and no reference to these bytes exists.
        unsafe { ptr::write_bytes(self.answers.1.at(&record), 0, FIRST) };
    }
}

/// Sets the size of shared memory. Raises the soft limit on file sizes meanwhile, because it is not
/// meant for shared memory.
fn set_size(file: &OwnedFd, bytes: u64) -> rustix::io::Result<()> {
    let limit = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: limit.maximum, ..limit })?;
    let outcome = ftruncate(file, bytes);
    setrlimit(Resource::Fsize, limit)?;
    outcome
}

/// The device's side of both memories.
pub(crate) struct DeviceMemory {
    requests: Mapping,
    answers: Mapping,
}

impl DeviceMemory {
    pub(crate) fn open(offer: &MemoryOffer) -> io::Result<DeviceMemory> {
        let bytes = usize::try_from(offer.bytes).map_err(io::Error::other)?;
        let requests = File::open(&offer.requests)?;
        let answers = File::options().read(true).write(true).open(&offer.answers)?;
        Ok(DeviceMemory {
            requests: Mapping::new(requests, bytes, ProtFlags::READ)?,
            answers: Mapping::new(answers, bytes, ProtFlags::READ | ProtFlags::WRITE)?,
        })
    }

    /// Returns the memory of all requests. The host does not write to it while the device is
    /// executing requests.
    pub(crate) fn requests(&self) -> &[u8] {
        // SAFETY: the mapping lives as long as the borrow, and the protocol forbids the host to write meanwhile.
        unsafe { std::slice::from_raw_parts(self.requests.start.as_ptr(), self.requests.bytes) }
    }

    /// Writes an answer. Returns the position of the next answer, or `None` if the answer does not
    /// fit.
    pub(crate) fn write_answer(&mut self, at: usize, answer: &[u8]) -> Option<usize> {
        let place = at..at + answer.len();
        (place.end <= self.answers.bytes).then(|| {
            // SAFETY: the range is checked, and the borrow is unique. The host reads after the number of answers has come.
            unsafe { self.answers.at(&place).copy_from_nonoverlapping(answer.as_ptr(), answer.len()) };
            next(place.end)
        })
    }

    /// Notes that the call of a request begins. `nth` is the number of the request in its group,
    /// counted from 1. If the process fails, the host reads which call was running.
    pub(crate) fn begin_call(&self, nth: u32) {
        // SAFETY: the number lies before the first answer, and aligned. The host may read it at any time.
        unsafe { self.answers.start.as_ptr().add(BEGUN).cast::<u32>().write_volatile(nth.to_le()) };
    }

    /// Returns the address and the size in bytes of the answers.
    pub(crate) fn answers(&self) -> (*mut u8, usize) {
        (self.answers.start.as_ptr(), self.answers.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_reads_requests_and_writes_answers() {
        let mut ours = SharedMemory::new().expect("memory");
        let theirs = DeviceMemory::open(&ours.offer()).expect("the same memory");
        ours.requests_mut(FIRST..FIRST + 3).copy_from_slice(b"ask");
        assert_eq!(&theirs.requests()[FIRST..FIRST + 3], b"ask");
        let (answers, _) = theirs.answers();
        // SAFETY: the place lies inside of the mapping.
        unsafe { answers.add(FIRST).copy_from_nonoverlapping(b"say".as_ptr(), 3) };
        let mut copy = Vec::new();
        ours.copy_answers(FIRST..FIRST + 3, &mut copy);
        assert_eq!(copy, b"say");
    }

    #[test]
    fn no_process_maps_requests_for_writing_or_changes_the_size() {
        let ours = SharedMemory::new().expect("memory");
        let offer = ours.offer();
        let requests = File::options().read(true).write(true).open(&offer.requests).expect("the file opens");
        assert!(Mapping::new(&requests, BYTES, ProtFlags::READ | ProtFlags::WRITE).is_err());
        assert!(rustix::io::pwrite(&requests, b"x", 0).is_err());
        let readable = Mapping::new(&requests, BYTES, ProtFlags::READ).expect("reading is allowed");
        // SAFETY: the mapping is ours, and the call fails.
        let changed = unsafe {
            rustix::mm::mprotect(readable.start.as_ptr().cast(), 4096, rustix::mm::MprotectFlags::WRITE)
        };
        assert!(changed.is_err());
        for path in [&offer.requests, &offer.answers] {
            let file = File::options().read(true).write(true).open(path).expect("the file opens");
            assert!(file.set_len(0).is_err() && file.set_len(2 * BYTES as u64).is_err(), "{path}");
        }
    }
}
