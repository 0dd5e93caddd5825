//! Tests `deploy/ci/check-device.sh`. It passes on the values of its environment variables
//! unchanged, without expansion by the shell. It fails if a step ends without a result.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::root;

/// A script in place of `assay`. It appends its arguments to a file, each in brackets, and writes
/// the files that the real command would write.
const RECORDER: &str = r#"#!/bin/bash
for word in "$@"; do printf '<%s>' "$word"; done >>calls
echo >>calls
while [ "$1" = --profile ]; do shift 2; done
[ "$1" = "$ENDS_AT" ] && exit 0
if [ "$1" = fuzz ]; then
    while [ "$1" != --out ]; do shift; done
    mkdir -p "$2" && echo '{}' >"$2/result.json"
fi
echo done
"#;

/// Runs the script with some environment variables. Returns its exit status, the recorded calls,
/// and what it wrote to stderr.
fn check(folder: &Path, variables: &[(&str, &str)]) -> (i32, Vec<String>, String) {
    let program = folder.join("recorder");
    std::fs::write(&program, RECORDER).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let calls = folder.join("calls");
    let _ = std::fs::remove_file(&calls);
    let script = root().canonicalize().unwrap().join("deploy/ci/check-device.sh");
    let mut command = Command::new("bash");
    command.arg(script).current_dir(folder).env("ASSAY", &program).env_remove("ENDS_AT");
    for name in ["DEVICE", "OUT", "CASES", "TIME", "ONLY", "PROFILE", "VECTORS", "BASELINE"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().expect("bash runs");
    let calls = std::fs::read_to_string(calls).unwrap_or_default();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().expect("it ends"), calls.lines().map(str::to_owned).collect(), said)
}

#[test]
fn every_input_is_read_as_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The files that a glob would match, if the script expanded it.
    std::fs::write(folder.join("MUFU.RCP.F32"), "").unwrap();
    std::fs::write(folder.join("a.yaml"), "").unwrap();
    for (name, value, expected) in [
        ("ONLY", "FADD FMUL", "<--only><FADD><FMUL>"),
        ("ONLY", "FADD\nFMUL\n", "<--only><FADD><FMUL>"),
        ("ONLY", "\n  FADD\n\n\tFMUL MUFU.RCP.*\n", "<--only><FADD><FMUL><MUFU.RCP.*>"),
        ("ONLY", "'MUFU.RCP.*' \"!*.FTZ\"", "<--only><MUFU.RCP.*><!*.FTZ>"),
        ("ONLY", "$HOME `id` $(id) ~ ; &", "<--only><$HOME><`id`><$(id)><~><;><&>"),
        ("ONLY", " \n ", "<--cases><2000000><--out>"),
        ("VECTORS", "one.yaml\ntwo.yaml\n", "<--><one.yaml><two.yaml>"),
        ("VECTORS", "\"my cases\"\n'it''s' -x *.yaml", "<--><my cases><its><-x><*.yaml>"),
        ("VECTORS", "a\\ b.yaml", "<--><a b.yaml>"),
        ("CASES", "5000\n", "<--cases><5000>"),
        ("CASES", "", "<--cases><2000000>"),
        ("TIME", " 10m \n", "<--time><10m>"),
        ("PROFILE", "my profile.yaml\n", "<--profile><my profile.yaml><fuzz>"),
        ("BASELINE", "old runs/result.json\n", "<--><old runs/result.json><assay-ci/run/result.json>"),
        ("OUT", "my results", "<--out><my results/run>"),
        ("OUT", "results\n", "<--out><results/run>"),
        (
            "DEVICE",
            "exec:python3 'my device.py' --mode \"a b\"\n",
            "<exec:python3 'my device.py' --mode \"a b\">",
        ),
        ("DEVICE", "exec:./device *", "<--subject><exec:./device *>"),
    ] {
        let others = [("DEVICE", "exec:x")].into_iter().filter(|(other, _)| *other != name);
        let variables: Vec<_> = others.chain([(name, value)]).collect();
        let (status, calls, said) = check(folder, &variables);
        assert_eq!(status, 0, "{name}={value:?}: {said}");
        assert!(calls.iter().any(|call| call.contains(expected)), "{name}={value:?}: {calls:#?}");
    }
}

#[test]
fn an_input_that_cannot_be_meant_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let device = ("DEVICE", "exec:x");
    for (variables, words) in [
        (&[][..], "DEVICE is not set"),
        (&[("DEVICE", " \n")], "DEVICE is not set"),
        (&[device, ("ONLY", "FADD 'FMUL")], "ONLY has a quote"),
        (&[device, ("VECTORS", "\"two\nlines\"")], "VECTORS has a quote"),
        (&[device, ("OUT", "two\nlines")], "OUT is"),
        (&[device, ("OUT", "run*")], "OUT is"),
    ] {
        let (status, calls, said) = check(folder.path(), variables);
        assert_eq!((status, calls.len()), (2, 0), "{variables:?}: {said}");
        assert!(said.contains(words), "{variables:?}: {said}");
    }
}

/// A device could end the process of a step with status 0, before the step has printed a result.
#[test]
fn a_step_that_ends_without_a_result_fails_the_check() {
    for step in ["dut", "vectors", "fuzz"] {
        let folder = tempfile::tempdir().unwrap();
        let variables = [("DEVICE", "lib:x"), ("VECTORS", "a.yaml")];
        // The result of an earlier run must not count as the result of this run.
        assert_eq!(check(folder.path(), &variables).0, 0);
        let (status, _, said) = check(folder.path(), &[&variables[..], &[("ENDS_AT", step)]].concat());
        assert_eq!(status, 1, "{step}: {said}");
        assert!(said.contains("ended with no result"), "{step}: {said}");
    }
}
