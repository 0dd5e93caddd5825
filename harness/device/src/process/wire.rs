//! The two streams between the host and a device; we never wait for one of them alone.
//!
//! Our ends do not block, and one poll watches both, with the standard error of the process: a device that does not
//! read, does not write or floods a stream can delay us only until the deadline. No thread is needed, so none is left behind.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use assay_isa::effect::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::served::{ServedProcess, unblock};
use crate::error::DeviceError;

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;
/// How often a quiet process is looked after.
const LOOK: Duration = Duration::from_millis(100);

/// Where the first message of a buffer lies, and where the next begins; none while it is not whole.
type Message = Option<(Range<usize>, usize)>;

/// The streams of one handle.
pub(super) struct Wire {
    /// What the device calls the stream that it reads, and the one that it writes.
    names: [&'static str; 2],
    to: Option<File>,
    from: File,
    /// Bytes to send, of which `sent` are sent.
    output: Vec<u8>,
    sent: usize,
    /// Bytes received, of which `received` are used.
    input: Vec<u8>,
    received: usize,
}

impl Wire {
    /// Takes both streams, which from now on do not block.
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

    /// Sends what the stream takes of the prepared bytes. A stream that is closed shows when a message is received.
    pub(super) fn send(&mut self) {
        let _ = self.pump_out();
    }

    /// Sends the prepared bytes and receives until a message is whole, reads it, and checks that no bytes follow.
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

    /// Ends the input of the device.
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
                // Its output before it closed its input is more informative.
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
            // Its child processes can hold its output open after its end. Another read takes in its last output.
            if is_quiet && has_ended {
                return Err(DeviceError::new(
                    Failure::Crashed,
                    "it ended, and its child processes hold its output open",
                ));
            }
            has_ended = is_quiet && process.end(Duration::ZERO).is_some();
        }
    }

    /// Sends what the stream takes.
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

    /// Receives a chunk, if there is one.
    fn pump_in(&mut self) -> Result<bool, DeviceError> {
        if self.input.len() < self.received + CHUNK {
            self.input.resize(self.received + CHUNK, 0);
        }
        let name = self.names[1];
        match self.from.read(&mut self.input[self.received..]) {
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(false),
            // A socket whose other end is gone with unread bytes is reset.
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

    /// Waits until a stream is ready; true if none was.
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
