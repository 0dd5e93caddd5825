//! Tests contracts on the command line. A result that the function can never have is a divergence.
//! A run fails if its errors exceed those of its baseline.

use serde_json::Value;

use crate::support::{assay, assay_with_input, json};

#[test]
fn what_no_function_can_be_diverges() {
    let table = [
        ("MUFU.SIN.F32 R0, R1", 0x4400_0000_u32, 0x7f80_0000_u32, "diverged: infinity"),
        ("MUFU.SIN.F32 R0, R1", 0x4400_0000, 0x7fff_ffff, "diverged: NaN instead of a number"),
        (
            "MUFU.SIN.F32 R0, R1",
            0x4400_0000,
            0x4000_0000,
            "diverged: outside the range, +257762664.399610 ulp",
        ),
        ("MUFU.COS.F32 R0, R1", 0x4400_0000, 0x3f7f_0000, "diverged: sign"),
        // sin(2.98e-8) with a negative answer: the distance is within the published bound, but the
        // sign is wrong.
        ("MUFU.SIN.F32 R0, R1", 0x3300_0000, 0xb300_0000, "diverged: sign"),
        ("MUFU.TANH.F16 R0, R1.H0", 0x0000_0001, 0x0000_8001, "diverged: sign"),
    ];
    let line = |(asm, argument, result, _): &(&str, u32, u32, &str)| {
        format!(
            "{{\"asm\":\"{asm}\",\"inputs\":{{\"R1\":\"{argument:#010x}\"}},\"actual\":{{\"R0\":\"{result:#010x}\"}}}}\n"
        )
    };
    let lines: String = table.iter().map(line).collect();
    let output = assay_with_input(&["--format", "json", "ver", "--as", "jsonl", "-"], &lines);
    assert_eq!(output.status.code(), Some(1));
    let wrong = &json(&output)["wrong"];
    for (place, (asm, .., verdict)) in table.iter().enumerate() {
        assert_eq!(wrong[place]["verdict"], *verdict, "{asm}");
    }
}

/// A TANH unit without its quadratic term is wrong by 341 ulp, which is within the published bound
/// of 2^-11.
#[test]
fn a_run_that_is_less_accurate_than_its_baseline_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let fuzz = |subject: &str, out: &str, more: &[&str]| {
        let out = path(out);
        let run =
            ["--format", "json", "fuzz", "--only", "MUFU.TANH.F32", "--cases", "20000", "--subject", subject];
        let output = assay_with_input(&[&run, &["--out", &out][..], more].concat(), "");
        (output.status.code(), json(&output))
    };
    let fault = "mutant:tanh-small-square-dropped";
    let (sound, report) = fuzz("model", "sound", &[]);
    assert_eq!((sound, &report["baseline"]), (Some(0), &Value::Null));
    let (alone, report) = fuzz(fault, "alone", &[]);
    assert_eq!((alone, report["divergences"].as_u64()), (Some(0), Some(0)), "the published bound is wide");
    let used = report["functions"]["MUFU.TANH.F32"]["bounds"]["relative 2^-11"]["used"].as_f64().unwrap();
    assert!((0.04..0.05).contains(&used), "the report says how much of the bound was used: {used}");
    let baseline = path("sound");
    let (again, report) = fuzz("model", "again", &["--baseline", &baseline]);
    assert_eq!((again, report["baseline"]["compared"][0].as_str()), (Some(0), Some("MUFU.TANH.F32")));
    let (worse, report) = fuzz(fault, "worse", &["--baseline", &baseline]);
    assert_eq!(worse, Some(1));
    let exceeded = report["baseline"]["exceeded"].as_array().unwrap();
    let in_ulp =
        exceeded.iter().find(|one| one["metric"] == "ulp" && one["function"] == "MUFU.TANH.F32").unwrap();
    assert!(in_ulp["run"].as_f64() > in_ulp["baseline"].as_f64(), "{in_ulp}");
    assert!(in_ulp["run"].as_f64() > Some(300.0), "{in_ulp}");
    // Under the profile `faithful` the fault diverges even without a baseline.
    let (faithful, report) = fuzz(fault, "faithful", &["--profile", "faithful"]);
    assert_eq!(faithful, Some(1));
    assert!(report["divergences"].as_u64() > Some(0));
}

#[test]
fn a_baseline_of_other_readings_or_functions_is_no_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |arguments: &[&str]| assay(arguments);
    let fuzz = |only: &'static str| ["fuzz", "--only", only, "--cases", "2000"];
    let baseline = path("a");
    let first = run(&[&fuzz("MUFU.TANH.F32")[..], &["--out", &baseline]].concat());
    assert_eq!(first.status.code(), Some(0));
    let out = path("b");
    let other =
        run(&[&fuzz("MUFU.TANH.F32")[..], &["--reading", "E042=3", "--baseline", &baseline, "--out", &out]]
            .concat());
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert_eq!(other.status.code(), Some(2), "{said}");
    // The message is wrapped, so its line breaks are removed.
    let words: Vec<&str> = said.split_whitespace().filter(|word| *word != "│").collect();
    assert!(words.join(" ").contains("E042=1 there, E042=3 here"), "{said}");
    let out = path("c");
    let other = run(&[&fuzz("MUFU.RCP.F32")[..], &["--baseline", &baseline, "--out", &out]].concat());
    let said = String::from_utf8_lossy(&other.stdout).into_owned();
    assert_eq!(other.status.code(), Some(1), "{said}");
    assert!(said.contains("not in the baseline: MUFU.RCP.F32"), "{said}");
    assert!(said.contains("nothing was compared with the baseline"), "{said}");
}
