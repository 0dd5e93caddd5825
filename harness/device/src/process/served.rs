//! A process that serves one handle or several: its end, and what it writes on standard error.

use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::process::{ChildStderr, Command};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::group::GroupLeader;
use assay_isa::effect::Failure;
use rustix::fs::OFlags;

use crate::error::{DeviceError, SHOWN, excerpt};

/// Bytes of the standard error that are kept.
const TAIL: usize = 4096;
/// Time for a process to end by itself once the host wants nothing more of it.
const GRACE: Duration = Duration::from_millis(500);
/// Requested capacity of a pipe in bytes, so that a batch is sent in one write.
const PIPE: usize = 1 << 20;
/// Lines of a library's output that are shown.
const LINES: usize = 20;

/// Shows a text to the user.
pub(crate) type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// A process of a device, ended and reaped when dropped, with everything in its process group.
pub(super) struct ServedProcess {
    leader: GroupLeader,
    stderr: ChildStderr,
    has_stderr: AtomicBool,
    output: Mutex<Output>,
    /// Whether it failed: then it is not waited for.
    is_broken: AtomicBool,
    /// The connection whose end tells a process with several handles to end.
    life: Option<UnixStream>,
    pub(super) calls: Calls,
}

/// The calls of a process that are under way in several handles, by which the end of the process is attributed to one.
#[derive(Default)]
pub(super) struct Calls {
    under_way: AtomicUsize,
    is_blamed: AtomicBool,
}

impl Calls {
    pub(super) fn begin(&self) {
        self.under_way.fetch_add(1, Ordering::SeqCst);
    }

    /// Ends a call that succeeded, or succeeded when it was made again after the process had ended. Returns whether it was
    /// the last one under way, and no other was blamed.
    pub(super) fn end(&self) -> bool {
        self.under_way.fetch_sub(1, Ordering::SeqCst) == 1 && !self.is_blamed.load(Ordering::SeqCst)
    }

    /// Notes that a call of some handle is the cause of the end.
    pub(super) fn blame(&self) {
        self.is_blamed.store(true, Ordering::SeqCst);
    }
}

/// The standard error of a process.
#[derive(Default)]
struct Output {
    tail: Vec<u8>,
    /// The unfinished line, and how many lines were shown; only where lines are shown.
    line: Vec<u8>,
    shown: usize,
    tell: Option<Tell>,
}

impl ServedProcess {
    /// Starts a command whose standard error is piped. `tell` receives its lines.
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

    /// How the process ended, if it does within that time.
    pub(super) fn end(&self, time: Duration) -> Option<String> {
        self.leader.ended(time).map(|end| end.to_string())
    }

    /// Whether a handle noticed that it failed.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// Waits for a process that has no more input, and then ends it.
    pub(super) fn finish(&self) {
        if !self.is_broken.load(Ordering::Relaxed) {
            self.leader.ended(GRACE);
            self.kill();
        }
    }

    /// Ends it at once: it is not used any more.
    pub(super) fn kill(&self) {
        self.is_broken.store(true, Ordering::Relaxed);
        self.leader.kill();
    }

    /// Its standard error, while it is open.
    pub(super) fn stderr(&self) -> Option<BorrowedFd<'_>> {
        self.has_stderr.load(Ordering::Relaxed).then(|| self.stderr.as_fd())
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a chunk of the standard error, and keeps the end of it.
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

    /// Adds the exit of the process to an error, and the end of its standard error. `call` is the number of the call that
    /// was under way, where the process serves several handles.
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

/// Our ends of the standard input and output of a process.
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

    /// Shows the unfinished line, unless enough were shown.
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
        if !self.is_broken.load(Ordering::Relaxed) {
            self.leader.ended(GRACE);
        }
        self.drain_stderr();
        let mut output = self.output();
        if let Some(tell) = output.tell.clone() {
            output.show(&tell);
        }
    }
}

/// Makes a stream not block, and a pipe large.
pub(super) fn unblock(pipe: BorrowedFd<'_>) -> rustix::io::Result<()> {
    rustix::fs::fcntl_setfl(pipe, rustix::fs::fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
    // A pipe that stays small is only slower, and a socket has no such size.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE);
    Ok(())
}
