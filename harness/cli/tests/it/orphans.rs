//! Tests that no device runs on after the end of assay, however assay ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::command;

/// A device that never answers and loops forever, with a child process that also loops forever.
/// Both ignore SIGINT, SIGTERM and SIGHUP.
const SPINS: &str = "trap '' INT TERM HUP\n\
    sh -c \"trap '' INT TERM HUP; while :; do :; done\" &\n\
    grep SigIgn /proc/self/status > \"$1/ignored\"\n\
    echo $$ $! > \"$1/new\" && mv \"$1/new\" \"$1/pids\"\n\
    while :; do :; done\n";

/// Time limit for the end of the device: one second, and one more second for a busy machine.
const SOON: Duration = Duration::from_secs(2);

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("device.sh"), SPINS).expect("a device");
        let place = Place { folder };
        let plan = format!(
            "{{version: 1, name: n, subject: {:?}, jobs: 1, stages: [{{name: a, run: 'fuzz --only FADD --device-deadline 600', \
             time: 5m}}]}}\n",
            place.subject()
        );
        fs::write(place.path("plan.yaml"), plan).expect("a plan");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn subject(&self) -> String {
        format!("exec:sh {} {}", self.path("device.sh").display(), self.folder.path().display())
    }

    /// Starts a command and waits for its device.
    fn start(&self, arguments: &[&str]) -> (Child, Vec<String>) {
        let mut command = command(self.folder.path(), arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("assay starts");
        let began = Instant::now();
        while !self.path("pids").exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "the device starts");
            sleep(Duration::from_millis(20));
        }
        let pids = fs::read_to_string(self.path("pids")).expect("the numbers of two processes");
        let pids: Vec<String> = pids.split_whitespace().map(str::to_owned).collect();
        assert!(pids.len() == 2 && pids.iter().all(|pid| runs(pid)), "{pids:?}");
        (child, pids)
    }
}

/// Whether a process exists and is no zombie.
fn runs(pid: &str) -> bool {
    let state = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

/// Checks that a device and its child end soon, and kills them if they do not.
fn assert_gone(pids: &[String], how: &str) {
    let began = Instant::now();
    while pids.iter().any(|pid| runs(pid)) && began.elapsed() < SOON {
        sleep(Duration::from_millis(5));
    }
    let took = began.elapsed();
    let left: Vec<&String> = pids.iter().filter(|pid| runs(pid)).collect();
    for pid in &left {
        let _ = Command::new("kill").args(["-s", "KILL", pid.as_str()]).status();
    }
    assert!(left.is_empty(), "{how}: {left:?} of {pids:?} are left after {took:?}");
    eprintln!("{how}: gone after {took:?}");
}

#[test]
fn a_device_is_gone_when_assay_is_killed() {
    for command in ["fuzz", "dut", "replay", "nightly"] {
        let place = Place::new();
        let subject = place.subject();
        let deadline = ["--device-deadline", "600"];
        let case = "version: 1\nsuite: s\nabout: x\ncases:\n- {name: c, asm: 'FADD R0, R1, R2', inputs: {R1: '0x0', R2: '0x0'}, \
                    expect: {R0: '0x0'}, provenance: {source: hand}}\n";
        fs::write(place.path("case.yaml"), case).expect("a case");
        let arguments = match command {
            "fuzz" => {
                [&["fuzz", "--subject", &subject, "--only", "FADD", "--out", "run"][..], &deadline].concat()
            }
            "dut" => [&["dut", "check", &subject][..], &deadline].concat(),
            "replay" => [&["replay", "case.yaml", "--subject", &subject][..], &deadline].concat(),
            _ => vec!["nightly", "--config", "plan.yaml", "--out", "out"],
        };
        let (mut child, pids) = place.start(&arguments);
        signal(&child, "KILL");
        child.wait().expect("assay ends");
        assert_gone(&pids, command);
    }
}

#[test]
fn a_device_is_gone_after_the_second_ctrl_c_of_a_night() {
    let place = Place::new();
    let (mut child, pids) = place.start(&["nightly", "--config", "plan.yaml", "--out", "out"]);
    signal(&child, "INT");
    // Waits, because assay ignores a second signal shortly after the first.
    sleep(Duration::from_millis(1200));
    signal(&child, "INT");
    assert_eq!(child.wait().expect("assay ends").code(), Some(130));
    assert_gone(&pids, "two Ctrl-C");
}

/// The device inherits no ignored signal. So a write beyond `ulimit -f` ends the device by SIGXFSZ,
/// as it would without assay.
#[test]
fn a_device_ignores_no_signal_that_it_did_not_ask_to_ignore() {
    let place = Place::new();
    let text = SPINS.replace("trap '' INT TERM HUP\n", "");
    fs::write(place.path("device.sh"), text).expect("a device");
    let subject = place.subject();
    let (mut child, pids) = place.start(&["fuzz", "--subject", &subject, "--only", "FADD", "--out", "run"]);
    signal(&child, "KILL");
    child.wait().expect("assay ends");
    assert_gone(&pids, "fuzz");
    let ignored = fs::read_to_string(place.path("ignored")).expect("a line of /proc");
    let bits =
        u64::from_str_radix(ignored.trim_start_matches("SigIgn:").trim(), 16).expect("hexadecimal digits");
    const SIGXFSZ: u32 = 25;
    assert_eq!(bits >> (SIGXFSZ - 1) & 1, 0, "{ignored}");
}
