//! The verdict of a result: each reason to fail, missing checks of the harness, and merged shards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay_engine::compare::canary::Pieces;
use assay_engine::coverage::layout::{Extent, Layout};
use assay_engine::stats::accuracy::{Accuracy, Extreme, Farthest, NO_BOUND, Usage};
use assay_engine::stats::agreement::Agreement;
use assay_engine::stats::baseline::Baseline;
use assay_engine::stats::exhaustive::{ExhaustiveStats, Pairs, ResultRelation};
use assay_engine::stats::tally::{Counts, Tally};
use assay_records::merge::{MergeAllowances, MergeError, merge};
use assay_records::verdict::{ReasonKind, has_some_operands, sentence};
use assay_records::{Plan, RunDemands, RunResult, Setting, Shard, VerdictWord};

use crate::support::{json, setting};

const CASES: u64 = 1 << 20;

fn plan(until_covered: bool) -> Plan {
    let judged = BTreeMap::from([("*".to_owned(), 75)]);
    let setting = Setting { judged, ..setting() };
    Plan::Fuzz { seed: 1, cases: Some(CASES), until_covered, only: vec![], setting }
}

/// Returns counts of one form, with checks of the harness.
fn counted(counts: Counts) -> Tally {
    let forms = [("FADD_RC".to_owned(), counts)].into();
    let mut tally = Tally { cases: counts.total(), verdicts: counts, forms, ..Tally::default() };
    (tally.canaries.batches, tally.canaries.spoiled) = (4, 4);
    if counts.undefined > 0 {
        tally.undefined = [("E049".to_owned(), counts.undefined)].into();
    }
    tally
}

fn sound() -> Tally {
    counted(Counts { exact: CASES, ..Counts::default() })
}

/// Returns counts of a run that passes, with the accuracy of a function.
fn with_accuracy(accuracy: Accuracy) -> Tally {
    Tally { accuracy: [("MUFU.SIN.F32".to_owned(), accuracy)].into(), ..sound() }
}

fn measured(error: i64) -> Accuracy {
    let extreme = Some(Extreme { error, input: 7, result: 0 });
    Accuracy { inputs: 1, measured: 1, least: extreme, greatest: extreme, ..Accuracy::default() }
}

fn with_error(error: i64) -> Tally {
    with_accuracy(measured(error))
}

fn unjudged() -> Tally {
    let usage = Usage { metric: "absolute".into(), measured: 400, ..Usage::default() };
    let bounds = [(NO_BOUND.to_owned(), usage)].into();
    with_accuracy(Accuracy { inputs: 1000, bounds, ..Accuracy::default() })
}

fn broken() -> Tally {
    let pairs = Pairs { seen: 9, broken: 2, refused: 1, ..Pairs::default() };
    let stats = ExhaustiveStats { relations: [(ResultRelation::Odd, pairs)].into(), ..Default::default() };
    with_accuracy(Accuracy { exhaustive: Some(stats), ..Accuracy::default() })
}

const CRASHED: &str = "FADD device crashed";

/// Returns counts with a crash in an execution that is no case, and divergences of these functions
/// and kinds.
fn failed_beside(diverged: &[&str]) -> Tally {
    let findings = diverged.iter().map(|key| ((*key).to_owned(), Vec::new())).collect();
    Tally { failures: [(CRASHED.to_owned(), 1)].into(), findings, ..sound() }
}

/// A description, the counts, the demands, and the expected reasons to fail as kind and name.
type JudgedRun = (&'static str, Tally, RunDemands, &'static [(ReasonKind, &'static str)]);

#[test]
fn each_reason_to_fail_is_in_the_verdict() {
    use ReasonKind::{
        Agreement as Disagreed, Baseline as Exceeded, Device, Divergence, Nothing, Relation, Share, Unjudged,
    };
    let counts = |exact, undefined, diverged, undeclared| {
        counted(Counts { exact, undefined, diverged, undeclared, ..Counts::default() })
    };
    let none = RunDemands::default;
    let requiring = |percent| RunDemands { require_judged: Some(percent), ..none() };
    let allowing = |glob: &str| RunDemands { allow_unjudged: [glob.to_owned()].into(), ..none() };
    let held_to = |error| RunDemands { baseline: Some(Baseline::of(&with_error(error))), ..none() };
    let alone = Tally { agreement: Agreement { model_alone: 1, ..Agreement::default() }, ..sound() };
    let few = || counts(100, CASES - 100, 0, 0);
    let open = Counts { exact: 100, unjudged: CASES - 100, ..Counts::default() };
    let swept = Tally { functions: [("MUFU.SIN.F32".to_owned(), open)].into(), ..counted(open) };
    let table: Vec<JudgedRun> = vec![
        ("nothing is wrong", sound(), none(), &[]),
        ("a case diverged", counts(CASES - 1, 0, 1, 0), none(), &[(Divergence, "FADD_RC")]),
        ("0.01 % judged", few(), none(), &[(Share, "FADD_RC")]),
        ("0.01 % judged, as allowed", few(), allowing("FADD*"), &[]),
        ("nothing judged", counts(0, CASES, 0, 0), none(), &[(Nothing, ""), (Share, "FADD_RC")]),
        ("undeclared", counts(CASES - 1, 0, 0, 1), none(), &[(Share, "FADD_RC")]),
        ("a relation", broken(), none(), &[(Relation, "MUFU.SIN.F32: odd")]),
        ("a device failed unseen", failed_beside(&[]), none(), &[(Device, CRASHED)]),
        (
            "as a case of another function",
            failed_beside(&["FMUL device crashed"]),
            none(),
            &[(Device, CRASHED)],
        ),
        ("as a case in another way", failed_beside(&["FADD called undefined"]), none(), &[(Device, CRASHED)]),
        ("as a case of the function", failed_beside(&[CRASHED]), none(), &[]),
        ("the model alone", alone, none(), &[(Disagreed, "")]),
        ("as accurate", with_error(5), held_to(5), &[]),
        ("less accurate", with_error(6), held_to(5), &[(Exceeded, "MUFU.SIN.F32")]),
        ("nothing to compare", sound(), held_to(5), &[(Exceeded, "")]),
        ("a part of few lanes judged", counts(75, 26, 0, 0), none(), &[]),
        ("enough of few lanes judged", counts(75, 25, 0, 0), none(), &[]),
        ("little of few lanes judged, as allowed", counts(1, 99, 0, 0), allowing("FADD_RC"), &[]),
        ("a part unjudged", unjudged(), none(), &[]),
        ("a part unjudged, less than required", unjudged(), requiring(61), &[(Unjudged, "MUFU.SIN.F32")]),
        ("a part unjudged, as required", unjudged(), requiring(60), &[]),
        // A function gets one reason only. A small share takes precedence over unjudged results.
        (
            "little of another form judged",
            Tally { accuracy: unjudged().accuracy, ..few() },
            requiring(61),
            &[(Share, "FADD_RC"), (Unjudged, "MUFU.SIN.F32")],
        ),
        ("little of a swept function judged", swept, requiring(61), &[(Share, "MUFU.SIN.F32")]),
    ];
    for (why, tally, demands, expected) in table {
        let outcome = RunResult::new(plan(false), Shard::WHOLE, tally);
        let outcome = outcome.judge(demands, Default::default(), None).unwrap();
        let reasons: Vec<_> = outcome.reasons().iter().map(|one| (one.kind, one.name.as_str())).collect();
        assert_eq!(reasons, expected, "{why}");
        let word = match (expected.is_empty(), why.starts_with("a part")) {
            (true, true) => VerdictWord::Partial,
            (true, false) => VerdictWord::Passed,
            (false, _) => VerdictWord::Failed,
        };
        assert_eq!(outcome.verdict_word(), word, "{why}");
        let [share] = outcome.shares() else { panic!("{why}: {:?}", outcome.shares()) };
        let lanes = outcome.tally.verdicts;
        assert_eq!((share.lanes, share.judged), (lanes.total(), lanes.judged()), "{why}");
    }
}

/// Distances in ulp have the unit 2⁻³², other distances 2⁻⁶⁴.
#[test]
fn reasons_have_counts_and_errors_in_words() {
    let farther = |distance| {
        let farthest = Some(Farthest { distance, input: 9, result: 0 });
        let usage = Usage { metric: "absolute".into(), measured: 1, refused: 0, farthest };
        with_accuracy(Accuracy { bounds: [("absolute 1".to_owned(), usage)].into(), ..measured(1 << 32) })
    };
    let three = Agreement { trace_alone: 2, model_alone: 1, no_two_agree: 3, ..Agreement::default() };
    for (tally, baseline, expected) in [
        (
            with_error(3 << 31),
            Some(with_error(1 << 32)),
            "MUFU.SIN.F32: its ulp error is 1.5000e0 at 0x00000007, and 1.0000e0 in the baseline",
        ),
        (
            farther(3 << 62),
            Some(farther(1 << 63)),
            "MUFU.SIN.F32: its absolute error under `absolute 1` is 7.5000e-1 at 0x00000009, and 5.0000e-1 in the \
             baseline",
        ),
        (
            sound(),
            Some(with_error(1)),
            "nothing was compared with the baseline: it measured no function of this run",
        ),
        (
            Tally { agreement: three, ..sound() },
            None,
            "trace, model and oracle differ: the trace alone in 2 cases, the model alone in 1 case, all three in 3 cases",
        ),
        (broken(), None, "MUFU.SIN.F32 must be odd: 1 of 9 pairs are not"),
    ] {
        let demands = RunDemands { baseline: baseline.as_ref().map(Baseline::of), ..RunDemands::default() };
        let outcome = RunResult::new(plan(false), Shard::WHOLE, tally);
        let outcome = outcome.judge(demands, Default::default(), None).unwrap();
        let messages: Vec<&str> = outcome.reasons().iter().map(|one| one.message.as_str()).collect();
        assert_eq!(messages, [expected]);
    }
}

#[test]
fn what_is_empty_is_absent_from_the_json() {
    let held = judged(Shard::WHOLE, Counts { exact: CASES, ..Counts::default() }, &RunDemands::default());
    let json = serde_json::to_value(&held.verdict).unwrap();
    assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["status", "shares"]);
    assert!(RunResult { verdict: None, ..held }.shares().is_empty());
}

#[test]
fn words_and_reasons_are_shown() {
    for (word, text, is_held) in [
        (VerdictWord::Passed, "PASSED", true),
        (VerdictWord::Partial, "NOT FULLY JUDGED", true),
        (VerdictWord::Failed, "FAILED", false),
        (VerdictWord::Unverified, "UNVERIFIED", false),
    ] {
        assert_eq!((word.text(), word.is_held()), (text, is_held));
    }
    for (reason, expected) in [
        ("nothing was judged", "Nothing was judged."),
        ("trace, model and oracle differ.", "Trace, model and oracle differ."),
        ("FADD_RC: 1 of 2 cases diverged", "FADD_RC: 1 of 2 cases diverged."),
        ("x1: a name", "x1: a name."),
    ] {
        assert_eq!(sentence(reason), expected);
    }
}

#[test]
fn implementations_of_some_operands_are_known_by_name() {
    for name in ["ptx", "host", "core-math", "h200", "apfloat", "cuda:0"] {
        assert!(has_some_operands(name), "{name}");
    }
    for name in ["model", "mpfr", "cuda", "lib:cuda:0", "my-device"] {
        assert!(!has_some_operands(name), "{name}");
    }
}

#[test]
fn a_run_that_ended_early_or_missed_its_bins_fails() {
    let early = RunResult::partial(plan(false), sound());
    let early = early.judge(RunDemands::default(), Default::default(), Some("the device is dead")).unwrap();
    assert_eq!(early.reasons()[0].message, "the device is dead");
    let extent = Extent { first: 0, places: 2, reachable: 2, impossible: 0 };
    let forms = [("FADD_RC".to_owned(), [("class".to_owned(), extent)].into())].into();
    let bins = Layout { digest: "0".repeat(16), crossed: false, forms };
    let impossible = ["FADD_RC, 7".to_owned()];
    for (hit, until_covered, impossible, fails) in [
        (1, false, &impossible[..0], false),
        (1, true, &impossible[..0], true),
        (2, true, &impossible[..0], false),
        (2, true, &impossible[..], true),
    ] {
        let mut tally = sound();
        (0..hit).for_each(|bin| tally.coverage.hit(bin));
        let outcome = RunResult::new(plan(until_covered), Shard::WHOLE, tally).counting(bins.clone());
        let impossible = impossible.iter().cloned().collect();
        let outcome = outcome.judge(RunDemands::default(), impossible, None).unwrap();
        let kinds: Vec<_> = outcome.reasons().iter().map(|one| one.kind).collect();
        assert_eq!(kinds, vec![ReasonKind::Coverage; usize::from(fails)], "{hit} {until_covered}");
    }
}

#[test]
fn a_run_without_a_check_of_itself_has_no_verdict() {
    let unchecked = |cases, shard: Shard| {
        let plan = Plan::Fuzz {
            seed: 1,
            cases: Some(cases),
            until_covered: false,
            only: vec![],
            setting: setting(),
        };
        let exact = plan.batches().map_or(0, |batches| shard.cases(batches));
        let mut tally = counted(Counts { exact, ..Counts::default() });
        tally.canaries = Default::default();
        RunResult::new(plan, shard, tally).judge(RunDemands::default(), Default::default(), None).is_err()
    };
    assert!(unchecked(1, Shard::WHOLE), "the first batch is always checked");
    assert!(unchecked(1 << 20, Shard { index: 5, of: 16 }), "one of the first 16 batches is always checked");
    assert!(!unchecked(1 << 20, Shard { index: 21, of: 1024 }), "one batch that its index does not choose");
    assert!(unchecked(1 << 32, Shard { index: 21, of: 1024 }), "4,096 batches have a checked one");
}

#[test]
fn a_part_without_a_check_of_itself_has_a_verdict_if_no_check_was_due() {
    let campaign = |cases| Plan::Fuzz {
        seed: 1,
        cases: Some(cases),
        until_covered: false,
        only: vec![],
        setting: setting(),
    };
    let sweep = Plan::Sweep {
        functions: [("MUFU.SIN.F32".to_owned(), 1 << 40)].into(),
        stride: 1,
        setting: setting(),
    };
    let trace = Plan::Trace { traces: [("0".to_owned(), 1 << 40)].into(), setting: setting() };
    let (part, enough) = (Shard { index: 21, of: 1024 }, Pieces::Units.enough());
    for (why, plan, shard, cases, is_due) in [
        ("no case was executed", campaign(1 << 20), Some(Shard::WHOLE), 0, false),
        ("one was", campaign(1 << 20), Some(Shard::WHOLE), 1, true),
        ("the first batch of a part is not checked", campaign(1 << 32), Some(part), 1 << 10, false),
        ("one of many is", campaign(1 << 32), Some(part), 1 << 22, true),
        ("few inputs of a sweep", sweep.clone(), Some(part), enough - 1, false),
        ("enough inputs", sweep.clone(), Some(part), enough, true),
        ("an interrupted sweep", sweep, None, enough, false),
        ("a trace", trace, Some(Shard::WHOLE), enough, false),
    ] {
        let mut tally = counted(Counts { exact: cases, ..Counts::default() });
        tally.canaries = Default::default();
        let outcome = match shard {
            Some(shard) => RunResult::new(plan, shard, tally),
            None => RunResult::partial(plan, tally),
        };
        let verdict = outcome.judge(RunDemands::default(), Default::default(), None);
        assert_eq!(verdict.is_err(), is_due, "{why}");
    }
}

/// A folder of results.
struct Place(tempfile::TempDir);

impl Place {
    fn put(&self, name: &str, outcome: &RunResult) -> PathBuf {
        let path = self.0.path().join(name);
        outcome.write(&path).unwrap();
        path
    }
}

fn judged(shard: Shard, counts: Counts, demands: &RunDemands) -> RunResult {
    RunResult::new(plan(false), shard, counted(counts))
        .judge(demands.clone(), Default::default(), None)
        .unwrap()
}

#[test]
fn shards_that_failed_merge_to_a_result_that_failed() {
    let place = Place(tempfile::tempdir().unwrap());
    let demands = RunDemands {
        allow_undeclared: ["POPC".to_owned()].into(),
        require_judged: Some(1),
        ..Default::default()
    };
    let half = Counts { exact: 50, undefined: CASES / 2 - 50, ..Counts::default() };
    let files: Vec<PathBuf> = (0..2)
        .map(|index| place.put(&index.to_string(), &judged(Shard { index, of: 2 }, half, &demands)))
        .collect();
    let strict = MergeAllowances::default();
    let merged = merge(&files, strict, &RunDemands::default()).unwrap().outcome;
    assert_eq!(merged.verdict_word(), VerdictWord::Failed);
    assert_eq!(merged.reasons()[0].kind, ReasonKind::Share);
    let whole = Counts { exact: 100, undefined: CASES - 100, ..Counts::default() };
    let mut whole = judged(Shard::WHOLE, whole, &demands);
    (whole.tally.canaries.batches, whole.tally.canaries.spoiled) = (8, 8);
    assert_eq!(json(&merged), json(&whole), "the same bytes as one run");
    let more = RunDemands { allow_unjudged: ["FADD_RC".to_owned()].into(), ..RunDemands::default() };
    let allowed = merge(&files, strict, &more).unwrap().outcome;
    assert_eq!(allowed.verdict_word(), VerdictWord::Passed);
    // Results with different demands cannot be merged. A merge has no verdict if one of its results
    // has none.
    let other = judged(Shard { index: 1, of: 2 }, half, &RunDemands::default());
    let pair = |other: &RunResult| [files[0].clone(), place.put("other", other)];
    let refused = merge(&pair(&other), strict, &RunDemands::default()).unwrap_err();
    assert!(matches!(refused, MergeError::DifferentDemands { .. }), "{refused}");
    let old = merge(&pair(&RunResult { verdict: None, ..other }), strict, &RunDemands::default()).unwrap();
    assert_eq!(old.outcome.verdict_word(), VerdictWord::Unverified);
}

/// The digest of each altered file is right, as if an editor had adapted it.
#[test]
fn a_verdict_that_the_counts_contradict_is_refused() {
    let read = |outcome: &RunResult| {
        let text = outcome.to_bytes().unwrap();
        RunResult::parse(Path::new("r"), text).map_err(|error| error.to_string())
    };
    let exact = Counts { exact: CASES, ..Counts::default() };
    let held = judged(Shard::WHOLE, exact, &RunDemands::default());
    assert!(read(&held).is_ok());
    let mut unchecked = held.clone();
    unchecked.tally.canaries = Default::default();
    let undefined = judged(
        Shard::WHOLE,
        Counts { exact: 0, undefined: CASES, ..Counts::default() },
        &RunDemands::default(),
    );
    assert!(read(&undefined).is_ok());
    let nothing = RunResult { verdict: held.verdict.clone(), ..undefined.clone() };
    let mut silent = undefined.clone();
    silent.verdict.as_mut().unwrap().reasons.clear();
    let mut problem = held.clone();
    problem.verdict.as_mut().unwrap().shares[0].problem = Some("too few".into());
    let mut none = held.clone();
    none.verdict.as_mut().unwrap().shares.clear();
    let mut share = held.clone();
    share.verdict.as_mut().unwrap().shares[0].judged -= 1;
    // A function cannot have more unjudged results than results.
    let open = Counts { exact: CASES / 2, unjudged: CASES / 2, ..Counts::default() };
    let swept = Tally { functions: [("MUFU.SIN.F32".to_owned(), open)].into(), ..counted(open) };
    let mut more = RunResult::new(plan(false), Shard::WHOLE, swept)
        .judge(RunDemands::default(), Default::default(), None)
        .unwrap();
    for (unjudged, is_right) in [(CASES - 1, true), (CASES, true), (CASES + 1, false)] {
        more.verdict.as_mut().unwrap().unjudged[0].unjudged = unjudged;
        assert_eq!(read(&more).is_ok(), is_right, "{unjudged}");
    }
    for (outcome, words) in [
        (more, "`verdict` has more unjudged results of a function than results"),
        (share, "`verdict` has a share of `FADD_RC` that the counts contradict"),
        (problem, "`verdict` is held, and one of its shares has a problem"),
        (none, "`verdict` does not have a share of each form or function"),
        (unchecked, "`canaries` is zero: the run made no check of itself"),
        (nothing, "`verdict` is held, and the counts show that the run failed"),
        (silent, "`verdict` is held with a reason to fail, or failed without one"),
    ] {
        let refused = read(&outcome).unwrap_err();
        assert!(refused.contains(words), "{refused}");
    }
}
