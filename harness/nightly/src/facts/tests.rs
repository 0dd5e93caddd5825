//! Facts about stages, read from their files.

use std::fs;

use super::*;
use crate::folder::Folder;
use crate::plan::NightPlan;
use crate::state::NightState;

/// Returns the facts about a stage with exit status 0. `has_result` adds a result of an earlier
/// version.
fn facts_of(run: &str, printed: &str, words: &str, has_result: bool) -> StageFacts {
    let root = tempfile::tempdir().expect("a folder");
    let night = Folder::create(root.path()).and_then(|folder| folder.begin()).expect("a night");
    let plan =
        format!("{{version: 1, name: n, subject: model, stages: [{{name: a, run: {run:?}, time: 90s}}]}}");
    let plan = NightPlan::parse(&plan, Path::new("plan.yaml")).expect("a plan");
    let mut state = NightState::new(&plan, 1, "build".into());
    (state.stages[0].at, state.stages[0].last) = (Stage::Held, "the end".into());
    let folder = night.stage("a");
    fs::create_dir_all(folder.run()).expect("a folder");
    fs::write(folder.said(), printed).expect("an output");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/testing/data/old/results/version-2");
    for file in ["result.json", "run.json"].iter().filter(|_| has_result) {
        fs::copy(old.join(file), folder.run().join(file)).expect("a copy");
    }
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let request = StageRequest {
        plan: &plan.stages[0],
        subject: "model",
        profile: "intended",
        words: &words,
        listed: None,
    };
    StageFacts::read(request, &state.stages[0], &folder).expect("facts")
}

#[test]
fn a_stage_has_held_only_with_a_finished_result_of_its_command_and_a_readable_output() {
    const WORDS: &str = "fuzz --subject exec:./device.py --only POPC --cases 4096";
    let printed = |text: &str| {
        format!(
            "its output cannot be read: expected value at line 1 column 1; its first line is `{text}`; its last message is `the end`"
        )
    };
    let empty = "it printed no result; its last message is `the end`";
    let check = r#"{"cases": 0, "held": 0, "unjudged": 0, "failed": 0, "unsupported": 0, "skipped": 0,
        "without_expectation": 0, "other_readings": 0, "failures": [], "skips": [], "left_out": []}"#;
    let undeclared = r#"{"cases": 2, "held": 1, "unjudged": 0, "failed": 0, "unsupported": 1, "undeclared": 1,
        "skipped": 0, "without_expectation": 0, "other_readings": 0, "failures": [], "skips": [], "left_out": [],
        "problems": ["FADD: the device lists it"]}"#;
    for (run, text, words, has_result, problems) in [
        ("isa lint", "{}\n", "", false, &[][..]),
        ("isa lint", "{}\n{}\n", "", false, &[]),
        ("isa lint", "", "", false, &[empty]),
        ("isa lint", "VCS 1.2\n{}\n", "", false, &[printed("VCS 1.2").as_str()]),
        ("dut check exec:x", " \n", "", false, &[empty]),
        ("vectors check", "", "", false, &[empty]),
        ("vectors check", check, "", false, &["no case was checked"]),
        ("vectors check", undeclared, "", false, &["FADD: the device lists it"]),
        ("mutants run", "", "", false, &[empty]),
        ("sweep popc", "", "", false, &["it left no result", empty]),
        ("fuzz", "", "", false, &["it left no result", empty]),
        ("fuzz", "", WORDS, true, &[empty]),
        ("fuzz", "banner\n{}", WORDS, true, &[printed("banner").as_str()]),
        ("fuzz", "", &format!("{WORDS} --out elsewhere --resume"), true, &[empty]),
        ("fuzz", "", &format!("{WORDS} --seed 2"), true, &["its result is that of another command", empty]),
        ("fuzz", "", &WORDS.replace("POPC", "FADD"), true, &["its result is that of another command", empty]),
    ] {
        let mut facts = facts_of(run, text, words, has_result);
        // The sample result has no verdict, because it is older than verdicts. The finding of its
        // divergence is not in the folder. Both problems are ignored.
        let is_of_sample = |problem: &str| problem.contains("diverged") || problem.contains("has no verdict");
        facts.problems.retain(|problem| !is_of_sample(problem));
        assert_eq!(facts.problems, problems, "{run} {text:?} {words}");
        let at = if problems.is_empty() { Stage::Held } else { Stage::Failed };
        assert_eq!(facts.at, at, "{run} {text:?}");
    }
}

#[test]
fn a_wrong_value_of_the_check_of_a_device_has_a_signature_for_its_optype() {
    let printed = r#"{"device": "lib:x", "held": false, "checks": [
        {"check": "empty batch", "outcome": "failed", "detail": "it crashed; twice", "mend": "do not"},
        {"check": "many calls", "outcome": "ok", "detail": "9 calls"},
        {"check": "throughput", "outcome": "untried", "detail": "an answer cannot be read"},
        {"check": "values are right", "outcome": "failed", "detail": "3 of 9", "right": ["POPC"], "wrong": [
            {"instruction": "FADD R0, R1, R2", "optype": "FADD", "lanes": 1, "kinds": {"value": "10"}, "first": "lane 0: value", "eval": "assay eval x"},
            {"instruction": "FADD.FTZ R0, R1, R2", "optype": "FADD", "lanes": 2, "kinds": {"nan": "02", "value": "01"}, "first": "lane 4: nan", "eval": "assay eval y"},
            {"instruction": "FMUL R0, R1, R2", "optype": "FMUL", "lanes": 1, "kinds": {"fails": ""}, "first": "lane 4 differs"}]}]}"#;
    let facts = facts_of("dut check exec:x", printed, "", false);
    let seen = facts.seen.iter().map(|seen| {
        let ways: Vec<&str> = seen.ways.keys().map(String::as_str).collect();
        (seen.signature.as_str(), seen.detail.as_deref().unwrap_or_default(), ways)
    });
    let expected = [
        (
            "dut check: checks are not tried",
            "throughput",
            vec!["dut check: checks are not tried: throughput"],
        ),
        ("dut check: empty batch", "it crashed; twice", vec!["dut check: empty batch: it crashed, twice"]),
        (
            "dut check: values are right, FADD",
            "wrong results:\nFADD R0, R1, R2, 1 lane, first lane 0: value\n  assay eval x --subject exec:x\n\
             FADD.FTZ R0, R1, R2, 2 lanes, first lane 4: nan\n  assay eval y --subject exec:x",
            vec![
                "FADD R0, R1, R2, value, lanes: 10",
                "FADD.FTZ R0, R1, R2, nan, lanes: 02",
                "FADD.FTZ R0, R1, R2, value, lanes: 01",
            ],
        ),
        (
            "dut check: values are right, FMUL",
            "wrong results:\nlane 4 differs",
            vec!["FMUL R0, R1, R2, fails, lanes: "],
        ),
    ];
    assert_eq!(seen.collect::<Vec<_>>(), expected);
    let passed: Vec<&str> = facts.passed.iter().map(String::as_str).collect();
    let expected =
        ["dut check: many calls", "dut check: values are right", "dut check: values are right, POPC"];
    assert_eq!(passed, expected);
}
