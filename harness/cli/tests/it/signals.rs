//! Tests signals that end a run, and which files the run leaves.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::command;

/// Runs a command in a folder, waits until a file exists, sends the signal twice, and returns the
/// exit status.
fn signalled_twice(folder: &Path, arguments: &[&str], file: &str, signal: &str) -> Option<i32> {
    let mut child = command(folder, arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let started = Instant::now();
    while !folder.join(file).exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    for _ in 0..2 {
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.expect("there is kill").success());
        std::thread::sleep(Duration::from_millis(100));
    }
    child.wait().expect("the child can be waited for").code()
}

/// A batch system signals the run, and also the script that started the run. The script passes the
/// signal on, so the run receives it twice.
#[test]
fn two_signals_of_a_batch_system_at_once_are_one_request() {
    let folder = tempfile::tempdir().unwrap();
    let fuzz =
        ["fuzz", "--only", "MUFU", "--cases", "1000000000000", "--checkpoint-every", "0.1", "--out", "run"];
    assert_eq!(signalled_twice(folder.path(), &fuzz, "run/checkpoint.json", "-TERM"), Some(130));
    // Only an orderly end writes these files.
    let run = folder.path().join("run");
    assert!(run.join("interrupted.json").exists() && run.join("checkpoint.json").exists());
}

/// A user who presses Ctrl-C twice need not wait for a device that hangs.
#[test]
fn two_presses_of_ctrl_c_end_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let device = "exec:sh -c 'touch started; sleep 100'";
    let fuzz = ["fuzz", "--subject", device, "--device-deadline", "60", "--out", "run"];
    let began = Instant::now();
    assert_eq!(signalled_twice(folder.path(), &fuzz, "started", "-INT"), Some(130));
    assert!(began.elapsed() < Duration::from_secs(30), "the run waited for the device");
}
