//! A campaign: one target after the other under `cargo fuzz run`. libFuzzer's fork mode keeps several processes at work over
//! one corpus until the time is over, and goes on behind an input that ended one of them.

use std::path::Path;
use std::time::{Duration, Instant};

use assay_device::group::ProcessExit;
use assay_files::digest;
use assay_fuzzing::Target;
use assay_fuzzing::counts::Counts;
use assay_records::commands::rounded;
use assay_records::libfuzzer::{LibfuzzerRecord, TargetRecord, VERSION};
use assay_records::{read_json, write_bytes, write_json};
use assay_runner::folder::LIBFUZZER;
use assay_runner::subjects::SubjectName;
use assay_runner::{Context, RunError};

use crate::LibfuzzerError;
use crate::corpus::{Corpus, Session};
use crate::files::{EarlierCrashes, crashes, inputs};
use crate::findings;
use crate::process::{self, Limits};
use crate::repeat::Program;

/// Greatest number of inputs that end a process, beyond one for each process. Then the target stops: its errors must be
/// corrected first.
const MOST_CRASHES: usize = 32;

/// Time beyond its limit after which libFuzzer is asked to end, and after that ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// The plan of a campaign.
pub struct Plan<'a> {
    /// The targets.
    pub targets: &'a [Target],
    /// Time for each target.
    pub time: Duration,
    /// The subject of `differential`.
    pub subject: &'a SubjectName,
    /// The folder for the record and the findings.
    pub out: &'a Path,
}

/// A campaign, and the outcome of it so far.
pub struct Campaign<'a> {
    session: &'a Session,
    context: &'a Context,
    plan: Plan<'a>,
    /// The contents of `libfuzzer.json`.
    pub record: LibfuzzerRecord<Target>,
}

impl<'a> Campaign<'a> {
    /// Loads the progress of an earlier session of the same campaign, if there is one, and writes the record: a
    /// campaign that is killed before its first target is over is then recognised.
    ///
    /// # Errors
    ///
    /// The record cannot be read or written, or it is that of another campaign.
    pub fn start(
        session: &'a Session,
        plan: Plan<'a>,
        context: &'a Context,
    ) -> Result<Campaign<'a>, LibfuzzerError> {
        let path = plan.out.join(LIBFUZZER);
        let mut record = LibfuzzerRecord {
            version: VERSION,
            assay: env!("CARGO_PKG_VERSION").to_owned(),
            sanitizer: session.toolchain.sanitizer,
            subject: plan.subject.to_string(),
            time: plan.time.as_secs(),
            jobs: rayon::current_num_threads(),
            interrupted: false,
            planned: plan.targets.to_owned(),
            targets: [].into(),
        };
        if path.exists() {
            let earlier: LibfuzzerRecord<Target> = read_json(&path).map_err(RunError::from)?;
            let same = (earlier.version, earlier.sanitizer, &earlier.subject, earlier.time)
                == (record.version, record.sanitizer, &record.subject, record.time);
            if !same {
                let problem =
                    "that run has another version, --sanitizer, --subject or --time; choose another --out";
                return Err(LibfuzzerError::input(&path, problem));
            }
            record.targets = earlier.targets;
        }
        let campaign = Campaign { session, context, plan, record };
        campaign.write()?;
        Ok(campaign)
    }

    /// Runs a target, and returns the outcome of it. Returns none if an earlier session did all of it.
    ///
    /// # Errors
    ///
    /// The record cannot be written. All else is noted in the record of the target.
    pub fn run(&mut self, target: Target) -> Result<Option<&TargetRecord>, LibfuzzerError> {
        let mut row = TargetRecord::default();
        let program = self.session.toolchain.program(target);
        let build = digest::sha256_of_file(&program).map_err(LibfuzzerError::file(&program));
        row.build = row.note(build).unwrap_or_default();
        match self.record.targets.get(&target) {
            Some(earlier) if earlier.is_over(&row.build) => return Ok(None),
            Some(earlier) if earlier.finished => {
                let name = target.name();
                self.context.reporter.say(&format!("{name}: another build of it ran; it is run again"));
            }
            _ => {}
        }
        if let Some(corpus) = row.note(self.session.corpus(target)) {
            self.fuzz(&corpus, &mut row)?;
            self.tidy(&corpus, &mut row);
        }
        self.record.interrupted = self.is_stopped();
        if !self.record.interrupted {
            row.finish();
        }
        self.keep(target, &row)?;
        Ok(self.record.targets.get(&target))
    }

    /// Writes the record: the findings are on disk whatever the next step does.
    fn write(&self) -> Result<(), LibfuzzerError> {
        Ok(write_json(&self.plan.out.join(LIBFUZZER), &self.record).map_err(RunError::from)?)
    }

    /// Takes what there is of a target.
    fn keep(&mut self, target: Target, row: &TargetRecord) -> Result<(), LibfuzzerError> {
        let mut row = row.clone();
        row.count();
        self.record.targets.insert(target, row);
        self.write()
    }

    /// Runs a target, and writes its findings before any other step.
    fn fuzz(&mut self, corpus: &Corpus<'_>, row: &mut TargetRecord) -> Result<(), LibfuzzerError> {
        row.coverage.before = row.note(corpus.coverage()).flatten();
        if !self.is_stopped() {
            let fork = Fork { subject: self.plan.subject, time: self.plan.time, patience: PATIENCE };
            let outcome = fork.run(corpus, row);
            row.note(outcome);
        }
        // If an input ends this process as well, the record has at least their number.
        row.crashes = row.note(crashes(&corpus.artifacts)).map_or(0, |crashes| crashes.len());
        self.keep(corpus.target, row)?;
        self.find(corpus, row);
        self.keep(corpus.target, row)
    }

    /// Turns what there is of artifacts into findings.
    fn find(&self, corpus: &Corpus<'_>, row: &mut TargetRecord) {
        let (target, subject, session) = (corpus.target, self.plan.subject, self.session);
        let path = session.toolchain.program(target);
        let program =
            Program { path: &path, target, setting: session.setting(), subject, logs: &session.logs };
        let Some(crashes) = row.note(crashes(&corpus.artifacts)) else { return };
        row.crashes = crashes.len();
        let found = findings::write(target, &crashes, self.context, subject, Some(&program), self.plan.out);
        if let Some(findings) = row.note(found) {
            row.findings = findings;
        }
    }

    /// Minimises the corpus, and measures its coverage. An input that ends the program meanwhile is a finding too.
    fn tidy(&self, corpus: &Corpus<'_>, row: &mut TargetRecord) {
        row.corpus = row.note(corpus.size()).unwrap_or_default();
        if !self.is_stopped()
            && let Some(Some(after)) = row.note(corpus.minimise())
        {
            row.corpus = after.size;
        }
        if !self.is_stopped() {
            row.coverage.after = row.note(corpus.coverage()).flatten();
        }
        let crashes = row.note(crashes(&corpus.artifacts));
        if crashes.is_some_and(|crashes| crashes.len() > row.crashes) {
            self.find(corpus, row);
        }
    }

    fn is_stopped(&self) -> bool {
        self.context.reporter.is_stopped()
    }
}

/// One run of a target in libFuzzer's fork mode.
struct Fork<'a> {
    /// The subject of `differential`.
    subject: &'a SubjectName,
    /// How long.
    time: Duration,
    /// Time beyond that until it is asked to end, and from then on until it is killed.
    patience: Duration,
}

impl Fork<'_> {
    /// Runs the target until the time is over, the user wants to stop or too many inputs have ended it, and writes the
    /// result.
    fn run(&self, corpus: &Corpus<'_>, row: &mut TargetRecord) -> Result<(), LibfuzzerError> {
        let (jobs, target, logs) = (rayon::current_num_threads(), corpus.target, &corpus.session.logs);
        let known = inputs(&corpus.folder)?.len();
        let temporary = corpus.temporary()?;
        let mut command = corpus.cargo_fuzz("run", &corpus.folder);
        command.args([&format!("-fork={jobs}"), "-ignore_crashes=1", "-ignore_ooms=1", "-ignore_timeouts=1"]);
        command.arg(format!("-max_total_time={}", self.time.as_secs().max(1)));
        match target.dictionary() {
            Some(text) => {
                let path = logs.join(format!("{}.dict", target.name()));
                write_bytes(&path, text.as_bytes()).map_err(RunError::from)?;
                command.arg(format!("-dict={}", path.display()));
            }
            // Where the targets have a mutator of their own the schedule by rare features finds no more in the same
            // time (docs/libfuzzer.md), and costs a fifth of it.
            None => drop(command.arg("-entropic=0")),
        }
        command.env("ASSAY_SUBJECT", self.subject.to_string()).env("TMPDIR", temporary.path());
        let earlier = EarlierCrashes::list(&corpus.artifacts)?;
        let reporter = corpus.session.reporter;
        let mut progress = reporter.begin(&format!("inputs of {}", target.name()), None);
        let until = Instant::now() + self.time;
        let mut look = |counts: Counts| {
            progress.at(counts.inputs, 0);
            let is_sound = earlier.since().map_or(0, |crashes| crashes.len()) <= jobs + MOST_CRASHES;
            if !is_sound {
                row.unused = rounded(until.saturating_duration_since(Instant::now()).as_secs_f64(), 3);
            }
            is_sound
        };
        let (time, grace) = (Some(self.time + self.patience), self.patience);
        let limits = Limits { stop: Some(reporter.stop_flag()), time, grace };
        let ended = process::run(command, logs, target.name(), limits, &mut look)?;
        drop(progress);
        row.executions = ended.counts.inputs;
        row.judged = ended.counts.judged;
        row.seconds = rounded(ended.time.as_secs_f64(), 3) * jobs as f64;
        row.peak_rss_mb = ended.counts.peak_rss_kb.div_ceil(1024);
        row.new_units = inputs(&corpus.folder)?.len().saturating_sub(known) as u64;
        let is_sound = ended.end == Some(ProcessExit::Status(0)) || ended.asked;
        match is_sound || !earlier.since()?.is_empty() {
            true => Ok(()),
            false => Err(corpus.failure(&ended)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::with_corpus;

    /// The result of a target whose cargo-fuzz is replaced by a script for a second. `$artifacts` and `$corpus` are the
    /// folders.
    fn run(script: &str) -> (TargetRecord, Result<(), LibfuzzerError>) {
        with_corpus(script, |corpus| {
            // An artifact of an earlier session does not count.
            std::fs::write(corpus.artifacts.join("crash-earlier"), "earlier").unwrap();
            let second = Duration::from_secs(1);
            let fork = Fork { subject: &SubjectName::MODEL, time: second, patience: second * 3 / 10 };
            let mut row = TargetRecord::default();
            let outcome = fork.run(corpus, &mut row);
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
            let said = outcome.err().map(|failure| failure.to_string());
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
            assert!(outcome.is_ok(), "{script}: {:?}", outcome.map_err(|failure| failure.to_string()));
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
