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
    let request = StageRequest { plan: &plan.stages[0], subject: "model", words: &words, listed: None };
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
        // The sample result has a divergence whose finding is not in the folder, and is older than
        // verdicts. Both problems are ignored.
        let is_of_sample = |problem: &str| problem.contains("diverged") || problem.contains("has no verdict");
        facts.problems.retain(|problem| !is_of_sample(problem));
        assert_eq!(facts.problems, problems, "{run} {text:?} {words}");
        let at = if problems.is_empty() { Stage::Held } else { Stage::Failed };
        assert_eq!(facts.at, at, "{run} {text:?}");
    }
}
