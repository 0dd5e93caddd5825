//! The JSON that `assay` prints and writes conforms to the schemas that `assay schema` prints.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{ASSAY, assay_in, check_schema, command, root, schema, stderr, stdout, word, words};

/// Commands that print JSON, by their name in `assay schema`, and how they are run in [`folder()`].
/// `ROOT` is the root of the repository. Later commands use files that earlier commands wrote.
const RUNS: &[(&str, &[&str])] = &[
    (
        "fuzz",
        &["fuzz", "--only", "FMUL", "--cases", "4096", "--subject", "mutant:fmul-flush-sign", "--out", "run"],
    ),
    ("fuzz modes", &["fuzz", "--only", "FADD.RM", "--modes"]),
    ("sweep", &["sweep", "bmsk", "mufu.rcp.f32", "--tier", "quick", "--out", "swept"]),
    ("merge", &["merge", "run", "--out", "merged.json"]),
    ("report", &["report", "run"]),
    ("report out", &["report", "run", "--out", "pages"]),
    ("certify check", &["certify", "--check", "sqrt"]),
    ("coverage show", &["coverage", "show", "run"]),
    ("coverage missed", &["coverage", "missed", "run", "--only", "FMUL_RR", "--topic", "class"]),
    ("coverage why", &["coverage", "why", "FADD_RR rnd RP, *becomes -zero"]),
    ("dut check", &["dut", "check", "DEVICE"]),
    ("errata discover", &["errata", "discover", "E053", "--vectors", "ROOT/vectors/data/witnesses"]),
    ("errata list", &["errata", "list", "--vectors", "ROOT/vectors/data/witnesses"]),
    ("errata prove", &["errata", "prove", "E053", "--vectors", "ROOT/vectors/data/witnesses"]),
    (
        "errata report",
        &["errata", "report", "--lang", "en", "--out", "errata", "--vectors", "ROOT/vectors/data/witnesses"],
    ),
    ("errata settle", &["errata", "settle", "E053", "--vectors", "ROOT/vectors/data/witnesses"]),
    ("errata show", &["errata", "show", "E053", "E021", "--vectors", "ROOT/vectors/data/witnesses"]),
    ("eval", &["eval", "MUFU.RCP.F32 R0, R1", "R1=0x40400000"]),
    ("eval actual", &["eval", "MUFU.RCP.F32 R0, R1", "R1=3.0", "--actual", "R0=0x3eaaaaab"]),
    ("gen modes", &["gen", "--only", "FADD.RM", "--modes"]),
    ("gen", &["gen", "--as", "jsonl", "--only", "FADD", "--cases", "64", "--out", "cases.jsonl"]),
    ("ver", &["ver", "--as", "jsonl", "answers.jsonl"]),
    ("isa asm", &["isa", "asm", "FADD R0, R1, R2"]),
    ("isa disasm", &["isa", "disasm", "0x00000000000000000000000201007529"]),
    ("isa diff", &["isa", "diff"]),
    ("isa lint", &["isa", "lint"]),
    ("isa lint documents", &["isa", "lint", "ROOT/harness/lab/documents/tests/it/snippets/base.txt"]),
    ("isa pseudo", &["isa", "pseudo", "ROOT/harness/lab/documents/tests/it/snippets/base.txt"]),
    ("isa list", &["isa", "list"]),
    ("isa show", &["isa", "show", "MUFU"]),
    ("libfuzzer list", &["libfuzzer", "list"]),
    ("libfuzzer replay", &["libfuzzer", "replay", "answers.jsonl", "--target", "case_file"]),
    ("mutants list", &["mutants", "list"]),
    ("mutants run", &["mutants", "run", "fmul-flush-sign"]),
    ("mutants vectors", &["mutants", "vectors", "fmul-flush-sign"]),
    ("replay", &["replay", "run/findings/fmul-1.yaml"]),
    ("schema", &["schema"]),
    (
        "trace capture",
        &[
            "trace",
            "capture",
            "--subject",
            "exec:DEVICE",
            "--only",
            "FADD",
            "--cases",
            "64",
            "--out",
            "t.parquet",
        ],
    ),
    ("trace check", &["trace", "check", "t.parquet", "--out", "checked"]),
    ("trace info", &["trace", "info", "t.parquet"]),
    ("trace vectors", &["trace", "vectors", "t.parquet", "--out", "of-trace"]),
    ("vectors check", &["vectors", "check", "run/findings"]),
    ("vectors generate", &["vectors", "generate", "BMSK", "--alone", "--out", "generated"]),
    ("vectors promote", &["vectors", "promote", "run/findings/fmul-1.yaml", "--into", "kept.yaml"]),
    ("nightly", &["nightly", "--config", "plan.yaml", "--out", "night"]),
    ("status", &["status", "night"]),
    ("known-issues show", &["known-issues", "show", "night"]),
    (
        "known-issues set",
        &["known-issues", "set", "FMUL", "--is", "known", "--because", "a ticket", "--in", "night"],
    ),
    (
        "known-issues set all",
        &[
            "known-issues",
            "set",
            "FMUL*",
            "--all",
            "--yes-all",
            "--is",
            "known",
            "--because",
            "x",
            "--in",
            "night",
        ],
    ),
];

/// Schemas whose output no command here prints, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("certify", "a proof takes hours"),
    ("eval stdin", "it prints lines, see `a_line_of_eval_keeps_to_its_schema`"),
    ("rtl", "`the_json_keeps_to_its_schema_and_another_encoding_table_is_refused` runs it"),
    ("trace code", "it needs the CUDA compiler"),
];

/// Names of file schemas, and the paths at which the runs write such files.
const FILES: &[(&str, &str)] = &[
    ("modes.json", "night/nights/0001/modes.json"),
    ("nightly.json", "night/nights/0001/report/nightly.json"),
    ("report.json", "pages/report.json"),
    ("result.json", "run/result.json"),
    ("run.json", "run/run.json"),
];

/// Returns a folder with the files that the commands read.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "answers.jsonl",
        concat!(
            r#"{"asm": "@P0 FADD R0, R1, R2", "inputs": {"P0": true, "R1": "0x3f800000", "R2": "0x33800000"}, "actual": {"R0": "0x3f800009"}}"#,
            "\nno case\n"
        ),
    );
    write(
        "plan.yaml",
        "{version: 1, name: test, subject: 'mutant:fmul-flush-sign', seed: 5, jobs: 1, policy: {}, stages: \
         [{name: fuzz, time: 60s, run: 'fuzz --only FMUL --cases 4096'}]}\n",
    );
    folder
}

fn names() -> Vec<String> {
    let names = stdout(&assay_in(&root(), &["schema"]));
    names.lines().map(str::to_owned).collect()
}

#[test]
fn what_is_printed_and_written_keeps_to_its_schema() {
    let (folder, root) = (folder(), root().display().to_string());
    let names = names();
    assert!(names.len() > 40, "{names:?}");
    let is_known = |name: &str| names.iter().any(|known| known == name);
    for (name, arguments) in RUNS {
        assert!(is_known(name), "{name} has no schema");
        let device = format!("{} dut serve model", word(ASSAY));
        let arguments: Vec<String> =
            arguments.iter().map(|word| word.replace("ROOT", &root).replace("DEVICE", &device)).collect();
        let output =
            command(folder.path(), &["--format", "json"]).args(&arguments).output().expect("assay runs");
        let printed = serde_json::from_slice(&output.stdout);
        check_schema(name, &printed.unwrap_or_else(|e| panic!("{name}: {e}: {}", words(&output))));
    }
    for (name, path) in FILES {
        assert!(is_known(name), "{name} has no schema");
        let text = fs::read(Path::new(folder.path()).join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        check_schema(name, &serde_json::from_slice(&text).expect("JSON"));
    }
    let has_check = |name: &str| {
        let is_run = RUNS.iter().any(|(run, _)| *run == name) || FILES.iter().any(|(file, _)| *file == name);
        is_run || NOT_RUN.iter().any(|(other, _)| *other == name)
    };
    let unchecked: Vec<&String> = names.iter().filter(|name| !has_check(name)).collect();
    assert_eq!(unchecked, Vec::<&String>::new(), "add a run of each");
}

#[test]
fn a_line_of_eval_keeps_to_its_schema() {
    let lines = "{\"asm\": \"MUFU.RCP.F32 R0, R1\", \"inputs\": {\"R1\": 3}}\nno case\n";
    let output = crate::support::assay_with_input(&["eval", "--stdin"], lines);
    let printed = stdout(&output);
    assert_eq!(printed.lines().count(), 2, "{printed}");
    for line in printed.lines() {
        check_schema("eval stdin", &serde_json::from_str(line).expect("JSON"));
    }
}

/// Adds the paths of the properties without a description to `found`.
fn bare(value: &Value, path: &str, found: &mut Vec<String>) {
    let Value::Object(map) = value else {
        if let Value::Array(list) = value {
            list.iter().for_each(|value| bare(value, path, found));
        }
        return;
    };
    let has_description = map.contains_key("description");
    for (key, value) in map {
        let path = format!("{path}/{key}");
        if let ("properties", Value::Object(properties)) = (key.as_str(), value) {
            // A variant of an enumeration is an object with one key, and is described as a whole.
            let is_variant = properties.len() == 1 && has_description;
            let is_bare = |value: &Value| {
                !is_variant && value.get("description").is_none() && value.get("const").is_none()
            };
            found.extend(
                properties.iter().filter(|(_, v)| is_bare(v)).map(|(name, _)| format!("{path}/{name}")),
            );
            properties.iter().for_each(|(name, value)| bare(value, &format!("{path}/{name}"), found));
        } else {
            bare(value, &path, found);
        }
    }
}

#[test]
fn every_key_is_described() {
    let mut found = Vec::new();
    for name in names() {
        bare(&schema(&name), &name, &mut found);
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_name_without_a_schema_is_refused() {
    let output = assay_in(&root(), &["schema", "nap"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`nap`"), "{}", stderr(&output));
}
