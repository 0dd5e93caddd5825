//! `assay libfuzzer run`: a campaign of the targets, one after the other, each in several processes over one corpus.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use assay_fuzzing::Target;
use assay_records::write_json;
use clap::Args;

use super::corpus::{self, Bounds, Corpus, Rooms};
use super::crash::Crashes;
use super::files::plain_path;
use super::fork::Fork;
use super::options::{chosen, only_defaults, parse_subject, targets};
use super::record::{Record, Row};
use super::repeat::Program;
use super::toolchain::{Sanitizer, Toolchain, digest};
use crate::commands::run_record::{self, Again, LIBFUZZER};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::output;
use crate::time::parse_time;
use crate::voices::Voice;

/// Run libFuzzer targets over persistent corpora, and turn what they stop at into findings.
///
/// Each target runs in --jobs processes, which share its corpus; then the corpus is minimised. Exit status 1 tells that
/// an input violates a property, or that none of a target's inputs reached its judge; 3, that the nightly toolchain is
/// missing, and how to get it, or that the work on a target could not be done to its end; --resume does it again.
#[derive(Args)]
pub struct Run {
    /// The targets; all of them by default.
    #[arg(value_parser = targets())]
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

impl Run {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        only_defaults(context)?;
        let toolchain = Toolchain::find()?;
        let targets = chosen(&self.targets);
        for target in &targets {
            plain_path(&toolchain.program(self.sanitizer, *target))?;
        }
        self.out.as_deref().map_or(Ok(()), plain_path)?;
        let again = if self.resume { Again::Resume } else { Again::of(self.overwrite) };
        let out = run_record::prepare(self.out.as_deref(), "libfuzzer", again)?;
        let _lock = corpus::lock(&self.corpus)?;
        let rooms = Rooms::make(&out)?;
        output::say(format_args!("building {} fuzz targets", targets.len()));
        if !toolchain.build(self.sanitizer, &targets, &rooms.logs)? {
            return Ok(Status::Interrupted);
        }
        let mut campaign = Campaign {
            run: self,
            context,
            toolchain: &toolchain,
            out: &out,
            record: Record::new(self.sanitizer, &self.subject.to_string(), self.time),
        };
        campaign.record.planned.clone_from(&targets);
        campaign.record.go_on(&out.join(LIBFUZZER))?;
        // Also a run that is killed before its first target is over is known for what it is.
        campaign.write()?;
        for target in targets {
            if !campaign.target(target, &rooms)? {
                output::say(format_args!("interrupted; what was found is in {}", out.display()));
                return Ok(Status::Interrupted);
            }
        }
        match context.json {
            true => output::print_json(&campaign.record.json())?,
            false => output::print(&format!("the record is {}\n", out.join(LIBFUZZER).display()))?,
        }
        Ok(campaign.record.status())
    }
}

/// A run and what came of it so far.
struct Campaign<'a> {
    run: &'a Run,
    context: &'a Context,
    toolchain: &'a Toolchain,
    out: &'a Path,
    record: Record,
}

impl Campaign<'_> {
    /// What was found is there whatever becomes of the next step.
    fn write(&self) -> Result<(), Failure> {
        Ok(write_json(&self.out.join(LIBFUZZER), &self.record.json())?)
    }

    /// Takes what there is of a target.
    fn keep(&mut self, target: Target, row: &Row) -> Result<(), Failure> {
        self.record.targets.insert(target, row.clone());
        self.write()
    }

    /// Runs a target, unless an earlier session did. False if the user interrupted it.
    fn target(&mut self, target: Target, rooms: &Rooms) -> Result<bool, Failure> {
        let mut row = Row::default();
        let program = self.toolchain.program(self.run.sanitizer, target);
        row.build = row.note(digest(&program)).unwrap_or_default();
        match self.record.targets.get(&target) {
            Some(earlier) if earlier.is_over(&row.build) => return Ok(true),
            Some(earlier) if earlier.finished => {
                output::say(format_args!("{}: another build of it ran; it is run again", target.name()));
            }
            _ => {}
        }
        if let Some(artifacts) = row.note(rooms.artifacts(target)) {
            let (setting, bounds) = (self.run.bounds.setting(self.run.sanitizer), self.run.bounds);
            let (folder, logs) = (&*self.run.corpus, &*rooms.logs);
            let corpus = Corpus {
                toolchain: self.toolchain,
                target,
                folder,
                logs,
                artifacts: &artifacts,
                setting,
                bounds,
            };
            self.fuzz(&corpus, &program, &mut row)?;
            self.tidy(&corpus, &program, &mut row);
        }
        row.finished = !is_stopped() && row.problem.is_none();
        self.record.interrupted = is_stopped();
        self.keep(target, &row)?;
        match self.context.json {
            true => row
                .problem()
                .into_iter()
                .for_each(|why| output::say(format_args!("{}: {why}", target.name()))),
            false => output::print(&row.text(target))?,
        }
        Ok(!self.record.interrupted)
    }

    /// Runs a target, and writes down what it found before anything else is done.
    fn fuzz(&mut self, corpus: &Corpus<'_>, program: &Path, row: &mut Row) -> Result<(), Failure> {
        row.coverage.before = row.note(corpus.coverage()).flatten();
        if !is_stopped() {
            let outcome = Fork::new(&self.run.subject, self.run.time, corpus).run(row);
            row.note(outcome);
        }
        // Should an input end this process as well, the record says at least that there are some.
        row.crashes =
            row.note(Crashes::of(corpus.target, corpus.artifacts)).map_or(0, |crashes| crashes.len());
        self.keep(corpus.target, row)?;
        self.find(corpus, program, row);
        self.keep(corpus.target, row)
    }

    /// Turns what there is of artifacts into findings.
    fn find(&self, corpus: &Corpus<'_>, program: &Path, row: &mut Row) {
        let (target, setting, logs) = (corpus.target, corpus.setting, corpus.logs);
        let subject = &self.run.subject;
        let program = Program { path: program, target, setting, subject, logs };
        let Some(crashes) = row.note(Crashes::of(target, corpus.artifacts)) else { return };
        row.crashes = crashes.len();
        if let Some(findings) = row.note(crashes.to_findings(self.context, subject, Some(&program), self.out))
        {
            row.findings = findings;
        }
    }

    /// Keeps the corpus small, and measures what it covers. An input that ends the program meanwhile is a finding too.
    fn tidy(&self, corpus: &Corpus<'_>, program: &Path, row: &mut Row) {
        row.corpus = row.note(corpus.open().and_then(|folder| corpus::size(&folder))).unwrap_or_default();
        if !is_stopped()
            && let Some(Some(after)) = row.note(corpus.minimise())
        {
            row.corpus = after.size;
        }
        if !is_stopped()
            && let Some(Some(after)) = row.note(corpus.coverage())
        {
            row.coverage.after = Some(after);
        }
        let crashes = row.note(Crashes::of(corpus.target, corpus.artifacts));
        if crashes.is_some_and(|crashes| crashes.len() > row.crashes) {
            self.find(corpus, program, row);
        }
    }
}

fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}
