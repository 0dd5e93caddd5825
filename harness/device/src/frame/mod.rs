//! Writes and reads requests and answers, as lines of JSON ([`json`]) or in binary ([`binary`]).
//! Binary messages go through a pipe or through shared memory ([`crate::memory`]).
//!
//! The host writes requests and reads answers. The device reads requests and writes answers. The
//! code of both sides is here. So tests can compare the two, and `assay dut serve` uses the code
//! too.

pub mod binary;
pub mod json;

use std::ops::Range;

use assay_isa::effect::Lanes;
use assay_isa::{Answer, Batch, Effects, Erratum, Event, Location};

use crate::error::{DeviceError, SHOWN, excerpt};
use crate::protocol::Framing;

/// The answer of a device to a batch, as it is sent.
pub enum Reply<'a> {
    /// The device executed the batch, with these effects.
    Known(&'a Effects),
    /// The device does not implement the instruction.
    Unsupported,
    /// The device could not execute the batch, for this reason.
    Failed(&'a str),
}

/// A request as a device reads it.
pub struct ReceivedRequest {
    /// Number of the request.
    pub id: u64,
    /// The batch.
    pub batch: Batch,
}

impl Framing {
    /// Appends a request.
    pub fn write_request(self, id: u64, text: &str, batch: &Batch, out: &mut Vec<u8>) {
        match self {
            Framing::Json => json::write_request(id, text, batch, out),
            Framing::Binary | Framing::Shared => binary::write_request(id, text, batch, out),
        }
    }

    /// Returns the range of the first message in a buffer, and the position of the next message.
    /// The range does not include the length that precedes a binary message. `None` if the message
    /// is not complete yet. `bound` is the maximum size of the message in bytes.
    pub fn message(self, buffer: &[u8], bound: usize) -> Result<Option<(Range<usize>, usize)>, DeviceError> {
        match self {
            Framing::Json => json::message(buffer, bound),
            Framing::Binary | Framing::Shared => binary::message(buffer, bound),
        }
    }

    /// Reads the answer to a request into `effects`.
    pub fn read_answer(
        self,
        message: &[u8],
        id: u64,
        lanes: usize,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError> {
        match self {
            Framing::Json => json::read_answer(message, id, lanes, effects),
            Framing::Binary | Framing::Shared => binary::read_answer(message, id, lanes, effects),
        }
    }

    /// Reads a request.
    pub fn read_request(self, message: &[u8]) -> Result<ReceivedRequest, DeviceError> {
        match self {
            Framing::Json => json::read_request(message),
            Framing::Binary | Framing::Shared => binary::read_request(message),
        }
    }

    /// Appends an answer.
    pub fn write_answer(self, id: u64, reply: &Reply<'_>, out: &mut Vec<u8>) {
        match self {
            Framing::Json => json::write_answer(id, reply, out),
            Framing::Binary | Framing::Shared => binary::write_answer(id, reply, out),
        }
    }

    /// Returns the maximum size in bytes of an answer with `lanes` lanes. This size allows 40
    /// columns, more than any instruction writes, and 128 more bytes for each lane.
    pub fn bound(self, lanes: usize) -> usize {
        (1 << 16) + lanes * (40 * 12 + 128)
    }
}

/// Parses the text of an effect that is not a write, and records it in `effects` for the lane.
pub(crate) fn report(text: &str, lane: usize, effects: &mut Effects) -> Result<(), String> {
    if lane >= effects.len() {
        return Err(format!("an event in lane {lane} of {}", effects.len()));
    }
    if text.len() > SHOWN {
        return Err(format!("`{}` is no event that a device can report", excerpt(text)));
    }
    match text.strip_prefix("undefined: ") {
        Some(name) => {
            effects.undefine(lane, name.parse::<Erratum>().map_err(|e| e.to_string())?);
            Ok(())
        }
        None => match text.parse::<Event>().map_err(|e| e.to_string())? {
            Event::Failed(_) => Err(format!("`{text}` is no event that a device can report")),
            event => {
                effects.event(lane, event);
                Ok(())
            }
        },
    }
}

/// Returns the effects that are not writes, each as its lane and its text.
pub(crate) fn reports(effects: &Effects) -> impl Iterator<Item = (usize, String)> + '_ {
    let events = effects.events().iter().map(|(lane, event)| (*lane, event.to_string()));
    events.chain(effects.undefined().iter().map(|(lane, erratum)| (*lane, format!("undefined: {erratum}"))))
}

/// Returns each written location once, with the value of each lane that wrote the location. If
/// several columns have the same location, the last value of a lane counts.
pub(crate) fn written(effects: &Effects) -> Vec<(Location, Vec<Option<u32>>)> {
    let mut columns: Vec<(Location, Vec<Option<u32>>)> = Vec::new();
    for writes in effects.columns() {
        let place = columns.iter().position(|(location, _)| *location == writes.location);
        let place = place.unwrap_or_else(|| {
            columns.push((writes.location, vec![None; effects.len()]));
            columns.len() - 1
        });
        for (lane, value) in columns[place].1.iter_mut().enumerate() {
            if writes.written.contains(lane) {
                *value = Some(writes.values[lane]);
            }
        }
    }
    columns
}

/// Adds a column of values. A lane without a value did not write.
pub(crate) fn write_column(location: Location, column: &[Option<u32>], effects: &mut Effects) {
    let lanes = Lanes::from(column.iter().map(Option::is_some).collect::<Vec<_>>());
    let values = effects.write(location, lanes);
    values.iter_mut().zip(column).for_each(|(to, from)| *to = from.unwrap_or_default());
}
