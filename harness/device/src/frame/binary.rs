//! Messages in binary. Before each message stands its length in bytes (32 bits). Numbers are
//! little-endian, and have 32 bits unless the table gives another width.
//!
//! | request | answer |
//! |---|---|
//! | id (64 bits) | id (64 bits) |
//! | word, bits 0 to 63 (64 bits) | status: 0 known, 1 unsupported, 2 failed |
//! | word, bits 64 to 127 (64 bits) | number of columns |
//! | number of lanes | number of events |
//! | number of columns | each column: space, index, mask flag (0 or 1), mask, values of all lanes |
//! | each column: space, index | each event: lane, text |
//! | the values of each column, one a lane | if failed, instead of both: text (the reason) |
//! | text of the instruction | |
//!
//! A location is a space and an index as in [`Location::number`]. The mask is present only if its
//! flag is 1. Without a mask every lane wrote. A mask has a bit for each lane: 1 if the lane wrote
//! the location. Lane 0 is the lowest bit of the first 32-bit word, and unused bits are 0. A text
//! is a byte count (32 bits), followed by the bytes in UTF-8.

use std::ops::Range;

use assay_isa::effect::{Failure, Lanes};
use assay_isa::{Answer, Batch, Effects, Location};

use super::{ReceivedRequest, Reply, report, reports, written};
use crate::error::{DeviceError, excerpt};

/// Number of bytes of the length before a message.
pub(crate) const LENGTH: usize = 4;
const KNOWN: u32 = 0;
const UNSUPPORTED: u32 = 1;
const FAILED: u32 = 2;

pub(crate) fn message(buffer: &[u8], bound: usize) -> Result<Option<(Range<usize>, usize)>, DeviceError> {
    let Some(length) = buffer.first_chunk::<LENGTH>() else { return Ok(None) };
    let end = LENGTH.saturating_add(u32::from_le_bytes(*length) as usize);
    if end > bound {
        return Err(DeviceError::unreadable(format!("a message of {end} bytes where {bound} are the most")));
    }
    Ok((buffer.len() >= end).then_some((LENGTH..end, end)))
}

pub(super) fn write_request(id: u64, text: &str, batch: &Batch, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + request_bytes(text, batch), 0);
    fill_request(id, text, batch, &mut out[start..]);
}

/// Returns the number of bytes of a request, including the length before it.
pub(crate) fn request_bytes(text: &str, batch: &Batch) -> usize {
    LENGTH + values_at(batch.locations().len(), batch.len()).end + 4 + text.len()
}

/// Writes a request into `out`, which has exactly [`request_bytes`] bytes.
pub(crate) fn fill_request(id: u64, text: &str, batch: &Batch, out: &mut [u8]) {
    let values = values_at(batch.locations().len(), batch.len());
    let (before, rest) = out.split_at_mut(LENGTH + values.start);
    let (within, behind) = rest.split_at_mut(values.len());
    let length = (before.len() + within.len() + behind.len() - LENGTH) as u32;
    let (low, high) = (batch.word() as u64, (batch.word() >> 64) as u64);
    let halves = [id, low, high].into_iter().flat_map(|number| [number as u32, (number >> 32) as u32]);
    let counts = [batch.len() as u32, batch.locations().len() as u32];
    let locations = batch.locations().iter().flat_map(|location| <[u32; 2]>::from(location.number()));
    let head = [length].into_iter().chain(halves).chain(counts).chain(locations);
    before.as_chunks_mut::<4>().0.iter_mut().zip(head).for_each(|(to, number)| *to = number.to_le_bytes());
    let values = batch.values().iter();
    within.as_chunks_mut::<4>().0.iter_mut().zip(values).for_each(|(to, value)| *to = value.to_le_bytes());
    behind[..4].copy_from_slice(&(text.len() as u32).to_le_bytes());
    behind[4..].copy_from_slice(text.as_bytes());
}

/// The parts of a request, which borrow from its message.
pub(crate) struct RequestParts<'a> {
    pub(crate) id: u64,
    pub(crate) word: u128,
    pub(crate) lanes: usize,
    pub(crate) columns: usize,
    /// The location of each column: two numbers of 32 bits.
    pub(crate) locations: &'a [u8],
    /// The values, column after column: one 32-bit number for each lane.
    pub(crate) values: &'a [u8],
    pub(crate) text: &'a str,
}

impl<'a> RequestParts<'a> {
    pub(crate) fn read(message: &'a [u8]) -> Result<RequestParts<'a>, DeviceError> {
        let mut reader = Reader { rest: message };
        let id = reader.take64()?;
        let word = u128::from(reader.take64()?) | u128::from(reader.take64()?) << 64;
        let (lanes, columns) = (reader.take()? as usize, reader.take()? as usize);
        let locations = reader.bytes(columns.saturating_mul(8))?;
        let values = reader.bytes(lanes.saturating_mul(columns).saturating_mul(4))?;
        let text = reader.text()?;
        reader.end()?;
        Ok(RequestParts { id, word, lanes, columns, locations, values, text })
    }
}

/// Returns the range of the values in the message of a request. The length before the message is
/// not counted.
pub(crate) fn values_at(columns: usize, lanes: usize) -> Range<usize> {
    let start = 32 + 8 * columns;
    start..start + 4 * columns * lanes
}

pub(super) fn read_request(message: &[u8]) -> Result<ReceivedRequest, DeviceError> {
    // The text of the instruction is not read: it is for people, and the word has all of its
    // information.
    let RequestParts { id, word, lanes, columns, locations, values, .. } = RequestParts::read(message)?;
    let mut reader = Reader { rest: locations };
    let locations = (0..columns).map(|_| reader.location()).collect::<Result<Vec<_>, _>>()?;
    let mut batch = Batch::new(word, &locations, lanes);
    for (place, column) in values.chunks_exact(4 * lanes.max(1)).enumerate() {
        get_all(batch.column_mut(place), column);
    }
    Ok(ReceivedRequest { id, batch })
}

pub(super) fn write_answer(id: u64, reply: &Reply<'_>, out: &mut Vec<u8>) {
    framed(out, |out| {
        put64(out, id);
        match reply {
            Reply::Known(effects) => write_effects(effects, out),
            Reply::Unsupported => [UNSUPPORTED, 0, 0].into_iter().for_each(|number| put(out, number)),
            Reply::Failed(problem) => {
                [FAILED, 0, 0].into_iter().for_each(|number| put(out, number));
                put_text(out, problem);
            }
        }
    });
}

fn write_effects(effects: &Effects, out: &mut Vec<u8>) {
    put(out, KNOWN);
    // Fast path for the most frequent case: one column that every lane wrote.
    match effects.columns() {
        [column] if column.written == Lanes::All => {
            put(out, 1);
            put(out, reports(effects).count() as u32);
            put_location(out, column.location);
            put(out, 0);
            put_all(out, &column.values);
        }
        _ => {
            let columns = written(effects);
            put(out, columns.len() as u32);
            put(out, reports(effects).count() as u32);
            for (location, values) in columns {
                put_location(out, location);
                put(out, 1);
                let mask = |lanes: &[Option<u32>]| {
                    lanes
                        .iter()
                        .enumerate()
                        .fold(0, |mask, (i, value)| mask | u32::from(value.is_some()) << i)
                };
                values.chunks(32).for_each(|lanes| put(out, mask(lanes)));
                values.iter().for_each(|value| put(out, value.unwrap_or_default()));
            }
        }
    }
    for (lane, event) in reports(effects) {
        put(out, lane as u32);
        put_text(out, &event);
    }
}

pub(super) fn read_answer(
    message: &[u8],
    id: u64,
    lanes: usize,
    effects: &mut Effects,
) -> Result<Answer, DeviceError> {
    let mut reader = Reader { rest: message };
    let answered = reader.take64()?;
    if answered != id {
        return Err(DeviceError::unfit(format!("answered request {answered} in place of {id}")));
    }
    effects.reset(lanes);
    let (status, columns, events) = (reader.take()?, reader.take()?, reader.take()?);
    match status {
        KNOWN => {}
        UNSUPPORTED => return reader.end().map(|()| Answer::Unsupported),
        FAILED => return Err(DeviceError::new(Failure::Reported, excerpt(reader.text()?))),
        other => return Err(DeviceError::unfit(format!("{other} is no status; 0, 1 and 2 are"))),
    }
    for _ in 0..columns {
        let location = reader.location()?;
        if effects.columns().iter().any(|column| column.location == location) {
            return Err(DeviceError::unfit(format!("{location} is there twice")));
        }
        let written = match reader.take()? {
            0 => Lanes::All,
            1 => reader.mask(lanes)?,
            other => {
                return Err(DeviceError::unfit(format!("{other} where a column has a mask (1) or not (0)")));
            }
        };
        let values = reader.bytes(4 * lanes)?;
        get_all(effects.write(location, written), values);
    }
    for _ in 0..events {
        let lane = reader.take()? as usize;
        report(reader.text()?, lane, effects).map_err(DeviceError::unfit)?;
    }
    reader.end().map(|()| Answer::Known)
}

/// Appends a message, preceded by its length.
fn framed(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    put(out, 0);
    write(out);
    let length = (out.len() - start - LENGTH) as u32;
    out[start..start + LENGTH].copy_from_slice(&length.to_le_bytes());
}

fn put(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put64(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_all(out: &mut Vec<u8>, values: &[u32]) {
    let start = out.len();
    out.resize(start + 4 * values.len(), 0);
    let bytes = out[start..].chunks_exact_mut(4);
    bytes.zip(values).for_each(|(bytes, value)| bytes.copy_from_slice(&value.to_le_bytes()));
}

fn get_all(values: &mut [u32], bytes: &[u8]) {
    for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *value = u32::from_le_bytes(*bytes);
    }
}

fn put_location(out: &mut Vec<u8>, location: Location) {
    let (space, index) = location.number();
    put(out, space);
    put(out, index);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

/// Reads a message. `rest` is the unread part.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], DeviceError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or_else(|| {
            DeviceError::unreadable(format!("a message ends {} bytes early", count - self.rest.len()))
        })?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DeviceError> {
        let bytes = self.bytes(N)?;
        Ok(*bytes.first_chunk().expect("as many bytes as were asked for"))
    }

    fn take(&mut self) -> Result<u32, DeviceError> {
        self.array().map(u32::from_le_bytes)
    }

    fn take64(&mut self) -> Result<u64, DeviceError> {
        self.array().map(u64::from_le_bytes)
    }

    fn location(&mut self) -> Result<Location, DeviceError> {
        let (space, index) = (self.take()?, self.take()?);
        Location::from_number(space, index)
            .ok_or_else(|| DeviceError::unfit(format!("no location is number {index} of space {space}")))
    }

    fn mask(&mut self, lanes: usize) -> Result<Lanes, DeviceError> {
        let bytes = self.bytes(4 * lanes.div_ceil(32))?;
        // The mask consists of little-endian 32-bit words, so byte n has the bits of the eight
        // lanes from lane 8n.
        Ok(Lanes::Some((0..lanes).map(|lane| bytes[lane / 8] >> (lane % 8) & 1 == 1).collect()))
    }

    fn text(&mut self) -> Result<&'a str, DeviceError> {
        let length = self.take()? as usize;
        let bytes = self.bytes(length)?;
        std::str::from_utf8(bytes).map_err(|e| DeviceError::unreadable(e.to_string()))
    }

    fn end(&self) -> Result<(), DeviceError> {
        match self.rest.len() {
            0 => Ok(()),
            more => Err(DeviceError::unreadable(format!("{more} bytes behind the end of a message"))),
        }
    }
}
