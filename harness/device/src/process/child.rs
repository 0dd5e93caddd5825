//! A child process with its three pipes; we never wait for one of them alone.
//!
//! Our ends do not block, and one poll watches all three: a child that does not read, does not write or floods its
//! standard error can delay us only until the deadline. No thread is needed, so none is left behind.

use std::io::{ErrorKind, Read, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use assay_isa::effect::Failure;
use assay_process::GroupLeader;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;

use crate::error::DeviceError;

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;
/// Bytes of the standard error that are kept.
const TAIL: usize = 4096;
/// Requested capacity of a pipe in bytes, so that a batch is sent in one write.
const PIPE: usize = 1 << 20;
/// How often a quiet child is looked after.
const LOOK: Duration = Duration::from_millis(100);
/// Time for a child to end by itself once its standard input has.
const GRACE: Duration = Duration::from_millis(500);

/// A child process, ended and reaped when dropped, with everything in its process group.
pub(super) struct Child {
    leader: GroupLeader,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    /// Bytes to send, of which `sent` are sent.
    output: Vec<u8>,
    sent: usize,
    /// Bytes received, of which `received` are used.
    input: Vec<u8>,
    received: usize,
    tail: Vec<u8>,
    /// Whether it failed: then it is not waited for.
    is_broken: bool,
}

impl Child {
    pub(super) fn start(command: &[String]) -> Result<Child, DeviceError> {
        let (program, arguments) = command.split_first().expect("a command has a program");
        let failed = |e: &std::io::Error| DeviceError::of_system(program, e);
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut leader = GroupLeader::start(&mut command).map_err(|e| failed(&e))?;
        let pipes = leader.pipes();
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three are piped") };
        let child = Child {
            leader,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            output: Vec::new(),
            sent: 0,
            input: Vec::new(),
            received: 0,
            tail: Vec::new(),
            is_broken: false,
        };
        child.unblock().map_err(|e| failed(&e.into()))?;
        Ok(child)
    }

    fn unblock(&self) -> rustix::io::Result<()> {
        let Child { stdin, stdout, stderr, .. } = self;
        for pipe in [stdin.as_ref().map(AsFd::as_fd), Some(stdout.as_fd()), stderr.as_ref().map(AsFd::as_fd)]
        {
            let Some(pipe) = pipe else { continue };
            rustix::fs::fcntl_setfl(pipe, rustix::fs::fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
            // A pipe that stays small is only slower.
            #[cfg(target_os = "linux")]
            let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE);
        }
        Ok(())
    }

    pub(super) fn id(&self) -> u32 {
        self.leader.id()
    }

    /// Prepares the bytes to send.
    pub(super) fn prepare(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.output.clear();
        self.sent = 0;
        write(&mut self.output);
    }

    /// Sends the prepared bytes and receives until a message is whole, reads it, and checks that no bytes follow.
    pub(super) fn receive<T>(
        &mut self,
        until: Instant,
        message: impl Fn(&[u8]) -> Result<Option<(Range<usize>, usize)>, DeviceError>,
        read: impl FnOnce(&[u8]) -> Result<T, DeviceError>,
    ) -> Result<T, DeviceError> {
        let outcome = self.wait(until, message).and_then(|(message, end)| {
            let value = read(&self.input[message])?;
            match self.received - end {
                0 => Ok(value),
                more => Err(DeviceError::unfit(format!("{more} extra bytes after its answer"))),
            }
        });
        self.received = 0;
        outcome.map_err(|trouble| self.explain(trouble))
    }

    fn wait(
        &mut self,
        until: Instant,
        message: impl Fn(&[u8]) -> Result<Option<(Range<usize>, usize)>, DeviceError>,
    ) -> Result<(Range<usize>, usize), DeviceError> {
        let began = Instant::now();
        let mut has_ended = false;
        loop {
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
            let is_quiet = self.watch((until - now).min(LOOK))?;
            // Its child processes can hold its output open after its end. Another read takes in its last output.
            if is_quiet && has_ended {
                return Err(DeviceError::new(
                    Failure::Crashed,
                    "it ended, and its child processes hold its output open",
                ));
            }
            has_ended = is_quiet && self.end(Duration::ZERO).is_some();
        }
    }

    /// Sends what the pipe takes.
    fn pump_out(&mut self) -> Result<(), DeviceError> {
        let closed = || DeviceError::new(Failure::Crashed, "it closed its standard input");
        while self.sent < self.output.len() {
            let stdin = self.stdin.as_mut().ok_or_else(closed)?;
            match stdin.write(&self.output[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(closed()),
            }
        }
        Ok(())
    }

    /// Receives a chunk, if there is one, and takes in the standard error.
    fn pump_in(&mut self) -> Result<bool, DeviceError> {
        self.drain_stderr();
        if self.input.len() < self.received + CHUNK {
            self.input.resize(self.received + CHUNK, 0);
        }
        match self.stdout.read(&mut self.input[self.received..]) {
            Ok(0) => {
                let words = match self.received {
                    0 => "it closed its standard output".to_owned(),
                    some => format!("it closed its standard output {some} bytes into its answer"),
                };
                Err(DeviceError::new(Failure::Crashed, words))
            }
            Ok(count) => {
                self.received += count;
                Ok(true)
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(false),
            Err(e) => Err(DeviceError::new(Failure::Crashed, format!("its standard output: {e}"))),
        }
    }

    /// Takes in a chunk of the standard error, and keeps the end of it.
    fn drain_stderr(&mut self) {
        let mut chunk = [0; TAIL];
        let Some(stderr) = &mut self.stderr else { return };
        match stderr.read(&mut chunk) {
            Ok(0) => self.stderr = None,
            Ok(count) => {
                self.tail.extend_from_slice(&chunk[..count]);
                let surplus = self.tail.len().saturating_sub(TAIL);
                self.tail.drain(..surplus);
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.stderr = None,
        }
    }

    /// Waits until a pipe is ready; true if none was.
    fn watch(&mut self, time: Duration) -> Result<bool, DeviceError> {
        let mut pipes = vec![PollFd::new(&self.stdout, PollFlags::IN)];
        if let Some(stderr) = &self.stderr {
            pipes.push(PollFd::new(stderr, PollFlags::IN));
        }
        if let Some(stdin) = self.stdin.as_ref().filter(|_| self.sent < self.output.len()) {
            pipes.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
        match poll(&mut pipes, Some(&time)) {
            Ok(ready) => Ok(ready == 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(e) => Err(DeviceError::new(Failure::Crashed, format!("its pipes cannot be watched: {e}"))),
        }
    }

    /// Adds the exit of the process to an error, and the end of its standard error.
    fn explain(&mut self, trouble: DeviceError) -> DeviceError {
        self.is_broken |= trouble.failure != Failure::Reported;
        if !self.is_broken {
            return trouble;
        }
        let mut words = trouble.words.clone();
        if trouble.failure == Failure::Crashed
            && let Some(status) = self.end(Duration::from_millis(100))
        {
            words += &format!("; it ended with {status}");
        }
        self.drain_stderr();
        let tail = String::from_utf8_lossy(&self.tail);
        let lines: Vec<&str> = tail.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        if !lines.is_empty() {
            let lines: Vec<&str> = lines.into_iter().rev().collect();
            let text: String = lines.join(" / ").escape_debug().collect();
            let start = text.char_indices().rev().nth(400).map_or(0, |(place, _)| place);
            words += &format!("; its standard error ends with `{}`", &text[start..]);
        }
        DeviceError { words, ..trouble }
    }

    /// How the process ended, if it does within that time.
    fn end(&self, time: Duration) -> Option<String> {
        self.leader.ended(time).map(|end| end.to_string())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stdin = None;
        if !self.is_broken {
            self.leader.ended(GRACE);
        }
    }
}
