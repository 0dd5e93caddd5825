//! Tests `assay trace` on the command line. Recorded results are judged and replayed, the
//! implementation at fault is named, and bad files are reported.

use std::path::{Path, PathBuf};
use std::process::Output;

use assay_hardware::trace::{Header, TraceWriter};
use assay_isa::Effects;
use serde_json::Value;

use crate::nightly_trust::PROXY;
use crate::support::{ASSAY, command, has, json, root, served, stderr, word};

/// A folder in which the commands of a test run.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn assay(&self, arguments: &[&str]) -> Output {
        let mut command = command(self.0.path(), arguments);
        command.env("SOURCE_DATE_EPOCH", "1700000000").output().expect("assay starts")
    }

    /// Runs a command that must end with a status, and reads the JSON that it prints.
    fn json(&self, arguments: &[&str], status: i32) -> Value {
        let output = self.assay(&[arguments, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
        json(&output)
    }

    fn capture(&self, arguments: &[&str]) -> Value {
        self.json(&[&["trace", "capture"], arguments].concat(), 0)
    }
}

#[test]
fn what_the_model_did_holds_under_the_profile_it_did_it_in() {
    let place = Place::new();
    let captured = place.capture(&["--subject", "model", "--cases", "200000", "--out", "a.parquet"]);
    let info = &place.json(&["trace", "info", "a.parquet"], 0)["traces"][0];
    assert_eq!((&info["header"]["hash"], &info["header"]["cases"]), (&captured["hash"], &captured["cases"]));
    assert_eq!(
        (info["header"]["device"].as_str(), info["header"]["date"].as_str()),
        (Some("model"), Some("2023-11-14T22:13:20Z"))
    );
    let counted: u64 = info["functions"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert_eq!(counted, 200_000);
    let check = ["trace", "check", "a.parquet", "--profile", "intended", "--out", "run"];
    let checked = place.json(&check, 0);
    assert_eq!((&checked["cases"], &checked["divergences"]), (&captured["cases"], &Value::from(0)));
    let agreement = checked["agreement"].as_object().unwrap();
    let of = |name: &str| agreement[name].as_u64().unwrap();
    assert_eq!(of("agree") + of("undefined") + of("unjudged"), 200_000, "{agreement:?}");
    let verdicts: u64 = checked["verdicts"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert_eq!(verdicts, 200_000);
    let report = place.assay(&["report", "run"]);
    assert_eq!(report.status.code(), Some(0), "{}", stderr(&report));
    assert!(String::from_utf8_lossy(&report.stdout).contains("200,000 recorded cases"));
    // Two traces are judged one after the other.
    place.capture(&["--subject", "model", "--cases", "3000", "--seed", "2", "--out", "b.parquet"]);
    let both = ["trace", "check", "a.parquet", "b.parquet", "--profile", "intended", "--out", "both"];
    assert_eq!(place.json(&both, 0)["cases"], 203_000);
}

#[test]
fn a_seed_gives_the_same_file_and_other_cases_another() {
    let place = Place::new();
    let capture = |seed: &str| {
        place.capture(&[
            "--subject",
            "model",
            "--cases",
            "5000",
            "--seed",
            seed,
            "--out",
            "t.parquet",
            "--overwrite",
        ]);
        std::fs::read(place.path("t.parquet")).unwrap()
    };
    let first = capture("7");
    assert!(first == capture("7"));
    assert!(first != capture("8"));
}

#[test]
fn a_fault_is_found_blamed_and_replayed() {
    let place = Place::new();
    let only = ["--only", "FMUL", "FADD", "--cases", "50000", "--out", "t.parquet"];
    place.capture(&[&["--subject", "mutant:fmul-flush-sign"], &only[..]].concat());
    let checked = place.json(&["trace", "check", "t.parquet", "--out", "run", "--profile", "intended"], 1);
    let diverged = checked["divergences"].as_u64().unwrap();
    assert!(diverged > 0 && checked["agreement"]["trace_alone"] == diverged, "{checked}");
    let blamed = checked["blamed"].as_array().unwrap();
    assert!(
        !blamed.is_empty() && blamed.iter().all(|blame| blame == "the trace alone diverges"),
        "{blamed:?}"
    );
    let case = checked["findings"][0].as_str().unwrap();
    // The case of the finding contains the recorded effect, so `replay` does not need the trace.
    std::fs::remove_file(place.path("t.parquet")).unwrap();
    let replayed = place.json(&["replay", case], 1);
    let replayed = &replayed["cases"][0];
    assert_eq!(replayed["subject"], "trace:mutant:fmul-flush-sign");
    assert!(replayed["verdict"].as_str().unwrap().starts_with("diverged"), "{replayed}");
    assert_eq!(replayed["answers"]["model"], replayed["answers"]["mpfr"]);
    assert_eq!(place.assay(&["replay", case, "--subject", "model"]).status.code(), Some(0));
    // The default profile is sm90, and --limit bounds the number of written cases.
    let profile = place.path("run/result.json");
    assert!(
        std::fs::read_to_string(profile).unwrap().contains("\"subject\": \"trace:mutant:fmul-flush-sign\"")
    );
}

#[test]
fn what_was_judged_before_the_damage_is_kept() {
    let place = Place::new();
    place.capture(&["--subject", "model", "--only", "FADD", "--cases", "600000", "--out", "t.parquet"]);
    let mut bytes = std::fs::read(place.path("t.parquet")).unwrap();
    // Damages the second of three row groups.
    let middle = bytes.len() * 6 / 10;
    bytes[middle..middle + 4000].fill(0x55);
    std::fs::write(place.path("t.parquet"), &bytes).unwrap();
    for jobs in ["1", "2", "3"] {
        let check = ["trace", "check", "t.parquet", "--overwrite", "--out", "run", "--jobs", jobs];
        let checked = place.json(&check, 2);
        assert_eq!(checked["cases"], 262_144, "{jobs} threads");
        let output = place.assay(&check);
        assert!(stderr(&output).contains("row group 1"), "{}", stderr(&output));
    }
    assert!(place.path("run/interrupted.json").exists() && !place.path("run/result.json").exists());
}

#[test]
fn bad_input_names_the_file_and_the_remedy() {
    let place = Place::new();
    place.capture(&["--subject", "model", "--cases", "3000", "--out", "t.parquet"]);
    let whole = std::fs::read(place.path("t.parquet")).unwrap();
    std::fs::write(place.path("cut.parquet"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(place.path("text.parquet"), "no trace").unwrap();
    let numbers = root().join("vectors/data");
    let cases: &[(&[&str], &str)] = &[
        (&["trace", "check", "cut.parquet"], "copy it again"),
        (&["trace", "info", "text.parquet"], "text.parquet: not a whole Parquet file"),
        (&["trace", "info", "none.parquet"], "check the path"),
        (&["trace", "info", numbers.to_str().unwrap()], "is a folder"),
        (&["trace", "check", "t.parquet", "--profile", "nosuch"], "nosuch"),
        (&["trace", "capture", "--subject", "model", "--out", "t.parquet"], "--overwrite"),
        (&["trace", "capture", "--subject", "model", "--out", "no/t.parquet"], "check the path"),
        (
            &["trace", "capture", "--subject", "apfloat", "--only", "MUFU", "--out", "x.parquet"],
            "nothing to generate",
        ),
    ];
    for (arguments, hint) in cases {
        let output = place.assay(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(hint), "{arguments:?} does not say `{hint}`: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?} printed a result");
    }
}

/// Path of the witnesses of the errata.
const WITNESSES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/data/witnesses");

impl Place {
    /// Records the effects of a subject on the witnesses under the profile sm90.
    fn witnesses(&self, subject: &str, out: &str) -> Value {
        self.capture(&["--subject", subject, "--profile", "sm90", "--vectors", WITNESSES, "--out", out])
    }

    /// Returns, for each switch, the settings that the results of a subject show.
    fn settle(&self, subject: &str, profile: &str, status: i32) -> Value {
        let settle = ["errata", "settle", "--vectors", WITNESSES];
        self.json(&[&settle[..], &["--subject", subject, "--profile", profile]].concat(), status)
    }
}

#[test]
fn a_trace_settles_what_the_recorded_voice_settles() {
    let place = Place::new();
    for (implementation, status) in [("model", 0), ("mutant:ffma-product-rounded", 1)] {
        place.witnesses(implementation, "a.parquet");
        let live = place.settle(implementation, "sm90", status);
        let recorded = place.settle("trace:a.parquet", "sm90", status);
        assert_eq!(recorded, live, "{implementation}");
        assert!(live.as_array().unwrap().iter().any(|one| one["asked"] != 0));
        std::fs::remove_file(place.path("a.parquet")).unwrap();
    }
}

#[test]
fn a_profile_must_be_shown_by_the_trace_that_it_names() {
    let place = Place::new();
    let [sound, faulty, ours] =
        [(served("model"), "a"), (served("mutant:ffma-product-rounded"), "b"), ("model".into(), "c")].map(
            |(implementation, name)| {
                let captured = place.witnesses(&implementation, &format!("{name}.parquet"));
                captured["hash"].as_str().unwrap().to_owned()
            },
        );
    let yaml = |subject: &str| {
        let settle = ["errata", "settle", "--vectors", WITNESSES, "--profile", "sm90", "--yaml", "--subject"];
        place.assay(&[&settle[..], &[subject]].concat())
    };
    let output = yaml("trace:a.parquet");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let readings = String::from_utf8(output.stdout).unwrap();
    assert!(readings.matches(&format!("serve model\", trace: {sound}}}")).count() > 40, "{readings}");
    let profile = |readings: &str| {
        let text = format!("version: 1\nname: mine\nabout: mine\nextends: sm90\n{readings}");
        std::fs::write(place.path("mine.yaml"), text).unwrap();
    };
    let count = |settled: &Value, key: &str, value: Value| {
        settled.as_array().unwrap().iter().filter(|one| one[key] == value).count()
    };
    profile(&readings);
    let settled = place.settle("trace:a.parquet", "mine.yaml", 0);
    assert_eq!(count(&settled, "claimed", true.into()), readings.lines().count() - 1);
    // The profile marks its settings as measured with another trace. So it claims nothing about
    // this trace, and all its settings count as not claimed.
    let settled = place.settle("trace:b.parquet", "mine.yaml", 1);
    assert_eq!(count(&settled, "claimed", false.into()), readings.lines().count() - 1);
    // The profile now marks its settings as measured with the trace of a faulty subject.
    profile(&readings.replace(&sound, &faulty));
    let settled = place.settle("trace:b.parquet", "mine.yaml", 1);
    assert!(count(&settled, "outcome", "NOT shown as claimed".into()) > 0, "{settled}");
    assert!(count(&settled, "outcome", "as the profile".into()) > 0, "{settled}");
    // A trace of the model does not count as a measurement.
    profile(&readings.replace(&sound, &ours));
    let settled = place.settle("trace:c.parquet", "mine.yaml", 1);
    let claims = readings.lines().count() - 1;
    assert_eq!(count(&settled, "outcome", "NOT shown as claimed".into()), claims);
    for (subject, hint) in [("trace:c.parquet", "no device"), ("model", "trace capture --vectors")] {
        let output = yaml(subject);
        assert_eq!(output.status.code(), Some(2), "{subject}");
        assert!(stderr(&output).contains(hint), "{}", stderr(&output));
    }
}

/// Writes the model's effects on the cases of a suite whose names begin with `name`, as the trace
/// of a GPU.
fn as_of_a_gpu(path: &Path, suite: &str, name: &str) {
    let numbers = assay_isa::EncodingTable::provisional();
    let profile = assay_vectors::Profile::load("sm90").unwrap();
    let mut model = assay_model::model(numbers.clone(), profile.readings);
    let (capability, driver) = (Some("9.0".to_owned()), Some("12.8".to_owned()));
    let header =
        Header { device: "a GPU".into(), compute_capability: capability, driver, ..Header::default() };
    let mut writer = TraceWriter::create(path, header).unwrap();
    let suite = assay_vectors::read_suite(Path::new(suite)).unwrap();
    for case in suite.cases.iter().filter(|case| case.name.starts_with(name)) {
        let (instruction, batch) = case.batch(numbers).unwrap();
        let mut effects = Effects::default();
        model.execute(&batch, &mut effects).unwrap();
        writer.record(&instruction, None, &batch, &effects).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn a_part_of_the_witnesses_measures_nothing() {
    let place = Place::new();
    let suite = format!("{WITNESSES}/xu-falu.yaml");
    let readings = |name: &str| {
        as_of_a_gpu(&place.path("a.parquet"), &suite, name);
        let settle = ["errata", "settle", "E042", "--vectors", &suite, "--profile", "sm90"];
        let settle = [&settle[..], &["--subject", "trace:a.parquet"]].concat();
        let missing = place.json(&settle, 0)[0]["missing"].as_u64().unwrap();
        let output = place.assay(&[&settle[..], &["--yaml"]].concat());
        (missing, String::from_utf8(output.stdout).unwrap().lines().count() - 1)
    };
    assert_eq!(readings("E042"), (0, 1));
    let (missing, measured) = readings("E042-2-");
    assert!(missing > 0 && measured == 0, "{missing} {measured}");
}

#[test]
fn a_trace_answers_for_its_cases_alone() {
    let place = Place::new();
    place.capture(&[
        "--subject",
        "model",
        "--vectors",
        &format!("{WITNESSES}/../fadd.yaml"),
        "--out",
        "a.parquet",
    ]);
    let suite = |name: &str| format!("{WITNESSES}/../{name}.yaml");
    let check = |name: &str| place.assay(&["vectors", "check", &suite(name), "--subject", "trace:a.parquet"]);
    let known = check("fadd");
    assert_eq!(known.status.code(), Some(0), "{}", stderr(&known));
    assert!(String::from_utf8_lossy(&known.stdout).contains(" 0 unsupported"));
    let unknown = check("fmul");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no case was judged"), "{}", stderr(&unknown));
    let both = ["vectors", "check", &suite("fadd"), &suite("fmul"), "--subject", "trace:a.parquet"];
    let some = place.json(&both, 0);
    let number = |name: &str| some[name].as_u64().unwrap();
    let names = |name: &str| some[name].as_array().unwrap().clone();
    assert!(number("missing") > 0 && number("unsupported") == 0, "a trace declines nothing: {some:#}");
    assert_eq!(number("held") + number("missing") + number("without_expectation"), number("cases"));
    assert_eq!(names("not_recorded").len() as u64, number("missing"));
    assert!(names("not_recorded").iter().all(|case| case.as_str().unwrap().contains("fmul.yaml ")));
    assert!(names("passed").iter().all(|case| case.as_str().unwrap().contains("fadd.yaml ")));
    let page = String::from_utf8_lossy(&unknown.stdout).into_owned();
    assert!(page.contains("fmul.yaml ") && page.contains(" missing in the trace, 0 skipped"), "{page}");
    for command in [
        &["fuzz", "--subject", "trace:a.parquet"][..],
        &["fuzz", "--against", "trace:a.parquet"],
        &["sweep", "mufu.rcp.f32", "--subject", "trace:a.parquet"],
        &["trace", "capture", "--out", "b.parquet", "--subject", "trace:a.parquet"],
    ] {
        let output = place.assay(command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(stderr(&output).contains("assay trace check a.parquet"), "{}", stderr(&output));
    }
}

#[test]
fn a_trace_that_contradicts_itself_answers_nothing() {
    let place = Place::new();
    let numbers = assay_isa::EncodingTable::provisional();
    let mut writer = TraceWriter::create(&place.path("a.parquet"), Header::default()).unwrap();
    let instruction = assay_isa::asm::parse("POPC R0, R1").unwrap();
    let word = assay_isa::codec::encode(&instruction, numbers);
    let batch = assay_isa::Batch::new(word, &instruction.reads(), 1);
    for value in [0, 1] {
        let mut effects = Effects::default();
        effects.reset(1);
        effects.write(assay_isa::Location::R(0), assay_isa::effect::Lanes::All)[0] = value;
        writer.record(&instruction, None, &batch, &effects).unwrap();
    }
    writer.finish().unwrap();
    let output = place.assay(&["eval", "POPC R0, R1", "R1=0", "--subject", "trace:a.parquet"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("POPC R0, R1") && stderr(&output).contains("R1=0x00000000"));
}

#[test]
fn vectors_of_a_trace_hold_for_the_device_and_for_the_model() {
    let place = Place::new();
    let [mufu, hard] = ["rcp", "hard"].map(|name| format!("{WITNESSES}/../mufu-{name}.yaml"));
    // The device has correctly rounded functions. So its results are within the bounds and differ
    // from those of the model.
    let right = served("core-math");
    let capture = ["--subject", &right, "--profile", "sm90", "--out", "a.parquet", "--vectors", &mufu, &hard];
    let hash = place.capture(&capture)["hash"].as_str().unwrap().to_owned();
    let made = place.json(&["trace", "vectors", "a.parquet", "--out", "v", "--limit", "20"], 0);
    assert!(made["written"].as_u64() > Some(40) && made["beyond_limit"].as_u64() > Some(0), "{made}");
    let text = std::fs::read_to_string(place.path("v/mufu.yaml")).unwrap();
    assert!(text.contains("source: hardware") && text.contains(&format!("ref: trace {hash}")));
    assert!(text.contains("detail: the device wrote 0x"), "they never differ");
    for implementation in ["core-math", "model", "trace:a.parquet"] {
        let output = place.assay(&["vectors", "check", "v", "--subject", implementation]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{implementation}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    let again = place.assay(&["trace", "vectors", "a.parquet", "--out", "v"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("mufu.yaml is there already"), "{}", stderr(&again));
    // Under a tight bound, the model's results are refused, but those of the device are still
    // accepted.
    let tight = "version: 1\nname: tight\nabout: tight\nextends: sm90\n\
                 contracts:\n- {instruction: MUFU.RCP.F32, metric: ulp, bound: \"1/2\", evidence: design}\n";
    std::fs::write(place.path("tight.yaml"), tight).unwrap();
    let tight = ["trace", "vectors", "a.parquet", "--out", "t", "--profile", "tight.yaml"];
    let made = place.json(&tight, 1);
    assert_eq!(made["refused"].as_array().unwrap().len(), 0, "{made}");
    let model = made["model"].as_array().unwrap();
    assert!(!model.is_empty() && made["written"].as_u64() > Some(40), "{made}");
}

#[test]
fn only_what_the_oracle_accepts_becomes_a_vector() {
    let place = Place::new();
    let faulty = served("mutant:ffma-product-rounded");
    let capture = ["--subject", &faulty, "--only", "FFMA", "--cases", "4096", "--out", "b.parquet"];
    place.capture(&capture);
    let vectors = |limit: &str, out: &str| {
        let vectors = ["trace", "vectors", "b.parquet", "--profile", "intended"];
        place.json(&[&vectors[..], &["--limit", limit, "--out", out]].concat(), 1)
    };
    let all = vectors("1000000", "x");
    let refused = all["refused"].as_array().unwrap();
    assert!(!refused.is_empty() && refused[0].as_str().unwrap().contains("FFMA"), "{all}");
    let number = |key: &str| all[key].as_u64().unwrap();
    assert_eq!(number("written") + refused.len() as u64 + number("undefined"), 4096);
    assert_eq!(vectors("1", "y")["refused"], all["refused"], "a limit hides nothing");
    // A folder with suites of another trace is refused, and so is a pattern that selects nothing.
    let capture = ["--subject", &served("model"), "--only", "POPC", "--cases", "9", "--out", "c.parquet"];
    place.capture(&capture);
    for (arguments, hint) in [
        (&["c.parquet", "--out", "x", "--overwrite"][..], "not of this trace"),
        (&["b.parquet", "--out", "z", "--only", "IADD9"], "selects nothing"),
    ] {
        let output = place.assay(&[&["trace", "vectors"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(hint), "{}", stderr(&output));
    }
    let none = place.json(&["trace", "vectors", "b.parquet", "--out", "z", "--only", "POPC"], 1);
    assert_eq!(none["written"], 0);
    place.capture(&["--subject", "model", "--only", "POPC", "--cases", "9", "--out", "d.parquet"]);
    let ours = place.assay(&["trace", "vectors", "d.parquet", "--out", "z"]);
    assert_eq!(ours.status.code(), Some(2));
    assert!(stderr(&ours).contains("no device"), "{}", stderr(&ours));
}

#[test]
fn what_nobody_judged_becomes_no_vector() {
    let place = Place::new();
    // No bound applies to a sine so far from zero.
    std::fs::write(
        place.path("far.yaml"),
        "version: 1\nsuite: far\nabout: far\ncases:\n- {name: far, asm: 'MUFU.SIN.F32 R0, R1', \
         inputs: {R1: '0x44000000'}, provenance: {source: hand}}\n",
    )
    .unwrap();
    place.capture(&["--subject", &served("model"), "--vectors", "far.yaml", "--out", "a.parquet"]);
    let made = place.json(&["trace", "vectors", "a.parquet", "--out", "v", "--profile", "intended"], 1);
    assert_eq!((&made["unjudged"], &made["written"]), (&Value::from(1), &Value::from(0)), "{made}");
    // A trace that lacks the case of a finding must not count as evidence that the finding is
    // fixed.
    let replay =
        place.assay(&["replay", &format!("{WITNESSES}/../popc.yaml"), "--subject", "trace:a.parquet"]);
    assert_eq!(replay.status.code(), Some(2));
    assert!(stderr(&replay).contains("is not in a.parquet"), "{}", stderr(&replay));
}

/// Cases that a device declined have no row, but they are counted.
#[test]
fn cases_that_the_device_declined_count_as_not_judged() {
    if !has("python3") {
        return assay_testing::skip("python", "a trace of a device that declines cases: there is no python3");
    }
    let place = Place::new();
    std::fs::write(place.path("proxy.py"), PROXY).unwrap();
    let device = r#"{"subject": "model", "optypes": ["BREV", "POPC"], "declined": ["@"]}"#;
    std::fs::write(place.path("device.json"), device).unwrap();
    let subject = format!("exec:python3 proxy.py {} device.json", word(ASSAY));
    let captured = place.capture(&["--subject", &subject, "--cases", "20000", "--out", "t.parquet"]);
    let declined = captured["unsupported"].as_u64().unwrap();
    assert!(declined > 1000, "{captured}");
    let header = &place.json(&["trace", "info", "t.parquet"], 0)["traces"][0]["header"];
    assert_eq!(header["cases"].as_u64(), Some(20000 - declined), "{header}");
    let by_form = header["declined"].as_object().unwrap();
    assert_eq!(by_form.values().filter_map(Value::as_u64).sum::<u64>(), declined, "{header}");
    assert!(by_form.contains_key("POPC_R") && by_form.contains_key("BREV_R"), "{header}");
    let check = ["trace", "check", "t.parquet", "--profile", "intended", "--out", "run", "--overwrite"];
    let checked = place.json(&check, 1);
    assert_eq!((&checked["cases"], &checked["divergences"]), (&20000.into(), &0.into()));
    assert_eq!(checked["verdicts"]["undeclared"].as_u64(), Some(declined));
    assert!(!checked["judged"]["problems"].as_array().unwrap().is_empty(), "{checked:#}");
    let allowed = [&check[..], &["--allow-undeclared", "*", "--allow-unjudged", "*"]].concat();
    assert_eq!(place.json(&allowed, 0)["agreement"]["declined"].as_u64(), Some(declined));
    let page = place.assay(&["report", "run"]);
    assert!(
        String::from_utf8_lossy(&page.stdout).contains("unsupported by the recorded device"),
        "{}",
        stderr(&page)
    );
}
