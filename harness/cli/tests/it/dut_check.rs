//! Tests `dut check` and `fuzz` on the independent device. Without a fault, the device passes. A
//! fault that shows only in batches is named.

use std::collections::BTreeSet;
use std::process::Output;

use assay_independent::{FAULT_VARIABLE, Family, Fault};
use assay_testing::skip;
use rayon::prelude::*;
use serde_json::Value;

use crate::support::{assay_in, command, compile, has, json, root, status, words};

/// Returns the independent device, a library that cargo puts beside the test programs.
fn device() -> String {
    let test = std::env::current_exe().expect("this test is a file");
    let library = test.parent().expect("it lies in a folder").join("libassay_independent.so");
    format!("lib:{}", library.display())
}

/// Runs `dut check` on a device. If `fault` is given, the independent device has that fault.
fn check_device(device: &str, fault: Option<&str>) -> Output {
    let mut command = command(&root(), &["dut", "check", device, "--format", "json"]);
    command.env_remove(FAULT_VARIABLE).envs(fault.map(|fault| (FAULT_VARIABLE, fault)));
    command.output().expect("assay runs")
}

/// Runs `dut check` on the independent device.
fn check(fault: Option<&str>) -> Output {
    check_device(&device(), fault)
}

fn checks(output: &Output) -> Vec<Value> {
    json(output)["checks"].as_array().expect("a list").clone()
}

#[test]
fn every_check_of_a_sound_device_holds_and_is_documented() {
    let output = check(None);
    let checks = checks(&output);
    assert_eq!(output.status.code(), Some(0), "{checks:#?}");
    let skipped: Vec<_> = checks.iter().filter(|check| check["outcome"] == "skipped").collect();
    assert!(
        skipped.len() <= 2,
        "a library has one framing, and this one declares what it executes: {skipped:#?}"
    );
    let names: Vec<&str> = checks.iter().filter_map(|check| check["check"].as_str()).collect();
    let page = root().join("docs/device-under-test.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let table = page.split("<!-- checks -->").nth(1).expect("a table between two marks");
    let rows: Vec<&str> =
        table.lines().filter_map(|row| row.strip_prefix("| ")?.split(" | ").next()).skip(1).collect();
    assert_eq!(rows, names, "docs/device-under-test.md lists other checks");
}

#[test]
fn some_faults_that_show_in_batches_alone_fail_it() {
    let faults = batch_faults().step_by(5).collect();
    fail_it(faults);
}

#[test]
#[ignore = "a minute: `just independent`"]
fn every_fault_that_shows_in_batches_alone_fails_it() {
    fail_it(batch_faults().collect());
}

/// Returns the faults in the handling of lanes, batches and state, in place of the computation.
fn batch_faults() -> impl Iterator<Item = &'static str> {
    assert!(Fault::ALL.iter().filter(|info| info.family == Family::Batch).count() > 20);
    Fault::ALL.iter().filter(|info| info.family == Family::Batch).map(|info| info.name)
}

/// Checks that `dut check` fails with each of the faults, and says how to mend the device.
fn fail_it(faults: Vec<&str>) {
    let is_missed = |fault: &&str| {
        let output = check(Some(fault));
        let checks = checks(&output);
        let is_told = checks.iter().any(|check| {
            check["outcome"] == "failed" && check["check"] != "handshake" && check["mend"].is_string()
        });
        output.status.code() != Some(1) || !is_told
    };
    let missed: Vec<&str> = faults.into_par_iter().filter(is_missed).collect();
    assert!(missed.is_empty(), "not shown: {missed:?}");
}

/// The examination of divergences uses the handles of the campaign. These handles have already
/// executed thousands of batches.
#[test]
fn a_fault_of_each_thousandth_batch_of_a_handle_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("run");
    let (out, device) = (out.to_str().expect("a name"), device());
    let arguments = ["fuzz", "--subject", &device, "--only", "FADD", "--cases", "10000000", "--out", out];
    let mut command = command(&root(), &arguments);
    let output = command.env(FAULT_VARIABLE, "thousandth-batch-truncates").output().expect("assay runs");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("found FADD | only at each call 1000\n"), "{text}");
}

#[test]
fn a_library_without_its_prefix_is_not_executed() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("device.so"), "").expect("a file");
    let output = assay_in(folder.path(), &["dut", "check", "device.so"]);
    assert_eq!(status(&output), 2);
    assert!(words(&output).contains("is a shared library and no command; write lib:device.so"));
    std::fs::write(folder.path().join("device-of-mine"), "").expect("a file");
    for (arguments, remedy) in [
        (&["dut", "check", "device-of-mine --fast"][..], "write ./device-of-mine to run it"),
        (&["fuzz", "--subject", "device.so"], "write lib:./device.so to test it as a device"),
        (&["fuzz", "--subject", "exec:./device.so"], "write lib:./device.so"),
        (&["fuzz", "--subject", "device-of-mine"], "write exec:./device-of-mine to test it"),
    ] {
        let output = assay_in(folder.path(), arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(words(&output).contains(remedy), "{}", words(&output));
    }
}

#[test]
fn a_process_that_outlives_its_input_or_crashes_then_fails() {
    if !has("cc") {
        skip("c-compiler", "a device that does not end with its input: there is no cc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let examples = root().join("examples/devices/c");
    let source = std::fs::read_to_string(examples.join("device.c")).expect("a device");
    let whole = r#"{"FADD", "FFMA", "POPC", "UPOPC", "BREV", "UBREV", NULL}"#;
    assert!(source.contains(whole), "the example has other modes");
    // One form is checked faster.
    let (file, path) = (folder.path().join("device.c"), folder.path().join("device"));
    std::fs::write(&file, source.replace(whole, r#"{"BREV_R", NULL}"#)).expect("a device");
    compile(&["-std=c11"], &[file, examples.join("process.c")], &path);
    for (then, text) in [("exec sleep 60", "did not end within"), ("exit 3", "ended with status 3")] {
        let command = format!("sh -c '{}; {then}'", path.display());
        let output = check_device(&command, None);
        let checks = checks(&output);
        let failed: Vec<&Value> = checks.iter().filter(|check| check["outcome"] == "failed").collect();
        let [one] = &failed[..] else { panic!("{checks:#?}") };
        assert_eq!(one["check"], "the end of its input");
        assert!(one["detail"].as_str().expect("words").contains(text), "{one:#}");
        assert_eq!(output.status.code(), Some(1));
        // No case of a campaign caused this end, so the campaign only reports it.
        let device = format!("exec:{command}");
        let output =
            assay_in(folder.path(), &["fuzz", "--only", "BREV_R", "--cases", "1000", "--subject", &device]);
        assert!(
            words(&output).contains(if then == "exit 3" { text } else { "did not end" }),
            "{}",
            words(&output)
        );
        assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    }
}

#[test]
fn a_library_whose_process_crashes_at_its_end_fails() {
    if !has("cc") {
        skip("c-compiler", "a library that crashes at its end: there is no cc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = root().join("examples/devices/c/tanh.c");
    let source = std::fs::read_to_string(source).expect("the example");
    let end = "\n__attribute__((destructor)) static void end(void) { __builtin_trap(); }\n";
    let (file, library) = (folder.path().join("end.c"), folder.path().join("end.so"));
    std::fs::write(&file, source + end).expect("a source");
    compile(&["-shared", "-fPIC"], &[file], &library);
    let device = format!("lib:{}", library.display());
    let output = check_device(&device, None);
    let failed: Vec<Value> =
        checks(&output).into_iter().filter(|check| check["outcome"] == "failed").collect();
    let [one] = &failed[..] else { panic!("{failed:#?}") };
    assert_eq!(one["check"], "the end of its input", "{one:#}");
    let output = assay_in(folder.path(), &["fuzz", "--subject", &device, "--cases", "1000"]);
    assert!(words(&output).contains("after its last answer"), "{}", words(&output));
    assert_eq!(status(&output), 0, "{}", words(&output));
}

/// A failure of one optype does not hide the same failure of another optype.
#[test]
fn a_check_names_each_optype_that_fails() {
    if !has("cc") {
        skip("c-compiler", "a check of several optypes of a device in C: there is no cc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = std::fs::read_to_string(root().join("examples/devices/c/device.c")).expect("the example");
    let [popc, sum] = ["count_ones(bits_of(source, lane))", "finished(it, input(it, 0, lane)"];
    let changed = source.replace(popc, &format!("{popc} + (lanes == 2048 || lanes == 33)"));
    let changed = changed.replace(sum, &format!("(lanes == 512) + {sum}"));
    let (file, library) = (folder.path().join("device.c"), folder.path().join("device.so"));
    std::fs::write(&file, changed).expect("a source");
    compile(&["-shared", "-fPIC"], &[file], &library);
    let output = check_device(&format!("lib:{}", library.display()), None);
    let checks = checks(&output);
    let failed: Vec<&Value> = checks.iter().filter(|check| check["outcome"] == "failed").collect();
    let [sizes] = &failed[..] else { panic!("{checks:#?}") };
    assert_eq!(sizes["check"], "batches of 1 to 65,536 lanes");
    let failing = |optype: &str| -> BTreeSet<String> {
        let of_optype = sizes["wrong"].as_array().expect("a list").iter();
        let of_optype = of_optype.filter(|one| one["optype"] == optype);
        of_optype.flat_map(|one| one["kinds"].as_object().expect("kinds").keys().cloned()).collect()
    };
    let batches = |sizes: &[u32]| sizes.iter().map(|size| format!("in a batch of {size}")).collect();
    for (optype, sizes) in [("POPC", &[33, 2048][..]), ("UPOPC", &[33, 2048]), ("FADD", &[512])] {
        assert_eq!(failing(optype), batches(sizes), "{optype}");
    }
    assert!(sizes["right"].to_string().contains("BREV"), "{sizes:#}");
}

/// A wrong value has a command that shows it. A lane that is wrong only in a large batch has none,
/// because the command executes the lane alone.
#[test]
fn a_wrong_value_has_a_command_that_shows_it_or_none() {
    if !has("cc") {
        skip("c-compiler", "the command for a wrong value of a device in C: there is no cc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = std::fs::read_to_string(root().join("examples/devices/c/device.c")).expect("the example");
    let popc = "count_ones(bits_of(source, lane))";
    for (condition, shows) in [("1", true), ("(lanes > 1)", false)] {
        let changed = source.replace(popc, &format!("{popc} + {condition}"));
        assert_ne!(changed, source);
        let (file, library) = (folder.path().join("device.c"), folder.path().join(format!("{shows}.so")));
        std::fs::write(&file, changed).expect("a source");
        compile(&["-shared", "-fPIC"], &[file], &library);
        let device = format!("lib:{}", library.display());
        let checks = checks(&check_device(&device, None));
        let values = checks.iter().find(|check| check["check"] == "values are right").expect("the check");
        let wrong = values["wrong"].as_array().expect("a list").iter();
        let popc = wrong.clone().find(|one| one["instruction"] == "POPC R0, R1").expect("POPC is wrong");
        let (eval, first) = (popc["eval"].as_str().expect("text"), popc["first"].as_str().expect("text"));
        assert_eq!(first.ends_with("in a batch of its own, the lane is right"), !shows, "{first}");
        assert_eq!(eval.is_empty(), !shows, "{eval}");
        if shows {
            let words = shell_words::split(eval).expect("a command line");
            let mut words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            words.extend(["--subject", &device]);
            assert_eq!(status(&assay_in(folder.path(), &words)), 1, "{eval}");
        }
    }
}

/// If a device declares a single mode, its guard is checked in this mode.
#[test]
fn a_device_of_one_mode_that_ignores_its_guard_fails() {
    if !has("cc") {
        skip("c-compiler", "the guard of a device in C: there is no cc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = root().join("examples/devices/c/tanh.c");
    let source = std::fs::read_to_string(source).expect("the example");
    let unguarded = source.replace("guards || inverted ? written : NULL", "NULL");
    assert_ne!(unguarded, source);
    let of_source = |name: &str, text: &str| -> Vec<Value> {
        let (file, library) =
            (folder.path().join(format!("{name}.c")), folder.path().join(format!("{name}.so")));
        std::fs::write(&file, text).expect("a source");
        compile(&["-shared", "-fPIC"], &[file], &library);
        let output = check_device(&format!("lib:{}", library.display()), None);
        checks(&output).into_iter().filter(|check| check["outcome"] == "failed").collect()
    };
    assert_eq!(of_source("tanh", &source), Vec::<Value>::new());
    let failed = of_source("unguarded", &unguarded);
    let names: Vec<&Value> = failed.iter().map(|check| &check["check"]).collect();
    assert!(names.iter().any(|name| *name == "a false guard writes nothing"), "{failed:#?}");
}

/// A device that sends a single value in place of a list makes one mistake against the protocol.
/// The check reports it in one line, with one piece of advice.
#[test]
fn a_mistake_of_protocol_is_told_once() {
    if !has("python3") {
        skip("python", "a mistake of protocol of a device in Python: there is no python3");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source =
        std::fs::read_to_string(root().join("examples/devices/python/device.py")).expect("the example");
    let short = source.replace("{instruction.target: column}}", "{instruction.target: column[:1]}}");
    assert_ne!(short, source);
    let device = folder.path().join("device.py");
    std::fs::write(&device, short).expect("a device");
    let subject = format!("exec:python3 {}", device.display());
    let output = check_device(&subject, None);
    let checks = checks(&output);
    let failed: Vec<&Value> = checks.iter().filter(|check| check["outcome"] == "failed").collect();
    let [failed] = failed[..] else { panic!("{checks:#?}") };
    let mend = failed["mend"].as_str().expect("advice");
    assert!(mend.contains("one value for each lane"), "{mend}");
    let left = checks.iter().filter(|check| check["outcome"] == "untried");
    assert!(left.count() > 5, "{checks:#?}");
}
