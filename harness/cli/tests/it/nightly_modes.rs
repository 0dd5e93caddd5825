//! Tests that nightly runs compare the modes that each stage supported with the modes that the
//! device listed and the plan demands. The report names each demand that a stage lowered.

use std::fs;

use serde_json::Value;

use crate::nightly_trust::{ALL, Nights, has_python};
use crate::support::{status, words};

fn junit(nights: &Nights) -> String {
    fs::read_to_string(nights.path("out/nights/0001/report/nightly.junit.xml")).expect("the checks")
}

/// A separate process lists the modes. A device can tell this process from a stage, and declare
/// more modes to it.
#[test]
fn a_device_that_declares_more_where_it_is_asked_fails_the_stage() {
    if !has_python() {
        return;
    }
    let asked = r#""asked": {"modes": ["FADD", "FMUL", "POPC"]}"#;
    let version_2 = |modes: &str| format!(r#"{{"subject": "model", "modes": {modes}, {asked}}}"#);
    let version_1 = r#"{"subject": "model", "optypes": ["FADD", "POPC"], "declined": ["FADD", "@P"], "asked": {"declined": []}}"#;
    for (run, device, missing) in [
        ("fuzz --cases 30000", version_2(r#"["POPC"]"#), "FADD, FMUL is missing"),
        ("fuzz --cases 30000", version_2(r#"["POPC", "FMUL", "FADD.RZ*"]"#), "modes) is missing"),
        ("fuzz --cases 30000", version_2(r#"["POPC", "FMUL", "FADD", "!FADD_RR"]"#), "modes) is missing"),
        ("fuzz --only 'F*' --cases 30000", version_2(r#"["FMUL", "POPC"]"#), "FADD is missing"),
        ("sweep popc --tier quick", version_2(r#"["POPC", "FMUL"]"#), "FADD is missing"),
        (
            "fuzz --cases 30000 --allow-undeclared '*' --allow-unjudged '*'",
            version_1.into(),
            "FADD is missing",
        ),
    ] {
        let nights = Nights::new(run, "");
        nights.has(&device);
        let (nightly, page) = nights.night(1);
        assert_eq!(nightly["stages"][0]["at"], "failed", "{run} {device}: {nightly:#}");
        let told = "the subject supported fewer modes than when this run listed them: ";
        assert!(page.contains(told) && page.contains(missing), "{run} {device}: {page}");
        assert!(junit(&nights).contains(missing), "{run} {device}: {}", junit(&nights));
    }
    // Modes that --only does not select do not count as missing.
    let nights = Nights::new("fuzz --only POPC --cases 30000", "");
    nights.has(&version_2(r#"["POPC", "FMUL"]"#));
    let (nightly, page) = nights.night(0);
    assert!(nightly["unexecuted_modes"]["FADD"]["lacking"].as_u64() > Some(0), "{nightly:#}");
    assert!(page.contains("supported, and not executed by a campaign or a sweep: FADD, FMUL"), "{page}");
}

/// A device may declare other modes under other readings. So the modes are listed and compared
/// under the readings of each stage.
#[test]
fn modes_under_the_readings_of_a_stage_are_listed_and_demanded() {
    if !has_python() {
        return;
    }
    let run = "fuzz --reading E173=2 --cases 30000";
    let under = |modes: &str| {
        format!(
            r#"{{"subject": "model", "modes": ["FADD", "FMUL", "POPC"], "under": {{"E173=2": {{"modes": {modes}}}}}}}"#
        )
    };
    let nights = Nights::new(run, "modes: [FADD]\n");
    nights.has(&under(r#"["POPC"]"#));
    let (nightly, page) = nights.night(1);
    assert!(page.contains("the plan demands modes of which no stage executed a case: FADD"), "{page}");
    assert!(junit(&nights).contains("executed a case: FADD"), "{}", junit(&nights));
    assert!(nightly["undelivered_modes"].is_null(), "{nightly:#}");

    let nights = Nights::new(run, "");
    nights.has(&under(r#"["POPC", "FADD"]"#));
    let (_, page) = nights.night(0);
    assert!(page.contains("supported, and not executed by a campaign or a sweep: FMUL"), "{page}");
    let listed = fs::read(nights.path("out/nights/0001/modes.json")).expect("the list");
    let listed: Value = serde_json::from_slice(&listed).expect("JSON");
    let selections = listed["selections"].as_object().expect("selections");
    assert!(
        selections.len() == 1 && selections.keys().all(|options| options.ends_with("--reading 'E173=2'"))
    );
    nights.has(&under(r#"["POPC"]"#));
    let (nightly, page) = nights.night(1);
    assert_eq!(nightly["lost_modes"]["FADD"]["lacking"], nightly["lost_modes"]["FADD"]["of"]);
    assert!(page.contains("does not support any more, as it did in night 1: FADD"), "{page}");
}

/// A stage may name a mode that the device no longer supports. The nightly run still starts,
/// because a refused run would leave no page.
#[test]
fn a_lost_mode_that_a_stage_names_has_a_page() {
    if !has_python() {
        return;
    }
    let nights = Nights::new("fuzz --only FADD --cases 20000", "");
    nights.has(r#"{"subject": "model", "modes": ["FADD", "POPC"]}"#);
    nights.night(0);
    nights.has(r#"{"subject": "model", "modes": ["POPC"]}"#);
    let (nightly, page) = nights.night(3);
    assert!(nightly["stages"][0]["at"]["broke"].is_string(), "{nightly:#}");
    assert!(page.contains("does not support any more, as it did in night 1: FADD"), "{page}");
    // Without an earlier nightly run, the command refuses such a stage at once.
    let nights = Nights::new("fuzz --only FADD --cases 20000", "");
    nights.has(r#"{"subject": "model", "modes": ["POPC"]}"#);
    assert_eq!(status(&nights.run()), 2);
}

#[test]
fn demanded_modes_are_executed_or_the_night_fails() {
    if !has_python() {
        return;
    }
    let suite = crate::support::root().join("vectors/data/fmul.yaml").display().to_string();
    let vectors = format!("vectors check '{suite}'");
    let unknown = "No stage records which modes of the subject it executed.";
    for (run, more, ends, told) in [
        (
            "fuzz --only POPC --cases 30000",
            "modes: [POPC, FMUL]\n",
            1,
            "of which no stage executed a case: FMUL",
        ),
        (
            "fuzz --only POPC FMUL --cases 30000",
            "modes: [POPC, FMUL]\n",
            0,
            "supported, and not executed by a campaign or a sweep: FADD",
        ),
        ("fuzz --only POPC FMUL.RZ --cases 30000", "modes: [POPC, FMUL]\n", 1, "executed a case: FMUL ("),
        (
            "sweep popc --tier quick",
            "modes: [POPC_R]\n",
            0,
            "supported, and not executed by a campaign or a sweep: FADD, FMUL",
        ),
        ("sweep popc --tier quick", "modes: [FMUL.RZ]\n", 1, "of which no stage executed a case: FMUL"),
        (
            "fuzz --subject model --cases 30000",
            "modes: [POPC]\n",
            1,
            "no stage records which modes it executed: POPC",
        ),
        (&vectors, "", 0, unknown),
        (&vectors, "modes: [FMUL]\n", 1, "no stage records which modes it executed: FMUL"),
    ] {
        let nights = Nights::new(run, more);
        nights.has(ALL);
        let (_, page) = nights.night(ends);
        assert!(page.contains(told), "{run} {more}: {page}");
    }
}

/// A stage can lower the demands, for example with a looser profile, so that a wrong device passes.
/// The page names the lowered demands.
#[test]
fn what_a_stage_demands_less_of_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mine = "version: 1\nname: mine\nabout: mine\nextends: intended\njudged: {POPC: 3}\n";
    fs::write(path("mine.yaml"), mine).expect("a profile");
    let options = "--reading E173=2 --allow-unjudged POPC_R --allow-undeclared BREV";
    let loose = format!("fuzz --only POPC --cases 30000 --profile {} {options}", path("mine.yaml"));
    let stages = [
        ("loose", loose.as_str()),
        ("plain", "fuzz --only POPC --cases 30000"),
        ("other", "fuzz --only BREV --cases 30000 --subject mutant:popc-sign-bit-lost"),
        ("plug", "dut check 'exec:false'"),
        ("against", "fuzz --only POPC --cases 1000 --against model"),
    ];
    let stages: String =
        stages.iter().map(|(name, run)| format!("- {{name: {name}, run: {run:?}, time: 5m}}\n")).collect();
    let plan = format!("version: 1\nname: test\nsubject: model\nstages:\n{stages}");
    fs::write(path("plan.yaml"), plan).expect("a plan");
    let (plan, out) = (path("plan.yaml"), path("out"));
    let output = crate::support::assay(&["nightly", "--config", &plan, "--out", &out, "--format", "json"]);
    assert_eq!(status(&output), 1, "`dut check` fails: {}", words(&output));
    let nightly = crate::support::json(&output)["nightly"].clone();
    let setting = |place: usize| &nightly["stages"][place]["setting"];
    assert_eq!(setting(0)["profile"], "mine", "{nightly:#}");
    assert_eq!(setting(0)["looser"]["demands"][0]["name"], "POPC");
    assert_eq!(setting(0)["readings"], serde_json::json!({"E173": 2}));
    assert_eq!(setting(0)["allow_unjudged"], serde_json::json!(["POPC_R"]));
    assert_eq!(setting(0)["allow_undeclared"], serde_json::json!(["BREV"]));
    assert!(setting(1).is_null(), "{nightly:#}");
    assert_eq!(setting(2), &serde_json::json!({"subject": "mutant:popc-sign-bit-lost"}));
    assert_eq!(setting(3), &serde_json::json!({"subject": "exec:false"}));
    assert_eq!(setting(4), &serde_json::json!({"against": "model", "rules": "intended against model"}));
    let read =
        |name: &str| fs::read_to_string(path(&format!("out/nights/0001/report/{name}"))).expect("a page");
    let page = read("nightly.md");
    let table = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for row in [
        "| loose | profile | `mine` | |",
        "| loose | looser than built in | `POPC` | lower judged share; 3 % judged, and in intended",
        "| loose | reading not as intended | `E173=2` | |",
        "| loose | allowed to be unjudged | `POPC_R` | |",
        "| loose | allowed to be undeclared | `BREV` | |",
        "| other | other subject | `mutant:popc-sign-bit-lost` | |",
        "| plug | other subject | `exec:false` | |",
        "| against | in the oracle's place | `model` | |",
    ] {
        assert!(table.contains(row), "{row}: {page}");
    }
    let summary = page.lines().nth(2).expect("a summary");
    assert!(
        summary.contains("profile mine (stage loose), looser than built in POPC (stage loose)"),
        "{summary}"
    );
    assert!(read("nightly.html").contains("looser than built in"));
    for property in [
        r#"<property name="looser than built in" value="stage loose: POPC: lower judged share; 3 % judged"#,
        r#"<property name="reading not as intended" value="stage loose: E173=2"/>"#,
        r#"<property name="allowed to be unjudged" value="stage loose: POPC_R"/>"#,
        r#"<property name="other subject" value="stage plug: exec:false"/>"#,
    ] {
        assert!(read("nightly.junit.xml").contains(property), "{property}: {}", read("nightly.junit.xml"));
    }
}
