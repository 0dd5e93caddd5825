//! Tests that a run records in its files how often it checked itself, and whether its
//! double-precision filter is certified.

use std::path::Path;

use serde_json::Value;

use crate::support::{command, root};

fn run(arguments: &[&str], out: &Path) -> [Value; 2] {
    let output = command(&root(), arguments).arg("--out").arg(out).output().expect("assay starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    ["result.json", "run.json"].map(|name| {
        let text = std::fs::read_to_string(out.join(name)).expect("the run wrote it");
        serde_json::from_str(&text).expect("it is JSON")
    })
}

#[test]
fn a_campaign_counts_its_checks() {
    let folder = tempfile::tempdir().expect("a folder for the runs");
    let [result, record] = run(&["fuzz", "--cases", "200000", "--seed", "5"], &folder.path().join("run"));
    let canaries = &result["tally"]["canaries"];
    for count in ["batches", "spoiled", "fast", "repeated"] {
        assert!(canaries[count].as_u64().expect("a count") > 0, "{count}: {canaries}");
    }
    // The double-precision filter judges MUFU. `run.json` states whether the filter is certified
    // for each function.
    let certificates = record["certificates"].as_object().expect("functions were drawn");
    assert!(!certificates.is_empty(), "{record}");
    for said in certificates.values() {
        assert!(said.as_str().is_some_and(|said| said.starts_with("verified: ")), "{record}");
    }
}

#[test]
fn a_sweep_says_whether_its_filter_is_the_certified_one() {
    let folder = tempfile::tempdir().expect("a folder for the runs");
    for function in ["rcp", "tanh"] {
        let name = format!("mufu.{function}.f32");
        let [result, record] = run(&["sweep", &name, "--shard", "7/512"], &folder.path().join(function));
        assert_eq!(result["tally"]["canaries"]["batches"], 1, "one unit");
        let said = record["certificates"][function].as_str().unwrap_or_default();
        assert!(said.starts_with("verified: "), "{record}");
    }
}
