//! Judges every recorded case of some traces.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use assay_engine::compare::comparator::Setup;
use assay_engine::run::CampaignError;
use assay_engine::run::trace_judge::TraceJudge;
use assay_engine::stats::tally::Tally;
use assay_hardware::trace::{Digest, Group, Header, Reader, Run, TraceError};
use assay_isa::shown::quoted;
use assay_isa::{BackendError, catalog};
use assay_records::verdict::has_some_operands;
use assay_records::{Plan, RunDemands, RunResult, Setting, Shard};
use rayon::prelude::*;

use super::findings::{TraceFindings, WrittenFinding};
use crate::build;
use crate::context::Context;
use crate::error::RunError;
use crate::folder::{self, ExistingFolder, Folder};
use crate::reporter::{Progress, Reporter};
use crate::shares;
use crate::subjects::{PREFIX, SubjectName};

/// Traces to judge.
#[derive(Clone, Debug)]
pub struct TraceCheckRequest {
    /// Paths of the trace files.
    pub traces: Vec<PathBuf>,
    /// Folder for results and findings. `None` selects the first free `runs/trace-N`.
    pub out: Option<PathBuf>,
    /// Greatest number of findings to write.
    pub limit: usize,
    /// The demands that the command line makes on the traces.
    pub demands: RunDemands,
    /// Whether a result in the folder is replaced.
    pub overwrite: bool,
}

/// The outcome of a check.
pub struct CheckedTraces {
    /// The traces.
    pub readers: Vec<Reader>,
    /// The counts.
    pub outcome: RunResult,
    /// The findings that were written.
    pub found: Vec<WrittenFinding>,
    /// Duration in seconds.
    pub seconds: f64,
    /// The folder of the run.
    pub folder: Folder,
    /// Name of the profile in force.
    pub profile: String,
    /// The error that ended the check, if a trace is damaged. The earlier traces were judged.
    pub error: Option<TraceError>,
    /// Why some files could not be written, such as a full disk.
    pub unwritten: Option<RunError>,
    /// Whether the user stopped the check.
    pub interrupted: bool,
}

/// The counts of the judged traces, and the reason if some were not judged.
#[derive(Default)]
struct JudgedTraces {
    /// The counts of the traces.
    trace: Tally,
    /// The first cases in which only the model diverges.
    model: Tally,
    /// The error in a trace.
    error: Option<TraceError>,
    interrupted: bool,
}

impl TraceCheckRequest {
    /// Judges every recorded case, and writes the folder. The profile is sm90 unless the user named
    /// another.
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
        readers.iter().try_for_each(check_declined)?;
        let plan = plan(context, &readers)?;
        shares::check(&self.demands, plan.setting())?;
        let again = ExistingFolder::of(self.overwrite);
        let folder = folder::prepare(self.out.as_deref(), "trace", again, context.reporter)?;
        let setup = context.setup(&SubjectName::MODEL, None);
        let compared = setup.compared();
        let started = Instant::now();
        let judged = judge_all(&readers, &compared, context.reporter)?;
        let seconds = started.elapsed().as_secs_f64();
        let is_whole = judged.error.is_none() && !judged.interrupted;
        let outcome = if is_whole {
            RunResult::new(plan, Shard::WHOLE, judged.trace)
        } else {
            RunResult::partial(plan, judged.trace)
        };
        let early = judged.error.as_ref().map(TraceError::to_string);
        let outcome = outcome.judge(self.demands.clone(), BTreeSet::new(), early.as_deref())?;
        let record = folder::record(&folder, &outcome, seconds, &[build::identity()?], context.reporter);
        let mut unwritten = record.err();
        let found = TraceFindings::collect(&outcome, judged.model, &readers, &compared, setup.oracles())?;
        let (found, problem) = found.write(&folder, self.limit, context);
        unwritten = unwritten.or(problem);
        if unwritten.is_none() {
            unwritten = folder::close(&folder, &outcome).err();
        }
        let (error, interrupted) = (judged.error, judged.interrupted);
        let profile = context.profile.name.clone();
        Ok(CheckedTraces { readers, outcome, found, seconds, folder, profile, error, unwritten, interrupted })
    }
}

fn plan(context: &Context, readers: &[Reader]) -> Result<Plan, RunError> {
    let mut devices: Vec<&str> = readers.iter().map(|reader| reader.header().device.as_str()).collect();
    devices.sort_unstable();
    devices.dedup();
    let traces = readers.iter().map(|reader| (reader.header().hash.clone(), cases(reader)));
    let subject = format!("{}{}", PREFIX, devices.join(" and "));
    // A trace check does not compare results of different inputs, so its setting has no limits on
    // inversions.
    let inversions = Default::default();
    let setting = Setting { subject, inversions, ..context.setting(&SubjectName::MODEL, None)? };
    Ok(Plan::Trace { traces: traces.collect(), setting })
}

/// Returns the number of cases that the recorded device declined, by form. Empty for a GPU, and for
/// an implementation of `assay` that supports some modes only with some operands. Such subjects may
/// decline cases.
fn declined(header: &Header) -> impl Iterator<Item = (&str, u64)> {
    let is_device = header.compute_capability.is_none() && !has_some_operands(&header.device);
    let declined = header.declined.iter().filter(move |_| is_device);
    declined.map(|(form, cases)| (form.as_str(), *cases))
}

/// Refuses a header whose counts of declined cases are impossible: they name an unknown form, or
/// the trace would have too many cases.
fn check_declined(reader: &Reader) -> Result<(), RunError> {
    let header = reader.header();
    let refused = |problem: String| RunError::input(format!("{}: {problem}", reader.path().display()));
    if let Some(form) = header.declined.keys().find(|form| catalog().form(form).is_none()) {
        return Err(refused(format!("`declined` of the header has `{}`, which is no form", quoted(form))));
    }
    let each = header.declined.values().chain([&header.cases]);
    let total = each.copied().try_fold(0, u64::checked_add).filter(|total| *total <= MOST_CASES);
    total.map(drop).ok_or_else(|| refused("the header counts more cases than a trace can have".into()))
}

/// Greatest number of cases of a trace, including those that its device declined.
const MOST_CASES: u64 = 1 << 48;

/// Returns the number of cases of a trace, including those that its device declined.
fn cases(reader: &Reader) -> u64 {
    reader.header().cases + declined(reader.header()).map(|(_, cases)| cases).sum::<u64>()
}

/// Judges the traces in order, until a trace cannot be read or the user stops the check.
fn judge_all(
    readers: &[Reader],
    compared: &Setup<'_>,
    reporter: &dyn Reporter,
) -> Result<JudgedTraces, RunError> {
    let cases = readers.iter().map(cases).sum();
    let mut progress = reporter.begin("cases", Some(cases));
    let mut all = JudgedTraces::default();
    let mut offset = 0;
    for reader in readers {
        judge(reader, offset, compared, (&mut *progress, reporter), &mut all)?;
        offset += reader.header().cases;
        if all.error.is_some() || all.interrupted {
            break;
        }
        declined(reader.header()).for_each(|(form, cases)| all.trace.count_declined(form, cases));
    }
    drop(progress);
    let counted = all.trace.agreement.total();
    let planned = if all.error.is_none() && !all.interrupted { cases } else { all.trace.cases };
    if all.trace.verdicts.total() == planned && counted == planned {
        Ok(all)
    } else {
        Err(CampaignError::Short { executed: counted, planned }.into())
    }
}

/// Judges a trace up to the first row group that cannot be read. Reads at most one group for each
/// thread at a time, because the groups must fit into memory.
fn judge(
    reader: &Reader,
    offset: u64,
    compared: &Setup<'_>,
    (progress, reporter): (&mut dyn Progress, &dyn Reporter),
    all: &mut JudgedTraces,
) -> Result<(), RunError> {
    let mut digest = Digest::default();
    let (groups, at_once) = (reader.groups(), rayon::current_num_threads());
    for first in (0..groups).step_by(at_once) {
        if reporter.is_stopped() {
            all.interrupted = true;
            return Ok(());
        }
        let places = (first..groups.min(first + at_once)).into_par_iter();
        let read: Vec<_> = places.map(|place| reader.group(place, compared.numbers)).collect();
        let sound = read.into_iter().map_while(|group| group.map_err(|error| all.error = Some(error)).ok());
        let groups: Vec<Group> = sound.collect();
        // The hash is over the rows in their order.
        let hash = || groups.iter().for_each(|group| digest.add(&group.content));
        let ((), heard) = rayon::join(hash, || judge_groups(&groups, offset, compared));
        let (trace, model) = heard?;
        all.trace.merge(trace);
        all.model.merge(model);
        progress.at(all.trace.cases, all.trace.verdicts.diverged);
        if all.error.is_some() {
            return Ok(());
        }
    }
    all.error = reader.check_hash(digest).err();
    Ok(())
}

/// Judges row groups on all threads. Returns the counts of the trace, and the first cases in which
/// only the model diverges.
fn judge_groups(groups: &[Group], offset: u64, compared: &Setup<'_>) -> Result<(Tally, Tally), BackendError> {
    let runs: Vec<&Run> = groups.iter().flat_map(|group| &group.runs).collect();
    let heard = runs.into_par_iter().try_fold(
        || TraceJudge::new(compared),
        |mut hearing, run| {
            hearing.judge(&run.instruction, &run.batch, &run.effects, offset + run.first)?;
            Ok(hearing)
        },
    );
    let tallies = heard.map(|hearing| hearing.map(|TraceJudge { trace, model, .. }| (trace, model)));
    tallies.try_reduce(Default::default, |mut a: (Tally, Tally), b| {
        a.0.merge(b.0);
        a.1.merge(b.1);
        Ok(a)
    })
}
