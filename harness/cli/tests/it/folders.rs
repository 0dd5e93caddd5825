//! Tests the folders of runs. No run uses the folder of another run, and no folder loses its
//! contents unless the user requests this.

use std::process::Stdio;

use crate::support::{assay_in, command, status};

#[test]
fn runs_that_start_together_have_a_folder_each() {
    const RUNS: usize = 16;
    let folder = tempfile::tempdir().unwrap();
    let fuzz = ["fuzz", "--only", "POPC", "--cases", "1000"];
    let start = |_| {
        let mut command = command(folder.path(), &fuzz);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("assay starts")
    };
    let children: Vec<_> = (0..RUNS).map(start).collect();
    for child in children {
        assert_eq!(status(&child.wait_with_output().unwrap()), 0);
    }
    let results = (1..=RUNS).map(|n| folder.path().join(format!("runs/fuzz-{n}/result.json")));
    assert!(results.into_iter().all(|result| result.exists()));
}

#[test]
fn a_run_that_cannot_start_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let fuzz = ["fuzz", "--only", "POPC", "--cases", "1000", "--out", "run"];
    assert_eq!(status(&assay_in(folder.path(), &fuzz)), 0);
    let read = || std::fs::read(folder.path().join("run/result.json")).unwrap();
    let before = read();
    for refused in [
        &["fuzz", "--only", "NOPE", "--out", "run", "--overwrite"][..],
        &["fuzz", "--only", "MUFU", "--subject", "apfloat", "--out", "run", "--overwrite"],
        &["fuzz", "--only", "FADD", "--cases", "1000", "--out", "run", "--resume", "--overwrite"],
        &["sweep", "nope", "--out", "run", "--overwrite"],
        // The finished run has nothing to continue, and this command has another plan.
        &["fuzz", "--only", "FADD", "--cases", "1000", "--out", "run", "--resume"],
    ] {
        assert_eq!(status(&assay_in(folder.path(), refused)), 2, "{refused:?}");
        assert!(read() == before, "{refused:?}");
    }
}

#[test]
fn what_is_overwritten_leaves_no_file_behind() {
    let folder = tempfile::tempdir().unwrap();
    let fault = ["fuzz", "--subject", "mutant:fadd-tie-to-odd", "--only", "FADD", "--cases", "50000"];
    assert_eq!(status(&assay_in(folder.path(), &[&fault[..], &["--out", "run"]].concat())), 1);
    let run = folder.path().join("run");
    assert!(run.join("coverage.json").exists() && run.join("findings/fadd-1.yaml").exists());
    assert_eq!(status(&assay_in(folder.path(), &["sweep", "bmsk", "--out", "run", "--overwrite"])), 0);
    assert!(!run.join("coverage.json").exists() && !run.join("findings/fadd-1.yaml").exists());
}
