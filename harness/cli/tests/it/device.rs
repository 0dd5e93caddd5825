//! Tests devices under test on the command line. The example devices pass, planted bugs are found,
//! and crashes and hangs of a device are findings.

use std::path::Path;
use std::process::{Command, Output};

use assay_testing::skip;
use rayon::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{ASSAY, assay, compile as compile_in_c, has, root, served, stderr, word};

/// Runs a command that writes its results to `out`, and returns its JSON output.
fn run(status: i32, arguments: &[&str], out: &Path) -> Value {
    let out = out.display().to_string();
    let output = assay(&[arguments, &["--format", "json", "--out", &out, "--overwrite"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{said}");
    serde_json::from_slice(&output.stdout).expect("a JSON result")
}

/// Returns the subject that starts the example device in Python, if Python is installed.
fn python(bug: &str) -> Option<String> {
    if !has("python3") {
        skip("python", "1 test of the example in Python: there is no python3");
        return None;
    }
    Some(format!("exec:python3 examples/devices/python/device.py{bug}"))
}

/// Compiles the example in C. Returns a library and a program.
fn in_c(folder: &TempDir) -> Option<(String, String)> {
    if !has("cc") {
        skip("c-compiler", "1 test of the example in C: there is no cc");
        return None;
    }
    let compile = |extra: &[&str], out: &str, files: &[&str]| {
        let out = folder.path().join(out);
        let flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic"];
        let flags = [&flags[..], &["-frounding-math", "-ffp-contract=off"], extra].concat();
        let sources: Vec<_> = files.iter().map(|file| root().join("examples/devices/c").join(file)).collect();
        compile_in_c(&flags, &sources, &out);
        out.display().to_string()
    };
    let library = compile(&["-shared", "-fPIC"], "device.so", &["device.c"]);
    Some((library, compile(&[], "device", &["device.c", "process.c"])))
}

fn holds_the_protocol(device: &str) {
    let output = assay(&["dut", "check", device, "--format", "json"]);
    let said: Value = serde_json::from_slice(&output.stdout).expect("a JSON result");
    assert_eq!(output.status.code(), Some(0), "{said:#}");
    let checks = said["checks"].as_array().expect("a list");
    let ok = checks.iter().filter(|check| check["outcome"] == "ok").count();
    assert!(ok >= 11, "{said:#}");
}

fn is_right(subject: &str, cases: &str) {
    let out = tempfile::tempdir().expect("a folder");
    let result = run(0, &["fuzz", "--subject", subject, "--cases", cases], out.path());
    assert_eq!(result["divergences"], 0);
    assert_eq!(result["device"]["failures"], 0);
    assert!(result["verdicts"]["exact"].as_u64() > Some(1000), "{result:#}");
    assert!(
        result["not_generated"].as_array().is_some_and(|list| list.len() > 10),
        "what it has not is listed"
    );
}

#[test]
fn the_example_in_python_is_a_device_and_right() {
    let Some(device) = python("") else { return };
    holds_the_protocol(&device);
    is_right(&device, "8192");
}

#[test]
fn the_example_in_c_is_a_device_and_right_as_library_and_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((library, program)) = in_c(&folder) else { return };
    for device in [format!("lib:{library}"), format!("exec:{program}"), format!("exec:{program} --json")] {
        holds_the_protocol(&device);
        is_right(&device, "65536");
    }
}

#[test]
fn the_example_in_rust_is_a_device_and_right() {
    // The device exists, because `cargo test --workspace` compiles the examples before it runs the
    // tests.
    let folder = Path::new(ASSAY).parent().expect("a program lies in a folder");
    let device = folder.join("examples/ffma");
    if !device.is_file() {
        skip("rust-example", "1 test of the example in Rust: `cargo build -p assay-device --example ffma`");
        return;
    }
    let device = format!("exec:{}", word(device));
    holds_the_protocol(&device);
    is_right(&device, "65536");
}

#[test]
fn the_model_in_a_process_gives_the_result_of_the_model() {
    let served = served("model");
    holds_the_protocol(&served);
    let tally = |subject: &str| {
        let out = tempfile::tempdir().expect("a folder");
        run(0, &["fuzz", "--subject", subject, "--cases", "200000"], out.path());
        let text = std::fs::read_to_string(out.path().join("result.json")).expect("a result");
        let mut result: Value = serde_json::from_str(&text).expect("JSON");
        result["tally"].take()
    };
    assert_eq!(tally(&served), tally("model"));
    let out = tempfile::tempdir().expect("a folder");
    let drift = run(0, &["fuzz", "--against", &served, "--only", "FFMA", "--cases", "4096"], out.path());
    assert_eq!(drift["divergences"], 0);
}

#[test]
fn planted_bugs_are_found_shrunk_and_replayed() {
    let bugs = [
        ("sticky", "FFMA", "value", "20000"),
        ("ftz-output", "FADD", "flush", "65536"),
        ("negative-zero", "FADD", "sign of zero", "65536"),
        ("crash", "FMUL", "device crashed", "8192"),
        ("hang", "POPC", "device hung", "8192"),
    ];
    // The devices run in parallel, because the search for the lane at which a device hangs waits
    // for ten deadlines.
    bugs.into_par_iter().for_each(|(bug, optype, kind, cases)| {
        let Some(device) = python(&format!(" --bug {bug}")) else { return };
        let out = tempfile::tempdir().expect("a folder");
        // On a busy machine Python starts slowly.
        let deadline = if bug == "hang" { "2" } else { "10" };
        let arguments = [
            "fuzz",
            "--subject",
            &device,
            "--only",
            optype,
            "--cases",
            cases,
            "--device-deadline",
            deadline,
            "--device-failures",
            "2",
        ];
        let result = run(1, &arguments, out.path());
        let findings = result["findings"].as_array().expect("a list");
        let texts: Vec<String> = findings
            .iter()
            .map(|path| std::fs::read_to_string(path.as_str().expect("a path")).expect("a finding"))
            .collect();
        let place = texts
            .iter()
            .position(|text| text.contains(&format!("{kind}\n")) || text.contains(&format!("{kind}'")));
        let place = place.unwrap_or_else(|| panic!("{bug}: no finding says `{kind}`: {texts:#?}"));
        let path = findings[place].as_str().expect("a path");
        let replayed = assay(&["replay", path, "--subject", &device, "--device-deadline", deadline]);
        let page = String::from_utf8_lossy(&replayed.stdout);
        assert_eq!(replayed.status.code(), Some(1), "{bug}: {page}");
        assert!(page.contains(kind), "{bug}: {page}");
        assert_eq!(assay(&["replay", path, "--subject", "model"]).status.code(), Some(0), "{bug}");
    });
}

#[test]
fn a_device_that_fails_too_often_ends_the_run_and_keeps_what_was_checked() {
    let Some(device) = python(" --bug crash") else { return };
    let out = tempfile::tempdir().expect("a folder");
    let arguments =
        ["fuzz", "--subject", &device, "--only", "FMUL", "--cases", "100000", "--device-failures", "1"];
    let result = run(1, &arguments, out.path());
    assert!(
        result["device"]["dead"].as_str().is_some_and(|reason| reason.contains("declared dead")),
        "{result:#}"
    );
    assert!(result["cases"].as_u64().is_some_and(|cases| (1..100_000).contains(&cases)), "{result:#}");
    assert!(result["findings"].as_array().is_some_and(|list| !list.is_empty()), "{result:#}");
    assert!(out.path().join("interrupted.json").exists() && !out.path().join("result.json").exists());
}

#[test]
fn a_device_that_does_not_start_is_one_clear_sentence() {
    let loud = "exec:sh -c 'echo the licence server is down >&2; exit 7'";
    for (subject, status, words) in [
        ("exec:/no/such/device", 3, "cannot be started"),
        (loud, 3, "the licence server is down"),
        (loud, 3, "status 7"),
        ("exec:echo Welcome", 3, "its reply is"),
        ("exec:echo [1]", 3, "expected an object with"),
        (
            "lib:/no/such/library.so",
            3,
            "/no/such/library.so: the device cannot be started: the library cannot be opened: cannot open",
        ),
        ("lib:/no/such/library.so", 3, "No such file or directory; give a shared library"),
        ("lib:README.md", 3, "invalid ELF header"),
        ("exec:", 2, "names nothing to run"),
        ("exec:'open", 2, "cannot be read"),
        ("ftp:device", 2, "exec:COMMAND"),
    ] {
        let out = tempfile::tempdir().expect("a folder");
        let folder = out.path().join("run").display().to_string();
        let output = assay(&["fuzz", "--subject", subject, "--cases", "10", "--out", &folder]);
        let said = stderr(&output).replace('\n', " ");
        assert_eq!(output.status.code(), Some(status), "{subject}: {said}");
        assert!(said.contains(words), "{subject}: {said}");
        assert!(!out.path().join("run").exists(), "{subject} costs no folder");
    }
}

#[test]
fn vectors_are_held_against_a_device() {
    let Some(device) = python("") else { return };
    let output = assay(&[
        "vectors",
        "check",
        "vectors/data/popc.yaml",
        "vectors/data/fadd.yaml",
        "--subject",
        &device,
    ]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn the_schema_is_printed() {
    let output = assay(&["dut", "schema"]);
    let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(
        ["Hello", "HelloReply", "Request", "Answer"].iter().all(|name| schema["$defs"][name].is_object())
    );
}

/// A device in Python that answers `POPC` correctly, and answers `unsupported` to all other
/// instructions. Each test states which modes the device lists.
const POPC: &str = r#"
import json, re, sys
def say(message): print(json.dumps(message), flush=True)
hello = json.loads(sys.stdin.readline())
say({"name": "popc", "version": VERSION, "framing": "json", **STATED})
answered = 0
for line in sys.stdin:
    batch = json.loads(line)
    inputs, lanes = batch["inputs"], batch["lanes"]
    answered += lanes
    popc = re.match(r"(?:@(!?\w+) )?POPC (\w+), (~?)(\w+)", batch["asm"])
    if not popc or DECLINES and answered > 4096:
        say({"id": batch["id"], "unsupported": True})
        continue
    guard, target, invert, source = popc.groups()
    bits = inputs.get(source, [0] * lanes)
    counts = [bin(b ^ 0xffffffff if invert else b).count("1") for b in bits]
    if guard and guard not in ("PT", "!PT"):
        holds = [p != guard.startswith("!") for p in inputs[guard.lstrip("!")]]
    else:
        holds = [guard != "!PT"] * lanes
    column = [count if hold else None for count, hold in zip(counts, holds)]
    say({"id": batch["id"], "writes": {} if target == "RZ" else {target: column}})
"#;

/// Writes the device [`POPC`] to a folder, and returns the subject that starts it.
fn popc(folder: &Path, stated: &str, declines: bool, version: &str) -> String {
    let head = format!(
        "STATED = {stated}\nDECLINES = {}\nVERSION = \"{version}\"\n",
        if declines { "True" } else { "False" }
    );
    let path = folder.join("popc.py");
    std::fs::write(&path, head + POPC).expect("the device is written");
    format!("exec:python3 {}", path.display())
}

const OPTYPES: &str = r#"{"protocol": 1, "optypes": ["POPC"]}"#;
const MODES: &str = r#"{"protocol": 2, "modes": ["POPC_R"]}"#;

#[test]
fn no_device_declines_what_it_declared() {
    if python("").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let fuzz = |status, stated, declines, more: &[&str]| {
        let device = popc(folder.path(), stated, declines, "1");
        let arguments =
            [&["fuzz", "--subject", &device, "--only", "POPC_R", "--cases", "65536", "--jobs", "1"], more]
                .concat();
        run(status, &arguments, &folder.path().join("run"))
    };
    assert_eq!(fuzz(0, MODES, false, &[])["verdicts"]["exact"], 65_536);
    // The device declines all cases after the first 4096. Each declined case is a divergence of the
    // kind `declined`.
    let declined = fuzz(1, MODES, true, &[]);
    assert_eq!(declined["divergences"], 65_536 - 4096);
    let result = std::fs::read_to_string(folder.path().join("run/result.json")).expect("a result");
    let result: Value = serde_json::from_str(&result).expect("JSON");
    let kinds: Vec<&String> = result["tally"]["findings"].as_object().expect("findings").keys().collect();
    assert_eq!(kinds, ["POPC declined"]);
    let device = &result["plan"]["devices"][0];
    assert_eq!(
        (&device["name"], &device["protocol"], &device["modes"][0]),
        (&"popc".into(), &2.into(), &"POPC_R".into())
    );
    assert!(declined["findings"].as_array().is_some_and(|list| !list.is_empty()));
    // A device of protocol version 1 declares no modes. Declined cases fail the run, unless an
    // option allows them by name.
    for (status, more) in [
        (1, &[][..]),
        (1, &["--allow-undeclared", "FADD"]),
        (1, &["--allow-undeclared", "POPC"]),
        (0, &["--allow-undeclared", "POPC", "--allow-unjudged", "POPC_R"]),
    ] {
        let undeclared = fuzz(status, OPTYPES, true, more);
        assert_eq!(undeclared["verdicts"]["undeclared"], 65_536 - 4096, "{more:?}");
        assert_eq!(undeclared["divergences"], 0);
    }
    assert_eq!(fuzz(0, OPTYPES, false, &[])["verdicts"]["exact"], 65_536);
}

#[test]
fn a_vector_of_a_listed_optype_is_answered_or_the_optype_is_allowed_by_name() {
    if python("").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let suite = folder.path().join("suite.yaml");
    std::fs::write(&suite, SUITE).expect("a suite");
    let suite = suite.display().to_string();
    let check = |stated: &str, more: &[&str]| {
        let device = popc(folder.path(), stated, false, "1");
        let arguments = ["vectors", "check", &suite, "--subject", &device, "--format", "json"];
        assay(&[&arguments[..], more].concat())
    };
    let found = |output: &Output| serde_json::from_slice::<Value>(&output.stdout).expect("JSON");
    let both = r#"{"protocol": 1, "optypes": ["POPC", "FADD"]}"#;
    let neither = r#"{"protocol": 1, "optypes": ["FADD", "BREV"]}"#;
    for (stated, more, ends, problems, counts) in [
        (OPTYPES, &[][..], 0, &[][..], [2, 3, 0]),
        (MODES, &[], 0, &[], [2, 3, 0]),
        (both, &[], 1, &["FADD: the device lists it, and answered `unsupported` to 2 cases"], [2, 3, 2]),
        (both, &["--allow-undeclared", "POPC"], 1, &["FADD: "], [2, 3, 2]),
        (both, &["--allow-undeclared", "FADD_RR"], 0, &[], [2, 3, 2]),
        (neither, &[], 1, &["BREV: ", "FADD: "], [0, 5, 3]),
        (neither, &["--allow-undeclared", "*"], 2, &[], [0, 5, 3]),
    ] {
        let output = check(stated, more);
        let (found, said) = (found(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(ends), "{stated} {more:?}: {said} {found:#}");
        assert_eq!(["held", "unsupported", "undeclared"].map(|key| found[key].as_u64()), counts.map(Some));
        let list = found["problems"].as_array().expect("a list");
        assert_eq!(list.len(), problems.len(), "{found:#}");
        for (problem, start) in list.iter().filter_map(Value::as_str).zip(problems) {
            assert!(problem.starts_with(start) && said.contains(problem), "{problem} {said}");
        }
    }
    let unknown = check(both, &["--allow-undeclared", "FADDD"]);
    assert!(unknown.status.code() == Some(2) && stderr(&unknown).contains("did you mean `FADD`"));
    // A device must answer a declared mode, whatever the options allow.
    let declined = check(r#"{"protocol": 2, "modes": ["POPC", "FADD"]}"#, &["--allow-undeclared", "*"]);
    assert_eq!((declined.status.code(), found(&declined)["failed"].as_u64()), (Some(1), Some(2)));
}

/// A suite with two cases of POPC, two of FADD and one of BREV.
const SUITE: &str = "
version: 1
suite: five
about: five cases
cases:
- {name: a, asm: 'POPC R0, R1', inputs: {R1: 3}, expect: {R0: 2}, provenance: {source: hand}}
- {name: b, asm: 'POPC R0, ~R1', inputs: {R1: 3}, expect: {R0: 30}, provenance: {source: hand}}
- {name: c, asm: 'FADD R0, R1, R2', inputs: {R1: 0x3f800000, R2: 0x3f800000}, expect: {R0: 0x40000000}, provenance: {source: hand}}
- {name: d, asm: 'FADD R0, R1, -R2', inputs: {R1: 0x3f800000, R2: 0x3f800000}, expect: {R0: 0}, provenance: {source: hand}}
- {name: e, asm: 'BREV R0, R1', inputs: {R1: 1}, expect: {R0: 0x80000000}, provenance: {source: hand}}
";

#[test]
fn a_device_that_names_what_nobody_knows_is_refused_by_every_command() {
    if python("").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let case = folder.path().join("case.jsonl");
    std::fs::write(&case, "{\"asm\": \"POPC R0, R1\", \"inputs\": {\"R1\": \"0xff\"}}\n").expect("a case");
    let out = folder.path().join("run").display().to_string();
    for (stated, nearest) in [
        (r#"{"protocol": 1, "optypes": ["POPC", "UIMAD.WIED"]}"#, "UIMAD.WIDE"),
        (r#"{"protocol": 2, "modes": ["POPC", "UIMAD.WIED"]}"#, "UIMAD.WIDE"),
        (r#"{"protocol": 2, "modes": ["POPC.X*"]}"#, "POPC"),
    ] {
        let device = popc(folder.path(), stated, false, "1");
        for command in [
            &["fuzz", "--cases", "1024", "--only", "POPC", "--out", &out][..],
            &["sweep", "popc", "--tier", "quick", "--out", &out],
            &["eval", "POPC R0, R1", "R1=0xff"],
            &["vectors", "check", "vectors/data/popc.yaml"],
        ] {
            let output = assay(&[command, &["--subject", &device]].concat());
            let said = stderr(&output);
            assert!(
                !output.status.success() && said.contains(&format!("did you mean `{nearest}`")),
                "{command:?}: {said}"
            );
        }
        let command = device.trim_start_matches("exec:");
        let output = assay(&["dut", "check", command]);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stdout).contains(nearest));
    }
    for optype in ["UIMAD.WIDE", "UIMAD_WIDE"] {
        for stated in [
            format!("{{\"protocol\": 1, \"optypes\": [\"POPC\", \"{optype}\"]}}"),
            format!("{{\"protocol\": 2, \"modes\": [\"POPC_R\", \"{optype}\"]}}"),
        ] {
            let device = popc(folder.path(), &stated, false, "1");
            let arguments = ["fuzz", "--subject", &device, "--only", "POPC_R", "--cases", "1024"];
            run(0, &arguments, &folder.path().join("run"));
        }
    }
}

#[test]
fn another_device_is_refused_like_another_build() {
    if python("").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let shard = |shard: &str, out: &str, version: &str, extra: &str| {
        let device = popc(folder.path(), MODES, false, version);
        let path = folder.path().join("popc.py");
        let text = std::fs::read_to_string(&path).expect("the device") + extra;
        std::fs::write(&path, text).expect("the device is written");
        let arguments =
            ["fuzz", "--subject", &device, "--only", "POPC_R", "--cases", "65536", "--shard", shard];
        run(0, &arguments, Path::new(&at(out)));
    };
    let merge = |more: &[&str]| {
        let (one, two, out) = (at("one"), at("two"), at("merged.json"));
        assay(&[&["merge", &one, &two, "--out", &out], more].concat())
    };
    shard("0/2", "one", "1", "");
    shard("1/2", "two", "1", "");
    let same = merge(&[]);
    assert!(same.status.success(), "{}", stderr(&same));
    for (version, extra, differs) in [("2", "", "the version of the subject"), ("1", "# other\n", "popc.py")]
    {
        shard("1/2", "two", version, extra);
        let refused = merge(&[]);
        let words = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{words}");
        assert!(words.contains(differs) && words.contains("--same-"), "{words}");
        let allowed = merge(&["--same-device"]);
        assert!(allowed.status.success(), "{}", stderr(&allowed));
        let text = std::fs::read_to_string(at("merged.json")).expect("a result");
        let merged: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(merged["plan"]["devices"].as_array().map(Vec::len), Some(2), "{text}");
    }
}

#[test]
fn a_run_does_not_go_on_with_another_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((library, _)) = in_c(&folder) else { return };
    let subject = format!("lib:{library}");
    let fuzz = |out: &str, limit: &str, more: &[&str]| {
        let script = format!("ulimit -S -f {limit}; exec \"$@\"");
        Command::new("bash")
            .args(["-c", &script, "bash", ASSAY, "fuzz", "--subject", &subject])
            .args(["--only", "POPC", "BREV", "--cases", "2500000", "--checkpoint-every", "0.001", "--out"])
            .arg(folder.path().join(out))
            .args(more)
            .output()
            .expect("bash starts")
    };
    let whole = fuzz("whole", "unlimited", &[]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let result = |out: &str| std::fs::read(folder.path().join(out).join("result.json")).expect("a result");
    // The limit lets this run write everything except its result.
    let blocks = ((result("whole").len() - 1) / 1024).to_string();
    let cut = fuzz("cut", &blocks, &[]);
    assert_eq!(cut.status.code(), Some(3), "{}", stderr(&cut));
    // A byte after the last section of a library changes its digest, but not its behaviour.
    let mut bytes = std::fs::read(&library).expect("the library");
    bytes.push(0);
    std::fs::write(&library, bytes).expect("the library is written");
    let refused = fuzz("cut", "unlimited", &["--resume"]);
    let words = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{words}");
    assert!(words.contains("the digest of") && words.contains("device.so"), "{words}");
    assert!(words.contains("--same-"), "{words}");
    let allowed = fuzz("cut", "unlimited", &["--resume", "--same-device"]);
    assert_eq!(allowed.status.code(), Some(0), "{}", stderr(&allowed));
    let result: Value = serde_json::from_slice(&result("cut")).expect("JSON");
    let files = result["plan"]["devices"].as_array().expect("devices");
    let digests: Vec<&Value> = files.iter().map(|device| &device["files"][&library]).collect();
    assert!(
        matches!(digests[..], [one, other] if one.is_string() && other.is_string() && one != other),
        "{result:#}"
    );
}

/// A device whose version changes in the middle of a run counts as another device, and is declared
/// dead.
#[test]
fn a_device_that_states_another_version_when_it_starts_again_is_given_up() {
    if python("").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let device = popc(folder.path(), MODES, true, "1");
    let path = folder.path().join("popc.py");
    let script = std::fs::read_to_string(&path).expect("the device");
    let starts = folder.path().join("starts");
    let counted = format!(
        "with open({starts:?}, 'a+') as f: f.write('.'); f.seek(0); VERSION = str(len(f.read()))\nimport json"
    );
    let dying = script.replace(r#"say({"id": batch["id"], "unsupported": True})"#, "sys.exit(1)");
    assert_ne!(dying, script);
    std::fs::write(&path, dying.replacen("import json", &counted, 1)).expect("the device is written");
    let output = Command::new(ASSAY)
        .args(["fuzz", "--subject", &device, "--only", "POPC_R", "--cases", "65536", "--jobs", "1", "--out"])
        .arg(folder.path().join("run"))
        .output()
        .expect("assay starts");
    let words = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.contains("opened again, it states another version than before"), "{words}");
}

#[test]
fn the_files_that_a_command_names_are_part_of_the_device() {
    if python("").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let device = popc(folder.path(), MODES, false, "1");
    let table = folder.path().join("table");
    std::fs::write(&table, "").expect("a file");
    let subject = format!("{device} --table={} --level=3 no-such-file", table.display());
    run(
        0,
        &["fuzz", "--subject", &subject, "--only", "POPC_R", "--cases", "1024"],
        &folder.path().join("run"),
    );
    let text = std::fs::read_to_string(folder.path().join("run/result.json")).expect("a result");
    let result: Value = serde_json::from_str(&text).expect("JSON");
    let files = result["plan"]["devices"][0]["files"].as_object().expect("files");
    let names: Vec<String> = files.keys().cloned().collect();
    let wanted = ["popc.py", "table"].map(|name| folder.path().join(name).display().to_string());
    assert_eq!(names, wanted, "python3 is looked for in PATH, and is none of them");
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(files[&wanted[1]], nothing);
}

/// A device that reports all lanes as undefined. It also writes correct results of POPC, or
/// nothing.
const SILENT: &str = r#"
import json, sys
def say(message): print(json.dumps(message), flush=True)
json.loads(sys.stdin.readline())
say({"protocol": 2, "name": "silent", "version": "1", "modes": ["POPC_R"], "framing": "json"})
for line in sys.stdin:
    batch = json.loads(line)
    events = [{"lane": lane, "event": "undefined: E049"} for lane in range(batch["lanes"])]
    target, source = batch["asm"].split("POPC ")[1].split(", ")
    column = [bin(bits).count("1") for bits in batch["inputs"].get(source, [])]
    is_simple = WRITES and column and target != "RZ" and not batch["asm"].startswith("@")
    say({"id": batch["id"], "writes": {target: column} if is_simple else {}, "events": events})
"#;

#[test]
fn a_reference_excuses_no_lane_that_the_specification_defines() {
    if python("").is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("run");
    let fuzz = |ends: i32, reference: &str, reading: &str| {
        let arguments = ["fuzz", "--against", reference, "--only", "POPC_R", "--cases", "2000"];
        let more = ["--reading", reading, "--allow-unjudged", "POPC"];
        run(ends, &[&arguments[..], &more].concat(), &out)
    };
    for writes in ["False", "True"] {
        let path = folder.path().join("silent.py");
        std::fs::write(&path, format!("WRITES = {writes}\n{SILENT}")).expect("the device is written");
        let found = fuzz(1, &format!("exec:python3 {}", path.display()), "E049=2");
        assert_eq!(found["divergences"].as_u64(), Some(2000), "{writes}: {found:#}");
    }
    // If the specification also leaves a lane undefined, any value passes.
    let found = fuzz(0, &served("model"), "E049=1");
    assert!(found["verdicts"]["undefined"].as_u64() > Some(1000), "{found:#}");
}
