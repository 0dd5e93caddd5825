//! Turns the divergences of a trace into findings.
//!
//! The findings are grouped by signature and written as cases. Their subject is [`ReplaySubject`],
//! which repeats the recorded effects and knows no other cases. So a recorded case is not shrunk,
//! because the effects of smaller cases are unknown.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use assay_engine::compare::comparator::Setup;
use assay_engine::run::replay_subject::{RecordedCases, ReplaySubject};
use assay_engine::run::trace_judge::TraceJudge;
use assay_engine::stats::tally::Tally;
use assay_engine::triage::batches::RedrawnBatches;
use assay_engine::triage::readings::Oracles;
use assay_hardware::trace::Reader;
use assay_isa::{Answer, Effects, Subject};
use assay_records::{Plan, RunResult, Setting};
use assay_vectors::Case;

use crate::context::Context;
use crate::error::RunError;
use crate::findings;

/// The bugs that a trace shows.
pub struct TraceFindings {
    /// The bugs of the recorded device, each with the words for the implementation at fault.
    trace: Vec<(Case, &'static str)>,
    /// The bugs of cases in which the model alone diverges.
    model: Vec<Case>,
}

/// A finding that was written to a file.
pub struct WrittenFinding {
    /// The file.
    pub path: PathBuf,
    /// The signature: the text that identifies the finding.
    pub signature: String,
    /// Which of trace, model and oracle differs from the others, in words.
    pub blame: &'static str,
}

impl TraceFindings {
    /// Reads the rows of the first divergences again, and turns them into findings.
    pub fn collect(
        outcome: &RunResult,
        model: Tally,
        readers: &[Reader],
        setup: &Setup<'_>,
        oracles: Oracles<'_>,
    ) -> Result<TraceFindings, RunError> {
        let indices = outcome.tally.examples().map(|found| found.index).collect();
        let setting = outcome.plan.setting();
        let recorded = ReplaySubject::new(setting.subject.clone(), records(readers, &indices, setup)?);
        let subject = || Box::new(recorded.clone()) as Box<dyn Subject>;
        let recorded_parties = Setup { subject: &subject, ..*setup };
        let bugs = findings::triage(outcome, &recorded_parties, oracles, RedrawnBatches::NONE)?.bugs;
        let mut trace = Vec::new();
        for mut bug in bugs {
            let blame = blame(&bug, recorded.clone(), setup)?;
            if let Some(provenance) = &mut bug.provenance {
                provenance.detail = Some(blame.to_owned());
            }
            trace.push((bug, blame));
        }
        let setting = Setting { subject: "model".to_owned(), ..setting.clone() };
        let plan = Plan::Trace { traces: BTreeMap::new(), setting };
        let model = findings::triage(&RunResult::partial(plan, model), setup, oracles, RedrawnBatches::NONE)?;
        Ok(TraceFindings { trace, model: model.bugs })
    }

    /// Writes at most `limit` findings. The findings of the trace go to the folder, and those of
    /// the model to its subfolder `model`. Returns these findings, and the error if a file could
    /// not be written.
    pub fn write(
        self,
        folder: &Path,
        limit: usize,
        context: &Context,
    ) -> (Vec<WrittenFinding>, Option<RunError>) {
        let (bugs, blames): (Vec<Case>, Vec<&'static str>) = self.trace.into_iter().take(limit).unzip();
        let mut written = Vec::new();
        let problem = findings::write(folder, &bugs, context).err();
        let paths = findings::paths(folder, &bugs);
        for ((bug, blame), path) in bugs.into_iter().zip(blames).zip(paths) {
            written.push(WrittenFinding { path, signature: bug.signature().to_owned(), blame });
        }
        let mut bugs = self.model;
        bugs.truncate(limit - written.len());
        let folder = folder.join("model");
        let problem = problem.or(findings::write(&folder, &bugs, context).err());
        let paths = findings::paths(&folder, &bugs);
        for (bug, path) in bugs.into_iter().zip(paths) {
            let signature = bug.signature().to_owned();
            written.push(WrittenFinding { path, signature, blame: "the model alone diverges" });
        }
        (written, problem)
    }
}

/// Reads the recorded cases with these indices. An index counts the recorded cases of all traces,
/// in order.
fn records(
    readers: &[Reader],
    indices: &BTreeSet<u64>,
    setup: &Setup<'_>,
) -> Result<Vec<RecordedCases>, RunError> {
    let mut records = Vec::new();
    let mut offset = 0;
    for reader in readers {
        let rows = indices.range(offset..offset + reader.header().cases).map(|index| index - offset);
        let mut groups: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        rows.for_each(|row| groups.entry(reader.group_of(row)).or_default().push(row));
        for (group, rows) in groups {
            let group = reader.group(group, setup.numbers)?;
            for row in rows {
                let place = group.runs.partition_point(|run| run.first <= row) - 1;
                let run = &group.runs[place];
                records.push(RecordedCases::of_lane(&run.batch, &run.effects, (row - run.first) as usize));
            }
        }
        offset += reader.header().cases;
    }
    Ok(records)
}

/// Returns the words for a recorded case: which of trace, model and oracle differs from the others.
fn blame(case: &Case, mut recorded: ReplaySubject, setup: &Setup<'_>) -> Result<&'static str, RunError> {
    let (instruction, batch) = case.batch(setup.numbers)?;
    let mut effects = Effects::default();
    if recorded.execute(&batch, &mut effects)? == Answer::Unsupported {
        return Err(RunError::harness(format!("{}: its record cannot be found again", case.name)));
    }
    let mut hearing = TraceJudge::new(setup);
    hearing.judge(&instruction, &batch, &effects, 0)?;
    let counts = hearing.trace.agreement.each();
    Ok(counts.into_iter().find(|(_, count)| *count > 0).map_or("not repeated", |(name, _)| name))
}
