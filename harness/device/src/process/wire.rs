//! The two streams between the host and a device. The host never waits for only one of the two.
//!
//! The host's ends are non-blocking, and a single poll watches both and the standard error of the
//! process. So a device that does not read, does not write or floods a stream can delay the host
//! only until the deadline. No extra thread is needed that could outlive the device.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use assay_isa::effect::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::served::{ServedProcess, unblock};
use crate::error::DeviceError;

/// Number of bytes that are read at once.
const CHUNK: usize = 1 << 16;
/// Time between two checks whether a silent process has ended.
const LOOK: Duration = Duration::from_millis(100);

/// The range of the first message in a buffer, and the position of the next. `None` if the message
/// is not complete.
type Message = Option<(Range<usize>, usize)>;

/// The streams of one handle.
pub(super) struct Wire {
    /// The names of the streams in messages: first the stream that the device reads, then the
    /// stream that it writes.
    names: [&'static str; 2],
    to: Option<File>,
    from: File,
    /// The bytes to send. The first `sent` bytes are sent.
    output: Vec<u8>,
    sent: usize,
    /// The input buffer. Its first `received` bytes hold received data.
    input: Vec<u8>,
    received: usize,
}

impl Wire {
    /// Takes both streams and makes them non-blocking.
    pub(super) fn new(
        names: [&'static str; 2],
        to: impl Into<OwnedFd>,
        from: impl Into<OwnedFd>,
    ) -> rustix::io::Result<Wire> {
        let (to, from) = (File::from(to.into()), File::from(from.into()));
        unblock(to.as_fd())?;
        unblock(from.as_fd())?;
        let (output, input) = (Vec::new(), Vec::new());
        Ok(Wire { names, to: Some(to), from, output, sent: 0, input, received: 0 })
    }

    /// Prepares the bytes to send.
    pub(super) fn prepare(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.output.clear();
        self.sent = 0;
        write(&mut self.output);
    }

    /// Sends as many of the prepared bytes as the stream accepts. If the stream is closed, the next
    /// call that receives a message reports it.
    pub(super) fn send(&mut self) {
        let _ = self.pump_out();
    }

    /// Sends the prepared bytes, receives a complete message, reads it, and checks that no bytes
    /// follow it.
    pub(super) fn receive<T>(
        &mut self,
        process: &ServedProcess,
        until: Instant,
        message: impl Fn(&[u8]) -> Result<Message, DeviceError>,
        read: impl FnOnce(&[u8]) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let outcome = self.wait(process, until, message).and_then(|(message, end)| {
            let value = read(&self.input[message])?;
            match self.received - end {
                0 => Ok(value),
                more => Err(DeviceError::unfit(format!("{more} extra bytes after its answer"))),
            }
        });
        self.received = 0;
        outcome
    }

    /// Closes the stream that the device reads.
    pub(super) fn close(&mut self) {
        self.to = None;
    }

    fn wait(
        &mut self,
        process: &ServedProcess,
        until: Instant,
        message: impl Fn(&[u8]) -> Result<Message, DeviceError>,
    ) -> Result<(Range<usize>, usize), DeviceError> {
        let began = Instant::now();
        let mut has_ended = false;
        loop {
            process.drain_stderr();
            if self.pump_in()? {
                if let Some(found) = message(&self.input[..self.received])? {
                    return Ok(found);
                }
                if Instant::now() < until {
                    continue;
                }
            }
            if let Err(closed) = self.pump_out() {
                // Output that the device wrote before it closed its input is more informative than
                // this error, so it is read first.
                while self.pump_in()? {
                    if let Some(found) = message(&self.input[..self.received])? {
                        return Ok(found);
                    }
                }
                return Err(closed);
            }
            let now = Instant::now();
            if now >= until {
                let (got, seconds) = (self.received, (now - began).as_secs_f64());
                let words = format!("no whole answer within {seconds:.1} s, only {got} bytes");
                return Err(DeviceError::new(Failure::Hung, words));
            }
            let is_quiet = self.watch(process, (until - now).min(LOOK))?;
            // Child processes of the device can hold its output open after its end. Before the
            // error is returned, another read receives the last output.
            if is_quiet && has_ended {
                return Err(DeviceError::new(
                    Failure::Crashed,
                    "it ended, and its child processes hold its output open",
                ));
            }
            has_ended = is_quiet && process.end(Duration::ZERO).is_some();
        }
    }

    /// Sends as many bytes as the stream accepts.
    fn pump_out(&mut self) -> Result<(), DeviceError> {
        let closed = || DeviceError::new(Failure::Crashed, format!("it closed its {}", self.names[0]));
        while self.sent < self.output.len() {
            let to = self.to.as_mut().ok_or_else(closed)?;
            match to.write(&self.output[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(closed()),
            }
        }
        Ok(())
    }

    /// Receives a chunk. Returns `false` if there is none.
    fn pump_in(&mut self) -> Result<bool, DeviceError> {
        if self.input.len() < self.received + CHUNK {
            self.input.resize(self.received + CHUNK, 0);
        }
        let name = self.names[1];
        match self.from.read(&mut self.input[self.received..]) {
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(false),
            // A socket is reset if its other end is closed with unread bytes.
            Ok(0) | Err(_) => {
                let words = match self.received {
                    0 => format!("it closed its {name}"),
                    some => format!("it closed its {name} {some} bytes into its answer"),
                };
                Err(DeviceError::new(Failure::Crashed, words))
            }
            Ok(count) => {
                self.received += count;
                Ok(true)
            }
        }
    }

    /// Waits until a stream is ready. Returns whether the wait timed out, so that no stream was
    /// ready.
    fn watch(&mut self, process: &ServedProcess, time: Duration) -> Result<bool, DeviceError> {
        let mut pipes = vec![PollFd::new(&self.from, PollFlags::IN)];
        if let Some(stderr) = process.stderr() {
            pipes.push(PollFd::from_borrowed_fd(stderr, PollFlags::IN));
        }
        if let Some(to) = self.to.as_ref().filter(|_| self.sent < self.output.len()) {
            pipes.push(PollFd::new(to, PollFlags::OUT));
        }
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
        match poll(&mut pipes, Some(&time)) {
            Ok(ready) => Ok(ready == 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(e) => Err(DeviceError::new(Failure::Crashed, format!("its pipes cannot be watched: {e}"))),
        }
    }
}
