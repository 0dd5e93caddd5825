//! Tests runs on a full disk. They still print the verdict and the findings. Once there is room,
//! the same folder can be used again.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

use assay_testing::skip;
use serde_json::Value;

use crate::support::{ASSAY, assay_in, json, status, stdout, words};

const FAULT: [&str; 8] =
    ["fuzz", "--only", "FMUL", "--cases", "20000", "--subject", "mutant:fmul-flush-sign", "--out"];

/// Runs a line of a shell, in which `$@` is `assay` with arguments.
fn shell(folder: &Path, line: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", line, "bash", ASSAY]).args(arguments).current_dir(folder);
    command.output().expect("bash runs")
}

/// Checks the exit status, the verdict and the finding of a run that could not write its files.
fn assert_shown(output: &Output) {
    assert_eq!(status(output), 3, "{}", words(output));
    assert!(words(output).contains("cannot be written"), "{}", words(output));
    let page = stdout(output);
    let verdict = page.lines().last().unwrap_or_default();
    assert!(verdict.starts_with("FAILED"), "{page}");
    assert!(page.contains("found FMUL"), "the finding is shown: {page}");
}

/// A limit on the size of each file simulates a full disk. Below the limit, small files can be
/// written.
#[test]
fn a_run_that_cannot_write_its_result_shows_what_it_found() {
    for kibibytes in [0, 2, 4] {
        let folder = tempfile::tempdir().unwrap();
        let limited = format!("ulimit -f {kibibytes}; exec \"$@\"");
        let run = [&FAULT[..], &["run"]].concat();
        assert_shown(&shell(folder.path(), &limited, &run));
        let again =
            shell(folder.path(), &limited, &[&run[..], &["--overwrite", "--format", "json"]].concat());
        assert_eq!(status(&again), 3, "{kibibytes}: {}", words(&again));
        assert!(json(&again)["divergences"].as_u64() > Some(0));
        let sweep = ["sweep", "popc", "--tier", "quick", "--out", "sweep"];
        let swept = shell(folder.path(), "ulimit -f 0; exec \"$@\"", &sweep);
        assert_eq!(status(&swept), 3, "{}", words(&swept));
        assert!(
            stdout(&swept).lines().last().is_some_and(|line| line.starts_with("PASSED")),
            "{}",
            stdout(&swept)
        );
        // Without the limit, the same folders can be used.
        for (run, ends) in [(&run[..], 1), (&sweep[..], 0)] {
            let output = assay_in(folder.path(), &[run, &["--overwrite"]].concat());
            assert_eq!(status(&output), ends, "{kibibytes} {run:?}: {}", words(&output));
            assert_eq!(status(&assay_in(folder.path(), &["report", run[run.len() - 1]])), ends);
        }
    }
}

/// Tests runs on a file system without a free block.
#[test]
fn a_run_on_a_full_file_system_shows_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let mounted = "mkdir full && mount -t tmpfs -o size=64k assay-full full";
    let namespace = ["--map-root-user", "--mount", "bash", "-c", mounted];
    let may_mount = Command::new("unshare").args(namespace).current_dir(folder.path()).output();
    if !may_mount.is_ok_and(|output| output.status.success()) {
        return skip("mount", "a run on a full file system: a user may not mount one here");
    }
    let line = "mount -t tmpfs -o size=64k assay-full full; mkdir full/run; \
        head -c 65536 /dev/zero >full/ballast 2>/dev/null; \"$@\" >out; first=$?; \
        rm full/ballast; mount -o remount,size=8m full; \"$@\" --overwrite >again; echo $first $?";
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "bash", "-c", line, "bash", ASSAY]);
    let output =
        command.args(FAULT).arg("full/run").current_dir(folder.path()).output().expect("unshare runs");
    assert_eq!(stdout(&output).trim(), "3 1", "{}", words(&output));
    let page = std::fs::read_to_string(folder.path().join("out")).unwrap();
    assert!(page.lines().last().is_some_and(|line| line.starts_with("FAILED")), "{page}");
    assert!(page.contains("found FMUL"), "{page}");
}

/// `--overwrite` replaces only files that a run wrote.
#[test]
fn a_folder_that_looks_like_that_of_a_run_is_kept() {
    let fuzz = ["fuzz", "--only", "POPC", "--cases", "1000", "--out", "run", "--overwrite"];
    let suite = "version: 1\nsuite: mine\nabout: a case\ncases:\n- {name: a, asm: 'POPC R0, R1', inputs: {R1: 1}, \
        expect: {R0: 1}, provenance: {source: hand}}\n";
    for (file, text) in
        [("findings/mine.yaml", suite), ("findings/notes.txt", "mine"), ("thesis.txt", "mine")]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        let output = assay_in(folder.path(), &fuzz);
        assert_eq!(status(&output), 2, "{file}: {}", words(&output));
        assert!(words(&output).contains("never held a run"), "{file}: {}", words(&output));
        assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    }
}

/// A trace is judged even if there is no room for the result.
#[test]
fn a_checked_trace_shows_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let capture =
        ["trace", "capture", "--subject", "mutant:fmul-flush-sign", "--only", "FMUL", "--cases", "20000"];
    let output = assay_in(folder.path(), &[&capture[..], &["--out", "t.parquet"]].concat());
    assert_eq!(status(&output), 0, "{}", words(&output));
    let check = ["trace", "check", "t.parquet", "--profile", "intended", "--out", "run", "--format", "json"];
    let output = shell(folder.path(), "ulimit -f 0; exec \"$@\"", &check);
    assert_eq!(status(&output), 3, "{}", words(&output));
    let printed: Value = json(&output);
    assert!(printed["divergences"].as_u64() > Some(0), "{printed}");
}
