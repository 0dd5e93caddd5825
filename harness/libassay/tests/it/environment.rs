//! The host's floating-point environment does not change the library's results. A call does not
//! change the host's environment.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder with the library that was built for this test.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    test.parent().expect("it lies in a folder").to_owned()
}

#[test]
fn a_host_in_any_environment_gets_the_same_bits_and_keeps_its_own() {
    if Command::new("cc").arg("--version").output().is_err() {
        return assay_testing::skip(
            "c-compiler",
            "hosts in other floating-point environments: there is no cc",
        );
    }
    let folder = tempfile::tempdir().expect("a folder for the program");
    let program = folder.path().join("host");
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-I"]).arg(own.join("include"));
    compiler
        .arg(own.join("tests/it/environment.c"))
        .arg("-L")
        .arg(built())
        .args(["-lassay", "-o"])
        .arg(&program);
    let done = compiler.output().expect("cc runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let host = |state: &str| {
        let run = Command::new(&program).arg(state).env("LD_LIBRARY_PATH", built()).output();
        let run = run.expect("the host runs");
        (
            run.status,
            String::from_utf8_lossy(&run.stdout).into_owned(),
            String::from_utf8_lossy(&run.stderr).into_owned(),
        )
    };
    let (_, _, states) = host("");
    assert!(states.lines().count() >= 8, "{states}");
    let (_, expected, _) = host("default");
    // 2^-126 · 0.5 is a subnormal number, even if the host flushes subnormal numbers.
    assert!(expected.contains("00400000 1 00400000 00400000 0"), "{expected}");
    assert!(expected.contains("diverged: ") && expected.contains("within, "), "{expected}");
    for state in states.lines() {
        let (status, out, _) = host(state);
        assert!(status.success(), "{state}: {status}\n{out}");
        assert!(out.ends_with("environment kept\n"), "{state}: {out}");
        assert!(out == expected, "{state}: {out}\ndefault: {expected}");
    }
}
