//! Merging: all shards give one run in any order and grouping. A doubtful merge is refused, and the
//! error names its files.

use std::path::{Path, PathBuf};

use assay_engine::coverage::Bins;
use assay_engine::generate::{LANES, Scope};
use assay_engine::stats::tally::{Counts, Tally};
use assay_isa::Readings;
use assay_records::merge::{MergeAllowances, MergeError, merge};
use assay_records::run_info::{self, RunInfo};
use assay_records::{Plan, RunDemands, RunResult, Shard, write_json};

use crate::support::{json, setting};

/// Number of cases of a shard: one batch.
const CASES: u64 = LANES as u64;

fn plan(seed: u64, cases: Option<u64>) -> Plan {
    Plan::Fuzz { seed, cases, until_covered: false, only: Vec::new(), setting: setting() }
}

fn counted(cases: u64) -> Tally {
    let verdicts = Counts { exact: cases, ..Counts::default() };
    let forms = [("FADD_RR".to_owned(), verdicts)].into();
    Tally { cases, verdicts, forms, ..Tally::default() }
}

fn shard(index: u64, of: u64) -> RunResult {
    RunResult::new(plan(1, Some(CASES * of)), Shard { index, of }, counted(CASES))
}

/// A folder with results. Each result is in its own subfolder.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name).join(run_info::RESULT)
    }

    fn put(&self, name: &str, outcome: &RunResult) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        outcome.write(&path).unwrap();
        path
    }

    /// Writes a result as [`Place::put`] does, with a `run.json` that names a build.
    fn recorded(&self, name: &str, outcome: &RunResult, build: &str) -> PathBuf {
        let path = self.put(name, outcome);
        let record = RunInfo {
            result: Some(outcome.write(&path).unwrap()),
            builds: vec![build.to_owned()],
            ..RunInfo::default()
        };
        write_json(&path.with_file_name(run_info::RECORD), &record).unwrap();
        path
    }
}

const PARTIAL: MergeAllowances =
    MergeAllowances { partial: true, repeated: false, other_builds: false, same_device: false };
const REPEATED: MergeAllowances =
    MergeAllowances { repeated: true, partial: false, other_builds: false, same_device: false };
const OTHER_BUILDS: MergeAllowances =
    MergeAllowances { other_builds: true, repeated: false, partial: false, same_device: false };

#[test]
fn shards_are_one_run_in_any_order_and_grouping() {
    let place = Place::new();
    let of = 23;
    let whole = json(&RunResult::new(plan(1, Some(CASES * of)), Shard::WHOLE, counted(CASES * of)));
    let mut files: Vec<PathBuf> =
        (0..of).map(|index| place.put(&index.to_string(), &shard(index, of))).collect();
    assert!(
        json(&merge(&files, MergeAllowances::default(), &RunDemands::default()).unwrap().outcome) == whole
    );
    files.reverse();
    let (some, rest) = files.split_at(9);
    let part = merge(some, PARTIAL, &RunDemands::default()).unwrap();
    assert_eq!(part.missing.to_string(), "0-13");
    let mut files = rest.to_vec();
    files.push(place.put("part", &part.outcome));
    assert!(
        json(&merge(&files, MergeAllowances::default(), &RunDemands::default()).unwrap().outcome) == whole
    );
}

#[test]
fn what_does_not_belong_together_is_refused_by_name() {
    let place = Place::new();
    let put = |name: &str, outcome: RunResult| place.put(name, &outcome);
    let bins = |crossed: bool| {
        let scope = Scope::filtered(|mode| mode.optype() == "FADD");
        if crossed {
            Bins::crossed(&scope, &Readings::INTENDED).layout()
        } else {
            Bins::of(&scope, &Readings::INTENDED).layout()
        }
    };
    let sound = put("a", shard(0, 2));
    let plain = put("plain", shard(0, 2).counting(bins(false)));
    let timed = put("timed", RunResult { plan: plan(1, None), ..shard(0, 2) });
    let twice = RunResult { shards: vec![Shard { index: 1, of: 2 }; 2], ..shard(1, 2) };
    let beyond = RunResult { shards: vec![Shard { index: 2, of: 2 }], ..shard(1, 2) };
    let miscounted = RunResult { tally: Tally { cases: CASES + 1, ..counted(CASES) }, ..shard(1, 2) };
    let forms = [("FADD_RC".to_owned(), counted(CASES).verdicts)].into();
    let other = RunResult { tally: Tally { forms, ..counted(CASES) }, ..shard(0, 2) };
    let table: [(&[PathBuf], &[&str]); 12] = [
        (&[], &["no result"]),
        (&[sound.clone(), place.path("nowhere")], &["/nowhere/", "No such file"]),
        (
            &[sound.clone(), put("seed", RunResult { plan: plan(2, Some(2 * CASES)), ..shard(1, 2) })],
            &["/a/", "/seed/", "the seed differs"],
        ),
        (
            &[plain, put("crossed", shard(1, 2).counting(bins(true)))],
            &["/plain/", "/crossed/", "the list of coverage bins"],
        ),
        (
            &[sound.clone(), put("three", RunResult { plan: plan(1, Some(2 * CASES)), ..shard(1, 3) })],
            &["/a/", "/three/", "of 2 shards", "of 3"],
        ),
        (&[timed.clone(), timed], &["/timed/", "--cases"]),
        (
            &[sound.clone(), put("open", RunResult::partial(plan(1, Some(2 * CASES)), counted(10)))],
            &["/open/", "--resume"],
        ),
        (&[sound.clone(), put("twice", twice)], &["/twice/", "edited"]),
        (&[sound.clone(), put("beyond", beyond)], &["/beyond/", "edited"]),
        (&[sound.clone(), put("miscounted", miscounted)], &["/miscounted/", "edited"]),
        (
            &[sound.clone(), put("less", RunResult { tally: counted(9), ..shard(1, 2) })],
            &["/less/", "`cases` is 9, and the shards of the plan hold 1024"],
        ),
        (&[sound.clone(), put("b", other)], &["shard 0/2", "/a/", "/b/", "not the same"]),
    ];
    for (files, parts) in table {
        // Neither of the two sets of allowances permits these merges.
        for allow in [MergeAllowances::default(), REPEATED] {
            let refused = merge(files, allow, &RunDemands::default()).unwrap_err().to_string();
            for part in parts {
                assert!(refused.contains(part), "refused without `{part}`: {refused}");
            }
        }
    }
}

#[test]
fn missing_shards_are_told_as_ranges() {
    let place = Place::new();
    let table: [(u64, &[u64], &str); 4] =
        [(3, &[0, 2], "1"), (10, &[4], "0-3, 5-9"), (6, &[1, 3, 5], "0, 2, 4"), (50, &[49], "0-48")];
    for (of, given, missing) in table {
        let files: Vec<PathBuf> =
            given.iter().map(|index| place.put(&format!("{index}-{of}"), &shard(*index, of))).collect();
        let refused =
            merge(&files, MergeAllowances::default(), &RunDemands::default()).unwrap_err().to_string();
        assert!(refused.contains(&format!("shards {missing} of {of} are missing")), "{refused}");
        assert!(refused.contains("--partial"), "{refused}");
        let merged = merge(&files, PARTIAL, &RunDemands::default()).unwrap();
        assert_eq!(merged.missing.to_string(), missing);
        assert_eq!(merged.outcome.tally.cases, CASES * given.len() as u64);
        let shards: Vec<u64> = merged.outcome.shards.iter().map(|shard| shard.index).collect();
        assert_eq!(shards, given);
    }
    let odd: Vec<PathBuf> =
        (0..50).map(|n| place.put(&format!("{n}-of-100"), &shard(2 * n + 1, 100))).collect();
    let refused = merge(&odd, MergeAllowances::default(), &RunDemands::default()).unwrap_err().to_string();
    assert!(refused.contains("36, 38 and 30 more ranges of 100"), "{refused}");
}

#[test]
fn the_same_result_again_counts_once_where_that_is_allowed() {
    let place = Place::new();
    let files: Vec<PathBuf> = [("a", 0), ("b", 1), ("again", 0), ("and-again", 0), ("b-again", 1)]
        .map(|(name, index)| place.put(name, &shard(index, 2)))
        .into();
    let whole = merge(&files[..2], MergeAllowances::default(), &RunDemands::default()).unwrap();
    for files in [files.clone(), files.iter().rev().cloned().collect()] {
        let Err(MergeError::Repeated { shard: Shard { index, .. }, first, other }) =
            merge(&files, MergeAllowances::default(), &RunDemands::default())
        else {
            panic!("what is repeated is refused")
        };
        // The error always names the first pair in the list, no matter which thread finds its pair
        // first.
        let of_shard =
            |n: u64| files.iter().filter(move |path| RunResult::read(path).unwrap().shards[0].index == n);
        let pair: Vec<&PathBuf> = of_shard(index).take(2).collect();
        assert_eq!((index, pair), (0, vec![&first, &other]));
        let merged = merge(&files, REPEATED, &RunDemands::default()).unwrap();
        assert_eq!(merged.repeated, 3);
        assert!(json(&merged.outcome) == json(&whole.outcome));
    }
}

#[test]
fn the_first_file_that_is_wrong_is_named() {
    let place = Place::new();
    let of = 90;
    let files: Vec<PathBuf> = (0..of)
        .map(|index| {
            let path = place.put(&format!("shard-{index}"), &shard(index, of));
            if index % 3 == 2 {
                std::fs::write(&path, "{").unwrap();
            }
            path
        })
        .collect();
    for _ in 0..20 {
        let refused =
            merge(&files, MergeAllowances::default(), &RunDemands::default()).unwrap_err().to_string();
        assert!(refused.contains("/shard-2/result.json"), "{refused}");
    }
}

#[test]
fn a_result_is_held_against_the_record_beside_it() {
    let place = Place::new();
    let recorded = |name: &str, index, build| place.recorded(name, &shard(index, 2), build);
    let (a, b, other) = (recorded("a", 0, "1"), recorded("b", 1, "1"), recorded("other", 1, "2"));
    assert!(merge(&[a.clone(), b.clone()], MergeAllowances::default(), &RunDemands::default()).is_ok());
    let mixed = [a.clone(), other];
    let refused = merge(&mixed, MergeAllowances::default(), &RunDemands::default()).unwrap_err().to_string();
    for part in ["assay 1 counted", "/a/", "assay 2", "/other/", "--other-build"] {
        assert!(refused.contains(part), "refused without `{part}`: {refused}");
    }
    assert!(merge(&mixed, OTHER_BUILDS, &RunDemands::default()).is_ok());
    // The digest shows that a file was changed, with and without a `run.json` beside it.
    let text = std::fs::read_to_string(&b).unwrap();
    let renamed = b.with_file_name("renamed.json");
    for path in [&b, &renamed] {
        std::fs::write(path, text.replace("\"FADD_RR\"", "\"FADD_RC\"")).unwrap();
    }
    let refused = merge(&[a.clone(), b.clone()], MergeAllowances::default(), &RunDemands::default())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("/b/result.json") && refused.contains("run.json"), "{refused}");
    std::fs::remove_file(b.with_file_name(run_info::RECORD)).unwrap();
    for (path, name) in [(b, "/b/result.json"), (renamed, "/b/renamed.json")] {
        let refused = merge(&[a.clone(), path], MergeAllowances::default(), &RunDemands::default())
            .unwrap_err()
            .to_string();
        assert!(refused.contains(name) && refused.contains("digest"), "{refused}");
    }
    assert!(RunResult::read(Path::new("/nonexistent/result.json")).is_err());
}

#[test]
fn results_without_a_digest_stay_marked() {
    let place = Place::new();
    let of = 4;
    let files: Vec<PathBuf> = (0..of).map(|index| place.put(&index.to_string(), &shard(index, of))).collect();
    for path in &files[1..3] {
        let old = RunResult { version: 1, ..RunResult::read(path).unwrap() };
        std::fs::write(path, json(&old)).unwrap();
    }
    assert_eq!(RunResult::read(&files[1]).unwrap().unverified, 1);
    let part = merge(&files[..2], PARTIAL, &RunDemands::default()).unwrap().outcome;
    assert_eq!(part.unverified, 1);
    let part = place.put("part", &part);
    assert_eq!(RunResult::read(&part).unwrap().unverified, 1, "a merge gives no digest to what had none");
    let whole = merge(
        &[part, files[2].clone(), files[3].clone()],
        MergeAllowances::default(),
        &RunDemands::default(),
    )
    .unwrap()
    .outcome;
    assert_eq!((whole.unverified, whole.tally.cases), (2, of * CASES));
}
