//! A process that serves one or more handles: its end, its standard error, and its running calls.

use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::process::{ChildStderr, Command};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::group::{GroupLeader, ProcessExit};
use assay_isa::effect::Failure;
use rustix::fs::OFlags;

use crate::error::{DeviceError, SHOWN, excerpt};

/// Number of bytes of the standard error that are kept.
const TAIL: usize = 4096;
/// Time for a process to end by itself after its input ended.
pub(crate) const GRACE: Duration = Duration::from_secs(2);
/// Requested capacity of a pipe in bytes. With this capacity a batch can be sent in one write.
const PIPE: usize = 1 << 20;
/// Maximum number of shown lines of a library's output.
const LINES: usize = 20;

/// A function that shows a text to the user.
pub(crate) type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// A process of a device. Dropping it ends and reaps the process, and kills everything in its
/// process group.
pub(super) struct ServedProcess {
    leader: GroupLeader,
    stderr: ChildStderr,
    has_stderr: AtomicBool,
    output: Mutex<Output>,
    /// Whether the process failed. A failed process is not waited for.
    is_broken: AtomicBool,
    /// The first connection to a process with several handles. Closing it makes the process end.
    life: Option<UnixStream>,
    pub(super) calls: Calls,
}

/// The number of running calls of all handles of a process. It helps to find the handle that made
/// the process fail.
#[derive(Default)]
pub(super) struct Calls {
    under_way: AtomicUsize,
    is_blamed: AtomicBool,
}

impl Calls {
    pub(super) fn begin(&self) {
        self.under_way.fetch_add(1, Ordering::SeqCst);
    }

    /// Ends a call that succeeded, or whose repetition succeeded after the process failed. Returns
    /// whether this was the last running call and no call was blamed. Then, after a failure, this
    /// call is the only remaining suspect.
    pub(super) fn end(&self) -> bool {
        self.under_way.fetch_sub(1, Ordering::SeqCst) == 1 && !self.is_blamed.load(Ordering::SeqCst)
    }

    /// Notes that a call of some handle is known to be the cause of the failure.
    pub(super) fn blame(&self) {
        self.is_blamed.store(true, Ordering::SeqCst);
    }
}

/// The standard error of a process.
#[derive(Default)]
struct Output {
    tail: Vec<u8>,
    /// The unfinished line. Used only if lines are shown.
    line: Vec<u8>,
    shown: usize,
    tell: Option<Tell>,
}

impl ServedProcess {
    /// Starts a command whose standard error is piped. `tell` receives the lines of the standard
    /// error.
    pub(super) fn start(
        command: &mut Command,
        life: Option<UnixStream>,
        tell: Option<Tell>,
    ) -> Result<(ServedProcess, GroupPipes), DeviceError> {
        let name = command.get_program().to_string_lossy().into_owned();
        let failed = |e: &std::io::Error| DeviceError::of_system(&name, e);
        let mut leader = GroupLeader::start(command).map_err(|e| failed(&e))?;
        let (stdin, stdout, stderr) = leader.pipes();
        let stderr = stderr.expect("it is piped");
        unblock(stderr.as_fd()).map_err(|e| failed(&e.into()))?;
        let process = ServedProcess {
            leader,
            stderr,
            has_stderr: AtomicBool::new(true),
            output: Mutex::new(Output { tell, ..Output::default() }),
            is_broken: AtomicBool::new(false),
            life,
            calls: Calls::default(),
        };
        Ok((process, (stdin, stdout)))
    }

    pub(super) fn id(&self) -> u32 {
        self.leader.id()
    }

    /// Returns how the process ended, if it ends within `time`.
    pub(super) fn end(&self, time: Duration) -> Option<ProcessExit> {
        self.leader.ended(time)
    }

    /// Returns whether a handle noticed that the process failed.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// Waits up to [`GRACE`] for the end of a process whose input has ended, and then kills its
    /// process group. Does nothing if the process failed.
    pub(super) fn finish(&self) {
        if !self.is_broken.load(Ordering::Relaxed) {
            self.leader.ended(GRACE);
            self.kill();
        }
    }

    /// Kills the process, which is not used any more.
    pub(super) fn kill(&self) {
        self.is_broken.store(true, Ordering::Relaxed);
        self.leader.kill();
    }

    /// Returns the standard error of the process, while it is open.
    pub(super) fn stderr(&self) -> Option<BorrowedFd<'_>> {
        self.has_stderr.load(Ordering::Relaxed).then(|| self.stderr.as_fd())
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a chunk of the standard error, and keeps the last bytes.
    pub(super) fn drain_stderr(&self) {
        let Some(stderr) = self.stderr() else { return };
        let mut chunk = [0; TAIL];
        match rustix::io::read(stderr, &mut chunk) {
            Ok(0) => self.has_stderr.store(false, Ordering::Relaxed),
            Ok(count) => self.output().take(&chunk[..count]),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Err(_) => self.has_stderr.store(false, Ordering::Relaxed),
        }
    }

    /// Adds the exit status of the process and the last lines of its standard error to an error.
    /// `call` is the number of the running call, if the process serves several handles.
    pub(super) fn explain(&self, trouble: DeviceError, call: Option<u64>) -> DeviceError {
        if trouble.failure == Failure::Reported {
            return trouble;
        }
        self.is_broken.store(true, Ordering::Relaxed);
        let mut words = trouble.words.clone();
        let is_crash = trouble.failure == Failure::Crashed;
        let end = if is_crash { self.end(Duration::from_millis(100)) } else { None };
        match (end, call) {
            (Some(status), Some(call)) => words = format!("it ended in call {call}, with {status}"),
            (Some(status), None) => words += &format!("; it ended with {status}"),
            (None, Some(call)) => words += &format!(" in call {call}"),
            (None, None) => {}
        }
        self.drain_stderr();
        let tail = String::from_utf8_lossy(&self.output().tail).into_owned();
        let lines: Vec<&str> = tail.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        if !lines.is_empty() {
            let lines: Vec<&str> = lines.into_iter().rev().collect();
            let text: String = lines.join(" / ").escape_debug().collect();
            let start = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(place, _)| place);
            words += &format!("; its standard error ends with `{}`", &text[start..]);
        }
        DeviceError { words, ..trouble }
    }
}

/// The host's ends of the standard input and output of a process.
pub(super) type GroupPipes = (Option<std::process::ChildStdin>, Option<std::process::ChildStdout>);

impl Output {
    fn take(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        let Some(tell) = self.tell.clone().filter(|_| self.shown < LINES) else { return };
        for byte in bytes {
            match byte {
                b'\n' => self.show(&tell),
                _ if self.line.len() < TAIL => self.line.push(*byte),
                _ => {}
            }
        }
    }

    /// Shows the unfinished line, unless [`LINES`] lines were shown.
    fn show(&mut self, tell: &Tell) {
        let line = std::mem::take(&mut self.line);
        if self.shown >= LINES || line.is_empty() {
            return;
        }
        self.shown += 1;
        let line = excerpt(&String::from_utf8_lossy(&line));
        let rest = if self.shown == LINES { "; its further output is not shown" } else { "" };
        tell(&format!("output: {line}{rest}"));
    }
}

impl Drop for ServedProcess {
    fn drop(&mut self) {
        self.life = None;
        let is_broken = self.is_broken.load(Ordering::Relaxed);
        let end = if is_broken { None } else { self.leader.ended(GRACE) };
        self.drain_stderr();
        let mut output = self.output();
        if let Some(tell) = output.tell.clone() {
            output.show(&tell);
            if let Some(words) = bad_end(end).filter(|_| !is_broken) {
                tell(&words);
            }
        }
    }
}

/// Returns a sentence about a process that ended abnormally after its last answer. `None` if it
/// ended with status 0.
pub(crate) fn bad_end(end: Option<ProcessExit>) -> Option<String> {
    match end {
        Some(ProcessExit::Status(0)) => None,
        Some(end) => Some(format!("it ended with {end}{AFTER}")),
        None => Some(format!("it did not end within {} s{AFTER}", GRACE.as_secs_f64())),
    }
}

/// The end of a sentence of [`bad_end`].
pub(crate) const AFTER: &str = " after its last answer";

/// Makes a stream non-blocking, and enlarges a pipe.
pub(super) fn unblock(pipe: BorrowedFd<'_>) -> rustix::io::Result<()> {
    rustix::fs::fcntl_setfl(pipe, rustix::fs::fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
    // Errors are ignored: a small pipe is only slower, and a socket has no such size.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE);
    Ok(())
}
