//! The messages of one handle in shared memory: requests that are sent together, and their answers
//! in the same order. Answers are copied out of shared memory, so that the next requests can be
//! sent before the answers are read.

use std::collections::VecDeque;
use std::num::NonZeroU64;
use std::ops::Range;

use assay_isa::effect::Failure;
use assay_isa::{Answer, Batch, Effects, Location};

use crate::error::DeviceError;
use crate::frame::binary::{self, LENGTH};
use crate::library::fault::FaultRecord;
use crate::memory::{self, BEGUN, FIRST, SharedMemory};
use crate::protocol::Framing;

/// The messages of a handle in shared memory. `sent` has the requests that were sent together.
pub(super) struct SharedMessages {
    memory: SharedMemory,
    sent: Vec<SentRequest>,
    /// The position of the next request in memory.
    requested: usize,
}

/// A request that was sent.
struct SentRequest {
    id: u64,
    seal: Option<NonZeroU64>,
    locations: Vec<Location>,
    lanes: usize,
    /// The range of the values of the request in memory.
    values: Range<usize>,
}

/// An answered request, with a copy of the answer.
pub(super) struct AnsweredRequest {
    request: SentRequest,
    answer: Result<Vec<u8>, DeviceError>,
}

impl AnsweredRequest {
    /// Returns the number of the request.
    pub(super) fn id(&self) -> u64 {
        self.request.id
    }

    /// Returns whether the request is for this batch. Compares the seals of the batches.
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

    /// Begins a new group of requests, which are sent together.
    pub(super) fn begin(&mut self) {
        self.sent.clear();
        self.requested = FIRST;
        self.memory.clear_record();
    }

    /// Adds a request. Returns `false` if the request does not fit into memory.
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

    /// Returns the number of requests in the group.
    pub(super) fn len(&self) -> usize {
        self.sent.len()
    }

    /// Moves each request with a copy of its answer to `into`, in order. If an answer has an
    /// impossible length, an error takes its place, and the later requests are dropped.
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

    /// Copies the answer that begins at `start`, and sets `start` to the next answer.
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

    /// Returns how many calls of the group the device had begun when it failed. All calls, if the
    /// device does not note it.
    pub(super) fn begun(&self) -> usize {
        let mut number = Vec::new();
        self.memory.copy_answers(BEGUN..BEGUN + 4, &mut number);
        let begun = number.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        if (1..=self.len()).contains(&begun) { begun } else { self.len() }
    }

    /// Returns the seals of the batches whose calls had begun when the device failed.
    pub(super) fn begun_seals(&self) -> Vec<Option<NonZeroU64>> {
        self.sent.iter().take(self.begun()).map(|sent| sent.seal).collect()
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

    /// Returns a more exact error for a crash, if the fault record shows that the call tried to
    /// write to a request.
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
