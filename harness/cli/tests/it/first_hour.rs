//! Tests what a new user tries in the first hour: short runs, values in the forms that users write,
//! and an empty folder.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{assay, assay_in, json, served, status, stderr, stdout, words};

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs a command in a folder, and returns its JSON.
fn run(folder: &Path, arguments: &[&str], expected: i32) -> Value {
    let output = assay_in(folder, &[arguments, &["--format", "json"]].concat());
    assert_eq!(status(&output), expected, "{arguments:?}: {}", stderr(&output));
    json(&output)
}

#[test]
fn a_short_run_meets_most_forms() {
    let place = folder();
    let all = run(place.path(), &["fuzz", "--cases", "1k", "--out", "a"], 0);
    assert_eq!((&all["cases"], &all["instructions"]), (&Value::from(1000), &Value::from(1000)));
    assert!(all["forms"].as_u64() > Some(110), "{}", all["forms"]);
    let output = assay_in(place.path(), &["gen", "--as", "jsonl", "--only", "FFMA", "--cases", "1000"]);
    let texts: std::collections::BTreeSet<String> = stdout(&output)
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["asm"].to_string())
        .collect();
    assert!(texts.len() > 400, "{} different instructions", texts.len());
}

#[test]
fn shards_of_a_short_run_are_the_whole() {
    let place = folder();
    let whole = run(place.path(), &["fuzz", "--cases", "5000", "--out", "whole"], 0);
    let mut paths = Vec::new();
    for shard in ["0/3", "1/3", "2/3"] {
        run(place.path(), &["fuzz", "--cases", "5000", "--shard", shard, "--out", &shard[..1]], 0);
        paths.push(&shard[..1]);
    }
    let merge = [&["merge"], &paths[..], &["--out", "merged.json"]].concat();
    let merged = run(place.path(), &merge, 0);
    assert_eq!(merged["cases"], whole["cases"]);
    let read = |path: &str| fs::read(place.path().join(path)).expect("a result");
    assert!(read("merged.json") == read("whole/result.json"), "the merged result differs");
}

#[test]
fn a_selection_names_modifiers_and_lists_its_modes() {
    let modes = run(folder().path(), &["fuzz", "--only", "fadd.rm", "!*.FTZ", "--modes"], 0);
    let forms = modes.as_array().expect("a list");
    assert_eq!(forms.len(), 4, "{modes:#}");
    for form in forms {
        assert_eq!(form["modifiers"]["rnd"], serde_json::json!(["RM"]));
        assert_eq!(form["modifiers"]["ftz"], serde_json::json!(["NoFTZ"]));
    }
    let text = stdout(&assay(&["gen", "--only", "FADD_RR", "--modes"]));
    assert!(
        text.contains(".RN .RP .RM .RZ") && text.ends_with("1 form with 16 combinations of modifiers\n"),
        "{text}"
    );
}

#[test]
fn the_program_needs_no_repository() {
    let place = folder();
    let checked = run(place.path(), &["vectors", "check"], 0);
    assert!(checked["cases"].as_u64() > Some(6000), "{}", checked["cases"]);
    run(place.path(), &["errata", "show", "E053"], 0);
    let plan = "{version: 1, name: n, subject: model, stages: [{name: a, run: errata show E053, time: 1m}, \
                {name: b, run: vectors check, time: 2m}, {name: c, run: fuzz --cases 1000, time: 1m}]}\n";
    fs::write(place.path().join("plan.yaml"), plan).expect("a plan");
    run(place.path(), &["nightly", "--config", "plan.yaml", "--out", "night"], 0);
}

#[test]
fn an_answer_is_judged_and_explained() {
    let add = |actual: &str, expected: i32| {
        let arguments =
            [&["eval", "fadd R0, R1, R2", "R1=1.0", "R2=0x1p-24", "--actual", actual][..]].concat();
        run(folder().path(), &arguments, expected)
    };
    let wrong = add("R0=0x3f800001", 1);
    let why = wrong["explanation"].as_str().expect("a sentence");
    assert!(why.contains("halfway") && why.contains("takes the even one: 0x3f800000 (1)"), "{why}");
    assert_eq!(
        (&wrong["bound"], &wrong["verdicts"]["actual"]),
        (&Value::from("every bit, a real result correctly rounded"), &Value::from("diverged: one unit off"))
    );
    let right = add("R0=1.0", 0);
    assert_eq!(right["explanation"], "right: every bit is the expected one");
    let fadd = ["eval", "FADD R0, R1, R2", "R1=1.0", "R2=0x1p-24", "--actual", "R0=1.0", "R5=7"];
    let extra = run(folder().path(), &fadd, 1);
    assert!(
        extra["explanation"].as_str().is_some_and(|why| why.ends_with(": R5 must stay as it is")),
        "{extra:#}"
    );
    let text = stdout(&assay(&["eval", "POPC R0, R1", "R1=-1", "--actual", "R0=0x1f"]));
    assert!(text.contains("R0 must be 0x00000020 and is 0x0000001f, which differs in bits 0-5"), "{text}");
    let nothing = assay(&["eval", "@!PT POPC R0, R1", "R1=1", "--actual", "nothing"]);
    assert_eq!(status(&nothing), 0, "{}", stdout(&nothing));
}

#[test]
fn inputs_behind_an_answer_are_named() {
    for (values, named) in [
        (&["--actual", "R0=1.0", "R1=2.0", "R2=3.0"][..], Some("`R1=2.0`")),
        (&["R1=2.0", "--actual", "R0=1.0", "R2=3.0"], Some("`R2=3.0`")),
        (&["R1=2.0", "--actual", "R0=1.0"], None),
    ] {
        let output = assay(&[&["eval", "FADD R0, R1, R2"], values].concat());
        let words = words(&output);
        assert_eq!(status(&output), 2, "{words}");
        match named {
            Some(named) => {
                let text = format!("{named} follows --actual, so it is part of the answer; write the inputs");
                assert!(words.contains(&text), "{words}");
            }
            None => assert!(words.contains("inputs give no value for R2"), "{words}"),
        }
    }
    let several = assay(&["eval", "FCHK P0, R1, R2", "R1=2.0", "R2=1.0", "--actual", "P0=false", "R7=1"]);
    assert_eq!(status(&several), 1, "several values of an answer: {}", words(&several));
}

#[test]
fn a_case_shows_the_bound_that_it_is_judged_by() {
    let place = folder();
    for (instruction, input, bound) in [
        ("MUFU.EX2.F32", "0.5", "bound: R0, at most 2 ulp: 0x3fb504f2 (1.4142134) to 0x3fb504f5 (1.4142138)"),
        (
            "MUFU.RCP.F32",
            "-3.0",
            "bound: R0, at most 1 ulp: 0xbeaaaaab (-0.33333334) to 0xbeaaaaaa (-0.3333333)",
        ),
        ("FADD.FTZ", "1.0", "bound: every bit, a real result correctly rounded"),
    ] {
        let (asm, inputs) = match instruction {
            "FADD.FTZ" => ("FADD.FTZ R0, R1, 1.5".to_owned(), format!("R1={input}")),
            name => (format!("{name} R0, R1"), format!("R1={input}")),
        };
        let eval = stdout(&assay(&["eval", &asm, &inputs]));
        assert!(eval.lines().any(|line| line == bound), "{eval}");
        let bits = input.parse::<f32>().expect("a float").to_bits();
        let suite = format!(
            "{{version: 1, suite: s, about: a, cases: [{{name: c, asm: '{asm}', inputs: {{R1: '{bits:#x}'}}, \
             provenance: {{source: hand}}}}]}}\n"
        );
        fs::write(place.path().join("s.yaml"), suite).expect("a suite");
        let replay = stdout(&assay_in(place.path(), &["replay", "s.yaml"]));
        assert!(replay.lines().any(|line| line == bound), "{replay}");
    }
}

#[test]
fn an_integer_for_a_float_is_taken_as_bits_with_a_warning() {
    let output = assay(&["eval", "FADD R0, R1, R2", "R1=1", "R2=1.5"]);
    assert!(
        words(&output).contains("warning: R1=1 is taken as bits: 1.0 is 0x3f800000"),
        "{}",
        words(&output)
    );
    assert!(stdout(&output).contains("0x3fc00000  1.5"));
}

#[test]
fn a_vector_that_contradicts_the_truth_fails_its_replay() {
    let place = folder();
    let suite = "{version: 1, suite: s, about: a, cases: [{name: c, asm: 'FADD R0, R1, R2', inputs: \
                 {R1: '0x3f800000', R2: '0x3f800000'}, expect: {R0: 'VALUE'}, provenance: {source: hand}}]}\n";
    for (value, expected) in [("0x40000000", 0), ("0x40000001", 1)] {
        fs::write(place.path().join("s.yaml"), suite.replace("VALUE", value)).expect("a suite");
        let output = assay_in(place.path(), &["replay", "s.yaml"]);
        assert_eq!(status(&output), expected, "{}", stdout(&output));
        assert_eq!(stdout(&output).contains("the oracle refuses the expectation"), expected == 1);
    }
}

#[test]
fn a_plan_is_checked_before_its_first_stage() {
    let place = folder();
    let stages = |stage: &str, subject: &str| {
        format!(
            "version: 1\nname: n\nsubject: '{subject}'\nstages:\n- {{name: a, run: fuzz --cases 1000, time: 1m}}\n- {{name: b, run: \"{stage}\", time: 1m}}\n"
        )
    };
    for (stage, subject, line, problem) in [
        ("fuzz --sed 1", "model", 6, "unexpected argument '--sed' found"),
        ("fuzz --only FADDD", "model", 6, "did you mean `FADD`"),
        ("sweep mufu.nop", "model", 6, "MUFU has no modifier .NOP"),
        ("vectors check nowhere.yaml", "model", 6, "nowhere.yaml"),
        ("fuzz --cases 1000", "exec:/no/such/device", 3, "cannot be started"),
        ("fuzz --cases 1000", "lib:/no/such/library.so", 3, "No such file or directory"),
        ("fuzz --cases 1000", "modle", 3, "did you mean `model`"),
    ] {
        fs::write(place.path().join("plan.yaml"), stages(stage, subject)).expect("a plan");
        let output = assay_in(place.path(), &["nightly", "--config", "plan.yaml", "--out", "out"]);
        let words = words(&output);
        let named = if line == 3 { "subject of stage a:" } else { "stage b:" };
        assert_eq!(status(&output), 2, "{stage}: {words}");
        assert!(
            words.contains(&format!("plan.yaml: line {line}: {named} ")) && words.contains(problem),
            "{words}"
        );
        assert!(!place.path().join("out/nights/0001").exists(), "{stage}: a night has begun");
    }
    let three = "version: 1\nname: n\nsubject: model\nkeep: 0\nstages:\n- {name: a, run: fuzz --sed 1, time: 1m}\n- {name: b, run: sweep mufu.nop, time: 1m}\n";
    fs::write(place.path().join("plan.yaml"), three).expect("a plan");
    let words = words(&assay_in(place.path(), &["nightly", "--config", "plan.yaml", "--out", "out"]));
    for part in ["plan.yaml: 3 mistakes:", "`keep: 0`", "line 6: stage a: ", "line 7: stage b: "] {
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn a_wrong_subject_ends_a_run_early_when_asked() {
    let place = folder();
    let subject = ["--subject", "mutant:fadd-tie-to-odd", "--only", "FADD", "--stop-after", "10"];
    let fuzz = [&["fuzz", "--cases", "100M", "--out", "run"][..], &subject].concat();
    let stopped = run(place.path(), &fuzz, 1);
    assert!(stopped["cases"].as_u64() < Some(50_000_000), "{}", stopped["cases"]);
    assert!(stopped["findings"].as_array().is_some_and(|list| !list.is_empty()), "{stopped:#}");
    assert!(place.path().join("run/interrupted.json").exists());
}

#[test]
fn a_run_ends_with_its_verdict() {
    let place = folder();
    for (subject, word) in [("model", "PASSED"), ("mutant:fadd-tie-to-odd", "FAILED")] {
        let fuzz = ["fuzz", "--only", "FADD", "--cases", "200000", "--subject", subject, "--out", word];
        let text = stdout(&assay_in(place.path(), &fuzz));
        assert!(text.lines().last().is_some_and(|line| line.starts_with(word)), "{text}");
        assert!(text.contains("FALU") && !text.contains('\u{1b}'), "{text}");
        assert_eq!(text.contains("assay replay"), word == "FAILED", "{text}");
        // Lines have at most 80 characters, except lines with the values of a finding or with the
        // path of a run.
        let is_free = |line: &&str| line.starts_with("  ") || line.starts_with("results in");
        let long: Vec<&str> =
            text.lines().filter(|line| !is_free(line) && line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:#?}");
    }
}

#[test]
fn recorded_suites_are_written_for_simulators() {
    let gen_suite = |arguments: &[&str], expected: i32| {
        let output = assay(&[&["gen", "--suite"], arguments].concat());
        assert_eq!(status(&output), expected, "{arguments:?}: {}", stderr(&output));
        (stdout(&output), words(&output))
    };
    let (lines, _) = gen_suite(&["ffma", "--as", "jsonl"], 0);
    assert!(lines.lines().count() > 100, "{lines}");
    let ffma = "FFMA R0, R1, R2, R3";
    let (image, _) = gen_suite(&["ffma", "--as", "readmemh", "--instruction", ffma], 0);
    assert!(image.lines().filter(|line| !line.starts_with("//")).count() > 30, "{image}");
    let (_, several) = gen_suite(&["ffma", "--as", "testfloat"], 2);
    assert!(several.contains("choose one with --instruction: 'FFMA R0, R1, R2, R3'"), "{several}");
    let (_, unknown) = gen_suite(&["fmma", "--as", "jsonl"], 2);
    assert!(unknown.contains("did you mean"), "{unknown}");
}

#[test]
fn a_report_names_the_reading_that_a_subject_follows() {
    let place = folder();
    let subject = served("model --reading C001=2");
    let fuzz = ["fuzz", "--only", "FADD", "--cases", "50000", "--subject", &subject, "--out", "run"];
    let result = run(place.path(), &fuzz, 1);
    assert_eq!(result["otherwise"]["readings"], serde_json::json!(["C001=2"]), "{}", result["otherwise"]);
    let report = stdout(&assay_in(place.path(), &["report", "run"]));
    let place_of = |words: &str| report.find(words).unwrap_or_else(|| panic!("{words}: {report}"));
    assert!(place_of("Try `--reading C001=2`") < place_of("Findings"), "{report}");
}
