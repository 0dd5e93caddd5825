//! Shrinks the divergences of a run, groups them by signature, and writes them as cases that can be
//! replayed.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::stats::finding::ObservedDivergence;
use assay_engine::stats::tally::Tally;
use assay_engine::triage::batches::RedrawnBatches;
use assay_engine::triage::circumstance::Circumstance;
use assay_engine::triage::condition::Condition;
use assay_engine::triage::explain::settings::{SettingsThatExplain, settings_that_explain};
use assay_engine::triage::readings::Oracles;
use assay_engine::triage::{self, Bug, Triaged, Unexamined};
use assay_isa::{BackendError, Batch, EncodingTable, asm, codec};
use assay_records::{Plan, RunResult, Setting};
use assay_vectors::{
    BugCase, Case, Finding, FindingCondition, FoundCase, InBatch, Origin, Provenance, Suite, Values,
    write_suite,
};

use crate::cases::suites::SuiteFile;
use crate::context::Context;
use crate::error::RunError;
use crate::folder::FINDINGS;
use crate::inspect::inspector::expectation;
use crate::subjects::ORACLE;

/// The divergences of a run, and how they were found.
pub struct FindingsRequest<'a> {
    /// The tally, with the divergences that the run kept.
    pub tally: &'a Tally,
    /// The compared implementations and the rules.
    pub setting: &'a Setting,
    /// Seed of the generator. `None` if the run generates no cases.
    pub seed: Option<u64>,
}

/// The bugs of a run, and the divergences that they do not cover.
pub struct RunFindings {
    /// The smallest case of each signature with its finding, in the order of the case indices.
    pub bugs: Vec<Case>,
    /// The divergences that no bug in `bugs` covers.
    pub unexamined: Unexamined,
    /// Settings of readings and conventions under which most divergences would vanish, if there are
    /// such settings.
    pub otherwise: Option<SettingsThatExplain>,
}

/// Shrinks the divergences of a run and keeps one case for each signature, in the order of the case
/// indices.
pub fn triage(
    outcome: &RunResult,
    setup: &Setup<'_>,
    oracles: Oracles<'_>,
    batches: RedrawnBatches<'_>,
) -> Result<RunFindings, RunError> {
    let seed = match &outcome.plan {
        Plan::Fuzz { seed, .. } => Some(*seed),
        Plan::Sweep { .. } | Plan::Trace { .. } => None,
    };
    let request = FindingsRequest { tally: &outcome.tally, setting: outcome.plan.setting(), seed };
    triage_findings(&request, setup, oracles, batches)
}

/// Shrinks divergences that do not come from a plan, as `triage` does.
pub fn triage_findings(
    request: &FindingsRequest<'_>,
    setup: &Setup<'_>,
    oracles: Oracles<'_>,
    batches: RedrawnBatches<'_>,
) -> Result<RunFindings, RunError> {
    let mut comparator = Comparator::new(setup);
    let Triaged { bugs, unexamined } = triage::bugs(setup, oracles, request.tally, batches)?;
    let case = |(nth, bug)| case(request, nth, bug, &mut comparator, setup.numbers);
    let bugs = bugs.into_iter().enumerate().map(case).collect::<Result<_, _>>()?;
    let otherwise = settings_that_explain(setup, oracles, request.tally)?;
    Ok(RunFindings { bugs, unexamined, otherwise })
}

/// Returns the nth bug of a run as a case.
fn case(
    request: &FindingsRequest<'_>,
    nth: usize,
    bug: Bug,
    comparator: &mut Comparator,
    numbers: &EncodingTable,
) -> Result<Case, RunError> {
    let Bug { instruction, batch, seen, .. } = bug;
    let FindingsRequest { setting, seed, .. } = *request;
    let truths = match comparator.truth(&instruction, &batch) {
        Err(BackendError::Gone { .. }) => None,
        truths => truths?,
    };
    // Only the oracle knows the right result. If a subject takes its place, the result is only an
    // opinion and is not recorded.
    let truths = truths.filter(|_| setting.against == ORACLE);
    let circumstance = &bug.shown.circumstance;
    let when = (*circumstance != Circumstance::Always).then(|| circumstance.in_full());
    let verdict = match (&seen, &when) {
        (Some(seen), None) => format!("diverged: {}", seen.kind),
        (Some(seen), Some(when)) => format!("diverged: {}; {when}", seen.kind),
        (None, when) => format!("diverged; {}", when.as_deref().unwrap_or("what was seen is not known")),
    };
    let found = match bug.explanation {
        Some(_) => Vec::new(),
        None => bug.found.iter().filter_map(|found| found_case(found, numbers)).collect(),
    };
    let base = Case::from_lane(&instruction, &batch, 0);
    let print = |batch: &Batch| Some(asm::print(&codec::decode(batch.word(), numbers).ok()?));
    Ok(Case {
        batch: bug.shown.rerun.as_ref().and_then(|rerun| InBatch::of(rerun, print)),
        name: format!("{}-{}", instruction.optype().to_lowercase(), nth + 1),
        expect: truths.and_then(expectation),
        event: truths.and_then(|truths| truths.event_of(0)).cloned(),
        provenance: Some(Provenance::new(Origin::Finding)),
        finding: Some(Finding {
            seed,
            index: Some(bug.index),
            subject: setting.subject.clone(),
            oracle: setting.against.clone(),
            profile: setting.profile.clone(),
            signature: bug.signature,
            verdict,
            event: seen.as_ref().and_then(|seen| seen.event),
            ulp: seen.as_ref().and_then(|seen| seen.ulp.clone()),
            actual: seen.map(|seen| seen.writes),
            cases: (!request.tally.divergences.is_empty()).then_some(bug.cases),
            keys: bug.keys.into_iter().collect(),
            shapes: bug.shapes.iter().map(shape).collect(),
            conditions: bug.conditions.iter().map(condition).collect(),
            found,
            transient: !circumstance.shows_alone(),
            when,
            place: bug.place,
        }),
        ..base
    })
}

/// Reads the findings in the folder of a run. The findings with the most divergences come first.
/// `None` if there is no folder of findings. Leaves out findings of another subject, oracle or
/// seed: they belong to an earlier run in the same folder.
pub fn read(folder: &Path, outcome: &RunResult) -> Result<Option<Vec<SuiteFile>>, RunError> {
    let folder = folder.join(FINDINGS);
    let failed = |e: std::io::Error| RunError::input(format!("{}: {e}", folder.display()));
    if !folder.is_dir() {
        return Ok(None);
    }
    if std::fs::read_dir(&folder).map_err(failed)?.next().is_none() {
        return Ok(Some(Vec::new()));
    }
    let mut files = SuiteFile::discover(&folder)?;
    files.iter_mut().for_each(|file| file.suite.cases.retain(|case| is_of_run(case, &outcome.plan)));
    files.retain(|file| !file.suite.cases.is_empty());
    files.sort_by_key(|file| {
        let finding = file.suite.cases[0].finding.as_ref();
        let cases = finding.and_then(|finding| finding.cases).unwrap_or(0);
        (Reverse(cases), finding.and_then(|finding| finding.index))
    });
    Ok(Some(files))
}

/// Whether a case is a finding of a run with this plan.
fn is_of_run(case: &Case, plan: &Plan) -> bool {
    let setting = plan.setting();
    let seed = match plan {
        Plan::Fuzz { seed, .. } => Some(*seed),
        Plan::Sweep { .. } | Plan::Trace { .. } => None,
    };
    // In a check of traces, the model can be the diverging subject.
    let is_subject = |name: &str| name == setting.subject || matches!(plan, Plan::Trace { .. });
    case.finding.as_ref().is_some_and(|finding| {
        is_subject(&finding.subject) && finding.oracle == setting.against && finding.seed == seed
    })
}

fn shape(shape: &triage::BugCase) -> BugCase {
    BugCase {
        signature: shape.signature.clone(),
        asm: asm::print(&shape.instruction),
        inputs: Values(shape.batch.lane(0).collect()),
    }
}

fn condition(condition: &Condition) -> FindingCondition {
    let Condition { optype, failing, passing, excluded, .. } = *condition;
    FindingCondition { optype: optype.to_owned(), all: condition.words(), failing, passing, excluded }
}

fn found_case(found: &ObservedDivergence, numbers: &EncodingTable) -> Option<FoundCase> {
    let instruction = codec::decode(found.word, numbers).ok()?;
    let actual = found.seen.as_ref().map(|seen| seen.writes.clone());
    Some(FoundCase { asm: asm::print(&instruction), inputs: found.inputs.clone(), actual })
}

/// Returns the file of each bug in the folder of a run.
pub fn paths(folder: &Path, bugs: &[Case]) -> Vec<PathBuf> {
    bugs.iter().map(|bug| folder.join(FINDINGS).join(format!("{}.yaml", bug.name))).collect()
}

/// Writes each bug to its file in the folder of a run. Returns the files.
///
/// # Errors
///
/// A file cannot be written. The files of the earlier bugs are already written.
pub fn write(folder: &Path, bugs: &[Case], context: &Context) -> Result<Vec<PathBuf>, RunError> {
    if bugs.is_empty() {
        return Ok(Vec::new());
    }
    let paths = paths(folder, bugs);
    let folder = folder.join(FINDINGS);
    let failed = |e: std::io::Error| RunError::harness(format!("{}: {e}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(failed)?;
    // The folder may be new. Its name must be on the disk too before the checkpoint is removed.
    assay_files::sync_folder(folder.parent().unwrap_or(&folder)).map_err(failed)?;
    for (path, bug) in paths.iter().zip(bugs) {
        let suite = Suite {
            version: assay_vectors::VERSION,
            suite: format!("finding-{}", bug.name),
            about: bug.signature().to_owned(),
            profile: Some(context.profile_name.clone()),
            cases: vec![Case { readings: context.overrides.clone(), ..bug.clone() }],
        };
        write_suite(path, &suite)?;
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn plan(seed: u64) -> Plan {
        let setting = Setting {
            subject: "model".into(),
            against: ORACLE.into(),
            profile: "intended".into(),
            readings: BTreeMap::new(),
            contracts: BTreeMap::new(),
            judged: BTreeMap::new(),
            looser: None,
            inversions: BTreeMap::new(),
            devices: Default::default(),
            not_generated: Vec::new(),
            numbers: String::new(),
            generator: 1,
        };
        Plan::Fuzz { seed, cases: Some(1), until_covered: false, only: Vec::new(), setting }
    }

    #[test]
    fn findings_of_another_run_in_the_folder_are_left_out() {
        let finding = |subject: &str, seed| Finding {
            seed: Some(seed),
            subject: subject.into(),
            oracle: ORACLE.into(),
            ..Finding::default()
        };
        let of = |subject, seed| Case { finding: Some(finding(subject, seed)), ..Case::default() };
        assert!(is_of_run(&of("model", 1), &plan(1)));
        assert!(!is_of_run(&of("model", 2), &plan(1)) && !is_of_run(&of("host", 1), &plan(1)));
        assert!(!is_of_run(&Case::default(), &plan(1)));
    }

    #[test]
    fn a_missing_folder_of_findings_differs_from_an_empty_one() {
        let run = tempfile::tempdir().unwrap();
        let outcome = RunResult::new(plan(1), assay_records::Shard::WHOLE, Tally::default());
        assert!(read(run.path(), &outcome).unwrap().is_none());
        std::fs::create_dir(run.path().join(FINDINGS)).unwrap();
        assert!(read(run.path(), &outcome).unwrap().unwrap().is_empty());
    }
}
