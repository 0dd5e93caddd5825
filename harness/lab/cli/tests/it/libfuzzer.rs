//! `assay-lab libfuzzer`: replays an input of a target without the target's program.
//! `scripts/smoke.sh` runs the targets themselves.

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_fuzzing::mutate::mutate;
use assay_fuzzing::{coded, differential};
use assay_isa::{EncodingTable, Readings};
use assay_mpfr::MpfrOracle;
use assay_vectors::{Profile, read_suite};

use crate::support::{assay, status, words};

const FAULT: &str = "fadd-tie-to-odd";

/// Returns an input that shows a planted fault, so that libFuzzer would stop at it.
fn artifact() -> Vec<u8> {
    let (numbers, readings) = (EncodingTable::provisional(), Readings::INTENDED);
    let profile = Profile::load("intended").unwrap();
    let mut comparator = Comparator::new(&Setup {
        numbers,
        profile: &profile,
        subject: &|| assay_faults::mutant(numbers.clone(), readings, FAULT.parse().unwrap()),
        oracle: &|| Box::new(MpfrOracle::new(readings)),
    });
    let mut data = Vec::new();
    for seed in 0..1_000_000 {
        data = mutate(&data, seed);
        if differential(&mut comparator, &profile, &coded::case(&data).unwrap()).is_err() {
            return data;
        }
    }
    panic!("no change shows the fault");
}

#[test]
fn a_crash_of_differential_becomes_a_finding_that_replays() {
    let folder = tempfile::tempdir().unwrap();
    let crash = folder.path().join("crash-0123");
    std::fs::write(&crash, artifact()).unwrap();
    let (crash, out) = (crash.to_str().unwrap(), folder.path().to_str().unwrap());
    let replay = ["libfuzzer", "replay", crash, "--target", "differential"];
    assert_eq!(status(&assay(&replay)), 0, "the model has no fault");
    let subject = format!("mutant:{FAULT}");
    let found = assay(&[&replay[..], &["--subject", &subject, "--out", out]].concat());
    assert_eq!(status(&found), 1, "{}", words(&found));

    let findings: Vec<_> = std::fs::read_dir(folder.path().join("findings")).unwrap().collect();
    assert_eq!(findings.len(), 1);
    let path = findings[0].as_ref().unwrap().path();
    let suite = read_suite(&path).unwrap();
    let finding = suite.cases[0].finding.clone().expect("it says what was found");
    assert_eq!((&finding.subject, finding.seed), (&subject, None));
    assert!(finding.signature.starts_with("FADD | "), "{}", finding.signature);
    let path = path.to_str().unwrap();
    assert_eq!(status(&assay(&["replay", path])), 1);
    assert_eq!(status(&assay(&["replay", path, "--subject", "model"])), 0);
}

#[test]
fn what_cannot_be_done_is_refused_with_what_to_do() {
    let kept = "vectors/data/fuzz/assembler/prefixes";
    for (arguments, problem) in [
        (
            &["libfuzzer", "dictionary", "decode"][..],
            "inputs of decode are no text; ask for one of assembler",
        ),
        (&["libfuzzer", "replay", "nowhere", "--target", "decode"], "nowhere: "),
        (&["libfuzzer", "replay", "/dev/zero", "--target", "decode"], "/dev/zero: is a device node"),
        (&["libfuzzer", "replay", kept], "--target <TARGET>"),
        (&["libfuzzer", "replay", kept, "--target", "nothing"], "possible values: differential"),
        (
            &["libfuzzer", "replay", kept, "--target", "assembler", "--profile", "sm90"],
            "has no option --profile",
        ),
        (
            &["libfuzzer", "replay", kept, "--target", "assembler", "--subject", "host"],
            "write model or mutant:FAULT",
        ),
        (
            &["libfuzzer", "replay", kept, "--target", "assembler", "--reading", "E173=2"],
            "has no option --reading",
        ),
    ] {
        let output = assay(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}: {}", words(&output));
        assert!(words(&output).contains(problem), "{arguments:?}: {}", words(&output));
    }
}

#[test]
fn an_input_of_another_target_is_held_in_this_process() {
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("x");
    for (target, input, judged) in [
        ("assembler", "FADD R0, R1, R2", "true"),
        ("case_file", r#"{"asm": "NOP"}"#, "true"),
        ("document", "nothing but words", "false"),
        ("result", "{}", "false"),
        ("checkpoint", "{}", "false"),
        ("profile", "{version: 1, name: a, about: b, extends: intended}", "true"),
        ("plan", assay_nightly::plan::DEFAULT, "true"),
        ("known_issues", "{version: 1, entries: []}", "true"),
        ("trace", "PAR1", "false"),
    ] {
        std::fs::write(&written, input).unwrap();
        let output = assay(&[
            "libfuzzer",
            "replay",
            written.to_str().unwrap(),
            "--target",
            target,
            "--format",
            "json",
        ]);
        assert_eq!(status(&output), 0, "{}", words(&output));
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        assert_eq!(value["judged"].to_string(), judged, "{target}: {input}");
        assert_eq!(value["findings"], serde_json::json!([]));
    }
}
