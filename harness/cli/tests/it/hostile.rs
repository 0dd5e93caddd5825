//! Tests that text from a device or a file cannot forge output, wherever this text is shown.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assay_records::RunResult;
use tempfile::TempDir;

use crate::support::assay_in;

/// A text with characters that move the cursor, end the line and reverse the writing direction. It
/// also contains a forged line `ok`.
const HOSTILE: &str = "x\u{1b}[2K\u{1b}[1A\r\nok       forged\n| forged |\u{202e}\u{9b}1A\u{7f}<b>`";

struct Place {
    folder: TempDir,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn assay(&self, arguments: &[&str]) -> Output {
        assay_in(self.folder.path(), arguments)
    }
}

/// Checks that a page has no control character for a terminal or a browser, and no line that the
/// hostile text forged.
fn assert_plain(page: &str, what: &str) {
    let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t' || ('\u{202a}'..='\u{202e}').contains(&c);
    if let Some(c) = page.chars().find(|c| obeyed(*c)) {
        panic!("{what} shows {c:?}:\n{}", page.escape_debug());
    }
    // HTML and XML treat the end of a line as a blank.
    if page.starts_with("<!DOCTYPE") || page.starts_with("<?xml") {
        return;
    }
    let forged =
        page.lines().find(|line| line.starts_with("ok       forged") || line.starts_with("| forged |"));
    assert_eq!(forged, None, "{what}:\n{page}");
}

/// Quotes a text as a value of YAML and of JSON.
fn quoted(text: &str) -> String {
    // YAML allows no unescaped control character, and serde does not escape control characters
    // above ASCII.
    assay_isa::shown::json(&serde_json::to_string(text).expect("a text")).into_owned()
}

#[test]
fn what_a_file_or_a_device_says_is_escaped_in_every_output() {
    let place = Place { folder: tempfile::tempdir().expect("a folder") };
    let name = quoted(HOSTILE);
    let finding = format!(
        "version: 1\nsuite: sent\nabout: {name}\nprofile: intended\ncases:\n- name: sent\n  asm: FADD R0, R1, R2\n  \
         inputs: {{R1: '0x3f800000', R2: '0x3f800000'}}\n  expect: {{R0: '0x40000000'}}\n  provenance: {{source: finding}}\n  \
         finding: {{subject: SUBJECT, oracle: mpfr, profile: {name}, signature: {name}, verdict: {name}}}\n"
    );
    for (file, subject) in [("recorded", "trace:"), ("exec", "exec:"), ("unknown", "")] {
        let subject = quoted(&format!("{subject}{HOSTILE}"));
        place.write(&format!("{file}.yaml"), &finding.replace("SUBJECT", &subject));
    }
    let skipped =
        finding.split("  finding:").next().expect("a case").to_owned() + &format!("  skip: {name}\n");
    place.write("skipped.yaml", &skipped);
    place.write("profile.yaml", &skipped.replace("profile: intended", &format!("profile: {name}")));
    assert_eq!(
        place.assay(&["fuzz", "--only", "FADD", "--cases", "4096", "--out", "run"]).status.code(),
        Some(0)
    );
    let mut result = RunResult::read(&place.path("run/result.json")).expect("a result");
    let plan = serde_json::to_string(&result.plan).expect("JSON");
    let names = ["\"model\"", "\"mpfr\"", "\"intended\""];
    let plan = names.iter().fold(plan, |plan, old| plan.replacen(old, &name, 1));
    result.plan = serde_json::from_str(&plan).expect("a plan");
    // The result has a matching digest. Otherwise it would be refused, and none of its text would
    // be shown.
    let result = String::from_utf8(result.to_bytes().expect("JSON")).expect("UTF-8");
    place.write("result.json", &result);
    place.write("coverage.json", &format!("{{\"missed\": [{name}]}}"));
    place.write("other/result.json", &result);
    place.write(
        "plan.yaml",
        "{version: 1, name: n, subject: model, jobs: 1, stages: [{name: a, run: isa list, time: 1m}], policy: {known: true}}\n",
    );
    place.write(
        "dut/known-issues.yaml",
        &format!(
            "{{version: 1, rules: [{{signatures: '*forged*', is: known, because: {name}, scope: {{subject: '*', profile: '*'}}}}], \
             entries: [{{signature: {name}, is: known, because: {name}, first: 1, last: 1, \
             scope: {{subject: '*', profile: '*'}}, case: {}}}]}}\n",
            quoted("findings/case\u{1b}[2K.yaml")
        ),
    );
    place.write("dut/findings/case\u{1b}[2K.yaml", &finding.replace("SUBJECT", "mutant:fadd-tie-to-odd"));
    let night = place.assay(&["nightly", "--config", "plan.yaml", "--out", "dut"]);
    assert!(night.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&night.stderr));
    let state = fs::read_to_string(place.path("dut/nights/0001/state.json")).expect("a state");
    let mut state: serde_json::Value = serde_json::from_str(&state).expect("JSON");
    state["stages"][0]["last"] = HOSTILE.into();
    place.write("dut/nights/0001/state.json", &state.to_string());
    // This device reports its name, and then sends unreadable bytes.
    let reply = format!(
        "{{\"protocol\": 1, \"name\": {name}, \"version\": {name}, \"optypes\": [\"FADD\"], \"framing\": \"json\"}}"
    );
    place.write("welcome", &reply);
    place.write("device.sh", "read -r hello; cat welcome; echo; printf 'x\\033[2K\\nok       forged\\n' >&2; read -r next; cat welcome\n");
    let device = "exec:sh device.sh";
    let commands: &[&[&str]] = &[
        &["replay", "recorded.yaml"],
        &["replay", "exec.yaml"],
        &["replay", "unknown.yaml"],
        &["vectors", "check", "skipped.yaml"],
        &["vectors", "check", "profile.yaml"],
        &["vectors", "promote", "exec.yaml", "--into", "into.yaml"],
        &["vectors", "promote", "unknown.yaml", "--into", "into.yaml"],
        &["report", "result.json"],
        &["report", "result.json", "other"],
        &["report", "result.json", "--out", "pages"],
        &["report", "result.json", "other", "--out", "two"],
        &["merge", "result.json", "run", "--out", "merged.json"],
        &["coverage", "show", "result.json"],
        &["coverage", "missed", "result.json"],
        &["known-issues", "show", "dut"],
        &["known-issues", "set", "forged", "--is", "known", "--because", HOSTILE, "--in", "dut"],
        &["status", "dut"],
        &["nightly", "--config", "plan.yaml", "--out", "dut"],
        &["dut", "check", device, "--device-deadline", "2"],
        &[
            "fuzz",
            "--subject",
            device,
            "--only",
            "FADD",
            "--cases",
            "1024",
            "--device-failures",
            "2",
            "--out",
            "dead",
        ],
        &["eval", "FADD R0, R1, R2", "R1=0x0", "R2=0x0", "--profile", HOSTILE],
    ];
    for arguments in commands {
        for format in ["text", "json"] {
            let output = place.assay(&[arguments, &["--format", format][..]].concat());
            let what = format!("{arguments:?} --format {format}");
            assert!(output.status.code().is_some(), "{what}");
            for text in [&output.stdout, &output.stderr] {
                assert_plain(&String::from_utf8_lossy(text), &what);
            }
            assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{what} shows nothing");
            let refused = String::from_utf8_lossy(&output.stderr).contains("Usage:");
            assert!(!refused, "{what}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    // The JSON output has the text with escapes.
    let list = place.assay(&["known-issues", "show", "dut", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).expect("JSON");
    assert_eq!(list["entries"][0]["signature"], HOSTILE);
    let mut pages = 0;
    for folder in ["pages", "two", "dut/nights/0001/report", "dut/nights/0002/report"] {
        for entry in fs::read_dir(place.path(folder)).expect("a folder of pages").flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|kind| kind != "json") {
                assert_plain(&fs::read_to_string(&path).expect("a page"), &path.display().to_string());
                pages += 1;
            }
        }
    }
    assert!(pages >= 9, "{pages} pages");
}

/// Proves that `assert_plain` can fail.
#[test]
fn the_check_notices_what_it_looks_for() {
    for page in ["a\x1bb", "a\rb", "a\nok       forged\n", "a\u{202e}", "| forged | x"] {
        assert!(std::panic::catch_unwind(|| assert_plain(page, "a page")).is_err(), "{page:?}");
    }
    assert_plain("plain\ttext\n", "a page");
    assert!(!Path::new("into.yaml").exists());
}
