//! Tests that no library changes the results of `assay` by a change of the floating-point
//! environment. This holds for a device that is a library, because `assay` loads it in another
//! process. It also holds for a preloaded library. A device gives the same tally and findings as a
//! library and as a command.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assay_testing::skip;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{command, root, words};

/// Number of cases of a short campaign. It calls the device about thirty times.
const CASES: &str = "30000";

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/environment")
}

/// Returns the folder of a test. `None` if there is no compiler.
fn folder() -> Option<TempDir> {
    if Command::new("cc").arg("--version").output().is_err() {
        skip("c-compiler", "what devices do to the floating-point environment: there is no cc");
        return None;
    }
    Some(tempfile::tempdir().expect("a folder"))
}

fn cc(arguments: &[&str], out: &Path) -> Output {
    let root = root();
    let mut cc = Command::new("cc");
    cc.args([
        "-std=gnu11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-frounding-math",
        "-ffp-contract=off",
        "-pthread",
    ]);
    cc.arg("-I").arg(root.join("harness/device/include")).arg("-o").arg(out);
    cc.current_dir(root).args(arguments).arg("-lm").output().expect("cc runs")
}

fn compiled(arguments: &[&str], out: &Path) {
    let done = cc(arguments, out);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Compiles a device with options, as a library and as a program. Returns both as subjects.
fn device(folder: &TempDir, name: &str, options: &[&str]) -> [String; 2] {
    let (library, program) = (folder.path().join(format!("{name}.so")), folder.path().join(name));
    let source = sources().join("device.c").display().to_string();
    // `nodelete` keeps the library loaded, because threads and signal handlers of the device may
    // run after `dlclose`.
    compiled(&[options, &["-shared", "-fPIC", "-Wl,-z,nodelete", &source]].concat(), &library);
    compiled(&[options, &[&source, "examples/devices/c/process.c"]].concat(), &program);
    [format!("lib:{}", library.display()), format!("exec:{}", program.display())]
}

fn assay(arguments: &[&str]) -> Command {
    let mut command = command(&root(), arguments);
    command.env_remove("LD_PRELOAD");
    command
}

/// The output of a run: its tally, and its findings without the name of the subject.
#[derive(PartialEq)]
struct Ran {
    tally: Value,
    findings: Vec<String>,
    stderr: String,
}

impl Ran {
    fn diverged(&self) -> u64 {
        self.tally["verdicts"]["diverged"].as_u64().expect("a count")
    }

    /// Compares tally and findings with those of another run.
    #[track_caller]
    fn is_like(&self, other: &Ran, what: &str) {
        assert_eq!(self.tally, other.tally, "{what}\n{}", self.stderr);
        assert_eq!(self.findings, other.findings, "{what}");
    }
}

/// Runs a command with a temporary folder for its results.
fn run(command: &[&str], subject: &str, status: i32) -> Ran {
    ran(&mut assay(command), subject, status)
}

fn ran(command: &mut Command, subject: &str, status: i32) -> Ran {
    let out = tempfile::tempdir().expect("a folder");
    let output = command.args(["--subject", subject, "--overwrite", "--out"]).arg(out.path()).output();
    let output = output.expect("assay runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{subject}\n{stderr}");
    let text = std::fs::read_to_string(out.path().join("result.json")).expect("a result");
    let mut result: Value = serde_json::from_str(&text).expect("JSON");
    let mut findings: Vec<String> =
        std::fs::read_dir(out.path().join("findings")).map_or(Vec::new(), |list| {
            let read = |entry: std::io::Result<std::fs::DirEntry>| {
                std::fs::read_to_string(entry.expect("an entry").path()).expect("a finding")
            };
            list.map(read).collect()
        });
    findings.iter_mut().for_each(|text| *text = text.replace(subject, "SUBJECT"));
    findings.sort();
    Ran { tally: result["tally"].take(), findings, stderr }
}

const FUZZ: &[&str] = &["fuzz", "--only", "FADD", "FMUL", "--cases", CASES];
/// A shard of a sweep in which the device has some wrong results.
const SWEEP: &[&str] = &["sweep", "mufu.rcp.f32", "--shard", "0/256"];

/// Each row: the part of the floating-point environment that the device changes, and the function
/// of the device that changes it.
const CHANGES: [(&str, &str); 16] = [
    ("RZ", "LOADING"),
    ("RP", "LOADING"),
    ("FTZ_DAZ", "LOADING"),
    ("TRAPS", "LOADING"),
    ("FTZ", "OPEN"),
    ("RZ", "DESCRIBE"),
    ("RZ", "EXECUTE"),
    ("RP", "EXECUTE"),
    ("FTZ", "EXECUTE"),
    ("DAZ", "EXECUTE"),
    ("TRAPS", "EXECUTE"),
    ("RZ", "CLOSE"),
    ("RZ", "THREAD"),
    ("FTZ_DAZ", "BACKGROUND"),
    ("RP", "CALLBACK"),
    ("TRAPS", "CALLBACK"),
];

#[test]
fn a_right_device_that_changes_the_environment_is_right_as_library_and_process() {
    let Some(folder) = folder() else { return };
    let [plain, process] = device(&folder, "plain", &[]);
    let expected = run(FUZZ, &plain, 0);
    assert!(expected.tally["cases"].as_u64() > Some(20_000));
    run(FUZZ, &process, 0).is_like(&expected, "the plain device");
    for (what, when) in CHANGES {
        let name = format!("{what}-{when}");
        let options = [format!("-DWHAT={what}"), format!("-DWHEN={when}")];
        let [library, process] = device(&folder, &name, &options.each_ref().map(String::as_str));
        run(FUZZ, &library, 0).is_like(&expected, &library);
        // As a command, the device has its own process, so its changes can affect only the code in
        // that process that reads and writes messages.
        if [("RZ", "EXECUTE"), ("TRAPS", "EXECUTE"), ("FTZ_DAZ", "LOADING")].contains(&(what, when)) {
            run(FUZZ, &process, 0).is_like(&expected, &process);
        }
    }
}

#[test]
fn one_call_of_a_thousand_changes_nothing_either() {
    let Some(folder) = folder() else { return };
    let fuzz = &["fuzz", "--only", "FADD", "--cases", "1200000", "--jobs", "1"];
    let expected = run(fuzz, &device(&folder, "plain", &[])[0], 0);
    for what in ["RZ", "FTZ_DAZ"] {
        let options = [&format!("-DWHAT={what}"), "-DWHEN=EXECUTE", "-DEVERY=1000"];
        let [library, _] = device(&folder, what, &options);
        run(fuzz, &library, 0).is_like(&expected, what);
    }
}

#[test]
fn a_device_that_truncates_is_caught_as_library_and_process() {
    let Some(folder) = folder() else { return };
    let [library, process] = device(&folder, "truncates", &["-DTRUNCATES"]);
    let ran = run(FUZZ, &library, 1);
    assert!(ran.diverged() > 1000 && !ran.findings.is_empty(), "{}", ran.diverged());
    run(FUZZ, &process, 1).is_like(&ran, "as a process");
}

#[test]
fn a_device_that_is_linked_with_fast_math_computes_as_it_was_written() {
    let Some(folder) = folder() else { return };
    let expected = run(FUZZ, &device(&folder, "plain", &[])[0], 0);
    // The device is linked with -ffast-math but compiled without this option, so that its own code
    // follows IEEE 754.
    let object = folder.path().join("device.o").display().to_string();
    let source = sources().join("device.c").display().to_string();
    compiled(&["-c", "-fPIC", &source], Path::new(&object));
    let (library, program) = (folder.path().join("fast.so"), folder.path().join("fast"));
    // Newer compilers set FTZ in a library only with an option.
    let newer = ["-ffast-math", "-mdaz-ftz", "-shared", &object];
    if !cc(&newer, &library).status.success() {
        compiled(&["-ffast-math", "-shared", &object], &library);
    }
    compiled(&["-ffast-math", &object, "examples/devices/c/process.c"], &program);
    let library = format!("lib:{}", library.display());
    run(FUZZ, &library, 0).is_like(&expected, "as a library");
    run(FUZZ, &format!("exec:{}", program.display()), 0).is_like(&expected, "as a process");
}

#[test]
fn a_sweep_finds_the_same_with_and_without() {
    let Some(folder) = folder() else { return };
    let expected = run(SWEEP, &device(&folder, "plain", &["-DWRONG=257"])[0], 1);
    assert!(expected.diverged() > 10_000, "{}", expected.diverged());
    for what in ["RZ", "RP", "FTZ_DAZ", "TRAPS"] {
        let options = ["-DWRONG=257", &format!("-DWHAT={what}"), "-DWHEN=EXECUTE"];
        for subject in device(&folder, what, &options) {
            run(SWEEP, &subject, 1).is_like(&expected, &subject);
        }
    }
}

#[test]
fn a_preloaded_library_changes_nothing_or_is_named() {
    let Some(folder) = folder() else { return };
    let source = sources().join("preloaded.c").display().to_string();
    let at_start = folder.path().join("at_start.so");
    let later = folder.path().join("later.so");
    compiled(&["-shared", "-fPIC", &source], &at_start);
    compiled(&["-DLATER", "-shared", "-fPIC", &source], &later);
    for (command, status) in [(FUZZ, 0), (&["sweep", "mufu.rcp.f32", "--shard", "0/256"], 0)] {
        let expected = run(command, "model", status);
        ran(assay(command).env("LD_PRELOAD", &at_start), "model", status).is_like(&expected, "at its start");
        let out = folder.path().join(command[0]);
        let mut changed = assay(command);
        changed.arg("--out").arg(&out).env("LD_PRELOAD", &later);
        let output = changed.output().expect("assay runs");
        let stderr = words(&output);
        assert_eq!(output.status.code(), Some(3), "{command:?}: {stderr}");
        assert!(stderr.contains("rounding toward zero (RZ)"), "{stderr}");
        assert!(stderr.contains("preloaded into this process (LD_PRELOAD="), "{stderr}");
        assert!(!out.join("result.json").exists(), "nothing that was computed so is a result");
    }
}
