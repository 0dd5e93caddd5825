//! A device that fails, or has a wrong effect, in any execution fails the run: also if the execution
//! serves a relation between results, and if the same cases hold when they are executed again.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;

use assay_testing::skip;
use tempfile::TempDir;

use crate::support::{assay_in, compile, has, root, words};

/// Compiles the example `base` with an act. Returns the folder of the library, and its subject.
fn device(base: &str, when: &str, act: &str) -> Option<(TempDir, String)> {
    if !has("cc") {
        skip("c-compiler", "devices that fail in some executions: there is no cc");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/failures/device.c");
    let base = root().join("examples/devices/c").join(base);
    let path = |name: &str, path: &Path| format!("-D{name}=\"{}\"", path.display());
    let (base, place) = (path("BASE", &base), path("FOLDER", folder.path()));
    let defined = [base, place, format!("-DWHEN=({when})"), format!("-DACT={act}")];
    let flags = ["-std=gnu11", "-O1", "-frounding-math", "-ffp-contract=off", "-shared", "-fPIC"];
    let flags: Vec<&str> = flags.into_iter().chain(defined.iter().map(String::as_str)).collect();
    let library = folder.path().join("device.so");
    compile(&flags, &[source], &library);
    Some((folder, format!("lib:{}", library.display())))
}

/// Returns the last line of the standard output, and everything that was printed.
fn printed(output: &Output) -> (String, String) {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    (stdout.lines().last().unwrap_or_default().to_owned(), stdout + &words(output))
}

const UNSEEN: &str = "executions other than the judged ones";

/// Each row: the example, the condition, the act, the command, the exit status, and words of what
/// it prints.
const RUNS: &[(&str, &str, &str, &str, i32, &str)] = &[
    ("device.c", "0", "", "fuzz --only POPC_R --cases 700000", 0, "PASSED"),
    // A group of calls is repeated one by one, and each of them answers then.
    (
        "device.c",
        "call == 300",
        "sleep(1000)",
        "fuzz --only POPC_R --cases 700000 --device-deadline 1",
        1,
        "device hung",
    ),
    ("tanh.c", "0", "", "fuzz --only MUFU.TANH.F32 --cases 60000 --jobs 1", 0, "PASSED"),
    // The first 16 batches are executed again, to compare them with the arguments of the other sign.
    ("tanh.c", "same", "abort()", "fuzz --only MUFU.TANH.F32 --cases 60000 --jobs 1", 1, UNSEEN),
    (
        "tanh.c",
        "same",
        "return ASSAY_UNSUPPORTED",
        "fuzz --only MUFU.TANH.F32 --cases 60000 --jobs 1",
        1,
        UNSEEN,
    ),
    (
        "tanh.c",
        "same",
        "stray(batch, effects)",
        "fuzz --only MUFU.TANH.F32 --cases 60000 --jobs 1",
        1,
        UNSEEN,
    ),
    ("tanh.c", "0", "", "sweep mufu.tanh.f32 --tier quick --shard 0/64", 0, "PASSED"),
    // A sweep does not execute a batch again because of such an effect.
    (
        "tanh.c",
        "call % 20 == 0",
        "return ASSAY_UNSUPPORTED",
        "sweep mufu.tanh.f32 --tier quick --shard 0/64",
        1,
        "declined",
    ),
    (
        "tanh.c",
        "call % 20 == 0",
        "stray(batch, effects)",
        "sweep mufu.tanh.f32 --tier quick --shard 0/64",
        1,
        "cases diverged",
    ),
    (
        "tanh.c",
        "call % 20 == 0",
        "event(batch, effects, \"fault: misaligned address\")",
        "sweep mufu.tanh.f32 --tier quick --shard 0/64",
        1,
        "cases diverged",
    ),
    // The last lane is a case of the next batch.
    (
        "tanh.c",
        "batch->lanes == 4097",
        "return wrong_lane(handle, batch, effects, 4096)",
        "sweep mufu.tanh.f32 --tier quick --shard 0/64",
        1,
        UNSEEN,
    ),
    // One lane that is called undefined does not excuse the others.
    (
        "tanh.c",
        "same",
        "effects->event(effects->context, 0, \"undefined: E049\"); stray(batch, effects)",
        "fuzz --only MUFU.TANH.F32 --cases 60000 --jobs 1",
        1,
        UNSEEN,
    ),
    // A register that no lane writes is no effect.
    (
        "tanh.c",
        "same",
        "no_lane(batch, effects)",
        "fuzz --only MUFU.TANH.F32 --cases 60000 --jobs 1",
        0,
        "PASSED",
    ),
    (
        "tanh.c",
        "batch->lanes > 4096",
        "return ASSAY_UNSUPPORTED",
        "sweep mufu.tanh.f32 --tier quick --shard 0/64",
        1,
        "declined",
    ),
];

#[test]
fn a_failure_in_any_execution_fails_the_run() {
    for (base, when, act, line, status, expected) in RUNS {
        let Some((folder, subject)) = device(base, when, act) else { return };
        let mut arguments: Vec<&str> = line.split(' ').collect();
        arguments.extend(["--subject", &subject, "--out", "out"]);
        let output = assay_in(folder.path(), &arguments);
        let (verdict, all) = printed(&output);
        assert_eq!(output.status.code(), Some(*status), "{act} where {when}: {line}: {all}");
        assert!(all.contains(expected), "{act} where {when}: {line}: no `{expected}` in {all}");
        assert!(verdict.starts_with(if *status == 0 { "PASSED" } else { "FAILED" }), "{verdict}");
    }
}

/// After a group of calls that was too slow, the calls of this group are repeated in a new process.
/// No process executes a batch twice, because the results of the first execution would be lost.
#[test]
fn no_other_batch_is_executed_again_after_a_slow_group() {
    let slow = "note_call(batch); be_slow(call)";
    let line = "fuzz --only POPC_R BREV_R --cases 6000000 --jobs 1 --device-deadline 1 --out out --subject";
    // Some instructions without inputs are drawn several times.
    let repeated = ["note_call(batch)", slow].map(|act| {
        let (folder, subject) = device("device.c", "1", act)?;
        let arguments: Vec<&str> = line.split(' ').chain([subject.as_str()]).collect();
        let output = assay_in(folder.path(), &arguments);
        let processes = std::fs::metadata(folder.path().join("slow")).map_or(0, |file| file.len());
        assert_eq!(processes, if act == slow { 4 } else { 0 }, "{}", printed(&output).1);
        let calls = std::fs::read_to_string(folder.path().join("calls")).expect("the calls");
        let mut seen = BTreeSet::new();
        Some(calls.lines().filter(|line| !seen.insert(*line)).count())
    });
    let [Some(drawn), Some(slowed)] = repeated else { return };
    assert!(slowed <= drawn, "{slowed} calls again in one process, and {drawn} without a slow group");
}

/// The first run ends when the device is declared dead. The second one executes the same cases, and
/// the device answers.
#[test]
fn a_resumed_run_does_not_forget_that_the_device_failed() {
    let Some((folder, subject)) =
        device("device.c", "call > 1500 && !access(FOLDER \"/dies\", F_OK)", "abort()")
    else {
        return;
    };
    let line = "fuzz --only POPC --cases 4000000 --jobs 1 --out out --checkpoint-every 0.01 \
                --device-failures 2 --resume --subject";
    let arguments: Vec<&str> = line.split_whitespace().chain([subject.as_str()]).collect();
    for (dies, expected) in [(true, "was declared dead"), (false, UNSEEN)] {
        let mark = folder.path().join("dies");
        if dies { std::fs::write(mark, "") } else { std::fs::remove_file(mark) }.expect("a file");
        let output = assay_in(folder.path(), &arguments);
        let (_, all) = printed(&output);
        assert_eq!((output.status.code(), all.contains(expected)), (Some(1), true), "{expected}: {all}");
    }
}

const READING: &str = "{name: one, asm: \"BREV R0, R1\", inputs: {R1: 0x0000beef}, readings: {E056: 2}, \
                       expect: {R0: 0xf77d0000}, provenance: {source: hand}}";
const BATCH: &str = "{name: one, asm: \"BREV R0, R1\", inputs: {R1: 1}, expect: {R0: 0xfffffffe}, batch: {lanes: 41, \
                     lane: 40, before: [{asm: \"POPC R0, R1\", lanes: [{R1: 0x777}]}]}, provenance: {source: hand}}";
const UNDEFINED: &str = "{name: one, asm: \"POPC R0, R1\", inputs: {R1: 1}, readings: {E049: 1}, undefined: E049, \
                         provenance: {source: hand}}";

/// Each row: a recorded case, the condition and the act of the device, and the exit status.
const CASES: &[(&str, &str, &str, i32)] = &[
    // The expectation is of another reading. A right device does not have to meet it, and no case is
    // left to judge.
    (READING, "0", "", 2),
    (READING, "1", "abort()", 1),
    (READING, "1", "return ASSAY_UNSUPPORTED", 1),
    (READING, "1", "stray(batch, effects)", 1),
    (BATCH, "0", "", 0),
    (BATCH, "strstr(batch->text, \"POPC\")", "abort()", 1),
    (BATCH, "strstr(batch->text, \"POPC\")", "return ASSAY_UNSUPPORTED", 1),
    // Each lane alone is right.
    (BATCH, "batch->lanes > 8", "abort()", 1),
    // A device may write any value, or nothing, where the specification leaves the result undefined.
    (UNDEFINED, "0", "", 0),
    (UNDEFINED, "1", "event(batch, effects, \"undefined: E049\")", 0),
    (UNDEFINED, "1", "stray(batch, effects)", 1),
    (UNDEFINED, "1", "event(batch, effects, \"undefined: E049\"); stray(batch, effects)", 1),
    (UNDEFINED, "1", "event(batch, effects, \"fault: misaligned address\")", 1),
];

#[test]
fn a_recorded_case_fails_if_the_device_fails_in_any_lane_or_batch_of_it() {
    for (case, when, act, status) in CASES {
        let Some((folder, subject)) = device("device.c", when, act) else { return };
        let suite = format!("version: 1\nsuite: mine\nabout: a case\nprofile: intended\ncases:\n- {case}\n");
        std::fs::write(folder.path().join("mine.yaml"), suite).expect("a suite");
        let mut arguments = vec!["vectors", "check", "mine.yaml", "--subject", &subject];
        if *case == UNDEFINED {
            arguments.extend(["--reading", "E049=1"]);
        }
        let output = assay_in(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(*status), "{act} where {when}: {case}: {}", printed(&output).1);
    }
}

#[test]
fn a_declared_mode_that_is_declined_fails_the_check_of_the_device() {
    let declines = ["strchr(batch->text, '@')", "batch->lanes == 1 && strstr(batch->text, \"POPC\")"];
    declines.into_iter().for_each(|when| {
        let Some((folder, subject)) = device("device.c", when, "return ASSAY_UNSUPPORTED") else { return };
        let output = assay_in(folder.path(), &["dut", "check", &subject]);
        let (_, all) = printed(&output);
        assert_eq!(output.status.code(), Some(1), "{when}: {all}");
        assert!(all.contains("declared, and unsupported"), "{when}: {all}");
    });
}

#[test]
fn a_case_that_the_device_does_not_support_does_not_hold() {
    let Some((folder, subject)) = device("tanh.c", "0", "") else { return };
    let case = |line: &[&str]| {
        assay_in(folder.path(), &[&["eval", "--subject", &subject], line].concat()).status.code()
    };
    assert_eq!(case(&["FADD R0, R1, R2", "R1=1.0", "R2=1.0"]), Some(1));
    assert_eq!(case(&["MUFU.TANH.F32 R0, R1", "R1=1.0"]), Some(0));
}

/// A guard can be read so that it has no effect. Executions of other signs then write all lanes.
#[test]
fn the_model_does_not_fail_under_another_reading_of_the_guard() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "fuzz --only MUFU.TANH.F32 --cases 60000 --reading E008=2 --out out";
    let output = assay_in(folder.path(), &line.split(' ').collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output).1);
}
