//! One process of cargo-fuzz or of a target, and what its log says.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assay_fuzzing::counts::{self, Counts};
use assay_process::{End, Leader};
use serde::{Deserialize, Serialize};

use super::files::{fresh_log, make};
use crate::failure::Failure;

/// Time for libFuzzer to wrap up once it is asked to end.
const GRACE: Duration = Duration::from_secs(5);

/// How libFuzzer's fork mode says that it ends.
const EXITING: &str = "INFO: exiting: ";

/// What libFuzzer has seen of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Coverage {
    /// Edges of the control flow.
    pub edges: u64,
    /// Features: edges told apart by how often they were taken, and a few others.
    pub features: u64,
}

impl Coverage {
    /// Returns what the last line of a log that counts edges says.
    pub fn read(log: &str) -> Option<Coverage> {
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
}

/// Limits on every input.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Megabytes of memory.
    pub rss_mb: u64,
    /// Seconds.
    pub timeout: u64,
    /// Bytes of an input.
    pub longest: usize,
}

impl Limits {
    /// As options of libFuzzer.
    pub fn options(&self) -> [String; 3] {
        let Limits { rss_mb, timeout, longest } = self;
        [format!("-rss_limit_mb={rss_mb}"), format!("-timeout={timeout}"), format!("-max_len={longest}")]
    }
}

/// A process with its log.
pub struct Process {
    leader: Leader,
    started: Instant,
    log: PathBuf,
    counts: PathBuf,
    /// When it was asked to end.
    asked: Option<Instant>,
}

/// What became of a process.
pub struct Ended {
    /// How it ended.
    pub end: Option<End>,
    /// Whether it was asked to end.
    pub asked: bool,
    /// The inputs of it and of the processes that it started, exactly.
    pub counts: Counts,
    /// How long it ran.
    pub seconds: f64,
    /// The log.
    pub log: PathBuf,
}

impl Ended {
    /// All that it said. libFuzzer repeats the texts of inputs, whatever bytes those are.
    pub fn text(&self) -> String {
        text(&self.log)
    }

    /// That the process did not do its work.
    pub fn failure(&self, target: &str) -> Failure {
        let end = self.end.map_or("no end at all".to_owned(), |end| end.to_string());
        let log = self.text();
        let lines: Vec<&str> =
            log.lines().rev().filter(|line| line.contains(char::is_alphanumeric)).take(3).collect();
        let last = lines.into_iter().rev().collect::<Vec<_>>().join(" / ");
        let log = self.log.display();
        Failure::harness(format!(
            "the fuzz target {target} ended with {end}: {last:?}; {log} has all that it said"
        ))
    }
}

fn text(log: &Path) -> String {
    let log = std::fs::read(log).unwrap_or_default();
    String::from_utf8_lossy(&log).into_owned()
}

impl Process {
    /// Starts a command whose program, options and corpora are given. It writes the first free `NAME-N.log`, and for this
    /// time a folder `NAME-N.counts`, into a folder.
    pub fn start(mut command: Command, folder: &Path, name: &str) -> Result<Process, Failure> {
        let (log, file) = fresh_log(folder, name)?;
        let counts = log.with_extension("counts");
        make(&counts)?;
        command.env(counts::VARIABLE, &counts).env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
        let leader = Leader::start(&mut command).map_err(|e| {
            let program = Path::new(command.get_program()).display();
            Failure::harness(format!("the fuzz target {program} cannot be started: {e}"))
        })?;
        Ok(Process { leader, started: Instant::now(), log, counts, asked: None })
    }

    /// Inputs so far.
    pub fn counts(&self) -> Counts {
        Counts::read(&self.counts)
    }

    /// Whether the process has ended. cargo-fuzz ends at once where it is asked to, before libFuzzer has wrapped up.
    pub fn has_ended(&self) -> bool {
        let is_over = |asked: Instant| asked.elapsed() > GRACE || text(&self.log).contains(EXITING);
        self.leader.ended(Duration::ZERO).is_some() && self.asked.is_none_or(is_over)
    }

    /// Asks the process, and all that it started, to end.
    pub fn interrupt(&mut self) {
        self.asked = Some(Instant::now());
        self.leader.interrupt_group();
    }

    /// How long ago the process was asked to end.
    pub fn asked(&self) -> Option<Duration> {
        self.asked.map(|asked| asked.elapsed())
    }

    /// Ends the process at once, with all that it started.
    pub fn kill(&self) {
        self.leader.kill();
    }

    /// Waits a little for the end of the process, ends it if it does not, and reads what it left.
    pub fn finish(self) -> Ended {
        let end = self.leader.ended(GRACE);
        let seconds = self.started.elapsed().as_secs_f64();
        drop(self.leader);
        let counts = Counts::read(&self.counts);
        // Only this run has a use for the folder.
        let _ = std::fs::remove_dir_all(&self.counts);
        Ended { end, asked: self.asked.is_some(), counts, seconds, log: self.log }
    }
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
        assert_eq!(Coverage::read(log), Some(Coverage { edges: 1500, features: 4000 }));
        let forked =
            "#318069: cov: 23 ft: 38 corp: 16 exec/s: 0 oom/timeout/crash: 0/0/1 time: 1s job: 3 dft_time: 0";
        assert_eq!(Coverage::read(forked), Some(Coverage { edges: 23, features: 38 }));
        assert_eq!(Coverage::read("#1\tcov: what ft:\nstat::peak_rss_mb: x"), None);
    }
}
