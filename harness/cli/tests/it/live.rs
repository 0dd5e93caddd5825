//! Tests the path to a live GPU from end to end, without a GPU. The program loads a stand-in for
//! the driver, whose device runs the PTX of the kernels in an interpreter. The results are judged
//! like those of any device, and the driver's errors must be reported.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{ASSAY, root, served};

/// A folder whose `libcuda.so` is the stand-in for the driver. The results are written to this
/// folder too.
struct Machine(TempDir);

impl Machine {
    fn new() -> Machine {
        let test = std::env::current_exe().expect("the test has a path");
        let library = test.parent().expect("it lies in a folder").join("libassay_stand_in.so");
        assert!(library.exists(), "{} was not built", library.display());
        let folder = tempfile::tempdir().expect("a folder");
        symlink(library, folder.path().join("libcuda.so")).expect("a link to the library");
        Machine(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Returns a command on this machine. The driver has the errors that `faults` names.
    fn command(&self, program: impl AsRef<Path>, faults: &str) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(root());
        command.env("LD_LIBRARY_PATH", self.0.path()).env("ASSAY_STAND_IN", faults);
        command
    }

    fn assay(&self, faults: &str, arguments: &[&str]) -> Output {
        self.command(ASSAY, faults).args(arguments).output().expect("assay runs")
    }

    /// Runs a command that must end with this status, and returns its JSON.
    fn json(&self, faults: &str, status: i32, arguments: &[&str]) -> Value {
        let output = self.assay(faults, &[arguments, &["--format", "json"]].concat());
        ended(&output, status, arguments);
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

#[track_caller]
fn ended(output: &Output, status: i32, arguments: &[&str]) {
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}\n{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
}

fn text(bytes: &[u8]) -> String {
    // Joins the parts of a folded line.
    String::from_utf8_lossy(bytes).replace("\n  │ ", " ")
}

/// The options of every campaign and sweep in this file.
const LIVE: [&str; 4] = ["--subject", "cuda:0", "--profile", "sm90"];

#[test]
fn a_campaign_on_the_device_agrees_with_the_oracle() {
    let machine = Machine::new();
    let out = machine.path("campaign");
    let result = machine.json("", 0, &[&["fuzz", "--cases", "300000", "--out", &out], &LIVE[..]].concat());
    let verdicts = &result["verdicts"];
    let judged = verdicts["exact"].as_u64().unwrap() + verdicts["within"].as_u64().unwrap();
    assert!(judged > 100_000, "{verdicts}");
    let record = std::fs::read_to_string(Path::new(&out).join("result.json")).unwrap();
    assert!(record.contains("interpreted by a stand-in, no GPU"), "the result says who it was");
}

#[test]
fn what_a_sweep_has_computed_ahead_is_what_columns_give() {
    let machine = Machine::new();
    let [announced, columns] = ["announced", "columns"].map(|name| machine.path(name));
    // Sweeps a part of the inputs, because all of them take a minute.
    let functions = "mufu.ex2.f16 mufu.ex2.bf16 mufu.tanh.f16 mufu.tanh.bf16_v2 mufu.sin.f32 mufu.cos.f32";
    let functions: Vec<&str> = ["sweep"].into_iter().chain(functions.split(' ')).collect();
    let part = ["--tier", "quick", "--shard", "0/512", "--out"];
    let live = machine.json("", 0, &[&functions[..], &part, &[&announced], &LIVE].concat());
    // A subject in another process does not receive the next batches in advance, so all its results
    // come as columns.
    let process = served("ptx");
    let interpreted = ["--subject", &process, "--profile", "sm90"];
    let here = machine.json("", 0, &[&functions[..], &part, &[&columns], &interpreted].concat());
    assert_eq!(live["functions"], here["functions"], "the driver's detour changes nothing");
    assert!(live["functions"]["MUFU.SIN.F32"]["inputs"].as_u64().unwrap() > 30_000);
    let wrong = machine.path("wrong");
    let power = ["sweep", "mufu.ex2.f32", "--tier", "quick", "--shard", "0/512", "--out", &wrong];
    machine.json("wrong=3", 1, &[&power, &LIVE[..]].concat());
}

#[test]
fn a_device_that_is_wrong_at_times_is_found() {
    let machine = Machine::new();
    let out = machine.path("campaign");
    let arguments = [&["fuzz", "--only", "FADD", "--cases", "200000", "--out", &out], &LIVE[..]].concat();
    let result = machine.json("wrong=50", 1, &arguments);
    assert!(result["divergences"].as_u64().unwrap() > 0, "{result}");
}

#[test]
fn a_device_that_is_lost_ends_a_campaign_and_takes_nothing_with_it() {
    let machine = Machine::new();
    let out = machine.path("campaign");
    let arguments = [&["fuzz", "--cases", "4000000", "--out", &out], &LIVE[..]].concat();
    let output = machine.assay("lost=1500", &arguments);
    ended(&output, 3, &arguments);
    let said = text(&output.stderr);
    assert!(said.contains("cuda:0") && said.contains("launch failure"), "{said}");
    assert!(Path::new(&out).join("checkpoint.json").exists(), "what was judged can be gone on with");
    let arguments = [&["fuzz", "--cases", "4000000", "--out", &out, "--resume"], &LIVE[..]].concat();
    let resumed = machine.json("", 0, &arguments);
    assert_eq!(resumed["cases"], 4_000_000);
    let whole = machine.path("whole");
    machine.json("", 0, &[&["fuzz", "--cases", "4000000", "--out", &whole], &LIVE[..]].concat());
    let result = |folder: &str| std::fs::read(Path::new(folder).join("result.json")).unwrap();
    assert!(result(&out) == result(&whole), "the loss changes nothing");
}

#[test]
fn a_driver_that_cannot_be_used_is_told_in_one_sentence() {
    let machine = Machine::new();
    let arguments = [&["eval", "FADD R0, R1, R2", "R1=1", "R2=2"], &LIVE[..]].concat();
    for (fault, sentence) in [
        ("nodevice", "there is no device 0: the driver knows 0"),
        ("cuda=12000", "the driver has CUDA 12.0, and PTX 8.2 came with CUDA 12.2"),
        ("late=1", "CUDA_ERROR_INVALID_VALUE"),
    ] {
        let output = machine.assay(fault, &arguments);
        ended(&output, 3, &arguments);
        assert!(text(&output.stderr).contains(sentence), "{fault}: {}", text(&output.stderr));
    }
}

#[test]
fn what_the_stand_in_does_is_no_measurement() {
    let machine = Machine::new();
    let trace = machine.path("vectors.parquet");
    let witnesses = ["trace", "capture", "--vectors", "vectors/data/witnesses", "--out", &trace];
    let arguments = [&witnesses[..], &LIVE].concat();
    ended(&machine.assay("", &arguments), 0, &arguments);
    let subject = format!("trace:{trace}");
    let settle = ["errata", "settle", "--profile", "sm90", "--subject", &subject];
    let output = machine.assay("", &settle);
    ended(&output, 0, &settle);
    let output = machine.assay("", &[&settle[..], &["--yaml"]].concat());
    ended(&output, 2, &settle);
    assert!(text(&output.stderr).contains("no device"), "{}", text(&output.stderr));
}

/// The time limit of the script ends the capture after 20 seconds. The test then resumes the
/// capture.
#[test]
#[ignore = "half an hour: `just rehearse`"]
fn a_capture_goes_through_all_its_phases() {
    let machine = Machine::new();
    let [kit, out] = ["kit", "out"].map(|name| machine.0.path().join(name));
    let root = root();
    std::fs::create_dir(&kit).unwrap();
    let link = |from: PathBuf, to: &str| symlink(std::path::absolute(from).unwrap(), kit.join(to)).unwrap();
    link(ASSAY.into(), "assay");
    link(root.join("vectors/data"), "vectors");
    std::fs::copy(root.join("scripts/capture.sh"), kit.join("capture.sh")).unwrap();
    let capture = |limit: &str| {
        let mut capture = machine.command(kit.join("capture.sh"), "");
        capture.env("SCALE", "200").env("LIMIT", limit).arg(&out).output().expect("the script runs")
    };
    ended(&capture("20"), 75, &["capture.sh"]);
    let output = capture("540");
    ended(&output, 0, &["capture.sh"]);
    assert!(text(&output.stdout).contains("all is done: 8 files"), "{}", text(&output.stdout));
    let settled = std::fs::read_to_string(out.join("work/settled.txt")).unwrap();
    assert!(settled.contains(" 0 against the profile"), "{settled}");
}
