//! `assay trace check`: every recorded case, judged.

mod found;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use assay_engine::compare::versus::Parties;
use assay_engine::result::{Outcome, Plan, Setting, Shard};
use assay_engine::run::campaign::CampaignError;
use assay_engine::run::recorded::Hearing;
use assay_engine::stats::tally::Tally;
use assay_hardware::trace::{Digest, Reader, TraceError};
use clap::Args;
use serde_json::json;

use self::found::Found;
use super::turn::{Ticket, Turn};
use crate::build;
use crate::commands::run_record::{self, Again, rounded};
use crate::commands::selection::parties;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::output;
use crate::progress::Progress;
use crate::voices::PREFIX;
use crate::voices::Voice;

/// Judge what traces recorded, with the model as a witness.
///
/// Every recorded case is held against the oracle, under the profile sm90 unless --profile names another, and the model
/// executes the same inputs. Where the three do not agree, the one that stands alone is blamed. The first divergences
/// are written as cases that `assay replay` explains. Exit status 1 tells that there were some.
#[derive(Args)]
pub struct Check {
    /// Files that `assay trace capture` wrote.
    #[arg(required = true, value_name = "FILE")]
    traces: Vec<PathBuf>,
    /// Folder for results and findings; the first free runs/trace-N by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write so many findings at most.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Replace the result in --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
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

impl Check {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let context = &context.clone().under("sm90")?;
        let readers = self.traces.iter().map(|path| Reader::open(path)).collect::<Result<Vec<_>, _>>()?;
        let mut seen = BTreeSet::new();
        if let Some(twice) = readers.iter().find(|reader| !seen.insert(&reader.header().hash)) {
            let hash = &twice.header().hash;
            return Err(Failure::input(format!("two of the files are the same trace, {hash}: name it once")));
        }
        let folder = run_record::prepare(self.out.as_deref(), "trace", Again::of(self.overwrite))?;
        let subject = || context.subject(&Voice::Model);
        let oracle = || context.oracle(None);
        let oracles = |readings| context.oracle_under(readings, None);
        let parties = parties(context, &subject, &oracle);
        let started = Instant::now();
        let judged = judge_all(&readers, &parties)?;
        let seconds = started.elapsed().as_secs_f64();
        let plan = plan(context, &readers)?;
        let is_whole = judged.error.is_none() && !judged.interrupted;
        let outcome = match is_whole {
            true => Outcome::new(plan, Shard::WHOLE, judged.trace),
            false => Outcome::partial(plan, judged.trace),
        };
        run_record::record(&folder, &outcome, seconds, &[build::identity()?])?;
        let found = Found::collect(&outcome, judged.model, &readers, &parties, &oracles)?;
        let found = found.write(&folder, self.limit, context)?;
        run_record::close(&folder, &outcome)?;
        print(context, &readers, &outcome, &found, seconds, &folder)?;
        if let Some(error) = judged.error {
            output::say(format_args!("what was judged until then is above and in {}", folder.display()));
            Failure::from(error).report();
            return Ok(Status::BadInput);
        }
        if judged.interrupted {
            return Ok(Status::Interrupted);
        }
        Ok(run_record::status(&outcome.tally))
    }
}

fn plan(context: &Context, readers: &[Reader]) -> Result<Plan, Failure> {
    let mut devices: Vec<&str> = readers.iter().map(|reader| reader.header().device.as_str()).collect();
    devices.sort_unstable();
    devices.dedup();
    let traces = readers.iter().map(|reader| (reader.header().hash.clone(), reader.header().cases));
    let subject = format!("{}{}", PREFIX, devices.join(" and "));
    // What a trace holds is given: no share of it is asked for.
    let setting = Setting { subject, judged: Default::default(), ..context.setting(&Voice::Model, None)? };
    Ok(Plan::Trace { traces: traces.collect(), setting })
}

/// Judges one trace after the other, until one cannot be read.
fn judge_all(readers: &[Reader], parties: &Parties<'_>) -> Result<Judged, Failure> {
    let cases = readers.iter().map(|reader| reader.header().cases).sum();
    let progress = Mutex::new((Progress::new("cases", Some(cases)), 0, 0));
    let mut all = Judged::default();
    let mut offset = 0;
    for reader in readers {
        let judged = judge(reader, offset, parties, &progress)?;
        offset += reader.header().cases;
        all.trace.merge(judged.trace);
        all.model.merge(judged.model);
        (all.error, all.interrupted) = (judged.error, judged.interrupted);
        if all.error.is_some() || all.interrupted {
            break;
        }
    }
    let (progress, ..) = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.finish();
    let counted = all.trace.agreement.total();
    let planned = if all.error.is_none() && !all.interrupted { cases } else { all.trace.cases };
    match all.trace.verdicts.total() == planned && counted == planned {
        true => Ok(all),
        false => Err(CampaignError::Short { executed: counted, planned }.into()),
    }
}

/// Progress of all workers, with the cases and divergences so far.
type Shown = Mutex<(Progress, u64, u64)>;

/// Judges a trace on all threads, each with a row group at a time.
fn judge(reader: &Reader, offset: u64, parties: &Parties<'_>, shown: &Shown) -> Result<Judged, Failure> {
    let gate = Turn::new(Digest::default(), reader.groups());
    let error = Mutex::new(None);
    let work = || {
        let mut hearing = Hearing::new(parties);
        while let Some(ticket) = gate.take().filter(|_| !STOP.load(Ordering::Relaxed)) {
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

fn print(
    context: &Context,
    readers: &[Reader],
    outcome: &Outcome,
    found: &[found::Written],
    seconds: f64,
    folder: &Path,
) -> Result<(), Failure> {
    let tally = &outcome.tally;
    let rate = tally.cases as f64 / seconds;
    if context.json {
        let traces = readers.iter().map(|reader| json!({ "path": reader.path(), "header": reader.header() }));
        return output::print_json(&json!({
            "traces": traces.collect::<Vec<_>>(),
            "cases": tally.cases,
            "verdicts": tally.verdicts,
            "divergences": tally.verdicts.diverged,
            "agreement": tally.agreement,
            "undefined": tally.undefined,
            "functions": assay_reports::functions(outcome),
            "findings": found.iter().map(|bug| &bug.path).collect::<Vec<_>>(),
            "blamed": found.iter().map(|bug| bug.blame).collect::<Vec<_>>(),
            "profile": context.profile.name,
            "seconds": rounded(seconds, 3),
            "cases_per_second": rate.round(),
            "out": folder,
        }));
    }
    let mut page = assay_reports::text(outcome);
    for bug in found {
        page += &format!("found {}: {}\n  assay replay {}\n", bug.signature, bug.blame, bug.path.display());
    }
    let (cases, folder) = (tally.cases, folder.display());
    let rate = rate / 1e6;
    page += &format!("{cases} cases in {seconds:.1} s, {rate:.2} million a second; results in {folder}\n");
    output::print(&page)
}
