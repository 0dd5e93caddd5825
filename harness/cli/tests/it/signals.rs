//! Signals that ask a run to end, and the files that it then keeps.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::command;

/// A batch system signals the run and the script that started it, which passes the signal on.
#[test]
fn two_signals_at_once_are_one_wish() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let fuzz =
        ["fuzz", "--only", "MUFU", "--cases", "1000000000000", "--checkpoint-every", "0.1", "--out", "run"];
    let mut child = command(folder.path(), &fuzz)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let started = Instant::now();
    while !run.join("checkpoint.json").exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    for _ in 0..2 {
        let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        assert!(kill.expect("there is kill").success());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // What only an orderly end writes.
    assert!(run.join("interrupted.json").exists() && run.join("checkpoint.json").exists());
}
