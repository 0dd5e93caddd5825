//! A call of `execute`. The request is read in place in shared memory, and the answer is written
//! there.
//!
//! Both are messages of the binary framing: [`crate::frame::binary`].

use std::ffi::{CString, c_char, c_void};
use std::ptr;

use super::load::{OpenHandle, read};
use crate::abi;
use crate::frame::binary::{self, RequestParts};

/// Executes the request in a message and writes the answer. Returns the length of the answer in bytes.
///
/// # Errors
///
/// The request cannot be read, or the memory is too small for the answer.
pub(super) fn execute(
    device: &OpenHandle,
    request: &[u8],
    answer: AnswerMemory,
    buffers: &mut ColumnBuffers,
) -> Result<usize, String> {
    let request = RequestParts::read(request).map_err(|trouble| trouble.words)?;
    let text = CString::new(request.text).map_err(|e| e.to_string())?;
    let batch = abi::Batch {
        word_low: request.word as u64,
        word_high: (request.word >> 64) as u64,
        text: text.as_ptr(),
        lanes: request.lanes as u32,
        columns: request.columns as u32,
        // A location is two 32-bit numbers in the message and in the C interface.
        locations: request.locations.as_ptr().cast(),
        values: request.values.as_ptr().cast(),
    };
    debug_assert!(batch.values.is_aligned() && batch.locations.is_aligned());
    let mut writer = AnswerWriter::new(answer, request.lanes, buffers);
    writer.put64(request.id);
    // The status and both counts are filled in at the end.
    let head = writer.used;
    (0..3).for_each(|_| writer.put(0));
    let effects = abi::Effects {
        context: (&raw mut writer).cast(),
        write: Some(write),
        event: Some(event),
        fail: Some(fail),
    };
    // SAFETY: both arguments and all that they point to outlive the call.
    let status = unsafe { device.execute(&batch, &effects) };
    writer.finish(head, status)
}

/// The memory for an answer. `start` is a multiple of 8.
#[derive(Clone, Copy)]
pub(super) struct AnswerMemory {
    pub(super) start: *mut u8,
    pub(super) bytes: usize,
}

/// Number of words before and behind a column that a library must not write: as many as the widest
/// vector register has.
const MARKS: usize = 16;
/// The content of these words.
const MARK: u32 = 0x5a17_c3e9;

/// The memory into which a library writes its columns. The columns are copied when `execute`
/// returns. The buffers of the previous call stay allocated. So a thread of the library that still
/// writes to them after the call changes no answer.
#[derive(Default)]
pub(super) struct ColumnBuffers {
    /// The buffers of this call and of the previous call. Each column has a buffer.
    calls: [Vec<Vec<u32>>; 2],
    /// Number of buffers that this call uses.
    used: usize,
}

impl ColumnBuffers {
    /// Begins another call.
    fn begin(&mut self) {
        self.calls.swap(0, 1);
        self.used = 0;
    }

    /// Returns the next buffer of this call, with a zero for each lane. Words with [`MARK`] lie before
    /// and behind it.
    fn next(&mut self, lanes: usize) -> *mut u32 {
        let buffers = &mut self.calls[0];
        if buffers.len() == self.used {
            buffers.push(Vec::new());
        }
        let buffer = &mut buffers[self.used];
        self.used += 1;
        buffer.clear();
        buffer.resize(MARKS, MARK);
        buffer.resize(MARKS + lanes, 0);
        buffer.resize(MARKS + lanes + MARKS, MARK);
        buffer[MARKS..].as_mut_ptr()
    }

    /// Returns the first column of this call that has a changed word before or behind its lanes.
    fn overrun(&self) -> Option<usize> {
        let is_whole = |words: &[u32]| words.iter().all(|word| *word == MARK);
        self.calls[0][..self.used].iter().position(|buffer| {
            let (before, rest) = buffer.split_at(MARKS);
            !is_whole(before) || !is_whole(&rest[rest.len() - MARKS..])
        })
    }
}

/// Writes an answer. The first 4 bytes of the answer are reserved for the length of the message.
struct AnswerWriter<'a> {
    memory: AnswerMemory,
    lanes: usize,
    used: usize,
    columns: u32,
    /// The encoded events, which are appended behind the columns.
    events: Vec<u8>,
    event_count: u32,
    failure: Option<String>,
    is_full: bool,
    buffers: &'a mut ColumnBuffers,
    /// The used buffers, each with the place in the memory to which it is copied.
    places: Vec<(*const u32, *mut u8)>,
}

impl<'a> AnswerWriter<'a> {
    fn new(memory: AnswerMemory, lanes: usize, buffers: &'a mut ColumnBuffers) -> AnswerWriter<'a> {
        buffers.begin();
        AnswerWriter {
            memory,
            lanes,
            used: binary::LENGTH,
            columns: 0,
            events: Vec::new(),
            event_count: 0,
            failure: None,
            is_full: false,
            buffers,
            places: Vec::new(),
        }
    }

    /// Reserves bytes and returns their address. Returns NULL if the memory is too small.
    fn reserve(&mut self, bytes: usize) -> *mut u8 {
        self.is_full |= bytes > self.memory.bytes - self.used;
        if self.is_full {
            return ptr::null_mut();
        }
        // SAFETY: these bytes lie inside of the memory.
        let place = unsafe { self.memory.start.add(self.used) };
        self.used += bytes;
        place
    }

    fn put_bytes(&mut self, bytes: &[u8]) {
        let place = self.reserve(bytes.len());
        if !place.is_null() {
            // SAFETY: as many bytes were reserved.
            unsafe { place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
    }

    fn put(&mut self, number: u32) {
        self.put_bytes(&number.to_le_bytes());
    }

    fn put64(&mut self, number: u64) {
        self.put_bytes(&number.to_le_bytes());
    }

    /// Writes numbers into bytes that were reserved before.
    fn fill_in(&mut self, at: usize, numbers: &[u32]) {
        let end = std::mem::replace(&mut self.used, at);
        numbers.iter().for_each(|number| self.put(*number));
        self.used = end;
    }

    /// Begins a column. Returns the buffer for its values.
    fn column(&mut self, location: abi::Location, written: Option<&[u8]>) -> *mut u32 {
        self.columns += 1;
        self.put(location.space);
        self.put(location.index);
        self.put(u32::from(written.is_some()));
        for lanes in written.unwrap_or_default().chunks(32) {
            let bits = lanes.iter().enumerate().map(|(lane, byte)| u32::from(*byte != 0) << lane);
            self.put(bits.sum());
        }
        let place = self.reserve(4 * self.lanes);
        if place.is_null() {
            return ptr::null_mut();
        }
        let values = self.buffers.next(self.lanes);
        self.places.push((values, place));
        values
    }

    /// Completes the answer. Returns its length in bytes.
    fn finish(mut self, head: usize, status: u32) -> Result<usize, String> {
        for (values, place) in &self.places {
            // SAFETY: both have room for the lanes, and neither lies in the other.
            unsafe { place.copy_from_nonoverlapping(values.cast(), 4 * self.lanes) };
        }
        if let Some(column) = self.buffers.overrun() {
            let lanes = self.lanes;
            self.failure.get_or_insert(format!(
                "it wrote before or behind the {lanes} lanes of column {column} (counted from 0)"
            ));
        }
        let status = if self.failure.is_some() { abi::ASSAY_FAILED } else { status };
        match status {
            abi::ASSAY_KNOWN => {
                let events = std::mem::take(&mut self.events);
                self.put_bytes(&events);
                self.fill_in(head, &[status, self.columns, self.event_count]);
            }
            _ => {
                self.used = head;
                [status, 0, 0].into_iter().for_each(|number| self.put(number));
                if status == abi::ASSAY_FAILED {
                    let reason =
                        self.failure.take().unwrap_or_else(|| "execute failed and gave no reason".into());
                    self.put(reason.len() as u32);
                    self.put_bytes(reason.as_bytes());
                }
            }
        }
        if self.is_full {
            return Err(format!("an answer has more than {} bytes", self.memory.bytes));
        }
        self.fill_in(0, &[(self.used - binary::LENGTH) as u32]);
        Ok(self.used)
    }
}

/// Returns the answer that a context points to.
///
/// # Safety
/// The context is that of the batch that is executing, and no other reference to its answer is in use.
unsafe fn answer<'a>(context: *mut c_void) -> &'a mut AnswerWriter<'a> {
    // SAFETY: the condition is the caller's.
    unsafe { &mut *context.cast() }
}

unsafe extern "C" fn write(context: *mut c_void, location: abi::Location, written: *const u8) -> *mut u32 {
    // SAFETY: the library hands back our context, in the thread that called it.
    let answer = unsafe { answer(context) };
    // SAFETY: the interface demands a byte for each lane.
    let written = (!written.is_null()).then(|| unsafe { std::slice::from_raw_parts(written, answer.lanes) });
    let values = answer.column(location, written);
    // A location that does not exist is written too: the host then refuses the answer.
    if location.place().is_none() { ptr::null_mut() } else { values }
}

unsafe extern "C" fn event(context: *mut c_void, lane: u32, event: *const c_char) {
    // SAFETY: the library hands back our context, in the thread that called it.
    let answer = unsafe { answer(context) };
    // SAFETY: the interface demands a text.
    let text = unsafe { read(event) }.unwrap_or_default();
    answer.event_count += 1;
    answer.events.extend(lane.to_le_bytes());
    answer.events.extend((text.len() as u32).to_le_bytes());
    answer.events.extend(text.as_bytes());
}

unsafe extern "C" fn fail(context: *mut c_void, reason: *const c_char) {
    // SAFETY: the library hands back our context, in the thread that called it.
    let answer = unsafe { answer(context) };
    // SAFETY: the interface demands a text.
    let reason = unsafe { read(reason) }.unwrap_or_else(|| "no reason given".to_owned());
    answer.failure.get_or_insert(reason);
}
