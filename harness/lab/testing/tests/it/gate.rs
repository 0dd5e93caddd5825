//! `scripts/test.sh` counts passed, failed and skipped checks. In strict mode it refuses a skip
//! that is not listed.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Replaces `just`: runs some tasks by name.
const JUST: &str = r#"#!/usr/bin/env bash
. scripts/skip.sh
case $1 in
    fine) echo "all is well" ;;
    tests)
        echo "test one ... ok"
        echo "test slow ... ignored, takes an hour"
        echo "test result: ok. 7 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s"
        echo "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
        ;;
    broken-tests)
        printf '%s\n' failures: "" "---- one stdout ----" "one is not two" "" failures: "    one" ""
        echo "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
        exit 101
        ;;
    no-tests) echo "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.01s" ;;
    broken) echo "no such program" && exit 4 ;;
    skipping-tests)
        echo "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
        skipped slurm "one: a reason"
        skipped slurm "one: another reason"
        ;;
    skipping-modules)
        echo "test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"
        skipped slurm "module::one: a reason"
        skipped slurm "module::two: a reason"
        ;;
    listed) skipped slurm "no Slurm here" ;;
    unlisted) skipped a-compiler "no compiler here" ;;
esac
"#;

/// Runs some tasks. Returns the exit status, and the output.
fn run(tasks: &[&str], strict: bool) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder for the output");
    let just = folder.path().join("just");
    std::fs::write(&just, JUST).expect("the stand-in can be written");
    std::fs::set_permissions(&just, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scripts/test.sh");
    let mut command = Command::new(script);
    command.args(tasks).env("JUST", &just).env("CARGO_TARGET_DIR", folder.path());
    command.env("ASSAY_STRICT", if strict { "1" } else { "0" });
    let output = command.output().expect("the script starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().expect("it ended by itself"), text)
}

#[test]
fn the_last_line_counts_and_the_status_follows() {
    let cases: [(&[&str], bool, i32, &str, &str); 13] = [
        (&["fine", "fine"], true, 0, "2 passed, 0 failed, 0 skipped", ""),
        (&["fine", "tests"], true, 0, "13 passed, 0 failed, 1 skipped", "  deep: slow: takes an hour\n"),
        (&["listed"], false, 0, "0 passed, 0 failed, 1 skipped", "  slurm: no Slurm here\n"),
        (&["listed"], true, 0, "0 passed, 0 failed, 1 skipped", "  slurm: no Slurm here\n"),
        (&["unlisted"], false, 0, "0 passed, 0 failed, 1 skipped", "  a-compiler: no compiler here\n"),
        (
            &["unlisted"],
            true,
            1,
            "0 passed, 1 failed, 1 skipped",
            "not listed in scripts/skips.txt: a-compiler",
        ),
        (&["skipping-tests"], true, 0, "6 passed, 0 failed, 2 skipped", "  slurm: one: another reason\n"),
        (&["skipping-modules"], true, 0, "5 passed, 0 failed, 2 skipped", "  slurm: module::two: a reason\n"),
        (
            &["broken", "fine"],
            true,
            1,
            "0 passed, 1 failed, 0 skipped",
            "the task broken failed with status 4",
        ),
        (&["no-tests"], false, 1, "0 passed, 1 failed, 0 skipped", "the task no-tests ran no test"),
        (&["broken"], false, 1, "0 passed, 1 failed, 0 skipped", "\nfailed:\n  no such program\n"),
        (&["broken-tests"], false, 1, "3 passed, 2 failed, 0 skipped", "failed with status 101"),
        (
            &["listed", "broken-tests"],
            false,
            1,
            "3 passed, 2 failed, 1 skipped",
            "  slurm: no Slurm here\nfailed:\n  ---- one stdout ----\n  one is not two\n3 passed",
        ),
    ];
    for (tasks, strict, status, line, words) in cases {
        let (code, text) = run(tasks, strict);
        assert_eq!(code, status, "{tasks:?}: {text}");
        assert!(text.lines().any(|l| l == line), "{tasks:?}: {text}");
        assert!(text.contains(words), "{tasks:?}: {text}");
    }
}

#[test]
fn a_skip_of_a_test_is_recorded() {
    let file = tempfile::NamedTempFile::new().expect("a file for the skips");
    let program = std::env::current_exe().expect("this program has a path");
    let mut command = Command::new(program);
    command.args(["--ignored", "--exact", "gate::skips"]).env(assay_testing::VARIABLE, file.path());
    assert!(command.output().expect("it starts").status.success());
    let recorded = std::fs::read_to_string(file.path()).expect("the file is there");
    assert_eq!(recorded, "slurm: gate::skips: one reason in two lines\nslurm: gate::skips: another\n");
}

/// Run by the test above.
#[test]
#[ignore = "a_skip_of_a_test_is_recorded runs it"]
fn skips() {
    assay_testing::skip("slurm", "one reason\n  in two lines");
    assay_testing::skip("slurm", "another");
}

#[test]
fn the_list_gives_a_reason_for_each_need() {
    let list =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scripts/skips.txt"));
    for line in list.expect("the list is there").lines().filter(|line| !line.starts_with('#')) {
        let (need, reason) = line.split_once(": ").unwrap_or_else(|| panic!("{line}: write `need: reason`"));
        assert!(!need.is_empty() && !need.contains(char::is_whitespace) && reason.len() > 20, "{line}");
    }
}

/// Adds the Rust and shell files below a folder to `found`.
fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "sh") {
            found.push(path);
        }
    }
}

#[test]
fn no_test_and_no_script_skips_in_another_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut found = Vec::new();
    ["harness", "oracles", "vectors", "reports", "scripts"]
        .iter()
        .for_each(|f| files(&root.join(f), &mut found));
    for part in ["harness/engine/src/lib.rs", "scripts/build.sh"] {
        assert!(found.contains(&root.join(part)), "{part} is not listed");
    }
    // The first two files write the word `SKIPPED` for all others. A benchmark is no check. The
    // last file contains this test.
    let may = ["testing/src/lib.rs", "scripts/skip.sh", "benches/coupling.rs", "testing/tests/it/gate.rs"];
    found.retain(|path| !may.iter().any(|end| path.ends_with(end)));
    for path in found {
        let text = std::fs::read_to_string(&path).expect("sources are text");
        assert!(
            !text.contains("SKIPPED"),
            "{}: call assay_testing::skip, or skipped of scripts/skip.sh",
            path.display()
        );
    }
}
