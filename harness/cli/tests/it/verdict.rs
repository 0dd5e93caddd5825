//! Tests the verdict of a run. It is computed once and stored in the result, and all other commands
//! read it from there.

use std::path::Path;
use std::process::{Command, Output};

use assay_testing::skip;
use serde_json::Value;

use crate::support::{ASSAY, assay_in, command, compile, has, json, root, status, stderr, stdout, words};

/// A folder in which commands run.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn assay(&self, arguments: &str) -> Output {
        assay_in(self.path(), &arguments.split_whitespace().collect::<Vec<_>>())
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).expect(name);
    }

    fn verdict(&self, result: &str) -> Value {
        serde_json::from_str::<Value>(&self.read(result)).expect("JSON")["verdict"].clone()
    }

    /// Writes a changed copy of a result to a new folder, with a digest that matches the changed
    /// text.
    fn forge(&self, from: &str, to: &str, change: impl FnOnce(&mut Value)) {
        let mut result: Value = serde_json::from_str(&self.read(from)).expect("JSON");
        change(&mut result);
        result.as_object_mut().expect("an object").shift_remove("digest");
        let text = serde_json::to_string_pretty(&result).expect("JSON") + "\n";
        std::fs::create_dir_all(self.path().join(to)).expect("a folder");
        let text = assay_records::file::seal(text.as_bytes());
        std::fs::write(self.path().join(to).join("result.json"), text).expect("a result");
    }
}

fn last_line(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

/// E049=1, the literal reading, leaves POPC undefined. No lane diverges, but both shards fail
/// because too few lanes were judged.
#[test]
fn shards_that_fail_by_their_shares_fail_merged_reported_and_deployed() {
    let place = Place::new();
    let fuzz = "fuzz --only POPC_R BREV_R --cases 300000 --reading E049=1";
    place.write("plan", &format!("2\n{}\n", fuzz.replace(' ', "\n")));
    for shard in 0..2 {
        let output = place.assay(&format!("{fuzz} --shard {shard}/2 --out shards/{shard}"));
        assert_eq!(status(&output), 1, "{}", stderr(&output));
        assert!(last_line(&output).starts_with("FAILED  No divergence"), "{}", stdout(&output));
    }
    let merged = place.assay("merge shards --out merged.json");
    assert_eq!(status(&merged), 1);
    let reason = |verdict: &Value| {
        let [reason] = &verdict["reasons"].as_array().expect("reasons")[..] else { panic!("{verdict:#}") };
        (reason["kind"].clone(), reason["name"].clone())
    };
    let verdict = place.verdict("merged.json");
    assert_eq!(
        (verdict["status"].as_str(), reason(&verdict)),
        (Some("failed"), ("share".into(), "POPC_R".into()))
    );
    let report = place.assay("report merged.json --out page");
    assert_eq!(status(&report), 1);
    let page = place.read("page/report.md");
    assert!(page.contains("FAILED: No divergence") && page.contains("were judged, less than 75 %"), "{page}");
    let junit = place.read("page/report.junit.xml");
    assert!(
        !junit.lines().any(|line| line.starts_with("<testsuites ") && line.contains("failures=\"0\"")),
        "{junit}"
    );
    assert!(junit.contains("were judged, less than 75 %"), "{junit}");
    let summary: Value = serde_json::from_str(&place.read("page/report.json")).expect("JSON");
    assert_eq!(summary["results"][0]["verdict"]["status"], "failed");
    // The merged result has the same bytes as the result of one run.
    assert_eq!(status(&place.assay(&format!("{fuzz} --out whole"))), 1);
    assert_eq!(place.read("merged.json"), place.read("whole/result.json"));
    let script = root().join("deploy/merge.sh");
    let deploy = || Command::new(&script).arg(place.path()).env("ASSAY", ASSAY).output().expect("bash");
    // shard.sh writes the plan beside each result. A result with another plan, or none, belongs to
    // another campaign.
    for (index, plan) in [place.read("plan"), "2\nfuzz\n".into()].iter().enumerate() {
        place.write(&format!("shards/{index}/plan"), plan);
    }
    let foreign = deploy();
    assert_eq!(foreign.status.code(), Some(2), "{}", stdout(&foreign));
    assert!(stdout(&foreign).contains("shards/1/ has the result of another plan"), "{}", stdout(&foreign));
    let script = root().join("deploy/shard.sh");
    let done = |index| Command::new(&script).arg(place.path()).arg(index).env("ASSAY", ASSAY).output();
    assert_eq!(done("0").expect("bash").status.code(), Some(0));
    assert_eq!(done("1").expect("bash").status.code(), Some(2));
    place.write("shards/1/plan", &place.read("plan"));
    let deployed = deploy();
    assert_eq!(deployed.status.code(), Some(1), "{}{}", stdout(&deployed), stderr(&deployed));
    assert!(stdout(&deployed).contains("status 1: the merged result failed"), "{}", stdout(&deployed));
    assert_eq!(place.read("status"), "1\n");
    // The options of `merge` that allow too few judged lanes apply to the merged verdict.
    let allowed = place.assay("merge shards --out merged.json --allow-unjudged POPC");
    assert_eq!((status(&allowed), place.verdict("merged.json")["status"].as_str()), (0, Some("held")));
    assert_eq!(status(&place.assay("report merged.json")), 0);
}

/// `shard.sh` does not repeat a finished shard. If the files of its device have changed since,
/// `shard.sh` and `merge.sh` refuse the shard.
#[test]
fn a_shard_of_another_device_is_not_taken_for_done() {
    if !has("cc") {
        skip("c-compiler", "a shard of a device in C: there is no cc");
        return;
    }
    let place = Place::new();
    let source = root().join("examples/devices/c/device.c");
    let library = place.path().join("device.so");
    let flags = ["-std=c11", "-O1", "-frounding-math", "-ffp-contract=off", "-shared", "-fPIC"];
    compile(&flags, &[source], &library);
    let subject = format!("lib:{}", library.display());
    place.write("plan", &format!("1\nfuzz\n--only\nPOPC\n--cases\n2000\n--subject\n{subject}\n"));
    let script = |name: &str, words: &[&str]| {
        let script = root().join("deploy").join(name);
        let mut command = Command::new(script);
        command.arg(place.path()).args(words).env("ASSAY", ASSAY).output().expect("bash")
    };
    let told = |output: &Output, status: i32, text: &str| {
        let said = stdout(output);
        assert_eq!(output.status.code(), Some(status), "{said}{}", stderr(output));
        assert!(said.contains(text), "{said}");
    };
    told(&script("shard.sh", &["0"]), 0, "done");
    told(&script("shard.sh", &["0"]), 0, "done before");
    told(&script("merge.sh", &[]), 0, "all held");
    // If a file that the command names has changed, such as a profile, the finished shard is
    // refused too.
    let profile = "{version: 1, name: own, about: x, extends: intended, readings: {E056: 1}}\n";
    place.write("own.yaml", profile);
    let own = format!("--profile\n{}\n", place.path().join("own.yaml").display());
    let plan = place.read("plan") + &own;
    place.write("plan", &plan);
    std::fs::remove_dir_all(place.path().join("shards")).expect("the shards are removed");
    told(&script("shard.sh", &["0"]), 0, "done");
    place.write("own.yaml", &profile.replace("E056: 1", "E056: 2"));
    told(&script("shard.sh", &["0"]), 2, "the result of other files");
    told(&script("merge.sh", &[]), 2, "the result of another device");
    place.write("own.yaml", profile);
    told(&script("shard.sh", &["0"]), 0, "done before");
    let device = std::fs::read(&library).expect("a library");
    std::fs::write(&library, [&device[..], b"more"].concat()).expect("a library");
    told(&script("shard.sh", &["0"]), 2, "the result of another device");
    told(&script("merge.sh", &[]), 2, "the result of another device");
    std::fs::write(&library, device).expect("a library");
    told(&script("shard.sh", &["0"]), 0, "done before");
    told(&script("merge.sh", &[]), 0, "all held");
}

#[test]
fn a_result_without_checks_is_refused_and_one_without_a_verdict_is_unverified() {
    let place = Place::new();
    assert_eq!(status(&place.assay("fuzz --only FADD --cases 5000 --out run")), 0);
    assert_eq!(place.verdict("run/result.json")["status"], "held");
    place.forge("run/result.json", "same", |_| ());
    assert_eq!(status(&place.assay("report same")), 0, "the digest is right");
    place.forge("run/result.json", "unchecked", |result| {
        result["tally"].as_object_mut().expect("counts").remove("canaries");
    });
    for command in ["report unchecked", "merge unchecked --out merged.json"] {
        let output = place.assay(command);
        assert_eq!(status(&output), 2, "{command}");
        assert!(words(&output).contains("the run made no check of itself"), "{command}: {}", words(&output));
    }
    place.forge("run/result.json", "old", |result| {
        result.as_object_mut().expect("an object").remove("verdict");
    });
    let report = place.assay("report old --out page");
    assert_eq!(status(&report), 1);
    assert!(place.read("page/report.md").contains("UNVERIFIED: No divergence"));
    let junit = place.read("page/report.junit.xml");
    assert!(junit.contains("failures=\"0\" errors=\"1\""), "{junit}");
    let merged = place.assay("merge old --out merged.json");
    assert_eq!(status(&merged), 1);
    assert!(last_line(&merged).starts_with("UNVERIFIED  "), "{}", stdout(&merged));
}

#[test]
fn no_profile_takes_the_name_of_a_built_in_one() {
    let place = Place::new();
    for name in ["intended", "literal", "sm90", "faithful", "Intended"] {
        let text = format!("version: 1\nname: {name}\nabout: mine\nextends: intended\njudged: {{'*': 0}}\n");
        place.write("mine.yaml", &text);
        let output = place.assay("fuzz --only MUFU --cases 1000 --profile mine.yaml --out run");
        assert_eq!(status(&output), 2, "{name}");
        let said = words(&output);
        assert!(
            said.contains("mine.yaml:2: ") && said.contains("is the name of the built-in profile"),
            "{said}"
        );
    }
}

/// Under this profile, a sine that is always 0.5 would pass.
#[test]
fn what_a_profile_demands_less_of_is_named_wherever_its_verdict_is() {
    let place = Place::new();
    let free = "metric: absolute, bound: '2^60', signs: free, relations: []";
    place.write(
        "mine.yaml",
        &format!(
            "version: 1\nname: mine\nabout: mine\nextends: intended\njudged: {{'*': 0}}\n\
             contracts:\n- {{instruction: MUFU.SIN.F32, {free}}}\n"
        ),
    );
    let fuzz = "fuzz --only MUFU.SIN.F32 FADD --cases 5000 --profile";
    let output = place.assay(&format!("{fuzz} mine.yaml --out run"));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let named = "The profile mine demands less than intended: MUFU.SIN.F32 (wider bound, free signs, fewer relations), \
                 * (lower judged share).";
    assert!(last_line(&output).contains(named), "{}", last_line(&output));
    assert_eq!(status(&place.assay("report run --out page")), 0);
    let page = place.read("page/report.md");
    assert!(
        page.contains(named) && page.contains("What the profile mine demands less of than intended"),
        "{page}"
    );
    let junit = place.read("page/report.junit.xml");
    let property = "<property name=\"looser than built in\" value=\"MUFU.SIN.F32: wider bound, free signs, fewer relations;";
    assert!(junit.contains(property), "{junit}");
    let built_in = place.assay(&format!("{fuzz} intended --out built-in"));
    assert!(!last_line(&built_in).contains("demands less"), "{}", last_line(&built_in));
}

/// E049=1 leaves most results undefined. In a run with few lanes this is no failure, but the
/// verdict is that the run was not fully judged.
#[test]
fn a_share_below_its_minimum_in_few_lanes_is_no_full_judgement() {
    let place = Place::new();
    let fuzz = "fuzz --only POPC --cases 20000 --overwrite --out";
    let output = place.assay(&format!("{fuzz} open --reading E049=1"));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let line = last_line(&output);
    assert!(line.starts_with("NOT FULLY JUDGED  ") && line.contains(" Only "), "{line}");
    assert!(line.contains("less than 75 %") && line.contains("Readings not as intended: E049=1."), "{line}");
    let allowed = place.assay(&format!("{fuzz} allowed --reading E049=1 --allow-unjudged POPC*"));
    let line = last_line(&allowed);
    assert!(line.starts_with("PASSED  ") && line.contains("--allow-unjudged allows POPC*."), "{line}");
    let usual = last_line(&place.assay(&format!("{fuzz} usual")));
    assert!(usual.starts_with("PASSED  ") && !usual.contains("eadings"), "{usual}");
    let built_in = last_line(&place.assay(&format!("{fuzz} sm90 --profile sm90")));
    assert!(!built_in.contains("eadings"), "{built_in}");
}

#[test]
fn a_share_that_was_not_judged_is_named_and_fails_where_more_is_required() {
    let place = Place::new();
    let fuzz = "fuzz --only MUFU.SIN.F32 --cases 20000 --overwrite --out";
    let output = place.assay(&format!("{fuzz} run"));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let line = last_line(&output);
    assert!(line.starts_with("NOT FULLY JUDGED  No divergence in 20,000 cases."), "{line}");
    assert!(line.contains(" % of MUFU.SIN.F32"), "{line}");
    assert!(
        line.contains("no accuracy outside [-100pi, 100pi]; `--profile faithful` judges them."),
        "{line}"
    );
    assert_eq!(status(&place.assay("report run --out page")), 0);
    let junit = place.read("page/report.junit.xml");
    let case = "<testcase name=\"MUFU.SIN.F32\" classname=\"assay.unjudged\">";
    let (_, after) = junit.split_once(case).expect("a case for the unjudged results");
    assert!(after.trim_start().starts_with("<skipped "), "{junit}");
    for (options, expected) in [
        ("--require-judged 99%", 1),
        ("--require-judged 20%", 0),
        ("--require-judged 99% --allow-unjudged MUFU", 0),
        ("--require-judged 99% --profile sm90", 0),
        ("--require-judged 101%", 2),
        ("--require-judged most", 2),
    ] {
        let output = place.assay(&format!("{fuzz} other {options}"));
        assert_eq!(status(&output), expected, "{options}: {}", stdout(&output));
        if expected == 1 {
            assert!(last_line(&output).starts_with("FAILED  "), "{}", stdout(&output));
            assert!(stderr(&output).contains("--require-judged"), "{}", stderr(&output));
        }
    }
    let sweep = "sweep mufu.cos.f32 --tier quick --shard 3/997 --overwrite --format json --out sweep";
    let arguments: Vec<&str> = sweep.split(' ').collect();
    let judged = json(&command(place.path(), &arguments).output().expect("assay starts"));
    assert_eq!(judged["verdict"]["status"], "partial", "{judged:#}");
    assert_eq!(judged["verdict"]["unjudged"][0]["name"], "MUFU.COS.F32");
    let strict = [&arguments[..], &["--require-judged", "99%"]].concat();
    assert_eq!(status(&command(place.path(), &strict).output().expect("assay starts")), 1);
}

#[test]
fn what_a_baseline_refuses_fails_the_merged_result_too() {
    let place = Place::new();
    // The baseline measured no function of the sweep, so nothing can be compared.
    assert_eq!(status(&place.assay("fuzz --only FADD --cases 1000 --out before")), 0);
    for shard in 0..2 {
        let sweep = format!("sweep mufu.tanh.f16 --out shards/{shard} --shard {shard}/2 --baseline before");
        assert_eq!(status(&place.assay(&sweep)), 1);
    }
    assert_eq!(status(&place.assay("merge shards --out merged.json")), 1);
    assert_eq!(place.verdict("merged.json")["reasons"][0]["kind"], "baseline");
    let report = place.assay("report merged.json");
    assert_eq!(status(&report), 1);
    assert!(stdout(&report).contains("Nothing was compared with the baseline"), "{}", stdout(&report));
}
