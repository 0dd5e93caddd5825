//! Measures the cost of merging many shards. `cargo bench -p assay-records --bench merge` writes
//! 10,000 results (4 GB in `target/tmp`, removed at the end) and merges them. It fails if the merge
//! takes more than 10 seconds or 500 MB. Four shards have the counts of real shards of a campaign.
//! The other shards repeat these counts.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use assay_engine::compare::comparator::Setup;
use assay_engine::coverage::Bins;
use assay_engine::generate::{LANES, Scope};
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::{RunHooks, RunProgress};
use assay_engine::stats::tally::Tally;
use assay_isa::{EncodingTable, Oracle, Readings, Subject};
use assay_mpfr::MpfrOracle;
use assay_records::merge::{MergeAllowances, merge};
use assay_records::run_info::{self, RunInfo};
use assay_records::{Plan, RunDemands, RunResult, Setting, Shard};
use assay_vectors::Profile;
use rayon::prelude::*;

const SHARDS: u64 = 10_000;
/// Number of cases of a shard. It is a whole number of batches, so that all shards have equally
/// many cases.
const CASES: u64 = 4883 * LANES as u64;
const RUN: u64 = 4;
const LIMIT: Duration = Duration::from_secs(10);
const LIMIT_MB: u64 = 500;

/// Returns the results of the first [`RUN`] shards of a campaign over all instructions.
fn campaigns(profile: &Profile) -> Vec<RunResult> {
    let subject = || -> Box<dyn Subject> {
        assay_model::model(EncodingTable::provisional().clone(), Readings::INTENDED)
    };
    let oracle = || -> Box<dyn Oracle> { Box::new(MpfrOracle::new(Readings::INTENDED)) };
    let setup = Setup { numbers: EncodingTable::provisional(), profile, subject: &subject, oracle: &oracle };
    let scope = Scope::everything();
    let bins = Bins::crossed(scope, &Readings::INTENDED);
    let plan = plan(profile);
    let run = |index| {
        let shard = Shard { index, of: SHARDS };
        let limit = Limit::Cases(CASES * SHARDS);
        let campaign = Campaign { setup, scope, seed: 1, limit, shard };
        let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
        let hooks = RunHooks::new(&stop, &mut progress);
        let done =
            campaign.run_covering(&bins, RunProgress::default(), hooks).expect("the implementations answer");
        RunResult::new(plan.clone(), shard, done.tally).counting(bins.layout())
    };
    (0..RUN).map(run).collect()
}

fn plan(profile: &Profile) -> Plan {
    let setting = Setting {
        subject: "model".into(),
        against: "mpfr".into(),
        profile: profile.name.clone(),
        readings: profile.readings.iter().map(|(erratum, setting)| (erratum.to_string(), setting)).collect(),
        contracts: profile
            .contracts
            .iter()
            .map(|row| (row.instruction.clone(), row.contract.to_string()))
            .collect(),
        numbers: String::new(),
        generator: assay_engine::generate::VERSION,
        judged: Default::default(),
        looser: None,
        inversions: Default::default(),
        devices: Default::default(),
        not_generated: Vec::new(),
    };
    let cases = Some(CASES * SHARDS);
    Plan::Fuzz { seed: 1, cases, until_covered: false, only: Vec::new(), setting }
}

/// Writes a result and its `run.json` as a run does, but does not sync them to the disk. Returns
/// the path of the result.
fn put(folder: &Path, outcome: &RunResult) -> PathBuf {
    let folder = folder.join(outcome.shards[0].index.to_string());
    std::fs::create_dir(&folder).expect("the folder is new");
    let path = folder.join(run_info::RESULT);
    let text = outcome.to_bytes().expect("a result has a text");
    let digest = assay_files::digest::sha256(&text);
    let record = RunInfo { result: Some(digest), builds: vec!["1".into()], ..RunInfo::default() };
    let record = serde_json::to_vec_pretty(&record).expect("a record has a text");
    std::fs::write(&path, text).expect("there is room");
    std::fs::write(folder.join(run_info::RECORD), record).expect("there is room");
    path
}

fn megabytes(bytes: u64) -> u64 {
    bytes >> 20
}

/// Returns the largest resident memory of the process so far, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(0, |kilobytes| kilobytes << 10)
}

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for results");
    let profile = Profile::load("intended").expect("a built-in profile");
    let outcomes = campaigns(&profile);
    let shard = |index: u64| {
        let outcome = outcomes[(index % RUN) as usize].clone();
        put(folder.path(), &RunResult { shards: vec![Shard { index, of: SHARDS }], ..outcome })
    };
    let files: Vec<PathBuf> = (0..SHARDS).into_par_iter().map(shard).collect();
    drop(outcomes);
    let size = |path: &PathBuf| path.metadata().map_or(0, |metadata| metadata.len());
    let bytes: u64 = files.iter().map(size).sum();
    // Resets the peak, if the system can. From here on, the peak is that of the merge.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let started = Instant::now();
    let merged =
        merge(&files, MergeAllowances::default(), &RunDemands::default()).expect("all shards are there");
    let took = started.elapsed();
    let peak = megabytes(peak());
    assert_eq!(
        (merged.outcome.tally.cases, &merged.outcome.shards[..]),
        (CASES * SHARDS, &[Shard::WHOLE][..])
    );
    println!(
        "{SHARDS} shards of {} kB, {} MB in all: {:.2} s on {} threads, peak {peak} MB",
        bytes / SHARDS / 1024,
        megabytes(bytes),
        took.as_secs_f64(),
        rayon::current_num_threads(),
    );
    assert!(took <= LIMIT && peak <= LIMIT_MB, "more than {LIMIT:?} or {LIMIT_MB} MB");
}
