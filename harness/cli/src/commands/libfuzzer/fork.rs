//! A target under `cargo fuzz run`: libFuzzer's fork mode keeps several processes at work over one corpus until the time is
//! over, and goes on behind an input that ended one of them.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use assay_process::End;
use assay_records::write_bytes;

use super::corpus::Corpus;
use super::files::{Crashes, inputs};
use super::process::Process;
use super::record::Row;
use crate::failure::Failure;
use crate::interrupt::STOP;
use crate::progress::Progress;
use crate::voices::Voice;

/// Inputs that end a process, beyond one for each process, after which a target is not run any longer: what they show is
/// to be mended first.
const MOST_CRASHES: usize = 32;

/// Time beyond its limit after which libFuzzer is asked to end, and after that ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often the processes are looked after.
const LOOK: Duration = Duration::from_millis(200);

/// What a target is run for.
pub struct Fork<'a> {
    /// The voice under test.
    pub subject: &'a Voice,
    /// How long.
    pub time: Duration,
    /// The corpus.
    pub corpus: &'a Corpus<'a>,
    patience: Duration,
}

impl<'a> Fork<'a> {
    /// Sets up a run.
    pub fn new(subject: &'a Voice, time: Duration, corpus: &'a Corpus<'a>) -> Fork<'a> {
        Fork { subject, time, corpus, patience: PATIENCE }
    }

    /// Runs the target until the time is over, the user wants to stop or too many inputs have ended it, and writes down what
    /// it did.
    pub fn run(&self, row: &mut Row) -> Result<(), Failure> {
        let jobs = rayon::current_num_threads();
        let folder = self.corpus.open()?;
        let known = inputs(&folder)?.len();
        let temporary = self.corpus.temporary()?;
        let mut command = self.corpus.cargo_fuzz("run", &folder);
        command.args([&format!("-fork={jobs}"), "-ignore_crashes=1", "-ignore_ooms=1", "-ignore_timeouts=1"]);
        command.arg(format!("-max_total_time={}", self.time.as_secs().max(1)));
        match self.corpus.target.dictionary() {
            Some(text) => {
                let path = self.corpus.logs.join(format!("{}.dict", self.corpus.target.name()));
                write_bytes(&path, text.as_bytes())?;
                command.arg(format!("-dict={}", path.display()));
            }
            // Where the targets have a mutator of their own the schedule by rare features finds no more in the same
            // time (docs/libfuzzer.md), and costs a fifth of it.
            None => drop(command.arg("-entropic=0")),
        }
        command.env("ASSAY_SUBJECT", self.subject.to_string()).env("TMPDIR", temporary.path());
        let crashes = Crashes::known(self.corpus.artifacts)?;
        let process = Process::start(command, self.corpus.logs, self.corpus.target.name())?;
        let (process, unused) = self.attend(process, jobs, &crashes);
        let ended = process.finish();
        row.executions = ended.counts.inputs;
        row.judged = ended.counts.judged;
        row.seconds = ended.seconds * jobs as f64;
        row.peak_rss_mb = ended.counts.peak_rss_kb.div_ceil(1024);
        row.new_units = inputs(&folder)?.len().saturating_sub(known) as u64;
        row.unused = unused.as_secs_f64();
        let is_sound = ended.end == Some(End::Status(0)) || ended.asked;
        match is_sound || !crashes.since()?.is_empty() {
            true => Ok(()),
            false => Err(ended.failure(self.corpus.target.name())),
        }
    }

    /// Waits for the end of the process, and sees to it where need be. Returns the time that was left when so many inputs had
    /// ended the target that it was stopped.
    fn attend(&self, mut process: Process, jobs: usize, crashes: &Crashes) -> (Process, Duration) {
        let until = Instant::now() + self.time;
        let mut progress = Progress::new(&format!("inputs of {}", self.corpus.target.name()), None);
        let mut unused = Duration::ZERO;
        while !process.has_ended() {
            std::thread::sleep(LOOK);
            progress.at(process.counts().inputs, 0);
            let left = until.saturating_duration_since(Instant::now());
            let crashes = crashes.since().map_or(0, |crashes| crashes.len());
            let is_over = STOP.load(Ordering::Relaxed) || Instant::now() > until + self.patience;
            match process.asked() {
                // One that does not even end when it is asked to is ended.
                Some(since) if since > self.patience => process.kill(),
                Some(_) => {}
                None if crashes > jobs + MOST_CRASHES => {
                    unused = left;
                    process.interrupt();
                }
                None if is_over => process.interrupt(),
                None => {}
            }
        }
        progress.finish();
        (process, unused)
    }
}

#[cfg(test)]
mod tests {
    use super::super::corpus::tests::{Place, with_corpus};
    use super::*;

    /// What becomes of a target whose cargo-fuzz does for a second what a script says. `$artifacts` and `$corpus` are the
    /// folders.
    fn run(script: &str) -> (Row, Result<(), Failure>) {
        with_corpus(script, |corpus, Place { artifacts, .. }| {
            // An artifact of an earlier session excuses nobody.
            std::fs::write(artifacts.join("crash-earlier"), "earlier").unwrap();
            let fork =
                Fork { patience: Duration::from_millis(300), ..Fork::new(&Voice::MODEL, LOOK * 5, corpus) };
            let mut row = Row::default();
            let outcome = fork.run(&mut row);
            (row, outcome)
        })
    }

    #[test]
    fn a_bad_end_without_an_artifact_is_a_problem_and_not_a_crash() {
        for (script, problem) in [
            ("exit 0", None),
            ("echo out of order >&2; exit 77", Some("out of order")),
            ("kill -SEGV $$", Some("signal 11")),
            ("printf bad > $artifacts/slow-unit-1; exit 1", Some("status 1")),
            ("printf bad > $artifacts/crash-1; exit 1", None),
        ] {
            let (_, outcome) = run(script);
            let said = outcome.err().map(|failure| failure.message());
            assert_eq!(said.is_some(), problem.is_some(), "{script}: {said:?}");
            assert!(said.unwrap_or_default().contains(problem.unwrap_or_default()), "{script}");
        }
    }

    #[test]
    fn our_own_interrupt_is_no_problem() {
        for script in [
            "trap 'echo INFO: exiting: 72 time >&2; exit 72' INT; while :; do sleep 0.1; done",
            "trap '' INT; while :; do sleep 0.1; done",
        ] {
            let (row, outcome) = run(script);
            assert!(outcome.is_ok(), "{script}: {:?}", outcome.map_err(|failure| failure.message()));
            assert!(row.unused == 0.0 && row.seconds > 0.0, "{script}");
        }
    }

    #[test]
    fn a_target_that_very_many_inputs_end_is_stopped_and_inputs_that_are_new_are_counted() {
        let script = "printf 1 > $corpus/1; printf 2 > $corpus/2\n\
            for n in $(seq 500); do printf $n > $artifacts/crash-$n; done; sleep 9; exit 1";
        let fork = run(script);
        assert!(fork.1.is_ok() && fork.0.unused > 0.0, "{}", fork.0.unused);
        assert_eq!(fork.0.new_units, 2);
    }
}
