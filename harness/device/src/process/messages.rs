//! The messages of one handle in shared memory: requests that were sent together, and the answers to them in order. The
//! answers are copied out of it, so that the next requests can be sent before they are read.

use std::collections::VecDeque;
use std::num::NonZeroU64;
use std::ops::Range;

use assay_isa::effect::Failure;
use assay_isa::{Answer, Batch, Effects, Location};

use crate::error::DeviceError;
use crate::frame::binary::{self, LENGTH};
use crate::library::fault::FaultRecord;
use crate::memory::{self, FIRST, SharedMemory};
use crate::protocol::Framing;

/// The messages of a handle: requests that were sent together.
pub(super) struct SharedMessages {
    memory: SharedMemory,
    sent: Vec<SentRequest>,
    /// Where the next request begins.
    requested: usize,
}

/// A request that was sent.
struct SentRequest {
    id: u64,
    seal: Option<NonZeroU64>,
    locations: Vec<Location>,
    lanes: usize,
    /// The place of its values.
    values: Range<usize>,
}

/// A request that was answered, with the answer as it was in memory.
pub(super) struct AnsweredRequest {
    request: SentRequest,
    answer: Result<Vec<u8>, DeviceError>,
}

impl AnsweredRequest {
    /// Returns whether it is that of a batch: the seal tells.
    pub(super) fn is_of(&self, batch: &Batch) -> bool {
        self.request.seal.is_some_and(|seal| batch.sealed() == Some(seal))
    }

    /// Reads the answer.
    pub(super) fn read(self, effects: &mut Effects) -> Result<Answer, DeviceError> {
        let SentRequest { id, lanes, .. } = self.request;
        Framing::Shared.read_answer(&self.answer?, id, lanes, effects)
    }
}

impl SharedMessages {
    pub(super) fn new(memory: SharedMemory) -> SharedMessages {
        SharedMessages { memory, sent: Vec::new(), requested: FIRST }
    }

    /// Begins requests that are sent together.
    pub(super) fn begin(&mut self) {
        self.sent.clear();
        self.requested = FIRST;
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
        self.sent.push(SentRequest { id, seal: batch.sealed(), locations, lanes, values });
        self.requested = memory::next(place.end);
        true
    }

    /// Returns how many requests were sent.
    pub(super) fn len(&self) -> usize {
        self.sent.len()
    }

    /// Copies the answers out of memory, with the requests that they are to, in order. The last one is an error if it cannot
    /// be read; then those behind it are lost.
    pub(super) fn take_answers(&mut self, into: &mut VecDeque<AnsweredRequest>) {
        let mut start = FIRST;
        for request in std::mem::take(&mut self.sent) {
            let answer = self.copy_answer(&mut start, request.lanes);
            let is_lost = answer.is_err();
            into.push_back(AnsweredRequest { request, answer });
            if is_lost {
                return;
            }
        }
    }

    /// Copies the answer that begins at a place, and moves the place behind it.
    fn copy_answer(&self, start: &mut usize, lanes: usize) -> Result<Vec<u8>, DeviceError> {
        let mut message = Vec::new();
        self.memory.copy_answers(*start..(*start + LENGTH).min(memory::BYTES), &mut message);
        let length = message.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        let most = Framing::Shared.bound(lanes).min(memory::BYTES.saturating_sub(*start + LENGTH));
        if length > most {
            return Err(DeviceError::unreadable(format!(
                "an answer of {length} bytes where {most} are the most"
            )));
        }
        let place = *start + LENGTH..*start + LENGTH + length;
        *start = memory::next(place.end);
        message.clear();
        self.memory.copy_answers(place, &mut message);
        Ok(message)
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
        let sent = self.sent.iter().find(|sent| sent.values.contains(&byte));
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
