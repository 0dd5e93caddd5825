//! One process of cargo-fuzz or of a target: run to its end, with a log and with counts of its inputs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use assay_device::group::{GroupLeader, ProcessExit};
use assay_fuzzing::counts::{self, Counts};
use assay_records::libfuzzer::Coverage;

use crate::LibfuzzerError;
use crate::files::{fresh_log, make};

/// Time for libFuzzer to wrap up behind cargo-fuzz, and for a killed process to end.
const WRAP_UP: Duration = Duration::from_secs(5);

/// The start of the line in which libFuzzer's fork mode reports its end.
const EXITING: &str = "INFO: exiting: ";

/// How often a process is looked after.
const LOOK: Duration = Duration::from_millis(200);

/// When a process is asked to end before it does so by itself.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// The flag that is set once the user wants it to end.
    pub stop: Option<&'a AtomicBool>,
    /// Time that it has.
    pub time: Option<Duration>,
    /// Time to wrap up once it is asked to end, before it is killed.
    pub grace: Duration,
}

/// The outcome of a process.
pub struct ProcessEnd {
    /// How it ended.
    pub end: Option<ProcessExit>,
    /// Whether it was asked to end.
    pub asked: bool,
    /// The inputs of it and of the processes that it started, exactly.
    pub counts: Counts,
    /// How long it ran.
    pub time: Duration,
    /// The log.
    pub log: PathBuf,
}

impl ProcessEnd {
    /// Returns the whole output. libFuzzer repeats the texts of inputs, whatever their bytes.
    pub fn text(&self) -> String {
        text(&self.log)
    }

    /// Makes the error that the process did not do its work.
    pub fn failure(&self, what: String) -> LibfuzzerError {
        let log = self.text();
        let lines = log.lines().rev().filter(|line| line.contains(char::is_alphanumeric));
        let lines: Vec<&str> = lines.take(3).collect();
        let last = lines.into_iter().rev().collect::<Vec<_>>().join(" / ");
        LibfuzzerError::Ended { what, end: self.end, last, log: self.log.clone() }
    }
}

/// Runs a command to its end. Its log is the first free `NAME-N.log` of a folder; a folder `NAME-N.counts` exists
/// meanwhile. `look` is called repeatedly with the number of inputs so far, and asks for the end by returning false.
pub fn run(
    mut command: Command,
    folder: &Path,
    name: &str,
    limits: Limits<'_>,
    look: &mut dyn FnMut(Counts) -> bool,
) -> Result<ProcessEnd, LibfuzzerError> {
    let (log, file) = fresh_log(folder, name)?;
    let counts = log.with_extension("counts");
    make(&counts)?;
    command.env(counts::VARIABLE, &counts).env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
    let started = Instant::now();
    let leader =
        GroupLeader::start(&mut command).map_err(LibfuzzerError::file(Path::new(command.get_program())))?;
    let is_stopped = || limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
    let is_late = || limits.time.is_some_and(|time| started.elapsed() > time);
    let mut asked: Option<Instant> = None;
    loop {
        let has_ended = leader.ended(LOOK).is_some();
        match asked {
            None if has_ended => break,
            None if is_stopped() || is_late() || !look(Counts::read(&counts)) => {
                leader.interrupt_group();
                asked = Some(Instant::now());
            }
            None => {}
            Some(when) if when.elapsed() > limits.grace => break leader.kill(),
            // cargo-fuzz ends at once, before libFuzzer has wrapped up.
            Some(when) if has_ended && (when.elapsed() > WRAP_UP || text(&log).contains(EXITING)) => break,
            Some(_) => std::thread::sleep(LOOK / 10),
        }
    }
    let end = leader.ended(WRAP_UP);
    let time = started.elapsed();
    drop(leader);
    let ended = ProcessEnd { end, asked: asked.is_some(), counts: Counts::read(&counts), time, log };
    // Only this run has a use for the folder.
    let _ = std::fs::remove_dir_all(&counts);
    Ok(ended)
}

fn text(log: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(log).unwrap_or_default()).into_owned()
}

/// Returns the numbers in the last line of a log that counts edges.
pub fn coverage(log: &str) -> Option<Coverage> {
    let of_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let behind = |name: &str| {
            let place = words.iter().position(|word| *word == name)?;
            words.get(place + 1)?.parse::<u64>().ok()
        };
        let edges = behind("cov:").filter(|_| line.starts_with('#'))?;
        Some(Coverage { edges, features: behind("ft:").unwrap_or_default() })
    };
    log.lines().rev().find_map(of_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_that_counts_edges_is_the_coverage() {
        let log = "INFO: Seed: 3211\n\
            #3\tINITED cov: 1204 ft: 1311 corp: 2/17b exec/s: 0 rss: 61Mb\n\
            #9000\tDONE   cov: 1500 ft: 4000 corp: 90/3Kb lim: 512 exec/s: 4500 rss: 70Mb\n\
            Done 9000 runs in 2 second(s) cov: 7\n";
        assert_eq!(coverage(log), Some(Coverage { edges: 1500, features: 4000 }));
        let forked =
            "#318069: cov: 23 ft: 38 corp: 16 exec/s: 0 oom/timeout/crash: 0/0/1 time: 1s job: 3 dft_time: 0";
        assert_eq!(coverage(forked), Some(Coverage { edges: 23, features: 38 }));
        assert_eq!(coverage("#1\tcov: what ft:\nstat::peak_rss_mb: x"), None);
    }
}
