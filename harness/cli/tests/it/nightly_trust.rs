//! Tests that nightly runs do not pass with a device that ends its process, declares fewer modes
//! than before, or declines the case of an open bug.

use std::fs;
use std::process::{Command, Output};

use assay_testing::skip;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{ASSAY, assay, has, json, root, status, stdout, word, words};

/// A proxy that passes every message to a subject of `assay`. It declares the modes or optypes that
/// its settings file lists. It declines cases whose text begins with an entry of `declined`. The
/// key `asked` overrides settings when the modes are listed (`--modes`), and the key `under`
/// overrides settings under a reading.
pub const PROXY: &str = r#"
import json, os, subprocess, sys
assay, file = sys.argv[1:]
device = json.load(open(file))
if "--modes" in open(f"/proc/{os.getppid()}/cmdline").read().split("\0"):
    device.update(device.get("asked", {}))
served = subprocess.Popen([assay, "dut", "serve", device["subject"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    message = json.loads(line)
    if "framings" in message:
        message["framings"] = ["json"]
        for erratum, setting in message["readings"].items():
            device.update(device.get("under", {}).get(f"{erratum}={setting}", {}))
    served.stdin.write(json.dumps(message) + "\n")
    served.stdin.flush()
    answer = json.loads(served.stdout.readline())
    if "framings" in message and "optypes" in device:
        del answer["modes"]
        answer["protocol"], answer["optypes"] = 1, device["optypes"]
    elif "framings" in message:
        answer["modes"] = device["modes"]
    elif any(message.get("asm", "").startswith(name) for name in device.get("declined", [])):
        answer = {"id": message["id"], "unsupported": True}
    print(json.dumps(answer), flush=True)
"#;

/// A device that can change between nightly runs, and a nightly plan of one campaign with this
/// device.
pub struct Nights(TempDir);

impl Nights {
    pub fn new(run: &str, more: &str) -> Nights {
        let nights = Nights(tempfile::tempdir().expect("a folder"));
        fs::write(nights.path("proxy.py"), PROXY).expect("a script");
        let (subject, stage) = (nights.subject(), format!("{{name: cases, run: {run:?}, time: 5m}}"));
        let plan =
            format!("version: 1\nname: test\nsubject: {subject:?}\nseed: 5\n{more}stages:\n- {stage}\n");
        fs::write(nights.path("plan.yaml"), plan).expect("a plan");
        nights
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub fn subject(&self) -> String {
        format!("exec:python3 {} {} {}", self.path("proxy.py"), word(ASSAY), self.path("device.json"))
    }

    /// Replaces the settings of the device.
    pub fn has(&self, device: &str) {
        fs::write(self.path("device.json"), device).expect("a file");
    }

    pub fn run(&self) -> Output {
        let (plan, out) = (self.path("plan.yaml"), self.path("out"));
        assay(&["nightly", "--config", &plan, "--out", &out, "--format", "json"])
    }

    /// Makes a nightly run, checks its exit status, and returns its report and its page.
    pub fn night(&self, ends: i32) -> (Value, String) {
        let output = self.run();
        let nightly = json(&output)["nightly"].clone();
        assert_eq!(status(&output), ends, "{:#}\n{}", nightly["verdict"], words(&output));
        let number = nightly["night"].as_u64().expect("a number");
        let page = fs::read_to_string(self.path(&format!("out/nights/{number:04}/report/nightly.md")));
        (nightly, page.expect("the page"))
    }

    fn list(&self) -> String {
        fs::read_to_string(self.path("out/known-issues.yaml")).expect("a list of known issues")
    }
}

pub fn has_python() -> bool {
    let has = has("python3");
    if !has {
        skip("python", "nights with a device that declares less: there is no python3");
    }
    has
}

fn changes(nightly: &Value) -> Vec<&Value> {
    nightly["signatures"].as_array().expect("a list").iter().map(|line| &line["change"]).collect()
}

pub const ALL: &str = r#"{"subject": "model", "modes": ["FADD", "FMUL", "POPC"]}"#;

#[test]
fn a_night_fails_on_the_modes_that_the_device_lost() {
    if !has_python() {
        return;
    }
    let nights = Nights::new("fuzz --cases 30000", "");
    nights.has(ALL);
    nights.night(0);
    nights.night(0);
    nights.has(r#"{"subject": "model", "modes": ["POPC"]}"#);
    let (nightly, page) = nights.night(1);
    assert!(page.contains("FADD") && page.contains("FMUL"), "{page}");
    assert_eq!(nightly["lost_modes"]["FADD"]["lacking"], nightly["lost_modes"]["FADD"]["of"]);
    assert!(nightly["lost_modes"]["POPC"].is_null(), "{nightly:#}");
    nights.has(r#"{"subject": "model", "modes": ["POPC", "FADD"]}"#);
    nights.night(0);
    nights.has(r#"{"subject": "model", "modes": ["POPC", "FADD.RM", "FADD.RZ"]}"#);
    let (nightly, page) = nights.night(1);
    assert!(page.contains("FADD ("), "some modes of it: {page}");
    assert!(nightly["lost_modes"]["FADD"]["lacking"].as_u64() < nightly["lost_modes"]["FADD"]["of"].as_u64());
}

#[test]
fn a_night_fails_without_the_modes_that_its_plan_demands() {
    if !has_python() {
        return;
    }
    let nights = Nights::new("fuzz --cases 30000", "modes: [FADD.RM, POPC]\n");
    nights.has(ALL);
    nights.night(0);
    nights.has(r#"{"subject": "model", "modes": ["FADD.RZ", "POPC"]}"#);
    let (nightly, page) = nights.night(1);
    assert!(page.contains("the plan demands modes that the subject does not support: FADD"), "{page}");
    assert!(nightly["undelivered_modes"]["POPC"].is_null(), "{nightly:#}");
    let plan = fs::read_to_string(nights.path("plan.yaml")).expect("the plan");
    fs::write(nights.path("plan.yaml"), plan.replace("FADD.RM", "FADDD")).expect("a plan");
    let refused = nights.run();
    assert_eq!(status(&refused), 2, "{}", words(&refused));
    assert!(words(&refused).contains("line 5") && words(&refused).contains("FADDD"), "{}", words(&refused));
}

#[test]
fn a_bug_whose_case_is_not_executed_is_not_fixed() {
    if !has_python() {
        return;
    }
    for (faulty, declining) in [
        (
            r#"{"subject": "mutant:popc-upper-half", "modes": ["BREV", "POPC"]}"#,
            r#"{"subject": "model", "modes": ["BREV"]}"#,
        ),
        (
            r#"{"subject": "mutant:popc-upper-half", "optypes": ["BREV", "POPC"]}"#,
            r#"{"subject": "model", "optypes": ["BREV", "POPC"], "declined": ["POPC", "@P"]}"#,
        ),
    ] {
        let nights = Nights::new("fuzz --cases 30000 --allow-undeclared POPC BREV", "");
        let plan = fs::read_to_string(nights.path("plan.yaml")).expect("the plan");
        let plan =
            plan.replace(" --allow-undeclared POPC BREV", " --allow-undeclared '*' --allow-unjudged '*'");
        fs::write(nights.path("plan.yaml"), plan).expect("a plan");
        nights.has(faulty);
        let (nightly, _) = nights.night(1);
        assert!(
            !changes(&nightly).is_empty() && changes(&nightly).iter().all(|change| *change == "new"),
            "{nightly:#}"
        );
        let case = nights.path("out") + "/" + nightly["signatures"][0]["case"].as_str().expect("a case");
        nights.has(declining);
        let (nightly, page) = nights.night(1);
        assert!(changes(&nightly).iter().all(|change| change["not-asked"].is_string()), "{nightly:#}");
        assert!(page.contains("not replayed"), "{page}");
        assert!(!nights.list().contains("is: fixed"), "{}", nights.list());
        let replayed = assay(&["replay", &case, "--subject", &nights.subject(), "--format", "json"]);
        assert_eq!(status(&replayed), 1, "{}", words(&replayed));
        assert_eq!(
            (&json(&replayed)["held"], json(&replayed)["cases"][0]["declined_by"].is_string()),
            (&false.into(), true)
        );
        assert!(words(&replayed).contains("was not executed"), "{}", words(&replayed));
        // When the device has no bug and executes the case, the issue is fixed.
        nights.has(&faulty.replace("mutant:popc-upper-half", "model"));
        let (nightly, _) = nights.night(0);
        assert!(changes(&nightly).iter().all(|change| *change == "fixed"), "{nightly:#}");
    }
}

#[test]
fn a_name_that_draws_nothing_is_an_error_unless_it_is_allowed() {
    if !has_python() {
        return;
    }
    let nights = Nights::new("fuzz --only FADD POPC --cases 1000", "");
    nights.has(r#"{"subject": "model", "modes": ["POPC"]}"#);
    let (subject, out) = (nights.subject(), nights.path("run"));
    let fuzz = ["fuzz", "--cases", "1000", "--subject", &subject, "--out", &out, "--overwrite"];
    let trace = nights.path("t.parquet");
    let capture =
        ["trace", "capture", "--cases", "1000", "--subject", &subject, "--out", &trace, "--overwrite"];
    for command in [&fuzz[..], &capture] {
        for (more, ends) in [
            (&["--only", "POPC"][..], 0),
            (&["--only", "FADD", "POPC"], 2),
            (&["--only", "FADD.RM", "POPC"], 2),
            (&["--only", "POPC", "!FADD"], 0),
            (&["--only", "F*", "POPC", "--allow-undeclared", "FADD"], 2),
            (&["--only", "FADD", "POPC", "--allow-undeclared", "FADD"], 0),
            (&["--only", "FADD", "POPC", "--allow-undeclared", "FADD_RR"], 2),
        ] {
            let output = assay(&[command, more].concat());
            assert_eq!(status(&output), ends, "{command:?} {more:?}: {}", words(&output));
            assert_eq!(words(&output).contains("draws nothing"), ends == 2, "{}", words(&output));
        }
    }
    let refused = nights.run();
    assert_eq!(status(&refused), 2, "{}", words(&refused));
    assert!(words(&refused).contains("--only FADD draws nothing"), "{}", words(&refused));
}

/// A library that ends the process that loaded it in the third call, as a simulator does at
/// `$finish`.
const ENDING: &str = r#"
#include <stdlib.h>
#define execute sound_execute
#define assay_device_v1 sound_device_v1
#include "examples/devices/c/device.c"
#undef assay_device_v1
static uint32_t ending(assay_handle *handle, const assay_batch *batch, const assay_effects *effects) {
  static int calls;
  if (__atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == 3) exit(0);
  return sound_execute(handle, batch, effects);
}
const struct assay_device *assay_device_v1(void) {
  static struct assay_device device;
  device = *sound_device_v1();
  device.sound_execute = ending;
  return &device;
}
"#;

#[test]
fn a_night_whose_device_ends_every_process_is_not_green() {
    if !has("cc") {
        return skip("c-compiler", "a device that ends the process of a stage: there is no cc");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("ending.c"), ENDING).expect("a source");
    let mut cc = Command::new("cc");
    cc.args([
        "-shared",
        "-fPIC",
        "-O1",
        "-I.",
        "-Iharness/device/include",
        "-o",
        &path("device.so"),
        &path("ending.c"),
    ]);
    assert!(cc.arg("-lm").current_dir(root()).status().expect("cc runs").success());
    let device = format!("lib:{}", path("device.so"));
    let suite = root().join("vectors/data/ffma.yaml").display().to_string();
    for run in [
        "fuzz --only FFMA --cases 20000".to_owned(),
        "sweep popc --tier quick".to_owned(),
        format!("vectors check '{suite}'"),
        format!("dut check '{device}'"),
    ] {
        let stage = format!("{{name: cases, run: {run:?}, time: 1m}}");
        let judged = r#"{name: judged, run: "fuzz --only BREV --cases 1000 --subject model", time: 1m}"#;
        let plan = format!("{{version: 1, name: test, subject: {device:?}, stages: [{stage}, {judged}]}}");
        fs::write(path("plan.yaml"), plan).expect("a plan");
        let out = tempfile::tempdir_in(&folder).expect("a folder").path().display().to_string();
        let output = assay(&["nightly", "--config", &path("plan.yaml"), "--out", &out, "--format", "json"]);
        assert_ne!(status(&output), 0, "{run}: {}", words(&output));
        let stage = &json(&output)["nightly"]["stages"][0];
        assert_ne!(stage["at"], "held", "{run}: {stage:#}");
    }
}

#[test]
fn files_of_a_plan_are_digested_with_the_device() {
    if !has_python() {
        return;
    }
    let nights = Nights::new("fuzz --only POPC --cases 1000", "files: [GLOB]\n");
    nights.has(ALL);
    fs::create_dir_all(nights.path("lib/deep")).expect("a folder");
    for (file, text) in [("lib/deep/a.py", "one"), ("lib/b.py", "two"), ("lib/c.txt", "three")] {
        fs::write(nights.path(file), text).expect("a file");
    }
    let plan = fs::read_to_string(nights.path("plan.yaml")).expect("the plan");
    let with = |glob: &str| fs::write(nights.path("plan.yaml"), plan.replace("GLOB", &nights.path(glob)));
    with("lib/**/*.rs").expect("a plan");
    let refused = nights.run();
    assert_eq!(status(&refused), 2, "{}", words(&refused));
    assert!(words(&refused).contains("matches no file"), "{}", words(&refused));
    with("lib/**/*.py").expect("a plan");
    nights.night(0);
    let result = fs::read(nights.path("out/nights/0001/stages/cases/run/result.json")).expect("a result");
    let result: Value = serde_json::from_slice(&result).expect("JSON");
    let files = result["plan"]["devices"][0]["files"].as_object().expect("files");
    let digest = |text: &str| Value::from(assay_files::digest::sha256(text));
    assert_eq!(files.get(&nights.path("lib/deep/a.py")), Some(&digest("one")), "{files:#?}");
    assert_eq!(files.get(&nights.path("lib/b.py")), Some(&digest("two")), "{files:#?}");
    assert!(!files.contains_key(&nights.path("lib/c.txt")), "{files:#?}");
    // If a module of the device changes between two shards, the shards count as results of
    // different devices.
    let subject = nights.subject();
    let shard = |shard: &str, out: &str| {
        let fuzz = ["fuzz", "--only", "POPC", "--cases", "4096", "--subject", &subject, "--shard", shard];
        let output = assay(&[&fuzz[..], &["--device-file", &nights.path("lib/*.py"), "--out", out]].concat());
        assert_eq!(status(&output), 0, "{}", words(&output));
    };
    let shards = [nights.path("0"), nights.path("1")];
    shard("0/2", &shards[0]);
    fs::write(nights.path("lib/b.py"), "changed").expect("a file");
    shard("1/2", &shards[1]);
    let merged = assay(&["merge", &shards[0], &shards[1], "--out", &nights.path("merged.json")]);
    assert_eq!(status(&merged), 2, "{}", words(&merged));
    assert!(words(&merged).contains("the digest of"), "{}", words(&merged));
}

/// The stages test another subject than the plan's, so the plan's faulty subject is never executed.
#[test]
fn a_night_of_another_subject_says_nothing_of_the_plans() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (run, expected) in [
        ("fuzz --subject model --only POPC --cases 1000", 1),
        ("fuzz --subject=model --only POPC --cases 1000", 1),
        ("fuzz --only BREV --cases 1000", 0),
    ] {
        let stage = format!("{{name: cases, run: {run:?}, time: 1m}}");
        let plan =
            format!("{{version: 1, name: test, subject: \"mutant:popc-sign-bit-lost\", stages: [{stage}]}}");
        fs::write(path("plan.yaml"), plan).expect("a plan");
        let out = tempfile::tempdir_in(&folder).expect("a folder").path().display().to_string();
        let output = assay(&["nightly", "--config", &path("plan.yaml"), "--out", &out]);
        assert_eq!(status(&output), expected, "{run}: {}{}", stdout(&output), words(&output));
        let is_told = stdout(&output).contains("no case of the subject was judged");
        assert_eq!(is_told, expected == 1, "{run}: {}", stdout(&output));
    }
}

/// A status that was set under the old profile may not be right under the changed profile. So the
/// first run after the change fails.
#[test]
fn a_night_names_a_profile_that_changed_since_the_last_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let profile = "{version: 1, name: own, about: x, extends: intended, readings: {E056: 1}}\n";
    fs::write(path("own.yaml"), profile).expect("a profile");
    let stage = "{name: cases, run: fuzz --only BREV --cases 1000, time: 1m}";
    let plan = format!(
        "{{version: 1, name: test, subject: model, profile: {}, stages: [{stage}]}}",
        path("own.yaml")
    );
    fs::write(path("plan.yaml"), plan).expect("a plan");
    let night = |expected: i32| {
        let output = assay(&["nightly", "--config", &path("plan.yaml"), "--out", &path("out")]);
        assert_eq!(status(&output), expected, "{}{}", stdout(&output), words(&output));
        assert_eq!(stdout(&output).contains("changed since night"), expected == 1, "{}", stdout(&output));
    };
    night(0);
    night(0);
    fs::write(path("own.yaml"), profile.replace("E056: 1", "E056: 2")).expect("a profile");
    night(1);
    night(0);
}

/// If the device is replaced during a nightly run, its stages have tested different devices.
#[test]
fn a_night_fails_if_its_device_changes_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Each start of the device appends a line to its own script, which changes its digest.
    let script = format!("echo '#' >>\"$0\"\nexec {} dut serve model\n", word(ASSAY));
    fs::write(path("device.sh"), script).expect("a script");
    let stage = |name: &str| format!("- {{name: {name}, run: fuzz --only POPC --cases 20000, time: 5m}}\n");
    let subject = format!("exec:sh {}", path("device.sh"));
    let plan =
        format!("version: 1\nname: test\nsubject: {subject:?}\nstages:\n{}{}", stage("one"), stage("two"));
    fs::write(path("plan.yaml"), plan).expect("a plan");
    let output =
        assay(&["nightly", "--config", &path("plan.yaml"), "--out", &path("out"), "--format", "json"]);
    let nightly = json(&output)["nightly"].clone();
    assert_eq!(status(&output), 1, "{:#}\n{}", nightly["verdict"], words(&output));
    let reasons = nightly["verdict"]["reasons"].to_string();
    assert!(reasons.contains("device.sh` changed while the run was running"), "{reasons}");
    assert!(reasons.contains("stage two: its device is not that of stage one"), "{reasons}");
}
