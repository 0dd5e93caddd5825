//! `assay libfuzzer run`: a campaign of the targets, one after the other, each in several processes over one corpus.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use assay_device::process::End;
use assay_engine::fuzzing::counts::Counts;
use assay_engine::result::{write_bytes, write_json};
use clap::Args;

use super::corpus::{self, Bounds, Corpus, Rooms};
use super::crash::Crashes;
use super::record::{Covered, Record, Row};
use super::target::Target;
use super::toolchain::{Sanitizer, Toolchain};
use super::worker::{Coverage, Ended, Worker};
use crate::commands::fuzz::parse_time;
use crate::commands::run_record::{self, Again, LIBFUZZER};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::progress::Progress;
use crate::voices::Voice;

/// Processes that are started again after one ended at an input, so that one bug does not hide the next.
const RESTARTS: usize = 32;

/// Time beyond its limit after which a process is asked to end, and after that ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often the processes are looked after.
const LOOK: Duration = Duration::from_millis(50);

/// Run libFuzzer targets over persistent corpora, and turn what they stop at into findings.
///
/// Each target runs in --jobs processes, which share its corpus; then the corpus is minimised. Exit status 1 tells that
/// an input violates a property, or that none of a target's inputs reached its judge; 3, that the nightly toolchain is
/// missing, and how to get it.
#[derive(Args)]
pub struct Run {
    /// The targets; all of them by default.
    targets: Vec<Target>,
    /// Time for each target, such as 90s, 30m or 8h.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    time: Duration,
    /// Folder of the corpora, one a target; it is made if it is not there, and kept.
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// Folder for the record, findings and logs; the first free runs/libfuzzer-N by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the record in --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Go on with the run in --out: targets that had their time are not run again, and what was found stays.
    #[arg(long, requires = "out", conflicts_with = "overwrite")]
    resume: bool,
    /// What watches the memory of the targets.
    #[arg(long, value_enum, default_value_t = Sanitizer::None)]
    sanitizer: Sanitizer,
    /// The voice under test in `differential`: model or mutant:FAULT.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = parse_subject)]
    subject: Voice,
    #[command(flatten)]
    bounds: Bounds,
}

/// The targets that were asked for: each once, all if there is none.
pub fn chosen(targets: &[Target]) -> Vec<Target> {
    Target::ALL.into_iter().filter(|target| targets.is_empty() || targets.contains(target)).collect()
}

/// The voices that the target `differential` is built with.
pub fn parse_subject(text: &str) -> Result<Voice, String> {
    match text.parse()? {
        voice @ (Voice::Model | Voice::Mutant(_)) => Ok(voice),
        _ => Err("the target is built with the model alone; write model or mutant:FAULT".into()),
    }
}

impl Run {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        super::replay::only_defaults(context)?;
        let toolchain = Toolchain::find()?;
        let again = if self.resume { Again::Resume } else { Again::of(self.overwrite) };
        let out = run_record::prepare(self.out.as_deref(), "libfuzzer", again)?;
        let _lock = corpus::lock(&self.corpus)?;
        let rooms = Rooms::make(&out)?;
        let targets = chosen(&self.targets);
        crate::say(format_args!("building {} fuzz targets", targets.len()));
        if !toolchain.build(self.sanitizer, &targets, &rooms.logs.join("build.log"))? {
            return Ok(Status::Interrupted);
        }
        let mut record = Record::new(self.sanitizer, &self.subject.to_string(), self.time);
        record.go_on(&out.join(LIBFUZZER))?;
        // Also a run that is killed before its first target is over is known for what it is.
        write_json(&out.join(LIBFUZZER), &record.json())?;
        for target in targets {
            if record.targets.get(&target).is_some_and(|row| row.finished) {
                continue;
            }
            let program = toolchain.program(self.sanitizer, target);
            let artifacts = rooms.artifacts(target)?;
            let (folder, logs, bounds) = (&*self.corpus, &*rooms.logs, self.bounds);
            let corpus = Corpus { program: &program, target, folder, logs, artifacts: &artifacts, bounds };
            let row = self.target(context, &corpus, &out)?;
            if !context.json {
                crate::print(&row.text(target))?;
            }
            record.interrupted = !row.finished;
            record.targets.insert(target, row);
            // After each target: what was found is there whatever becomes of the next one.
            write_json(&out.join(LIBFUZZER), &record.json())?;
            if record.interrupted {
                crate::say(format_args!("interrupted; what was found is in {}", out.display()));
                return Ok(Status::Interrupted);
            }
        }
        match context.json {
            true => crate::print_json(&record.json())?,
            false => crate::print(&format!("the record is {}\n", out.join(LIBFUZZER).display()))?,
        }
        Ok(Status::of(record.holds()))
    }

    /// Runs one target, and keeps its corpus small.
    fn target(&self, context: &Context, corpus: &Corpus<'_>, out: &Path) -> Result<Row, Failure> {
        let target = corpus.target;
        let mut hunt = Hunt::new(self, corpus)?;
        hunt.run()?;
        let size = match STOP.load(Ordering::Relaxed) {
            true => None,
            false => corpus.minimise()?,
        };
        let size = size.map_or_else(|| corpus::size(&hunt.folder), Ok)?;
        let after = match STOP.load(Ordering::Relaxed) {
            true => None,
            false => corpus.coverage()?,
        };
        let crashes = Crashes::of(target, corpus.artifacts)?;
        let findings = crashes.to_findings(context, &self.subject, out)?;
        Ok(Row {
            finished: !STOP.load(Ordering::Relaxed),
            executions: hunt.counts.inputs,
            judged: hunt.counts.judged,
            seconds: hunt.seconds,
            peak_rss_mb: hunt.peak_rss_mb,
            coverage: Covered { before: hunt.before, after: after.or(hunt.after) },
            new_units: hunt.new_units,
            corpus: size,
            crashes: crashes.len(),
            findings,
        })
    }
}

/// The processes of a target.
struct Hunt<'a> {
    run: &'a Run,
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
}

impl<'a> Hunt<'a> {
    fn new(run: &'a Run, corpus: &'a Corpus<'a>) -> Result<Hunt<'a>, Failure> {
        let dictionary = match corpus.target.dictionary() {
            None => None,
            Some(text) => {
                let path = corpus.logs.join(format!("{}.dict", corpus.target.name()));
                write_bytes(&path, text.as_bytes())?;
                Some(path)
            }
        };
        Ok(Hunt {
            run,
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
        })
    }

    /// Runs all processes until the time is over, or the user wants to stop.
    fn run(&mut self) -> Result<(), Failure> {
        let jobs = rayon::current_num_threads();
        let until = Instant::now() + self.run.time;
        let mut progress = Progress::new(&format!("inputs of {}", self.corpus.target.name()), None);
        let mut workers = (0..jobs).map(|_| self.start(self.run.time)).collect::<Result<Vec<_>, _>>()?;
        let mut asked: Option<Instant> = None;
        while !workers.is_empty() {
            std::thread::sleep(LOOK);
            // One that does not even end when it is asked to is ended.
            let is_given_up = asked.is_some_and(|asked| asked.elapsed() > PATIENCE);
            let (ended, living): (Vec<_>, Vec<_>) =
                workers.into_iter().partition(|worker| is_given_up || worker.has_ended());
            workers = living;
            for worker in ended {
                let crashed = self.take(worker.finish())?;
                let left = until.saturating_duration_since(Instant::now());
                let goes_on = crashed && self.started < jobs + RESTARTS && left >= Duration::from_secs(1);
                if goes_on && !STOP.load(Ordering::Relaxed) {
                    workers.push(self.start(left)?);
                }
            }
            let inputs: u64 = workers.iter().map(|worker| worker.counts().inputs).sum();
            progress.at(self.counts.inputs + inputs, 0);
            let is_over = STOP.load(Ordering::Relaxed) || Instant::now() > until + PATIENCE;
            if is_over && asked.is_none() {
                asked = Some(Instant::now());
                workers.iter().for_each(Worker::interrupt);
            }
        }
        progress.finish();
        Ok(())
    }

    /// Starts a process for a time.
    fn start(&mut self, time: Duration) -> Result<Worker, Failure> {
        self.started += 1;
        let mut command = self.corpus.command();
        command.arg(format!("-max_total_time={}", time.as_secs().max(1)));
        if let Some(dictionary) = &self.dictionary {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        command.arg(&self.folder).env("ASSAY_SUBJECT", self.run.subject.to_string());
        let name = format!("{}-{}", self.corpus.target.name(), self.started);
        Worker::start(command, self.corpus.logs, &name)
    }

    /// Adds what a process did, and says whether it ended at an input.
    fn take(&mut self, ended: Ended) -> Result<bool, Failure> {
        self.counts += ended.counts;
        self.seconds += ended.seconds;
        self.new_units += ended.stats.new_units;
        self.peak_rss_mb = self.peak_rss_mb.max(ended.stats.peak_rss_mb);
        self.before = self.before.or(ended.stats.before);
        self.after = ended.stats.after.max(self.after);
        let stopped = STOP.load(Ordering::Relaxed);
        if ended.end == Some(End::Status(0)) || stopped {
            return Ok(false);
        }
        // An input of the corpus that ends the program would end the next process as well.
        let crashes = Crashes::of(self.corpus.target, self.corpus.artifacts)?;
        match crashes.len() {
            0 => Err(ended.failure(self.corpus.target.name())),
            _ => crashes.leave(&self.folder).map(|()| true),
        }
    }
}
