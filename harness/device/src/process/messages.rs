//! The messages of one handle in shared memory: requests that were sent together, and the answers to them in order.

use std::collections::VecDeque;
use std::ops::Range;

use assay_isa::effect::Failure;
use assay_isa::{Answer, Batch, Effects, Location};

use crate::error::DeviceError;
use crate::frame::binary::{self, LENGTH};
use crate::library::fault::FaultRecord;
use crate::memory::{self, FIRST, SharedMemory};
use crate::protocol::Framing;

/// The messages of a handle.
pub(super) struct SharedMessages {
    memory: SharedMemory,
    /// Requests whose answers were not read.
    open: VecDeque<SentRequest>,
    /// Where the next request begins.
    requested: usize,
    /// Where the next answer begins.
    answered: usize,
    /// A message on its way between the memory and its types.
    message: Vec<u8>,
}

/// A request in shared memory.
struct SentRequest {
    id: u64,
    word: u128,
    locations: Vec<Location>,
    lanes: usize,
    /// The place of its values.
    values: Range<usize>,
}

impl SharedMessages {
    pub(super) fn new(memory: SharedMemory) -> SharedMessages {
        let open = VecDeque::new();
        SharedMessages { memory, open, requested: FIRST, answered: FIRST, message: Vec::new() }
    }

    /// Begins requests that are sent together.
    pub(super) fn begin(&mut self) {
        self.open.clear();
        (self.requested, self.answered) = (FIRST, FIRST);
        self.memory.clear_record();
    }

    /// Adds a request. Returns `false` if it does not fit any more.
    pub(super) fn push(&mut self, id: u64, text: &str, batch: &Batch) -> bool {
        let place = self.requested..self.requested + binary::request_bytes(text, batch);
        if place.end > memory::BYTES {
            return false;
        }
        let request = self.memory.requests_mut(place.clone());
        binary::fill_request(id, text, batch, request);
        let (locations, lanes) = (batch.locations().to_vec(), batch.len());
        let values = binary::values_at(locations.len(), lanes);
        let start = place.start + LENGTH;
        let values = start + values.start..start + values.end;
        self.open.push_back(SentRequest { id, word: batch.word(), locations, lanes, values });
        self.requested = memory::next(place.end);
        true
    }

    /// Returns how many requests have an answer that was not read.
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Returns whether the next answer is that to a batch.
    pub(super) fn is_next(&self, batch: &Batch) -> bool {
        self.open.front().is_some_and(|sent| {
            let is_alike = sent.word == batch.word() && sent.lanes == batch.len();
            is_alike && sent.locations == batch.locations() && {
                let words = self.memory.requests(sent.values.clone()).as_chunks::<4>().0;
                // Without an early end the comparison takes several values at a time.
                let pairs = words.iter().zip(batch.values());
                pairs.fold(0, |differs, (word, value)| differs | u32::from_le_bytes(*word) ^ value) == 0
            }
        })
    }

    /// Copies the next answer and reads it.
    pub(super) fn read(&mut self, effects: &mut Effects) -> Result<Answer, DeviceError> {
        let SentRequest { id, lanes, .. } = self.open.pop_front().expect("a request is open");
        let start = self.answered;
        self.message.clear();
        self.memory.copy_answers(start..(start + LENGTH).min(memory::BYTES), &mut self.message);
        let length = self.message.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        let most = Framing::Shared.bound(lanes).min(memory::BYTES.saturating_sub(start + LENGTH));
        if length > most {
            return Err(DeviceError::unreadable(format!(
                "an answer of {length} bytes where {most} are the most"
            )));
        }
        let place = start + LENGTH..start + LENGTH + length;
        self.answered = memory::next(place.end);
        self.message.clear();
        self.memory.copy_answers(place, &mut self.message);
        Framing::Shared.read_answer(&self.message, id, lanes, effects)
    }

    fn record(&self) -> Option<FaultRecord> {
        let mut record = Vec::new();
        self.memory.copy_answers(0..FIRST, &mut record);
        FaultRecord::read(&record)
    }

    /// Returns whether a call of this handle recorded a fault.
    pub(super) fn has_record(&self) -> bool {
        self.record().is_some()
    }

    /// Returns what a crash is if the record tells of a write to a request.
    pub(super) fn fault(&self, trouble: &DeviceError) -> Option<DeviceError> {
        let byte = self.record()?.request_byte?;
        let sent = self.open.iter().find(|sent| sent.values.contains(&byte));
        let words = match sent {
            Some(SentRequest { id, locations, lanes, values, .. }) => {
                let value = (byte - values.start) / 4;
                let (location, lane) = (locations[value / lanes], value % lanes);
                format!("call {id} wrote to the input {location} of lane {lane}")
            }
            None => "a call wrote to its request beside the inputs".into(),
        };
        Some(DeviceError { words, failure: Failure::WroteInputs, ..trouble.clone() })
    }
}
