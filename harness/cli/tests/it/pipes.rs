//! Tests `assay gen | device | assay ver`: a device can answer the written cases, and `ver` judges
//! the answers.

mod complete;
mod device;

use arbitrary::Unstructured;
use assay_engine::generate::{Scope, stream};
use assay_isa::{EncodingTable, Instruction, Readings, asm, catalog};
use assay_vectors::{Actual, Case, parse_line};
use serde_json::Value;

use device::Device;

use crate::support::{assay, assay_with_input, json, status, stderr, stdout};

/// Returns the cases that `gen` writes.
fn cases(arguments: &[&str]) -> String {
    let output = assay_with_input(&[&["gen"], arguments].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the verdict of `ver` on answers. Checks its exit status.
fn verdict(arguments: &[&str], answers: &str, status: i32) -> Value {
    let output = assay_with_input(&[&["ver", "--format", "json"], arguments].concat(), answers);
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}\n{out}", stderr(&output));
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)))
}

/// Returns the message with which `ver` refuses answers.
fn refusal(arguments: &[&str], answers: &str) -> String {
    let output = assay_with_input(&[&["ver"], arguments].concat(), answers);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    stderr(&output) + &String::from_utf8_lossy(&output.stdout)
}

/// Returns one instruction of each form, with operands that the generator drew.
fn instructions() -> Vec<Instruction> {
    let mut bytes = Vec::new();
    let each = catalog().forms.iter().enumerate().map(|(nth, form)| {
        stream::fill(5, nth as u64, 1 << 12, &mut bytes);
        let scope = Scope::filtered(|mode| mode.form().name == form.name);
        scope.instruction(&mut Unstructured::new(&bytes)).expect("the bytes suffice")
    });
    each.collect()
}

#[test]
fn the_model_holds_through_json_lines_on_every_form() {
    let instructions = instructions();
    let mut device = Device::model();
    let mut answers = String::new();
    for instruction in &instructions {
        let text = asm::print(instruction);
        answers += &device.lines(&cases(&["--as", "jsonl", "--instruction", &text, "--cases", "40"]));
    }
    let found = verdict(&["--as", "jsonl"], &answers, 0);
    let count = 40 * instructions.len() as u64;
    assert_eq!((found["cases"].as_u64(), found["promised"].as_u64()), (Some(count), Some(count)));
    let forms = found["forms"].as_object().unwrap();
    assert!(catalog().forms.iter().all(|form| forms.contains_key(form.name)));
    assert!(found["verdicts"]["exact"].as_u64() > Some(count / 2), "{found}");
}

#[test]
fn the_model_holds_through_columns_on_every_form_that_has_them() {
    let (mut carried, mut refused) = (0, 0);
    let mut device = Device::model();
    for instruction in instructions() {
        let text = asm::print(&instruction);
        let named = ["--instruction", &text[..], "--cases", "40"];
        let output = assay_with_input(&[&["gen", "--as", "testfloat"], &named[..]].concat(), "");
        if output.status.code() == Some(2) {
            assert!(stderr(&output).contains("jsonl"), "{text}: {}", stderr(&output));
            let has_places = instruction.access().is_none() && !instruction.writes().is_empty();
            assert!(!has_places, "{text}: {}", stderr(&output));
            refused += 1;
            continue;
        }
        let columns = String::from_utf8(output.stdout).unwrap();
        let answers = device.columns(&instruction, &columns);
        let ver = [&["--as", "testfloat", "--allow-incomplete"], &named[..]].concat();
        assert_eq!(verdict(&ver, &answers, 0)["cases"].as_u64(), Some(40), "{text}");
        let image = cases(&[&["--as", "readmemh"], &named[..]].concat());
        let answers = device.image(&instruction, &image);
        let found = verdict(&["--as", "readmemh", "--instruction", &text], &answers, 0);
        assert_eq!(found["cases"].as_u64(), Some(40), "{text}");
        carried += 1;
    }
    assert!(
        carried > 100 && refused > 5 && carried + refused == catalog().forms.len(),
        "{carried}, {refused}"
    );
}

#[test]
fn a_suite_is_answered_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.yaml");
    let path = path.to_str().unwrap();
    cases(&["--as", "yaml", "--only", "FADD", "MUFU.RCP.*", "POPC", "NOP", "--cases", "6000", "--out", path]);
    let check = assay_with_input(&["vectors", "check", path, "--format", "json"], "");
    assert_eq!(check.status.code(), Some(0), "{}", stderr(&check));
    let check: Value = serde_json::from_slice(&check.stdout).unwrap();
    assert_eq!(check["held"].as_u64(), Some(6000), "{check}");
    let text = std::fs::read_to_string(path).unwrap();
    let answers = Device::model().suite(&text);
    assert_eq!(verdict(&["--as", "yaml"], &answers, 0)["cases"].as_u64(), Some(6000));
    let cut = answers.rsplit_once("\n- name:").unwrap().0.to_owned() + "\n";
    assert!(refusal(&["--as", "yaml"], &cut).contains("6000 cases were promised"));
    let text = cases(&["--as", "yaml", "--instruction", "f32_add", "--cases", "10000"]);
    let wrong = Device::mutant("fadd-tie-to-odd").suite(&text);
    assert!(verdict(&["--as", "yaml"], &wrong, 1)["divergences"].as_u64() > Some(0));
}

/// A suite names the profile by which its answers are judged.
#[test]
fn a_suite_under_a_loose_profile_is_named_in_the_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("loose.yaml");
    std::fs::write(&profile, "version: 1\nname: loose\nabout: x\nextends: intended\njudged: {\"*\": 0}\n")
        .unwrap();
    let profile = profile.to_str().unwrap();
    let text = cases(&["--as", "yaml", "--profile", profile, "--only", "POPC", "--cases", "100"]);
    let judged = verdict(&["--as", "yaml"], &Device::model().suite(&text), 0);
    assert_eq!(
        (judged["profile"].as_str(), judged["looser"]["than"].as_str()),
        (Some("loose"), Some("intended"))
    );
}

#[test]
fn a_mutant_is_caught_in_every_form() {
    let mut mutant = Device::mutant("fadd-tie-to-odd");
    let named = ["--instruction", "f32_add"];
    let lines = mutant.lines(&cases(&["--as", "jsonl", "--only", "FADD", "--cases", "20000"]));
    let found = verdict(&["--as", "jsonl", "--limit", "3"], &lines, 1);
    let wrong = found["wrong"].as_array().unwrap();
    assert_eq!(wrong.len(), 3);
    let line: usize = wrong[0]["line"].as_u64().unwrap() as usize;
    let case = parse_line(lines.lines().nth(line - 1).unwrap()).unwrap();
    assert_eq!(wrong[0]["asm"].as_str(), case.asm.as_deref());
    assert_eq!(wrong[0]["expected"]["expect"], serde_json::to_value(case.expect).unwrap());
    let adder = asm::parse("FADD R0, R1, R2").unwrap();
    let columns = cases(&[&["--as", "testfloat", "--cases", "20000"], &named[..]].concat());
    let answers = mutant.columns(&adder, &columns);
    let text = assay_with_input(&[&["ver", "--as", "testfloat"], &named[..]].concat(), &answers);
    assert_eq!(text.status.code(), Some(1), "{}", stderr(&text));
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("one unit off") && text.contains("assay eval 'FADD R0, R1, R2'"), "{text}");
    let image = cases(&[&["--as", "readmemh", "--cases", "20000"], &named[..]].concat());
    verdict(&[&["--as", "readmemh"], &named[..]].concat(), &mutant.image(&adder, &image), 1);
}

/// `ver` prints a command for each wrong answer. The command judges the answer again, under the
/// same profile and readings.
#[test]
fn the_command_that_explains_an_answer_judges_it() {
    let explained = |device: &mut Device, only: &str, options: &[&str], why: &str| {
        let lines =
            device.lines(&cases(&[&["--as", "jsonl", "--only", only, "--cases", "20000"], options].concat()));
        let output = assay_with_input(&[&["ver", "--as", "jsonl", "--limit", "5"], options].concat(), &lines);
        let text = stdout(&output);
        let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  explain   ")).collect();
        assert_eq!(commands.len(), 5, "{text}");
        for command in commands {
            let words = shell_words::split(command).expect("words");
            let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            let again = assay(&arguments);
            assert_eq!(status(&again), 1, "{command}: {}", stderr(&again));
            assert!(stdout(&again).contains(why), "{command}: {}", stdout(&again));
        }
    };
    explained(&mut Device::mutant("fadd-tie-to-odd"), "FADD", &[], "wrong, one unit off: the exact R");
    let reading = format!("E056={}", other_setting("E056"));
    let profile = ["--profile", "literal", "--reading", &reading];
    explained(&mut Device::model(), "BREV", &profile, "  profile literal");
}

/// If a bound judges a case, the expectation lists exactly the values that the judge accepts.
#[test]
fn an_expectation_under_a_bound_is_the_set_that_the_judge_accepts() {
    let only = ["--only", "MUFU.*.F32", "MUFU.*.F64", "MUFU.*.F16", "--cases", "12000", "--no-head"];
    let text = cases(&[&["--as", "jsonl"], &only[..]].concat());
    let (mut good, mut bad, mut sets) = (String::new(), String::new(), 0);
    for line in text.lines() {
        let case = parse_line(line).unwrap();
        let Some((location, allowed)) = case.expect.iter().flat_map(|expect| expect.iter()).next() else {
            continue;
        };
        sets += u64::from(allowed.ends().len() > 1);
        let answer = |value: u32| {
            let writes = [(*location, value)].into_iter().collect();
            Case { actual: Some(Actual::Did { writes, event: None }), ..case.clone() }.to_line() + "\n"
        };
        for end in allowed.ends() {
            good += &answer(end);
            let beyond =
                [end.wrapping_sub(1), end.wrapping_add(1)].into_iter().filter(|v| !allowed.contains(*v));
            bad.extend(beyond.map(answer));
        }
    }
    assert!(sets > 2000, "{sets} cases allow more than one value");
    let held = verdict(&["--as", "jsonl", "--allow-incomplete"], &good, 0);
    assert_eq!(held["verdicts"]["unjudged"].as_u64(), Some(0), "what is not judged expects nothing");
    let count = bad.lines().count() as u64;
    assert_eq!(verdict(&["--as", "jsonl"], &bad, 1)["divergences"].as_u64(), Some(count));
}

/// E049=1 leaves most results undefined. If a stream has few cases, unjudged lanes do not fail it.
/// But its verdict is that it was not fully judged.
#[test]
fn a_stream_of_which_little_was_judged_did_not_pass() {
    let mut model = Device::model();
    let word = |reading: &str| {
        let text = cases(&["--only", "POPC", "--cases", "2000", "--as", "jsonl", "--reading", reading]);
        verdict(&["--as", "jsonl", "--reading", reading], &model.lines(&text), 0)["verdict"].clone()
    };
    assert_eq!(["E049=1", "E049=2"].map(word), ["partial", "passed"]);
}

#[test]
fn a_bad_line_is_told_and_the_rest_goes_on() {
    let good = r#"{"asm":"POPC R0, R1","inputs":{"R1":"0x3"},"actual":{"R0":"0x2"}}"#;
    for (bad, why) in [
        ("", "EOF"),
        ("{", "EOF"),
        (r#"{"asm":"POPC R0, R1","inputs":{"R1":"0x3"}}"#, "no `actual`"),
        (r#"{"asm":"POPC R0, R1","inputs":{"R1":"0x3"},"actual":{"R0":"0x2"},"colour":1}"#, "colour"),
        (r#"{"asm":"POPC R0, R1","inputs":{},"actual":{"R0":"0x2"}}"#, "R1"),
        (r#"{"asm":"POPC R0, R1","inputs":{"R1":"0x3"},"actual":{"R0":2.5}}"#, "word"),
        (
            r#"{"asm":"POPC R0, R1","inputs":{"R1":"0x3"},"readings":{"E049":1},"actual":{}}"#,
            "--reading E049=1",
        ),
        (
            r#"{"asm":"ULDC UR0, c[0x0][UR1+0x0]","inputs":{"UR1":"0x8"},"actual":{}}"#,
            "which one of its values leads to",
        ),
        (r#"{"assay-gen":{"version":1}}"#, "head"),
        ("\u{1}", "expected"),
    ] {
        let output = assay_with_input(
            &["ver", "--as", "jsonl", "--format", "json"],
            format!("{good}\n{bad}\n{good}\n"),
        );
        let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{bad}: {e}"));
        assert_eq!((output.status.code(), found["cases"].as_u64()), (Some(2), Some(2)), "{bad}: {found}");
        assert_eq!(found["problems"][0]["line"].as_u64(), Some(2), "{bad}: {found}");
        assert!(found["problems"][0]["error"].as_str().unwrap().contains(why), "{bad}: {found}");
    }
    let adder = ["--instruction", "f32_add"];
    for (form, good, bad) in [
        (
            "testfloat",
            "3F800000 3F800000 40000000 00",
            [
                "3F800000 3F800000 4000000 00",
                "3F800000 40000000",
                "3F800000 3F800000 40000000 0g",
                "3F800000 3F800000 40000000..40000001 00",
                "",
            ],
        ),
        (
            "readmemh",
            "3f800000_3f800000_9_40000000 // a comment",
            [
                "3f8000003f80000014000000",
                "3f800000_3f800000_1_40000000",
                "3f800000_3f800000_9_4000000x",
                "zz",
                "3f8000003f800000 940000000 0",
            ],
        ),
    ] {
        for bad in bad {
            let arguments = [&["ver", "--format", "json", "--as", form], &adder[..]].concat();
            let output = assay_with_input(&arguments, format!("{good}\n{bad}\n{good}\n"));
            let found: Value =
                serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{bad}: {e}"));
            assert_eq!((output.status.code(), found["cases"].as_u64()), (Some(2), Some(2)), "{bad}: {found}");
            assert_eq!(found["problems"][0]["line"].as_u64(), Some(2), "{bad}: {found}");
        }
    }
}

#[test]
fn a_message_about_many_lines_is_shown_once() {
    let good = "3F800000 3F800000 40000000 00\n";
    let ver = ["ver", "--as", "testfloat", "--instruction", "f32_add", "--limit", "10"];
    for (bad, lines) in [(1, "line 2: "), (3, "lines 2, 3, 4: "), (30, "lines 2, 3, 4, 5, 6 and 25 more: ")] {
        let text = [good, &"3F800000 zz\n".repeat(bad), good].concat();
        let output = assay_with_input(&ver, &text);
        let printed = stdout(&output);
        let messages: Vec<&str> = printed.lines().filter(|line| line.starts_with("line")).collect();
        assert!(matches!(messages[..], [message] if message.starts_with(lines)), "{printed}");
        let found = json(&assay_with_input(&[&ver[..], &["--format", "json"]].concat(), &text));
        let listed = found["problems"].as_array().expect("a list");
        let numbers: Vec<u64> = listed.iter().filter_map(|one| one["line"].as_u64()).collect();
        assert_eq!(numbers, (2..).take(bad.min(10)).collect::<Vec<u64>>(), "{found}");
        assert_eq!(found["unreadable"], bad, "{found}");
    }
}

#[test]
fn nothing_passes_vacuously() {
    let text = cases(&["--as", "jsonl", "--only", "POPC", "--cases", "30"]);
    let answers = Device::model().lines(&text);
    assert!(refusal(&["--as", "jsonl"], "").contains("no case was read"));
    assert!(refusal(&["--as", "jsonl"], answers.lines().next().unwrap()).contains("no case was read"));
    let cut = answers.rsplit_once("\n{").unwrap().0;
    assert!(refusal(&["--as", "jsonl"], cut).contains("30 cases were promised, and the stream has 29"));
    let more = format!("{answers}{}\n", answers.lines().last().unwrap());
    assert!(refusal(&["--as", "jsonl"], &more).contains("the stream has 31"));
    assert!(refusal(&["--as", "jsonl", "--cases", "31"], &answers).contains("31 cases were promised"));
    // `ver` reads two concatenated streams as one stream.
    let others = cases(&["--as", "jsonl", "--only", "POPC", "--cases", "30", "--seed", "2"]);
    let both = answers.clone() + &Device::model().lines(&others);
    assert_eq!(verdict(&["--as", "jsonl"], &both, 0)["promised"].as_u64(), Some(60));
    assert!(
        refusal(&["--as", "jsonl", "--profile", "literal"], &answers).contains("made under profile intended")
    );
    // The two profiles have the same readings, but different contracts.
    assert!(
        refusal(&["--as", "jsonl", "--profile", "faithful"], &answers)
            .contains("made under profile intended, and faithful is in force")
    );
    // A device that returns the cases unchanged has not answered them.
    assert!(refusal(&["--as", "jsonl"], &text).contains("no `actual`"));
    for instruction in ["POPC R0, R1", "MUFU.RCP.F32 R0, R1"] {
        let image = cases(&["--as", "readmemh", "--instruction", instruction, "--cases", "3"]);
        assert!(
            refusal(&["--as", "readmemh", "--instruction", instruction], &image).contains("an answer has")
        );
    }
    let unsupported = r#"{"asm":"POPC R0, R1","inputs":{"R1":"0x3"},"actual":"unsupported"}"#;
    let found = verdict(&["--as", "jsonl"], unsupported, 1);
    assert_eq!(found["verdicts"]["undeclared"].as_u64(), Some(1));
    let undefined = r#"{"asm":"POPC R0, R1","inputs":{"R1":"0x3"},"actual":{"undefined":"E049"}}"#;
    assert_eq!(verdict(&["--as", "jsonl"], undefined, 1)["divergences"].as_u64(), Some(1));
}

#[test]
fn shards_and_seeds_give_the_cases_of_a_campaign() {
    let gen_ = |more: &[&str]| {
        let only = ["--as", "jsonl", "--only", "FSET", "BREV", "--cases", "5000", "--no-head"];
        cases(&[&only[..], more].concat())
    };
    let whole = gen_(&[]);
    assert_eq!(whole.lines().count(), 5000);
    let shards: Vec<String> = ["0/3", "1/3", "2/3"].map(|shard| gen_(&["--shard", shard])).into();
    let mut parts: Vec<&str> = shards.iter().flat_map(|text| text.lines()).collect();
    let mut all: Vec<&str> = whole.lines().collect();
    parts.sort_unstable();
    all.sort_unstable();
    assert!(parts == all, "all shards together are the whole");
    assert_ne!(whole, gen_(&["--seed", "2"]));
    let bare = gen_(&["--no-expect"]);
    assert!(!bare.contains("expect") && bare.lines().count() == 5000);
    let ver = ["--as", "jsonl", "--allow-incomplete"];
    assert_eq!(verdict(&ver, &Device::model().lines(&bare), 0)["cases"].as_u64(), Some(5000));
    let output = assay_with_input(&["gen", "--as", "jsonl", "--cases", "1", "--shard", "1/2"], "");
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("has no case"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn functions_of_testfloat_are_instructions() {
    for function in [
        "f32_add",
        "f32_sub",
        "f32_mul.RZ",
        "f32_mulAdd.RM",
        "f32_eq",
        "f32_le",
        "f32_lt",
        "f32_eq_signaling",
        "f32_le_quiet",
        "f32_lt_quiet",
    ] {
        let text = cases(&["--as", "testfloat", "--instruction", function, "--cases", "3"]);
        let columns = if function.starts_with("f32_mulAdd") { 5 } else { 4 };
        assert!(
            text.lines().all(|line| line.split(' ').count() == columns && line.ends_with(" 00")),
            "{text}"
        );
    }
    let output = assay_with_input(&["gen", "--as", "testfloat", "--instruction", "f32_sqrt"], "");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("f32_mulAdd"), "{}", stderr(&output));
    let output = assay_with_input(&["gen", "--as", "testfloat", "--only", "FADD"], "");
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("one instruction"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_file_is_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cases.jsonl");
    let path = path.to_str().unwrap();
    let write = ["--as", "jsonl", "--only", "POPC", "--cases", "100", "--out", path];
    cases(&write);
    let output = assay_with_input(&[&["gen"], &write[..]].concat(), "");
    assert!(
        output.status.code() == Some(2) && stderr(&output).contains("--overwrite"),
        "{}",
        stderr(&output)
    );
    let answers = Device::model().lines(&std::fs::read_to_string(path).unwrap());
    std::fs::write(path, answers).unwrap();
    assert_eq!(verdict(&["--as", "jsonl", path], "", 0)["cases"].as_u64(), Some(100));
    assert!(refusal(&["--as", "jsonl", "/nonexistent"], "").contains("/nonexistent"));
    assert!(refusal(&["--as", "jsonl", folder.path().to_str().unwrap()], "").contains("directory"));
}

/// Returns a setting of an erratum other than the intended setting.
fn other_setting(erratum: &str) -> u8 {
    let intended = Readings::INTENDED.setting(erratum.parse().expect("an erratum"));
    if intended == Some(1) { 2 } else { 1 }
}

/// If a device follows another reading, one line reports it, in place of thousands of findings.
#[test]
fn a_device_of_another_reading_is_recognised() {
    let (mut readings, setting) = (Readings::INTENDED, other_setting("E056"));
    let erratum = "E056".parse().expect("an erratum");
    readings.set(erratum, setting).expect("the setting exists");
    let mut device = Device(assay_model::model(EncodingTable::provisional().clone(), readings));
    let answers = device.lines(&cases(&["--as", "jsonl", "--only", "BREV", "--cases", "2000"]));
    let judged = verdict(&["--as", "jsonl"], &answers, 1);
    let remedy = &judged["otherwise"]["readings"];
    assert_eq!(remedy, &serde_json::json!([format!("E056={setting}")]), "{judged:#}");
}
