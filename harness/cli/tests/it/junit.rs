//! Tests the JUnit file of a campaign. For each form that failed, it shows a case and the command
//! that executes the case again.

use std::fs;

use assay_testing::skip;

use crate::support::{ASSAY, assay, assay_in, compile, has, root, stderr};

/// The line of the example in C that computes FFMA.
const RIGHT: &str =
    "out[lane] = finished(it, fmaf(input(it, 0, lane), input(it, 1, lane), input(it, 2, lane)));";
/// The line with a bug: subnormal addends are flushed.
const WRONG: &str = "float c = input(it, 2, lane);
    if (fpclassify(c) == FP_SUBNORMAL) c *= 0.0f;
    out[lane] = finished(it, fmaf(input(it, 0, lane), input(it, 1, lane), c));";

#[test]
fn each_failing_form_has_a_case_with_its_results_and_its_command() {
    if !has("cc") {
        return skip("c-compiler", "1 test of a fault in seven forms: there is no cc");
    }
    let place = tempfile::tempdir().expect("a folder");
    let source = fs::read_to_string(root().join("examples/devices/c/device.c")).expect("the example");
    assert!(source.contains(RIGHT), "the example computes FFMA in another way");
    let [faulty, library, run, page] =
        ["device.c", "device.so", "run", "page"].map(|name| place.path().join(name));
    fs::write(&faulty, source.replace(RIGHT, &format!("{{ {WRONG} }}"))).expect("a source");
    compile(&["-std=c11", "-O2", "-shared", "-fPIC", "-frounding-math"], &[faulty], &library);
    let device = format!("lib:{}", library.display());
    let [run, page] = [run, page].map(|path| path.display().to_string());
    let fuzz = ["fuzz", "--subject", &device, "--only", "FFMA", "--cases", "300000", "--out", &run];
    let fuzz = assay(&fuzz);
    assert_eq!(fuzz.status.code(), Some(1), "{}", stderr(&fuzz));
    // `assay report` ends with the same exit status as the run.
    assert_eq!(assay(&["report", &run, "--out", &page]).status.code(), Some(1));

    let junit = fs::read_to_string(format!("{page}/report.junit.xml")).expect("a JUnit file");
    let failed: Vec<&str> = junit
        .split("<testcase ")
        .filter(|case| case.contains("assay.form") && case.contains("<failure"))
        .collect();
    assert_eq!(failed.len(), 7, "{junit}");
    for case in failed {
        for part in [" with ", ": expected 0x", ", actual 0x"] {
            assert!(case.contains(part), "no `{part}` in {case}");
        }
        let command = case.lines().find_map(|line| line.trim().strip_prefix("assay "));
        let command = command.unwrap_or_else(|| panic!("no command in {case}")).replace("&apos;", "'");
        let words = shell_words::split(&command).expect("a command line");
        let again = assay_in(place.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(again.status.code(), Some(1), "{ASSAY} {command}\n{}", stderr(&again));
    }
}
