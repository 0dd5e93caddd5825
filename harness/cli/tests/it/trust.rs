//! Tests files from other people. The names in such a file start no program, reach no other folder,
//! and forge no output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assay_testing::skip;
use tempfile::TempDir;

use crate::support::{assay_in, status};

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

/// A folder with files that name a command and a library. Both create the file `MARK` if they run.
struct Hostile {
    folder: TempDir,
}

impl Hostile {
    fn new() -> Hostile {
        let hostile = Hostile { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir_all(hostile.path("dut/nights")).expect("a folder");
        fs::create_dir_all(hostile.path("dut/findings")).expect("a folder");
        hostile
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("a file");
        self.path(name).display().to_string()
    }

    /// Returns a command that creates the mark.
    fn command(&self) -> String {
        format!("exec:touch {}", self.path("MARK").display())
    }

    /// Returns a library that creates the mark when it is loaded. `None` without a compiler.
    fn library(&self) -> Option<String> {
        let (code, library) = (self.path("evil.c"), self.path("evil.so"));
        let mark = self.path("MARK");
        let text = format!(
            "#include <stdio.h>\n__attribute__((constructor)) static void go(void) {{ fopen({:?}, \"w\"); }}\n",
            mark.display().to_string()
        );
        fs::write(&code, text).expect("a file");
        let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&code).status();
        match built {
            Ok(status) if status.success() => Some(format!("lib:{}", library.display())),
            _ => {
                skip("c-compiler", "the part of 1 test that loads a library: there is no cc");
                None
            }
        }
    }

    fn is_marked(&self) -> bool {
        self.path("MARK").exists()
    }
}

/// Returns a finding that passes on the model.
fn finding(subject: &str, oracle: &str) -> String {
    format!(
        "version: 1\nsuite: sent\nabout: x\nprofile: intended\ncases:\n- name: sent\n  asm: FADD R0, R1, R2\n  \
         inputs: {{R1: '0x3f800000', R2: '0x3f800000'}}\n  expect: {{R0: '0x40000000'}}\n  provenance: {{source: finding}}\n  \
         finding: {{subject: {subject:?}, oracle: {oracle:?}, profile: intended, signature: s, verdict: v}}\n"
    )
}

/// Every subcommand, and the arguments with which it reads the hostile files. The arguments are
/// empty if the subcommand reads no case, finding, result or known-issues list. `CASE` is a
/// finding, `RESULT` a result, `DUT` a campaign's folder and `STREAM` a file for `ver`.
const COMMANDS: &[(&str, &[&str])] = &[
    ("fuzz", &["fuzz", "--only", "FADD", "--cases", "1024", "--out", "RUN", "--resume"]),
    ("sweep", &["sweep", "bmsk", "--out", "RUN", "--resume"]),
    ("report", &["report", "RESULT"]),
    ("merge", &["merge", "RESULT", "--out", "merged.json"]),
    ("eval", &["eval", "--stdin"]),
    ("gen", &[]),
    ("ver", &["ver", "--as", "yaml", "CASE"]),
    ("replay", &["replay", "CASE"]),
    ("vectors check", &["vectors", "check", "CASE"]),
    ("vectors generate", &["vectors", "generate", "FADD", "--known", "CASES", "--out", "generated"]),
    ("vectors promote", &["vectors", "promote", "CASE", "--into", "into.yaml"]),
    ("vectors schema", &[]),
    ("trace capture", &["trace", "capture", "--subject", "model", "--vectors", "CASE", "--out", "t.parquet"]),
    ("trace check", &["trace", "check", "CASE"]),
    ("trace info", &["trace", "info", "CASE"]),
    ("trace code", &[]),
    ("trace vectors", &["trace", "vectors", "CASE", "--out", "v"]),
    ("dut check", &[]),
    ("dut serve", &[]),
    ("dut schema", &[]),
    ("isa", &[]),
    ("coverage show", &["coverage", "show", "RESULT"]),
    ("coverage missed", &["coverage", "missed", "RESULT"]),
    ("coverage why", &[]),
    ("errata", &["errata", "show", "E169", "--vectors", "CASE"]),
    ("nightly", &["nightly", "--config", "PLAN", "--out", "DUT"]),
    ("status", &["status", "DUT"]),
    ("known-issues show", &["known-issues", "show", "DUT"]),
    ("known-issues forget", &["known-issues", "forget", "s", "--in", "DUT"]),
    ("known-issues set", &["known-issues", "set", "s", "--is", "known", "--because", "x", "--in", "DUT"]),
    ("schema", &[]),
    ("completions", &[]),
];

/// Returns the names of the subcommands that a help page lists.
fn subcommands(folder: &Path, words: &[&str]) -> Vec<String> {
    let page = assay_in(folder, &[words, &["--help"]].concat());
    let page = String::from_utf8_lossy(&page.stdout).into_owned();
    let list =
        page.split_once("Commands:").map_or("", |(_, list)| list.split("\n\n").next().unwrap_or_default());
    // The continuation line of a description is indented further.
    let named = list.lines().filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = named.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_command_is_in_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = subcommands(folder.path(), &[]);
    assert!(all.len() > 15, "{all:?}");
    for name in &all {
        if COMMANDS.iter().any(|(words, _)| words == name) {
            continue;
        }
        for inner in subcommands(folder.path(), &[name]) {
            let words = format!("{name} {inner}");
            assert!(
                COMMANDS.iter().any(|(listed, _)| *listed == words),
                "`{words}`: which files does it read?"
            );
        }
    }
}

#[test]
fn no_command_runs_what_a_file_names() {
    let hostile = Hostile::new();
    let command = hostile.command();
    let mut named = vec![command.clone()];
    named.extend(hostile.library());
    let result = {
        let run = hostile.path("good").display().to_string();
        assert_eq!(
            status(&assay_in(
                hostile.folder.path(),
                &["fuzz", "--only", "FADD", "--cases", "1024", "--out", &run]
            )),
            0
        );
        fs::read_to_string(hostile.path("good/result.json")).expect("a result")
    };
    for (number, name) in named.iter().enumerate() {
        fs::create_dir_all(hostile.path("run")).expect("a folder");
        fs::create_dir_all(hostile.path("cases")).expect("a folder");
        let case = hostile.write("case.yaml", &finding(name, name));
        hostile.write("cases/case.yaml", &finding(name, name));
        hostile.write("dut/findings/case.yaml", &finding(name, name));
        let spoilt = result.replacen("\"model\"", &format!("{name:?}"), 1).replacen(
            "\"mpfr\"",
            &format!("{name:?}"),
            1,
        );
        assert_ne!(spoilt, result, "the result names its subject");
        let result = hostile.write("result.json", &spoilt);
        hostile.write("run/checkpoint.json", &spoilt);
        hostile.write(
            "dut/known-issues.yaml",
            "{version: 1, entries: [{signature: s, is: known, because: x, first: 1, last: 1, scope: {subject: '*', profile: '*'}, \
             case: findings/case.yaml}]}\n",
        );
        let plan = hostile.write(
            "plan.yaml",
            "{version: 1, name: n, subject: model, jobs: 1, stages: [{name: a, run: isa list, time: 1m}]}\n",
        );
        let words = [
            ("CASE", case.clone()),
            ("CASES", hostile.path("cases").display().to_string()),
            ("RESULT", result),
            ("RUN", hostile.path("run").display().to_string()),
            ("DUT", hostile.path("dut").display().to_string()),
            ("PLAN", plan),
        ];
        for (_, arguments) in COMMANDS.iter().filter(|(_, arguments)| !arguments.is_empty()) {
            let place = |word: &&str| {
                words.iter().find(|(key, _)| key == word).map_or((*word).to_owned(), |(_, path)| path.clone())
            };
            let arguments: Vec<String> = arguments.iter().map(place).collect();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let output = assay_in(hostile.folder.path(), &arguments);
            assert!(!hostile.is_marked(), "{arguments:?} ran {name}");
            assert!(output.status.code().is_some(), "{arguments:?}: {}", said(&output));
            let usage = said(&output);
            assert!(!usage.contains("Usage:"), "{arguments:?} reads nothing: {usage}");
        }
        // The output reports the named subject, with the option that would run it. The other
        // implementations are judged.
        for (extra, option) in [(&[][..], "--subject"), (&["--subject", "model"], "--against")] {
            let output = assay_in(hostile.folder.path(), &[&["replay", &case][..], extra].concat());
            let page = said(&output);
            assert_eq!(status(&output), 2, "what did not run is no pass: {page}");
            assert!(page.contains("a file cannot start") && page.contains("verdict: exact"), "{page}");
            assert!(page.contains(&format!("{option} ")) && page.contains(name), "{page}");
        }
        let json = assay_in(hostile.folder.path(), &["replay", &case, "--format", "json"]);
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
        assert_eq!(json["cases"][0]["not_run"][0]["name"], name.as_str());
        let promoted = assay_in(hostile.folder.path(), &["vectors", "promote", &case, "--into", "into.yaml"]);
        assert_eq!(status(&promoted), 2);
        assert!(said(&promoted).contains("--faulty") && !hostile.path("into.yaml").exists());
        assert!(!hostile.is_marked());
        // Proves that the mark is a valid test: if the command line names the subject, the subject
        // runs.
        let _ =
            assay_in(hostile.folder.path(), &["replay", &case, "--subject", name, "--device-deadline", "1"]);
        assert!(hostile.is_marked(), "{number}: {name} would leave a mark");
        fs::remove_file(hostile.path("MARK")).expect("the mark");
    }
}

#[test]
fn a_gpu_and_a_trace_that_a_file_names_are_left_alone_too() {
    let hostile = Hostile::new();
    let gpu = hostile.write("gpu.yaml", &finding("cuda:0 (a GPU)", "mpfr"));
    let output = assay_in(hostile.folder.path(), &["replay", &gpu]);
    assert_eq!(status(&output), 2, "{}", said(&output));
    assert!(said(&output).contains("--subject 'cuda:0 (a GPU)'"), "{}", said(&output));
    let trace = hostile.write("trace.yaml", &finding("model", "trace:/dev/zero"));
    let output = assay_in(hostile.folder.path(), &["replay", &trace]);
    assert_eq!(status(&output), 2, "{}", said(&output));
    assert!(said(&output).contains("--against trace:/dev/zero"), "{}", said(&output));
}

/// The known-issues list of a campaign can name only cases of that campaign.
#[test]
fn a_known_issue_reaches_no_case_outside_its_campaign() {
    let hostile = Hostile::new();
    let case = hostile.write("outside.yaml", &finding(&hostile.command(), "mpfr"));
    std::os::unix::fs::symlink(&case, hostile.path("dut/findings/link.yaml")).expect("a link");
    let plan = hostile.write(
        "plan.yaml",
        "{version: 1, name: n, subject: model, jobs: 1, stages: [{name: a, run: isa list, time: 1m}]}\n",
    );
    for (path, code, words) in [
        (case.as_str(), 2, "lies outside the campaign's folder"),
        ("findings/../../outside.yaml", 2, "lies outside the campaign's folder"),
        ("findings/link.yaml", 1, "leads out of"),
    ] {
        let list = format!(
            "{{version: 1, entries: [{{signature: s, is: new, first: 1, last: 1, scope: {{subject: '*', profile: '*'}}, \
             case: {path:?}}}]}}\n"
        );
        hostile.write("dut/known-issues.yaml", &list);
        let out = hostile.path("dut").display().to_string();
        let output = assay_in(hostile.folder.path(), &["nightly", "--config", &plan, "--out", &out]);
        assert_eq!(status(&output), code, "{path}: {}", said(&output));
        let text = said(&output).replace(['\n', '│'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "{path}: {text}");
        assert!(!hostile.is_marked());
    }
}

#[test]
fn a_profile_that_a_suite_names_stays_in_its_folder_and_is_not_printed() {
    let hostile = Hostile::new();
    let secret: String = (0..200).map(|line| format!("user{line}:x:{line}:secret\n")).collect();
    hostile.write("secret", &secret);
    fs::create_dir_all(hostile.path("tree/inner")).expect("a folder");
    std::os::unix::fs::symlink("../secret", hostile.path("tree/link")).expect("a link");
    hostile.write("tree/inner/secret", &secret);
    let outside = hostile.path("secret").display().to_string();
    for (profile, words) in [
        (outside.as_str(), "leads out of"),
        ("../secret", "leads out of"),
        ("link", "leads out of"),
        ("inner/secret", "expected struct"),
    ] {
        let text = finding("model", "mpfr")
            .replace("profile: intended\ncases", &format!("profile: {profile}\ncases"));
        let case = hostile.write("tree/case.yaml", &text);
        for arguments in [
            &["replay", &case][..],
            &["vectors", "check", &case],
            &["vectors", "check", "tree"],
            &["errata", "show", "E169", "--vectors", &case],
            &["vectors", "promote", &case, "--into", "into.yaml"],
        ] {
            let output = assay_in(hostile.folder.path(), arguments);
            let page = said(&output);
            assert_eq!(status(&output), 2, "{profile} {arguments:?}: {page}");
            let flat: String =
                page.replace(['\n', '│'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(words), "{profile} {arguments:?}: {page}");
            assert!(page.len() < 600 && !page.contains("user9:"), "{profile} {arguments:?}: {page}");
        }
    }
    // A profile in the folder of the suite is found, whatever the current folder is.
    hostile.write(
        "tree/mine.yaml",
        "{version: 1, name: mine, about: x, extends: intended, readings: {E173: 2}}\n",
    );
    let text = finding("model", "mpfr").replace("profile: intended\ncases", "profile: mine.yaml\ncases");
    let case = hostile.write("tree/case.yaml", &text);
    let output = assay_in(Path::new("/"), &["replay", &case]);
    assert!(status(&output) == 0 && said(&output).contains("under profile mine"), "{}", said(&output));
    // A profile that the command line names cannot extend a profile in another folder either.
    hostile.write("tree/mine.yaml", "{version: 1, name: mine, about: x, extends: ../secret}\n");
    let output = assay_in(hostile.folder.path(), &["eval", "NOP", "--profile", "tree/mine.yaml"]);
    assert!(status(&output) == 2 && said(&output).contains("leads out of"), "{}", said(&output));
}
