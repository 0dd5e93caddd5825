//! The command as a user sees it: its output, its exit statuses, and its messages about bad input.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{ASSAY, assay, assay_with_input, json, served, status, stderr, stdout};

/// A subject that is part of assay follows the readings of each case. A device has fixed readings,
/// so cases for other readings are left out.
#[test]
fn cases_of_other_readings_are_left_out_and_counted() {
    let device = served("model");
    let counts = |arguments: &[&str]| {
        let arguments =
            [&["--format", "json", "vectors", "check", "vectors/data/fmul.yaml"], arguments].concat();
        let output = assay(&arguments);
        let object = json(&output);
        let count = |key: &str| object[key].as_u64().unwrap();
        let (cases, held, failed, other) =
            (count("cases"), count("held"), count("failed"), count("other_readings"));
        assert_eq!((status(&output), failed, held + other), (0, 0, cases), "{object}");
        assert_eq!(object["left_out"].as_array().unwrap().len() as u64, other);
        (other, object["left_out"].to_string())
    };
    assert_eq!(counts(&[]).0, 0);
    // The profile sm90 has E173=2, so the case for E173=1 is left out.
    let (other, left_out) = counts(&["--profile", "sm90"]);
    assert!(other > 0 && left_out.contains("ftz-output-rounded-up-to-normal: E173=1"), "{left_out}");
    assert_eq!(counts(&["--profile", "sm90", "--subject", &device]).0, other);
    assert_eq!(counts(&["--subject", &device]).0, 0);
    // A case whose expectation is wrong under the case's own readings fails. It must not be left
    // out as if it were a case for other readings.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.yaml");
    let suite = "version: 1\nsuite: wrong\nabout: A wrong sum\ncases:\n- {name: a, asm: 'POPC R0, R1', \
                 inputs: {R1: 1}, expect: {R0: 2}, provenance: {source: hand}}\n";
    std::fs::write(&path, suite).unwrap();
    for arguments in [&[][..], &["--profile", "sm90"], &["--subject", &device]] {
        let output = assay(&[&["vectors", "check", path.to_str().unwrap()], arguments].concat());
        assert_eq!(status(&output), 1, "{}", stdout(&output));
    }
}

#[test]
fn bad_input_names_the_place_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let unknown_key = file("key.yaml", "version: 1\nsuite: x\nabout: y\ncolour: red\ncases: []\n");
    let no_yaml = file("broken.yaml", "version: [\n");
    let no_result = file("result.json", "{}");
    let no_numbers = file("numbers.toml", "[SType]\nR = 0\n");
    let occupied = file("occupied", "");
    let cases: &[(&[&str], &str)] = &[
        (&["eval", "FOO R0, R1", "R1=0"], "`assay isa list` has all"),
        (&["eval", "FADD.RU R0, R1, R2"], "it has"),
        (&["eval", "FADD R0 R1 R2"], "expected a comma"),
        (&["eval", "FADD R0, R1, R2", "R1=0x3f800000"], "R2"),
        (&["eval", "FADD R0, R1, R2", "R1"], "LOCATION=VALUE"),
        (&["eval", "FADD R0, R1, R2", "R1=1", "R1=2", "R2=3"], "twice"),
        (&["eval", "FADD R0, R1, R2", "RZ=1"], "no location"),
        (&["eval", "0xffffffff"], "no optype"),
        (&["isa", "disasm", "0xzz"], "hexadecimal"),
        (&["isa", "disasm", "0x+7000"], "hexadecimal"),
        (&["isa", "show", "QQQ"], "isa list"),
        (&["isa", "show", "fsetpp"], "did you mean `FSETP`"),
        (&["isa", "show"], "<NAME>"),
        (&["vectors", "check", &unknown_key], "colour"),
        (&["vectors", "check", &no_yaml], "broken.yaml"),
        (&["vectors", "check", "/nonexistent"], "/nonexistent"),
        (&["replay", &no_yaml], "broken.yaml"),
        (&["report", &no_result], "result"),
        (&["merge", &no_result, "--out", &occupied], "result"),
        (&["isa", "list", "--numbers", &no_numbers], "numbers.toml"),
        (&["isa", "show", "NOP", "--profile", "nosuch"], "nosuch"),
        (&["isa", "show", "NOP", "--reading", "E173=9"], "settings 1 to 2"),
        (&["fuzz", "--only", "NOPE", "--out", &occupied.replace("occupied", "free")], "selects nothing"),
        (
            &[
                "fuzz",
                "--only",
                "MUFU",
                "--subject",
                "apfloat",
                "--out",
                &occupied.replace("occupied", "free2"),
            ],
            "nothing to generate",
        ),
        (&["fuzz", "--only", "POPC", "FADDD", "--cases", "1"], "FADDD selects nothing"),
        (&["errata", "list", "--only", "E053", "FLOW"], "FLOW selects nothing"),
        (
            &["fuzz", "--allow-unjudged", "POPX", "--cases", "1"],
            "--allow-unjudged POPX selects nothing; did you mean `POPC`",
        ),
        (&["fuzz", "--out", &occupied], "occupied"),
        (&["fuzz", "--shard", "5/5"], "i/n"),
        (&["fuzz", "--seed", "-1"], "--seed <S>': write a whole number from 0"),
        (&["fuzz", "--time", "3w"], "no unit"),
        (&["fuzz", "--subject", "gpu:0"], "mutant:FAULT"),
        (&["fuzz", "--subject", "cuda:first"], "cuda:0"),
        (
            &["sweep", "mufu.sin.f32", "--subject", "host", "--out", &occupied.replace("occupied", "free3")],
            "cannot be swept",
        ),
        (&["sweep", "fsetp.lt", "--out", &occupied.replace("occupied", "free4")], "lacks a modifier"),
        (&["sweep", "nope", "--out", &occupied.replace("occupied", "free5")], "did you mean `NOP`"),
        (&["vectors", "generate", "NOPE", "--out", &occupied.replace("occupied", "free6")], "`NOP`"),
        (&["vectors", "generate", "--known", "/nonexistent"], "--alone"),
        (&["vectors", "generate", "POPC", "--out", &occupied], "choose another --out"),
        (&["isa", "list", "--device-deadline", "3"], "`assay isa list` has no option --device-deadline"),
        (&["status", ".", "--jobs", "2"], "`assay status` has no option --jobs"),
        (&["mutants", "run", "--seed", "3"], "run `assay-lab mutants run --seed 3`"),
        (&["isa", "lint"], "run `assay-lab isa lint`"),
    ];
    for (arguments, hint) in cases {
        let output = assay(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}: {}", stderr(&output));
        let flat = stderr(&output).replace("\n  │ ", " ");
        assert!(flat.contains(hint), "{arguments:?} does not say `{hint}`: {flat}");
        assert!(output.stdout.is_empty(), "{arguments:?} printed a result");
    }
}

#[test]
fn eval_in_bulk_answers_in_order_and_survives_bad_lines() {
    let input = br#"{"asm": "FADD.FTZ R0, R1, R2", "inputs": {"R1": "0x3f800000", "R2": "0x00000001"}}
not json
{"asm": "MUFU.RCP.F32 R0, R1", "inputs": {"R1": "0x40400000"}}
{"asm": "FADD R0, R1, R2", "inputs": {"R1": "0x3f800000"}}
{"asm": "@P0 FFMA R0, R1, R2, R3", "inputs": {"P0": false, "R1": 1, "R2": 2, "R3": 3}}
"#;
    let output = assay_with_input(&["eval", "--stdin"], input);
    assert_eq!(status(&output), 2);
    let lines: Vec<Value> = output
        .stdout
        .split(|b| *b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_slice(l).unwrap())
        .collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0]["answers"]["model"]["R0"], "0x3f800000");
    assert_eq!(lines[0]["answers"]["mpfr"]["R0"], "0x3f800000");
    assert_eq!(lines[0]["verdict"], "exact");
    assert_eq!((&lines[1]["line"], &lines[3]["line"]), (&Value::from(2), &Value::from(4)));
    assert!(lines[3]["error"].as_str().unwrap().contains("R2"));
    assert_eq!(lines[2]["verdict"], "within");
    assert!(lines[2]["value"].as_str().unwrap().starts_with("3.33333333333333333333333"));
    assert!(lines[2]["ulp"]["model"].as_f64().unwrap().abs() < 1.0);
    assert_eq!(lines[4]["answers"]["model"], serde_json::json!({}));
}

#[test]
fn a_planted_fault_is_found_written_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run").to_str().unwrap().to_owned();
    let fuzz = [
        "fuzz",
        "--subject",
        "mutant:fadd-cancellation-sign",
        "--cases",
        "1000000",
        "--out",
        &out,
        "--format",
        "json",
    ];
    let output = assay(&fuzz);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let result = json(&output);
    assert!(result["divergences"].as_u64().unwrap() > 0);
    let findings = result["findings"].as_array().unwrap();
    assert_eq!(findings.len() as u64, result["signatures"].as_u64().unwrap());
    for finding in findings {
        let path = finding.as_str().unwrap();
        let replayed = assay(&["replay", path, "--format", "json"]);
        assert_eq!(status(&replayed), 1, "{}", stderr(&replayed));
        assert!(json(&replayed)["cases"][0]["verdict"].as_str().unwrap().starts_with("diverged"));
        let sound = assay(&["replay", path, "--subject", "model"]);
        assert_eq!(status(&sound), 0, "{}", stderr(&sound));
        assert_eq!(
            status(&assay(&["vectors", "check", path])),
            0,
            "a finding is a vector for the sound model"
        );
    }
    // An existing folder is not overwritten without `--overwrite`.
    assert_eq!(status(&assay(&fuzz)), 2);
}

#[test]
fn shards_merge_to_the_bytes_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |name: &str, extra: &[&str]| {
        let out = path(name);
        let mut arguments = vec!["fuzz", "--cases", "200000", "--seed", "3", "--out", &out];
        arguments.extend(extra);
        let output = assay(&arguments);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        std::fs::read(folder.path().join(name).join("result.json")).unwrap()
    };
    let whole = run("whole", &["--jobs", "1"]);
    for shard in ["0/3", "1/3", "2/3"] {
        run(&format!("shards/{}", shard.replace('/', "-")), &["--shard", shard]);
    }
    let merged = path("merged.json");
    let folders = ["shards/2-3", "shards/0-3", "shards/1-3"].map(path);
    let list = path("list");
    std::fs::write(&list, folders.join("\n")).unwrap();
    // Results can be named by their folders, by the parent of these folders, and by lists of paths.
    let [two, zero, one] = &folders;
    let forms: [&[&str]; 4] =
        [&[two, zero, one], &[&path("shards")], &["--from", &list], &[two, "--from", "-", "--repeated"]];
    for form in forms {
        let arguments = [&["merge", "--out", &merged], form].concat();
        let output = assay_with_input(&arguments, folders.join("\n").as_bytes());
        assert_eq!(status(&output), 0, "{form:?}: {}", stderr(&output));
        assert!(std::fs::read(&merged).unwrap() == whole, "{form:?}");
    }
    let output = assay(&["merge", two, "--out", &merged]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("shards 0-1 of 3 are missing"), "{}", stderr(&output));
    let page = assay(&["report", &merged]);
    assert!(String::from_utf8_lossy(&page.stdout).contains("MUFU."));
    let pages = path("pages");
    assert_eq!(status(&assay(&["report", &merged, &path("whole"), "--out", &pages])), 0);
    for page in ["report.html", "report.md", "report.json", "report.junit.xml"] {
        assert!(folder.path().join("pages").join(page).exists(), "{page}");
    }
    let schema = json(&assay(&["report", "--schema"]));
    assert_eq!(schema["title"], "ResultReport");
}

#[test]
fn the_recorded_vectors_hold_for_every_voice_that_speaks() {
    let output = assay(&["vectors", "check", "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
    let counts = json(&output);
    assert_eq!(counts["cases"], counts["held"], "none is skipped: {counts}");
    for subject in ["apfloat", "host", "core-math"] {
        let output = assay(&["vectors", "check", "--subject", subject, "--format", "json"]);
        assert_eq!(status(&output), 0, "{subject}: {}", String::from_utf8_lossy(&output.stdout));
    }
    // RSQ of an H200 in F64 is within the bound of profile sm90. At four recorded arguments, RSQ
    // exceeds the bound of profile intended.
    let output = assay(&["vectors", "check", "--subject", "h200", "--format", "json"]);
    let found = json(&output);
    let failures = found["failures"].as_array().expect("a list");
    assert_eq!((status(&output), failures.len()), (1, 4), "{failures:#?}");
    assert!(failures.iter().filter_map(Value::as_str).all(|failure| failure.contains("mufu_r.rsq.f64-")));
}

#[test]
fn an_instruction_is_explained_under_the_profile_at_hand() {
    let page = |arguments: &[&str]| {
        let output = assay(&[&["isa", "show"], arguments].concat());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let brev = page(&["BREV"]);
    assert!(brev.contains("rd = ~srcb") && brev.contains("out R0           0xedcba987"), "{brev}");
    let reversed = page(&["BREV", "--reading", "E056=2"]);
    assert!(reversed.contains("rd = reverse(srcb)") && reversed.contains("0x1e6a2c48"), "{reversed}");
    assert!(page(&["BREV", "--profile", "sm90"]).contains("rd = reverse(srcb)"));
    // The page of a form shows only the fields of that form. A mnemonic selects its optype.
    let form = page(&["FFMA_RRI"]);
    assert!(form.contains("FFMA_RRI") && !form.contains("FFMA_RRR"), "{form}");
    assert!(page(&["UIMAD.WIDE"]).starts_with("UIMAD_WIDE: "));
    let output = assay(&["isa", "show", "FSETP", "--format", "json"]);
    let fsetp = json(&output);
    assert_eq!((fsetp["optype"].as_str(), fsetp["examples"].as_array().unwrap().len()), (Some("FSETP"), 3));
    assert_eq!(fsetp["examples"][0]["results"][1]["text"], "false");
}

#[test]
fn generated_vectors_are_the_oracles_and_hold() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let generate = ["vectors", "generate", "SGXT", "mufu", "--out", out, "--format", "json"];
    let output = assay(&generate);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = json(&output);
    for suite in report["suites"].as_array().unwrap() {
        assert!(suite["generated"].as_u64().unwrap() > 20 && suite["known"]["document"].as_u64() > Some(0));
        assert!(suite["covered_by_known"].as_u64() < suite["covered"].as_u64());
        // The allowed values are too many to list if both halves of a register have a wide bound,
        // or if no bound applies.
        let left = suite["left"].as_array().unwrap().len() as u64;
        assert_eq!(suite["covered"].as_u64().unwrap() + left, suite["bins"].as_u64().unwrap());
        assert!(left == 0 || suite["optype"] == "MUFU" && left < 340 && suite["too_wide"].as_u64() > Some(0));
    }
    let text = std::fs::read_to_string(folder.path().join("mufu.yaml")).unwrap();
    assert!(text.contains("source: oracle") && !text.contains("source: hand"));
    let check = json(&assay(&["vectors", "check", out, "--format", "json"]));
    assert_eq!(check["held"], check["cases"]);
    let again = assay(&generate);
    assert_eq!(status(&again), 2);
    assert!(stderr(&again).contains("--overwrite"));
}

#[test]
fn a_sweep_of_several_operands_takes_every_combination() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("sweep");
    let output = assay(&["sweep", "bmsk", "fchk", "--out", out.to_str().unwrap(), "--format", "json"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = json(&output);
    let functions = report["functions"].as_object().unwrap();
    assert_eq!(functions.keys().collect::<Vec<_>>(), ["BMSK", "BMSK.WRAP", "FCHK"]);
    let inputs = |name: &str| functions[name]["inputs"].as_u64().unwrap();
    assert!(inputs("BMSK") >= 66 * 66 && inputs("FCHK") >= 256 * 256 * 4);
    assert_eq!(functions["FCHK"]["verdicts"]["exact"], functions["FCHK"]["inputs"]);
    assert_eq!(report["inputs"], inputs("BMSK") + inputs("BMSK.WRAP") + inputs("FCHK"));
}

/// For one bin of each topic, a case that hits the bin is found. The printed case can be copied
/// into a suite.
#[test]
fn a_bin_has_a_case_that_hits_it() {
    let folder = tempfile::tempdir().unwrap();
    for bin in [
        "FADD_RR ftz FTZ, rnd RP, rd becomes -zero",
        "FADD_RR rnd RP, ra is +zero",
        "MUFU_R sat SAT, rb is -subnormal",
    ] {
        let output = assay(&["coverage", "why", bin, "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{bin}: {}", stderr(&output));
        let bins = json(&output)["bins"].clone();
        let suite = bins[0]["yaml"].as_str().unwrap();
        let path = folder.path().join("bin.yaml");
        std::fs::write(&path, suite).unwrap();
        let checked = assay(&["vectors", "check", path.to_str().unwrap()]);
        assert_eq!(checked.status.code(), Some(0), "{bin}: {suite}\n{}", stderr(&checked));
        let page = assay(&["coverage", "why", bin]);
        assert!(String::from_utf8_lossy(&page.stdout).contains("hit by"), "{bin}");
    }
}

#[test]
fn a_campaign_names_the_bins_it_missed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let output = assay(&[
        "fuzz",
        "--cases",
        "20000",
        "--only",
        "FMUL",
        "--out",
        out.to_str().unwrap(),
        "--format",
        "json",
    ]);
    let report = json(&output);
    let text = std::fs::read_to_string(out.join("coverage.json")).unwrap();
    let coverage: Value = serde_json::from_str(&text).unwrap();
    let missed = coverage["missed"].as_array().unwrap();
    assert!(!missed.is_empty() && coverage["bins"] == report["bins"]);
    assert!(coverage["excluded"].as_array().unwrap().iter().any(|e| e["bins"].as_u64() > Some(0)));
    assert_eq!(coverage["impossible"], serde_json::json!([]));
    let share = 1.0 - missed.len() as f64 / coverage["bins"].as_f64().unwrap();
    assert!((share - report["coverage"].as_f64().unwrap()).abs() < 1e-5);
    // Topics divide the missed bins as `coverage show` counts them, and `--only` selects forms.
    let list = |more: &[&str]| {
        let output =
            assay(&[&["coverage", "missed", out.to_str().unwrap(), "--format", "json"], more].concat());
        json(&output)["missed"].as_array().unwrap().clone()
    };
    let names = |bins: Vec<Value>| bins.iter().map(|bin| bin["name"].clone()).collect::<Vec<_>>();
    assert_eq!(&names(list(&[])), missed);
    let shown = json(&assay(&["coverage", "show", out.to_str().unwrap(), "--format", "json"]));
    for (topic, counts) in shown["topics"].as_object().unwrap() {
        let listed = list(&["--topic", topic]).len() as u64;
        assert_eq!(Some(listed), counts["missed"].as_u64(), "{topic}");
    }
    let of_form = names(list(&["--only", "FMUL_RI"]));
    assert!(of_form.iter().all(|name| name.as_str().unwrap().starts_with("FMUL_RI ")));
    assert_eq!(Some(of_form.len() as u64), shown["forms"]["FMUL_RI"]["missed"].as_u64());
    // The list of another run, which missed one bin less.
    let mut other = coverage.clone();
    other["missed"].as_array_mut().unwrap().pop();
    std::fs::write(out.join("coverage.json"), other.to_string()).unwrap();
    let refused = assay(&["coverage", "missed", out.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("they are of two runs"), "{}", stderr(&refused));
    std::fs::remove_file(out.join("coverage.json")).unwrap();
    let refused = assay(&["coverage", "missed", out.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("coverage.json"), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("merged"), "{}", stderr(&refused));
}

#[test]
fn another_table_of_numbers_changes_the_words_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let table = include_str!("../../../isa/src/numbers.toml");
    let swapped = table.replace("RN = 0\nRP = 1\n", "RN = 1\nRP = 0\n").replace("FADD = 0x29", "FADD = 0xA9");
    assert_ne!(table, swapped);
    let file = folder.path().join("numbers.toml");
    std::fs::write(&file, swapped).unwrap();
    let numbers = ["--numbers", file.to_str().unwrap()];
    let word = |extra: &[&str]| {
        let output = assay(&[&["isa", "asm", "FADD.RP R0, R1, R2", "--format", "json"], extra].concat());
        json(&output)[0]["word"].as_str().unwrap().to_owned()
    };
    assert_ne!(word(&[]), word(&numbers));
    let out = folder.path().join("run").to_str().unwrap().to_owned();
    let output = assay(&[&["fuzz", "--cases", "200000", "--out", &out], &numbers[..]].concat());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(status(&assay(&[&["vectors", "check"], &numbers[..]].concat())), 0);
}

#[test]
fn a_run_that_judged_nothing_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run").to_str().unwrap().to_owned();
    let output = assay(&["fuzz", "--profile", "literal", "--only", "FFMA", "--cases", "5000", "--out", &out]);
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("nothing was judged"), "{}", stderr(&output));
    assert_eq!(status(&assay(&["fuzz", "--cases", "0"])), 2);
    assert_eq!(status(&assay(&["fuzz", "--time", "307445734561825861m"])), 2);
}

#[test]
fn bad_bytes_cost_one_line() {
    let good = br#"{"asm": "FADD R0, R1, R1", "inputs": {"R1": "0x3f800000"}}"#;
    let input = [good.as_slice(), b"\n\xff\xfe\n", good, b"\n"].concat();
    let output = assay_with_input(&["eval", "--stdin"], &input);
    assert_eq!(status(&output), 2);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].contains("0x40000000") && lines[2].contains("0x40000000"));
    assert!(lines[1].contains("UTF-8") && lines[1].contains("\"line\":2"), "{}", lines[1]);
}

#[test]
fn a_reader_that_leaves_does_not_change_the_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mut child = Command::new(ASSAY)
        .args(["fuzz", "--subject", "mutant:fadd-tie-to-odd", "--only", "FADD", "--cases", "100000", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn nobody_needs_to_read_what_is_said_on_the_side() {
    let mut child =
        Command::new(ASSAY).args(["fuzz", "--only", "NOPE"]).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn a_finding_between_two_subjects_replays_between_them() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run").to_str().unwrap().to_owned();
    let against = "mutant:fadd-tie-to-odd";
    let fuzz = ["fuzz", "--subject", "apfloat", "--against", against, "--only", "FADD", "--cases", "100000"];
    let output = assay(&[&fuzz[..], &["--out", &out, "--format", "json"]].concat());
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let result = json(&output);
    let finding = result["findings"][0].as_str().unwrap();
    let text = std::fs::read_to_string(finding).unwrap();
    assert!(!text.contains("expect"), "an opinion is no expectation");
    assert!(text.contains("subject: apfloat") && text.contains(&format!("oracle: {against}")), "{text}");
    let plan = std::fs::read_to_string(format!("{out}/result.json")).unwrap();
    let plan: Value = serde_json::from_str(&plan).unwrap();
    assert_eq!((&plan["plan"]["subject"], &plan["plan"]["against"]), (&"apfloat".into(), &against.into()));
    let replay = assay(&["replay", finding]);
    assert_eq!(status(&replay), 1, "{}", stderr(&replay));
    let page = stdout(&replay);
    assert!(page.contains(&format!("{against} is a subject and no oracle")), "{page}");
    let replay = json(&assay(&["replay", finding, "--format", "json"]));
    let case = &replay["cases"][0];
    assert_eq!(case["verdicts"][against], "an opinion, taken for the truth");
    assert_eq!((&case["against"], &case["truth"]["verdicts"]["apfloat"]), (&against.into(), &"exact".into()));
    assert!(case["truth"]["verdicts"][against].as_str().unwrap().starts_with("diverged"), "{case}");
}

#[test]
fn contracts_are_part_of_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (shard, bound) in [("0/2", "1"), ("1/2", "2")] {
        let profile = path(&format!("{}.yaml", bound));
        let text = format!(
            "version: 1\nname: mine\nabout: a bound\nextends: intended\ncontracts:\n\
             - {{instruction: MUFU.RCP.F32, metric: ulp, bound: \"{bound}\"}}\n"
        );
        std::fs::write(&profile, text).unwrap();
        let out = path(bound);
        let fuzz = ["fuzz", "--cases", "50000", "--shard", shard, "--profile", &profile, "--out", &out];
        let output = assay(&fuzz);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
    }
    let merged = path("merged.json");
    let output = assay(&["merge", &path("1"), &path("2"), "--out", &merged]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("contracts"), "{}", stderr(&output));
}

#[test]
fn without_a_driver_a_gpu_is_refused_in_one_sentence() {
    let commands: [&[&str]; 6] = [
        &["fuzz", "--subject", "cuda:0"],
        &["sweep", "mufu.rcp.f32", "--subject", "cuda:0"],
        &["eval", "FADD R0, R1, R2", "R1=1", "R2=2", "--subject", "cuda:0"],
        &["errata", "settle", "--subject", "cuda:0"],
        &["trace", "capture", "--subject", "cuda:0", "--out", "/nonexistent/trace.parquet"],
        &["trace", "code", "--out", "/nonexistent/code"],
    ];
    for arguments in commands {
        let output = assay(arguments);
        if status(&output) != 3 {
            return assay_testing::skip(
                "no-gpu-driver",
                "commands that are refused without a driver: there is one",
            );
        }
        let said = stderr(&output).replace("\n  │ ", " ");
        assert!(
            said.contains("no NVIDIA driver") && said.contains("assay trace check"),
            "{arguments:?}: {said}"
        );
        assert!(output.stdout.is_empty(), "{arguments:?} printed a result");
    }
}

#[test]
fn a_file_that_is_no_suite_is_left_out_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = |name: &str, result: &str| {
        format!(
            "version: 1\nsuite: {name}\nabout: one case\ncases:\n- {{name: one, asm: 'POPC R0, R1', inputs: {{R1: 3}}, \
             expect: {{R0: {result}}}, \
             provenance: {{source: hand}}}}\n"
        )
    };
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("a.yaml", &suite("a", "2"));
    write("errata/list.yaml", "version: 1\nerrata: []\n");
    write("errata/more.yaml", "version: 1\nerrata: []\n");
    let path = folder.path().display().to_string();
    let check = |more: &[&str]| assay(&[&["vectors", "check", &path], more].concat());
    let held = check(&[]);
    let said = stdout(&held);
    assert_eq!(held.status.code(), Some(0), "{said}");
    assert!(said.contains(&format!("2 files in {path}/errata are no suites: left out\n")), "{said}");
    assert_eq!(json(&check(&["--format", "json"]))["not_suites"][format!("{path}/errata")], 2);
    // A wrong expectation in a suite of such a folder fails too.
    write("profiles/mine/b.yaml", &suite("b", "3"));
    assert_eq!(check(&[]).status.code(), Some(1));
}
