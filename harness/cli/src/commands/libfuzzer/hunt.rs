//! The processes of a target: side by side over one corpus, until the time is over.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use assay_device::process::End;
use assay_fuzzing::counts::Counts;
use assay_records::write_bytes;

use super::corpus::{self, Corpus};
use super::record::{Covered, Row};
use super::worker::{Coverage, Ended, Worker};
use crate::failure::Failure;
use crate::interrupt::STOP;
use crate::progress::Progress;
use crate::voices::Voice;

/// Processes that are started again after one ended at an input, so that one bug does not hide the next.
const RESTARTS: usize = 32;

/// Time beyond its limit after which a process is asked to end, and after that ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often the processes are looked after.
const LOOK: Duration = Duration::from_millis(50);

/// The status of a process that ended because it was asked to.
const INTERRUPTED: i32 = 72;

/// The processes of a target.
pub struct Hunt<'a> {
    subject: &'a Voice,
    time: Duration,
    patience: Duration,
    corpus: &'a Corpus<'a>,
    folder: PathBuf,
    dictionary: Option<PathBuf>,
    /// Processes that were started.
    started: usize,
    counts: Counts,
    /// Of all processes together.
    seconds: f64,
    new_units: u64,
    peak_rss_mb: u64,
    before: Option<Coverage>,
    after: Option<Coverage>,
    /// The first that did not do its work: the others go on.
    problem: Option<Failure>,
    /// Seconds that were left when so many processes had ended at an input that no more were started.
    unused: f64,
}

impl<'a> Hunt<'a> {
    /// Makes all ready for the processes.
    pub fn new(subject: &'a Voice, time: Duration, corpus: &'a Corpus<'a>) -> Result<Hunt<'a>, Failure> {
        let dictionary = match corpus.target.dictionary() {
            None => None,
            Some(text) => {
                let path = corpus.logs.join(format!("{}.dict", corpus.target.name()));
                write_bytes(&path, text.as_bytes())?;
                Some(path)
            }
        };
        Ok(Hunt {
            subject,
            time,
            patience: PATIENCE,
            corpus,
            folder: corpus.open()?,
            dictionary,
            started: 0,
            counts: Counts::default(),
            seconds: 0.0,
            new_units: 0,
            peak_rss_mb: 0,
            before: None,
            after: None,
            problem: None,
            unused: 0.0,
        })
    }

    /// Writes down what the processes did.
    pub fn into_row(self, row: &mut Row) {
        row.executions = self.counts.inputs;
        row.judged = self.counts.judged;
        row.seconds = self.seconds;
        row.peak_rss_mb = self.peak_rss_mb;
        row.coverage = Covered { before: self.before, after: self.after };
        row.new_units = self.new_units;
        row.unused = self.unused;
        row.note(self.problem.map_or(Ok(()), Err));
    }

    /// Runs all processes until the time is over, or the user wants to stop.
    pub fn run(&mut self) {
        let jobs = rayon::current_num_threads();
        let until = Instant::now() + self.time;
        let mut progress = Progress::new(&format!("inputs of {}", self.corpus.target.name()), None);
        let mut workers: Vec<Worker> = (0..jobs).filter_map(|_| self.start(self.time)).collect();
        let mut asked: Option<Instant> = None;
        while !workers.is_empty() {
            std::thread::sleep(LOOK);
            // One that does not even end when it is asked to is ended.
            let is_given_up = asked.is_some_and(|asked| asked.elapsed() > self.patience);
            if is_given_up {
                workers.iter().for_each(Worker::kill);
            }
            let (ended, living): (Vec<_>, Vec<_>) =
                workers.into_iter().partition(|worker| is_given_up || worker.has_ended());
            workers = living;
            for worker in ended {
                let crashed = self.take(worker.finish(), asked.is_some());
                let left = until.saturating_duration_since(Instant::now());
                let goes_on = crashed && left >= Duration::from_secs(1) && !STOP.load(Ordering::Relaxed);
                match goes_on {
                    true if self.started < jobs + RESTARTS => workers.extend(self.start(left)),
                    true if workers.is_empty() => self.unused = left.as_secs_f64(),
                    _ => {}
                }
            }
            let inputs: u64 = workers.iter().map(|worker| worker.counts().inputs).sum();
            progress.at(self.counts.inputs + inputs, 0);
            let is_over = STOP.load(Ordering::Relaxed) || Instant::now() > until + self.patience;
            if is_over && asked.is_none() {
                asked = Some(Instant::now());
                workers.iter().for_each(Worker::interrupt);
            }
        }
        progress.finish();
    }

    /// Starts a process for a time; none if it cannot be started.
    fn start(&mut self, time: Duration) -> Option<Worker> {
        self.started += 1;
        let mut command = self.corpus.command();
        command.arg(format!("-max_total_time={}", time.as_secs().max(1)));
        match &self.dictionary {
            Some(dictionary) => command.arg(format!("-dict={}", dictionary.display())),
            // Where the targets have a mutator of their own the schedule by rare features finds no more in the same
            // time (docs/libfuzzer.md), and costs a fifth of it.
            None => command.arg("-entropic=0"),
        };
        command.arg(&self.folder).env("ASSAY_SUBJECT", self.subject.to_string());
        let started = Worker::start(command, self.corpus.logs, self.corpus.target.name());
        self.note(started)
    }

    /// Keeps the first problem.
    fn note<T>(&mut self, outcome: Result<T, Failure>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(failure) => {
                self.problem.get_or_insert(failure);
                None
            }
        }
    }

    /// Adds what a process did, and says whether it ended at an input.
    fn take(&mut self, ended: Ended, asked: bool) -> bool {
        self.counts += ended.counts;
        self.seconds += ended.seconds;
        self.new_units += ended.stats.new_units;
        self.peak_rss_mb = self.peak_rss_mb.max(ended.stats.peak_rss_mb);
        self.before = self.before.or(ended.stats.before);
        self.after = ended.stats.after.max(self.after);
        let crashed = !ended.artifacts.is_empty();
        let is_end = match ended.end {
            Some(End::Status(0)) => true,
            Some(End::Status(INTERRUPTED)) => asked || STOP.load(Ordering::Relaxed),
            // SIGINT and SIGKILL: those that we send.
            Some(End::Signal(2 | 9)) | None => asked,
            _ => false,
        };
        let left = corpus::leave(&ended.artifacts, &self.folder, self.corpus.target.longest());
        self.note(left);
        if !crashed && !is_end {
            self.problem.get_or_insert_with(|| ended.failure(self.corpus.target.name()));
        }
        crashed
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::super::corpus::Bounds;
    use super::super::files::inputs;
    use super::super::repeat::Setting;
    use super::*;
    use assay_fuzzing::target::Target;

    /// What processes do for a second that do what a script says. `$1` is the folder of the artifacts, `$2` of the corpus.
    fn hunted(script: &str) -> (Row, usize, Vec<PathBuf>) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let arguments = "for a; do case $a in -artifact_prefix=*) set -- \"${a#*=}\";; esac; last=$a; done; set -- $1 $last";
        fs::write(path("program"), format!("#!/bin/sh\n{arguments}\n{script}\n")).unwrap();
        fs::set_permissions(path("program"), fs::Permissions::from_mode(0o755)).unwrap();
        for name in ["logs", "artifacts"] {
            fs::create_dir(path(name)).unwrap();
        }
        // An artifact of an earlier session excuses nobody.
        fs::write(path("artifacts/crash-earlier"), "earlier").unwrap();
        let bounds = Bounds { rss_limit: 64, timeout: 1, most_inputs: 9, most_bytes: 99 };
        let corpus = Corpus {
            program: &path("program"),
            target: Target::Decode,
            folder: &path("corpora"),
            logs: &path("logs"),
            artifacts: &path("artifacts"),
            setting: Setting::USUAL,
            bounds,
        };
        let mut hunt = Hunt::new(&Voice::Model, Duration::from_secs(1), &corpus).unwrap();
        hunt.patience = Duration::from_millis(300);
        hunt.run();
        let (started, mut row) = (hunt.started, Row::default());
        hunt.into_row(&mut row);
        (row, started, files(&path("corpora/decode")))
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        inputs(folder).unwrap().into_iter().map(|(_, path)| path).collect()
    }

    #[test]
    fn a_bad_end_without_an_artifact_is_a_problem_and_not_a_crash() {
        let jobs = rayon::current_num_threads();
        for (script, problem) in [
            ("exit 0", None),
            ("echo out of order >&2; exit 77", Some("out of order")),
            ("exit 72", Some("status 72")),
            ("kill -SEGV $$", Some("signal 11")),
            ("echo \"x; Test unit written to $1/crash-gone\" >&2; exit 77", Some("status 77")),
        ] {
            let (row, started, _) = hunted(script);
            let said = row.problem.clone().unwrap_or_default();
            assert_eq!((row.problem.is_some(), started), (problem.is_some(), jobs), "{script}: {said}");
            assert!(said.contains(problem.unwrap_or_default()), "{script}: {said}");
        }
    }

    #[test]
    fn our_own_interrupt_is_no_problem() {
        for script in
            ["trap 'exit 72' INT; while :; do sleep 0.1; done", "trap '' INT; while :; do sleep 0.1; done"]
        {
            let (row, _, _) = hunted(script);
            assert_eq!(row.problem, None, "{script}");
        }
    }

    #[test]
    fn an_input_that_ends_a_process_leaves_the_corpus() {
        let script = "printf bad > $1/crash-1; printf bad > $2/seed; printf good > $2/other\n\
            echo \"artifact_prefix='$1/'; Test unit written to $1/crash-1\" >&2; exit 77";
        let (row, _, left) = hunted(script);
        assert_eq!(row.problem, None);
        assert!(left.iter().all(|path| path.ends_with("other")) && left.len() == 1, "{left:?}");
    }
}
