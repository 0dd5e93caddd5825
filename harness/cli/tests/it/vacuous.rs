//! Tests that commands do not claim more than they showed. For example, a fault does not count as
//! caught if the sound model diverges too.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::support::{self, assay_in, command};

/// A folder in which a test runs commands, with a profile `bound.yaml`.
struct Place(tempfile::TempDir);

impl Place {
    fn new(bound: &str) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write(
            "bound.yaml",
            &format!(
                "version: 1\nname: mine\nabout: a bound\nextends: intended\ncontracts:\n\
                 - {{instruction: MUFU.RCP.F32, metric: ulp, bound: \"{bound}\"}}\n"
            ),
        );
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    fn assay(&self, arguments: &[&str]) -> Output {
        assay_in(self.path(), &[arguments, &["--profile", "bound.yaml", "--format", "json"]].concat())
    }

    /// Returns the report of `vectors generate MUFU`.
    fn generate(&self, arguments: &[&str]) -> Value {
        let output = self.assay(&[&["vectors", "generate", "MUFU"], arguments].concat());
        support::json(&output)["suites"][0].clone()
    }
}

#[test]
fn a_case_that_is_not_written_covers_nothing() {
    let place = Place::new("100");
    let suite = place.generate(&["--alone", "--out", "all"]);
    assert!(suite["too_wide"].as_u64() > Some(0), "{suite}");
    let left = suite["left"].as_array().unwrap().len() as u64;
    assert!(left > 0 && suite["covered"].as_u64().unwrap() + left == suite["bins"].as_u64().unwrap());
    let again = place.generate(&["--known", "all", "--out", "rest"]);
    assert_eq!(again["covered_by_known"], suite["covered"]);
}

#[test]
fn a_known_case_that_does_not_hold_covers_nothing() {
    let place = Place::new("1");
    let profile = place.path().join("bound.yaml").canonicalize().unwrap();
    std::fs::create_dir(place.path().join("known")).unwrap();
    let known = |expect: &str| {
        let text = format!(
            "version: 1\nsuite: known\nabout: one case\nprofile: {}\ncases:\n- name: third\n  \
             asm: MUFU.RCP.F32 R0, R1\n  inputs: {{R1: 0x40400000}}\n  {expect}provenance: {{source: hand}}\n",
            profile.display()
        );
        place.write("known/known.yaml", &text);
        let suite = place.generate(&["--known", "known", "--out", "rest", "--limit", "1", "--overwrite"]);
        (suite["known"].clone(), suite["covered_by_known"].as_u64().unwrap())
    };
    let (counts, covered) = known("expect: {R0: [0x3eaaaaaa, 0x3eaaaaab]}\n  ");
    assert!(counts == json!({ "hand": 1 }) && covered > 0);
    for empty in ["", "expect: {R0: 0x12345678}\n  "] {
        assert_eq!(known(empty), (json!({}), 0), "{empty}");
    }
}

#[test]
fn a_form_of_which_nothing_is_judged_fails_a_run_unless_it_is_allowed_by_name() {
    let place = Place::new("1");
    let fuzz = |out: &str, more: &[&str]| {
        let only = ["--only", "POPC_R", "BREV_R", "--cases", "300000", "--overwrite", "--out", out];
        place.assay(&[&["fuzz"], &only[..], more].concat())
    };
    let report = |output: &Output| -> Value { serde_json::from_slice(&output.stdout).expect("JSON") };
    let sound = fuzz("sound", &[]);
    assert_eq!(sound.status.code(), Some(0), "{}", String::from_utf8_lossy(&sound.stderr));
    assert_eq!(report(&sound)["judged"]["problems"], json!([]));
    // E049=1, the literal reading, leaves POPC undefined. Only BREV is judged.
    let undefined = ["--reading", "E049=1"];
    let failed = fuzz("failed", &undefined);
    assert_eq!(failed.status.code(), Some(1));
    let said = report(&failed);
    let problems = said["judged"]["problems"].as_array().expect("a list");
    assert!(problems.len() == 1 && problems[0].as_str().unwrap().starts_with("POPC_R: "), "{said:#}");
    assert_eq!(said["divergences"], 0);
    assert!(String::from_utf8_lossy(&failed.stderr).contains("--allow-unjudged POPC_R"));
    for (status, name) in [(0, "POPC"), (0, "POPC_*"), (1, "BREV")] {
        let allowed = fuzz("allowed", &[&undefined[..], &["--allow-unjudged", name]].concat());
        assert_eq!(allowed.status.code(), Some(status), "{name}");
    }
    place.write(
        "lenient.yaml",
        "version: 1\nname: lenient\nabout: POPC may rest\nextends: intended\njudged: {POPC: 0}\n",
    );
    let by_profile = command(
        place.path(),
        &["fuzz", "--only", "POPC_R", "BREV_R", "--cases", "300000", "--out", "lenient"],
    )
    .args(["--profile", "lenient.yaml", "--reading", "E049=1"])
    .output()
    .expect("the command starts");
    assert_eq!(by_profile.status.code(), Some(0), "{}", String::from_utf8_lossy(&by_profile.stderr));
    // A merged result must meet the same demands as the shards.
    let merge = |more: &[&str]| {
        let merge = ["merge", "failed", "--out", "merged.json"];
        assay_in(place.path(), &[&merge[..], more].concat()).status.code()
    };
    assert_eq!((merge(&[]), merge(&["--allow-unjudged", "POPC"])), (Some(1), Some(0)));
}

#[test]
fn the_sound_model_passes_in_every_built_in_profile() {
    let place = Place::new("1");
    for profile in ["intended", "literal", "sm90"] {
        for (cases, seed) in [("6000000", "1"), ("20000", "2"), ("20000", "3")] {
            let output = command(place.path(), &["fuzz", "--bins", "plain", "--profile", profile])
                .args(["--cases", cases, "--seed", seed])
                .args(["--format", "json", "--overwrite", "--out", "run"])
                .output()
                .expect("the command starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{profile}, {cases} cases, seed {seed}: {said}");
        }
    }
}
