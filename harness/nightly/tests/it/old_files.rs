//! Files of earlier versions. Every later version must read them, as `docs/compatibility.md`
//! promises.
//!
//! The files of a nightly run and most other files of older versions are tested here. The crate of
//! the devices has a test of the same name.

use std::path::{Path, PathBuf};

use assay_nightly::folder::Folder;
use assay_nightly::known_issues::{KnownIssues, Status};
use assay_nightly::nightly_report::NightlyReport;
use assay_nightly::plan::NightPlan;
use assay_nightly::state::{NightState, Stage};
use assay_records::{RunResult, VerdictWord};
use assay_vectors::{Profile, parse_line, read_suite};

/// Returns the path of an old file.
fn old(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/testing/data/old").join(name)
}

/// Checks that a result, written in the current version, is read back unchanged.
fn assert_written_again(outcome: &RunResult) {
    let text = outcome.to_bytes().expect("a result has a text");
    let again = RunResult::parse(Path::new("again"), text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again, *outcome);
}

#[test]
fn a_result_without_a_digest() {
    let outcome = RunResult::read(&old("results/version-1.json")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((outcome.unverified, outcome.tally.cases), (1, 4096));
    assert_eq!(outcome.verdict_word(), VerdictWord::Unverified);
    assert_written_again(&outcome);
}

#[test]
fn results_with_a_digest() {
    let (outcome, builds) =
        RunResult::read_recorded(&old("results/version-2/result.json")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((outcome.unverified, outcome.tally.verdicts.diverged), (0, 1));
    assert_eq!(builds, ["0.1.0 8d1f0c5a2b7e9342"]);
    let sweep = RunResult::read(&old("results/version-2-sweep.json")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(sweep.tally.cases, 32_768);
    // The results are older than verdicts: they neither passed nor failed.
    assert_eq!([&outcome, &sweep].map(RunResult::verdict_word), [VerdictWord::Unverified; 2]);
    [outcome, sweep].iter().for_each(assert_written_again);
}

#[test]
fn cases_and_profiles() {
    let suite = read_suite(&old("cases/version-1.yaml")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(suite.cases.len(), 4);
    let lines = std::fs::read_to_string(old("cases/version-1.jsonl")).expect("the old file");
    let cases: Vec<_> = lines.lines().map(|line| parse_line(line).expect(line)).collect();
    assert_eq!(cases.len(), 3);
    let profile = old("profiles/version-1.yaml").display().to_string();
    assert_eq!(Profile::load(&profile).unwrap_or_else(|e| panic!("{e}")).name, "old");
}

#[test]
fn the_plan_of_a_nightly_run() {
    let plan = NightPlan::load(Some(&old("nightly/plan-1.yaml"))).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(plan.stages.len(), 1);
}

#[test]
fn two_lists_of_known_issues_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let campaign = Folder::create(folder.path()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(campaign.known_issues(), folder.path().join("known-issues.yaml"));
    std::fs::write(folder.path().join("ledger.yaml"), "").expect("a list");
    assert_eq!(campaign.known_issues(), folder.path().join("ledger.yaml"), "it stays under its name");
    std::fs::write(folder.path().join("known-issues.yaml"), "").expect("a list");
    let refused = Folder::open(folder.path()).expect_err("two lists").to_string();
    assert!(refused.contains("merge the two"), "{refused}");
}

#[test]
fn the_folder_of_a_nightly_run() {
    let folder = Folder::open(&old("nightly/campaign")).expect("a folder");
    let known_issues = KnownIssues::read(&folder.known_issues()).unwrap_or_else(|e| panic!("{e}"));
    let said: Vec<Status> = known_issues.entries.iter().map(|entry| entry.is).collect();
    assert_eq!((said, known_issues.rules.len()), (vec![Status::New, Status::Expected], 1));
    let nights = folder.nights().expect("the nightly runs");
    let state = NightState::read(&nights[0]).unwrap_or_else(|e| panic!("{e}"));
    assert!(state.finished && state.stages[3].at == Stage::OutOfTime);
    let reports = NightlyReport::before(&folder, 2).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((reports.len(), reports[0].verdict.status), (1, 1));
}
