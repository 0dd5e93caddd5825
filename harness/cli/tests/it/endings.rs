//! Tests how commands end: exit statuses that scripts rely on, refusals before any work, and
//! signals.
#![cfg(unix)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::{ASSAY, assay_in, command, root};

fn assay(folder: &Path, line: &str) -> Output {
    assay_in(folder, &line.split(' ').collect::<Vec<_>>())
}

/// Runs a line of a shell, in which `$ASSAY` is the program.
fn shell(folder: &Path, line: &str) -> Output {
    Command::new("bash")
        .args(["-c", line])
        .env("ASSAY", ASSAY)
        .current_dir(folder)
        .output()
        .expect("bash runs")
}

fn expect(status: i32, words: &str, output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    let text = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.contains(words), "`{words}` is not in: {text}");
}

const GOOD: &str = "fuzz --only POPC --cases 2048 --out good";
const BAD: &str = "fuzz --only FMUL --cases 20000 --subject mutant:fmul-flush-sign --out bad";

#[test]
fn merge_and_report_end_with_status_1_where_something_diverged() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    expect(0, "", &assay(folder, GOOD));
    expect(1, "", &assay(folder, BAD));
    for (run, status) in [("good", 0), ("bad", 1)] {
        expect(status, "", &assay(folder, &format!("merge {run} --out {run}.json")));
        expect(status, "", &assay(folder, &format!("report {run}.json")));
        expect(status, "", &assay(folder, &format!("report {run}.json --format json")));
        expect(status, "", &assay(folder, &format!("report {run}.json --out {run}-pages")));
        assert!(folder.join(format!("{run}-pages/report.junit.xml")).exists());
        assert!(!std::fs::read(folder.join(format!("{run}.json"))).unwrap().is_empty());
    }
    expect(1, "", &assay(folder, "report good.json bad.json"));
}

#[test]
fn a_merge_replaces_nothing_that_no_merge_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for shard in [0, 1] {
        expect(
            0,
            "",
            &assay(folder, &format!("fuzz --only POPC --cases 4096 --shard {shard}/2 --out {shard}")),
        );
    }
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    std::fs::copy(folder.join("0/result.json"), folder.join("copy.json")).unwrap();
    let cases = [
        ("merge 0 1 --out 0/result.json", "0/result.json", "is one of the files to read"),
        ("merge copy.json 1 --out copy.json", "copy.json", "is one of the files to read"),
        ("merge copy.json 1 --out 0/result.json", "0/result.json", "is the result of a run"),
        ("merge 0 1 --out notes.txt", "notes.txt", "holds no result"),
    ];
    for (line, file, words) in cases {
        let before = std::fs::read(folder.join(file)).unwrap();
        expect(2, words, &assay(folder, line));
        assert!(std::fs::read(folder.join(file)).unwrap() == before, "{line}");
    }
    expect(0, "", &assay(folder, "merge 0 1 --out merged.json"));
    expect(0, "", &assay(folder, "merge 0 1 --out merged.json"));
    expect(0, "", &assay(folder, "merge 0 1 --out notes.txt --overwrite"));
    expect(0, "", &assay(folder, "report notes.txt"));
}

#[test]
fn a_result_of_before_the_digest_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    expect(0, "", &assay(folder, GOOD));
    let text = std::fs::read_to_string(folder.join("good/result.json")).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("  \"digest\"")).collect();
    std::fs::write(folder.join("old.json"), lines.join("\n").replace("\"version\": 2", "\"version\": 1"))
        .unwrap();
    let merged = assay(folder, "merge old.json --out merged.json");
    expect(0, "", &merged);
    assert!(String::from_utf8_lossy(&merged.stdout).contains("unverified: 1"));
    for result in ["old.json", "merged.json"] {
        let page = assay(folder, &format!("report {result}")).stdout;
        assert!(String::from_utf8_lossy(&page).contains("unverified: 1"), "{result}");
        let json = assay(folder, &format!("report {result} --format json")).stdout;
        assert!(String::from_utf8_lossy(&json).contains("\"unverified\": 1"), "{result}");
    }
    let page = assay(folder, "report good").stdout;
    assert!(!String::from_utf8_lossy(&page).contains("unverified"));
}

/// Tests each command that takes the path of an output.
#[test]
fn a_path_that_is_not_utf_8_is_refused_before_anything_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    expect(0, "", &assay(folder, GOOD));
    let lines = [
        "fuzz --only POPC --cases 1000000000000 --out",
        "sweep popc --out",
        "merge good --out",
        "report good --out",
        "gen --as jsonl --cases 1000000000 --out",
        "nightly --out",
        "vectors generate --alone --out",
        "errata report --out",
        "trace capture --subject model --cases 1000000000 --out",
        "trace check good --out",
    ];
    let before = std::fs::read_dir(folder).unwrap().count();
    for line in lines {
        let started = Instant::now();
        let mut command = command(folder, &line.split(' ').collect::<Vec<_>>());
        let output = command.arg(OsStr::from_bytes(b"out\xff")).output();
        expect(2, "not UTF-8", &output.unwrap());
        assert!(started.elapsed() < Duration::from_secs(5), "{line}");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), before, "{line}");
    }
}

#[test]
fn cases_that_are_generated_have_the_mode_that_the_umask_leaves() {
    let folder = tempfile::tempdir().unwrap();
    for (umask, mode) in [("022", 0o644), ("027", 0o640), ("077", 0o600)] {
        let line = format!("umask {umask}; \"$ASSAY\" gen --as jsonl --cases 10 --only POPC --out {umask}");
        expect(0, "", &shell(folder.path(), &line));
        let file = std::fs::metadata(folder.path().join(umask)).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, mode, "{umask}");
    }
}

#[test]
fn threads_are_bounded_by_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let most = 16 * std::thread::available_parallelism().unwrap().get();
    for (name, line) in [
        ("a", "RAYON_NUM_THREADS=999999 \"$ASSAY\" fuzz --only POPC --cases 1000 --out a"),
        ("b", "\"$ASSAY\" fuzz --only POPC --cases 1000 --jobs 60000 --out b"),
    ] {
        expect(0, "16 a core", &shell(folder.path(), line));
        let text = std::fs::read_to_string(folder.path().join(name).join("run.json")).unwrap();
        let record: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(record["jobs"], most);
    }
}

/// If the operating system refuses a resource to `assay`, this does not count as a failure of the
/// device.
#[test]
fn a_lack_of_descriptors_is_no_death_of_the_device() {
    let folder = tempfile::tempdir().unwrap();
    let device = "exec:'$ASSAY' dut serve model";
    let fuzz =
        format!("\"$ASSAY\" fuzz --only POPC --cases 200000 --jobs 8 --subject \"{device}\" --out run");
    expect(0, "", &shell(folder.path(), &fuzz));
    let output = shell(folder.path(), &format!("ulimit -n 16; {fuzz} --overwrite"));
    expect(3, "Too many open files", &output);
}

/// Sends SIGTERM to a child, and checks that the child ends in time.
fn ends_within(child: &mut std::process::Child, time: Duration, what: &str) {
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.expect("there is kill").success(), "{what}");
    let started = Instant::now();
    while started.elapsed() < time + Duration::from_secs(5) {
        if let Some(status) = child.try_wait().unwrap() {
            let took = started.elapsed();
            assert_eq!(status.code(), Some(130), "{what}");
            assert!(took < time, "{what}: {took:?}");
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("{what}: does not end");
}

fn spawn(folder: &Path, arguments: &[&str]) -> std::process::Child {
    let mut command = command(folder, arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().expect("assay runs");
    std::thread::sleep(Duration::from_millis(700));
    child
}

#[test]
fn long_commands_end_soon_after_a_signal() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = root().join("vectors/data/witnesses");
    let witnesses = vectors.display().to_string();
    for line in [
        &["errata", "settle", "--vectors", &witnesses][..],
        &["vectors", "generate", "--alone", "--limit", "4000000", "--overwrite"],
    ] {
        let mut child = spawn(folder.path(), line);
        if child.try_wait().unwrap().is_none() {
            ends_within(&mut child, Duration::from_secs(2), &line.join(" "));
        }
    }
}

/// The device answers the first line, and then sends nothing more.
#[test]
fn a_run_with_a_device_that_hangs_ends_after_its_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let reply =
        r#"{"protocol": 1, "name": "h", "version": "1", "optypes": ["POPC", "BREV"], "framing": "json"}"#;
    let script = format!("read line; echo '{reply}'; exec sleep 1000\n");
    std::fs::write(folder.path().join("device.sh"), script).unwrap();
    let fuzz = ["fuzz", "--only", "POPC", "--cases", "1000000", "--subject", "exec:bash device.sh"];
    let mut child = spawn(folder.path(), &[&fuzz[..], &["--device-deadline", "3", "--out", "run"]].concat());
    assert!(child.try_wait().unwrap().is_none(), "it was over before it was asked to end");
    ends_within(&mut child, Duration::from_secs(5), "a campaign");
}

/// A finding that is lost in a crash can be restored only from the checkpoint. So the checkpoint is
/// removed only after the findings and their folder are on the disk.
#[test]
fn findings_are_on_the_disk_before_the_checkpoint_goes() {
    let folder = tempfile::tempdir().unwrap();
    let calls = folder.path().join("calls");
    let trace = format!(
        "strace -f -y -o calls -e trace=fsync,rename,renameat,renameat2,unlink,unlinkat \"$ASSAY\" {} --checkpoint-every 0.001",
        BAD
    );
    if !Command::new("strace").args(["-o", "/dev/null", "true"]).status().is_ok_and(|status| status.success())
    {
        assay_testing::skip(
            "strace",
            "the order of the system calls at the end of a run: there is no strace",
        );
        return;
    }
    expect(1, "", &shell(folder.path(), &trace));
    let calls = std::fs::read_to_string(calls).unwrap();
    let lines: Vec<&str> = calls.lines().collect();
    let at = |what: &str, holds: &dyn Fn(&str) -> bool| {
        let place = lines.iter().rposition(|line| holds(line));
        place.unwrap_or_else(|| panic!("no call is {what}:\n{calls}"))
    };
    let synced = |path: &str| {
        let end = format!("{path}>");
        at(path, &move |line: &str| line.contains("fsync(") && line.contains(&end))
    };
    let finding = at("a finding", &|line| line.contains("fsync(") && line.contains("/bad/findings/.assay-"));
    let named =
        at("its name", &|line| line.contains("rename") && line.contains("bad/findings/fmul-1.yaml\""));
    let checkpoint = at("the end of the checkpoint", &|line| {
        line.contains("unlink") && line.contains("bad/checkpoint.json\"")
    });
    assert!(finding < named && named < synced("/bad/findings"), "{calls}");
    assert!(synced("/bad/findings") < checkpoint, "{calls}");
    // The folder of the run is synced too, because it contains the directory entry of the folder of
    // findings.
    let made = lines.iter().position(|line| line.contains("/bad/findings/.assay-")).unwrap();
    let run = lines[..made].iter().rposition(|line| line.contains("fsync(") && line.contains("/bad>"));
    assert!(run.is_some(), "{calls}");
    // All temporary files have names that begin with `.assay-`. A file with another name that is
    // left after a kill would look like a file of the user.
    let removed = lines.iter().filter(|line| line.contains("unlink") && line.contains("bad/"));
    for line in removed {
        assert!(line.contains("bad/.assay-") || line.contains("bad/checkpoint.json"), "{line}");
    }
}
