//! One libFuzzer process, and what its log says.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assay_device::process::{End, Leader};
use assay_fuzzing::counts::{self, Counts};
use serde::{Deserialize, Serialize};

use super::artifact::is_crash;
use super::files::fresh_log;
use crate::failure::Failure;

/// Time for a process to print its statistics once it is asked to end.
const GRACE: Duration = Duration::from_secs(5);

/// What libFuzzer has seen of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Coverage {
    /// Edges of the control flow.
    pub edges: u64,
    /// Features: edges told apart by how often they were taken, and a few others.
    pub features: u64,
}

/// What a process says of its run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Inputs that reached something new.
    pub new_units: u64,
    /// Megabytes of memory at most.
    pub peak_rss_mb: u64,
    /// Coverage of the corpus that it began with.
    pub before: Option<Coverage>,
    /// Coverage at its end.
    pub after: Option<Coverage>,
}

impl Stats {
    /// Reads the log of a process; what the log does not say stays at nothing.
    pub fn read(log: &str) -> Stats {
        let mut stats = Stats::default();
        for line in log.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let behind = |name: &str| {
                let place = words.iter().position(|word| *word == name)?;
                words.get(place + 1)?.parse::<u64>().ok()
            };
            match words[..] {
                ["stat::new_units_added:", count] => stats.new_units = count.parse().unwrap_or(0),
                ["stat::peak_rss_mb:", count] => stats.peak_rss_mb = count.parse().unwrap_or(0),
                [number, stage, ..] if number.starts_with('#') => {
                    let Some(edges) = behind("cov:") else { continue };
                    let coverage = Coverage { edges, features: behind("ft:").unwrap_or_default() };
                    stats.after = Some(coverage);
                    if stage == "INITED" {
                        stats.before = Some(coverage);
                    }
                }
                _ => {}
            }
        }
        stats
    }
}

/// The inputs that a process says it ended at, as far as the files are there.
fn artifacts(log: &str) -> Vec<PathBuf> {
    let written = |line: &str| Some(PathBuf::from(line.split_once("; Test unit written to ")?.1));
    log.lines().filter_map(written).filter(|path| is_crash(path) && path.is_file()).collect()
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

/// A libFuzzer process with its log.
pub struct Worker {
    leader: Leader,
    started: Instant,
    log: PathBuf,
    counts: PathBuf,
}

/// What became of a process.
pub struct Ended {
    /// How it ended.
    pub end: Option<End>,
    /// What it said.
    pub stats: Stats,
    /// The inputs at which it says it ended.
    pub artifacts: Vec<PathBuf>,
    /// Its inputs, exactly.
    pub counts: Counts,
    /// How long it ran.
    pub seconds: f64,
    /// The log.
    pub log: PathBuf,
}

impl Ended {
    /// All that it said. libFuzzer repeats the texts of inputs, whatever bytes those are.
    pub fn text(&self) -> String {
        let log = std::fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&log).into_owned()
    }

    /// That the process did not do its work.
    pub fn failure(&self, target: &str) -> Failure {
        let end = self.end.map_or("no end at all".to_owned(), |end| end.to_string());
        let log = self.text();
        let lines: Vec<&str> = log.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        let last = lines.into_iter().rev().collect::<Vec<_>>().join(" / ");
        let log = self.log.display();
        Failure::harness(format!(
            "the fuzz target {target} ended with {end}: {last:?}; {log} has all that it said"
        ))
    }
}

impl Worker {
    /// Starts a command whose program, options and corpora are given. It writes the first free `NAME-N.log`, and for this
    /// time `NAME-N.counts`, in a folder. Call it from the main thread, with whose end the process ends.
    pub fn start(mut command: Command, folder: &Path, name: &str) -> Result<Worker, Failure> {
        let (log, file) = fresh_log(folder, name)?;
        let counts = log.with_extension("counts");
        command.env(counts::VARIABLE, &counts).stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
        let leader = Leader::start(&mut command).map_err(|e| {
            let program = Path::new(command.get_program()).display();
            Failure::harness(format!("the fuzz target {program} cannot be started: {e}"))
        })?;
        Ok(Worker { leader, started: Instant::now(), log, counts })
    }

    /// Inputs so far.
    pub fn counts(&self) -> Counts {
        Counts::read(&self.counts)
    }

    /// Whether the process has ended.
    pub fn has_ended(&self) -> bool {
        self.leader.ended(Duration::ZERO).is_some()
    }

    /// Asks the process to end.
    pub fn interrupt(&self) {
        self.leader.interrupt();
    }

    /// Ends the process at once.
    pub fn kill(&self) {
        self.leader.kill();
    }

    /// Waits a little for the end of the process, ends it if it does not, and reads what it left.
    pub fn finish(self) -> Ended {
        let end = self.leader.ended(GRACE);
        let seconds = self.started.elapsed().as_secs_f64();
        drop(self.leader);
        let counts = Counts::read(&self.counts);
        // Only this run has a use for the file.
        let _ = std::fs::remove_file(&self.counts);
        let mut ended =
            Ended { end, stats: Stats::default(), artifacts: Vec::new(), counts, seconds, log: self.log };
        let text = ended.text();
        (ended.stats, ended.artifacts) = (Stats::read(&text), artifacts(&text));
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
INFO: Running with entropic power schedule (0xFF, 100).
Dictionary: 353 entries
INFO: Seed: 3211
#3\tINITED cov: 1204 ft: 1311 corp: 2/17b exec/s: 0 rss: 61Mb
#8\tNEW    cov: 1210 ft: 1330 corp: 3/33b lim: 512 exec/s: 0 rss: 61Mb L: 16/16 MS: 1 Custom-
#4096\tpulse  corp: 3/33b lim: 512 exec/s: 2048 rss: 61Mb
#9000\tDONE   cov: 1500 ft: 4000 corp: 90/3Kb lim: 512 exec/s: 4500 rss: 70Mb
Done 9000 runs in 2 second(s)
stat::number_of_executed_units: 9000
stat::average_exec_per_sec:     4500
stat::new_units_added:          88
stat::slowest_unit_time_sec:    0
stat::peak_rss_mb:              70
";

    #[test]
    fn artifacts_are_those_that_are_there_and_end_a_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let line = |name: &str| {
            format!("artifact_prefix='x/'; Test unit written to {}\n", folder.path().join(name).display())
        };
        for name in ["crash-1", "slow-unit-2", "crash-unsaid"] {
            std::fs::write(path(name), "").unwrap();
        }
        let log = ["crash-1", "slow-unit-2", "oom-gone"].map(line).concat();
        assert_eq!(artifacts(&log), [path("crash-1")]);
    }

    #[test]
    fn a_log_is_read() {
        let whole = Stats {
            new_units: 88,
            peak_rss_mb: 70,
            before: Some(Coverage { edges: 1204, features: 1311 }),
            after: Some(Coverage { edges: 1500, features: 4000 }),
        };
        assert_eq!(Stats::read(LOG), whole);
        let cut = Stats::read(&LOG[..LOG.find("#8").unwrap()]);
        assert_eq!((cut.before, cut.after, cut.new_units), (whole.before, whole.before, 0));
        assert_eq!(Stats::read("#1\tcov: what ft:\nstat::peak_rss_mb: x"), Stats::default());
    }
}
