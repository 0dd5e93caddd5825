//! Devices under test from the command line: the examples are right, planted bugs are found, failures are findings.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assay_testing::skip;
use serde_json::Value;
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn assay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("assay runs")
}

/// Runs with a folder for results, and gives the JSON result.
fn run(status: i32, arguments: &[&str], out: &Path) -> Value {
    let out = out.display().to_string();
    let output = assay(&[arguments, &["--format", "json", "--out", &out, "--overwrite"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{said}");
    serde_json::from_slice(&output.stdout).expect("a JSON result")
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success())
}

/// The command of the example in Python, if there is Python.
fn python(bug: &str) -> Option<String> {
    if !has("python3") {
        skip("python", "1 test of the example in Python: there is no python3");
        return None;
    }
    Some(format!("exec:python3 examples/devices/python/device.py{bug}"))
}

/// The example in C, compiled: a library and a program.
fn in_c(folder: &TempDir) -> Option<(String, String)> {
    if !has("cc") {
        skip("c-compiler", "1 test of the example in C: there is no cc");
        return None;
    }
    let compile = |extra: &[&str], out: &str, files: &[&str]| {
        let out = folder.path().join(out);
        let mut cc = Command::new("cc");
        cc.args([
            "-std=c11",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-frounding-math",
            "-ffp-contract=off",
        ]);
        cc.args(extra).arg("-I").arg(root().join("harness/device/include"));
        cc.args(files.iter().map(|file| root().join("examples/devices/c").join(file)));
        let done = cc.args(["-lm", "-o"]).arg(&out).output().expect("cc runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        out.display().to_string()
    };
    let library = compile(&["-shared", "-fPIC"], "device.so", &["device.c"]);
    Some((library, compile(&[], "device", &["device.c", "process.c"])))
}

fn holds_the_protocol(device: &str) {
    let output = assay(&["dut", "check", device, "--format", "json"]);
    let said: Value = serde_json::from_slice(&output.stdout).expect("a JSON result");
    assert_eq!(output.status.code(), Some(0), "{said:#}");
    let checks = said["checks"].as_array().expect("a list");
    let ok = checks.iter().filter(|check| check["outcome"] == "ok").count();
    assert!(ok >= 11, "{said:#}");
}

fn is_right(subject: &str, cases: &str) {
    let out = tempfile::tempdir().expect("a folder");
    let result = run(0, &["fuzz", "--subject", subject, "--cases", cases], out.path());
    assert_eq!(result["divergences"], 0);
    assert_eq!(result["device"]["failures"], 0);
    assert!(result["verdicts"]["exact"].as_u64() > Some(1000), "{result:#}");
    assert!(
        result["not_generated"].as_array().is_some_and(|list| list.len() > 10),
        "what it has not is listed"
    );
}

#[test]
fn the_example_in_python_is_a_device_and_right() {
    let Some(device) = python("") else { return };
    holds_the_protocol(&device);
    is_right(&device, "8192");
}

#[test]
fn the_example_in_c_is_a_device_and_right_as_library_and_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((library, program)) = in_c(&folder) else { return };
    for device in [format!("lib:{library}"), format!("exec:{program}"), format!("exec:{program} --json")] {
        holds_the_protocol(&device);
        is_right(&device, "65536");
    }
}

#[test]
fn the_model_in_a_process_gives_the_result_of_the_model() {
    let served = format!("exec:{} dut serve model", env!("CARGO_BIN_EXE_assay"));
    holds_the_protocol(&served);
    let tally = |subject: &str| {
        let out = tempfile::tempdir().expect("a folder");
        run(0, &["fuzz", "--subject", subject, "--cases", "200000"], out.path());
        let text = std::fs::read_to_string(out.path().join("result.json")).expect("a result");
        let mut result: Value = serde_json::from_str(&text).expect("JSON");
        result["tally"].take()
    };
    assert_eq!(tally(&served), tally("model"));
    let out = tempfile::tempdir().expect("a folder");
    let drift = run(0, &["fuzz", "--against", &served, "--only", "FFMA", "--cases", "4096"], out.path());
    assert_eq!(drift["divergences"], 0);
}

#[test]
fn planted_bugs_are_found_shrunk_and_replayed() {
    let bugs = [
        ("sticky", "FFMA", "value", "20000"),
        ("ftz-output", "FADD", "flush", "65536"),
        ("negative-zero", "FADD", "sign of zero", "65536"),
        ("crash", "FMUL", "device crashed", "8192"),
        ("hang", "POPC", "device hung", "8192"),
    ];
    for (bug, optype, kind, cases) in bugs {
        let Some(device) = python(&format!(" --bug {bug}")) else { return };
        let out = tempfile::tempdir().expect("a folder");
        let arguments = [
            "fuzz",
            "--subject",
            &device,
            "--only",
            optype,
            "--cases",
            cases,
            "--device-deadline",
            "1",
            "--device-failures",
            "4",
        ];
        let result = run(1, &arguments, out.path());
        let findings = result["findings"].as_array().expect("a list");
        let texts: Vec<String> = findings
            .iter()
            .map(|path| std::fs::read_to_string(path.as_str().expect("a path")).expect("a finding"))
            .collect();
        let place = texts
            .iter()
            .position(|text| text.contains(&format!("{kind}\n")) || text.contains(&format!("{kind}'")));
        let place = place.unwrap_or_else(|| panic!("{bug}: no finding says `{kind}`: {texts:#?}"));
        let path = findings[place].as_str().expect("a path");
        let replayed = assay(&["replay", path, "--subject", &device, "--device-deadline", "1"]);
        let page = String::from_utf8_lossy(&replayed.stdout);
        assert_eq!(replayed.status.code(), Some(1), "{bug}: {page}");
        assert!(page.contains(kind), "{bug}: {page}");
        assert_eq!(assay(&["replay", path, "--subject", "model"]).status.code(), Some(0), "{bug}");
    }
}

#[test]
fn a_device_that_fails_too_often_ends_the_run_and_keeps_what_was_checked() {
    let Some(device) = python(" --bug crash") else { return };
    let out = tempfile::tempdir().expect("a folder");
    let arguments =
        ["fuzz", "--subject", &device, "--only", "FMUL", "--cases", "100000", "--device-failures", "1"];
    let result = run(1, &arguments, out.path());
    assert!(
        result["device"]["dead"].as_str().is_some_and(|reason| reason.contains("declared dead")),
        "{result:#}"
    );
    assert!(result["cases"].as_u64().is_some_and(|cases| (1..100_000).contains(&cases)), "{result:#}");
    assert!(result["findings"].as_array().is_some_and(|list| !list.is_empty()), "{result:#}");
    assert!(out.path().join("interrupted.json").exists() && !out.path().join("result.json").exists());
}

#[test]
fn a_device_that_does_not_start_is_one_clear_sentence() {
    let loud = "exec:sh -c 'echo the licence server is down >&2; exit 7'";
    for (subject, status, words) in [
        ("exec:/no/such/device", 3, "cannot be started"),
        (loud, 3, "the licence server is down"),
        (loud, 3, "status 7"),
        ("exec:echo Welcome", 3, "its welcome is"),
        ("lib:/no/such/library.so", 3, "/no/such/library.so"),
        ("exec:", 2, "names nothing to run"),
        ("exec:'open", 2, "cannot be read"),
        ("ftp:device", 2, "exec:COMMAND"),
    ] {
        let out = tempfile::tempdir().expect("a folder");
        let folder = out.path().join("run").display().to_string();
        let output = assay(&["fuzz", "--subject", subject, "--cases", "10", "--out", &folder]);
        let said = String::from_utf8_lossy(&output.stderr).replace("\n  │ ", " ").replace('\n', " ");
        assert_eq!(output.status.code(), Some(status), "{subject}: {said}");
        assert!(said.contains(words), "{subject}: {said}");
        assert!(!out.path().join("run").exists(), "{subject} costs no folder");
    }
}

#[test]
fn vectors_are_held_against_a_device() {
    let Some(device) = python("") else { return };
    let output = assay(&[
        "vectors",
        "check",
        "vectors/data/popc.yaml",
        "vectors/data/fadd.yaml",
        "--subject",
        &device,
    ]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn the_schema_is_printed() {
    let output = assay(&["dut", "schema"]);
    let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(["Hello", "Welcome", "Request", "Answer"].iter().all(|name| schema["$defs"][name].is_object()));
}
