//! Runs of the solver: for its version, and for an answer until a deadline.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::Files;
use super::error::{SolverError, beginning};
use super::version::Version;

/// Time for the answer to `--version`.
const LIMIT_OF_VERSION: Duration = Duration::from_secs(10);

/// The longest answer to `--version` that is read, in bytes.
const LONGEST_VERSION: u64 = 4096;

/// Time between two looks at a running program.
const INTERVAL: Duration = Duration::from_millis(5);

/// How a run ended.
pub(super) enum Run {
    /// The program had not ended at the deadline, and was killed.
    TimedOut,
    /// The program ended.
    Ended {
        /// The exit status. `None` after a signal.
        status: Option<i32>,
        /// The standard output.
        output: Vec<u8>,
    },
}

/// A child that is killed when it is dropped.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        // An error means that the child has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks a program for its version.
pub(super) fn ask_version(program: &Path) -> Result<Version, SolverError> {
    let mut command = Command::new(program);
    command.arg("--version");
    let output = match capture(command, LONGEST_VERSION, LIMIT_OF_VERSION)? {
        Run::Ended { output, .. } => output,
        Run::TimedOut => Vec::new(),
    };
    let version = str::from_utf8(&output).ok().and_then(Version::parse);
    version.ok_or_else(|| SolverError::NoVersion { program: program.to_owned(), answer: beginning(&output) })
}

/// Runs the solver on a formula of some variables.
pub(super) fn run(
    program: &Path,
    files: &Files,
    variables: u32,
    limit: Duration,
) -> Result<Run, SolverError> {
    // A proof of an earlier run must not be taken for one of this run.
    match std::fs::remove_file(&files.proof) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(SolverError::file(&files.proof, error));
        }
        _ => {}
    }
    let mut command = Command::new(program);
    // The solver has its own limit too, so that it ends even if this program is killed.
    command.args(["-q", "--lrat", "--binary", "-t"]).arg(limit.as_secs().saturating_add(2).to_string());
    command.args([&files.formula, &files.proof]);
    // A literal has at most 11 characters and a space; the rest is for the other lines.
    capture(command, 16 * u64::from(variables) + (1 << 16), limit)
}

/// Runs a program without input, and returns up to `longest` bytes of its output.
fn capture(mut command: Command, longest: u64, limit: Duration) -> Result<Run, SolverError> {
    let program = Path::new(command.get_program()).to_owned();
    let failed = |error| SolverError::NotFound { program: program.clone(), error };
    let began = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Guarded(command.spawn().map_err(failed)?);
    let output = child.0.stdout.take().expect("the output is a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut text = Vec::new();
        let read = output.take(longest).read_to_end(&mut text).map(|_| text);
        // After the deadline, the text has no receiver.
        let _ = sender.send(read);
    });
    let Some(status) = wait(&mut child.0, limit).map_err(failed)? else { return Ok(Run::TimedOut) };
    // A child of the program may keep the pipe open after the program has ended.
    let rest = limit.saturating_sub(began.elapsed()).max(INTERVAL);
    match receiver.recv_timeout(rest) {
        Ok(output) => Ok(Run::Ended { status: status.code(), output: output.map_err(failed)? }),
        Err(_) => Ok(Run::TimedOut),
    }
}

/// Waits for a child until a limit. `None` if it still runs then.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() >= limit {
            return Ok(None);
        }
        thread::sleep(INTERVAL);
    }
}
