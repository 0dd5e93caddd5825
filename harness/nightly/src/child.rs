//! Executes a process with limits on its time and output. All processes that it started end with
//! it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStderr, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use assay_device::group::{GroupLeader, ProcessExit as Ended};

use crate::NightlyError;

/// Maximum kept size of a log in bytes. A stage may print anything, for hours.
const LOG: usize = 1 << 20;
/// Maximum kept size of the last message in bytes.
const LINE: usize = 2000;
/// Maximum kept size of the standard output in bytes.
const SAID: u64 = 1 << 26;
/// Time between the request to end and the kill. It suffices to finish the current batches and to
/// write a checkpoint.
pub(crate) const GRACE: Duration = Duration::from_secs(60);
/// Time between two looks at the process.
const LOOK: Duration = Duration::from_millis(50);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageExit {
    /// The process exited with this status.
    Status(i32),
    /// A signal that the nightly run did not send ended the process.
    Signal(i32),
    /// The process used up its time.
    OutOfTime,
    /// The nightly run was asked to stop.
    Stopped,
}

/// The limits of a process, and the observer of its output.
pub struct Watch<'a> {
    /// Another thread sets this flag to end the process.
    pub stop: &'a AtomicBool,
    /// Time that the process has.
    pub time: Duration,
    /// Time for an orderly end after `time` is over. If the nightly run is asked to stop, the
    /// process has one minute instead.
    pub grace: Duration,
    /// Called periodically with the last message on standard error.
    pub look: &'a mut dyn FnMut(&str),
}

/// Runs a command to its end. Its standard output goes to `said`. Its standard error is appended to `log`, after the
/// text of an earlier session.
pub fn run(
    command: &mut Command,
    said: &Path,
    log: &Path,
    mut watch: Watch<'_>,
) -> Result<StageExit, NightlyError> {
    let mut out = File::create(said).map_err(NightlyError::file(said))?;
    let mut journal = File::options().create(true).append(true).open(log).map_err(NightlyError::file(log))?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut leader =
        GroupLeader::start(command).map_err(NightlyError::file(Path::new(command.get_program())))?;
    let (_, Some(stdout), Some(stderr)) = leader.pipes() else { unreachable!("both are piped") };
    let last = Mutex::new(LastMessage::default());
    let end = thread::scope(|scope| {
        let printed = scope.spawn(|| keep(stdout, &mut out));
        let written = scope.spawn(|| follow(stderr, &mut journal, &last));
        let end = attend(&leader, &last, &mut watch);
        // Child processes of the process may hold the pipes open.
        leader.kill();
        let kept = printed.join().expect("it does not panic").map_err(NightlyError::file(said));
        let logged = written.join().expect("it does not panic").map_err(NightlyError::file(log));
        kept.and(logged).map(|()| end)
    })?;
    // The last output often states why the process ended.
    (watch.look)(&last.into_inner().expect("no thread panics with it").text);
    Ok(end)
}

/// Waits for the end of the process, and ends it when its time is over or the run is asked to stop.
fn attend(leader: &GroupLeader, last: &Mutex<LastMessage>, watch: &mut Watch<'_>) -> StageExit {
    let began = Instant::now();
    let mut asked: Option<(Instant, StageExit)> = None;
    loop {
        if let Some(end) = leader.ended(Duration::ZERO) {
            return match (asked, end) {
                // A process that was asked to end may still have finished its work.
                (Some((_, why)), Ended::Signal(_) | Ended::Status(130)) => why,
                (_, Ended::Status(status)) => StageExit::Status(status),
                (None, Ended::Signal(signal)) => StageExit::Signal(signal),
            };
        }
        (watch.look)(&last.lock().expect("no thread panics with it").text);
        let why = match () {
            () if watch.stop.load(Ordering::Relaxed) => Some(StageExit::Stopped),
            () if began.elapsed() >= watch.time => Some(StageExit::OutOfTime),
            () => None,
        };
        match (asked, why) {
            (None, Some(why)) => {
                leader.interrupt_group();
                asked = Some((Instant::now(), why));
            }
            // The nightly run can be resumed later, and will then continue this stage.
            (Some((_, StageExit::OutOfTime)), Some(StageExit::Stopped)) => {
                leader.interrupt_group();
                asked = Some((Instant::now(), StageExit::Stopped));
            }
            (Some((when, StageExit::OutOfTime)), _) if when.elapsed() < watch.grace => {}
            (Some((when, _)), _) if when.elapsed() >= GRACE => {
                leader.kill();
            }
            _ => {}
        }
        thread::sleep(LOOK);
    }
}

/// Copies the output to a file, up to a limit. Reads and drops further output, so that the child
/// process never blocks.
fn keep(stdout: ChildStdout, file: &mut File) -> std::io::Result<()> {
    let mut head = stdout.take(SAID);
    let written = std::io::copy(&mut head, file);
    std::io::copy(&mut head.into_inner(), &mut std::io::sink())?;
    written.map(drop)
}

/// Copies lines to the log, up to a limit, and remembers the last message.
fn follow(stderr: ChildStderr, log: &mut File, last: &Mutex<LastMessage>) -> std::io::Result<()> {
    let mut left = LOG.saturating_sub(log.metadata()?.len() as usize);
    let mut lines = BufReader::new(stderr);
    let mut line = Vec::new();
    let mut written = Ok(());
    loop {
        line.clear();
        // A very long line is read in pieces.
        if (&mut lines).take(1 << 16).read_until(b'\n', &mut line)? == 0 {
            return written;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if !text.is_empty() {
            last.lock().expect("no thread panics with it").remember(text);
        }
        if line.len() <= left && written.is_ok() {
            left -= line.len();
            written = log.write_all(&line);
        } else if left > 0 && written.is_ok() {
            left = 0;
            written = log.write_all(b"the log is full: what follows is not kept\n");
        }
    }
}

/// The last message of a process.
#[derive(Default)]
struct LastMessage {
    text: String,
    /// Whether the message is an error. Only another error replaces it, so the usage text after an
    /// error does not.
    is_error: bool,
}

impl LastMessage {
    /// Takes a line. Lines that begin with a bar continue the message before.
    fn remember(&mut self, line: &str) {
        let error = line.strip_prefix('×').or_else(|| line.strip_prefix("error:")).map(str::trim);
        match (error, line.strip_prefix('│')) {
            (Some(error), _) => *self = LastMessage { text: error.to_owned(), is_error: true },
            (None, Some(more)) => {
                self.text.push(' ');
                self.text.push_str(more.trim());
                self.text.truncate(self.text.floor_char_boundary(LINE));
            }
            (None, None) if self.is_error => {}
            (None, None) => line.clone_into(&mut self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a shell script. Returns its exit, its output, and its log.
    fn sh(script: &str, time: Duration, stop: bool) -> (StageExit, String, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let (said, log) = (folder.path().join("said"), folder.path().join("log"));
        let stop = AtomicBool::new(stop);
        let watch = Watch { stop: &stop, time, grace: GRACE, look: &mut |_| {} };
        let end = run(Command::new("sh").args(["-c", script]), &said, &log, watch).expect("it runs");
        let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
        (end, read(&said), read(&log))
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn every_end_is_told_from_the_others() {
        let short = Duration::from_millis(300);
        let cases = [
            ("echo out; echo err >&2; exit 3", LONG, false, StageExit::Status(3)),
            ("kill -SEGV $$", LONG, false, StageExit::Signal(11)),
            ("sleep 30", short, false, StageExit::OutOfTime),
            ("trap 'exit 130' INT; while :; do sleep 0.1; done", short, false, StageExit::OutOfTime),
            ("trap 'exit 1' INT; while :; do sleep 0.1; done", short, false, StageExit::Status(1)),
            ("sleep 30", LONG, true, StageExit::Stopped),
        ];
        for (script, time, stop, end) in cases {
            assert_eq!(sh(script, time, stop).0, end, "{script}");
        }
        let (_, said, log) = sh(cases[0].0, LONG, false);
        assert_eq!((said.as_str(), log.as_str()), ("out\n", "err\n"));
    }

    #[test]
    fn the_last_message_is_the_error_and_not_the_usage_behind_it() {
        for (lines, message) in [
            (&["one", "two"][..], "two"),
            (&["10 %", "  × there is none; install", "│   it", "│ first"], "there is none; install it first"),
            (&["  × no such optype", "  help: did you mean `FADD`?"], "no such optype"),
            (
                &[
                    "error: unexpected argument '--sed' found",
                    "Usage: assay fuzz",
                    "For more information, try '--help'.",
                ],
                "unexpected argument '--sed' found",
            ),
        ] {
            let mut last = LastMessage::default();
            lines.iter().for_each(|line| last.remember(line.trim()));
            assert_eq!(last.text, message);
        }
    }

    #[test]
    fn nothing_that_it_started_is_left_and_no_log_grows_without_end() {
        let began = Instant::now();
        let (end, said, _) = sh("sleep 600 & echo $!", LONG, false);
        assert_eq!(end, StageExit::Status(0));
        let left = Path::new("/proc").join(said.trim());
        // Afterwards the process must be gone, or be a zombie that its new parent has not reaped
        // yet. A killed process ends only when the system schedules it.
        loop {
            let state = std::fs::read_to_string(left.join("stat")).unwrap_or_default();
            if state.is_empty() || state.contains(") Z ") {
                break;
            }
            assert!(began.elapsed() < LONG, "{state}");
            std::thread::sleep(Duration::from_millis(5));
        }
        let (end, _, log) = sh("yes 0123456789 | head -c 3000000 >&2", LONG, false);
        assert_eq!(end, StageExit::Status(0));
        assert!(log.len() <= LOG + 100 && log.ends_with("is not kept\n"), "{}", log.len());
    }
}
