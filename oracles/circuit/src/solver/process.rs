//! Runs of the solver: for its version, and for an answer until a deadline.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Files;
use super::error::{SolverError, beginning};
use super::version::Version;

/// Asks a program for its version.
pub(super) fn ask_version(program: &Path) -> Result<Version, SolverError> {
    let run = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let output = run.map_err(|error| SolverError::NotFound { program: program.to_owned(), error })?;
    let version = str::from_utf8(&output.stdout).ok().and_then(Version::parse);
    version.ok_or_else(|| SolverError::NoVersion {
        program: program.to_owned(),
        answer: beginning(&output.stdout),
    })
}

/// How a run ended.
pub(super) enum Run {
    /// The solver was ended at the deadline.
    TimedOut,
    /// The solver ended.
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

/// Time between two looks at a running solver.
const INTERVAL: Duration = Duration::from_millis(5);

/// Runs the solver on a formula of some variables.
pub(super) fn run(
    program: &Path,
    files: &Files,
    variables: u32,
    limit: Duration,
) -> Result<Run, SolverError> {
    // A proof of an earlier run must not be taken for one of this run.
    match std::fs::remove_file(&files.proof) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(SolverError::file(&files.proof, error));
        }
        _ => {}
    }
    let mut command = Command::new(program);
    // The solver has its own limit too, so that it ends even if this program is killed.
    command.args(["-q", "--lrat", "--binary", "-t"]).arg(limit.as_secs().saturating_add(2).to_string());
    command.args([&files.formula, &files.proof]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let started = command.spawn();
    let mut child =
        Guarded(started.map_err(|error| SolverError::NotFound { program: program.to_owned(), error })?);
    let output = child.0.stdout.take().expect("the output is a pipe");
    // A literal has at most 11 characters and a space; the rest is for the other lines.
    let longest = 16 * u64::from(variables) + (1 << 16);
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        output.take(longest).read_to_end(&mut text).map(|_| text)
    });
    let Some(status) = wait(&mut child.0, limit).map_err(|error| SolverError::file(program, error))? else {
        return Ok(Run::TimedOut);
    };
    let output = reader.join().expect("reading does not panic");
    let output = output.map_err(|error| SolverError::file(program, error))?;
    Ok(Run::Ended { status: status.code(), output })
}

/// Waits for a child until a limit. `None` if it still runs then.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
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
