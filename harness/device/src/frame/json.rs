//! Messages as JSON, one message a line.

use std::borrow::Cow;
use std::ops::Range;

use assay_isa::effect::Failure;
use assay_isa::{Answer, Batch, Effects};

use super::{ReceivedRequest, Reply, report, reports, write_column, written};
use crate::error::{DeviceError, excerpt};
use crate::protocol::{self, Columns, LaneEvents, Request};

/// Appends a value as a line.
pub fn write_line(value: &impl serde::Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, value).expect("messages have text for keys and a Vec takes everything");
    out.push(b'\n');
}

/// Returns the range of the first line without its end, and the position of the next line. `None`
/// if the line is not complete.
pub(super) fn message(buffer: &[u8], bound: usize) -> Result<Option<(Range<usize>, usize)>, DeviceError> {
    let end = memchr::memchr(b'\n', &buffer[..buffer.len().min(bound)]);
    match end {
        Some(end) => Ok(Some((0..end, end + 1))),
        None if buffer.len() >= bound => {
            Err(DeviceError::unreadable(format!("a line without an end within {bound} bytes")))
        }
        None => Ok(None),
    }
}

pub(super) fn write_request(id: u64, text: &str, batch: &Batch, out: &mut Vec<u8>) {
    let column = |location| (location, Cow::Borrowed(batch.column(location).unwrap_or_default()));
    let request = Request {
        id,
        word: format!("{:#034x}", batch.word()),
        asm: text.into(),
        lanes: batch.len() as u32,
        inputs: Columns(batch.locations().iter().copied().map(column).collect()),
    };
    write_line(&request, out);
}

pub(super) fn read_answer(
    line: &[u8],
    id: u64,
    lanes: usize,
    effects: &mut Effects,
) -> Result<Answer, DeviceError> {
    let answer: protocol::Answer = serde_json::from_slice(line)
        .map_err(|e| DeviceError::unreadable(format!("{e}; {}", beginning(line))))?;
    if answer.id != id {
        return Err(DeviceError::unfit(format!("answered request {} in place of {id}", answer.id)));
    }
    if let Some(problem) = answer.error {
        return Err(DeviceError::new(Failure::Reported, excerpt(&problem)));
    }
    effects.reset(lanes);
    if answer.unsupported {
        return Ok(Answer::Unsupported);
    }
    for (location, column) in &answer.writes.0 {
        if column.len() != lanes {
            let count = column.len();
            return Err(DeviceError::unfit(format!("{count} values of {location} for {lanes} lanes")));
        }
        if column.iter().any(Option::is_some) {
            write_column(*location, column, effects);
        }
    }
    for LaneEvents { lane, event } in &answer.events {
        report(event, *lane as usize, effects).map_err(DeviceError::unfit)?;
    }
    Ok(Answer::Known)
}

pub(super) fn read_request(line: &[u8]) -> Result<ReceivedRequest, DeviceError> {
    let unreadable = |e: &dyn std::fmt::Display| DeviceError::unreadable(format!("{e}; {}", beginning(line)));
    let request: Request<'_> = serde_json::from_slice(line).map_err(|e| unreadable(&e))?;
    let digits = request.word.strip_prefix("0x").ok_or_else(|| unreadable(&"a word begins with 0x"))?;
    let word = u128::from_str_radix(digits, 16).map_err(|e| unreadable(&e))?;
    let lanes = request.lanes as usize;
    if let Some((location, column)) = request.inputs.0.iter().find(|(_, column)| column.len() != lanes) {
        return Err(DeviceError::unfit(format!("{} values of {location} for {lanes} lanes", column.len())));
    }
    let locations: Vec<_> = request.inputs.0.iter().map(|(location, _)| *location).collect();
    let mut batch = Batch::new(word, &locations, lanes);
    for (index, (_, column)) in request.inputs.0.iter().enumerate() {
        batch.column_mut(index).copy_from_slice(column);
    }
    Ok(ReceivedRequest { id: request.id, batch })
}

pub(super) fn write_answer(id: u64, reply: &Reply<'_>, out: &mut Vec<u8>) {
    let mut answer = protocol::Answer { id, ..protocol::Answer::default() };
    match reply {
        Reply::Known(effects) => {
            answer.writes = Columns(written(effects));
            let events = reports(effects).map(|(lane, event)| LaneEvents { lane: lane as u32, event });
            answer.events = events.collect();
        }
        Reply::Unsupported => answer.unsupported = true,
        Reply::Failed(problem) => answer.error = Some((*problem).to_owned()),
    }
    write_line(&answer, out);
}

/// Returns a phrase with the beginning of a line, for an error message.
fn beginning(line: &[u8]) -> String {
    const SHOWN: usize = 60;
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]).escape_debug().to_string();
    format!("it began with `{text}`")
}
