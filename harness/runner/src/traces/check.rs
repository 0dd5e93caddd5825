//! Every recorded case, judged.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use assay_engine::compare::versus::Parties;
use assay_engine::run::CampaignError;
use assay_engine::run::recorded::Hearing;
use assay_engine::stats::tally::Tally;
use assay_hardware::trace::{Digest, Reader, TraceError};
use assay_records::{Outcome, Plan, Setting, Shard};

use super::found::{Found, Written};
use super::turn::{Ticket, Turn};
use crate::build;
use crate::context::Context;
use crate::error::RunError;
use crate::folder::{self, Again, Folder};
use crate::reporter::{Progress, Reporter};
use crate::subjects::{PREFIX, Voice};

/// Traces to judge.
#[derive(Clone, Debug)]
pub struct Request {
    /// Their files.
    pub traces: Vec<PathBuf>,
    /// Folder for results and findings; the first free `runs/trace-N` for none.
    pub out: Option<PathBuf>,
    /// Findings that are written at most.
    pub limit: usize,
    /// Whether a result in the folder is replaced.
    pub overwrite: bool,
}

/// What came of a check.
pub struct CheckedTraces {
    /// The traces.
    pub readers: Vec<Reader>,
    /// What was counted.
    pub outcome: Outcome,
    /// The findings that were written.
    pub found: Vec<Written>,
    /// How long it took.
    pub seconds: f64,
    /// The folder.
    pub folder: Folder,
    /// Name of the profile in force.
    pub profile: String,
    /// What is wrong with a trace: those before it were judged.
    pub error: Option<TraceError>,
    /// Whether the user ended it.
    pub interrupted: bool,
}

/// What was judged of the traces, and why that is not all of them.
#[derive(Default)]
struct Judged {
    /// Counts about the traces.
    trace: Tally,
    /// The first cases in which the model alone diverges.
    model: Tally,
    /// What is wrong with a trace.
    error: Option<TraceError>,
    interrupted: bool,
}

impl Request {
    /// Judges every recorded case, under the profile sm90 unless the user named another, and writes the folder.
    pub fn check(&self, context: &Context) -> Result<CheckedTraces, RunError> {
        let context = &context.under("sm90")?;
        let readers = self.traces.iter().map(|path| Reader::open(path)).collect::<Result<Vec<_>, _>>()?;
        let mut seen = BTreeSet::new();
        if let Some(twice) = readers.iter().find(|reader| !seen.insert(&reader.header().hash)) {
            let hash = &twice.header().hash;
            return Err(RunError::input(format!(
                "two of the files are the same trace, {hash}: name it once"
            )));
        }
        let again = Again::of(self.overwrite);
        let folder = folder::prepare(self.out.as_deref(), "trace", again, context.reporter)?;
        let setup = context.setup(&Voice::MODEL, None);
        let parties = setup.parties();
        let started = Instant::now();
        let judged = judge_all(&readers, &parties, context.reporter)?;
        let seconds = started.elapsed().as_secs_f64();
        let plan = plan(context, &readers)?;
        let is_whole = judged.error.is_none() && !judged.interrupted;
        let outcome = match is_whole {
            true => Outcome::new(plan, Shard::WHOLE, judged.trace),
            false => Outcome::partial(plan, judged.trace),
        };
        folder::record(&folder, &outcome, seconds, &[build::identity()?], context.reporter)?;
        let found = Found::collect(&outcome, judged.model, &readers, &parties, setup.oracles())?;
        let found = found.write(&folder, self.limit, context)?;
        folder::close(&folder, &outcome)?;
        let (error, interrupted) = (judged.error, judged.interrupted);
        let profile = context.profile.name.clone();
        Ok(CheckedTraces { readers, outcome, found, seconds, folder, profile, error, interrupted })
    }
}

fn plan(context: &Context, readers: &[Reader]) -> Result<Plan, RunError> {
    let mut devices: Vec<&str> = readers.iter().map(|reader| reader.header().device.as_str()).collect();
    devices.sort_unstable();
    devices.dedup();
    let traces = readers.iter().map(|reader| (reader.header().hash.clone(), reader.header().cases));
    let subject = format!("{}{}", PREFIX, devices.join(" and "));
    // What a trace holds is given: no share of it is asked for.
    let setting = Setting { subject, judged: Default::default(), ..context.setting(&Voice::MODEL, None)? };
    Ok(Plan::Trace { traces: traces.collect(), setting })
}

/// Judges one trace after the other, until one cannot be read.
fn judge_all(readers: &[Reader], parties: &Parties<'_>, reporter: &dyn Reporter) -> Result<Judged, RunError> {
    let cases = readers.iter().map(|reader| reader.header().cases).sum();
    let progress = Mutex::new((reporter.begin("cases", Some(cases)), 0, 0));
    let mut all = Judged::default();
    let mut offset = 0;
    for reader in readers {
        let judged = judge(reader, offset, parties, (&progress, reporter))?;
        offset += reader.header().cases;
        all.trace.merge(judged.trace);
        all.model.merge(judged.model);
        (all.error, all.interrupted) = (judged.error, judged.interrupted);
        if all.error.is_some() || all.interrupted {
            break;
        }
    }
    drop(progress);
    let counted = all.trace.agreement.total();
    let planned = if all.error.is_none() && !all.interrupted { cases } else { all.trace.cases };
    match all.trace.verdicts.total() == planned && counted == planned {
        true => Ok(all),
        false => Err(CampaignError::Short { executed: counted, planned }.into()),
    }
}

/// Progress of all workers, with the cases and divergences so far.
type Shown = Mutex<(Box<dyn Progress>, u64, u64)>;

/// Judges a trace on all threads, each with a row group at a time.
fn judge(
    reader: &Reader,
    offset: u64,
    parties: &Parties<'_>,
    (shown, reporter): (&Shown, &dyn Reporter),
) -> Result<Judged, RunError> {
    let gate = Turn::new(Digest::default(), reader.groups());
    let error = Mutex::new(None);
    let work = || {
        let mut hearing = Hearing::new(parties);
        while let Some(ticket) = gate.take().filter(|_| !reporter.is_stopped()) {
            let before = (hearing.trace.cases, hearing.trace.verdicts.diverged);
            match hear(ticket, reader, offset, parties, &mut hearing) {
                Ok(true) => {}
                Ok(false) => break,
                Err(failed) => {
                    if matches!(failed, Stopped::Voice(_)) {
                        gate.stop();
                    }
                    error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failed);
                    break;
                }
            }
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            let (progress, cases, diverged) = &mut *shown;
            *cases += hearing.trace.cases - before.0;
            *diverged += hearing.trace.verdicts.diverged - before.1;
            progress.at(*cases, *diverged);
        }
        (hearing.trace, hearing.model)
    };
    let mut judged = Judged::default();
    for (trace, model) in rayon::broadcast(|_| work()) {
        judged.trace.merge(trace);
        judged.model.merge(model);
    }
    let (digest, is_whole) = gate.finish();
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(Stopped::Trace(error)) => judged.error = Some(error),
        Some(Stopped::Voice(error)) => return Err(error.into()),
        None if is_whole => judged.error = reader.check_hash(digest).err(),
        None => judged.interrupted = true,
    }
    Ok(judged)
}

/// Why a worker stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    /// The trace cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A voice failed.
    #[error(transparent)]
    Voice(#[from] assay_isa::VoiceError),
}

/// Reads a row group, adds it to the hash in its turn, and judges it. Answers whether the gate was open.
fn hear(
    ticket: Ticket<'_, Digest>,
    reader: &Reader,
    offset: u64,
    parties: &Parties<'_>,
    hearing: &mut Hearing<'_>,
) -> Result<bool, Stopped> {
    let group = reader.group(ticket.piece, parties.numbers)?;
    if !ticket.pass(|digest| digest.add(&group.content)) {
        return Ok(false);
    }
    drop(group.content);
    for run in &group.runs {
        hearing.hear(&run.instruction, &run.batch, &run.effects, offset + run.first)?;
    }
    Ok(true)
}
