//! `assay errata`: every defect of the specification is listed, explained and reported, and every
//! reading is proved.

use std::path::PathBuf;
use std::process::Output;

use assay_isa::readings::{Erratum, SWITCHES};
use serde_json::{Value, json};

use crate::support::{self, assay, root, served, status, stderr, stdout};

const WITNESSES: &str = include_str!("../../../../../vectors/data/witnesses/xu-falu.yaml");

fn errata(arguments: &[&str]) -> Output {
    assay(&[&["errata"], arguments].concat())
}

/// Returns the JSON that the command prints, and its exit status.
fn json_of(arguments: &[&str]) -> (Value, i32) {
    let output = errata(&[arguments, &["--format", "json"]].concat());
    (support::json(&output), status(&output))
}

/// Copies the witnesses, with one text replaced. Returns the path of the changed file.
fn altered(folder: &tempfile::TempDir, old: &str, new: &str) -> PathBuf {
    assert_eq!(WITNESSES.matches(old).count(), 1, "{old}");
    let all = root().join("vectors/data/witnesses");
    for file in std::fs::read_dir(all).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    std::fs::write(folder.path().join("xu-falu.yaml"), WITNESSES.replace(old, new)).unwrap();
    folder.path().to_owned()
}

const CASE: &str =
    "- name: E053-2\n  asm: FLO.SH R0, R1\n  inputs: {R1: 0xffffffff}\n  readings: {E053: 2}\n";

#[test]
fn every_erratum_is_proved() {
    let output = errata(&["prove"]);
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    assert_eq!(stdout(&output).lines().count(), SWITCHES.len() + 1);

    // A reading on the command line overrides those of the witnesses and of the profile.
    for reading in ["E053=1", "E053=2"] {
        assert_eq!(json_of(&["prove", "E053", "--reading", reading]).1, 1, "{reading}");
    }
    let (proof, status) = json_of(&["prove"]);
    assert_eq!(status, 0);
    assert_eq!(proof["switches"], SWITCHES.len());
    assert_eq!(proof["settings"], SWITCHES.iter().map(|s| s.settings.len()).sum::<usize>());
    assert_eq!((&proof["proved"], &proof["failures"]), (&proof["switches"], &json!([])));
    let rows = proof["errata"].as_array().unwrap();
    let witnesses: u64 = rows.iter().map(|row| row["witnesses"].as_u64().unwrap()).sum();
    assert_eq!(proof["witnesses"], witnesses);
    for (row, switch) in rows.iter().zip(SWITCHES) {
        assert_eq!(row["erratum"], switch.erratum.to_string());
        assert_eq!((&row["proved"], &row["failures"]), (&json!(true), &json!([])));
    }
}

#[test]
fn a_wrong_expectation_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (right, wrong) =
        (format!("{CASE}  expect: {{R0: 0xffffffff}}"), format!("{CASE}  expect: {{R0: 0x1}}"));
    let file = altered(&folder, &right, &wrong);
    let vectors = ["--vectors", file.to_str().unwrap()];
    let output = errata(&[&["prove"], &vectors[..]].concat());
    assert_eq!(status(&output), 1);
    let page = stdout(&output);
    let failed: Vec<&str> = page.lines().filter(|line| line.contains("NOT PROVED")).collect();
    assert_eq!(failed, ["E053  NOT PROVED  E053-2: model: writes 0xffffffff to R0, expected 0x00000001"]);
    assert!(page.ends_with(&format!(": {} proved\n", SWITCHES.len() - 1)), "{page}");

    let (proof, status) = json_of(&[&["prove", "E050", "E053"], &vectors[..]].concat());
    assert_eq!((status, &proof["switches"], &proof["proved"]), (1, &json!(2), &json!(1)));
    assert_eq!(proof["failures"].as_array().unwrap().len(), 1);
    let (shown, status) = json_of(&[&["show", "E053"], &vectors[..]].concat());
    assert_eq!(status, 1);
    let groups = shown[0]["groups"].as_array().unwrap();
    let witnesses = groups.iter().flat_map(|group| group["witnesses"].as_array().unwrap());
    let problems: Vec<&str> = witnesses.filter_map(|witness| witness["problem"].as_str()).collect();
    assert!(matches!(problems[..], [problem] if problem.contains("expected")), "{problems:?}");
}

/// `discover` finds cases that distinguish all settings without the known witnesses.
#[test]
fn settings_are_told_apart_unaided() {
    let (found, status) = json_of(&["discover", "E053", "E096", "E168"]);
    assert_eq!(status, 0);
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 1 + 3 + 1);
    assert!(
        pairs
            .iter()
            .all(|pair| pair["found"]["asm"].is_string() && !pair["known"].as_array().unwrap().is_empty())
    );
    assert_eq!(found["no_executable_literal_reading"], json!(["E168"]));
}

/// A proof fails although each witness passes, because no witnesses distinguish the two settings.
#[test]
fn settings_that_nothing_tells_apart_are_not_proved() {
    let folder = tempfile::tempdir().unwrap();
    let (header, _) = WITNESSES.split_once("cases:\n").unwrap();
    let case = |setting: u8, value: &str| {
        format!(
            "- name: E053-{setting}\n  asm: FLO.SH R0, R1\n  inputs: {{R1: {value}}}\n  \
             readings: {{E053: {setting}}}\n  expect: {{R0: 0x1f}}\n  provenance: {{source: erratum, ref: E053}}\n"
        )
    };
    let file = folder.path().join("few.yaml");
    let text = format!("{header}cases:\n{}{}", case(1, "1"), case(2, "1"));
    std::fs::write(&file, text).unwrap();
    let vectors = ["--vectors", file.to_str().unwrap()];
    let (proof, status) = json_of(&[&["prove", "E053"], &vectors[..]].concat());
    assert_eq!((status, &proof["witnesses"]), (1, &json!(2)));
    let failure = proof["failures"][0].as_str().unwrap();
    assert!(failure.contains("tell setting 1 from 2"), "{failure}");
    // An erratum without witnesses is not proved either.
    let (proof, status) = json_of(&[&["prove", "E176"], &vectors[..]].concat());
    assert_eq!((status, &proof["witnesses"], &proof["proved"]), (1, &json!(0), &json!(0)));
    assert_eq!(proof["failures"].as_array().unwrap().len(), 3, "one for each pair of three settings");
}

#[test]
fn a_skipped_witness_proves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = altered(&folder, CASE, &format!("{CASE}  skip: not today\n"));
    let output = errata(&["prove", "E053", "--vectors", file.to_str().unwrap()]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("E053-2: skipped: not today"), "{}", stdout(&output));
}

#[test]
fn the_list_holds_every_erratum() {
    let (list, status) = json_of(&["list"]);
    let list = list.as_array().unwrap();
    assert_eq!((status, list.len()), (0, 191));
    for (row, number) in list.iter().zip(1..) {
        assert_eq!(row["erratum"], format!("E{number:03}"));
        for key in ["title", "problem", "consequence", "correction"] {
            assert!(row[key]["en"].is_string() && row[key]["zh"].is_string(), "{row}");
        }
    }
    let page = stdout(&errata(&["list"]));
    assert!(page.lines().all(|line| line.chars().count() <= 80), "it fits a terminal");
    assert_eq!(page.lines().count(), 2 * 191 + 2);
}

#[test]
fn the_list_holds_every_switch() {
    let (list, status) = json_of(&["list", "--executable"]);
    let list = list.as_array().unwrap();
    let switches: Vec<_> = SWITCHES.iter().filter(|switch| !switch.erratum.is_convention()).collect();
    assert_eq!((status, list.len()), (0, switches.len()));
    for (row, switch) in list.iter().zip(switches) {
        assert_eq!(row["erratum"], switch.erratum.to_string());
        assert_eq!((&row["question"], &row["settings"]), (&json!(switch.question), &json!(switch.settings)));
        assert_eq!(row["readings"].as_array().unwrap().len(), switch.settings.len());
        assert_eq!(row["profiles"]["intended"]["setting"], switch.intended);
        for profile in ["literal", "intended", "sm90"] {
            assert!(row["profiles"][profile]["evidence"].is_string(), "{row}");
            assert!(row["profiles"][profile]["note"].is_string(), "{row}");
        }
        assert!(row["witnesses"].as_array().unwrap().len() >= switch.settings.len());
    }
}

#[test]
fn the_list_is_filtered() {
    let numbers = |arguments: &[&str]| {
        let (list, status) = json_of(&[&["list"], arguments].concat());
        assert_eq!(status, 0, "{arguments:?}");
        let numbers = list.as_array().unwrap().iter().map(|row| row["erratum"].as_str().unwrap().to_owned());
        numbers.collect::<Vec<_>>()
    };
    let some = numbers(&["--only", "E17?", "FCHK"]);
    assert!(some.contains(&"E173".to_owned()) && some.contains(&"E189".to_owned()), "{some:?}");
    assert!(some.len() < 20, "{some:?}");
    assert_eq!(numbers(&["--class", "NUM"]), ["E033", "E034", "E169", "E189"]);
    assert_eq!(numbers(&["--class", "SEM,NUM", "--severity", "H"]).len(), 20);
    assert_eq!(numbers(&["--severity", "L", "--class", "EX"]), ["E130", "E145"]);
    assert_eq!(numbers(&["--only", "BREV", "--executable"]), ["E056"]);
}

#[test]
fn an_erratum_is_shown_with_live_answers() {
    let (shown, status) = json_of(&["show", "E053", "E050"]);
    assert_eq!((status, shown.as_array().unwrap().len()), (0, 2));
    assert_eq!(shown[0]["profiles"]["sm90"]["evidence"], "measured");
    let groups = shown[0]["groups"].as_array().unwrap();
    let sought = (&json!("FLO.SH R0, R1"), &json!("0xffffffff"));
    let group =
        groups.iter().find(|g| (&g["asm"], &g["inputs"]["R1"]) == sought).expect("the witness of FLO");
    for (witness, value) in group["witnesses"].as_array().unwrap().iter().zip(["0x00000020", "0xffffffff"]) {
        assert_eq!(witness["answers"]["model"]["R0"], value);
        assert_eq!(witness["answers"]["mpfr"]["R0"], value);
        assert!(witness["problem"].is_null());
    }
    let page = stdout(&errata(&["show", "E053"]));
    for text in ["example against code", "2: 0xFFFFFFFF", "measured", "E053-1", "with E050=1", "model, mpfr"]
    {
        assert!(page.contains(text), "`{text}` is not on the page: {page}");
    }
}

/// `show` also describes an erratum without cases, and tries to assemble its texts.
#[test]
fn an_erratum_without_a_switch_is_shown() {
    let (shown, status) = json_of(&["show", "E019", "E048", "E001"]);
    assert_eq!(status, 0);
    let trial = &shown[0]["trials"][0];
    assert_eq!((&trial["wanted"], &trial["accepted"]), (&json!(true), &json!(true)));
    assert_eq!(trial["asm"], "FLO.SH.U32 R3, RZ");
    let trial = &shown[1]["trials"][0];
    assert_eq!((&trial["wanted"], &trial["accepted"]), (&json!(false), &json!(false)));
    assert!(trial["problem"].is_string(), "{trial}");
    assert_eq!((&shown[2]["decision"]["reading"], &shown[2]["profiles"]), (&json!(1), &json!({})));
}

#[test]
fn an_erratum_reads_like_a_report() {
    for language in ["en", "zh"] {
        insta::assert_snapshot!(
            format!("show_{language}"),
            stdout(&errata(&["show", "E185", "E039", "--lang", language]))
        );
    }
}

#[test]
fn the_page_is_written_in_both_languages() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new").display().to_string();
    let (written, status) = json_of(&["report", "--out", &out]);
    assert_eq!(status, 0);
    let names = ["en.html", "en.md", "zh.html", "zh.md"].map(|name| format!("{out}/errata.{name}"));
    assert_eq!(written["paths"], json!(names));
    for name in &names {
        let page = std::fs::read_to_string(name).unwrap();
        assert!(page.contains("E191") && page.contains("0x1e6a2c48"), "{name} lacks what was executed");
    }
    let (written, _) = json_of(&["report", "--out", &out, "--lang", "zh"]);
    assert_eq!(written["paths"], json!(names[2..]));

    let beside = assay(&["report", "--errata", "--out", &out]);
    assert_eq!((status, stdout(&beside)), (0, names.map(|name| name + "\n").concat()));
}

/// The page shows a witness that fails, and the exit status is 1.
#[test]
fn a_page_does_not_hide_what_fails() {
    let folder = tempfile::tempdir().unwrap();
    let (right, wrong) =
        (format!("{CASE}  expect: {{R0: 0xffffffff}}"), format!("{CASE}  expect: {{R0: 0x1}}"));
    let file = altered(&folder, &right, &wrong);
    let out = folder.path().display().to_string();
    let arguments = ["report", "--out", &out, "--lang", "en", "--vectors", file.to_str().unwrap()];
    assert_eq!(status(&errata(&arguments)), 1);
    let page = std::fs::read_to_string(folder.path().join("errata.en.md")).unwrap();
    assert!(page.contains("FAILED model: writes 0xffffffff to R0, expected 0x00000001"), "{page}");
}

/// The device has the conventions of x86. Its setting of C001 hides its setting of C002. So
/// `settle` finds the setting of C002 only in its second round of tests.
#[test]
fn readings_that_hide_each_other_are_found_together() {
    let device = served("model");
    let expected = [("C001", 2), ("C002", 3), ("C003", 2), ("C004", 1), ("C005", 2), ("C006", 3)];
    let readings = expected.map(|(name, setting)| format!(" --reading {name}={setting}")).concat();
    let names = expected.map(|(name, _)| name);
    let subject = format!("{device}{readings}");
    let settle = [&["settle"], &names[..], &["--subject", &subject]].concat();
    let (settled, status) = json_of(&settle);
    let found: Vec<_> = settled.as_array().unwrap().iter().map(|one| &one["settings"]).collect();
    assert_eq!((status, found), (1, expected.map(|(_, n)| json!([n])).iter().collect()), "{settled}");
    let page = stdout(&errata(&settle));
    let options = "--reading C001=2 --reading C002=3 --reading C003=2 --reading C005=2 --reading C006=3";
    assert!(page.ends_with(&format!("to test it under its own settings: {options}\n")), "{page}");
}

/// A user's profile sets each convention to each of its settings. `settle` finds that setting for a
/// device that follows the profile, under any `--profile`.
#[test]
fn a_device_is_found_to_follow_the_conventions_of_a_profile() {
    let folder = tempfile::tempdir().unwrap();
    let new = [9, 10, 11].map(Erratum::convention);
    let switches = SWITCHES.iter().filter(|switch| new.contains(&switch.erratum));
    let each = switches.flat_map(|switch| (1..=switch.settings.len()).map(move |n| (switch.erratum, n)));
    for (convention, setting) in each {
        let file = folder.path().join("mine.yaml");
        let text = format!(
            "version: 1\nname: mine\nabout: a device\nextends: intended\nreadings: {{{convention}: {setting}}}\n"
        );
        std::fs::write(&file, text).unwrap();
        let (profile, name) = (file.to_str().unwrap(), convention.to_string());
        let (settled, status) = json_of(&["settle", &name, "--profile", profile]);
        let outcome = (settled[0]["settings"].clone(), settled[0]["outcome"].clone());
        assert_eq!((status, outcome), (0, (json!([setting]), json!("as the profile"))), "{settled}");

        let device = format!("{} --profile {profile}", served("model"));
        let (settled, status) = json_of(&["settle", &name, "--subject", &device]);
        assert_eq!(
            (status, &settled[0]["settings"]),
            (i32::from(setting != 1), &json!([setting])),
            "{settled}"
        );
    }
}

#[test]
fn bad_input_names_the_remedy() {
    let cases: &[(&[&str], &str)] = &[
        (&["prove", "E001"], "E001 has no switch"),
        (&["show", "E999"], "there is no E999"),
        (&["list", "--class", "BAD"], "possible values: SEM"),
        (&["list", "--class", "NUM", "--severity", "L"], "no erratum is all of that"),
        (&["report"], "--out"),
        (&["prove", "E053", "E999"], "errata list"),
        (&["prove", "53"], "such as E173"),
        (&["show", "C001"], "docs/readings.md"),
        (&["prove", "C099"], "docs/readings.md"),
        (&["show"], "ERRATA"),
        (&["list", "--only", "NOPE"], "selects nothing"),
        (&["prove", "--vectors", "/nonexistent.yaml"], "--vectors"),
    ];
    for (arguments, hint) in cases {
        let output = errata(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(hint), "{arguments:?} does not say `{hint}`: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?} printed a result");
    }
}

#[test]
fn the_model_is_found_to_follow_each_profile() {
    for profile in ["intended", "literal", "sm90"] {
        let (settled, status) = json_of(&["settle", "--profile", profile]);
        let settled = settled.as_array().expect("a list").clone();
        assert_eq!(settled.len(), SWITCHES.len());
        for one in &settled {
            assert_ne!(one["asked"], 0, "{profile}: {one}");
            let settings = one["settings"].as_array().expect("a list");
            assert!(settings.is_empty() || settings.contains(&one["profile"]), "{profile}: {one}");
        }
        let told = settled.iter().filter(|one| one["outcome"] == "as the profile").count();
        assert!(told > SWITCHES.len() / 2, "{profile}: only {told} told");
        assert_eq!(status, 0, "{profile}");
    }
}

#[test]
fn what_a_gpu_is_told_follows_the_profile_of_silicon() {
    let (settled, status) = json_of(&["settle", "--subject", "ptx", "--profile", "sm90"]);
    let outcomes =
        |outcome| settled.as_array().expect("a list").iter().filter(|one| one["outcome"] == outcome).count();
    assert_eq!((status, outcomes("as the profile")), (0, 66), "docs/hardware.md tells the number");
    assert!(outcomes("not asked") > 20, "PTX cannot express the others");
}

#[test]
fn a_subject_that_follows_another_reading_is_told() {
    // The fault is the behaviour of setting 1 of E180.
    let (settled, status) = json_of(&["settle", "E180", "--subject", "mutant:ffma-product-rounded"]);
    assert_eq!((status, &settled[0]["outcome"]), (1, &json!("NOT as the profile")), "{settled}");
    assert_eq!(settled[0]["settings"], json!([1]));
}
